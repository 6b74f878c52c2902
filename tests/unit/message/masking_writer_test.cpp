// SPDX-License-Identifier: Apache-2.0
//
// Which members of a message are secret, and that none of the ways to show it shows them.
#include "message/masking_writer.hpp"

#include <doctest/doctest.h>
#include <actord/actord.hpp>

#include <map>
#include <sstream>

#include "message/message_text.hpp"
#include "message/type_registry.hpp"

namespace shop {

struct Card {
  std::string number;
  std::vector<int> pin;
  std::string owner;
  static std::vector<actord::About> about() {
    return {actord::about(&Card::number).secret(), actord::about(&Card::pin).secret()};
  }
};
ACTORD_FIELDS(Card, number, pin, owner)

struct Pay {
  int cents = 0;
  Card card;
  std::vector<Card> others;
  std::map<std::string, std::string> keys;
  std::optional<Card> last;
  static std::vector<actord::About> about() { return {actord::about(&Pay::keys).secret()}; }
};
ACTORD_MESSAGE(Pay, "shop.Pay/1", cents, card, others, keys, last)

struct Plain {
  int n = 0;
};
ACTORD_MESSAGE(Plain, "shop.Plain/1", n)

}  // namespace shop

namespace actord::message {

TEST_SUITE_BEGIN("message/masking_writer");

namespace {

const actord_message_type& pay_type() { return *detail::message_table<shop::Pay>(); }

shop::Pay payment() {
  return {5,
          {"4711", {1, 2}, "Ann"},
          {{"4712", {3}, "Bob"}},
          {{"a", "4713"}},
          shop::Card{"4714", {4}, "Eve"}};
}

std::string text_of(const shop::Pay& message) {
  return text_of_message(pay_type(), &message, [](actord_ref) { return "/"; });
}

}  // namespace

TEST_CASE("a message type names the members that about() calls secret, inside others too") {
  std::vector<std::string> secrets;
  for (const actord_str& each : secrets_of(pay_type())) secrets.emplace_back(view(each));
  CHECK(secrets == std::vector<std::string>{"card.number", "card.pin", "others.*.number",
                                            "others.*.pin", "keys", "last.number", "last.pin"});
  CHECK(secrets_of(*detail::message_table<shop::Plain>()).empty());
}

TEST_CASE("the table of an older plugin has no secrets") {
  actord_message_type older = pay_type();
  older.struct_size = offsetof(actord_message_type, secrets);
  CHECK(secrets_of(older).empty());
}

TEST_CASE("a message is written without its secrets, whatever is in them") {
  const std::string text = text_of(payment());
  CHECK(text ==
        "shop.Pay/1 {cents: 5, card: {number: \"\u2026\", pin: \"\u2026\", owner: \"Ann\"}, "
        "others: [{number: \"\u2026\", pin: \"\u2026\", owner: \"Bob\"}], "
        "keys: \"\u2026\", last: {number: \"\u2026\", pin: \"\u2026\", owner: \"Eve\"}}");
}

TEST_CASE("a message is printed without its secrets") {
  std::ostringstream out;
  detail::print(out, payment());
  CHECK(out.str().find("471") == std::string::npos);
  CHECK(out.str().find("number: \u2026, pin: \u2026, owner: \"Ann\"") != std::string::npos);
  CHECK(out.str().find("keys: \u2026") != std::string::npos);
}

TEST_CASE("a path is secret if it is that member, with * for any element") {
  using Path = std::vector<std::string>;
  CHECK(is_secret_path("pin", Path{"pin"}));
  CHECK(is_secret_path("cards.*.pin", Path{"cards", "2", "pin"}));
  CHECK_FALSE(is_secret_path("pin", Path{}));
  CHECK_FALSE(is_secret_path("pin", Path{"pins"}));
  CHECK_FALSE(is_secret_path("pin", Path{"pin", "x"}));
  CHECK_FALSE(is_secret_path("card.pin", Path{"card"}));
  CHECK_FALSE(is_secret_path("card.pin", Path{"pin"}));
}

TEST_CASE("a plugin that calls a member secret is refused beside one that does not") {
  TypeRegistry types;
  actord_type_id id = 0;
  actord_message_type open = pay_type();
  open.id = &id;
  open.secrets = nullptr;
  open.n_secrets = 0;
  actord_message_type secret = pay_type();
  secret.id = &id;
  REQUIRE(types.add(open));
  const auto refused = types.add(secret);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().what ==
        "message type shop.Pay/1 calls the member card.number secret, which another plugin, "
        "loaded before, does not: build that one again");
  TypeRegistry others;
  REQUIRE(others.add(secret));
  CHECK(others.add(open));
}

TEST_SUITE_END();

}  // namespace actord::message
