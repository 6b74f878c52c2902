// SPDX-License-Identifier: Apache-2.0
#include "ctl/wrapped_text.hpp"

#include <algorithm>

namespace actord::ctl {

std::string wrapped(std::string_view text, std::size_t indent) {
  constexpr std::size_t columns_max = 78;
  std::string out;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (column != 0 && column + 1 + word.size() > columns_max) out += '\n', column = 0;
    out.append(column == 0 ? std::string(indent, ' ') : " ").append(word);
    column += word.size() + (column == 0 ? indent : 1);
  }
  return out.empty() ? out : out + '\n';
}

}  // namespace actord::ctl
