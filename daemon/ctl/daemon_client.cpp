// SPDX-License-Identifier: Apache-2.0
#include "ctl/daemon_client.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <ostream>

#include "base/duration_text.hpp"
#include "config/json_forms.hpp"
#include "config/running_daemon.hpp"
#include "ctl/access_help.hpp"
#include "ctl/quantity_option.hpp"
#include "ctl/verb_failure.hpp"
#include "hocon/units.hpp"
#include "os/files.hpp"
#include "os/local_socket.hpp"
#include "os/process.hpp"
#include "wire/frame.hpp"

namespace actord::ctl {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::nanoseconds timeout_default = std::chrono::minutes{1};

/// One limit for everything from the connecting to the last answer.
struct TimeLimit {
  explicit TimeLimit(std::chrono::nanoseconds limit)
      : timeout(std::min<std::chrono::nanoseconds>(limit, std::chrono::hours{24 * 365})),
        deadline(Clock::now() + timeout) {}

  std::chrono::nanoseconds left() const {
    return std::max<std::chrono::nanoseconds>(deadline - Clock::now(),
                                              std::chrono::milliseconds{1});
  }

  std::chrono::nanoseconds timeout;
  Clock::time_point deadline;
};

NoAnswer timed_out(const TimeLimit& limit) {
  return {Exit::busy,
          "the daemon did not answer within " + base::duration_text(limit.timeout.count()),
          "--timeout DURATION waits longer"};
}

/// The group of the socket, or of its directory if the socket does not exist.
gid_t socket_group(const std::string& path) {
  const gid_t group = os::group_of(path);
  return group == os::no_group ? os::group_of(path.substr(0, path.rfind('/'))) : group;
}

NoAnswer no_daemon(const std::vector<std::string>& paths) {
  std::string where;
  for (const std::string& path : paths) where += (where.empty() ? " at " : " or ") + path;
  return {Exit::unreachable, "no daemon answers" + where,
          "is actord running? systemctl status actord; where another socket is configured "
          "(actord.admin.socket), name it: --socket PATH"};
}

}  // namespace

class DaemonClient::Connection {
 public:
  Connection(os::Descriptor socket, const TimeLimit& limit)
      : socket_(loop_, boost::asio::local::stream_protocol(), socket.release()), limit_(limit) {}

  base::Result<wire::Reply, NoAnswer> ask(const wire::Request& request, const AnswerShape& shape,
                                          const OnProgress& on_progress) {
    const std::string text = wire::text_of(request);
    if (text.size() > wire::text_size_max)
      return NoAnswer{Exit::usage, "the request is too long", {}};
    const std::string frame = wire::framed(text);
    std::optional<Done> done;
    boost::asio::async_write(socket_, boost::asio::buffer(frame),
                             [&](boost::system::error_code error, std::size_t size) {
                               done = {error, size};
                             });
    // A daemon that rejects a request says why before it closes the connection, so an incomplete
    // send is no reason to stop reading.
    const bool is_sent = finish(done);
    if (is_given_up_) return wire::Reply{};
    if (!is_sent) return timed_out(limit_);
    while (true) {
      auto answer = read_answer();
      if (is_given_up_) return wire::Reply{};
      if (!answer) return answer.error();
      if (auto* reply = std::get_if<wire::Reply>(&*answer)) {
        const std::string wrong = reply_error(*reply, request, shape);
        if (!wrong.empty()) return not_understood(wrong);
        return std::move(*reply);
      }
      const auto& progress = std::get<wire::Progress>(*answer);
      if (waits_on_) limit_ = TimeLimit(limit_.timeout);
      if (on_progress && !on_progress(progress.what)) return wire::Reply{};
    }
  }

  void wait_on_while_there_is_progress() { waits_on_ = true; }
  void wait_until_readable(int fd) { other_.assign(::dup(fd)); }

 private:
  struct Done {
    boost::system::error_code error;
    std::size_t size = 0;
  };

  base::Result<wire::Answer, NoAnswer> read_answer() {
    while (true) {
      auto text = reader_.next();
      if (!text) return not_understood(text.error().what);
      if (*text) {
        auto answer = wire::read_answer(**text);
        if (!answer) return not_understood(answer.error().what);
        return std::move(answer).value();
      }
      std::optional<Done> done;
      socket_.async_read_some(boost::asio::buffer(buffer_),
                              [&](boost::system::error_code error, std::size_t size) {
                                done = {error, size};
                              });
      if (!finish(done)) return timed_out(limit_);
      if (done->error) {
        return NoAnswer{Exit::unreachable,
                        "the daemon closed the connection before it had answered",
                        "has it stopped? systemctl status actord"};
      }
      reader_.add({buffer_.data(), done->size});
    }
  }

  /// Waits for one operation; false: the deadline has passed, or the other descriptor can be read,
  /// and the operation was cancelled.
  bool finish(const std::optional<Done>& done) {
    loop_.restart();
    if (other_.is_open()) {
      other_.async_wait(boost::asio::posix::descriptor_base::wait_read,
                        [&](boost::system::error_code error) { is_given_up_ |= !error; });
    }
    while (!done && !is_given_up_ && loop_.run_one_until(limit_.deadline) != 0) {}
    if (other_.is_open()) other_.cancel();
    if (done) return true;
    socket_.close();
    loop_.restart();
    loop_.poll();
    return false;
  }

