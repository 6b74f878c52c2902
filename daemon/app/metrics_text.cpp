// SPDX-License-Identifier: Apache-2.0
#include "app/metrics_text.hpp"

#include <charconv>
#include <cmath>

namespace actord::app {

namespace {

constexpr double exact_max = 9007199254740992;  // 2^53

std::string number_text(double value) {
  char text[32];
  const bool is_whole = value == std::floor(value) && std::abs(value) < exact_max;
  const auto [end, error] =
      is_whole ? std::to_chars(text, text + sizeof text, static_cast<std::int64_t>(value))
               : std::to_chars(text, text + sizeof text, value);
  return {text, end};
}

/// A help text or the value of a label; only the latter stands in quotes.
std::string escaped(std::string_view text, bool is_quoted) {
  std::string all;
  for (const char c : text) {
    if (c == '\\') all += "\\\\";
    else if (c == '\n') all += "\\n";
    else if (c == '"' && is_quoted) all += "\\\"";
    else all += c;
  }
  return all;
}

}  // namespace

void MetricsText::head(std::string_view name, std::string_view help, std::string_view type) {
  text_.append("# HELP ").append(name).append(1, ' ').append(escaped(help, false));
  text_.append("\n# TYPE ").append(name).append(1, ' ').append(type).append(1, '\n');
}

void MetricsText::counter(std::string_view name, std::string_view help, std::uint64_t value) {
  counter(name, help);
  text_.append(name).append("_total ").append(std::to_string(value)).append(1, '\n');
}

void MetricsText::counter(std::string_view name, std::string_view help) {
  // OpenMetrics names the family, the older format each sample.
  const std::string total = std::string{name} + "_total";
  head(format_ == Format::open_metrics ? name : std::string_view{total}, help, "counter");
}

void MetricsText::gauge(std::string_view name, std::string_view help, double value) {
  gauge(name, help);
  sample(name, {}, value);
}

void MetricsText::gauge(std::string_view name, std::string_view help) { head(name, help, "gauge"); }

void MetricsText::sample(std::string_view name, const Labels& labels, double value) {
  text_.append(name);
  for (const auto& label : labels) {
    text_.append(&label == &labels.front() ? "{" : ",").append(label.first).append("=\"");
    text_.append(escaped(label.second, true)).append(1, '"');
  }
  text_.append(labels.empty() ? " " : "} ").append(number_text(value)).append(1, '\n');
}

std::string MetricsText::take() {
  if (format_ == Format::open_metrics) text_.append("# EOF\n");
  return std::move(text_);
}

std::string_view MetricsText::content_type() const noexcept {
  return format_ == Format::open_metrics
             ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
             : "text/plain; version=0.0.4; charset=utf-8";
}

}  // namespace actord::app
