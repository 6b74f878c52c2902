// SPDX-License-Identifier: Apache-2.0
//
// What one line after a struct provides: identity, equality, printing, writing and reading.
#include <doctest/doctest.h>

#include <map>
#include <sstream>

#include "unit/sdk/fake_host.hpp"
#include "unit/sdk/fake_values.hpp"

using namespace std::chrono_literals;
using fake::Node;
using fake::text;

namespace shop {

enum class Colour : std::uint8_t { red, dark_green };
enum class Mode { report, fail_sender };
ACTORD_ENUM(Mode, report, fail_sender)

struct Part {
  int number = 0;
  Colour colour = Colour::red;
};
ACTORD_FIELDS(Part, number, colour)

struct Order {
  bool is_paid = true;
  std::vector<Part> parts;
  std::map<std::string, double> weights;
  std::optional<std::string> note;
  std::chrono::milliseconds wait{5};
  actord::Ref who;
  Mode mode = Mode::report;
  std::vector<bool> flags;
};
ACTORD_MESSAGE(Order, "shop.Order/1", is_paid, parts, weights, note, wait, who, mode, flags)

struct Nothing {};
ACTORD_MESSAGE(Nothing, "shop.Nothing/1")

struct Settings {
  actord::Required<std::string> start;
  std::uint8_t max_attempts = 5;
  actord::Bytes page_size{1024};
  double probability = 0;
  std::chrono::seconds deadline{30};
  Mode mode = Mode::report;
  Part part;
};
ACTORD_FIELDS(Settings, start, max_attempts, page_size, probability, deadline, mode, part)

// Fields may have the names that the macros use themselves.
struct Odd {
  int object = 1, Self = 2, a = 3, b = 4, out = 5, name = 6, value = 7;
};
ACTORD_FIELDS(Odd, object, Self, a, b, out, name, value)

struct Holder {
  struct Config {
    int depth = 1;
  };
};
ACTORD_FIELDS(Holder::Config, depth)

actord_status read(const Node& from, Settings& settings) {
  return actord::detail::read_data(from.value(), actord::detail::data_type<Settings>, &settings,
                                   nullptr);
}

Order order() {
  return {true, {{1, Colour::dark_green}}, {{"x", 0.5}}, "n", 7ms, {3}, Mode::fail_sender, {true}};
}

}  // namespace shop

TEST_SUITE_BEGIN("sdk/fields");

TEST_CASE("a message has the name that its author chose, and its members in words") {
  CHECK(actord::message_name<shop::Order> == "shop.Order/1");
  CHECK(text(actord::detail::data_type<shop::Order>.text) ==
        "{is_paid:bool,parts:list<{number:int32,colour:uint8}>,weights:map<double>,note:optional<"
        "text>,"
        "wait:duration,who:ref,mode:text,flags:list<bool>}");
  CHECK(text(actord::detail::data_type<shop::Settings>.text) ==
        "{start:text,max_attempts:uint8,page_size:int64,probability:double,deadline:duration,mode:"
        "text,"
        "part:{number:int32,colour:uint8}}");
}

TEST_CASE("the member table has names, types and offsets") {
  const auto& table = actord::detail::member_table<shop::Part>;
  REQUIRE(table.size() == 2);
  CHECK(text(table.data()[0].name) == "number");
  CHECK(text(table.data()[1].type) == "uint8");
  CHECK(table.data()[0].offset == 0);
  CHECK(table.data()[1].offset == offsetof(shop::Part, colour));
  CHECK(actord::detail::member_table<shop::Nothing>.size() == 0);
}

TEST_CASE("described structs compare and print") {
  shop::Order a = shop::order(), b = a;
  CHECK(a == b);
  b.parts[0].number = 2;
  CHECK_FALSE(a == b);
  CHECK(shop::Nothing{} == shop::Nothing{});
  CHECK(shop::Odd{} == shop::Odd{});
  std::ostringstream out;
  out << a << ' ' << shop::Nothing{} << ' ' << shop::Holder::Config{};
  CHECK(out.str() ==
        R"({is_paid: true, parts: [{number: 1, colour: 1}], weights: {x: 0.5}, note: "n", )"
        R"(wait: 7000000ns, who: #3, mode: fail_sender, flags: [true]} {} {depth: 1})");
}

TEST_CASE("a message describes itself to the writer") {
  fake::Writer writer;
  fake::Errors errors;
  const actord_message_type* type = actord::detail::message_table<shop::Order>();
  const shop::Order order = shop::order();
  CHECK(type->write(&order, &writer, &errors) == ACTORD_OK);
  CHECK(writer.out ==
        "{ is_paid: true parts: ( { number: 1 colour: 1u ; ; weights: { x: 0.50 ; note: \"n\" "
        "wait: 7000000ns who: #3 mode: \"fail_sender\" flags: ( true ; ;");
}

