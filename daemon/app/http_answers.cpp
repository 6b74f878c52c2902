// SPDX-License-Identifier: Apache-2.0
#include "app/http_answers.hpp"

#include "app/daemon_metrics.hpp"
#include "app/health.hpp"
#include "app/metrics_text.hpp"
#include "sinks/line_text.hpp"
#include "system/actor_system.hpp"

namespace actord::app {

using web::HttpReply;
using web::HttpRequest;

namespace {

constexpr unsigned ok = 200, not_found = 404, unavailable = 503;

HttpReply text(unsigned status, std::string body) {
  HttpReply reply;
  reply.status = status;
  reply.body = std::move(body);
  return reply;
}

HttpReply verdict(bool is_well) {
  return text(is_well ? ok : unavailable, is_well ? "ok\n" : "no\n");
}

bool is_verbose(const HttpRequest& request) {
  return request.query == "verbose" || request.query.starts_with("verbose=") ||
         request.query.starts_with("verbose&");
}

/// "[+] the actors have started"
std::string line(bool is_well, std::string_view what) {
  return std::string{is_well ? "[+] " : "[-] "} + std::string{what} + '\n';
}

}  // namespace

HttpReply HttpAnswers::answer(const HttpRequest& request) const {
  if (request.path == "/metrics") return metrics(request);
  if (request.path == "/readyz") return readiness(request);
  if (request.path == "/livez")
    return is_verbose(request) ? text(ok, line(true, "the event loop runs") + "ok\n")
                               : verdict(true);
  if (request.path == "/startupz") {
    const bool has_started = state_().has_started;
    HttpReply reply = verdict(has_started);
    if (is_verbose(request)) reply.body = line(has_started, "the actors have started") + reply.body;
    return reply;
  }
  return text(not_found, "there is /metrics, /livez, /readyz and /startupz\n");
}

HttpReply HttpAnswers::metrics(const HttpRequest& request) const {
  const bool is_open = request.accept.find("application/openmetrics-text") != std::string::npos;
  MetricsText text(is_open ? MetricsText::Format::open_metrics : MetricsText::Format::prometheus);
  metrics_.write(text);
  HttpReply reply;
  reply.content_type = text.content_type();
  reply.body = text.take();
  return reply;
}

/// An actor that is lost is no reason to send no more work here: a restart would not help. It is
/// told, and actord.on-actor-lost = exit makes it one.
HttpReply HttpAnswers::readiness(const HttpRequest& request) const {
  const State state = state_();
  HttpReply reply = verdict(state.has_started && !state.is_stopping && !state.is_draining);
  if (!is_verbose(request)) return reply;
  const HealthReport report = judge(actors_.configured_actors().list(), actors_.now_ns());
  std::string all =
      line(state.has_started, "the actors have started") +
      line(!state.is_stopping, "actord is not stopping") +
      line(!state.is_draining, "actord is not draining") +
      line(report.down.empty(), std::to_string(report.up) + " of " + std::to_string(report.actors) +
                                    " configured actors are up");
  for (const HealthReport::Down& each : report.down) {
    sinks::LineBuffer escaped;  // a failure's text cannot add a line of its own
    sinks::append_console_escaped(escaped, each.text, false);
    all.append("    ").append(escaped.view()).append("\n");
  }
  reply.body = all + reply.body;
  return reply;
}

}  // namespace actord::app
