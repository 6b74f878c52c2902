// SPDX-License-Identifier: Apache-2.0
#include "sinks/journal_stream.hpp"

#include <sys/stat.h>

#include "sinks/journal_priority.hpp"

namespace actord::sinks {

bool is_journal_stream(int fd, std::string_view journal_stream) {
  struct stat status = {};
  if (journal_stream.empty() || ::fstat(fd, &status) != 0 || !S_ISSOCK(status.st_mode))
    return false;
  return journal_stream == std::to_string(status.st_dev) + ':' + std::to_string(status.st_ino);
}

std::string error_text_for(int fd, std::string_view journal_stream, std::string_view text) {
  if (!is_journal_stream(fd, journal_stream)) return std::string(text);
  std::string lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end == text.npos ? text.size() : end + 1);
    lines.append(journal_error_prefix).append(line);
    text.remove_prefix(line.size());
  }
  return lines;
}

}  // namespace actord::sinks
