// SPDX-License-Identifier: Apache-2.0
#include "memory_files.hpp"

#include <cerrno>
#include <iterator>
#include <system_error>

#include "hocon/file_text.hpp"

namespace actord::fuzz {

std::map<std::string, std::string, std::less<>>& memory_files() {
  static std::map<std::string, std::string, std::less<>> files;
  return files;
}

}  // namespace actord::fuzz

namespace actord::hocon {

namespace {

FileFailure failure(int error) { return {error, std::generic_category().message(error)}; }

}  // namespace

base::Result<FileText, FileFailure> read_file(const std::string& path, std::uint64_t limit) {
  const auto& files = fuzz::memory_files();
  const auto found = files.find(path);
  if (found == files.end()) return failure(files.contains(path + '/') ? EISDIR : ENOENT);
  if (path.ends_with(".locked")) return failure(EACCES);
  if (found->second.size() > limit) return failure(EFBIG);
  const auto inode = static_cast<std::uint64_t>(std::distance(files.begin(), found)) + 1;
  return FileText{found->second, 1, inode};
}

bool is_file(const std::string& path) noexcept { return fuzz::memory_files().contains(path); }

bool is_folder(const std::string& path) noexcept {
  return fuzz::memory_files().contains(path + '/');
}

}  // namespace actord::hocon
