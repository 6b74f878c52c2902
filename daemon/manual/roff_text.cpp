// SPDX-License-Identifier: Apache-2.0
#include "manual/roff_text.hpp"

namespace actord::manual {

std::string roff_text(std::string_view text) {
  std::string out;
  if (text.starts_with('.') || text.starts_with('\'')) out = "\\&";
  for (const char c : text) {
    switch (c) {
      case '\\': out += "\\e"; break;
      case '-': out += "\\-"; break;
      case '"': out += "\\(dq"; break;
      case '~': out += "\\(ti"; break;
      case '^': out += "\\(ha"; break;
      case '`': out += "\\(ga"; break;
      default: out += c;
    }
  }
  return out;
}

}  // namespace actord::manual
