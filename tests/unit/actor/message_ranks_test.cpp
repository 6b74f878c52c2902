// SPDX-License-Identifier: Apache-2.0
#include "actor/message_ranks.hpp"

#include <doctest/doctest.h>

#include <deque>

namespace actord::actor {

TEST_SUITE_BEGIN("actor/message_ranks");

namespace {

/// A registry with types of these names; those that begin with "c" are declared as control
/// messages.
class Types {
 public:
  explicit Types(std::initializer_list<const char*> names) {
    for (const char* const name : names) add(name);
  }
  message::TypeId add(const char* name) {
    ids_.push_back(0);
    actord_message_type& type = tables_.emplace_back();
    type.struct_size = sizeof type;
    type.flags = *name == 'c' ? ACTORD_TRIVIAL | ACTORD_CONTROL : ACTORD_TRIVIAL;
    type.name = message::to_c(name);
    type.size = type.align = 8;
    type.id = &ids_.back();
    const auto added = registry.add(type);
    REQUIRE(added);
    return *added;
  }

  message::TypeRegistry registry;

 private:
  std::deque<actord_message_type> tables_;
  std::deque<actord_type_id> ids_;
};

}  // namespace

TEST_CASE("types have the ranks of their names, and all others that of the star") {
  Types types{"a", "b", "d"};
  const auto id = [&](const char* name) { return types.registry.find(name); };
  const TypeNames priority = {"b", "*", "a"};
  const MessageRanks ranks(&priority, nullptr, types.registry);
  CHECK(ranks.of(id("b")) == 0);
  CHECK(ranks.of(id("d")) == 1);
  CHECK(ranks.of(id("a")) == 2);
  CHECK(ranks.of(0) == 1);
  CHECK(ranks.text() == "b, *, a");
}

TEST_CASE("without a star all others come last, and so do types that are added later") {
  Types types{"a", "b"};
  const TypeNames priority = {"b"};
  const MessageRanks ranks(&priority, nullptr, types.registry);
  CHECK(ranks.of(types.registry.find("b")) == 0);
  CHECK(ranks.of(types.registry.find("a")) == 1);
  CHECK(ranks.of(types.add("z")) == 1);
  CHECK(ranks.text() == "b, *");
}

TEST_CASE("control messages come first: those that are named, and those that are declared so") {
  Types types{"a", "b", "c"};
  const TypeNames priority = {"b"}, control = {"a"};
  const MessageRanks ranks(&priority, &control, types.registry);
  CHECK(ranks.of(types.registry.find("a")) == 0);
  CHECK(ranks.of(types.registry.find("c")) == 0);
  CHECK(ranks.of(types.add("c-later")) == 0);
  CHECK(ranks.of(types.registry.find("b")) == 1);
  CHECK(ranks.of(types.add("z")) == 2);
  CHECK(ranks.text() == "control, b, *");
}

TEST_CASE("a declared control message is a message as others where none is asked for") {
  Types types{"a", "c"};
  const TypeNames priority = {"a"};
  CHECK(MessageRanks(&priority, nullptr, types.registry).of(types.registry.find("c")) == 1);
}

TEST_CASE("a name that no plugin has is left out, and the longest list fits") {
  Types types{"a"};
  TypeNames priority;
  for (std::size_t i = 1; i < MessageRanks::priority_max; ++i)
    priority.push_back("unknown" + std::to_string(i));
  priority.push_back("a");
  const TypeNames control;
  const MessageRanks ranks(&priority, &control, types.registry);
  CHECK(ranks.of(types.registry.find("a")) == MessageRanks::priority_max);
  CHECK(ranks.of(0) == MessageRanks::ranks_max - 1);
}

TEST_SUITE_END();

}  // namespace actord::actor
