// SPDX-License-Identifier: Apache-2.0
#include "ctl/printable_stream.hpp"

#include "hocon/printable.hpp"

namespace actord::ctl {

// Writes the first `size` pending bytes; false: the target stream has failed.
bool PrintableBuffer::pass_on(std::size_t size) {
  target_ << hocon::printable(std::string_view{pending_}.substr(0, size));
  pending_.erase(0, size);
  return target_.good();
}

std::streamsize PrintableBuffer::xsputn(const char* text, std::streamsize size) {
  pending_.append(text, static_cast<std::size_t>(size));
  const std::size_t end = pending_.rfind('\n');
  return end == pending_.npos || pass_on(end + 1) ? size : 0;
}

PrintableBuffer::int_type PrintableBuffer::overflow(int_type byte) {
  if (traits_type::eq_int_type(byte, traits_type::eof())) return traits_type::not_eof(byte);
  const char c = traits_type::to_char_type(byte);
  return xsputn(&c, 1) == 1 ? byte : traits_type::eof();
}

int PrintableBuffer::sync() { return pass_on(pending_.size()) && target_.flush() ? 0 : -1; }

}  // namespace actord::ctl
