// SPDX-License-Identifier: Apache-2.0
//
// Plugins that clash with themselves or with another one, as tables.
#include "system/behaviour_registry.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace actord::system {

TEST_SUITE_BEGIN("system/behaviour_registry");

namespace {

actord_status create_nothing(void*, actord_context*, actord_value, const void*, actord_errors*) {
  return ACTORD_OK;
}
void destroy_nothing(void*) {}
actord_status handle_nothing(void*, actord_context*, const void*, actord_errors*) {
  return ACTORD_OK;
}

const actord_receive no_cases = {
    sizeof(actord_receive), 0, ACTORD_STR("empty"), nullptr, nullptr, nullptr};

/// A message type with one member, and the id that it is given.
struct Type {
  Type(actord_str name, actord_str member_type) : member{ACTORD_STR("n"), member_type, 0} {
    table.struct_size = sizeof table;
    table.flags = ACTORD_TRIVIAL;
    table.name = name;
    table.members = &member;
    table.n_members = 1;
    table.size = table.align = 8;
    table.library = ACTORD_STR("");
    table.id = &id;
  }
  Type(const Type&) = delete;

  actord_member member;
  actord_type_id id = 0;
  actord_message_type table{};
};

/// The table of the plugin `shop`, with the memory it points to.
class Shop {
 public:
  Shop() {
    table_.struct_size = sizeof table_;
    table_.abi_major = ACTORD_ABI_MAJOR;
    table_.name = ACTORD_STR("shop");
    table_.version = ACTORD_STR("1");
  }
  Shop(const Shop&) = delete;

  /// One that handles a message type if `handled` names one.
  void add_behaviour(actord_str name, actord_str handled = {}) {
    auto& part = *behaviours_.emplace_back(std::make_unique<Part>());
    part.receive = no_cases;
    if (handled.size != 0) {
      part.handled = {handled, &handle_nothing};
      part.receive.cases = &part.handled;
      part.receive.n_cases = 1;
    }
    part.table.struct_size = sizeof part.table;
    part.table.name = name;
    part.table.create = &create_nothing;
    part.table.destroy = &destroy_nothing;
    part.table.size = part.table.align = 8;
    part.table.receives = &part.receives;
    part.table.n_receives = 1;
    behaviour_tables_.push_back(&part.table);
  }
  void add_configurator(actord_str name) {
    auto& made = *configurators_.emplace_back(std::make_unique<actord_configurator>());
    made.struct_size = sizeof made;
    made.name = name;
    made.strategy = &strategy_;
    configurator_tables_.push_back(&made);
  }
  void add_type(const Type& type) { type_tables_.push_back(&type.table); }

  const actord_plugin& table() {
    table_.behaviours = behaviour_tables_.data();
    table_.n_behaviours = static_cast<std::uint32_t>(behaviour_tables_.size());
    table_.configurators = configurator_tables_.data();
    table_.n_configurators = static_cast<std::uint32_t>(configurator_tables_.size());
    table_.messages = type_tables_.data();
    table_.n_messages = static_cast<std::uint32_t>(type_tables_.size());
    return table_;
  }

 private:
  struct Part {
    actord_case handled{};
    actord_receive receive{};
    const actord_receive* receives = &receive;
    actord_behaviour table{};
  };
  std::vector<std::unique_ptr<Part>> behaviours_;
  std::vector<const actord_behaviour*> behaviour_tables_;
  std::vector<std::unique_ptr<actord_configurator>> configurators_;
  std::vector<const actord_configurator*> configurator_tables_;
  std::vector<const actord_message_type*> type_tables_;
  actord_strategy strategy_ = [] {
    actord_strategy made{};
    made.struct_size = sizeof made;
    made.within_ns = -1;
    return made;
  }();
  actord_plugin table_{};
};

/// Whether the behaviour has a handler for exactly this layout.
bool takes(const actor::Behaviour& behaviour, const Type& type) {
  return behaviour.initial().find_case(type.id) != nullptr;
}

std::string refusal_of(BehaviourRegistry& registry, Shop& shop) {
  const auto added = registry.add(shop.table());
  return added ? std::string{} : added.error().what;
}

}  // namespace

