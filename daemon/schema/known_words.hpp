// SPDX-License-Identifier: Apache-2.0
//
// The words of the configuration with their values. The schema lists the words, and the readers
// (settings) translate them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include "actor/actor_options.hpp"
#include "actor/counted_actors.hpp"
#include "actor/strategy.hpp"
#include "log/log_record.hpp"
#include "schema/word.hpp"

namespace actord::schema {

/// Keys at the top of a configuration; keys that begin with "x-" are allowed too.
inline constexpr std::array<std::string_view, 5> roots = {"actord", "vars", "app", "akka", "pekko"};

/// Whether a key is allowed at the top of a configuration.
constexpr bool is_known_root(std::string_view key) {
  return key.starts_with("x-") || std::find(roots.begin(), roots.end(), key) != roots.end();
}

enum class OnBootFailure { fail, degrade };
inline constexpr std::array<Word<OnBootFailure>, 2> on_boot_failure_words = {
    {{"fail", OnBootFailure::fail}, {"degrade", OnBootFailure::degrade}}};

enum class OnActorLost { ignore, degrade, exit };
inline constexpr std::array<Word<OnActorLost>, 3> on_actor_lost_words = {
    {{"ignore", OnActorLost::ignore},
     {"degrade", OnActorLost::degrade},
     {"exit", OnActorLost::exit}}};

enum class OnDaemonCrash { restart, quarantine, isolate };
inline constexpr std::array<Word<OnDaemonCrash>, 3> on_daemon_crash_words = {
    {{"restart", OnDaemonCrash::restart},
     {"quarantine", OnDaemonCrash::quarantine},
     {"isolate", OnDaemonCrash::isolate}}};

/// What the journal's promise outlives: a loss of power, or only the end of the process.
enum class Durability { power, process };
inline constexpr std::array<Word<Durability>, 2> durability_words = {
    {{"power", Durability::power}, {"process", Durability::process}}};

/// The reasons of a stop that may have an exit status of their own.
inline constexpr std::array<std::string_view, 7> shutdown_reasons = {
    "SIGTERM", "SIGINT", "SIGHUP", "operator", "actor-lost", "guardian-failed", "guardian-stopped"};

/// The rule for the owners of plugins.
enum class PluginTrust { automatic, strict, developer };
inline constexpr std::array<Word<PluginTrust>, 3> plugin_trust_words = {
    {{"auto", PluginTrust::automatic},
     {"strict", PluginTrust::strict},
     {"developer", PluginTrust::developer}}};

/// What becomes of a plugin's file that no configuration names.
enum class PluginAutoload { off, verify, on };
inline constexpr std::array<Word<PluginAutoload>, 3> plugin_autoload_words = {
    {{"off", PluginAutoload::off}, {"verify", PluginAutoload::verify}, {"on", PluginAutoload::on}}};

/// What a client of the admin socket may do; each role includes those before it.
enum class Role { none, read, operate, admin };
inline constexpr std::array<Word<Role>, 4> role_words = {{{"none", Role::none},
                                                          {"read", Role::read},
                                                          {"operate", Role::operate},
                                                          {"admin", Role::admin}}};

inline constexpr std::array<Word<actor::CountedActors>, 3> counted_actors_words = {
    {{"none", actor::CountedActors::none},
     {"configured", actor::CountedActors::configured},
     {"all", actor::CountedActors::all}}};

/// The exceptions of which the calls that led to the throw are kept.
enum class ThrowSites { none, first, all };
inline constexpr std::array<Word<ThrowSites>, 3> throw_sites_words = {
    {{"none", ThrowSites::none}, {"first", ThrowSites::first}, {"all", ThrowSites::all}}};

enum class CoreDumps { automatic, full, none };
inline constexpr std::array<Word<CoreDumps>, 3> core_dumps_words = {
    {{"auto", CoreDumps::automatic}, {"full", CoreDumps::full}, {"none", CoreDumps::none}}};

/// Whether a normal end of an actor is a loss.
inline constexpr std::array<Word<bool>, 2> lifetime_words = {
    {{"transient", false}, {"permanent", true}}};

inline constexpr std::array<Word<log::Level>, 4> log_level_words = {
    {{"error", log::Level::error},
     {"warning", log::Level::warning},
     {"info", log::Level::info},
     {"debug", log::Level::debug}}};

enum class LogFormat { automatic, json, console, journald, off };
inline constexpr std::array<Word<LogFormat>, 5> log_format_words = {
    {{"auto", LogFormat::automatic},
     {"json", LogFormat::json},
     {"console", LogFormat::console},
     {"journald", LogFormat::journald},
     {"off", LogFormat::off}}};

/// The places that get the log besides the output.
enum class LogSinkType { file, syslog, journald };
inline constexpr std::array<Word<LogSinkType>, 3> log_sink_type_words = {
    {{"file", LogSinkType::file},
     {"syslog", LogSinkType::syslog},
     {"journald", LogSinkType::journald}}};

/// The forms of a log sink's lines.
inline constexpr std::array<Word<LogFormat>, 2> sink_format_words = {
    {{"json", LogFormat::json}, {"console", LogFormat::console}}};

/// The facilities of syslog (RFC 3164, syslog(3)). `kern` is only for the kernel.
inline constexpr std::array<Word<unsigned>, 19> syslog_facility_words = {{{"daemon", 3},
                                                                          {"user", 1},
                                                                          {"mail", 2},
                                                                          {"auth", 4},
                                                                          {"syslog", 5},
                                                                          {"lpr", 6},
                                                                          {"news", 7},
                                                                          {"uucp", 8},
                                                                          {"cron", 9},
                                                                          {"authpriv", 10},
                                                                          {"ftp", 11},
                                                                          {"local0", 16},
                                                                          {"local1", 17},
                                                                          {"local2", 18},
                                                                          {"local3", 19},
                                                                          {"local4", 20},
                                                                          {"local5", 21},
                                                                          {"local6", 22},
                                                                          {"local7", 23}}};

/// The number of threads of the default dispatcher.
inline constexpr std::array<Word<std::int64_t>, 1> workers_words = {{{"auto", 0}}};

/// The memory for messages: a share of the available memory; the least that may be set, in bytes.
inline constexpr std::int64_t by_memory = 0;
inline constexpr std::int64_t message_memory_min = 1 << 20;
inline constexpr std::array<Word<std::int64_t>, 2> memory_words = {
    {{"auto", by_memory}, {"unlimited", std::numeric_limits<std::int64_t>::max()}}};

/// The capacity of a mailbox or a stash.
inline constexpr std::array<Word<std::int64_t>, 1> capacity_words = {
    {{"unlimited", actor::ActorOptions::unlimited}}};

/// What becomes of a message for which a mailbox has no room.
inline constexpr std::array<Word<actor::Overflow>, 4> overflow_words = {
    {{"drop-new", actor::Overflow::drop_new},
     {"drop-old", actor::Overflow::drop_old},
     {"fail-sender", actor::Overflow::fail_sender},
     {"wait", actor::Overflow::wait}}};

/// What becomes of a message on which an actor has failed.
enum class FailedMessage { unset, drop, redeliver };
inline constexpr std::array<Word<FailedMessage>, 2> failed_message_words = {
    {{"drop", FailedMessage::drop}, {"redeliver", FailedMessage::redeliver}}};
/// How often an actor may be given the same message at most, and unless something else is set.
inline constexpr std::int64_t attempts_most = 1000, attempts_default = 3;

inline constexpr std::array<Word<actor::Isolation>, 3> isolation_words = {
    {{"thread", actor::Isolation::thread},
     {"process", actor::Isolation::process},
     {"auto", actor::Isolation::automatic}}};

/// Which isolated actors share a host process. "shared:NAME" is a further group.
inline constexpr std::array<Word<std::string_view>, 2> worker_group_words = {
    {{"per-plugin", "per-plugin"}, {"per-actor", "per-actor"}}};

/// The memory and the descriptors of a host process.
inline constexpr std::int64_t worker_unlimited = 0, worker_inherited = 0;
inline constexpr std::array<Word<std::int64_t>, 1> worker_memory_words = {
    {{"unlimited", worker_unlimited}}};
inline constexpr std::array<Word<std::int64_t>, 1> worker_nofile_words = {
    {{"inherit", worker_inherited}}};

inline constexpr std::array<Word<std::int64_t>, 2> max_restarts_words = {
    {{"unlimited", actor::RestartLimit::unlimited}, {"never", 0}}};

inline constexpr std::array<Word<std::string_view>, 3> dispatcher_words = {
    {{"default", "default"}, {"blocking-io", "blocking-io"}, {"pinned", "pinned"}}};

inline constexpr std::array<Word<actor::Strategy::Kind>, 2> strategy_kind_words = {
    {{"one-for-one", actor::Strategy::Kind::one_for_one},
     {"all-for-one", actor::Strategy::Kind::all_for_one}}};

inline constexpr std::array<Word<actor::Directive>, 4> directive_words = {
    {{"resume", actor::Directive::resume},
     {"restart", actor::Directive::restart},
     {"stop", actor::Directive::stop},
     {"escalate", actor::Directive::escalate}}};

/// The log level of a rule.
inline constexpr std::array<Word<int>, 4> rule_level_words = {{{"error", ACTORD_ERROR},
                                                               {"warning", ACTORD_WARNING},
                                                               {"info", ACTORD_INFO},
                                                               {"debug", ACTORD_DEBUG}}};

/// The decision for types without a rule.
inline constexpr std::array<Word<actor::Strategy::Otherwise>, 6> otherwise_words = {
    {{"resume", actor::Strategy::Otherwise::resume},
     {"restart", actor::Strategy::Otherwise::restart},
     {"stop", actor::Strategy::Otherwise::stop},
     {"escalate", actor::Strategy::Otherwise::escalate},
     {"code", actor::Strategy::Otherwise::code},
     {"default-decider", actor::Strategy::Otherwise::default_decider}}};

/// What the classic back-off supervisor restarts its child after.
enum class BackoffMode { on_stop, on_failure };
inline constexpr std::array<Word<BackoffMode>, 2> backoff_mode_words = {
    {{"on-stop", BackoffMode::on_stop}, {"on-failure", BackoffMode::on_failure}}};

/// Whether a router creates its routees.
inline constexpr std::array<Word<bool>, 2> router_type_words = {{{"pool", true}, {"group", false}}};

/// How a router chooses among its routees.
enum class RouterLogic {
  round_robin,
  random,
  smallest_mailbox,
  balancing,
  broadcast,
  scatter_gather_first,
  tail_chopping,
  consistent_hashing
};
inline constexpr std::array<Word<RouterLogic>, 8> router_logic_words = {
    {{"round-robin", RouterLogic::round_robin},
     {"random", RouterLogic::random},
     {"smallest-mailbox", RouterLogic::smallest_mailbox},
     {"balancing", RouterLogic::balancing},
     {"broadcast", RouterLogic::broadcast},
     {"scatter-gather-first", RouterLogic::scatter_gather_first},
     {"tail-chopping", RouterLogic::tail_chopping},
     {"consistent-hashing", RouterLogic::consistent_hashing}}};

/// Those that give each message to one routee, whatever it says.
inline constexpr std::array<Word<RouterLogic>, 4> balancer_logic_words = {
    {router_logic_words[0], router_logic_words[1], router_logic_words[2], router_logic_words[3]}};

enum class BackoffReset { automatic, manual };
inline constexpr std::array<Word<BackoffReset>, 2> backoff_reset_words = {
    {{"auto", BackoffReset::automatic}, {"manual", BackoffReset::manual}}};

}  // namespace actord::schema
