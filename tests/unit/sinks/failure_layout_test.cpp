// SPDX-License-Identifier: Apache-2.0
//
// A failure on one line, in windows of several widths.
#include "sinks/failure_layout.hpp"

#include <doctest/doctest.h>

#include <string>

#include "sinks/columns.hpp"

namespace actord::sinks {

TEST_SUITE_BEGIN("sinks/failure_layout");

namespace {

using enum FailurePart;

FailureTexts chaos() {
  FailureTexts texts;
  texts[time] = "13:01:06.124";
  texts[level] = "ERROR";
  texts[place] = "/user/crawler/fetcher-1";
  texts[type] = "crawler::RetrievalException";
  texts[message] = "chaos struck";
  texts[verdict] = "→ restart";
  texts[rule] = "crawler::RetrievalException";
  texts[origin] = "/etc/actord/crawler.conf:28";
  texts[id] = "1w0w87rz-1";
  return texts;
}

FailureTexts escalation() {
  FailureTexts texts = chaos();
  texts[place] = "/user/shop/warehouse/shelf-17/中文/counter";
  texts[type] = "shop::stock::NotEnough<shop::Item>";
  texts[message] = "there are 3 of 中文中文中文中文, but 5 were ordered by the customer";
  texts[verdict] = "→ stop (restart denied)";
  texts[rule] = "default";
  return texts;
}

std::string line_of(const FailureTexts& texts, unsigned width) {
  std::string line;
  for (const std::string& text : lay_out_failure(texts, width).texts) line += text;
  return line;
}

}  // namespace

TEST_CASE("a wide window shows all parts in full") {
  CHECK(line_of(chaos(), 200) ==
        "13:01:06.124 ERROR /user/crawler/fetcher-1 crawler::RetrievalException: chaos struck "
        "→ restart (rule crawler::RetrievalException, crawler.conf:28) 1w0w87rz-1");
}

TEST_CASE("at 120 columns a rule named like the failure is not repeated") {
  CHECK(line_of(chaos(), 120) ==
        "13:01:06 ERROR /user/crawler/fetcher-1 crawler::RetrievalException: chaos struck "
        "→ restart crawler.conf:28 1w0w87rz-1");
}

TEST_CASE("at 80 columns what happened and what was decided come before when") {
  CHECK(line_of(chaos(), 80) ==
        "E fetcher-1 RetrievalException: chaos stru… → restart crawler.conf:28 1w0w87rz-1");
  CHECK(columns_of(line_of(chaos(), 80)) == 80);
}

TEST_CASE("at 40 columns the place, the type, the verdict and the id are left") {
  CHECK(line_of(chaos(), 40) == "E fe…her-1 Retriev… → restart 1w0w87rz-1");
}

TEST_CASE("a rule that is not the type keeps its name as long as the message is readable") {
  CHECK(line_of(escalation(), 120) ==
        "ERROR counter NotEnough<shop::Item>: there are 3 of … "
        "→ stop (restart denied) (rule default, crawler.conf:28) 1w0w87rz-1");
}

TEST_CASE("an origin that is no line of a file is written as it is") {
  FailureTexts texts = chaos();
  texts[origin] = "code: crawler/Master";
  CHECK(lay_out_failure(texts, 200)[origin] == ", code: crawler/Master)");
  texts[rule].clear();
  CHECK(lay_out_failure(texts, 200)[origin] == " code: crawler/Master");
}

TEST_CASE("parts that are missing leave no separators behind") {
  FailureTexts texts;
  texts[type] = "X";
  texts[verdict] = "→ stop";
  CHECK(line_of(texts, 80) == "X → stop");
  texts[rule] = "default";
  CHECK(line_of(texts, 80) == "X → stop (rule default)");
  CHECK(line_of({}, 80).empty());
}

TEST_CASE("no line is wider than its window, and the id is kept as long as there is room for it") {
  for (const FailureTexts& texts : {chaos(), escalation(), FailureTexts{}}) {
    for (unsigned width = 0; width <= 260; ++width) {
      CAPTURE(width);
      const std::string line = line_of(texts, width);
      CHECK(columns_of(line) <= width);
      if (width >= columns_of(texts[id])) CHECK(line.ends_with(texts[id]));
    }
  }
}

TEST_CASE("a wider window never shows less") {
  for (const FailureTexts& texts : {chaos(), escalation()}) {
    unsigned before = 0;
    for (unsigned width = 0; width <= 260; ++width) {
      CAPTURE(width);
      unsigned parts = 0;
      for (const std::string& text : lay_out_failure(texts, width).texts)
        parts += text.empty() ? 0U : 1U;
      CHECK(parts >= before);
      before = parts;
    }
  }
}

TEST_SUITE_END();

}  // namespace actord::sinks
