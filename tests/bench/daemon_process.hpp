// SPDX-License-Identifier: Apache-2.0
//
// Starts the daemon as a service manager does: as a process that sends READY=1 to a socket.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace actord::bench {

/// A temporary folder. The destructor removes it with its content.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;

  const std::string& path() const noexcept { return path_; }
  /// Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& text) const;

 private:
  std::string path_;
};

/// Paths beside this program, as the build lays them out: bin/NAME and plugins/.
std::string beside_this(const std::string& relative);

/// One run of actord. The destructor stops it in order; if it ends otherwise, the row fails.
class DaemonProcess {
 public:
  /// Starts actord and waits until it is ready.
  DaemonProcess(const Folder& folder, const std::string& config,
                const std::vector<std::string>& settings = {});
  ~DaemonProcess();
  DaemonProcess(const DaemonProcess&) = delete;

  pid_t pid() const noexcept { return pid_; }
  /// The time from before the exec to READY=1.
  double seconds_to_ready() const noexcept { return seconds_to_ready_; }

 private:
  pid_t pid_ = -1;
  double seconds_to_ready_ = 0;
};

}  // namespace actord::bench
