// SPDX-License-Identifier: Apache-2.0
#include "daemon_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "measuring.hpp"

namespace actord::bench {

namespace {

constexpr int patience_ms = 120'000, look_after_ms = 200;

// The socket on which the daemon says that it is ready.
class NotifySocket {
 public:
  explicit NotifySocket(std::string path) : path_(std::move(path)) {
    fd_ = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    check(fd_ >= 0 && path_.size() < sizeof address.sun_path, "socket");
    path_.copy(address.sun_path, path_.size());
    check(bind(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0, "bind");
  }
  ~NotifySocket() { close(fd_); }
  NotifySocket(const NotifySocket&) = delete;

  const std::string& path() const noexcept { return path_; }
  void wait_for_ready(pid_t daemon) const {
    for (int waited_ms = 0;;) {
      pollfd one{fd_, POLLIN, 0};
      if (poll(&one, 1, look_after_ms) != 1) {
        check(waitpid(daemon, nullptr, WNOHANG) == 0, "the daemon ended instead of getting ready");
        check((waited_ms += look_after_ms) < patience_ms, "the daemon does not get ready");
        continue;
      }
      char text[4096];
      const ssize_t size = recv(fd_, text, sizeof text, 0);
      check(size > 0, "recv");
      if (std::string_view(text, static_cast<std::size_t>(size)).find("READY=1") !=
          std::string_view::npos)
        return;
    }
  }

 private:
  std::string path_;
  int fd_;
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

pid_t start(std::vector<std::string> arguments, const std::string& notify_path) {
  std::vector<std::string> environment{"NOTIFY_SOCKET=" + notify_path};
  for (char** each = environ; *each != nullptr; ++each) {
    if (!std::string_view(*each).starts_with("NOTIFY_SOCKET=")) environment.emplace_back(*each);
  }
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t pid = -1;
  const int error = posix_spawn(&pid, arguments.front().c_str(), &files, nullptr,
                                pointers(arguments).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&files);
  check(error == 0, "cannot start " + arguments.front());
  return pid;
}

}  // namespace

Folder::Folder() {
  path_ = (std::filesystem::temp_directory_path() / "actord-bench-XXXXXX").string();
  check(mkdtemp(path_.data()) != nullptr, "mkdtemp");
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string Folder::write(const std::string& name, const std::string& text) const {
  std::string path = path_ + '/' + name;
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  check(file.good(), "cannot write " + path);
  return path;
}

std::string beside_this(const std::string& relative) {
  const auto program = std::filesystem::read_symlink("/proc/self/exe");
  return (program.parent_path().parent_path() / relative).string();
}

DaemonProcess::DaemonProcess(const Folder& folder, const std::string& config,
                             const std::vector<std::string>& settings) {
  const NotifySocket notices(folder.path() + "/notify");
  std::vector<std::string> arguments{beside_this("bin/actord"),
                                     "--config",
                                     config,
                                     "--plugin-path",
                                     beside_this("plugins"),
                                     "--log-format",
                                     "json",
                                     "--set",
                                     "actord.state-dir=\"" + folder.path() + "/state\""};
  for (const std::string& setting : settings) {
    arguments.emplace_back("--set");
    arguments.push_back(setting);
  }
  const Stopwatch watch;
  pid_ = start(std::move(arguments), notices.path());
  notices.wait_for_ready(pid_);
  seconds_to_ready_ = watch.seconds();
}

DaemonProcess::~DaemonProcess() {
  kill(pid_, SIGTERM);
  int status = 0;
  check(waitpid(pid_, &status, 0) == pid_ && status == 0, "the daemon did not end in order");
}

}  // namespace actord::bench
