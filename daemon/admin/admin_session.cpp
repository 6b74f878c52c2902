// SPDX-License-Identifier: Apache-2.0
#include "admin/admin_session.hpp"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/write.hpp>

namespace actord::admin {

namespace {

constexpr int status_bad_request = 64;
constexpr int status_internal_error = 70;

/// Limit for frames that wait to be written. A reply and its progress messages fit many times over.
constexpr std::size_t outbox_bytes_max = 4 * wire::text_size_max;

std::string frame_of(const wire::Reply& reply) {
  std::string text = wire::text_of(reply);
  if (text.size() > wire::text_size_max) {
    text = wire::text_of(wire::Reply{
        reply.id, status_internal_error, "the answer is longer than a frame may be", {}});
  }
  return wire::framed(text);
}

}  // namespace

void Responder::progress(wire::Json what) const {
  auto session = session_.lock();
  if (!session) return;
  os::EventLoop& loop = session->loop_;
  os::post(loop, [self = std::move(session), progress = wire::Progress{request_, std::move(what)}] {
    if (self->is_closed()) return;
    const std::string text = wire::text_of(progress);
    if (text.size() <= wire::text_size_max) self->send(wire::framed(text));
  });
}

void Responder::reply(wire::Reply reply) const {
  auto session = session_.lock();
  if (!session) return;
  reply.id = request_;
  os::EventLoop& loop = session->loop_;
  os::post(loop, [self = std::move(session), reply = std::move(reply)] {
    if (!self->is_closed()) self->finish(reply);
  });
}

struct Session::Socket {
  using Protocol = boost::asio::local::stream_protocol;

  Socket(os::EventLoop& loop, os::Descriptor connected)
      : stream(loop, Protocol(), connected.release()) {}

  Protocol::socket stream;
  std::array<char, 16384> buffer{};
};

Session::Session(os::EventLoop& loop, os::Descriptor socket, const os::Peer& peer,
                 std::chrono::milliseconds timeout, const Handler& handler)
    : loop_(loop),
      socket_(std::make_unique<Socket>(loop, std::move(socket))),
      peer_(peer),
      timeout_(timeout),
      handler_(handler),
      deadline_(loop) {}

Session::~Session() = default;

bool Session::is_closed() const noexcept { return !socket_->stream.is_open(); }

void Session::start() {
  restart_deadline();
  read();
}

void Session::close_with_error(int status, std::string why) {
  is_closing_ = true;
  restart_deadline();
  send(frame_of({0, status, std::move(why), {}}));
}

void Session::close() {
  boost::system::error_code ignored;
  socket_->stream.close(ignored);
  deadline_.cancel();
}

// ---- in -----------------------------------------------------------------------------------------

void Session::read() {
  socket_->stream.async_read_some(
      boost::asio::buffer(socket_->buffer),
      [self = shared_from_this()](boost::system::error_code error, std::size_t size) {
        if (error) return self->close();
        self->reader_.add({self->socket_->buffer.data(), size});
        self->handle_next_request();
      });
}

void Session::handle_next_request() {
  if (is_handling_ || is_closing_ || is_closed()) return;
  const auto text = reader_.next();
  if (!text) return close_with_error(status_bad_request, text.error().what);
  if (!*text) return read();
  const auto request = wire::read_request(**text);
  if (!request) return close_with_error(status_bad_request, request.error().what);
  is_handling_ = true;
  deadline_.cancel();
  handler_(*request, peer_, Responder(weak_from_this(), request->id));
}

// ---- out ----------------------------------------------------------------------------------------

void Session::finish(const wire::Reply& reply) {
  if (!is_handling_) return;
  is_handling_ = false;
  restart_deadline();
  send(frame_of(reply));
}

void Session::send(std::string frame) {
  if (is_closed()) return;
  outbox_bytes_ += frame.size();
  if (outbox_bytes_ > outbox_bytes_max) return close();
  outbox_.push_back(std::move(frame));
  if (outbox_.size() == 1) write();
}

void Session::write() {
  boost::asio::async_write(
      socket_->stream, boost::asio::buffer(outbox_.front()),
      [self = shared_from_this()](boost::system::error_code error, std::size_t /*size*/) {
        if (error) return self->close();
        self->outbox_bytes_ -= self->outbox_.front().size();
        self->outbox_.pop_front();
        if (!self->outbox_.empty()) return self->write();
        if (self->is_closing_) return self->close();
        if (self->is_handling_) return;
        self->restart_deadline();
        self->handle_next_request();  // the next request may already be buffered
      });
}

/// Starts the client's time limit (`timeout_`) again; the time used so far no longer counts.
void Session::restart_deadline() {
  deadline_.start(timeout_, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->close();
  });
}

}  // namespace actord::admin
