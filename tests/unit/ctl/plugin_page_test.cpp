// SPDX-License-Identifier: Apache-2.0
#include "ctl/plugin_page.hpp"

#include <doctest/doctest.h>
#include <actord/actord.hpp>

#include "unit/ctl/ctl_support.hpp"

using namespace actord::ctl;
using namespace std::chrono_literals;

namespace paged {

struct Card {
  std::string number;
  std::vector<std::string> notes;

  static std::vector<actord::About> about() { return {actord::about(&Card::number).secret()}; }
};
ACTORD_MESSAGE(Card, "paged.Card/1", number, notes)
struct Close {};
ACTORD_MESSAGE(Close, "paged.Close/1")

enum class Mode { slow_one, fast };
ACTORD_ENUM(Mode, slow_one, fast)

struct Shelf {
  std::uint32_t width = 3;
  static std::vector<actord::About> about() {
    return {actord::about(&Shelf::width).between(1, 9).doc("In | metres.")};
  }
};
ACTORD_FIELDS(Shelf, width)

struct Config {
  actord::Required<std::string> stock;
  Mode mode = Mode::fast;
  std::string pin;
  std::map<std::string, Shelf> shelves;

  static std::vector<actord::About> about() {
    return {actord::about(&Config::stock).folder().readable(),
            actord::about(&Config::pin).secret()};
  }
};
ACTORD_FIELDS(Config, stock, mode, pin, shelves)

struct SoldOut : actord::Error {
  using Error::Error;
};

class Shop : public actord::Actor {
 public:
  using Config = paged::Config;
  static constexpr std::string_view doc = "Sells.";
  static actord::Strategy supervision() {
    return actord::one_for_one({.max_restarts = 10, .within = 1min})
        .on<SoldOut>(actord::Directive::resume)
        .otherwise(actord::Directive::restart);
  }
  explicit Shop(const Config&) {}
  void sell(const Card&) {}
  void rest(actord::Context&) {}
  using Receive = actord::Handlers<&Shop::sell>;
  struct Closed : actord::Handlers<&Shop::rest> {
    static constexpr std::string_view name = "Closed";
  };
  using States = actord::States<Closed>;
};

const PluginPage& page() {
  static const PluginPage made =
      page_of(*actord::plugin_table<actord::Behaviours<Shop>, actord::Messages<Card, Close>,
                                    actord::Failures<SoldOut>>("paged", "2.0.0"),
              "paged.so");
  return made;
}

}  // namespace paged

TEST_SUITE_BEGIN("ctl/plugin_page");

TEST_CASE("a page has what the plugin declares, without the messages of the runtime") {
  const PluginPage& page = paged::page();
  REQUIRE(page.messages.size() == 2);
  CHECK(page.messages[0].secrets == std::vector<std::string>{"number"});
  REQUIRE(page.behaviours.size() == 1);
  const PluginPage::Behaviour& shop = page.behaviours[0];
  REQUIRE(shop.config.size() == 4);
  CHECK(shop.config[0].is_needed);
  CHECK(has(shop.config[0].doc, "It names a folder"));
  CHECK(shop.config[1].range == "slow-one | fast");
  CHECK(shop.config[2].is_secret);
  CHECK(shop.config[3].name == "shelves.*.width");
  CHECK(shop.config[3].range == "1 to 9");
  REQUIRE(shop.states.size() == 2);
  CHECK(shop.states[1].name == "Closed");
  CHECK(shop.states[1].takes_others);
  CHECK(page.failures[0].front() == "paged::SoldOut");
}

TEST_CASE("as text it is indented") {
  const std::string text = text_of(paged::page());
  CHECK(has(text, "plugin paged 2.0.0\n  paged.so\n"));
  CHECK(has(text,
            "behaviour paged/Shop\n  Sells.\n  takes\n    paged.Card/1\n  takes as Closed\n"
            "    all messages\n"));
  CHECK(has(text, "    stock  text, needed\n"));
  CHECK(has(text, "    decider.\"paged::SoldOut\"  resume\n"));
  CHECK(has(text,
            "message paged.Card/1\n  number  text\n  notes   list<text>\n"
            "  never shown: number\n"));
  CHECK(has(text, "failures\n  paged::SoldOut < actord::Error < std::runtime_error < "));
}

TEST_CASE("in Markdown, what a plugin says does not end a cell of a table") {
  const std::string text = markdown_of(paged::page());
  CHECK(has(text, "# Plugin `paged` 2.0.0\n"));
  CHECK(has(text, "| `shelves.*.width` | `uint32` | 1 to 9 | `3` | In \\| metres. |\n"));
  CHECK(has(text, "| `mode` | `text` | slow-one \\| fast | `fast` |  |\n"));
  CHECK(has(text, "| `stock` | `text` |  | *needed* | It names a folder"));
  CHECK(has(text, "It takes as `Closed` all messages.\n"));
  CHECK(has(text, "### `paged.Close/1`\n\nIt has no fields.\n"));
  CHECK(has(text, "| `paged::SoldOut` | `actord::Error`, `std::runtime_error`"));
}
