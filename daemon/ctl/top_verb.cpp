// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>

#include "ctl/daemon_client.hpp"
#include "ctl/json_members.hpp"
#include "ctl/json_output.hpp"
#include "ctl/key_input.hpp"
#include "ctl/output_terminal.hpp"
#include "ctl/quantity_option.hpp"
#include "ctl/rough_quantity.hpp"
#include "ctl/text_table.hpp"
#include "ctl/verb_failure.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using namespace std::chrono_literals;
using wire::Json;

namespace {

constexpr std::uint64_t actors_max = 1000, actors_default = 20, lines_of_head = 3;
constexpr std::uint64_t ms_min = 100;  // of a look

const AnswerShape& top_shape() {
  using Form = MemberShape::Form;
  static const AnswerShape shape = {{"configured", Form::number, {}, true},
                                    {"up", Form::number, {}, true},
                                    {"resident_bytes", Form::number, {}, true},
                                    {"messages_bytes", Form::number, {}, true},
                                    {"counted"},
                                    {"actors",
                                     Form::objects,
                                     {{"path", Form::text, {}, true},
                                      {"messages", Form::number, {}, true},
                                      {"failures", Form::number},
                                      {"restarts", Form::number},
                                      {"received", Form::number}},
                                     true}};
  return shape;
}

double real_at(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_number() ? found->get<double>() : 0;
}

std::string rounded(double value, const char* format) {
  char text[32];
  return std::snprintf(text, sizeof text, format, value) > 0 ? text : "";
}

/// "12345", and "0.4" below 10.
std::string rate_text(double per_second) {
  return rounded(per_second, per_second < 9.95 && per_second > 0 ? "%.1f" : "%.0f");
}

/// What the actors can be sorted by: the word, its key, and the title of its column.
struct Order {
  std::string_view word;
  char key;
  std::string_view title;
};
constexpr Order orders[] = {{"busy", 'b', "BUSY%"},
                            {"rate", 'm', "MSG/S"},
                            {"mailbox", 'w', "WAITING"},
                            {"failures", 'f', "FAILED"},
                            {"restarts", 'r', "RESTARTS"}};

/// The screen of one look.
class Screen {
 public:
  /// `order` is marked in the titles, and the keys are named, if keys are read.
  Screen(const Call& call, const Order* order) : call_(call), order_(order) {}

  void print(const Json& top) const {
    const bool is_live = call_.terminal != nullptr;
    if (is_live) call_.terminal->clear();
    print_head(top);
    table_of(top.at("actors")).print(call_.out, is_live ? call_.terminal->size().columns : 0);
  }

 private:
  /// Two lines, on a terminal as much of them as fits.
  void print_head(const Json& top) const {
    const std::uint64_t up = number_at(top, "up"), configured = number_at(top, "configured");
    const std::string actors =
        std::to_string(up) + " of " + std::to_string(configured) + " configured actors are up";
    const std::string rest = "; " + rate_text(real_at(top, "per_second")) + " messages/s; " +
                             rough_bytes(number_at(top, "resident_bytes")) + ", messages " +
                             rough_bytes(number_at(top, "messages_bytes"));
    const std::size_t columns =
        call_.terminal != nullptr ? call_.terminal->size().columns : SIZE_MAX;
    print_in(up == configured ? Colour::green : Colour::red, actors.substr(0, columns), call_.out,
             call_.terminal);
    call_.out << rest.substr(0, columns - std::min(columns, actors.size())) << '\n';
    if (order_ != nullptr) {
      std::string keys = "keys:";
      for (const Order& each : orders)
        keys.append("  ").append(1, each.key).append(" ").append(each.title);
      print_in(Colour::dim, (keys + "  q quit").substr(0, columns), call_.out, call_.terminal);
    } else {
      call_.out << uncounted(top);
    }
    call_.out << '\n';
  }

  /// What the figure that orders the actors does not cover; empty: it covers all.
  std::string uncounted(const Json& top) const {
    const std::string counted = top.value("counted", "all"), sort = call_.value("sort", "busy");
    if (counted == "all" || (sort != "rate" && sort != "failures" && sort != "restarts")) return {};
    return (counted == "none" ? "no actors are counted" : "only configured actors are counted") +
           std::string{" (actord.metrics.actors); actorctl tree has the restarts of all"};
  }

  TextTable table_of(const Json& actors) const {
    using Align = TextTable::Column::Align;
    std::vector<TextTable::Column> columns;
    for (const Order& each : orders)
      columns.push_back({std::string{each.title} + (&each == order_ ? "↓" : ""), Align::right});
    if (call_.is_wide()) columns.push_back({"MESSAGES", Align::right});
    columns.push_back({"PATH"});
    TextTable table(std::move(columns));
    for (const Json& each : actors) {
      const bool is_counted = each.contains("per_second");
      const auto counted = [&](const char* name) {
        return is_counted ? std::to_string(number_at(each, name)) : "-";
      };
      std::vector<std::string> row = {rounded(100 * real_at(each, "busy"), "%.1f"),
                                      is_counted ? rate_text(real_at(each, "per_second")) : "-",
                                      each.contains("silent")
                                          ? "?"
                                          : (each.contains("has_more") ? "≥" : "") +
                                                std::to_string(number_at(each, "messages")),
                                      counted("failures"), counted("restarts")};
      if (call_.is_wide()) row.push_back(counted("received"));
      row.push_back(text_at(each, "path"));
      table.add(std::move(row));
    }
    return table;
  }

