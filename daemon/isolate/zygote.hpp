// SPDX-License-Identifier: Apache-2.0
//
// A process of `actord-host` that has begun, has loaded nothing yet, and forks for each host that
// is wanted. A fork takes a fifth of the time of exec() and the dynamic linker, and hosts share the
// memory of what they have in common. It is started when the first host is wanted.
//
// Where a fork of this kind is not possible, hosts are started without it: under a sanitizer, and
// where the kernel does not say where glibc keeps the id of a thread.
#pragma once

#include <optional>
#include <string>

#include "os/descriptor.hpp"
#include "os/watched_process.hpp"

namespace actord::isolate {

/// Belongs to one thread, the parent of the hosts: the kernel kills them when it ends.
class Zygote {
 public:
  /// Asks for a host of the plugin, which begins at once; `socket` is its end of the connection.
  /// False: it has to be started in another way.
  bool ask(const std::string& executable, const std::string& plugin, int socket);
  /// The host that was asked for last. nullopt: there will be none, and nothing uses the socket.
  std::optional<os::WatchedProcess> answer();

 private:
  bool begin(const std::string& executable);
  void end() noexcept;

  std::optional<os::WatchedProcess> process_;
  os::Descriptor socket_;
  std::string executable_;
  bool can_fork_ = true;
};

}  // namespace actord::isolate
