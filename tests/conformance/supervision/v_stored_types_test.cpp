// SPDX-License-Identifier: Apache-2.0
//
// Persistent actors whose types have changed since they have stored something: item 183u.
#include <actord/persistent.hpp>

#include "message/message_pack.hpp"
#include "persistence_support.hpp"

namespace actord::conformance::persistence {

namespace {

struct Part {
  std::int64_t size = 0;
};
struct Counted {
  std::int64_t n = 0;
  std::vector<Part> parts;
};
/// The same type, with members that may be lost.
struct Dropping {
  static constexpr std::array dropped_members = {"note", "parts.*.weight"};

  std::int64_t n = 0;
  std::vector<Part> parts;
};
ACTORD_FIELDS(Part, size)
ACTORD_MESSAGE(Counted, "types.Counted/1", n, parts)
ACTORD_MESSAGE(Dropping, "types.Dropping/1", n, parts)

/// Records the sums of what it has stored.
template <class E>
class Counter : public Persistent<Counter<E>, Sum> {
 public:
  static constexpr std::string_view name = "Counter";
  void recovery_completed(Context&) override {
    Ledger::record("recovered " + std::to_string(this->state().total));
  }
  void apply(Sum& sum, const E& event) {
    sum.total += event.n;
    for (const Part& part : event.parts) sum.total += part.size;
  }
  void nothing(const Do&) {}
  using Events = actord::Events<E>;
  using Receive = Handlers<&Counter::nothing>;
};

/// {n, parts: [{size}]} with further members.
struct Shape {
  bool has_note = false, has_weight = false, has_parts = true;
};
std::string content(const Shape& shape) {
  message::PackWriter pack;
  actord_writer& writer = pack;
  const auto number = [&](std::string_view key, std::int64_t value) {
    writer.key(&writer, message::to_c(key));
    writer.integer(&writer, value);
  };
  writer.begin_map(&writer, std::size_t{1} + shape.has_note + shape.has_parts);
  number("n", 5);
  if (shape.has_note) number("note", 7);
  if (shape.has_parts) {
    writer.key(&writer, message::to_c("parts"));
    writer.begin_list(&writer, 1);
    writer.begin_map(&writer, std::size_t{1} + shape.has_weight);
    number("size", 2);
    if (shape.has_weight) number("weight", 9);
    writer.end(&writer);
    writer.end(&writer);
  }
  writer.end(&writer);
  return pack.bytes();
}

/// Starts the counter of such events, which has stored this one.
template <class E>
void with_counter(const Shape& shape, const std::function<void(Scene&)>& scene) {
  Wanted wanted;
  wanted.ledgers = {};
  wanted.store = store_of({{1, message_name<E>, content(shape)}});
  run_process(1, wanted, [&](Scene& it) {
    it.test.world.use(*plugin_table<Behaviours<Counter<E>>, Messages<E, Do, Sum>>("types", "1"));
    it.test.world.spawn<Counter<E>>("ledger");
    it.test.world.run();
    scene(it);
  });
}

}  // namespace

TEST_CASE("183u a stored member that its type has no longer fails the recovery, and is named") {
  const std::pair<Shape, std::string_view> shapes[] = {{{.has_note = true}, "note"},
                                                       {{.has_weight = true}, "parts.*.weight"}};
  for (const auto& [shape, member] : shapes) {
    CAPTURE(member);
    with_counter<Counted>(shape, [member](Scene& it) {
      CHECK(it.count("recovered 7") == 0);
      const auto failed = it.test.world.events("actor.recovery-failed");
      REQUIRE(failed.size() == 1);
      CHECK(failed[0].field("reason").find("it has the member " + std::string{member} + ", ") !=
            std::string_view::npos);
      const auto said = it.test.world.events("journal.member-unknown");
      REQUIRE(said.size() == 1);
      CHECK(said[0].field("message.type") == "types.Counted/1");
      CHECK(said[0].field("message.member") == member);
    });
  }
}

TEST_CASE("183u members that the type lists as dropped are passed over") {
  with_counter<Dropping>({.has_note = true, .has_weight = true}, [](Scene& it) {
    CHECK(it.count("recovered 7") == 1);
    CHECK(it.test.world.events("journal.member-unknown").empty());
  });
}

TEST_CASE("183u a member that was not stored has its default") {
  with_counter<Counted>({.has_parts = false}, [](Scene& it) {
    CHECK(it.count("recovered 5") == 1);
    CHECK(it.test.world.events("journal.member-unknown").empty());
  });
}

}  // namespace actord::conformance::persistence