  const Call& call_;
  const Order* const order_;
};

/// How the actors are looked at, again and again.
struct Look {
  std::uint64_t interval_ms = 0, rounds = 0;
  std::uint64_t lines = 0;  // 0: as many as fit
  const Order* order = nullptr;
  std::optional<KeyInput> keys = {};
};

/// Does what the keys say that were pressed. False: the user quits.
bool obey_keys(Look& look) {
  while (const auto key = look.keys->next()) {
    if (*key == 'q') return false;
    if (*key == KeyInput::interrupt) return look.keys->be_interrupted(), false;
    if (*key == KeyInput::suspend_key) look.keys->suspend();
    const auto order = std::ranges::find(orders, *key, &Order::key);
    if (order != std::end(orders)) look.order = order;
  }
  return true;
}

/// Asks the daemon once. The answer is null if a key was pressed meanwhile; nullopt after reporting
/// a failure.
std::optional<Json> ask_once(const Call& call, const Look& look, std::uint64_t interval_ms,
                             Exit& exit) {
  std::uint64_t most = look.lines != 0 ? look.lines : actors_default;
  if (call.terminal != nullptr && look.lines == 0) {
    const std::uint64_t rows = call.terminal->size().rows;
    most = rows > lines_of_head + 2 ? rows - lines_of_head - 1 : 1;
  }
  auto client = connect(call, exit);
  if (!client) return std::nullopt;
  if (look.keys) client->wait_until_readable(look.keys->fd());
  auto reply = client->ask("top",
                           {{"interval_ms", interval_ms},
                            {"sort", look.order->word},
                            {"most", std::min(most, actors_max)}},
                           top_shape());
  if (!check_reply(call, reply, exit)) return std::nullopt;
  return reply->id == 0 ? Json{} : std::move(reply->result);
}

void print(const Call& call, const Look& look, const Json& answer) {
  if (call.is_json()) {
    call.out << json_text(answer) << '\n';
  } else if (call.is_names()) {
    for (const Json& each : answer.at("actors")) call.out << text_at(each, "path") << '\n';
  } else {
    Screen(call, look.keys ? look.order : nullptr).print(answer);
  }
  call.out.flush();
}

Exit top(const Call& call) {
  Exit exit = Exit::ok;
  // On a terminal it goes on, and fills the screen.
  const bool is_live = call.terminal != nullptr && !call.is_json() && !call.is_names();
  const auto interval =
      duration_option(call, "delay", 1s, {100ms, 10s, "write a duration from 100ms to 10s"}, exit);
  if (!interval) return exit;
  const auto rounds =
      number_option(call, "iterations", is_live ? UINT64_MAX : 1, {1, UINT64_MAX}, exit);
  const auto lines = number_option(call, "lines", 0, {1, actors_max}, exit);
  if (!rounds || !lines) return exit;
  Look look{static_cast<std::uint64_t>(*interval / 1ms), *rounds, *lines,
            std::ranges::find(orders, call.value("sort", "busy"), &Order::word),
            is_live ? KeyInput::open(STDIN_FILENO) : std::nullopt};
  // What a key asks for is shown soon; then the looks take as long as they are to.
  std::uint64_t next_ms = look.interval_ms;
  while (look.rounds != 0 && call.out.good()) {
    const auto answer = ask_once(call, look, next_ms, exit);
    if (!answer) return exit;
    next_ms = answer->is_null() ? ms_min : look.interval_ms;
    if (look.keys && !obey_keys(look)) return exit;
    if (answer->is_null()) continue;
    print(call, look, *answer);
    --look.rounds;
  }
  return exit;
}

}  // namespace

Verb top_verb() {
  Verb verb{
      .group = {},
      .name = "top",
      .summary = "show which actors do the most",
      .description =
          "Shows the actors that do the most, or have the most to do: how much of one worker's\n"
          "time they take (BUSY%, from samples), messages a second, messages that wait, failures\n"
          "and restarts. On a terminal it goes on until q or ^C, and keys choose what it sorts\n"
          "by: b, m, w, f, r; otherwise it looks once, and -o wide adds a column. Messages a\n"
          "second, failures and restarts are known of the actors that are counted: those of the\n"
          "configuration, or all, as actord.metrics.actors says; of the others they are \"-\".\n"
          "An actor whose handler has not returned cannot say how many messages wait: \"?\".\n"
          "\n"
          "  actorctl top\n"
          "  actorctl top --sort mailbox -n 5\n"
          "  actorctl top -o json --delay 5s",
      .operands = {},
      .options =
          {{.name = "sort",
            .takes = Takes::words,
            .argument = "WHAT",
            .help = "busy (the default), rate, mailbox, failures or restarts",
            .words = {"busy", "rate", "mailbox", "failures", "restarts"}},
           {.name = "delay",
            .letter = 'd',
            .takes = Takes::text,
            .argument = "DURATION",
            .help = "look so long each time, 100ms to 10s; default: 1s"},
           {.name = "iterations", .takes = Takes::text, .argument = "N", .help = "look N times"},
           {.name = "lines",
            .letter = 'n',
            .takes = Takes::text,
            .argument = "N",
            .help = "show N actors; default: as many as fit, else 20"}},
      .run = &top};
  return with_tables(with_names(with_daemon_options(std::move(verb))));
}

}  // namespace actord::ctl
