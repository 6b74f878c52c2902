// SPDX-License-Identifier: Apache-2.0
//
// A failure: what is known about an error in an actor. The data is copied out of the plugin while
// its exception is still alive.
//
// Not here: what is done about a failure (supervision.hpp decides, recovery.hpp acts).
#pragma once

#include <actord/plugin.h>

#include <array>
#include <concepts>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "actor/ref.hpp"
#include "base/intrusive_ptr.hpp"
#include "base/sync.hpp"
#include "message/owned_message.hpp"
#include "message/trace_context.hpp"
#include "message/type_registry.hpp"

namespace actord::actor {

/// The names of a cause's type and of its base classes, most derived first, and the properties that
/// supervision asks for. There is one object for each list of names. It lives as long as the
/// system, so that failures and deciders refer to it without copying.
class TypeChain {
 public:
  /// `names` is not empty.
  explicit TypeChain(std::vector<std::string> names);
  TypeChain(const TypeChain&) = delete;
  TypeChain& operator=(const TypeChain&) = delete;

  const std::vector<std::string> names;
  const std::vector<actord_str> views;        // the names, for the C interface
  const std::vector<std::string_view> texts;  // the names, for the log
  const bool is_foreign;                      // `names` has actord::ForeignException
  const bool is_initialization_failure;
  const bool is_kill;
  const bool is_death_pact;

  std::string_view type() const noexcept { return names.front(); }
  bool has(std::string_view name) const noexcept;
};

/// The chains of the failures that the runtime itself reports: those of the classes in
/// <actord/builtin_causes.hpp>, so that a rule on `std::exception` covers these causes, too
/// (supervision.md 7). Each array has an address of its own, by which its chain is found.
namespace causes {

/// A chain: `derived`, most derived first, and the bases of every such class.
template <std::same_as<std::string_view>... Name>
consteval auto failure_chain(Name... derived) {
  using message::to_c;
  return std::array{to_c(derived)..., to_c("actord::Failure"), to_c("actord::Error"),
                    to_c("std::runtime_error"), to_c("std::exception")};
}

using namespace std::string_view_literals;
inline constexpr auto failure = failure_chain();
inline constexpr auto killed = failure_chain("actord::Killed"sv);
inline constexpr auto death_pact = failure_chain("actord::DeathPact"sv);
inline constexpr auto config_changed = failure_chain("actord::ConfigChanged"sv);
inline constexpr auto restart_ordered = failure_chain("actord::RestartOrdered"sv);
inline constexpr auto config_error = failure_chain("actord::ConfigError"sv);
inline constexpr auto ask_timeout = failure_chain("actord::AskTimeout"sv);
inline constexpr auto no_recipient = failure_chain("actord::NoRecipient"sv);
inline constexpr auto mailbox_full =
    failure_chain("actord::MailboxFull"sv, "actord::NoRecipient"sv);
inline constexpr auto not_translated = failure_chain("actord::NotTranslated"sv);
inline constexpr auto stash_overflow = failure_chain("actord::StashOverflow"sv);
inline constexpr auto limit_reached = failure_chain("actord::LimitReached"sv);
// The process of the actor was ended in it, by a signal or because its code has called exit(). The
// signal's own name, such as actord::crash::SIGSEGV, comes before them.
inline constexpr auto crash_signal =
    failure_chain("actord::crash::Signal"sv, "actord::WorkerCrash"sv);
inline constexpr auto crash_exit = failure_chain("actord::crash::Exit"sv, "actord::WorkerCrash"sv);
// The signal is one of actord's own or of the service manager, because the actor did not return.
inline constexpr auto crash_hang =
    failure_chain("actord::crash::Hang"sv, "actord::crash::Signal"sv, "actord::WorkerCrash"sv);
inline constexpr auto crash_protocol =
    failure_chain("actord::crash::Protocol"sv, "actord::WorkerCrash"sv);
inline constexpr auto peer_crash = failure_chain("actord::PeerCrash"sv, "actord::WorkerCrash"sv);
inline constexpr auto initialization = failure_chain("actord::InitializationFailure"sv);
inline constexpr auto unlisted_message =
    failure_chain("actord::UnlistedMessage"sv, "actord::InitializationFailure"sv);
inline constexpr auto shutdown_task_refused =
    failure_chain("actord::ShutdownTaskRefused"sv, "actord::InitializationFailure"sv);
inline constexpr auto start_timeout =
    failure_chain("actord::StartTimeout"sv, "actord::InitializationFailure"sv);
// An actor could not recover from its journal, or an event could not be stored: it is stopped.
inline constexpr auto recovery = failure_chain("actord::RecoveryFailure"sv);
inline constexpr auto persist = failure_chain("actord::PersistFailure"sv);
inline constexpr auto post_restart =
    failure_chain("actord::PostRestartFailure"sv, "actord::InitializationFailure"sv);

/// What a call of the host throws in the plugin that misused it.
inline constexpr std::array error{message::to_c("actord::Error"),
                                  message::to_c("std::runtime_error"),
                                  message::to_c("std::exception")};
/// Not derived from std::exception, so that a rule can name one without the other
/// (supervision.md 97).
inline constexpr std::array foreign{message::to_c("actord::ForeignException")};

}  // namespace causes

/// All chains known so far. Any thread may call it. Each call takes a lock; workers avoid that by
/// asking their FailureRecorder.
class TypeChains {
 public:
  /// The chain for `names`, created if it is not known yet. `is_static`: the array is never moved
  /// or freed, so later calls find the chain by the array's address.
  const TypeChain& intern(std::span<const actord_str> names, bool is_static);
  const TypeChain& intern(std::initializer_list<std::string_view> names);

