// SPDX-License-Identifier: Apache-2.0
#include "host/control_channel.hpp"

#include <cerrno>
#include <utility>

#include "host/host_end_note.hpp"
#include "os/packet_socket.hpp"
#include "os/process.hpp"

namespace actord::host {

namespace {

/// actord is gone, or has closed the connection; or the plugin has.
[[noreturn]] void end_without_actord(int error) {
  if (error != 0 && error != EPIPE && error != ECONNRESET) note_lost_connection();
  os::exit_at_once(0);
}

}  // namespace

bool ControlChannel::ask(std::string_view request, std::string* answer) {
  const std::lock_guard asking(ask_mutex_);
  send(answer != nullptr ? isolate::StepKind::ask : isolate::StepKind::tell, request);
  if (answer == nullptr) return true;
  std::unique_lock lock(mutex_);
  answered_.wait(lock, [this] { return answer_.has_value(); });
  *answer = std::move(*answer_);
  answer_.reset();
  return true;
}

void ControlChannel::send(isolate::StepKind kind, std::string_view text) {
  const std::lock_guard lock(send_mutex_);
  for (const std::string& packet : isolate::packets_of(kind, text)) {
    if (const int error = os::send_packet(socket_, packet)) end_without_actord(error);
  }
}

isolate::Step ControlChannel::next() {
  for (;;) {
    auto packet = os::receive_packet(socket_, 2);
    if (!packet) end_without_actord(packet.error().number);
    if (packet->bytes.empty()) end_without_actord(0);
    auto step = reader_.take(std::move(*packet));
    if (!step) end_without_actord(EPROTO);
    if (!*step) continue;
    if ((*step)->kind != isolate::StepKind::answer) return std::move(**step);
    {
      const std::lock_guard lock(mutex_);
      answer_ = std::move((*step)->text);
    }
    answered_.notify_one();
  }
}

}  // namespace actord::host
