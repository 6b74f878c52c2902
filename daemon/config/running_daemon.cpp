// SPDX-License-Identifier: Apache-2.0
#include "config/running_daemon.hpp"

#include "base/clock.hpp"
#include "os/local_socket.hpp"
#include "wire/frame.hpp"

namespace actord::config {

using std::chrono::nanoseconds;
using wire::Json;

namespace {

class Conversation {
 public:
  Conversation(os::Descriptor socket, nanoseconds timeout)
      : socket_(std::move(socket)), until_ns_(base::monotonic_ns() + timeout.count()) {}

  /// The reply to a request; nullopt: there is none, or it is an error.
  std::optional<wire::Reply> ask(const std::string& verb, Json arguments) {
    const std::string request = wire::text_of(wire::Request{1, verb, std::move(arguments)});
    if (left() <= nanoseconds{0}) return std::nullopt;
    if (!os::send_all(socket_.get(), wire::framed(request), left())) return std::nullopt;
    while (true) {
      auto text = reader_.next();
      if (!text) return std::nullopt;
      if (*text) {
        const auto answer = wire::read_answer(**text);
        if (!answer) return std::nullopt;
        const auto* const reply = std::get_if<wire::Reply>(&*answer);
        if (reply == nullptr) continue;
        return reply->status == 0 ? std::optional{*reply} : std::nullopt;
      }
      if (left() <= nanoseconds{0}) return std::nullopt;
      const auto bytes = os::receive(socket_.get(), left());
      if (!bytes || bytes->empty()) return std::nullopt;
      reader_.add(*bytes);
    }
  }

 private:
  nanoseconds left() const { return nanoseconds{until_ns_ - base::monotonic_ns()}; }

  os::Descriptor socket_;
  std::int64_t until_ns_;
  wire::FrameReader reader_;
};

/// Adds the values of one reply. Returns the index to go on at; nullopt: these were the last.
std::optional<std::size_t> add_values(const Json& result, std::map<std::string, Json>& values) {
  if (!result.is_object() || !result.contains("values")) return std::nullopt;
  for (const Json& each : result["values"]) {
    if (each.is_object() && each.contains("key") && each["key"].is_string() &&
        each.contains("value"))
      values.emplace(each["key"].get<std::string>(), each["value"]);
  }
  const auto next = result.find("next");
  if (next == result.end() || !next->is_number_unsigned()) return std::nullopt;
  return next->get<std::size_t>();
}

}  // namespace

std::optional<RunningDaemon> ask_running_daemon(const std::string& socket, nanoseconds timeout) {
  auto connected = os::connect_to(socket, timeout);
  if (!connected) return std::nullopt;
  const auto peer = os::peer_of(connected->get());
  if (!peer) return std::nullopt;
  RunningDaemon daemon{peer->uid, {}};
  Conversation conversation(std::move(connected).value(), timeout);
  for (std::optional<std::size_t> from = 0; from;) {
    const auto reply = conversation.ask("config.show", {{"from", *from}});
    if (!reply) return std::nullopt;
    const auto next = add_values(reply->result, daemon.values);
    from = next && *next > *from ? next : std::nullopt;
  }
  return daemon;
}

}  // namespace actord::config