 private:
  /// The key of a list of names in `by_names_`.
  static std::string key_of(std::span<const actord_str> names);

  base::SharedMutex mutex_;
  std::unordered_map<const actord_str*, const TypeChain*> by_address_;
  std::unordered_map<std::string, std::unique_ptr<TypeChain>> by_names_;
};

/// The hook in which an actor failed.
enum class Phase : std::uint8_t {
  constructor,
  pre_start,
  receive,
  pre_restart,
  post_restart,
  post_stop,
  decide,
  child_terminated,
  crash,     // of an earlier process; which hook or handler ran is not known
  persisted  // what the actor does with an event that is stored
};
std::string_view name_of(Phase phase) noexcept;

/// A value with its key that a plugin attached to a failure.
struct Detail {
  std::string key;
  std::int64_t kind;
  actord_field value;  // its texts are in `key` and `text`
  std::string text;
};

/// The fields as a failure keeps them.
std::vector<Detail> details_of(std::span<const actord_field> fields);

/// A text that is set once and then read. A text of at most 56 bytes is stored in the object, so
/// that the message of a usual exception needs no allocation.
class Text {
 public:
  static constexpr std::size_t in_place = 56;

  Text() = default;
  ~Text() {
    if (size_ > in_place) delete[] outside_;
  }
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;
  Text& operator=(std::string_view text);

  std::string_view view() const noexcept { return {size_ > in_place ? outside_ : inside_, size_}; }

 private:
  std::size_t size_ = 0;
  union {
    char inside_[in_place];
    char* outside_;
  };
};

/// A supervisor that has escalated a failure, and the rule by which it did.
struct Escalation {
  std::string supervisor;  // its path
  std::string rule;
  std::string origin;  // of the rule, see origin_of()
};

/// Returns the return addresses of the calls that led to the throw of the exception that this
/// thread handles, the innermost first; empty if they are not known.
using ThrowSiteReader = std::span<void* const> (*)() noexcept;
/// From now on failures that are reported have what it returns. Any thread; for all systems.
void read_throw_sites_with(ThrowSiteReader reader) noexcept;

class Behaviour;
class Failure;
using FailurePtr = base::IntrusivePtr<Failure>;

/// The failing actor writes it until it reports the failure; then each supervisor that decides
/// about it writes it in turn. Every actor that holds a reference may read it.
class Failure final : public base::RefCounted<Failure> {
 public:
  ~Failure();
  Failure() = default;
  Failure(const Failure&) = delete;
  Failure& operator=(const Failure&) = delete;

  Phase phase = Phase::receive;
  bool is_foreign = false;
  // No line is written about it: a strategy that decided about it has logging off, or the
  // FailureLogLimit only counts it.
  bool is_silent = false;
  bool is_counted = false;  // by the FailureLogLimit
  // The process in which the instance lived has ended, so that the actor cannot resume; nor can its
  // supervisors up to `lost_up_to`, whose instances lived there, too.
  bool is_instance_lost = false;
  // No restart limit counts it: another actor, or a message that was known to kill, is to blame.
  bool is_uncharged = false;
  // The instance of `actor` has not applied an event that is stored: it cannot resume (183j).
  bool is_state_behind = false;
  /// Whether one more actor that was restarted or stopped along with the one that failed may write
  /// its line, if such lines are limited. Any thread.
  bool takes_collateral_line() const noexcept {
    return collateral_lines_.fetch_sub(1, base::relaxed) > 0;
  }
  const TypeChain* types = nullptr;
  Text what;
  std::vector<Detail> details;
  FailurePtr cause;
  // Return addresses of the calls that led to the throw, the innermost first; null: not known.
  std::unique_ptr<std::vector<void*>> throw_site;

