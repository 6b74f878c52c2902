// SPDX-License-Identifier: Apache-2.0
//
// The loop of `actorctl plugin dev`: builds a plugin whenever a source changes, tests and checks
// it, and runs it in a daemon of its own. What fails is shown, and the daemon before it runs on.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "os/child_program.hpp"
#include "os/source_watch.hpp"

namespace actord::ctl {

struct DevOptions {
  std::filesystem::path folder, build, config;  // absolute
  bool runs_tests = true;
};

class DevSession {
 public:
  /// Blocks the signals that end the session, and makes a folder for its daemon.
  static base::Result<DevSession, os::SystemError> open(DevOptions options, std::ostream& out);
  DevSession(DevSession&&) = default;
  DevSession& operator=(DevSession&&) = delete;
  /// Stops the daemon, and removes its folder.
  ~DevSession();

  /// Returns when a signal has ended the session: SIGINT, SIGTERM or SIGHUP.
  void run();

 private:
  enum class Step : std::uint8_t { done, failed, interrupted };
  enum class Shown : std::uint8_t { always, if_it_fails };

  DevSession(DevOptions options, std::ostream& out, os::Descriptor signals, os::SourceWatch watch,
             std::filesystem::path place);

  Step follow();
  Step build();
  Step run_step(std::string_view what, const os::ProgramCall& call, Shown shown);
  Step collect_plugins();
  std::vector<std::string> daemon_arguments() const;
  Step start_daemon();
  void stop_daemon();
  void note_end();
  bool wait_for_change();
  void say(const std::string& line) const;

  DevOptions options_;
  std::ostream* out_;
  os::Descriptor signals_;
  os::SourceWatch watch_;
  std::filesystem::path place_;    // of the daemon's state and of the plugins that it has loaded
  std::filesystem::path plugins_;  // those of the build that is tried
  bool is_configured_ = false;     // by this session
  int round_ = 0;
  std::optional<os::ChildProgram> daemon_;
};

}  // namespace actord::ctl