TEST_CASE("a message with other members is refused, and both plugins are named, one by its file") {
  message::TypeRegistry types;
  BehaviourRegistry registry(types);
  const actord_member whole[] = {{ACTORD_STR("cents"), ACTORD_STR("int64"), 0}};
  const actord_member real[] = {{ACTORD_STR("cents"), ACTORD_STR("double"), 0}};
  actord_type_id id = 0, other_id = 0;
  actord_message_type price{};
  price.struct_size = sizeof price;
  price.flags = ACTORD_TRIVIAL;
  price.name = ACTORD_STR("shop.Price/1");
  price.members = whole;
  price.n_members = 1;
  price.size = price.align = 8;
  price.id = &id;
  actord_message_type other = price;
  other.members = real;
  other.id = &other_id;
  const actord_message_type* const messages[] = {&price};
  const actord_message_type* const others[] = {&other};
  Shop shop, second;
  actord_plugin first = shop.table(), later = second.table();
  first.messages = messages;
  later.messages = others;
  first.n_messages = later.n_messages = 1;
  REQUIRE(registry.add(first, "/plugins/shop.so"));
  const auto refused = registry.add(later, "/plugins/other.so");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().what ==
        "plugin shop: message type shop.Price/1 has other members than in the plugin shop 1, "
        "/plugins/shop.so, which was loaded before: cents is double here and int64 there");
}

TEST_CASE("two parts of one plugin with the same name are said to be of that plugin") {
  message::TypeRegistry types;
  BehaviourRegistry registry(types);
  Shop behaviours, configurators;
  behaviours.add_behaviour(ACTORD_STR("Till"));
  behaviours.add_behaviour(ACTORD_STR("Till"));
  CHECK(refusal_of(registry, behaviours) ==
        "plugin shop: two of its behaviours are named shop/Till");
  configurators.add_configurator(ACTORD_STR("Calm"));
  configurators.add_configurator(ACTORD_STR("Calm"));
  CHECK(refusal_of(registry, configurators) ==
        "plugin shop: two of its configurators are named shop/Calm");
}

TEST_CASE("two message types of one plugin with the same name must be the same") {
  message::TypeRegistry types;
  BehaviourRegistry registry(types);
  const Type here(ACTORD_STR("shop.Sale/1"), ACTORD_STR("int64"));
  const Type same(ACTORD_STR("shop.Sale/1"), ACTORD_STR("int64"));
  const Type other(ACTORD_STR("shop.Sale/1"), ACTORD_STR("double"));
  Shop equal, different;
  equal.add_type(here);
  equal.add_type(same);
  CHECK(refusal_of(registry, equal) == "");
  different.add_type(here);
  different.add_type(other);
  CHECK(refusal_of(registry, different) ==
        "plugin shop: two different message types of it are named shop.Sale/1");
  Type wide(ACTORD_STR("shop.Sale/1"), ACTORD_STR("int64"));
  wide.table.size = 16;
  Shop two_layouts;
  two_layouts.add_type(here);
  two_layouts.add_type(wide);
  CHECK(refusal_of(registry, two_layouts) ==
        "plugin shop: two different message types of it are named shop.Sale/1");
}

TEST_CASE("a handler takes its message in the layout of its plugin, also if that is loaded again") {
  message::TypeRegistry types;
  BehaviourRegistry registry(types);
  Type here(ACTORD_STR("shop.Sale/1"), ACTORD_STR("int64"));
  Type there(ACTORD_STR("shop.Sale/1"), ACTORD_STR("int64"));
  there.table.size = 16;
  Shop shop, built_again;
  shop.add_type(here);
  shop.add_behaviour(ACTORD_STR("Till"), ACTORD_STR("shop.Sale/1"));
  built_again.add_type(there);
  built_again.add_behaviour(ACTORD_STR("Clerk"), ACTORD_STR("shop.Sale/1"));
  REQUIRE(refusal_of(registry, shop) == "");
  REQUIRE(refusal_of(registry, built_again) == "");
  CHECK(here.id != there.id);
  const actor::Behaviour& till = **registry.find("shop/Till");
  const actor::Behaviour& clerk = **registry.find("shop/Clerk");
  CHECK(takes(till, here));
  CHECK_FALSE(takes(till, there));
  CHECK(takes(clerk, there));
  CHECK_FALSE(takes(clerk, here));
  CHECK(till.declarer == "shop 1");
  CHECK(clerk.declarer == "shop 1 (2)");
  CHECK(types.layout_in(till.declarer, there.id) == here.id);
  CHECK(types.layout_in(clerk.declarer, here.id) == there.id);
}

