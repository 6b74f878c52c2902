// SPDX-License-Identifier: Apache-2.0
//
// The two ends of the way between the runtime and a host process. The two take turns, as a caller
// and a function do: while the one works, the other one waits. So nothing is ever sent ahead, and
// nothing has to be taken back when the process dies.
//
// Not here: what is said (codes.hpp, frame.hpp).
#pragma once

#include <string>
#include <string_view>

namespace actord::link {

/// The runtime's end. One thread at a time.
class Channel {
 public:
  /// How an exchange has ended.
  struct Turned {
    bool is_alive = false;     // false: the process has ended, or does not count any more
    bool was_started = false;  // the process has begun with the frame
    // It was another channel's frame that has ended the process, as is known for certain.
    bool is_bystander = false;
  };

  /// Does what a host asks for during a call.
  class Server {
   public:
    virtual ~Server() = default;
    /// Returns what the host waits for, valid until the next call; empty: the call is over, or the
    /// host may not go on. `is_alive`: whether the host waits at all.
    virtual std::string_view serve(std::string_view requests, bool is_alive) = 0;
  };

  virtual ~Channel() = default;

  /// Gives the turn to the host with a frame, and waits until it comes back. `requests` is what the
  /// host has put meanwhile: whole requests, also if the process has died in the middle.
  virtual Turned exchange(std::string_view frame, std::string& requests) = 0;
  /// A whole call: exchanges until `server` says that it is over, or the process has ended.
  virtual Turned run(std::string_view frame, Server& server);

 private:
  std::string requests_;  // of the turn; its memory stays for the next one
};

/// The host's end. One thread at a time.
class HostChannel {
 public:
  virtual ~HostChannel() = default;

  /// Adds a whole request to what the runtime gets with the next turn. It gets it even if this
  /// process dies before that.
  virtual void put(std::string_view request) = 0;
  /// Gives the turn to the runtime, and waits until it comes back with a frame, which is valid
  /// until the next call. False: the runtime is gone.
  virtual bool turn(std::string_view& frame) = 0;
};

/// The way for what a host's other threads ask for: those that the plugin has started, and the one
/// that attaches it. Any thread.
class OutsideChannel {
 public:
  virtual ~OutsideChannel() = default;

  /// Sends one request. `answer` is null if none is expected. False: the runtime is gone.
  virtual bool ask(std::string_view request, std::string* answer) = 0;
};

}  // namespace actord::link
