// SPDX-License-Identifier: Apache-2.0
#include "sinks/syslog_writer.hpp"

namespace actord::sinks {
namespace {

/// Every socket takes that much.
constexpr std::size_t bytes_min = 256;

/// Whether the byte continues a character of UTF-8.
bool is_continued(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

}  // namespace

std::string shortened(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return std::string(text);
  while (bytes != 0 && is_continued(text[bytes])) --bytes;
  return std::string(text.substr(0, bytes)) + "… (" + std::to_string(text.size() - bytes) +
         " bytes are left out)";
}

int SyslogWriter::write(std::string_view record) {
  int error = datagrams_.write(record);
  // The limit of the socket is not known, and may be that of the reader's system.
  for (std::size_t bytes = record.size() / 2; is_too_large(error) && bytes >= bytes_min; bytes /= 2)
    error = datagrams_.write(shortened(record, bytes));
  return error;
}

}  // namespace actord::sinks
