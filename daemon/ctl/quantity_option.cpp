// SPDX-License-Identifier: Apache-2.0
#include "ctl/quantity_option.hpp"

#include <charconv>
#include <string>

#include "ctl/verb_failure.hpp"
#include "hocon/units.hpp"

namespace actord::ctl {

std::optional<std::uint64_t> number_option(const Call& call, std::string_view option,
                                           std::uint64_t otherwise, NumberRange range, Exit& exit) {
  if (!call.has(option)) return otherwise;
  const std::string text = call.value(option);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && end == text.data() + text.size() && number >= range.least &&
      number <= range.most)
    return number;
  exit =
      report_failure(call, {Exit::usage, "--" + std::string{option} + " takes a number from " +
                                             std::to_string(range.least) + " to " +
                                             std::to_string(range.most) + ", not \"" + text + '"'});
  return std::nullopt;
}

std::optional<std::chrono::nanoseconds> duration_option(const Call& call, std::string_view option,
                                                        std::chrono::nanoseconds otherwise,
                                                        const DurationRange& range, Exit& exit) {
  if (!call.has(option)) return otherwise;
  const std::string text = call.value(option);
  const auto ns = hocon::parse_duration_ns(text);
  if (ns && *ns >= range.least.count() && *ns <= range.most.count())
    return std::chrono::nanoseconds{*ns};
  exit =
      report_failure(call, {Exit::usage, "--" + std::string{option} + " cannot be \"" + text + '"',
                            std::string{range.help}});
  return std::nullopt;
}

}  // namespace actord::ctl
