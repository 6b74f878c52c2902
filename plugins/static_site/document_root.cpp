// SPDX-License-Identifier: Apache-2.0
//
// Whether a file is below the root is checked on the open file and not on its path. The name is
// first opened without access to its contents (O_PATH); the kernel returns the path of that
// descriptor; then the descriptor is opened for reading. So the file cannot be replaced in between,
// and a device or FIFO is never opened.
#include "document_root.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <system_error>

namespace static_site {
namespace {

std::string link_to(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

Lookup::State state_of(int error_number) {
  switch (error_number) {
    case ENOENT:
    case ENOTDIR:
    case ENAMETOOLONG:
    case ELOOP: return Lookup::State::absent;
    case EACCES:
    case EPERM: return Lookup::State::forbidden;
    default: return Lookup::State::failed;
  }
}

struct Free {
  void operator()(char* text) const { std::free(text); }
};

}  // namespace

FileHandle::~FileHandle() {
  if (is_open()) ::close(descriptor_);
}

DocumentRoot::DocumentRoot(const std::string& path) {
  const auto fail = [&path] {
    throw std::system_error(errno, std::generic_category(), "cannot serve the folder " + path);
  };
  const std::unique_ptr<char, Free> real{::realpath(path.c_str(), nullptr)};
  if (!real) fail();
  path_ = real.get();
  const FileHandle folder{::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (!folder.is_open()) fail();
  if (::faccessat(AT_FDCWD, path_.c_str(), X_OK, AT_EACCESS) != 0) fail();
}

bool DocumentRoot::contains(int descriptor) const {
  std::array<char, PATH_MAX> text{};
  const ssize_t size = ::readlink(link_to(descriptor).c_str(), text.data(), text.size());
  if (size <= 0 || size == static_cast<ssize_t>(text.size())) return false;
  const std::string_view real{text.data(), static_cast<std::size_t>(size)};
  if (path_ == "/" || real == path_) return true;
  return real.starts_with(path_) && real[path_.size()] == '/';
}

Lookup DocumentRoot::open(const std::string& relative, bool wants_folder) const {
  Lookup result;
  const FileHandle path_handle{::open((path_ + "/" + relative).c_str(), O_PATH | O_CLOEXEC)};
  struct stat status {};
  if (!path_handle.is_open() || ::fstat(path_handle.get(), &status) != 0) {
    result.state = state_of(errno);
    return result;
  }
  if (!contains(path_handle.get())) return result;
  if (S_ISDIR(status.st_mode)) {
    if (wants_folder)
      return open(relative.empty() ? "index.html" : relative + "/index.html", false);
    result.state = Lookup::State::folder_without_slash;
    return result;
  }
  if (!S_ISREG(status.st_mode) || wants_folder) return result;

  result.document.file =
      FileHandle{::open(link_to(path_handle.get()).c_str(), O_RDONLY | O_CLOEXEC)};
  if (!result.document.file.is_open()) {
    result.state = state_of(errno);
    return result;
  }
  result.state = Lookup::State::found;
  result.document.size_bytes = static_cast<std::uint64_t>(status.st_size);
  result.document.modified = std::chrono::sys_seconds{std::chrono::seconds{status.st_mtime}};
  result.document.name = relative.substr(relative.rfind('/') + 1);
  return result;
}

Lookup DocumentRoot::find(const Target& target) const {
  Lookup result = open(relative_path(target), target.ends_in_slash);
  // If index.html is itself a folder, there is no page for a redirect.
  const bool is_index_a_folder =
      target.ends_in_slash && result.state == Lookup::State::folder_without_slash;
  return is_index_a_folder ? Lookup{} : std::move(result);
}

}  // namespace static_site
