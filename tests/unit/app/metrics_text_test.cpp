// SPDX-License-Identifier: Apache-2.0
//
// Metrics as text, in both formats.
#include "app/metrics_text.hpp"

#include <doctest/doctest.h>

namespace actord::app {

TEST_SUITE_BEGIN("app/metrics_text");

namespace {

std::string written(MetricsText::Format format) {
  MetricsText text(format);
  text.counter("a_things", "Things.", 18446744073709551615U);
  text.gauge("b_bytes", "Bytes\nof \\.", 0.5);
  text.gauge("c", "C.");
  text.sample("c", {{"path", "/user/\"a\"\\\n"}, {"of", "b"}}, 1e300);
  text.sample("c", {}, -3);
  return text.take();
}

}  // namespace

TEST_CASE("the older format names samples") {
  CHECK(written(MetricsText::Format::prometheus) ==
        "# HELP a_things_total Things.\n"
        "# TYPE a_things_total counter\n"
        "a_things_total 18446744073709551615\n"
        "# HELP b_bytes Bytes\\nof \\\\.\n"
        "# TYPE b_bytes gauge\n"
        "b_bytes 0.5\n"
        "# HELP c C.\n"
        "# TYPE c gauge\n"
        "c{path=\"/user/\\\"a\\\"\\\\\\n\",of=\"b\"} 1e+300\n"
        "c -3\n");
}

TEST_CASE("OpenMetrics names families, and has an end") {
  const std::string text = written(MetricsText::Format::open_metrics);
  CHECK(text.starts_with("# HELP a_things Things.\n# TYPE a_things counter\na_things_total "));
  CHECK(text.ends_with("\n# EOF\n"));
}

TEST_SUITE_END();

}  // namespace actord::app
