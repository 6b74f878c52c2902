// SPDX-License-Identifier: Apache-2.0
//
// The rule of actord.core-dumps: with `auto` there is no core dump from when the first secret was
// read. A later configuration without secrets does not permit one again, because the memory may
// still contain them.
#pragma once

namespace actord::config {
struct Configuration;
}  // namespace actord::config

namespace actord::app {

/// Threads: only the event loop's. One object in a process.
class CoreDumps {
 public:
  /// Applies the setting of a configuration that has taken effect.
  void apply(const config::Configuration& configuration);

 private:
  bool has_read_secrets_ = false;
};

}  // namespace actord::app