  /// What is wrong with a reply; empty: nothing. The statuses are those of actord (sysexits(3)),
  /// and that of an ask which was answered with a failure. A reply that rejects the client or a
  /// malformed request has id 0.
  static std::string reply_error(const wire::Reply& reply, const wire::Request& request,
                                 const AnswerShape& shape) {
    const bool is_rejection = reply.id == 0 && reply.status != 0;
    if (reply.id != request.id && !is_rejection) return "an answer to another request";
    const bool is_known = reply.status == static_cast<int>(Exit::differs) ||
                          (reply.status >= static_cast<int>(Exit::usage) &&
                           reply.status <= static_cast<int>(Exit::config_wrong));
    if (reply.status != 0)
      return is_known ? "" : "there is no status " + std::to_string(reply.status);
    return shape_error(reply.result, shape);
  }

  boost::asio::io_context loop_{1};
  boost::asio::local::stream_protocol::socket socket_;
  boost::asio::posix::stream_descriptor other_{loop_};
  bool is_given_up_ = false, waits_on_ = false;
  TimeLimit limit_;
  wire::FrameReader reader_;
  std::array<char, 65536> buffer_{};
};

DaemonClient::DaemonClient(std::unique_ptr<Connection> connection)
    : connection_(std::move(connection)) {}
DaemonClient::DaemonClient(DaemonClient&&) noexcept = default;
DaemonClient::~DaemonClient() = default;

base::Result<DaemonClient, NoAnswer> DaemonClient::connect(const std::vector<std::string>& paths,
                                                           std::chrono::nanoseconds timeout) {
  const TimeLimit limit(timeout);
  for (const std::string& path : paths) {
    auto socket = os::connect_to(path, limit.left());
    if (socket) return DaemonClient(std::make_unique<Connection>(std::move(*socket), limit));
    const os::SystemError& error = socket.error();
    if (error.number == EAGAIN) return timed_out(limit);
    if (error.is_not_permitted())
      return NoAnswer{Exit::not_permitted, error.what, access_help(socket_group(path))};
    if (error.number != ENOENT && error.number != ENOTDIR && error.number != ECONNREFUSED)
      return NoAnswer{Exit::unreachable, error.what, {}};
  }
  return no_daemon(paths);
}

void DaemonClient::wait_until_readable(int fd) { connection_->wait_until_readable(fd); }

void DaemonClient::wait_on_while_there_is_progress() {
  connection_->wait_on_while_there_is_progress();
}

base::Result<wire::Reply, NoAnswer> DaemonClient::ask(const std::string& verb, wire::Json arguments,
                                                      const AnswerShape& shape,
                                                      const OnProgress& on_progress) {
  return connection_->ask({1, verb, std::move(arguments)}, shape, on_progress);
}

NoAnswer DaemonClient::not_understood(const std::string& why) {
  return {Exit::unreachable, "the answer is not understood: " + why,
          "are actorctl and actord of the same version?"};
}

std::vector<std::string> socket_paths(const Call& call) {
  if (call.has("socket")) return {call.value("socket")};
  if (auto named = os::environment_variable("ACTORD_SOCKET"); named && !named->empty())
    return {*named};
  std::vector<std::string> paths(std::begin(config::service_sockets),
                                 std::end(config::service_sockets));
  if (const auto state = os::environment_variable("XDG_STATE_HOME");
      state && state->starts_with('/'))
    paths.push_back(*state + "/actord/actord.sock");
  else if (const auto home = os::environment_variable("HOME"); home && home->starts_with('/'))
    paths.push_back(*home + "/.local/state/actord/actord.sock");
  return paths;
}

std::optional<DaemonClient> connect(const Call& call, Exit& exit) {
  const auto timeout = duration_option(call, "timeout", timeout_default,
                                       {.least = std::chrono::nanoseconds{1}}, exit);
  if (!timeout) return std::nullopt;
  auto client = DaemonClient::connect(socket_paths(call), *timeout);
  if (client) return std::move(client).value();
  check_reply(call, client.error(), exit);
  return std::nullopt;
}

std::chrono::milliseconds timeout_of_daemon(const Call& call) {
  constexpr std::int64_t for_the_way_ms = 500, most_ms = 365LL * 24 * 3600 * 1000;
  const auto given = hocon::parse_duration_ns(call.value("timeout"));  // connect() refuses others
  const std::int64_t all_ms = (given ? *given : timeout_default.count()) / 1'000'000;
  return std::chrono::milliseconds{
      std::clamp<std::int64_t>(std::max(all_ms - for_the_way_ms, all_ms / 2), 1, most_ms)};
}

bool check_reply(const Call& call, const base::Result<wire::Reply, NoAnswer>& reply, Exit& exit) {
  if (reply && reply->status == 0) return true;
  exit = reply ? static_cast<Exit>(reply->status) : reply.error().exit;
  Failure failure{exit, reply ? reply->error : reply.error().what};
  if (!reply) failure.help = reply.error().help;
  if (reply && reply->result.is_object()) {
    failure.findings = config::findings_of(reply->result.value("findings", wire::Json()));
    const auto help = reply->result.find("help");
    if (help != reply->result.end() && help->is_string()) failure.help = help->get<std::string>();
    failure.more = reply->result;
  }
  report_failure(call, failure);
  return false;
}

std::optional<wire::Json> ask_daemon(const Call& call, const std::string& verb,
                                     wire::Json arguments, const AnswerShape& shape, Exit& exit) {
  auto client = connect(call, exit);
  if (!client) return std::nullopt;
  auto reply = client->ask(verb, std::move(arguments), shape);
  if (!check_reply(call, reply, exit)) return std::nullopt;
  return std::move(reply->result);
}

}  // namespace actord::ctl
