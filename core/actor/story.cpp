// SPDX-License-Identifier: Apache-2.0
//
// What the log says of an actor's life: one line for a failure, by the supervisor that decides, and
// one for its outcome, with the same failure.id. Names and fields are the schema "actord.log/1".
#include "actor/activation.hpp"
#include "base/base32.hpp"

namespace actord::actor {

namespace {

using log::Field;
using log::Level;

// Fields with the texts they borrow. Most stories fit the room that is in it; nothing is formatted
// here but names and numbers that have to be read on this thread.
class Story {
 public:
  explicit Story(const Environment& environment) : environment_(environment) {}
  Story(const Story&) = delete;
  Story& operator=(const Story&) = delete;

  Story& add(std::string_view key, log::Value value) {
    if (count_ < fields_max) ::new (&reinterpret_cast<Field*>(fields_)[count_++]) Field{key, value};
    return *this;
  }
  Story& path(std::string_view key, const Cell& cell) {
    std::string_view text;
    environment_.cells.write_path(cell, [&](std::size_t size) {
      char* const at = take(size);
      text = {at, size};
      return at;
    });
    return add(key, text);
  }
  Story& path(std::string_view key, Ref ref) {
    return add(key, keep(environment_.cells.path(ref)));
  }
  Story& failure_id(std::string_view key, std::uint64_t id) {
    char digits[13];
    return add(key, keep(environment_.failure_id_prefix, {digits, base::write_base32(id, digits)}));
  }
  Story& actor(const Cell& cell, Ref ref) {
    return path("actor.path", cell)
        .uid(ref)
        .add("actor.incarnation", std::uint64_t{cell.incarnation})
        .add("actor.behaviour", cell.props->behaviour.name);
  }
  Story& uid(Ref ref) {
    char digits[13];
    return add("actor.uid", keep({digits, base::write_base32(ref, digits)}));
  }
  Story& types(std::string_view key, const TypeChain& types) {
    return add(key, std::span<const std::string_view>{types.texts});
  }
  Story& list(std::string_view key, const std::vector<std::string>& items) {
    lists_.emplace_back(items.begin(), items.end());
    return add(key, std::span<const std::string_view>{lists_.back()});
  }
  /// A copy of all of them, one behind the other.
  std::string_view keep(std::string_view first, std::string_view second = {},
                        std::string_view third = {}) {
    const std::size_t size = first.size() + second.size() + third.size();
    char* const at = take(size);
    char* end = at + first.copy(at, first.size());
    end += second.copy(end, second.size());
    third.copy(end, third.size());
    return {at, size};
  }

  std::span<const Field> fields() const {
    return {std::launder(reinterpret_cast<const Field*>(fields_)), count_};
  }

 private:
  static constexpr std::size_t fields_max = 40;

  char* take(std::size_t size) {
    if (size > sizeof room_ - used_)
      return more_.emplace_back(std::make_unique<char[]>(size)).get();
    return room_ + std::exchange(used_, used_ + size);
  }

