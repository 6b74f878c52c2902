// SPDX-License-Identifier: Apache-2.0
//
// The thread that serves the admin socket: it reads, parses and writes all frames, so that no
// client keeps the event loop from a signal.
//
// The event loop only carries out requests, one at a time and in the order in which they came.
// After each of them it has as much time for everything else as the request took: however many
// clients ask, they get at most half of its time, and each of them the same share. Not here: the
// socket and its clients (admin), and what the requests do (admin_verbs.hpp).
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <string>

#include "admin/admin_server.hpp"
#include "app/loop_thread.hpp"
#include "os/event_loop.hpp"
#include "os/passed_sockets.hpp"

namespace actord::app {

/// Threads: the event loop's.
class AdminThread {
 public:
  /// All outlive the object. `handler` is called on the event loop's thread.
  AdminThread(os::EventLoop& event_loop, log::Hub& hub, admin::Handler handler);
  ~AdminThread() { close(); }
  AdminThread(const AdminThread&) = delete;
  AdminThread& operator=(const AdminThread&) = delete;

  /// Creates the socket and starts the thread. Errors: see os::listen_at(). Throws
  /// std::system_error if the process may have no further thread.
  base::Result<void, os::SystemError> open(const std::string& path);
  /// The same with a socket of the service manager, which listens at `path`.
  void open(os::PassedSocket socket);
  /// Sends the replies that are ready, disconnects all clients, removes the socket and ends the
  /// thread. Further calls have no effect.
  void close();

 private:
  struct Job {
    wire::Request request;
    admin::PeerFields peer;
    admin::Responder responder;
  };

  void carry_out(const Job& job);

  // ---- on the thread ----
  void start_next();
  void on_carried_out(std::chrono::nanoseconds duration);

  os::EventLoop& event_loop_;
  const admin::Handler handler_;
  LoopThread thread_;
  admin::Server server_;
  std::deque<Job> jobs_;  // wait for their turn
  os::Timer pause_{thread_.loop()};
  bool is_occupied_ = false;  // a request is being carried out, or its pause lasts
};

}  // namespace actord::app
