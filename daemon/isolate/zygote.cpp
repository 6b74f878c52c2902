// SPDX-License-Identifier: Apache-2.0
#include "isolate/zygote.hpp"

#include <charconv>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "isolate/host_steps.hpp"
#include "os/packet_socket.hpp"

namespace actord::isolate {

namespace {

// A fork takes a fraction of a millisecond. After that time the zygote counts as stopped.
constexpr std::int64_t answer_limit_ns = base::ns_per_s;

/// The process that a zygote says it has made; 0: it cannot. nullopt: it says nothing of the kind.
std::optional<int> forked_id(int socket) {
  if (!os::wait_for_packet(socket, answer_limit_ns)) return std::nullopt;
  auto packet = os::receive_packet(socket, 0);
  if (!packet) return std::nullopt;
  StepReader reader;
  const auto step = reader.take(std::move(*packet));
  if (!step || !*step || (*step)->kind != StepKind::forked) return std::nullopt;
  const std::string& text = (*step)->text;
  int id = 0;
  std::from_chars(text.data(), text.data() + text.size(), id);
  return id;
}

}  // namespace

bool Zygote::begin(const std::string& executable) {
  if (process_ && executable == executable_) return true;
  end();
  auto sockets = os::packet_sockets();
  if (!sockets) return false;
  auto process = os::WatchedProcess::start({.executable = executable,
                                            .arguments = {std::string{zygote_argument}},
                                            .inherited = sockets->far_end.get()});
  if (!process) return false;
  process_.emplace(std::move(*process));
  socket_ = std::move(sockets->near_end);
  executable_ = executable;
  return true;
}

void Zygote::end() noexcept {
  process_.reset();
  socket_ = os::Descriptor{};
}

bool Zygote::ask(const std::string& executable, const std::string& plugin, int socket) {
  if (!can_fork_ || !begin(executable)) return false;
  const std::vector<std::string> packets = packets_of(StepKind::fork, plugin);
  const int descriptors[] = {socket};
  if (packets.size() == 1 && os::send_packet(socket_.get(), packets.front(), descriptors) == 0)
    return true;
  end();
  return false;
}

std::optional<os::WatchedProcess> Zygote::answer() {
  const std::optional<int> id = forked_id(socket_.get());
  if (id && *id > 0) {
    if (auto host = os::WatchedProcess::of_child(*id)) return std::move(*host);
  }
  if (id == 0) can_fork_ = false;
  end();
  return std::nullopt;
}

}  // namespace actord::isolate
