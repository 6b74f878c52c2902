// SPDX-License-Identifier: Apache-2.0
//
// Nothing here uses the socket: all calls go to the server, which ignores calls that come too late.
#include "connection.hpp"

#include <string>
#include <utility>

#include "responder.hpp"

namespace static_site {
namespace {

// Owned by the session on the I/O thread. It has a System, because a Context is for the actor only.
class Reporter : public ConnectionEvents {
 public:
  Reporter(const actord::System& system, actord::Ref connection)
      : system_(system), connection_(connection) {}

  void requested(Request request) override { system_.tell(connection_, std::move(request)); }
  void closed(std::string_view reason) override {
    system_.tell(connection_, Closed{std::string{reason}});
  }

 private:
  actord::System system_;
  actord::Ref connection_;
};

}  // namespace

void Connection::pre_start(actord::Context& ctx) {
  service_.server->attach(id_, std::make_unique<Reporter>(ctx.system(), ctx.self()));
}

void Connection::post_stop(actord::Context&) { service_.server->finish(id_); }

void Connection::request(actord::Context& ctx, const Request& m) {
  if (service_.latency.count() <= 0) return answer(ctx, m);
  delayed_ = m;
  ctx.start_timer("latency", service_.latency, AnswerDue{});
}

void Connection::answer_due(actord::Context& ctx, const AnswerDue&) {
  if (const auto request = std::exchange(delayed_, std::nullopt)) answer(ctx, *request);
}

void Connection::answer(actord::Context& ctx, const Request& request) {
  const Fault fault = service_.faults.fault_for(request.target, request.ask);
  if (fault != Fault::none) {
    ctx.event(actord::Level::debug, "site.fault", "a fault was injected",
              {{"target", request.target},
               {"ask", request.ask},
               {"fault", fault == Fault::reset ? "reset" : "error"}});
  }
  if (fault == Fault::reset) {
    service_.server->reset(id_);  // closed() is not called after reset()
    return ctx.stop_self();
  }

  Reply reply =
      fault == Fault::error ? error_page(503) : respond(*service_.root, request, service_.charset);
  ctx.event(actord::Level::debug, "site.request", "request answered",
            {{"method", request.method},
             {"target", request.target},
             {"status", reply.status},
             {"bytes", reply.body_size_bytes()}});
  service_.server->answer(id_, std::move(reply));
}

void Connection::closed(actord::Context& ctx, const Closed&) { ctx.stop_self(); }

}  // namespace static_site
