// SPDX-License-Identifier: Apache-2.0
//
// The daemon as a service manager starts it: as a process that says READY=1 on a socket.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace actord::bench {

/// A temporary folder, gone with everything in it when this goes.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;

  const std::string& path() const noexcept { return path_; }
  /// Writes a file; its path.
  std::string write(const std::string& name, const std::string& text) const;

 private:
  std::string path_;
};

/// Beside this program, as the build lays them out: bin/NAME and plugins/.
std::string beside_this(const std::string& relative);

/// One run of actord. It stops with the object, in order; another end fails the row.
class DaemonProcess {
 public:
  /// Starts it and waits until it is ready.
  DaemonProcess(const Folder& folder, const std::string& config,
                const std::vector<std::string>& settings = {});
  ~DaemonProcess();
  DaemonProcess(const DaemonProcess&) = delete;

  pid_t pid() const noexcept { return pid_; }
  /// From before the exec to the notice.
  double seconds_to_ready() const noexcept { return seconds_to_ready_; }

 private:
  pid_t pid_ = -1;
  double seconds_to_ready_ = 0;
};

}  // namespace actord::bench
