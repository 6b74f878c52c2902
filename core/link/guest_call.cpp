// SPDX-License-Identifier: Apache-2.0
#include "link/guest_call.hpp"

#include "message/report.hpp"

namespace actord::link {

namespace {

// Leads from the functions of plugin.h that have no context to the call that the thread is in.
thread_local GuestCall* this_call = nullptr;

// Stands for the content of a message whose type the plugin does not know.
alignas(64) const std::byte unknown_content[64]{};

void leave(const GuestState& guest) {
  if (guest.surroundings.leave != nullptr) guest.surroundings.leave();
}

}  // namespace

GuestCall::GuestCall(GuestState& guest_, HostChannel& channel, GuestActor* actor_)
    : actord_context{}, guest(guest_), actor(actor_), channel_(channel), outer_(this_call) {
  struct_size = sizeof(actord_context);
  host = &guest_table();
  system = guest.handle();
  cell = reinterpret_cast<actord_cell*>(actor);
  this_call = this;
}

GuestCall::~GuestCall() { this_call = outer_; }

GuestCall* GuestCall::of_this_thread(const GuestState& guest) noexcept {
  return this_call != nullptr && &this_call->guest == &guest ? this_call : nullptr;
}

actord_status GuestCall::take_context(FrameReader& frame, actord_errors& errors) {
  self = frame.take<actord_ref>();
  parent = frame.take<actord_ref>();
  sender = frame.take<actord_ref>();
  const actord_status status = guest.codec.take(frame, message_, errors);
  message_type = message_.id();
  message = content();
  return status;
}

const void* GuestCall::content() const noexcept {
  if (message_.id() == 0) return nullptr;
  return message_.content() != nullptr ? message_.content() : unknown_content;
}

FrameWriter& GuestCall::begin(Request request) {
  request_.clear();
  request_.put(std::uint32_t{0});  // the size, see send()
  request_.put(request);
  return request_;
}

void GuestCall::send() {
  request_.put_at(0, static_cast<std::uint32_t>(request_.size() - sizeof(std::uint32_t)));
  channel_.put(request_.bytes());
}

FrameReader GuestCall::ask() {
  send();
  std::string_view frame;
  if (!channel_.turn(frame)) leave(guest);
  FrameReader answer(frame);
  static_cast<void>(answer.take<Call>());
  return answer;
}

bool GuestCall::put_message(actord_type_id type, const void* content) {
  ErrorFrame errors(guest.codec);
  if (guest.codec.put(request_, type, content, errors) == ACTORD_OK) return true;
  begin(Request::log);
  request_.put(std::int32_t{ACTORD_ERROR});
  request_.text(std::string_view{"message.not-sent"});
  request_.text(std::string_view{"a message cannot be written, so that it is not sent"});
  request_.put(std::uint32_t{0});
  send();
  return false;
}

void GuestCall::report_answered(FrameReader& answer, actord_errors* errors) const {
  FrameReader failure(answer.text());
  if (failure.is_at_end()) return;
  TakenFailure taken;
  if (take_failure(failure, guest.codec, taken)) errors->report(errors, taken.c());
}

void GuestCall::put_return(actord_status status, std::int32_t directive, std::string_view failure) {
  begin(Request::returned);
  request_.put(status);
  request_.put(directive);
  request_.put(static_cast<std::uint8_t>(taken_sender != 0 && taken_sender == sender));
  request_.put(static_cast<std::uint8_t>(failure.empty() ? 0 : 1));
  request_.append(failure);
  send();
}

OutsideRequest::OutsideRequest(GuestState& guest, Request request) : guest_(guest) {
  frame_.put(request);
}

void OutsideRequest::send() {
  if (!guest_.surroundings.outside->ask(frame_.bytes(), nullptr)) leave(guest_);
}

FrameReader OutsideRequest::ask() {
  if (!guest_.surroundings.outside->ask(frame_.bytes(), &answer_)) leave(guest_);
  FrameReader answer(answer_);
  static_cast<void>(answer.take<Call>());
  return answer;
}

}  // namespace actord::link
