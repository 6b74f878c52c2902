// SPDX-License-Identifier: Apache-2.0
#include "web/web_server.hpp"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/version.hpp>
#include <optional>
#include <string_view>
#include <utility>

namespace actord::web {

namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::asio::ip::tcp;

namespace {

constexpr std::chrono::milliseconds retry_after{200};

/// The host of "name:port", "[::1]:port" or "name".
std::string_view without_port(std::string_view host) {
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

HttpReply refusal(http::status status, std::string why) {
  return {static_cast<unsigned>(status), HttpReply{}.content_type, std::move(why) + '\n'};
}

}  // namespace

struct WebServer::Acceptor : tcp::acceptor {
  using tcp::acceptor::acceptor;
};

/// One client. Pending operations keep it alive.
class WebServer::Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket socket, const WebServer& server)
      : stream_(std::move(socket)), server_(server) {}

  void read() {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(server_.limits_.header_bytes_max));
    parser_->body_limit(std::uint64_t{0});
    stream_.expires_after(server_.limits_.client_timeout);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](beast::error_code error, std::size_t) {
                       self->on_read(error);
                     });
  }

  void close() {
    beast::error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_both, ignored);
    stream_.close();
  }

  /// Answers without having read a request.
  void refuse(http::status status, const std::string& why) {
    is_last_ = true;
    write(refusal(status, why));
  }

 private:
  void on_read(beast::error_code error) {
    if (error == http::error::end_of_stream || error == beast::error::timeout ||
        error == boost::asio::error::operation_aborted)
      return close();
    if (error == http::error::header_limit || error == http::error::buffer_overflow)
      return refuse(http::status::request_header_fields_too_large, "the headers are too long");
    if (error == http::error::body_limit)
      return refuse(http::status::payload_too_large, "a request has no body here");
    if (error && error.category() == http::make_error_code(http::error::bad_method).category())
      return refuse(http::status::bad_request, "this is no HTTP request: " + error.message());
    if (error) return close();
    answer();
  }

  void answer() {
    const auto& request = parser_->get();
    version_ = request.version();
    is_last_ = !request.keep_alive();
    is_head_ = request.method() == http::verb::head;
    if (request.method() != http::verb::get && !is_head_)
      return write(refusal(http::status::method_not_allowed, "only GET and HEAD are answered"));
    if (request.find(http::field::origin) != request.end())
      return write(refusal(http::status::forbidden, "pages of other sites get no answer"));
    if (!server_.is_own_host(request[http::field::host]))
      return write(refusal(http::status::misdirected_request,
                           "the host of the request is none of actord.http.hosts"));
    const std::string_view target = request.target();
    if (!target.starts_with('/'))
      return write(refusal(http::status::bad_request, "the target begins with no slash"));
    const std::size_t mark = std::min(target.find('?'), target.size());
    HttpRequest asked{std::string{target.substr(0, mark)},
                      std::string{target.substr(std::min(mark + 1, target.size()))},
                      std::string{request[http::field::accept]}};
    stream_.expires_after(server_.limits_.client_timeout);
    server_.handler_(
        asked, [self = shared_from_this()](HttpReply reply) { self->write(std::move(reply)); });
  }

  void write(HttpReply reply) {
    reply_.emplace(static_cast<http::status>(reply.status), version_);
    reply_->set(http::field::server, "actord");
    reply_->set(http::field::content_type, reply.content_type);
    reply_->set(http::field::cache_control, "no-store");
    reply_->set("X-Content-Type-Options", "nosniff");
    reply_->set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    if (reply.status == static_cast<unsigned>(http::status::method_not_allowed))
      reply_->set(http::field::allow, "GET, HEAD");
    reply_->keep_alive(!is_last_);
    reply_->content_length(reply.body.size());
    if (!is_head_) reply_->body() = std::move(reply.body);
    stream_.expires_after(server_.limits_.client_timeout);
    const auto on_written = [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (error || self->is_last_) return self->close();
      self->read();
    };
    if (!is_head_) return http::async_write(stream_, *reply_, on_written);
    serializer_.emplace(*reply_);
    http::async_write_header(stream_, *serializer_, on_written);
  }

  beast::tcp_stream stream_;
  const WebServer& server_;
  beast::flat_buffer buffer_{16384};
  std::optional<http::request_parser<http::empty_body>> parser_;
  std::optional<http::response<http::string_body>> reply_;
  std::optional<http::response_serializer<http::string_body>> serializer_;
  unsigned version_ = 11;
  bool is_last_ = false, is_head_ = false;
};

WebServer::WebServer(os::EventLoop& loop, std::vector<std::string> hosts, HttpHandler handler,
                     HttpLimits limits)
    : acceptor_(std::make_unique<Acceptor>(loop)),
      retry_timer_(loop),
      hosts_(std::move(hosts)),
      handler_(std::move(handler)),
      limits_(limits) {}

WebServer::~WebServer() { close(); }

base::Result<void, os::SystemError> WebServer::open(const std::string& address,
                                                    std::uint16_t port) {
  const tcp::endpoint endpoint(boost::asio::ip::make_address(address), port);
  beast::error_code error;
  acceptor_->open(endpoint.protocol(), error);
  if (!error) os::close_on_exec(acceptor_->native_handle());
  if (!error) acceptor_->set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor_->bind(endpoint, error);
  if (!error) acceptor_->listen(tcp::acceptor::max_listen_connections, error);
  if (error) {
    beast::error_code ignored;
    acceptor_->close(ignored);
    return os::system_error("cannot serve HTTP at " + address + " port " + std::to_string(port),
                            error.value());
  }
  begin();
  return {};
}

void WebServer::open(os::Descriptor listening) {
  sockaddr_storage name = {};
  socklen_t size = sizeof name;
  ::getsockname(listening.get(), reinterpret_cast<sockaddr*>(&name), &size);
  acceptor_->assign(name.ss_family == AF_INET6 ? tcp::v6() : tcp::v4(), listening.release());
  begin();
}

void WebServer::begin() {
  hosts_.emplace_back("localhost");
  const auto at = acceptor_->local_endpoint().address();
  hosts_.push_back(at.is_v6() ? '[' + at.to_string() + ']' : at.to_string());
  accept();
}

void WebServer::close() {
  if (!acceptor_->is_open()) return;
  beast::error_code ignored;
  acceptor_->close(ignored);
  retry_timer_.cancel();
  for (const auto& each : std::exchange(sessions_, {})) {
    if (const auto session = each.lock()) session->close();
  }
}

std::string WebServer::address() const {
  const tcp::endpoint at = acceptor_->local_endpoint();
  return at.address().to_string() + ':' + std::to_string(at.port());
}

void WebServer::accept() {
  acceptor_->async_accept([this](beast::error_code error, tcp::socket socket) {
    if (!acceptor_->is_open() || error == boost::asio::error::operation_aborted) return;
    if (error) {  // the process may be out of descriptors
      return retry_timer_.start(retry_after, [this] { accept(); });
    }
    os::close_on_exec(socket.native_handle());
    std::erase_if(sessions_, [](const auto& each) { return each.expired(); });
    const auto session = std::make_shared<Session>(std::move(socket), *this);
    if (sessions_.size() >= limits_.clients_max) {
      session->refuse(http::status::service_unavailable, "too many clients: try again");
    } else {
      sessions_.push_back(session);
      session->read();
    }
    accept();
  });
}

bool WebServer::is_own_host(std::string_view host) const {
  const std::string_view name = without_port(host);
  return std::ranges::any_of(hosts_,
                             [&](const std::string& each) { return beast::iequals(each, name); });
}

}  // namespace actord::web
