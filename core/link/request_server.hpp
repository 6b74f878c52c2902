// SPDX-License-Identifier: Apache-2.0
//
// Carries out what a host asks for during a call of one of its actors, in the context of that call.
// It trusts nothing: what is no request, names a type or a state that there is not, or has another
// length than it says, is a violation, for which the process is killed.
#pragma once

#include <string_view>
#include <vector>

#include "link/failure_codec.hpp"
#include "link/isolated_plugin_state.hpp"
#include "link/open_asks.hpp"
#include "link/remote.hpp"

namespace actord::link {

class RequestServer {
 public:
  /// What the call has come to.
  struct Returned {
    actord_status status = ACTORD_OK;
    std::int32_t directive = ACTORD_UNDECIDED;  // of decide and review
    bool has_taken_sender = false;              // as actord_context.taken_sender tells
  };

  /// `has_turn`: the context is a Turn of the actor. Without, only what any thread may ask for is
  /// right. Those of `asks` that the call answers, or gives to others to answer, are forgotten.
  RequestServer(IsolatedPluginState& plugin, const RemoteOrigin& origin, const HostPtr& host,
                OpenAsks& asks, actord_context& context, actord_errors& errors, bool has_turn)
      : plugin_(plugin),
        origin_(origin),
        host_(host),
        asks_(asks),
        context_(context),
        errors_(errors),
        has_turn_(has_turn) {}

  enum class Outcome : std::uint8_t { open, answered, returned, wrong };
  /// Carries out all of these requests. answered: answer() goes back to the host; returned: the
  /// call is over; open: the requests end without either, which only a dead process may do.
  Outcome serve(std::string_view requests, bool is_alive);
  std::string_view answer() const noexcept { return answer_.bytes(); }
  const Returned& returned() const noexcept { return returned_; }
  /// After Outcome::wrong: which request it was.
  std::string fault() const;

 private:
  // Each returns false if the request is wrong.
  bool serve_one(FrameReader& frame, Request request);
  bool serve_return(FrameReader& frame);
  bool serve_message(FrameReader& frame, Request request);
  bool serve_ask(FrameReader& frame, Request request);
  bool serve_failure(FrameReader& frame, Request request);
  bool serve_tree(FrameReader& frame, Request request);
  bool serve_spawn(FrameReader& frame);
  std::int64_t place_of(std::string_view full_name) const;
  bool serve_watch(FrameReader& frame);
  bool serve_state(FrameReader& frame, Request request);
  bool serve_timer(FrameReader& frame);
  bool serve_surroundings(FrameReader& frame, Request request);
  bool serve_log(FrameReader& frame);
  bool serve_topic(FrameReader& frame, bool subscribes);
  bool serve_routing(FrameReader& frame, Request request);      // routing_requests.cpp
  bool serve_breaker(FrameReader& frame, Request request);      // breaker_requests.cpp
  bool serve_shutdown_task(FrameReader& frame);                 // shutdown_requests.cpp
  bool serve_persistence(FrameReader& frame, Request request);  // persistence_requests.cpp
  // True if the message is there and can be sent.
  bool take_message(FrameReader& frame, TakenMessage& message);
  const actord_host& host() const noexcept { return *context_.host; }
  void begin_answer();

  IsolatedPluginState& plugin_;
  const RemoteOrigin& origin_;
  const HostPtr& host_;
  OpenAsks& asks_;
  actord_context& context_;
  actord_errors& errors_;
  const bool has_turn_;
  FrameWriter answer_;
  bool has_answer_ = false, has_returned_ = false;
  Returned returned_;
  Request last_ = Request::returned;
};

/// Takes the first failure that the runtime reports, for the answer.
class Reported : public actord_errors {
 public:
  explicit Reported(const MessageCodec& codec) : actord_errors{}, frame_(codec) { report = &take; }
  void put(FrameWriter& answer) const { answer.text(frame_.bytes()); }

 private:
  static void take(actord_errors* self, const actord_failure* failure) {
    ErrorFrame& frame = static_cast<Reported*>(self)->frame_;
    frame.report(&frame, failure);
  }
  ErrorFrame frame_;
};

/// Carries out a request of the kind that any thread may have. False: it is wrong.
bool serve_outside_request(IsolatedPluginState& plugin, const actord_host& host,
                           actord_system* system, Request request, FrameReader& frame,
                           FrameWriter& answer, bool& has_answer);

}  // namespace actord::link
