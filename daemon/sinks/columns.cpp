// SPDX-License-Identifier: Apache-2.0
//
// Asks the C library for the width of a character, in the locale C.UTF-8, whatever the locale of
// the process is.
#include "sinks/columns.hpp"

#include <locale.h>
#include <wchar.h>

#include "base/utf8.hpp"
#include "sinks/console_style.hpp"

namespace actord::sinks {
namespace {

constexpr std::string_view ellipsis = "…";
// Characters below it that the C library does not know take at most one column.
constexpr char32_t first_wide = 0x1100;

/// Gives the calling thread the locale C.UTF-8 until the end of the scope.
class Utf8Locale {
 public:
  Utf8Locale() noexcept : before_(utf8() == locale_t{} ? locale_t{} : ::uselocale(utf8())) {}
  ~Utf8Locale() {
    if (before_ != locale_t{}) ::uselocale(before_);
  }
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;

  unsigned columns_of(char32_t code) const noexcept {
    const int known = before_ == locale_t{} ? -1 : ::wcwidth(static_cast<wchar_t>(code));
    if (known >= 0) return static_cast<unsigned>(known);
    return code < first_wide ? 1 : 2;
  }

 private:
  static locale_t utf8() noexcept {
    static const locale_t locale = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", locale_t{});
    return locale;
  }

  locale_t before_;
};

/// The bytes and columns of the first character or colour sequence.
struct Unit {
  std::size_t bytes;
  unsigned columns;
};

Unit first_unit(const Utf8Locale& locale, std::string_view text) noexcept {
  const char c = text.front();
  if (c == '\x1b') {
    const std::size_t end = text.find('m');
    return {end == text.npos ? text.size() : end + 1, 0};
  }
  if (static_cast<unsigned char>(c) < 0x80) return {1, 1};
  const base::utf8::Decoded character = base::utf8::decode(text);
  if (character.bytes == 0) return {1, 1};
  return {character.bytes, locale.columns_of(character.code)};
}

/// The longest end of `text` that takes at most `columns`.
std::string_view last_columns(std::string_view text, unsigned columns) noexcept {
  const unsigned all = columns_of(text);
  if (all <= columns) return text;
  const Utf8Locale locale;
  for (unsigned left = all; left > columns && !text.empty();) {
    const Unit unit = first_unit(locale, text);
    left -= unit.columns;
    text.remove_prefix(unit.bytes);
  }
  return text;
}

}  // namespace

unsigned columns_of(std::string_view text) noexcept {
  const Utf8Locale locale;
  unsigned sum = 0;
  while (!text.empty()) {
    const Unit unit = first_unit(locale, text);
    sum += unit.columns;
    text.remove_prefix(unit.bytes);
  }
  return sum;
}

std::string_view first_columns(std::string_view text, unsigned columns) noexcept {
  const Utf8Locale locale;
  std::size_t bytes = 0;
  while (bytes < text.size()) {
    const Unit unit = first_unit(locale, text.substr(bytes));
    if (unit.columns > columns) break;
    columns -= unit.columns;
    bytes += unit.bytes;
  }
  return text.substr(0, bytes);
}

std::string cut_end(std::string_view text, unsigned columns) {
  if (first_columns(text, columns).size() == text.size()) return std::string(text);
  if (columns == 0) return {};
  std::string cut(first_columns(text, columns - 1));
  cut += ellipsis;
  if (cut.find('\x1b') != std::string::npos) cut += end_of_style;
  return cut;
}

std::string cut_middle(std::string_view text, unsigned columns) {
  if (columns_of(text) <= columns) return std::string(text);
  if (columns == 0) return {};
  const unsigned start = (columns - 1) / 3;
  std::string cut(first_columns(text, start));
  cut += ellipsis;
  cut += last_columns(text, columns - 1 - start);
  return cut;
}

}  // namespace actord::sinks