  const message::MessageType* payload_type = nullptr;
  actord_type_id payload_id = 0;
  void* payload = nullptr;

  // The circumstances of the failure. Names of types and behaviours outlive every failure. The
  // first supervisor writes the paths, and only if the failure is escalated or a configured child
  // is lost.
  std::uint32_t incarnation = 0;
  message::TypeId message_type = 0;  // 0: no message was being handled
  std::uint64_t id = 0;
  std::uint64_t follows = 0;  // id of the failure whose restart failed with this one; 0: none
  FailurePtr original;        // the first failure of that chain (supervision.md 56)
  FailurePtr judged;          // what the decider was judging that failed with this one; or null
  Ref actor = nobody;         // the actor that failed first
  Ref lost_up_to = nobody;    // 0: `actor` alone, if is_instance_lost
  const Behaviour* behaviour = nullptr;
  Ref message_sender = nobody;
  std::string actor_path;
  std::string message_sender_path;
  message::TraceContext trace;          // of the span in which the actor failed; span_id 0: none
  std::vector<Escalation> escalations;  // lowest supervisor first
  // age in ns of the incarnation that reports the failure, or -1 (Instance::lived_ns())
  std::int64_t lived_ns = -1;
  static constexpr std::int64_t unlimited = -1;
  std::int64_t backoff_capacity = 0;  // messages kept while the restart is delayed
  // delay in ns of the creation that the verdict Resume means for an actor without an instance (46,
  // 57); 0: none
  std::int64_t creation_delay_ns = 0;

  /// The addresses of `throw_site`, the innermost first; the sinks give them names, which takes too
  /// long for a worker.
  std::vector<std::string> throw_site_texts() const;
  /// The innermost cause. The log shows its text for an initialization failure, too.
  const Failure& root_cause() const noexcept;

 private:
  mutable base::Atomic<std::int32_t> collateral_lines_{16};
};

/// A failure in the form of the C interface. Valid as long as both the failure and the view exist.
class FailureView {
 public:
  /// The plugin, by name and version, that the failure is shown to. It gets the payload in its own
  /// layout, or none if the payload cannot be translated.
  struct Reader {
    const message::TypeRegistry& types;
    std::string_view plugin;
  };
  FailureView(const Failure& failure, const Reader& reader);
  const actord_failure* c() const noexcept { return &c_; }

 private:
  void translate_payload(const Failure& failure, const Reader& reader);

  actord_failure c_{};
  std::unique_ptr<message::OwnedMessage> payload_;  // null: it is the failure's own
  std::vector<actord_field> fields_;
  std::unique_ptr<FailureView> cause_, original_;
};

/// moved: the payload of an exception, which is given away; copied: the payload of a failure that a
/// hook was shown, and that others still use.
enum class Payload { moved, copied };

/// Copies what a plugin reported into a Failure, with its nested causes. It remembers the chains it
/// met last, so that a usual failure takes no lock. Owner thread only.
class FailureRecorder {
 public:
  FailureRecorder(TypeChains& chains, const message::TypeRegistry& types)
      : chains_(chains), types_(types) {}
  FailureRecorder(const FailureRecorder&) = delete;
  FailureRecorder& operator=(const FailureRecorder&) = delete;

  FailurePtr copy(const actord_failure& reported, Payload payload);
  /// A failure that the runtime itself reports; `types` is one of `causes`.
  FailurePtr make(std::span<const actord_str> types, std::string_view what, FailurePtr cause = {});

 private:
  struct Known {
    const actord_str* names = nullptr;
    const TypeChain* chain = nullptr;
  };

  /// The chain for a static array of names.
  const TypeChain& static_chain(std::span<const actord_str> names);
  /// Copies a failure at `depth` and its causes, down to a limit.
  FailurePtr copy_to_depth(const actord_failure& reported, Payload payload, int depth);

  TypeChains& chains_;
  const message::TypeRegistry& types_;
  std::array<Known, 16> known_;
};

/// The `errors` argument of a call of the plugin. Keeps a copy of the first report.
class ErrorReceiver : public actord_errors {
 public:
  explicit ErrorReceiver(FailureRecorder& recorder) : actord_errors{&take}, recorder_(recorder) {}
  ErrorReceiver(const ErrorReceiver&) = delete;

  FailurePtr failure;

 private:
  static void take(actord_errors* self, const actord_failure* reported);

  FailureRecorder& recorder_;
};

}  // namespace actord::actor
