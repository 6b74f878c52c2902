// SPDX-License-Identifier: Apache-2.0
//
// A file named *.json is plain JSON (RFC 8259).
#include "hocon_reading.hpp"

namespace actord::hocon::conformance {

namespace {

Files json(const char* text) { return {{"main.json", text}}; }

}  // namespace

TEST_SUITE_BEGIN("hocon/json_files");

TEST_CASE("HOCON .json: an object of everything that JSON has") {
  reads(
      json(
          "\n{ \"a\" : [ 1, -0.5e-3, true, false, null ],\r\n\t\"b\": {\"c\": \"\\u00e9\\n\"} }\n"),
      R"({"a":[1,-0.5e-3,true,false,null],"b":{"c":"é\n"}})");
}

TEST_CASE("HOCON .json: keys are literal: a dot parts nothing") {
  reads(json(R"({"a.b": 1, "a": {"b": 2}})"), R"({"a.b":1,"a":{"b":2}})");
}

TEST_CASE("HOCON .json: ${...} in a string is text") {
  reads(json(R"({"a": "${a.b}"})"), R"({"a":"${a.b}"})");
}

TEST_CASE("HOCON .json: there are no comments") {
  refuses(json("{\"a\": 1 # x\n}"), "main.json:1:9", "");
  refuses(json("// x\n{}"), "main.json:1:1", "");
}

TEST_CASE("HOCON .json: there are no trailing commas") {
  refuses(json("{\"a\": 1,}"), "main.json:1:9", "");
  refuses(json("{\"a\": [1,]}"), "main.json:1:10", "");
}

TEST_CASE("HOCON .json: a newline is no comma") {
  refuses(json("{\"a\": 1\n\"b\": 2}"), "main.json:2:1", "");
  refuses(json("{\"a\": [1\n2]}"), "main.json:2:1", "");
}

TEST_CASE("HOCON .json: the root braces are written") {
  refuses(json("\"a\": 1"), "main.json:1:1", "object");
  refuses(json(""), "main.json:1:1", "object");
  refuses(json("[1]"), "main.json:1:1", "not a list");
}

TEST_CASE("HOCON .json: keys are quoted") {
  refuses(json("{a: 1}"), "main.json:1:2", "");
  refuses(json("{1: 1}"), "main.json:1:2", "");
}

TEST_CASE("HOCON .json: the separator is a colon") {
  refuses(json("{\"a\" = 1}"), "main.json:1:6", "");
  refuses(json("{\"a\" {}}"), "main.json:1:6", "");
  refuses(json("{\"a\" += 1}"), "main.json:1:6", "");
}

TEST_CASE("HOCON .json: words are true, false and null alone") {
  refuses(json("{\"a\": yes}"), "main.json:1:7", "JSON value");
  refuses(json("{\"a\": NaN}"), "main.json:1:7", "JSON value");
  refuses(json("{\"a\": 'x'}"), "main.json:1:7", "JSON value");
}

TEST_CASE("HOCON .json: numbers have JSON's grammar") {
  for (const char* number : {"01", "1.", ".5", "+1", "0x1", "1e", "--1", "1_0"}) {
    const std::string text = std::string("{\"a\": ") + number + "}";
    refuses(json(text.c_str()), "main.json:1:7", "");
  }
}

TEST_CASE("HOCON .json: values are not joined") {
  refuses(json("{\"a\": 1 2}"), "main.json:1:9", "");
  refuses(json("{\"a\": \"x\" \"y\"}"), "main.json:1:11", "");
  refuses(json("{\"a\": [1] [2]}"), "main.json:1:11", "");
}

TEST_CASE("HOCON .json: there are no substitutions") {
  refuses(json("{\"a\": ${b}}"), "main.json:1:7", "");
}

TEST_CASE("HOCON .json: there are no triple-quoted strings") {
  refuses(json("{\"a\": \"\"\"x\"\"\"}"), "main.json:1:9", "");
}

TEST_CASE("HOCON .json: there are no include statements") {
  refuses(json("{include \"b.json\"}"), "main.json:1:2", "");
  reads(json(R"({"include": "b.json"})"), R"({"include":"b.json"})");
}

TEST_CASE("HOCON .json: a key that is there twice is an error at the second") {
  refuses(json("{\"a\": 1, \"b\": 2, \"a\": 3}"), "main.json:1:18", "");
}

TEST_CASE("HOCON .json: blanks are space, tab, carriage return and newline") {
  refuses(json("{\u00a0\"a\": 1}"), "main.json:1:2", "blank");
  refuses(json("{\"a\":\f1}"), "main.json:1:6", "blank");
}

TEST_CASE("HOCON .json: a byte order mark at the beginning is passed over") {
  reads(json("\ufeff{\"a\": 1}"), R"({"a":1})");
}

TEST_CASE("HOCON .json: nothing follows the closing brace") {
  refuses(json("{\"a\": 1} {}"), "main.json:1:10", "");
  refuses(json("{\"a\": 1},"), "main.json:1:9", "");
}

TEST_CASE("HOCON .json: as a layer its keys merge like any others") {
  reads_layers({{"a.conf", "o { x = 1 }, l = [1], l += 2"},
                {"b.json", R"({"o": {"y": 2}})"},
                {"c.conf", "o.z = ${o.y}"}},
               3, R"({"o":{"x":1,"y":2,"z":2},"l":[1,2]})");
}

TEST_SUITE_END();

}  // namespace actord::hocon::conformance
