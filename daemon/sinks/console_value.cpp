// SPDX-License-Identifier: Apache-2.0
#include "sinks/console_value.hpp"

#include <array>
#include <cmath>

#include "base/utf8.hpp"
#include "sinks/line_text.hpp"

namespace actord::sinks {
namespace {

constexpr std::size_t text_max = 4096;

/// Whether the value could be mistaken for other parts of the line and is therefore quoted.
bool needs_quotes(std::string_view text) noexcept {
  return text.empty() || text.find_first_of(" =\"\n\t") != std::string_view::npos;
}

}  // namespace

void append_console_text(LineBuffer& out, std::string_view text) {
  const std::string_view clipped = base::utf8::clip(text, text_max);
  append_console_escaped(out, clipped, false);
  if (clipped.size() < text.size()) out.append("…");
}

void append_console_duration(LineBuffer& out, std::int64_t ns) {
  struct Unit {
    std::int64_t ns;
    std::string_view name;
  };
  constexpr std::array<Unit, 3> units = {{{1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "us"}}};
  for (const Unit& unit : units) {
    if (std::abs(ns) < unit.ns) continue;
    out.end_at(put_in_unit(out.reserve(number_max), ns - ns % (unit.ns / 1000), unit.ns));
    out.append(unit.name);
    return;
  }
  out.end_at(put_integer(out.reserve(number_max), ns));
  out.append("ns");
}

void append_console_value(LineBuffer& out, const log::Value& value) {
  switch (value.kind()) {
    case log::Value::Kind::boolean: out.append(value.boolean() ? "true" : "false"); return;
    case log::Value::Kind::integer:
      out.end_at(put_integer(out.reserve(number_max), value.integer()));
      return;
    case log::Value::Kind::natural:
      out.end_at(put_natural(out.reserve(number_max), value.natural()));
      return;
    case log::Value::Kind::real:
      out.end_at(put_real(out.reserve(number_max), value.real()));
      return;
    case log::Value::Kind::duration: append_console_duration(out, value.duration_ns()); return;
    case log::Value::Kind::text: {
      const std::string_view text = base::utf8::clip(value.text(), text_max);
      const bool is_quoted = needs_quotes(text);
      if (is_quoted) out.append('"');
      append_console_escaped(out, text, is_quoted);
      if (is_quoted) out.append('"');
      if (text.size() < value.text().size()) out.append("…");
      return;
    }
    case log::Value::Kind::texts:
      out.append('[');
      for (bool is_first = true; std::string_view text : value.texts()) {
        if (!is_first) out.append(", ");
        is_first = false;
        append_console_text(out, text);
      }
      out.append(']');
  }
}

}  // namespace actord::sinks