TEST_CASE(
    "a receive table says by `ids` which layout a case takes, unless the id is another type's") {
  message::TypeRegistry types;
  BehaviourRegistry registry(types);
  const Type here(ACTORD_STR("shop.Sale/1"), ACTORD_STR("int64"));
  Type there(ACTORD_STR("shop.Sale/1"), ACTORD_STR("int64"));
  const Type other(ACTORD_STR("shop.Refund/1"), ACTORD_STR("int64"));
  there.table.size = 16;
  REQUIRE(types.add(here.table, "shop 1"));
  REQUIRE(types.add(there.table, "till 1"));
  REQUIRE(types.add(other.table, "shop 1"));
  const actord_case handled{ACTORD_STR("shop.Sale/1"), &handle_nothing};
  const auto taken_with = [&](const actord_type_id* id) {
    actord_receive receive = no_cases;
    receive.n_cases = 1;
    receive.cases = &handled;
    receive.ids = &id;
    const auto resolved = actor::ReceiveTable::resolve(receive, types, "shop 1");
    REQUIRE(resolved);
    return resolved->find_case(there.id) != nullptr  ? "there"
           : resolved->find_case(here.id) != nullptr ? "here"
                                                     : "neither";
  };
  const actord_type_id unknown = 99, none = 0;
  CHECK(taken_with(&there.id) == std::string{"there"});
  CHECK(taken_with(&here.id) == std::string{"here"});
  CHECK(taken_with(&other.id) == std::string{"here"});
  CHECK(taken_with(&unknown) == std::string{"here"});
  CHECK(taken_with(&none) == std::string{"here"});
}

TEST_CASE("a plugin that was refused is no obstacle to itself when it is loaded again") {
  message::TypeRegistry types;
  BehaviourRegistry registry(types);
  Shop shop;
  shop.add_behaviour(ACTORD_STR("Till"));
  shop.add_configurator(ACTORD_STR("Calm"));
  shop.add_behaviour(ACTORD_STR("Clerk"), ACTORD_STR("shop.Missing/1"));
  const std::string why = refusal_of(registry, shop);
  CHECK(why.find("shop.Missing/1, which no plugin lists in its messages") != std::string::npos);
  CHECK(refusal_of(registry, shop) == why);
  CHECK(registry.behaviour_names().empty());
  CHECK(registry.configurator_names().empty());
  CHECK(registry.plugin_names().empty());

  Shop mended;
  mended.add_behaviour(ACTORD_STR("Till"));
  CHECK(refusal_of(registry, mended) == "");
  CHECK(registry.find("shop/Till").ok());
  CHECK(refusal_of(registry, mended) ==
        "plugin shop: another plugin of that name, which is loaded, has the behaviour shop/Till");
}

TEST_CASE("of a plugin that is retired nothing is found, and another build of it can be added") {
  message::TypeRegistry types;
  BehaviourRegistry registry(types);
  Shop old, other;
  old.add_behaviour(ACTORD_STR("Till"));
  old.add_configurator(ACTORD_STR("Calm"));
  REQUIRE(refusal_of(registry, old) == "");
  const actor::Behaviour* const till = registry.find("shop/Till").value();
  const actor::Strategy* const calm = registry.configurator("shop/Calm");
  registry.retire("sho");
  CHECK(registry.find("shop/Till").ok());
  registry.retire("shop");
  CHECK_FALSE(registry.find("shop/Till").ok());
  CHECK(registry.configurator("shop/Calm") == nullptr);
  CHECK(registry.plugin_names().empty());
  CHECK(till->name == "shop/Till");  // what actors have of it stays
  CHECK_FALSE(calm->asks_code_first);
  other.add_behaviour(ACTORD_STR("Till"));
  CHECK(refusal_of(registry, other) == "");
  CHECK(registry.find("shop/Till").value() != till);
}

TEST_SUITE_END();

}  // namespace actord::system
