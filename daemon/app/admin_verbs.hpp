// SPDX-License-Identifier: Apache-2.0
//
// The verbs of a running daemon that actorctl calls: config.reload, config.show, config.explain,
// config.diff, status, metrics, log.read, actor.inspect, actor.tree, actor.tell, actor.ask,
// actor.start, actor.stop, actor.kill, actor.restart, actor.suspend, actor.resume.
//
// Not here: how requests arrive (admin), what a reload does (reload.hpp), how an actor is started
// (actor_starts.hpp), asked (actor_questions.hpp) and steered (actor_orders.hpp), and how the log
// is read (log_reading.hpp).
#pragma once

#include "admin/admin_session.hpp"
#include "admin/peer_fields.hpp"
#include "app/actor_orders.hpp"
#include "app/actor_questions.hpp"
#include "app/actor_starts.hpp"
#include "app/background_reader.hpp"
#include "app/daemon_metrics.hpp"
#include "app/daemon_status.hpp"
#include "app/reload.hpp"
#include "log/hub.hpp"
#include "sinks/log_history.hpp"
#include "sinks/secret_mask.hpp"

namespace actord::app {

/// Answers requests, and logs those that change something as event `admin.command`. Threads: only
/// the event loop's.
class AdminVerbs {
 public:
  /// What the verbs use. All of it outlives the object.
  struct Parts {
    Reloader& reloader;
    ActorStarts& starts;
    ActorQuestions& questions;
    ActorOrders& orders;
    DaemonStatus& status;
    const DaemonMetrics& metrics;
    BackgroundReader& reader;
    config::Runtime& runtime;
    log::Hub& hub;
    const sinks::LogHistory& history;
    const sinks::SecretMask& mask;
  };

  explicit AdminVerbs(const Parts& parts) noexcept : parts_(parts) {}

  /// The admin::Handler of the admin socket. A client whose role does not suffice is refused.
  void answer(const wire::Request& request, const admin::PeerFields& peer,
              const admin::Responder& responder);

 private:
  void reply_with(const admin::Responder& responder, int status, std::string reason,
                  wire::Json result) const;
  void reply_with(const admin::Responder& responder, config::ExitCode code, std::string reason,
                  wire::Json result) const;
  void reload(const wire::Request& request, const admin::PeerFields& peer,
              const admin::Responder& responder);
  /// Whether the client may use the verb; if not, refuses it.
  bool is_permitted(const wire::Request& request, const admin::PeerFields& peer,
                    const admin::Responder& responder);
  void log_command(const std::string& verb, const wire::Json& arguments,
                   const admin::PeerFields& peer);
  void show(const wire::Request& request, const admin::Responder& responder);
  void explain(const wire::Request& request, const admin::Responder& responder);
  void diff(const wire::Request& request, const admin::Responder& responder);
  void start(const wire::Request& request, const admin::PeerFields& peer,
             const admin::Responder& responder);
  void tell_metrics(const wire::Request& request, const admin::Responder& responder) const;
  void tell_status(const wire::Request& request, const admin::Responder& responder);
  void read_log(const wire::Request& request, const admin::Responder& responder) const;
  /// Carries out a verb about one actor: a question, or an order. False: there is no such verb.
  bool ask_actor(const wire::Request& request, const admin::PeerFields& peer,
                 const admin::Responder& responder);
  bool order_actor(const wire::Request& request, const admin::PeerFields& peer,
                   const admin::Responder& responder);
  /// Answers with the outcome of a question or an order.
  ActorQuestions::Done answering(const admin::Responder& responder) const;

  const Parts parts_;
};

}  // namespace actord::app
