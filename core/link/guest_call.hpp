// SPDX-License-Identifier: Apache-2.0
//
// One call of the runtime, as the plugin gets it: the context, and the way for what the plugin asks
// of actord meanwhile.
#pragma once

#include "link/failure_codec.hpp"
#include "link/guest_actor.hpp"

namespace actord::link {

/// The table of functions that a plugin in a host process calls.
const actord_host& guest_table();

class GuestCall : public actord_context {
 public:
  GuestCall(GuestState& guest_, HostChannel& channel, GuestActor* actor);
  ~GuestCall();
  GuestCall(const GuestCall&) = delete;
  GuestCall& operator=(const GuestCall&) = delete;

  static GuestCall& of(actord_context* context) noexcept {
    return static_cast<GuestCall&>(*context);
  }
  /// The call that the thread is in, if it is one of that guest; else null.
  static GuestCall* of_this_thread(const GuestState& guest) noexcept;

  /// Reads what the context has from the frame. The message lies here until the call has ended.
  actord_status take_context(FrameReader& frame, actord_errors& errors);
  /// Also for a type that the guest does not know.
  const void* content() const noexcept;

  /// Begins a request; the caller writes what belongs to it.
  FrameWriter& begin(Request request);
  /// Sends it, without an answer.
  void send();
  /// Sends it, and waits for the answer, which is valid until the next request.
  FrameReader ask();
  /// Reports the failure that an answer ends with, if it has one.
  void report_answered(FrameReader& answer, actord_errors* errors) const;
  /// Makes the message part of the request. False: it cannot be written, which is logged; then
  /// there is no request.
  bool put_message(actord_type_id type, const void* message);
  /// The last request: the call has returned.
  void put_return(actord_status status, std::int32_t directive, std::string_view failure);

  GuestState& guest;
  GuestActor* const actor;

 private:
  HostChannel& channel_;
  TakenMessage message_;
  FrameWriter request_;
  GuestCall* const outer_;
};

/// A request of a thread that is in no call.
class OutsideRequest {
 public:
  OutsideRequest(GuestState& guest, Request request);
  FrameWriter& frame() noexcept { return frame_; }
  void send();
  FrameReader ask();

 private:
  GuestState& guest_;
  FrameWriter frame_;
  std::string answer_;
};

}  // namespace actord::link
