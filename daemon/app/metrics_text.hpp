// SPDX-License-Identifier: Apache-2.0
//
// Writes metrics as text: in Prometheus' format 0.0.4, or as OpenMetrics 1.0.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace actord::app {

class MetricsText {
 public:
  enum class Format : std::uint8_t { prometheus, open_metrics };
  using Labels = std::vector<std::pair<std::string_view, std::string_view>>;

  explicit MetricsText(Format format) : format_(format) {}

  /// A number that rises only. `name` has no "_total".
  void counter(std::string_view name, std::string_view help, std::uint64_t value);
  /// The head of a counter whose samples have labels. The names of the samples end with "_total".
  void counter(std::string_view name, std::string_view help);
  void gauge(std::string_view name, std::string_view help, double value);
  /// The head of a gauge whose samples have labels, and one of them.
  void gauge(std::string_view name, std::string_view help);
  void sample(std::string_view name, const Labels& labels, double value);

  /// The text with its end.
  std::string take();
  /// The value of the header Content-Type.
  std::string_view content_type() const noexcept;

 private:
  void head(std::string_view name, std::string_view help, std::string_view type);

  const Format format_;
  std::string text_;
};

}  // namespace actord::app
