// SPDX-License-Identifier: Apache-2.0
//
// A failure: data about a behaviour that failed, copied out of the plugin while its exception was
// alive.
//
// Not here: what is done about it (supervision.hpp decides, recovery.hpp carries out).
#pragma once

#include <actord/plugin.h>

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "actor/ref.hpp"
#include "base/intrusive_ptr.hpp"
#include "message/type_registry.hpp"

namespace actord::actor {

/// The names of a cause's type and its bases, most derived first, with what supervision asks of
/// them. One per type and process, never freed before the system: deciders compare against these
/// and nobody copies them.
class TypeChain {
 public:
  /// `names` is not empty.
  explicit TypeChain(std::vector<std::string> names);
  TypeChain(const TypeChain&) = delete;
  TypeChain& operator=(const TypeChain&) = delete;

  const std::vector<std::string> names;
  const std::vector<actord_str> views;        // the same, for the C interface
  const std::vector<std::string_view> texts;  // the same, for the log
  const bool is_foreign;                      // one of them is actord::ForeignException, and so on
  const bool is_initialization_failure;
  const bool is_kill;
  const bool is_death_pact;

  std::string_view type() const noexcept { return names.front(); }
  bool has(std::string_view name) const noexcept;
};

/// What the runtime itself reports.
namespace causes {
inline constexpr actord_str failure[] = {ACTORD_STR("actord::Failure")};
inline constexpr actord_str foreign[] = {ACTORD_STR("actord::ForeignException")};
inline constexpr actord_str killed[] = {ACTORD_STR("actord::Killed"),
                                        ACTORD_STR("actord::Failure")};
inline constexpr actord_str death_pact[] = {ACTORD_STR("actord::DeathPact"),
                                            ACTORD_STR("actord::Failure")};
inline constexpr actord_str config_changed[] = {ACTORD_STR("actord::ConfigChanged"),
                                                ACTORD_STR("actord::Failure")};
inline constexpr actord_str ask_timeout[] = {ACTORD_STR("actord::AskTimeout"),
                                             ACTORD_STR("actord::Failure")};
inline constexpr actord_str no_recipient[] = {ACTORD_STR("actord::NoRecipient"),
                                              ACTORD_STR("actord::Failure")};
inline constexpr actord_str initialization[] = {ACTORD_STR("actord::InitializationFailure"),
                                                ACTORD_STR("actord::Failure")};
inline constexpr actord_str post_restart[] = {ACTORD_STR("actord::PostRestartFailure"),
                                              ACTORD_STR("actord::InitializationFailure"),
                                              ACTORD_STR("actord::Failure")};
}  // namespace causes

/// The chains seen so far. Any thread; one takes a lock, so that workers ask their FailureRecorder.
class TypeChains {
 public:
  /// `is_static`: the array stays where it is, and is known by its address from then on.
  const TypeChain& intern(std::span<const actord_str> names, bool is_static);
  const TypeChain& intern(std::initializer_list<std::string_view> names);

 private:
  static std::string key_of(std::span<const actord_str> names);

  base::SharedMutex mutex_;
  std::unordered_map<const actord_str*, const TypeChain*> by_address_;
  std::unordered_map<std::string, std::unique_ptr<TypeChain>> by_names_;
};

/// Where in its life the actor was.
enum class Phase : std::uint8_t {
  constructor,
  pre_start,
  receive,
  pre_restart,
  post_restart,
  post_stop,
  decide,
  child_terminated
};
std::string_view name_of(Phase phase) noexcept;

struct Detail {
  std::string key;
  std::int64_t kind;
  actord_field value;  // its texts point to `text`
  std::string text;
};

/// A text that is set once and then read. Short ones lie in place: what a usual exception says
/// needs no memory of its own.
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

class Behaviour;
class Failure;
using FailurePtr = base::IntrusivePtr<Failure>;

/// Written by the one who holds the episode: the failing actor first, then each supervisor in turn;
/// read by everyone it was handed to.
class Failure final : public base::RefCounted<Failure> {
 public:
  ~Failure();
  Failure() = default;
  Failure(const Failure&) = delete;
  Failure& operator=(const Failure&) = delete;

  Phase phase = Phase::receive;
  bool is_foreign = false;
  bool is_silent = false;  // logging is off for it
  const TypeChain* types = nullptr;
  Text what;
  std::vector<Detail> details;
  FailurePtr cause;

  const message::MessageType* payload_type = nullptr;
  actord_type_id payload_id = 0;
  void* payload = nullptr;

  // The story of the episode. Names of types and behaviours outlive every failure; paths are
  // written by the first supervisor, and only if somebody is going to read them.
  std::uint32_t incarnation = 0;
  std::uint64_t id = 0;
  std::uint64_t follows = 0;  // the failure whose mending failed with this one
  FailurePtr original;        // and the first one of all that were mended so (supervision.md 56)
  Ref actor = nobody;         // which failed first
  const Behaviour* behaviour = nullptr;
  message::TypeId message_type = 0;  // 0: no message was being handled
  Ref message_sender = nobody;
  std::string actor_path;
  std::string message_sender_path;
  std::vector<std::string> escalated;  // supervisors that passed it on, lowest first
  // how long the failed incarnation had lived, where somebody wants to know
  std::int64_t lived_ns = -1;
  std::int64_t backoff_capacity = 0;  // mail kept while the restart is delayed

  /// The innermost cause: what a person wants to read of an initialization failure.
  const Failure& root_cause() const noexcept;
};

/// A failure as the C interface shows it; valid as long as both live.
class FailureView {
 public:
  explicit FailureView(const Failure& failure);
  const actord_failure* c() const noexcept { return &c_; }

 private:
  actord_failure c_{};
  std::vector<actord_field> fields_;
  std::unique_ptr<FailureView> cause_, original_;
};

/// A thrown payload is given away; one that a hook was shown is somebody else's too.
enum class Payload { moved, copied };

/// Where reported failures become ours: copies of what a plugin told, nested causes and all.
/// Remembers the chains it met last, so that a failure takes no lock. Owner thread only.
class FailureRecorder {
 public:
  FailureRecorder(TypeChains& chains, const message::TypeRegistry& types)
      : chains_(chains), types_(types) {}
  FailureRecorder(const FailureRecorder&) = delete;
  FailureRecorder& operator=(const FailureRecorder&) = delete;

  FailurePtr copy(const actord_failure& reported, Payload payload);
  /// One of ours; `types` is one of `causes`.
  FailurePtr make(std::span<const actord_str> types, std::string_view what, FailurePtr cause = {});

 private:
  struct Known {
    const actord_str* names = nullptr;
    const TypeChain* chain = nullptr;
  };

  const TypeChain& static_chain(std::span<const actord_str> names);
  FailurePtr copy_to_depth(const actord_failure& reported, Payload payload, int depth);

  TypeChains& chains_;
  const message::TypeRegistry& types_;
  std::array<Known, 16> known_;
};

/// Given to the plugin as `errors`; keeps a copy of the first report.
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