TEST_CASE("a message reads itself from a tree; what is absent keeps its default") {
  const Node node = Node::map({{"parts", Node::list({Node::map({{"number", Node::of(4)}})})},
                               {"weights", Node::map({{"a", Node::of(1.5)}})},
                               {"note", Node{}},
                               {"wait", Node::ns(9'000'000)},
                               {"who", Node::of("/user/x")},
                               {"mode", Node::of("fail-sender")},
                               {"flags", Node::list({Node::of(true), Node::of(false)})}});
  alignas(shop::Order) std::byte memory[sizeof(shop::Order)];
  fake::Errors errors;
  const actord_message_type* type = actord::detail::message_table<shop::Order>();
  REQUIRE(type->read(memory, node.value(), &errors) == ACTORD_OK);
  const auto& read = *reinterpret_cast<const shop::Order*>(memory);
  CHECK(read ==
        shop::Order{
            true, {{4, {}}}, {{"a", 1.5}}, {}, 9ms, {42}, shop::Mode::fail_sender, {true, false}});
  type->destroy(memory);
}

TEST_CASE("config keys may be written with hyphens") {
  shop::Settings settings;
  const Node node = Node::map(
      {{"start", Node::of("here")}, {"max-attempts", Node::of(7)}, {"page_size", Node::of(9)}});
  CHECK(read(node, settings) == ACTORD_OK);
  CHECK(*settings.start == "here");
  CHECK(settings.max_attempts == 7);
  CHECK(settings.page_size == 9);
}

TEST_CASE("a bad value is rejected with what was expected") {
  struct Row {
    const char* key;
    Node value;
    const char* complaint;
  };
  for (const Row& row :
       {Row{"max-attempts", Node::of(256), "expected an integer from 0 to 255"},
        Row{"max-attempts", Node::of(-1), "expected an integer from 0 to 255"},
        Row{"max-attempts", Node::of("many"), "expected an integer from 0 to 255"},
        Row{"page-size", Node::of("big"), "expected a size such as 64k"},
        Row{"probability", Node::of("often"), "expected a number"},
        Row{"deadline", Node::of(3), "expected a duration such as 500ms"},
        Row{"deadline", Node::ns(500'000'000), "expected a multiple of 1000000000 ns"},
        Row{"mode", Node::of("loud"), "expected one of report, fail_sender"},
        Row{"mode", Node::of(1), "expected one of report, fail_sender"},
        Row{"start", Node::of(3), "expected text"},
        Row{"part", Node::of(3), "expected an object"}}) {
    CAPTURE(row.complaint);
    shop::Settings settings;
    const Node node = Node::map({{"start", Node::of("here")}, {row.key, row.value}});
    const Node only = Node::map({{row.key, row.value}});
    const bool is_start = std::string_view{row.key} == "start";
    CHECK(read(is_start ? only : node, settings) == ACTORD_FAILED);
    CHECK(fake::complaint() == row.complaint);
  }
}

TEST_CASE("what is required must be there") {
  shop::Settings settings;
  CHECK(read(Node::map({}), settings) == ACTORD_FAILED);
  CHECK(fake::complaint() == "needs start");
  CHECK(actord::detail::first_required<shop::Settings>() == "start");
  CHECK(actord::detail::first_required<shop::Order>().empty());
}

TEST_CASE("trivial messages are marked as such; others say how their members are stored") {
  const actord_message_type& trivial = *actord::detail::message_table<actord::ReceiveTimeout>();
  CHECK((trivial.flags & ACTORD_TRIVIAL) != 0);
  CHECK(trivial.library.size == 0);
  const actord_message_type& full = *actord::detail::message_table<shop::Order>();
  CHECK((full.flags & ACTORD_TRIVIAL) == 0);
  CHECK(text(full.library) == ACTORD_STDLIB
        "; wait: units of 1/1000 s, mode: report=0 fail_sender=1");
  CHECK(full.size == sizeof(shop::Order));
  CHECK(full.id == &actord::detail::type_id<shop::Order>);
}

TEST_CASE("a message is moved and copied into the host's memory") {
  const actord_message_type& type = *actord::detail::message_table<shop::Order>();
  alignas(shop::Order) std::byte memory[2][sizeof(shop::Order)];
  shop::Order from = shop::order();
  fake::Errors errors;
  CHECK(type.copy(memory[0], &from, &errors) == ACTORD_OK);
  CHECK(from == shop::order());
  type.move(memory[1], &from);
  CHECK(*reinterpret_cast<shop::Order*>(memory[0]) == *reinterpret_cast<shop::Order*>(memory[1]));
  type.destroy(memory[0]);
  type.destroy(memory[1]);
}

TEST_SUITE_END();
