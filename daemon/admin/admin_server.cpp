// SPDX-License-Identifier: Apache-2.0
#include "admin/admin_server.hpp"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include "admin/peer_fields.hpp"
#include "base/clock.hpp"
#include "base/counted.hpp"

namespace actord::admin {

namespace {

/// The uid that a user namespace shows for every user that is not mapped in it. It identifies no
/// user.
constexpr uid_t overflow_user = 65534;

constexpr int status_busy = 75;
constexpr int status_not_permitted = 77;

/// Pause after a failed accept(). The process may be out of descriptors, and an immediate retry
/// would spin.
constexpr std::chrono::milliseconds retry_after{200};

/// The least time between two lines about it.
constexpr std::int64_t failure_interval_ns = 10 * base::ns_per_s;

using Protocol = boost::asio::local::stream_protocol;

}  // namespace

struct Server::Acceptor : Protocol::acceptor {
  using Protocol::acceptor::acceptor;
};

Server::Server(os::EventLoop& loop, log::Hub& hub, Handler handler, ServerLimits limits)
    : loop_(loop),
      hub_(hub),
      handler_(std::move(handler)),
      limits_(limits),
      acceptor_(std::make_unique<Acceptor>(loop)),
      retry_timer_(loop) {}

Server::~Server() { close(); }

base::Result<void, os::SystemError> Server::open(const std::string& path) {
  auto listening = os::listen_at(path);
  if (!listening) return listening.error();
  path_ = path;
  acceptor_->assign(Protocol(), listening->release());
  accept();
  return {};
}

void Server::open(os::Descriptor listening, const std::string& path) {
  path_ = path;
  is_passed_ = true;
  acceptor_->assign(Protocol(), listening.release());
  accept();
}

void Server::close() {
  if (!acceptor_->is_open()) return;
  // Clients wait at the service manager's socket for the next actord.
  if (!is_passed_) os::remove_socket(path_, acceptor_->native_handle());
  boost::system::error_code ignored;
  acceptor_->close(ignored);
  retry_timer_.cancel();
  for (const auto& client : clients_) client->close();
  clients_.clear();
}

void Server::accept() {
  acceptor_->async_accept([this](boost::system::error_code error, Protocol::socket socket) {
    if (!acceptor_->is_open() || error == boost::asio::error::operation_aborted) return;
    if (!error) {
      os::close_on_exec(socket.native_handle());
      admit(os::Descriptor(socket.release()));
      return accept();
    }
    log_accept_failure(error.message());
    retry_timer_.start(retry_after, [this] { accept(); });
  });
}

void Server::admit(os::Descriptor socket) {
  const auto peer = os::peer_of(socket.get());
  if (!peer) return;  // closes the socket
  std::erase_if(clients_, [](const auto& client) { return client->is_closed(); });
  const bool has_access = is_allowed(*peer);
  const auto client =
      std::make_shared<Session>(loop_, std::move(socket), *peer, limits_.client_timeout, handler_);
  if (!has_access) {
    log_denied(*peer);
    return client->close_with_error(status_not_permitted,
                                    os::user_name(peer->uid) +
                                        " may not use this socket: it is for root, " +
                                        os::user_name(os::own_user()) + " and the group " +
                                        os::group_name(os::group_of(path_)));
  }
  if (clients_of(peer->uid) >= limits_.clients_per_user_max)
    close_idle_client([&](const Session& each) { return each.peer().uid == peer->uid; });
  if (clients_of(peer->uid) >= limits_.clients_per_user_max) {
    return client->close_with_error(
        status_busy, os::user_name(peer->uid) + " has " +
                         base::counted(limits_.clients_per_user_max, "client") +
                         " waiting for answers, which is the most for one user: try again");
  }
  if (clients_.size() >= limits_.clients_max)
    close_idle_client([](const Session&) { return true; });
  if (clients_.size() >= limits_.clients_max) {
    return client->close_with_error(
        status_busy, base::counted(clients_.size(), "client") +
                         std::string{base::by_number(clients_.size(), " is", " are")} +
                         " already waiting for answers: try again");
  }
  clients_.push_back(client);
  client->start();
}

std::size_t Server::clients_of(uid_t user) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      clients_, [user](const auto& each) { return each->peer().uid == user; }));
}

template <class IsMeant>
void Server::close_idle_client(IsMeant is_meant) {
  const auto idle = std::ranges::find_if(
      clients_, [&](const auto& client) { return client->is_idle() && is_meant(*client); });
  if (idle == clients_.end()) return;
  // The client may be about to send a request, so it gets a reply that says why.
  (*idle)->close_with_error(status_busy,
                            "too many clients: this connection was idle and is closed");
  clients_.erase(idle);
}

bool Server::is_allowed(const os::Peer& peer) const {
  const uid_t own = os::own_user();
  if (peer.uid == 0 || peer.uid == own) return true;
  return peer.uid != overflow_user && peer.is_in_group(os::group_of(path_));
}

void Server::log_denied(const os::Peer& peer) {
  const PeerFields denied(peer);
  std::vector<log::Field> fields;
  denied.add_to(fields);
  hub_.shared().audit(log::Level::warning, "admin.denied", "a client may not use the admin socket",
                      fields, log::Class::best_effort);
}

void Server::log_accept_failure(const std::string& error) {
  const std::int64_t now_ns = base::monotonic_ns();
  if (failure_logged_ns_ && now_ns - *failure_logged_ns_ < failure_interval_ns) return;
  failure_logged_ns_ = now_ns;
  hub_.shared().emit(log::Level::warning, "admin.accept-failed",
                     "a client of the admin socket cannot be connected",
                     {{"admin.socket", path_}, {"admin.error", error}});
}

}  // namespace actord::admin
