// SPDX-License-Identifier: Apache-2.0
//
// From start() to the join, everything in Io runs on the I/O thread; other threads only post.
#include "http_server.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include "http_session.hpp"

namespace static_site {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::milliseconds accept_pause{100};

std::optional<asio::ip::address> loopback_address(const std::string& host) {
  if (host == "localhost") return asio::ip::address_v4::loopback();
  error_code error;
  const asio::ip::address address = asio::ip::make_address(host, error);
  if (error || !address.is_loopback()) return std::nullopt;
  return address;
}

std::string endpoint_text(const asio::ip::address& address, std::uint16_t port) {
  const std::string host = address.is_v6() ? "[" + address.to_string() + "]" : address.to_string();
  return host + ":" + std::to_string(port);
}

// Asio does not set FD_CLOEXEC, and the daemon starts other programs.
void close_on_exec(int descriptor) { ::fcntl(descriptor, F_SETFD, FD_CLOEXEC); }

// While it exists, new threads start with signals blocked, because the daemon handles them. Signals
// that a fault of the thread raises are not blocked.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t blocked;
    sigfillset(&blocked);
    for (const int fault : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS}) {
      sigdelset(&blocked, fault);
    }
    pthread_sigmask(SIG_SETMASK, &blocked, &before_);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

}  // namespace

struct HttpServer::Io {
  explicit Io(const Options& o)
      : options(o),
        server_context{o.idle_timeout, request_counter, [this](std::uint64_t id) { forget(id); }} {}

  void listen(const asio::ip::address& address);
  void run();
  void accept();
  void take(tcp::socket socket);
  void forget(std::uint64_t id);
  void begin_stop();
  void cut_off_all();
  std::vector<std::shared_ptr<HttpSession>> open_sessions() const;

  /// Runs `act(session)` on the I/O thread if that connection is still open, else `otherwise()`.
  template <class Act, class Otherwise>
  void post(std::uint64_t id, Act act, Otherwise otherwise) {
    if (is_stopped) return;  // the I/O thread has ended: a handler would never run
    asio::post(context,
               [this, id, act = std::move(act), otherwise = std::move(otherwise)]() mutable {
                 const auto found = sessions.find(id);
                 if (found == sessions.end()) return otherwise();
                 const std::shared_ptr<HttpSession> session = found->second;
                 act(*session);
               });
  }
  template <class Act>
  void post(std::uint64_t id, Act act) {
    post(id, std::move(act), [] {});
  }

  const Options options;
  asio::io_context context{1};  // first, so that the members below are destroyed before it
  RequestCounter request_counter;
  HttpSession::ServerContext server_context;
  std::unique_ptr<ServerEvents> events;
  asio::executor_work_guard<asio::io_context::executor_type> work{context.get_executor()};
  tcp::acceptor acceptor{context};
  asio::steady_timer pause{context};
  std::unordered_map<std::uint64_t, std::shared_ptr<HttpSession>> sessions;
  std::uint64_t last_id = 0;
  bool is_accepting = false;
  bool has_trouble = false;
  bool is_stopping = false;
  std::atomic<bool> is_stopped{false};
};

void HttpServer::Io::listen(const asio::ip::address& address) {
  const auto check = [&](const error_code& error) {
    if (!error) return;
    throw std::system_error(error.value(), std::system_category(),
                            "cannot listen on " + endpoint_text(address, options.port));
  };
  const tcp::endpoint endpoint{address, options.port};
  error_code error;
  check(acceptor.open(endpoint.protocol(), error));
  close_on_exec(acceptor.native_handle());
  check(acceptor.set_option(tcp::acceptor::reuse_address{true}, error));
  check(acceptor.bind(endpoint, error));
  check(acceptor.listen(tcp::acceptor::max_listen_connections, error));
}

void HttpServer::Io::run() {
  try {
    accept();
    context.run();
  } catch (const std::exception& failure) {
    events->failed(failure.what());
  }
}

