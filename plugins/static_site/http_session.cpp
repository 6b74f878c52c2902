// SPDX-License-Identifier: Apache-2.0
//
// The only file that includes Beast. Every pending operation owns the session. Every completion
// first checks whether the session has been closed, because an operation that has completed cannot
// be cancelled.
#include "http_session.hpp"

// A file is sent in pieces of this size; each takes one read and one write.
#define BOOST_BEAST_FILE_BUFFER_SIZE 65536

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/file_posix.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/basic_file_body.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/serializer.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "http_date.hpp"
#include "target.hpp"

namespace static_site {
namespace {

namespace http = boost::beast::http;
namespace asio = boost::asio;
using boost::system::error_code;
using FileBody = http::basic_file_body<boost::beast::file_posix>;

/// Limits for what a client may still send after the last answer, before the connection is closed.
constexpr std::chrono::milliseconds linger_timeout{1000};
constexpr std::size_t linger_limit_bytes = 256 * 1024;
constexpr std::size_t read_buffer_bytes = 64 * 1024;

template <class Body>
struct Outgoing {
  http::response<Body> message;
  std::optional<http::response_serializer<Body>> serializer;  // made when the message is complete
};

template <class Body>
void set_head(http::response<Body>& message, const Reply& reply) {
  const auto set = [&message](http::field name, const std::string& value) {
    if (!value.empty()) message.set(name, value);
  };
  message.result(reply.status);
  message.set(http::field::server, "actord");
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  message.set(http::field::date, http_date(now));
  message.set("X-Content-Type-Options", "nosniff");
  set(http::field::content_type, reply.content_type);
  set(http::field::content_language, reply.content_language);
  set(http::field::location, reply.location);
  set(http::field::allow, reply.allow);
  if (reply.last_modified) message.set(http::field::last_modified, http_date(*reply.last_modified));
}

/// Whether the length of the body is told in a way that a proxy before this server reads alike.
/// Else one of the two takes for a body what the other takes for the next request (RFC 9112, 11.2).
template <class Head>
bool is_body_told_clearly(const Head& head) {
  const auto codings = head.count(http::field::transfer_encoding);
  if (codings == 0) return true;
  return codings == 1 && head.version() == 11 && head.count(http::field::content_length) == 0 &&
         boost::beast::iequals(head[http::field::transfer_encoding], "chunked");
}

bool is_http_error(const error_code& error) {
  return error.category() == make_error_code(http::error::bad_version).category();
}

std::uint16_t problem_of(const error_code& error) {
  if (error == http::error::header_limit || error == http::error::buffer_overflow) return 431;
  return error == http::error::bad_version ? 505 : 400;
}

}  // namespace

struct HttpSession::Buffers {
  boost::beast::flat_buffer buffer{read_buffer_bytes};
  std::optional<http::request_parser<http::empty_body>> parser;
  std::array<char, 4096> discarded{};
  std::size_t discarded_bytes = 0;
};

HttpSession::HttpSession(std::uint64_t id, asio::ip::tcp::socket socket,
                         const ServerContext& server_context)
    : id_(id),
      server_context_(server_context),
      socket_(std::move(socket)),
      deadline_(socket_.get_executor()),
      buffers_(std::make_unique<Buffers>()) {
  error_code ignored;  // no delay: an answer is written as a whole
  socket_.set_option(asio::ip::tcp::no_delay{true}, ignored);
}

HttpSession::~HttpSession() = default;

void HttpSession::wait_for_attach() { arm(server_context_.idle_timeout); }

void HttpSession::attach(std::unique_ptr<ConnectionEvents> events) {
  if (phase_ != Phase::unattached) return;
  events_ = std::move(events);
  read();
}

// ---- reading ------------------------------------------------------------------------------------

void HttpSession::read() {
  phase_ = Phase::reading;
  arm(server_context_.idle_timeout);
  buffers_->parser.emplace();
  buffers_->parser->header_limit(header_limit_bytes);
  http::async_read_header(socket_, buffers_->buffer, *buffers_->parser,
                          [self = shared_from_this()](const error_code& error, std::size_t) {
                            if (self->phase_ != Phase::reading) return;
                            self->disarm();
                            if (!error) return self->take_request();
                            const bool is_gone = error == http::error::end_of_stream ||
                                                 error == http::error::partial_message;
                            if (is_gone || !is_http_error(error)) return self->close("client left");
                            self->reject(problem_of(error));
                          });
}

void HttpSession::take_request() {
  const auto& parser = *buffers_->parser;
  const auto& head = parser.get();
  if (head.version() != 10 && head.version() != 11) return reject(505);
  if (head.version() == 11 && head.count(http::field::host) != 1) return reject(400);

  if (!is_body_told_clearly(head)) return reject(400);

  // A body is not read. The connection ends after the answer, so that it is not read as a request.
  const bool has_body = parser.chunked() || parser.content_length().value_or(0) > 0;
  version_ = head.version();
  is_head_ = head.method() == http::verb::head;
  keeps_alive_ = head.keep_alive() && !has_body;

  Request request;
  request.method = head.method_string();
  request.target = ascii_only(head.target());
  request.if_modified_since = ascii_only(head[http::field::if_modified_since]);
  request.ask = server_context_.request_counter.next(request.target);
  phase_ = Phase::answering;
  events_->requested(std::move(request));
}

void HttpSession::reject(std::uint16_t problem) {
  version_ = 11;
  is_head_ = false;
  keeps_alive_ = false;
  Request request;
  request.problem = problem;
  phase_ = Phase::answering;
  events_->requested(std::move(request));
}

// ---- writing ------------------------------------------------------------------------------------

void HttpSession::answer(Reply reply) {
  if (phase_ != Phase::answering) return;
  phase_ = Phase::writing;
  if (is_head_ || reply.status == 304) {
    send<http::empty_body>(std::move(reply));
  } else if (reply.document) {
    send<FileBody>(std::move(reply));
  } else {
    send<http::string_body>(std::move(reply));
  }
}

template <class Body>
void HttpSession::send(Reply reply) {
  auto outgoing = std::make_shared<Outgoing<Body>>();
  auto& message = outgoing->message;
  message.version(version_);
  set_head(message, reply);
  std::uint64_t size_bytes = reply.body_size_bytes();
  if constexpr (std::is_same_v<Body, http::string_body>) {
    message.body() = std::move(reply.body);
  } else if constexpr (std::is_same_v<Body, FileBody>) {
    boost::beast::file_posix file;
    file.native_handle(reply.document->file.release());
    error_code error;
    message.body().reset(std::move(file), error);
    if (error) return close("file cannot be read");
    size_bytes = message.body().size();  // the file may have changed since find()
  }
  if (reply.status != 304) message.content_length(size_bytes);
  message.keep_alive(keeps_alive_);
  outgoing->serializer.emplace(message);
  write(std::move(outgoing));
}

template <class Outgoing>
void HttpSession::write(std::shared_ptr<Outgoing> outgoing) {
  arm(server_context_.idle_timeout);
  auto& serializer = *outgoing->serializer;
  http::async_write_some(
      socket_, serializer,
      [self = shared_from_this(), outgoing](const error_code& error, std::size_t) mutable {
        if (self->phase_ != Phase::writing) return;
        if (error) return self->close("client left");
        if (!outgoing->serializer->is_done()) return self->write(std::move(outgoing));
        self->disarm();
        self->written();
      });
}

void HttpSession::written() {
  if (keeps_alive_ && events_) {
    read();
  } else {
    linger();
  }
}

// ---- ending -------------------------------------------------------------------------------------

// If a socket is closed with unread data, TCP resets the connection, and the client may lose the
// answer. So the sending side is shut down first, and data is read until the client closes.
void HttpSession::linger() {
  phase_ = Phase::lingering;
  error_code error;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, error);
  if (error) return close("client left");
  arm(linger_timeout);
  drain();
}

