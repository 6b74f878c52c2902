// SPDX-License-Identifier: Apache-2.0
//
// The JSON lines: envelope, nesting, collisions, escaping, cutting. Every line is read back by a
// parser.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "log/hub.hpp"
#include "sinks/json_lines.hpp"

namespace actord::sinks {

TEST_SUITE_BEGIN("sinks/json_lines");

namespace {

using nlohmann::json;

constexpr std::int64_t noon = 1'714'559'521'123'456'789;  // 2024-05-01T10:32:01.123456789Z

log::Record record_of(std::span<const log::Field> fields) {
  log::Record record;
  record.seq = 7;
  record.level = log::Level::error;
  record.event = "actor.failed";
  record.msg = "a sentence";
  record.fields = fields;
  record.thread_id = 42;
  return record;
}

std::string line_of(const log::Record& record) {
  JsonLines lines({"demo", "b00t", 17});
  LineBuffer out;
  lines.append(out, record, noon);
  return std::string(out.view());
}

std::string line_of(const std::vector<log::Field>& fields) { return line_of(record_of(fields)); }

json parsed(const std::vector<log::Field>& fields) {
  const std::string line = line_of(fields);
  CAPTURE(line);
  REQUIRE(json::accept(line));
  REQUIRE(line.back() == '\n');
  REQUIRE(std::count(line.begin(), line.end(), '\n') == 1);
  REQUIRE(line.size() <= JsonLines::line_max);
  return json::parse(line);
}

}  // namespace

TEST_CASE(
    "a line begins with time, level, event and message, then the rest of the envelope, then the "
    "fields") {
  const std::vector<log::Field> fields = {{"actor.path", "/user/x"}, {"count", 3}};
  CHECK(line_of(fields) ==
        R"({"ts":"2024-05-01T10:32:01.123456Z","level":"error","event":"actor.failed",)"
        R"("msg":"a sentence","seq":7,"pid":17,"tid":42,"boot":"b00t","system":"demo",)"
        R"("schema":"actord.log/2","actor":{"path":"/user/x"},"count":3})"
        "\n");
}

TEST_CASE("dotted keys nest, whatever order they come in") {
  const json line = parsed({{"actor.path", "/user/x"},
                            {"failure.id", "f1"},
                            {"actor.uid", "u"},
                            {"failure.cause.type", "A"},
                            {"plain", 1},
                            {"failure.cause.what", "w"},
                            {"actor.incarnation", 2}});
  CHECK(line["actor"] == json{{"path", "/user/x"}, {"uid", "u"}, {"incarnation", 2}});
  CHECK(line["failure"] == json{{"id", "f1"}, {"cause", {{"type", "A"}, {"what", "w"}}}});
  CHECK(line["plain"] == 1);
}

TEST_CASE("a level whose names count from 0 is an array, of objects or of values") {
  const json line = parsed({{"decision.path.0.supervisor", "/user/a"},
                            {"decision.path.0.rule", "r\"0"},
                            {"decision.rule", "r"},
                            {"decision.path.1.supervisor", "/user"},
                            {"decision.path.0.late", 1},
                            {"values.0", true},
                            {"values.1", "b"},
                            {"grid.0.0", 1},
                            {"grid.0.1", 2},
                            {"grid.1.0", 3}});
  CHECK(line["decision"] == json::parse(R"({"path":
      [{"supervisor": "/user/a", "rule": "r\"0", "late": 1}, {"supervisor": "/user"}],
      "rule": "r"})"));
  CHECK(line["values"] == json::parse(R"([true, "b"])"));
  CHECK(line["grid"] == json::parse("[[1, 2], [3]]"));
  CHECK_FALSE(line.contains("fields"));
}

TEST_CASE("an item that is named twice goes under `fields`") {
  const json line = parsed({{"a.0", 1}, {"a.1.x", 2}, {"a.0", 3}, {"a.0.y", 4}, {"a.1", 5}});
  CHECK(line["a"] == json::parse(R"([1, {"x": 2}])"));
  CHECK(line["fields"] == json{{"a.0", 3}, {"a.0.y", 4}, {"a.1", 5}});
}

TEST_CASE("a level with a gap, another order, another name or a duration stays an object") {
  CHECK(parsed({{"a.1", 1}, {"a.2", 2}})["a"] == json{{"1", 1}, {"2", 2}});
  CHECK(parsed({{"a.1", 1}, {"a.0", 2}})["a"] == json{{"0", 2}, {"1", 1}});
  CHECK(parsed({{"a.0", 1}, {"a.x", 2}})["a"] == json{{"0", 1}, {"x", 2}});
  CHECK(parsed({{"a.00", 1}})["a"] == json{{"00", 1}});
  CHECK(parsed({{"a.0x", 1}})["a"] == json{{"0x", 1}});
  CHECK(parsed({{"a.-0", 1}})["a"] == json{{"-0", 1}});
  CHECK(parsed({{"a.", 1}})["a"] == json{{"", 1}});
  CHECK(parsed({{"a.0", std::chrono::seconds(1)}})["a"] == json{{"0_ms", 1000}});
  CHECK(parsed({{"0", 1}})["0"] == 1);
}

TEST_CASE("each kind of value is written as its JSON kind") {
  const std::string_view list[] = {"a", "b\"c"};
  const json line = parsed({{"b", true},
                            {"i", std::numeric_limits<std::int64_t>::min()},
                            {"u", std::numeric_limits<std::uint64_t>::max()},
                            {"d", 0.1},
                            {"whole", 3.0},
                            {"nan", std::numeric_limits<double>::quiet_NaN()},
                            {"inf", -std::numeric_limits<double>::infinity()},
                            {"list", std::span<const std::string_view>(list)},
                            {"none", std::span<const std::string_view>()}});
  CHECK(line["b"] == true);
  CHECK(line["i"] == std::numeric_limits<std::int64_t>::min());
  CHECK(line["u"] == std::numeric_limits<std::uint64_t>::max());
  CHECK(line["d"] == 0.1);
  CHECK(line["whole"] == 3.0);
  CHECK(line["nan"] == "NaN");
  CHECK(line["inf"] == "-Infinity");
  CHECK(line["list"] == json{"a", "b\"c"});
  CHECK(line["none"] == json::array());
}

TEST_CASE("a duration has its unit in the name: milliseconds unless the name says another") {
  using std::chrono::microseconds;
  const json line = parsed({{"restart.delay", microseconds(1500)},
                            {"restart.window_s", std::chrono::minutes(1)},
                            {"took_us", microseconds(7)},
                            {"age_ns", microseconds(-1)},
                            {"down_ms", std::chrono::nanoseconds(-1'000'001)}});
  CHECK(line["restart"]["delay_ms"] == 1.5);
  CHECK(line["restart"]["window_s"] == 60);
  CHECK(line["took_us"] == 7);
  CHECK(line["age_ns"] == -1000);
  CHECK(line["down_ms"] == -1.000001);
}

TEST_CASE("a field that collides with the envelope goes under `fields`") {
  const json line = parsed(
      {{"msg", "mine"}, {"seq", 1}, {"level.of.water", "high"}, {"fields", 2}, {"other", 3}});
  CHECK(line["msg"] == "a sentence");
  CHECK(line["seq"] == 7);
  CHECK(line["level"] == "error");
  CHECK(line["other"] == 3);
  CHECK(line["fields"] ==
        json{{"msg", "mine"}, {"seq", 1}, {"level.of.water", "high"}, {"fields", 2}});
}

TEST_CASE("of two fields that want the same place the first has it, and no key stands twice") {
  const std::vector<log::Field> fields = {{"actor.path", "/user/x"},
                                          {"actor.path", "fake"},
                                          {"actor", "flat"},
                                          {"x", 1},
                                          {"x.y", 2},
                                          {"x.z", 3},
                                          {"actor.path.deep", 4},
                                          {"actor.path", "again"}};
  const json line = parsed(fields);
  CHECK(line["actor"] == json{{"path", "/user/x"}});
  CHECK(line["x"] == 1);
  CHECK(line["fields"] == json{{"actor.path", "fake"},
                               {"actor", "flat"},
                               {"x.y", 2},
                               {"x.z", 3},
                               {"actor.path.deep", 4}});
  const std::string text = line_of(fields);
  std::vector<std::vector<std::string>> open;
  bool is_unique = true;
  const auto callback = [&](int, json::parse_event_t event, json& value) {
    if (event == json::parse_event_t::object_start) open.emplace_back();
    if (event == json::parse_event_t::object_end) open.pop_back();
    if (event == json::parse_event_t::key) {
      const auto key = value.get<std::string>();
      is_unique =
          is_unique && std::find(open.back().begin(), open.back().end(), key) == open.back().end();
      open.back().push_back(key);
    }
    return true;
  };
  CHECK_FALSE(json::parse(text, callback).is_discarded());
  CHECK(is_unique);
}

TEST_CASE("odd keys still make valid lines") {
  const json line =
      parsed({{"", 1}, {".", 2}, {"a..b", 3}, {"a\"\n", 4}, {"1.2.3.4.5.6.7.8.9.10.11", 5}});
  CHECK(line["a"][""]["b"] == 3);
  CHECK(line["a\"\n"] == 4);
  CHECK(line["1"]["2"]["3"]["4"]["5"]["6"]["7"]["8"]["9.10.11"] == 5);
}

TEST_CASE("a record with as many fields as there may be, all colliding, is one valid line") {
  std::vector<log::Field> fields;
  for (std::size_t i = 0; i < log::record_fields_max; ++i)
    fields.push_back({i % 2 == 0 ? "ts" : "a.b", 1});
  const json line = parsed(fields);
  CHECK(line["a"]["b"] == 1);
  CHECK(line["fields"] == json{{"ts", 1}, {"a.b", 1}});
}

TEST_CASE("texts are escaped and come back unchanged") {
  std::string all;
  for (int c = 0; c < 128; ++c) all += static_cast<char>(c);
  all += "äöü€𝄞";
  const json line = parsed({{"text", all}});
  CHECK(line["text"] == all);
  for (std::size_t start = 0; start < 24; ++start) {  // every alignment to the words of the scan
    const std::string text = std::string(start, 'x') + "\"quoted\" \\ \n ä plain text behind";
    CHECK(parsed({{"text", text}})["text"] == text);
  }
}

TEST_CASE("what ends a line for some readers, or changes its visible order, is escaped") {
  const std::string line = line_of({{"text", "a\u2028b\u0085c\u202ed\u2066e\u200ff\u061cg ä"}});
  CHECK(line.find(R"(a\u2028b\u0085c\u202ed\u2066e\u200ff\u061cg ä)") != std::string::npos);
}

TEST_CASE("bytes that are no UTF-8 are replaced, each by itself") {
  struct Row {
    std::string_view text;
    std::string_view expected;
  };
  constexpr std::string_view bad = "\xEF\xBF\xBD";
  for (const Row& row :
       {Row{"\xff", "?"}, Row{"a\x80z", "a?z"}, Row{"\xc3", "?"}, Row{"\xc0\xaf", "??"},
        Row{"\xed\xa0\x80", "???"}, Row{"\xf4\x90\x80\x80", "????"}, Row{"\xe2\x82", "??"},
        Row{"\xe2\x82\xac", "\xe2\x82\xac"}}) {
    std::string expected;
    for (char c : row.expected) expected += c == '?' ? std::string(bad) : std::string(1, c);
    CHECK(parsed({{"text", row.text}})["text"] == expected);
  }
}

TEST_CASE("a line that would be longer than 32 KiB is cut at its long texts, and says so") {
  const std::string large(30'000, 'x');
  const std::string control(10'000, '\x01');  // six bytes each when escaped
  const json line =
      parsed({{"before", 1}, {"large", large}, {"control", control}, {"after", "short"}});
  CHECK(line["truncated"] == true);
  CHECK(line["before"] == 1);
  CHECK(line["after"] == "short");
  const auto cut = line["large"].get<std::string>();
  CHECK(cut.size() < large.size());
  CHECK(cut.substr(cut.size() - 3) == "…");
}

TEST_CASE("when even short texts are too many the envelope alone is written") {
  const std::string text(300, '\x02');
  const std::vector<std::string_view> list(log::record_list_items_max, text);
  const json line = parsed({{"list", std::span<const std::string_view>(list)}});
  CHECK(line["truncated"] == true);
  CHECK(line["event"] == "actor.failed");
  CHECK_FALSE(line.contains("list"));
}

TEST_CASE("a line by the shape of its record is the line of the record") {
  std::int64_t now = 0;
  log::Hub hub([&] { return now; });
  const std::string_view list[] = {"a", "b\"c"};
  const std::vector<std::vector<log::Field>> kinds = {
      {},
      {{"actor.path", "/user/x"}, {"count", 3}, {"actor.uid", "ä\n"}},
      {{"actor.path", "/user/longer than sixteen bytes"}, {"count", -4}, {"actor.uid", ""}},
      {{"actor.path", 1}, {"count", "three"}, {"actor.uid", 0.5}},
      {{"ts", 1}, {"restart.delay", std::chrono::microseconds(1500)}, {"x", 1}, {"x.y", true}},
      {{"list", std::span<const std::string_view>(list)}, {"age_s", std::chrono::seconds(2)}},
      {{"path.0.rule", "r"}, {"path.1.rule", "s"}, {"path.1.delay", std::chrono::seconds(2)}},
      {{"text", std::string_view("\x01\xff", 2)}, {"text", "again"}}};
  JsonLines by_shape({"demo", "b00t", 17});
  for (int round = 0; round < 3; ++round) {
    for (const std::vector<log::Field>& fields : kinds) {
      hub.shared().emit(log::Level::info, "an \"event\"", "a sentence", fields);
      hub.drain([&](const log::Record& record) {
        REQUIRE(!record.shape.empty());
        LineBuffer out;
        by_shape.append(out, record, noon);
        log::Record shapeless = record;
        shapeless.shape = {};
        CHECK(out.view() == line_of(shapeless));
      });
    }
  }
}

TEST_CASE("a line by shape that is too long is cut like any other") {
  std::int64_t now = 0;
  log::Hub hub([&] { return now; });
  const std::string control(8'000, '\x01');
  const std::string event(128, '\x02');
  const std::vector<std::string_view> list(log::record_list_items_max, "\x03\x03\x03");
  hub.shared().emit(
      log::Level::info, event, control,
      {{"a", control}, {"list", std::span<const std::string_view>(list)}, {"b", control}});
  hub.drain([&](const log::Record& record) {
    const std::string line = line_of(record);
    CHECK(line.size() <= JsonLines::line_max);
    REQUIRE(json::accept(line));
    CHECK(json::parse(line)["truncated"] == true);
  });
}

TEST_CASE("numbers of every length are written in full") {
  std::vector<log::Field> fields;
  std::vector<std::string> keys;
  std::vector<std::uint64_t> numbers = {0, std::numeric_limits<std::uint64_t>::max()};
  for (std::uint64_t power = 1; power <= std::numeric_limits<std::uint64_t>::max() / 10;
       power *= 10) {
    for (const std::uint64_t number : {power - 1, power, power + 1, power * 9 + power / 7})
      numbers.push_back(number);
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) keys.push_back("n" + std::to_string(i));
  for (std::size_t i = 0; i < numbers.size(); ++i) fields.push_back({keys[i], numbers[i]});
  REQUIRE(fields.size() <= log::record_fields_max);
  const std::string line = line_of(fields);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    CAPTURE(numbers[i]);
    CHECK(line.find('"' + keys[i] + "\":" + std::to_string(numbers[i])) != line.npos);
    CHECK(json::parse(line)[keys[i]] == numbers[i]);
  }
}

TEST_CASE("times are written to the microsecond, before 1970, too, and over the turn of a second") {
  UtcText utc;
  const auto text = [&](std::int64_t wall_ns) {
    char buffer[UtcText::size + LineBuffer::slack];
    return std::string(buffer, utc.put(buffer, wall_ns));
  };
  CHECK(text(noon) == "2024-05-01T10:32:01.123456Z");
  CHECK(text(noon - 123'456'789) == "2024-05-01T10:32:01.000000Z");
  CHECK(text(noon - 123'456'790) == "2024-05-01T10:32:00.999999Z");
  CHECK(text(noon + 876'543'210) == "2024-05-01T10:32:01.999999Z");
  CHECK(text(noon + 876'543'211) == "2024-05-01T10:32:02.000000Z");
  CHECK(text(0) == "1970-01-01T00:00:00.000000Z");
  CHECK(text(-1) == "1969-12-31T23:59:59.999999Z");
}

TEST_CASE("a cut before the sink is marked, too, and an unknown thread is left out") {
  log::Record record = record_of({});
  record.truncated = true;
  record.thread_id = 0;
  const json line = json::parse(line_of(record));
  CHECK(line["truncated"] == true);
  CHECK_FALSE(line.contains("tid"));
}

TEST_SUITE_END();

}  // namespace actord::sinks