void HttpServer::Io::accept() {
  if (is_accepting || is_stopping || sessions.size() >= options.max_connections) return;
  is_accepting = true;
  acceptor.async_accept([this](const error_code& error, tcp::socket socket) {
    is_accepting = false;
    if (is_stopping) return;
    if (!error) {
      has_trouble = false;
      take(std::move(socket));
      return accept();
    }
    if (error == asio::error::connection_aborted) return accept();
    if (!std::exchange(has_trouble, true)) events->accepting_failed(error.message());
    pause.expires_after(accept_pause);
    pause.async_wait([this](const error_code& cancelled) {
      if (!cancelled) accept();
    });
  });
}

void HttpServer::Io::take(tcp::socket socket) {
  close_on_exec(socket.native_handle());
  error_code error;
  const tcp::endpoint peer = socket.remote_endpoint(error);
  if (error) return;  // the client has already left
  const std::uint64_t id = ++last_id;
  const auto session = std::make_shared<HttpSession>(id, std::move(socket), server_context);
  sessions.emplace(id, session);
  session->wait_for_attach();
  events->accepted(id, endpoint_text(peer.address(), peer.port()));
}

void HttpServer::Io::forget(std::uint64_t id) {
  sessions.erase(id);
  if (!is_stopping) {
    accept();
  } else if (sessions.empty()) {
    context.stop();
  }
}

void HttpServer::Io::begin_stop() {
  is_stopping = true;
  error_code ignored;
  acceptor.close(ignored);
  for (const auto& session : open_sessions()) session->finish();
  if (sessions.empty()) return context.stop();
  pause.expires_after(options.grace);
  pause.async_wait([this](const error_code& cancelled) {
    if (!cancelled) cut_off_all();
  });
}

void HttpServer::Io::cut_off_all() {
  for (const auto& session : open_sessions()) session->reset();
}

// A copy of the list, because a session that closes removes itself from the list.
std::vector<std::shared_ptr<HttpSession>> HttpServer::Io::open_sessions() const {
  std::vector<std::shared_ptr<HttpSession>> open;
  open.reserve(sessions.size());
  for (const auto& [id, session] : sessions) open.push_back(session);
  return open;
}

bool HttpServer::is_loopback(const std::string& host) { return loopback_address(host).has_value(); }

HttpServer::HttpServer(const Options& options) {
  const std::optional<asio::ip::address> address = loopback_address(options.host);
  if (!address) throw std::invalid_argument("not a loopback address: " + options.host);
  io_ = std::make_unique<Io>(options);
  io_->listen(*address);
  address_ = address->to_string();
  port_ = io_->acceptor.local_endpoint().port();
}

HttpServer::~HttpServer() { stop(); }

void HttpServer::start(std::unique_ptr<ServerEvents> events) {
  io_->events = std::move(events);
  const SignalsBlocked deaf;
  thread_ = std::thread([io = io_.get()] { io->run(); });
  pthread_setname_np(thread_.native_handle(), "static_site");
}

void HttpServer::stop() {
  if (thread_.joinable()) {
    asio::post(io_->context, [io = io_.get()] { io->begin_stop(); });
    thread_.join();
  }
  io_->is_stopped = true;
  // Closes what is left if there was no thread, or if it ended with an exception.
  io_->is_stopping = true;
  error_code ignored;
  io_->acceptor.close(ignored);
  io_->cut_off_all();
  io_->events.reset();
}

void HttpServer::attach(std::uint64_t connection, std::unique_ptr<ConnectionEvents> events) {
  // Shared by two functions, of which only one is called.
  const auto held = std::make_shared<std::unique_ptr<ConnectionEvents>>(std::move(events));
  io_->post(
      connection, [held](HttpSession& session) { session.attach(std::move(*held)); },
      [held] { (*held)->closed("gone before it was attended to"); });
}

void HttpServer::answer(std::uint64_t connection, Reply reply) {
  io_->post(connection, [reply = std::move(reply)](HttpSession& session) mutable {
    session.answer(std::move(reply));
  });
}

void HttpServer::finish(std::uint64_t connection) {
  io_->post(connection, [](HttpSession& session) { session.finish(); });
}

void HttpServer::reset(std::uint64_t connection) {
  io_->post(connection, [](HttpSession& session) { session.reset(); });
}

}  // namespace static_site
