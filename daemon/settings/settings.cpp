// SPDX-License-Identifier: Apache-2.0
#include "settings/settings.hpp"

#include <algorithm>

#include "base/suggestion.hpp"
#include "hocon/units.hpp"
#include "os/process.hpp"
#include "schema/known_words.hpp"
#include "schema/setting_codes.hpp"
#include "settings/admin_socket.hpp"
#include "settings/breaker_reader.hpp"
#include "settings/deployment_reader.hpp"
#include "settings/http_address.hpp"
#include "settings/isolation_reader.hpp"
#include "settings/log_reader.hpp"
#include "settings/mailbox_reader.hpp"
#include "settings/misleading_values.hpp"
#include "settings/object_reader.hpp"
#include "settings/persistence_reader.hpp"
#include "settings/shown_secrets.hpp"
#include "settings/shutdown_reader.hpp"
#include "settings/state_directory.hpp"
#include "settings/strategy_reader.hpp"
#include "settings/user_tree.hpp"
#include "system/system_settings.hpp"

namespace actord::settings {

using hocon::Value;

namespace {

constexpr std::string_view guardian_key = "guardian-supervisor-strategy";
// The divisor for the default limit of message memory. Memory owned by the messages themselves is
// not counted, and actors need memory to handle them.
constexpr std::size_t memory_share = 8;

// ---- single keys

void read_name(ObjectReader& root, std::string& name) {
  const Value value = root.take("name");
  if (!value) return;
  const auto text = root.findings().take(value.as_string());
  if (!text) return;
  const auto is_plain = [](char c) {  // supervision.md 114
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  const auto may_follow = [&](char c) { return is_plain(c) || c == '-' || c == '_'; };
  if (!text->empty() && is_plain(text->front()) &&
      std::all_of(text->begin(), text->end(), may_follow))
    name = *text;
  else
    root.findings().add(
        value.mismatch("a name of letters, digits, - and _ that begins with a letter or digit"));
}

actor::LimitsByPlugin read_plugin_limits(ObjectReader block) {
  actor::LimitsByPlugin limits;
  for (const hocon::Member& member : block.take_all()) {
    ObjectReader own(block.findings(), member.value, block.key("*"));
    actor::PluginLimits& of = limits[std::string{member.key}] = actor::PluginUsage::no_limits;
    own.read("actors", of[actor::PluginUsage::actors], schema::capacity_words);
    own.read("timers", of[actor::PluginUsage::timers], schema::capacity_words);
    own.read("asks", of[actor::PluginUsage::asks], schema::capacity_words);
    own.finish();
  }
  return limits;
}

void read_plugins(ObjectReader block, Settings& settings, const ReadOptions& options) {
  if (const Value path = block.take("path")) {
    const auto folders = block.findings().take(path.as_list());
    if (folders && folders->empty())
      block.findings().add(path.reject("plugins.path has no folder"));
    for (const Value& folder : folders ? *folders : std::vector<Value>{}) {
      if (auto text = read_path(block.findings(), folder, settings, options))
        settings.plugin_path.push_back(*text);
    }
  }
  block.read_word("trust", settings.plugin_trust, schema::plugin_trust_words);
  block.read_word("autoload", settings.plugin_autoload, schema::plugin_autoload_words);
  settings.plugin_limits = read_plugin_limits(block.section("limits"));
  settings.plugin_isolation = read_plugin_isolation(block.section("isolation"));
  block.finish();
}

void read_boot(ObjectReader block, Settings& settings) {
  block.read_word("on-failure", settings.on_boot_failure, schema::on_boot_failure_words);
  block.finish();
}

void read_crashes(ObjectReader block, CrashSettings& crashes) {
  if (is_off(block.take("quarantine-after"))) crashes.quarantine_after = 0;
  else block.read("quarantine-after", crashes.quarantine_after);
  block.read_duration("within", crashes.within_ns);
  block.read("keep", crashes.keep);
  block.finish();
}

void read_metrics(ObjectReader block, Settings& settings) {
  block.read_word("actors", settings.counted_actors, schema::counted_actors_words);
  block.finish();
}

void read_tracing(ObjectReader block, actor::TracingSettings& tracing) {
  block.read("enabled", tracing.is_enabled);
  block.read("sample-ratio", tracing.sample_ratio);
  block.finish();
}

void read_failures(ObjectReader block, Settings& settings) {
  block.read_word("stacktrace", settings.throw_sites, schema::throw_sites_words);
  block.finish();
}

// ---- messages that were not handled

void read_quarantine(ObjectReader block, Settings& settings) {
  block.read("max-messages", settings.quarantine_messages);
  block.read_size("max-bytes", settings.quarantine_bytes);
  block.finish();
}

void read_dead_letters(ObjectReader block, DeadLetterSettings& settings) {
  Findings& findings = block.findings();
  if (const Value value = block.take("log")) {
    const schema::SettingKey& key = block.key("log");
    const auto truth = value.as_bool();
    if (truth) settings.logged = *truth ? DeadLetterSettings::all : 0;
    else if (auto wrong = number_error(value, key.words)) findings.add(std::move(*wrong));
    else if (const auto number = findings.take(value.as_int64(key.min, key.max)))
      settings.logged = *number;
  }
  if (const Value value = block.take("suspend"); is_word(value, "infinite"))
    settings.suspend_ns = 0;
  else block.read_duration("suspend", settings.suspend_ns);
  block.read("during-shutdown", settings.during_shutdown);
  block.read_size("history-size", settings.kept_bytes);
  block.finish();
}

// ---- dispatchers

void read_stuck_timeout(ObjectReader& block, std::int64_t& timeout_ns) {
  if (is_off(block.take("stuck-timeout"))) timeout_ns = 0;
  else block.read_duration("stuck-timeout", timeout_ns);
}

void read_default_dispatcher(ObjectReader block, PoolSettings& settings,
                             std::int64_t& stuck_timeout_ns) {
  block.read("workers", settings.workers, schema::workers_words);
  block.read("throughput", settings.throughput);
  block.read_duration("throughput-deadline", settings.throughput_deadline_ns);
  read_stuck_timeout(block, stuck_timeout_ns);
  block.finish();
}

void read_blocking_dispatcher(ObjectReader block, BlockingSettings& settings,
                              std::int64_t& stuck_timeout_ns) {
  block.read("threads-max", settings.threads_max);
  block.read_duration("keep-alive", settings.keep_alive_ns);
  read_stuck_timeout(block, stuck_timeout_ns);
  block.finish();
}

void read_pinned_dispatcher(ObjectReader block, std::int64_t& stuck_timeout_ns) {
  read_stuck_timeout(block, stuck_timeout_ns);
  block.finish();
}

// ---- the storm guard

void read_storm_guard(ObjectReader block, actor::StormGuard& guard) {
  block.read("threshold", guard.threshold);
  block.read_duration("within", guard.within_ns);
  ObjectReader delay = block.section("delay");
  delay.read_duration("min", guard.delay_min_ns);
  delay.read_duration("max", guard.delay_max_ns);
  delay.finish();
  block.finish();
}

// ---- switches

void read_debug(ObjectReader block, actor::DebugSwitches& debug) {
  block.read("receive", debug.receive);
  block.read("autoreceive", debug.autoreceive);
  block.read("lifecycle", debug.lifecycle);
  block.read("unhandled", debug.unhandled);
  block.read("event-stream", debug.event_stream);
  block.finish();
}

// ---- the guardian

void read_guardian(Findings& findings, const Value& value, GuardianSettings& guardian) {
  guardian.value = value;
  const bool is_text = value.is_string();
  const bool is_class = is_text && strategy_named(value.text()).has_value();
  if (is_text && !is_class && value.text().find('/') != std::string_view::npos)
    return;  // a configurator, which bind() looks up
  if (is_text && !is_class && meant_name(value.text(), {"default", "stopping"}).empty()) {
    const std::string help =
        suggestion_for(value.text(), strategy_class_names(),
                       "write default, stopping, \"plugin/Configurator\", a block, or one of ");
    return findings.add(
        coded(hocon::codes::mismatch,
              value.reject("unknown strategy " + hocon::quoted_for_message(value.text()), help)));
  }
  guardian.strategy = read_strategy(findings, value, HasCode::no);
  if (guardian.strategy) warn_of_strategy(findings, value, *guardian.strategy);
}

// Reads akka { } and pekko { }: only the guardian's strategy is read, under the path of those
// systems. All other keys get a warning.
Value read_alias(Findings& findings, const Value& block, const std::string& system) {
  if (!block || block.is_null()) return {};
  Value found;
  const auto look = [&](const Value& object, auto&& accept) {
    for (std::size_t i = 0; object.is_object() && i < object.size(); ++i) {
      const hocon::Member member = object.at(i);
      if (accept(member)) continue;
      hocon::Diagnostic unread = member.value.warn(
          "actord does not read " + member.value.path(),
          "actord reads only actor." + std::string{guardian_key} + " of " + system);
      findings.add(at_key(coded(schema::codes::not_read, std::move(unread)), member.key));
    }
  };
  const auto accept_in_actor = [&](const hocon::Member& member) {
    if (member.key == guardian_key) {
      if (!member.value.is_null()) found = member.value;
      return true;
    }
    if (meant_name(member.key, {guardian_key}).empty()) return false;
    findings.add_unknown(member, base::did_you_mean(guardian_key));
    return true;
  };
  look(block, [&](const hocon::Member& member) {
    if (member.key == "actor") look(member.value, accept_in_actor);
    return member.key == "actor";
  });
  return found;
}

// Chooses the spelling that is set. If several are set, it is an error that names both origins.
void choose_guardian(Findings& findings, const std::vector<Value>& spellings,
                     GuardianSettings& guardian) {
  std::vector<Value> set;
  std::copy_if(spellings.begin(), spellings.end(), std::back_inserter(set),
               [](const Value& v) { return v.exists(); });
  for (std::size_t i = 1; i < set.size(); ++i) {
    hocon::Diagnostic both =
        coded(schema::codes::conflict,
              set[i].reject(set[i].path() + " and " + set[0].path() + " are both set",
                            "keep one of them"));
    both.note = set[0].path() + " is at " + set[0].origin_text();
    findings.add(std::move(both));
  }
  if (!set.empty()) read_guardian(findings, set.front(), guardian);
}

// ---- sections

Value read_actor(ObjectReader block, Settings& settings) {
  const Value guardian = block.take(guardian_key);
  system::StuckTimeouts& stuck = settings.stuck_timeouts;
  read_default_dispatcher(block.section("default-dispatcher"), settings.default_dispatcher,
                          stuck.default_ns);
  read_blocking_dispatcher(block.section("blocking-io-dispatcher"), settings.blocking_io_dispatcher,
                           stuck.blocking_io_ns);
  read_pinned_dispatcher(block.section("pinned-dispatcher"), stuck.pinned_ns);
  ObjectReader mailbox = block.section("default-mailbox");
  mailbox.read("stash-capacity", settings.stash_capacity, schema::capacity_words);
  const actor::ActorOptions mailbox_defaults = read_default_mailbox(mailbox);
  block.read("ask-fails-with-handler", settings.asks_fail);
  block.read_size("message-memory-max", settings.message_memory_max, schema::memory_words);
  if (!is_off(block.take("restart-storm")))
    read_storm_guard(block.section("restart-storm"), settings.storm_guard);
  read_debug(block.section("debug"), settings.debug);
  settings.deployments = read_deployments(block.section("deployment"));
  complete_mailboxes(settings.deployments, mailbox_defaults);
  block.finish({{"supervisor-strategy", guardian_key},
                {"default-blocking-io-dispatcher", "blocking-io-dispatcher"}});
  return guardian;
}

Value read_actord(Findings& findings, const Value& value, Settings& settings,
                  const ReadOptions& options) {
  ObjectReader root(findings, value, schema::keys().front());
  read_name(root, settings.name);
  read_state_directory(findings, root.take("state-dir"), settings, options);
  ObjectReader admin = root.section("admin");
  settings.admin_roles = read_admin_roles(admin);
  read_admin_socket(admin, settings, options);
  admin.finish();
  settings.http = read_http(root.section("http"));
  read_plugins(root.section("plugins"), settings, options);
  settings.worker = read_worker(root.section("worker"));
  read_persistence(root.section("persistence"), settings, options);
  settings.circuit_breakers = read_circuit_breakers(root.section("circuit-breaker"));
  read_boot(root.section("boot"), settings);
  root.read_word("on-actor-lost", settings.on_actor_lost, schema::on_actor_lost_words);
  root.read_word("on-daemon-crash", settings.crashes.on_crash, schema::on_daemon_crash_words);
  read_crashes(root.section("crashes"), settings.crashes);
  std::int64_t stop_timeout_ns = settings.stop_timeout.count();
  if (is_off(root.take("stop-timeout"))) stop_timeout_ns = 0;
  else root.read_duration("stop-timeout", stop_timeout_ns);
  settings.stop_timeout = std::chrono::nanoseconds{stop_timeout_ns};
  settings.shutdown = read_shutdown(root.section("coordinated-shutdown"));
  root.read_word("core-dumps", settings.core_dumps, schema::core_dumps_words);
  read_metrics(root.section("metrics"), settings);
  read_tracing(root.section("tracing"), settings.tracing);
  read_failures(root.section("failures"), settings);
  read_log(root.section("log"), settings, options);
  read_dead_letters(root.section("dead-letters"), settings.dead_letters);
  read_quarantine(root.section("quarantine"), settings);
  const Value guardian = read_actor(root.section("actor"), settings);
  settings.user = read_nodes(root.section("user"), "/user");
  warn_of_actors(findings, settings);
  root.finish({{"loglevel", "log.level"}, {"log-dead-letters", "dead-letters.log"}});
  return guardian;
}

void reject_unknown_roots(Findings& findings, const Value& root) {
  for (std::size_t i = 0; i < root.size(); ++i) {
    const hocon::Member member = root.at(i);
    if (schema::is_known_root(member.key)) continue;
    const bool is_ours = schema::keys().front().member(member.key) != nullptr;
    const std::string help =
        is_ours ? "all keys of actord are below actord: write actord." + std::string{member.key}
                : suggestion_for(member.key, {schema::roots.begin(), schema::roots.end()},
                                 "valid here: keys that begin with x-, and ");
    findings.add_unknown(member, help);
  }
}

}  // namespace

Reading read_as_far_as_possible(const hocon::Tree& tree, const ReadOptions& options) {
  Reading reading;
  Settings& settings = reading.settings;
  settings.tree = tree;
  settings.unknown_keys = options.unknown_keys;
  Findings findings(tree, options.unknown_keys, options.keys_read);
  const Value root = tree.root();
  reject_unknown_roots(findings, root);
  const Value own = read_actord(findings, root.member("actord"), settings, options);
  const Value akka = read_alias(findings, root.member("akka"), "akka");
  const Value pekko = read_alias(findings, root.member("pekko"), "pekko");
  choose_guardian(findings, {own, akka, pekko}, settings.guardian);
  warn_of_idle_plugins(findings, settings);
  reject_shown_secrets(findings, root.member("actord"), schema::keys().front());
  for (const Value& alias : {akka, pekko})
    reject_shown_secrets(findings, alias,
                         *schema::key_for("akka.actor." + std::string{guardian_key}));
  settings.warnings = findings.take_warnings();
  reading.errors = findings.take_errors();
  return reading;
}

base::Result<Settings, hocon::Diagnostics> read_settings(const hocon::Tree& tree,
                                                         const ReadOptions& options) {
  Reading reading = read_as_far_as_possible(tree, options);
  if (!reading.errors.empty()) return std::move(reading.errors);
  return std::move(reading.settings);
}

system::SystemSettings system_settings(const Settings& settings, std::uint64_t boot_id) {
  system::SystemSettings out;
  out.boots_degraded = settings.on_boot_failure == schema::OnBootFailure::degrade;
  out.name = settings.name;
  out.state_directory = settings.state_directory;
  out.boot_id = boot_id;
  out.slice = {settings.default_dispatcher.throughput,
               settings.default_dispatcher.throughput_deadline_ns};
  out.workers = settings.default_dispatcher.workers;
  out.blocking_threads_max = settings.blocking_io_dispatcher.threads_max;
  out.blocking_keep_alive_ns = settings.blocking_io_dispatcher.keep_alive_ns;
  out.live = live_settings(settings);
  out.shutdown = settings.shutdown.plan;
  return out;
}

system::LiveSettings live_settings(const Settings& settings) {
  const DeadLetterSettings& letters = settings.dead_letters;
  return {
      {letters.logged, letters.suspend_ns, letters.during_shutdown,
       static_cast<std::size_t>(letters.kept_bytes)},
      std::max<std::int64_t>(settings.stash_capacity, 0),
      settings.asks_fail,
      settings.debug,
      settings.log.failure_burst,
      settings.storm_guard,
      settings.message_memory_max == schema::by_memory
          ? std::max<std::size_t>(os::available_memory() / memory_share, schema::message_memory_min)
          : static_cast<std::size_t>(settings.message_memory_max),
      settings.stuck_timeouts,
      settings.plugin_limits,
      settings.counted_actors,
      settings.tracing,
      settings.circuit_breakers,
      {settings.persistence.recovery_timeout_ns,
       static_cast<std::size_t>(settings.persistence.recoveries),
       static_cast<std::uint64_t>(settings.persistence.snapshot_every),
       settings.persistence.deletes_events,
       static_cast<std::size_t>(settings.persistence.batch_events),
       static_cast<std::size_t>(settings.persistence.batch_bytes),
       {settings.persistence.durability == schema::Durability::power,
        static_cast<std::size_t>(settings.persistence.snapshots_kept)}},
      {static_cast<std::size_t>(settings.quarantine_messages),
       static_cast<std::size_t>(settings.quarantine_bytes)}};
}

}  // namespace actord::settings
