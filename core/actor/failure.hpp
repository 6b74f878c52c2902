// SPDX-License-Identifier: Apache-2.0
//
// A failure: data about a behaviour that failed, copied out of the plugin while its exception was
// alive.
//
// Not here: what is done about it (supervision.hpp decides, fault.cpp carries out).
#pragma once

#include <actord/plugin.h>

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "actor/ref.hpp"
#include "base/intrusive_ptr.hpp"
#include "message/type_registry.hpp"

namespace actord::actor {

/// The names of a cause's type and its bases, most derived first. One per type and process, never
/// freed before the system: deciders compare against these and nobody copies them.
struct TypeChain {
  std::vector<std::string> names;
  std::vector<actord_str> views;

  std::string_view type() const noexcept { return names.front(); }
  bool has(std::string_view name) const noexcept;
};

/// The chains seen so far. Any thread.
class TypeChains {
 public:
  const TypeChain& intern(const actord_str* names, std::size_t count, bool is_static);
  const TypeChain& intern(std::initializer_list<std::string_view> names);

 private:
  static std::string key_of(const actord_str* names, std::size_t count);

  base::SharedMutex mutex_;
  std::unordered_map<const actord_str*, const TypeChain*>
      by_address_;  // of arrays that stay where they are
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

  const TypeChain* types = nullptr;
  std::string what;
  std::vector<Detail> details;
  FailurePtr cause;
  bool is_foreign = false;

  const message::MessageType* payload_type = nullptr;
  actord_type_id payload_id = 0;
  void* payload = nullptr;

  // The story of the episode.
  std::uint64_t id = 0;
  std::uint64_t follows = 0;  // the failure whose mending failed with this one
  FailurePtr original;        // and the first one of all that were mended so (supervision.md 56)
  Phase phase = Phase::receive;
  Ref actor = nobody;  // which failed first
  std::string actor_path;
  std::string behaviour;
  std::uint32_t incarnation = 0;
  std::string message_type;  // empty if no message was being handled
  std::string message_sender;
  std::vector<std::string> escalated;  // supervisors that passed it on, lowest first
  std::int64_t lived_ns =
      -1;  // how long the failed incarnation had lived, where somebody wants to know
  std::int64_t backoff_capacity = 0;  // mail kept while the restart is delayed
  bool is_silent = false;             // logging is off for it

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

/// Given to the plugin as `errors`; keeps a copy of the first report.
class Reports : public actord_errors {
 public:
  Reports(TypeChains& chains, message::TypeRegistry& types)
      : actord_errors{&take}, chains_(chains), types_(types) {}
  Reports(const Reports&) = delete;

  FailurePtr failure;

 private:
  static void take(actord_errors* self, const actord_failure* reported);

  TypeChains& chains_;
  message::TypeRegistry& types_;
};

/// A thrown payload is given away; one that a hook was shown is somebody else's too.
enum class Payload { moved, copied };

/// A copy of what a plugin reported, nested causes and all.
FailurePtr copy_failure(const actord_failure& reported, TypeChains& chains,
                        const message::TypeRegistry& types, Payload payload);

}  // namespace actord::actor
