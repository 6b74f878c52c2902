// SPDX-License-Identifier: Apache-2.0
#include "hocon/printable.hpp"

#include "base/utf8.hpp"

namespace actord::hocon {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

bool is_control(char32_t code) noexcept { return code < 0x20 || (code >= 0x7F && code < 0xA0); }

}  // namespace

void append_printable(std::string& out, std::string_view& text) {
  const base::utf8::Decoded decoded = base::utf8::decode(text);
  if (decoded.bytes == 0) {
    out.append(replacement);
    text.remove_prefix(1);
    return;
  }
  if (decoded.code == '\t') out.push_back(' ');
  else if (is_control(decoded.code)) out.append(replacement);
  else out.append(text.substr(0, decoded.bytes));
  text.remove_prefix(decoded.bytes);
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    if (text.front() != '\n') {
      append_printable(out, text);
      continue;
    }
    out.push_back('\n');
    text.remove_prefix(1);
  }
  return out;
}

}  // namespace actord::hocon
