// SPDX-License-Identifier: Apache-2.0
#include "os/path_walk.hpp"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <string_view>

#include "os/descriptor.hpp"

namespace actord::os {

namespace {

constexpr int links_max = 40;  // as in the kernel
constexpr mode_t permissions = 07777;

class Walk {
 public:
  explicit Walk(const std::string& path) : doing_("cannot look at " + path) { add_names(path); }

  base::Result<WalkedPath, SystemError> run() {
    if (auto error = enter_root()) return *std::move(error);
    while (!names_.empty()) {
      const std::string name = std::move(names_.back());
      names_.pop_back();
      if (name.empty() || name == ".") continue;
      if (name == "..") {
        if (open_.size() > 1) open_.pop_back();
      } else if (auto error = step(name)) {
        return *std::move(error);
      }
    }
    walked_.file = open_.back().path.empty() ? "/" : open_.back().path;
    return std::move(walked_);
  }

 private:
  struct Open {
    Descriptor descriptor;
    std::string path;  // without a trailing slash; the root's is empty
  };

  /// Puts the names of `path` before those that are still to be walked.
  void add_names(std::string_view path) {
    while (true) {
      const std::size_t slash = path.rfind('/');
      names_.emplace_back(path.substr(slash == path.npos ? 0 : slash + 1));
      if (slash == path.npos) return;
      path = path.substr(0, slash);
    }
  }

  std::optional<SystemError> failed(int number) const { return system_error(doing_, number); }

  std::optional<SystemError> enter_root() {
    open_.clear();
    Descriptor root(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (root.get() < 0) return failed(errno);
    open_.push_back({std::move(root), {}});
    return add(open_.back(), "/");
  }

  /// Adds the component unless it was added before: a link may lead to a folder above it.
  std::optional<SystemError> add(const Open& at, const std::string& path) {
    struct stat status = {};
    if (::fstat(at.descriptor.get(), &status) != 0) return failed(errno);
    kind_ = S_ISDIR(status.st_mode)   ? PathComponent::Kind::folder
            : S_ISLNK(status.st_mode) ? PathComponent::Kind::link
                                      : PathComponent::Kind::file;
    for (const PathComponent& known : walked_.components) {
      if (known.path == path) return std::nullopt;
    }
    walked_.components.push_back({path, kind_, status.st_uid, status.st_mode & permissions});
    return std::nullopt;
  }

  std::optional<SystemError> step(const std::string& name) {
    Open next{Descriptor(::openat(open_.back().descriptor.get(), name.c_str(),
                                  O_PATH | O_NOFOLLOW | O_CLOEXEC)),
              open_.back().path + '/' + name};
    if (next.descriptor.get() < 0) return failed(errno);
    if (auto error = add(next, next.path)) return error;
    if (kind_ == PathComponent::Kind::link) return follow(next.descriptor.get());
    open_.push_back(std::move(next));
    return std::nullopt;
  }

  std::optional<SystemError> follow(int link) {
    if (++links_ > links_max) return failed(ELOOP);
    std::array<char, PATH_MAX> text = {};
    const ssize_t size = ::readlinkat(link, "", text.data(), text.size());
    if (size < 0) return failed(errno);
    const std::string_view target(text.data(), static_cast<std::size_t>(size));
    add_names(target);
    return target.starts_with('/') ? enter_root() : std::nullopt;
  }

  const std::string doing_;
  std::vector<std::string> names_;                          // still to be walked, the next one last
  std::vector<Open> open_;                                  // from the root to the current folder
  PathComponent::Kind kind_ = PathComponent::Kind::folder;  // of the newest component
  int links_ = 0;
  WalkedPath walked_;
};

}  // namespace

base::Result<WalkedPath, SystemError> walk(const std::string& path) {
  if (path.starts_with('/')) return Walk(path).run();
  std::error_code failed;
  const std::string folder = std::filesystem::current_path(failed);
  if (failed) return system_error("cannot find the working directory", failed.value());
  return Walk(folder + '/' + path).run();
}

}  // namespace actord::os
