// SPDX-License-Identifier: Apache-2.0
//
// The server is stopped at the end of every incarnation, so that the port is free for the next one.
#include "site.hpp"

#include <memory>
#include <stdexcept>
#include <utility>

namespace static_site {
namespace {

constexpr std::uint32_t connections_max = 65'536;

// Whether `text` can stand in a header as it is. An empty text does not stand there.
bool is_token(std::string_view text) {
  constexpr std::string_view allowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:+";
  return text.find_first_not_of(allowed) == std::string_view::npos;
}

class Reporter : public ServerEvents {
 public:
  Reporter(const actord::System& system, actord::Ref site, std::uint64_t server)
      : system_(system), site_(site), server_(server) {}

  void accepted(std::uint64_t connection, std::string_view peer) override {
    system_.tell(site_, Accepted{server_, connection, std::string{peer}});
  }
  void accepting_failed(std::string_view reason) override {
    system_.event(actord::Level::warning, "site.accept_failed",
                  "cannot accept new connections; trying again", {{"reason", reason}});
  }
  void failed(std::string_view reason) override {
    system_.tell(site_, ServerFailed{server_, std::string{reason}});
  }

 private:
  actord::System system_;
  actord::Ref site_;
  std::uint64_t server_;
};

}  // namespace

std::vector<actord::About> FaultConfig::about() {
  using C = FaultConfig;
  using namespace std::chrono_literals;
  return {
      actord::about(&C::latency).at_least(0ms).doc("Delay before each answer."),
      actord::about(&C::error_rate).between(0, 1).doc("Share of requests answered with 503."),
      actord::about(&C::reset_rate)
          .between(0, 1)
          .doc("Share of requests whose connection is reset. With error-rate at most 1."),
      actord::about(&C::seed).doc("Seed of the random choice."),
  };
}

std::vector<actord::About> SiteConfig::about() {
  using C = SiteConfig;
  using namespace std::chrono_literals;
  return {
      actord::about(&C::root).folder().readable().doc("The folder that is served."),
      actord::about(&C::host).doc("An address of the loopback network, or localhost."),
      actord::about(&C::port).port(&C::host).doc("The port; 0: any free port."),
      actord::about(&C::idle_timeout)
          .at_least(1ms)
          .doc("Time limit for a client that sends or reads nothing."),
      actord::about(&C::max_connections)
          .between(1, connections_max)
          .doc("Connections at once; further ones wait to be accepted."),
      actord::about(&C::charset)
          .doc("The charset that is named for texts whose name and first bytes tell none."),
  };
}

actord::Strategy Site::supervision() {
  return actord::one_for_one().otherwise(actord::Directive::stop);
}

void Site::validate(const Config& config, actord::Findings& findings) {
  if (!HttpServer::is_loopback(config.host))
    findings.reject(&Config::host,
                    "must be localhost or an address of the loopback network, such as 127.0.0.1 or "
                    "::1");
  if (!is_token(config.charset))
    findings.reject(&Config::charset, "must be a name such as utf-8, or empty");
  if (config.faults.error_rate + config.faults.reset_rate > 1)
    findings.at(&Config::faults)
        .reject(&FaultConfig::reset_rate, "must be at most 1 together with error-rate");
}

Site::~Site() {
  if (service_.server) service_.server->stop();
}

void Site::pre_start(actord::Context& ctx) {
  const auto& faults = config_.faults;
  service_.faults = FaultPlan{faults.error_rate, faults.reset_rate, faults.seed};
  service_.latency = faults.latency;
  service_.charset = config_.charset;
  service_.root = std::make_shared<const DocumentRoot>(config_.root);
  service_.server =
      std::make_shared<HttpServer>(HttpServer::Options{.host = config_.host,
                                                       .port = config_.port,
                                                       .idle_timeout = config_.idle_timeout,
                                                       .max_connections = config_.max_connections});
  server_ = ctx.random();
  ctx.event(actord::Level::info, "site.listening", "serving a folder",
            {{"address", service_.server->address()},
             {"port", service_.server->port()},
             {"root", service_.root->path()}});
  service_.server->start(std::make_unique<Reporter>(ctx.system(), ctx.self(), server_));
}

void Site::post_stop(actord::Context&) { service_.server->stop(); }

void Site::accepted(actord::Context& ctx, const Accepted& m) {
  if (m.server != server_) return;
  ctx.spawn<Connection>("connection-" + std::to_string(m.connection), m.connection, service_);
}

void Site::server_failed(const ServerFailed& m) {
  if (m.server == server_) throw std::runtime_error("the I/O thread ended: " + m.reason);
}

}  // namespace static_site
