// SPDX-License-Identifier: Apache-2.0
//
// The verbs of a running daemon that actorctl calls (daemon/wire/README.md): a table of them with
// their roles and arguments, and a function for each.
//
// Not here: how requests arrive (admin), what a reload does (reload.hpp), how an actor is started
// (actor_starts.hpp), asked (actor_questions.hpp) and steered (actor_orders.hpp), and how the log
// is read (log_reading.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "admin/admin_session.hpp"
#include "admin/peer_fields.hpp"
#include "app/actor_questions.hpp"
#include "app/plugin_folders.hpp"
#include "app/undelivered_messages.hpp"
#include "config/exit_codes.hpp"
#include "schema/known_words.hpp"
#include "wire/control_message.hpp"

namespace actord::config {
class Runtime;
}  // namespace actord::config

namespace actord::log {
class Hub;
}  // namespace actord::log

namespace actord::sinks {
class LogHistory;
class SecretMask;
}  // namespace actord::sinks

namespace actord::app {

class ActorOrders;
class ActorSpawns;
class ActorStarts;
class BackgroundReader;
class BusiestActors;
class CrashAccount;
class DaemonMetrics;
class DaemonStatus;
class JournalDesk;
class LogLevels;
class QuarantinedMessages;
class Reloader;

/// Answers requests, and logs those that change something as event `admin.command`. Threads: only
/// the event loop's.
class AdminVerbs {
 public:
  /// What the verbs use. All of it outlives the object.
  struct Parts {
    Reloader& reloader;
    ActorStarts& starts;
    ActorSpawns& spawns;
    ActorQuestions& questions;
    ActorOrders& orders;
    DaemonStatus& status;
    BusiestActors& busiest;
    LogLevels& levels;
    bool& is_draining;
    // Begins a stop for an operator, with that phase or, if it is empty, with the first one. False:
    // actord is stopping already.
    std::function<bool(const std::string& from)> shut_down;
    const DaemonMetrics& metrics;
    BackgroundReader& reader;
    PluginFolders& plugins;
    config::Runtime& runtime;
    CrashAccount& crashes;
    JournalDesk& journal;
    QuarantinedMessages& quarantined;
    log::Hub& hub;
    const sinks::LogHistory& history;
    const sinks::SecretMask& mask;
  };

  explicit AdminVerbs(const Parts& parts);

  /// The admin::Handler of the admin socket. A client whose role does not suffice is refused.
  void answer(const wire::Request& request, const admin::PeerFields& peer,
              const admin::Responder& responder);
  /// The start is over: orders and messages that have waited for their actors are carried out.
  void begin();

 private:
  struct Verb;
  /// One that waits for the end of the start.
  struct Early {
    wire::Request request;
    admin::PeerFields peer;
    admin::Responder responder;
  };
  /// A request whose role and arguments were checked.
  struct Received {
    const std::string& verb;
    const wire::Json& arguments;
    const admin::PeerFields& peer;
    const admin::Responder& responder;
  };
  /// What is logged as admin.command: nothing, the arguments, or these without the content of the
  /// message or the config.
  enum class Effect : std::uint8_t { none, change, with_content, of_its_own };

  static const Verb* find(std::string_view name);
  /// Whether it is for an actor that the start may still bring.
  bool is_early(const Verb& verb, const wire::Json& arguments) const;
  /// Whether the client may use the verb; if not, refuses it.
  bool is_permitted(schema::Role needed, const wire::Request& request,
                    const admin::PeerFields& peer, const admin::Responder& responder);
  void reply_with(const admin::Responder& responder, int status, std::string reason,
                  wire::Json result) const;
  void reply_with(const admin::Responder& responder, config::ExitCode code, std::string reason,
                  wire::Json result) const;
  void log_command(const std::string& verb, const wire::Json& arguments,
                   const admin::PeerFields& peer);
  /// Answers with the outcome of a question or an order.
  ActorQuestions::Done answering(const admin::Responder& responder) const;
  /// The same for an order about plugins.
  PluginFolders::Done telling(const admin::Responder& responder) const;

  void tell_status(const Received& from);
  void tell_busiest(const Received& from);
  void drain(const Received& from);
  void shut_down(const Received& from);
  void tell_load(const Received& from);
  void tell_metrics(const Received& from);
  void list_breakers(const Received& from);
  void list_workers(const Received& from);
  void list_levels(const Received& from);
  void set_level(const Received& from);
  void read_log(const Received& from);

  // ---- config_verbs.cpp ----
  void reload(const Received& from);
  void show(const Received& from);
  void explain(const Received& from);
  void diff(const Received& from);

  // ---- crash_verbs.cpp ----
  void list_crashes(const Received& from);
  void show_crash(const Received& from);

  // ---- plugin_verbs.cpp ----
  void list_plugins(const Received& from);
  void inspect_plugin(const Received& from);
  void load_plugin(const Received& from);
  void rescan_plugins(const Received& from);
  void retire_plugin(const Received& from);

  // ---- letter_verbs.cpp ----
  void list_letters(const Received& from);
  void show_letter(const Received& from);
  void replay_letter(const Received& from);
  void drop_letter(const Received& from);

  // ---- journal_verbs.cpp ----
  void list_journal(const Received& from);
  void show_journal(const Received& from);
  void verify_journal(const Received& from);
  void compact_journal(const Received& from);
  void drop_journal(const Received& from);
  void tell_journal(const Received& from);
  /// Answers with the whole outcome: its texts are not cut.
  ActorQuestions::Done telling_all(const admin::Responder& responder) const;

  // ---- quarantine_verbs.cpp ----
  void list_quarantined(const Received& from);
  void show_quarantined(const Received& from);
  void replay_quarantined(const Received& from);
  void drop_quarantined(const Received& from);

  // ---- actor_verbs.cpp ----
  void inspect(const Received& from);
  void show_tree(const Received& from);
  void tell(const Received& from);
  void ask(const Received& from);
  void start(const Received& from);
  void spawn(const Received& from);
  void confirm(const Received& from);
  void revert(const Received& from);
  void stop(const Received& from);
  void kill(const Received& from);
  void restart(const Received& from);
  void suspend(const Received& from);
  void resume(const Received& from);
  void trace(const Received& from);

  const Parts parts_;
  UndeliveredMessages letters_;
  bool has_begun_ = false;
  std::vector<Early> early_;  // each is a client's only request, so they are few
};

}  // namespace actord::app