  const Environment& environment_;
  std::size_t count_ = 0, used_ = 0;
  std::vector<std::unique_ptr<char[]>> more_;
  std::vector<std::vector<std::string_view>> lists_;
  alignas(Field) std::byte fields_[fields_max * sizeof(Field)];
  char room_[1024];
};

}  // namespace

void Activation::log_started() {
  if (!local_.log.is_enabled(Level::info)) return;
  Story story(environment_);
  story.actor(cell_, self);
  story.add("plugin.name", cell_.props->behaviour.plugin)
      .add("plugin.version", cell_.props->behaviour.version);
  const NodeSpec* const node = cell_.props->node;
  if (node != nullptr && !node->origin.empty()) story.add("config.origin", node->origin);
  local_.log.emit(Level::info, "actor.started", "started", story.fields());
}

void Activation::log_verdict(const Strategy& judged_by, const Verdict& verdict, Cell& child,
                             const Failure& failure, std::int64_t delay_ns, bool is_denied) {
  if (const auto hook = table().log_failure; hook != nullptr && cell_.instance != nullptr) {
    sender = ref_of(child);  // supervision.md 179e: the author's own way replaces ours
    const FailureView view(failure);
    const FailurePtr thrown = enter([&](actord_context* context, actord_errors* errors) {
      return hook(cell_.instance, context, view.c(),
                  static_cast<actord_directive>(verdict.directive), errors);
    });
    take_back();
    if (thrown) log_hook_failure("actor.log_failure-failed", *thrown, Phase::decide);
    return;
  }
  Level level = verdict.directive == Directive::resume ? Level::warning : Level::error;
  if (verdict.level >= 0) level = static_cast<Level>(verdict.level);
  if (failure.is_silent || !local_.log.is_enabled(level)) return;
  const Failure& root = failure.root_cause();
  Story story(environment_);
  if (failure.actor_path.empty()) story.path("actor.path", child);
  else story.add("actor.path", failure.actor_path);
  story.uid(failure.actor)
      .add("actor.incarnation", std::uint64_t{failure.incarnation})
      .add("actor.behaviour", failure.behaviour->name)
      .failure_id("failure.id", failure.id)
      .add("failure.type", failure.types->type())
      .types("failure.types", *failure.types)
      .add("failure.message", root.what.view())
      .add("failure.phase", name_of(failure.phase));
  if (&root != &failure)
    story.add("failure.cause.type", root.types->type()).types("failure.cause.types", *root.types);
  if (failure.follows != 0) story.failure_id("failure.follows", failure.follows);
  for (const Detail& detail : root.details) {
    const std::string_view key = story.keep("failure.details.", detail.key);
    switch (detail.kind) {
      case ACTORD_TEXT: story.add(key, std::string_view{detail.text}); break;
      case ACTORD_INT: story.add(key, detail.value.value.i); break;
      case ACTORD_UINT: story.add(key, detail.value.value.u); break;
      case ACTORD_DOUBLE: story.add(key, detail.value.value.d); break;
      case ACTORD_BOOL: story.add(key, detail.value.value.i != 0); break;
      case ACTORD_DURATION: story.add(key, std::chrono::nanoseconds{detail.value.value.i}); break;
      case ACTORD_REF: story.path(key, Ref{detail.value.value.u}); break;
      default: break;
    }
  }
  if (failure.message_type != 0)
    story.add("message.type", environment_.types.name(failure.message_type));
  if (!failure.message_sender_path.empty())
    story.add("message.sender", failure.message_sender_path);
  else if (failure.message_sender != nobody) story.path("message.sender", failure.message_sender);
  story.path("supervisor.path", cell_)
      .add("supervisor.strategy", judged_by.name)
      .add("decision.directive", name_of(verdict.directive))
      .add("decision.rule", verdict.rule);
  if (!verdict.origin.empty()) story.add("decision.config_origin", verdict.origin);
  if (is_denied) story.add("decision.denied", true);
  if (!failure.escalated.empty()) story.list("escalated", failure.escalated);
  if (const ChildStats* const stats = child.stats;
      stats != nullptr && verdict.directive == Directive::restart) {
    story.add("restart.count", stats->count).add("restart.max", judged_by.budget.max_restarts);
  }
  if (delay_ns > 0) story.add("restart.delay", std::chrono::nanoseconds{delay_ns});
  const std::string_view what = failure.root_cause().what.view();
  const std::string_view sentence =
      is_denied ? story.keep(what, " -> stop, for the restart limit is reached")
                : story.keep(what, " -> ", name_of(verdict.directive));
  local_.log.emit(level, "actor.failed", sentence, story.fields());
}

void Activation::log_limit(Cell& child, const Strategy& judged_by, const Failure& failure) {
  if (failure.is_silent || !local_.log.is_enabled(Level::error)) return;
  Story story(environment_);
  story.path("actor.path", child)
      .failure_id("failure.id", failure.id)
      .path("supervisor.path", cell_)
      .add("supervisor.strategy", judged_by.name)
      .add("restart.max", judged_by.budget.max_restarts);
  if (child.stats != nullptr) story.add("restart.count", child.stats->count);
  std::string text = judged_by.budget.max_restarts == 0 ? "restarts are not allowed"
                                                        : "the restart limit is reached";
  if (judged_by.budget.within_ns >= 0) {
    story.add("restart.within", std::chrono::nanoseconds{judged_by.budget.within_ns});
    if (judged_by.budget.max_restarts != 0) text += " within its window";
  }
  if (!judged_by.origin.empty()) story.add("decision.config_origin", judged_by.origin);
  local_.log.emit(Level::error, "supervisor.limit", text + ": the child is stopped",
                  story.fields());
}

void Activation::log_restarted(const Failure& cause, bool is_collateral) {
  const bool is_failure = cause.id != 0;  // or the operator's wish
  const Level level = is_failure ? Level::warning : Level::info;
  if (cause.is_silent || !local_.log.is_enabled(level)) return;
  Story story(environment_);
  story.actor(cell_, self);
  if (is_failure) story.failure_id(is_collateral ? "collateral_of" : "failure.id", cause.id);
  else story.add("restart.cause", cause.types->type());
  const NodeSpec* const node = cell_.props->node;
  if (!is_failure && node != nullptr && !node->origin.empty())
    story.add("config.origin", node->origin);
  local_.log.emit(level, "actor.restarted", "restarted", story.fields());
}

void Activation::log_resumed(const Failure& failure) {
  if (failure.is_silent || !local_.log.is_enabled(Level::warning)) return;
  Story story(environment_);
  story.actor(cell_, self);
  story.failure_id("failure.id", failure.id);
  local_.log.emit(Level::warning, "actor.resumed", "goes on with the next message", story.fields());
}

void Activation::log_backoff(const Failure& failure, std::int64_t delay_ns) {
  if (failure.is_silent || !local_.log.is_enabled(Level::warning)) return;
  Story story(environment_);
  story.actor(cell_, self);
  story.failure_id("failure.id", failure.id)
      .add("restart.delay", std::chrono::nanoseconds{delay_ns});
  local_.log.emit(Level::warning, "actor.backoff", "waits before its restart", story.fields());
}

void Activation::log_stopped() {
  const Ending none, &ending = cell_.organs != nullptr ? cell_.organs->ending : none;
  const bool is_own = ending.failure && !ending.is_collateral;
  const Level level = is_own ? Level::error : Level::info;
  if (!local_.log.is_enabled(level) || (ending.failure && ending.failure->is_silent)) return;
  Story story(environment_);
  story.actor(cell_, self);
  story.add("reason", name_of(cell_.stop_reason));
  if (ending.failure) story.failure_id(is_own ? "failure.id" : "collateral_of", ending.failure->id);
  local_.log.emit(level, "actor.stopped", "stopped", story.fields());
}

// `during`: what is being mended, whose story this line belongs to (supervision.md 51).
void Activation::log_hook_failure(std::string_view event, const Failure& failure, Phase phase,
                                  const Failure* during) {
  Story story(environment_);
  story.actor(cell_, self);
  story.add("failure.type", failure.types->type())
      .types("failure.types", *failure.types)
      .add("failure.message", failure.root_cause().what.view())
      .add("failure.phase", name_of(phase));
  if (during != nullptr) {
    story.failure_id("failure.id", during->id)
        .add("restart.cause.type", during->root_cause().types->type())
        .add("restart.cause.message", during->root_cause().what.view());
  }
  local_.log.emit(Level::error, event, failure.what.view(), story.fields());
}

void Activation::log_debug(std::string_view event, std::string_view text, Ref about) {
  if (!local_.log.is_enabled(Level::debug)) return;
  Story story(environment_);
  story.actor(cell_, self);
  story.path("about", about);
  local_.log.emit(Level::debug, event, text, story.fields());
}

void Activation::tell_lifecycle(std::string_view text, Ref about) {
  if (!local_.log.is_enabled(Level::debug)) return;
  Story story(environment_);
  story.path("actor.path", cell_);
  if (about != nobody) story.path("about", about);
  local_.log.emit(Level::debug, "actor.lifecycle", text, story.fields());
}

// Of the current message.
void Activation::log_message(std::string_view event, std::string_view text) {
  if (!local_.log.is_enabled(Level::debug)) return;
  Story story(environment_);
  story.path("actor.path", cell_).add("message.type", environment_.types.name(message_type));
  if (sender != nobody) story.path("message.sender", sender);
  else story.add("message.sender", "");
  local_.log.emit(Level::debug, event, text, story.fields());
}

// A plugin's own event; the actor's path is ours to add.
void Activation::log_event(log::Level level, std::string_view event, std::string_view text,
                           std::span<log::Field> fields) {
  if (!local_.log.is_enabled(level)) return;
  char room[256];
  std::string long_path;
  std::string_view path;
  environment_.cells.write_path(cell_, [&](std::size_t size) {
    if (size > sizeof room) long_path.resize(size);
    char* const at = size > sizeof room ? long_path.data() : room;
    path = {at, size};
    return at;
  });
  fields.front() = {"actor.path", path};
  local_.log.emit(level, event, text, fields, log::Class::chatter);
}

void Activation::subscribe(message::TypeId type) {
  cell_.owner_flags |= Cell::subscribed;
  environment_.subscribe(self, type);
  if (environment_.debug.event_stream.load(base::relaxed))
    log_debug("event-stream.subscribed", environment_.types.name(type), self);
}

void Activation::subscribe_prefix(std::string_view prefix) {
  cell_.owner_flags |= Cell::subscribed;
  environment_.subscribe_prefix(self, prefix);
  if (environment_.debug.event_stream.load(base::relaxed))
    log_debug("event-stream.subscribed", prefix, self);
}

void Activation::unsubscribe(message::TypeId type) {
  environment_.unsubscribe(self, type);
  if (environment_.debug.event_stream.load(base::relaxed))
    log_debug("event-stream.unsubscribed", environment_.types.name(type), self);
}

}  // namespace actord::actor