void HttpSession::drain() {
  socket_.async_read_some(asio::buffer(buffers_->discarded),
                          [self = shared_from_this()](const error_code& error, std::size_t size) {
                            if (self->phase_ != Phase::lingering) return;
                            self->buffers_->discarded_bytes += size;
                            if (error || self->buffers_->discarded_bytes > linger_limit_bytes)
                              return self->close("done");
                            self->drain();
                          });
}

void HttpSession::finish() {
  events_.reset();
  if (phase_ != Phase::writing && phase_ != Phase::lingering) close("finished");
}

void HttpSession::reset() {
  events_.reset();
  error_code ignored;
  socket_.set_option(asio::socket_base::linger{true, 0}, ignored);
  close("reset");
}

void HttpSession::close(std::string_view reason) {
  if (phase_ == Phase::closed) return;
  const auto self = shared_from_this();  // on_gone may drop the last other owner
  phase_ = Phase::closed;
  disarm();
  error_code ignored;
  socket_.close(ignored);
  if (const auto events = std::move(events_)) events->closed(reason);
  server_context_.on_gone(id_);
}

// ---- time ---------------------------------------------------------------------------------------

void HttpSession::arm(std::chrono::milliseconds timeout) {
  deadline_.expires_after(timeout);
  deadline_.async_wait([self = shared_from_this()](const error_code& error) {
    const bool is_due = self->deadline_.expiry() <= std::chrono::steady_clock::now();
    if (!error && is_due) self->close("timed out");
  });
}

void HttpSession::disarm() { deadline_.expires_at(std::chrono::steady_clock::time_point::max()); }

}  // namespace static_site
