// SPDX-License-Identifier: Apache-2.0
//
// What is answered to HTTP: /metrics, and the probes /livez, /readyz and /startupz.
#pragma once

#include <functional>

#include "web/web_server.hpp"

namespace actord::system {
class ActorSystem;
}  // namespace actord::system

namespace actord::app {

class DaemonMetrics;

/// Threads: only the event loop's, so an answer shows that this runs.
class HttpAnswers {
 public:
  struct State {
    bool has_started = false;  // all actors were up once, or the start went on without them
    bool is_stopping = false;
    bool is_draining = false;  // an operator wants no more work to be sent here
  };

  /// All of them outlive this object.
  HttpAnswers(system::ActorSystem& actors, const DaemonMetrics& metrics,
              std::function<State()> state)
      : actors_(actors), metrics_(metrics), state_(std::move(state)) {}

  web::HttpReply answer(const web::HttpRequest& request) const;

 private:
  web::HttpReply metrics(const web::HttpRequest& request) const;
  web::HttpReply readiness(const web::HttpRequest& request) const;

  system::ActorSystem& actors_;
  const DaemonMetrics& metrics_;
  const std::function<State()> state_;
};

}  // namespace actord::app
