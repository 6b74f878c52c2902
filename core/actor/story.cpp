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

// Fields with the texts they borrow.
class Story {
 public:
  Story& add(std::string_view key, log::Value value) {
    if (count_ < std::size(fields_)) fields_[count_++] = Field{key, value};
    return *this;
  }
  Story& own(std::string_view key, std::string text) { return add(key, keep(std::move(text))); }
  std::string_view keep(std::string text) {
    texts_.push_back(std::make_unique<std::string>(std::move(text)));
    return *texts_.back();
  }
  Story& list(std::string_view key, const std::vector<std::string>& items) {
    lists_.emplace_back(items.begin(), items.end());
    return add(key, std::span<const std::string_view>{lists_.back()});
  }
  Story& actor(std::string path, Ref ref, const Cell& cell) {
    return own("actor.path", std::move(path))
        .own("actor.uid", base::base32(ref))
        .add("actor.incarnation", std::uint64_t{cell.incarnation})
        .add("actor.behaviour", cell.props->behaviour.name);
  }
  std::span<const Field> fields() const { return {fields_, count_}; }

 private:
  Field fields_[40];
  std::size_t count_ = 0;
  std::vector<std::unique_ptr<std::string>> texts_;
  std::vector<std::vector<std::string_view>> lists_;
};

std::string verdict_sentence(const Failure& failure, const Verdict& verdict, bool is_denied) {
  std::string text = failure.root_cause().what;
  text += is_denied ? " -> stop, for the restart limit is reached"
                    : " -> " + std::string{name_of(verdict.directive)};
  return text;
}

}  // namespace

void Activation::log_started() {
  if (!local_.log.is_enabled(Level::info)) return;
  Story story;
  story.actor(path(), self, cell_);
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
  Story story;
  story.add("actor.path", failure.actor_path)
      .own("actor.uid", base::base32(failure.actor))
      .add("actor.incarnation", std::uint64_t{failure.incarnation})
      .add("actor.behaviour", failure.behaviour)
      .own("failure.id", environment_.failure_id_text(failure.id))
      .add("failure.type", failure.types->type())
      .list("failure.types", failure.types->names)
      .add("failure.message", root.what)
      .add("failure.phase", name_of(failure.phase));
  if (&root != &failure)
    story.add("failure.cause.type", root.types->type())
        .list("failure.cause.types", root.types->names);
  if (failure.follows != 0)
    story.own("failure.follows", environment_.failure_id_text(failure.follows));
  for (const Detail& detail : root.details) {
    const std::string_view key = story.keep("failure.details." + detail.key);
    switch (detail.kind) {
      case ACTORD_TEXT: story.add(key, std::string_view{detail.text}); break;
      case ACTORD_INT: story.add(key, detail.value.value.i); break;
      case ACTORD_UINT: story.add(key, detail.value.value.u); break;
      case ACTORD_DOUBLE: story.add(key, detail.value.value.d); break;
      case ACTORD_BOOL: story.add(key, detail.value.value.i != 0); break;
      case ACTORD_DURATION: story.add(key, std::chrono::nanoseconds{detail.value.value.i}); break;
      case ACTORD_REF: story.own(key, local_.path(detail.value.value.u)); break;
      default: break;
    }
  }
  if (!failure.message_type.empty()) story.add("message.type", failure.message_type);
  if (!failure.message_sender.empty()) story.add("message.sender", failure.message_sender);
  story.own("supervisor.path", path())
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
  local_.log.emit(level, "actor.failed", verdict_sentence(failure, verdict, is_denied),
                  story.fields());
}

void Activation::log_limit(Cell& child, const Strategy& judged_by, const Failure& failure) {
  if (failure.is_silent || !local_.log.is_enabled(Level::error)) return;
  Story story;
  story.own("actor.path", local_.path(ref_of(child)))
      .own("failure.id", environment_.failure_id_text(failure.id))
      .own("supervisor.path", path())
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
  if (cause.is_silent || !local_.log.is_enabled(Level::warning)) return;
  Story story;
  story.actor(path(), self, cell_);
  story.own(is_collateral ? "collateral_of" : "failure.id", environment_.failure_id_text(cause.id));
  local_.log.emit(Level::warning, "actor.restarted", "restarted", story.fields());
}

void Activation::log_resumed(const Failure& failure) {
  if (failure.is_silent || !local_.log.is_enabled(Level::warning)) return;
  Story story;
  story.actor(path(), self, cell_);
  story.own("failure.id", environment_.failure_id_text(failure.id));
  local_.log.emit(Level::warning, "actor.resumed", "goes on with the next message", story.fields());
}

void Activation::log_backoff(const Failure& failure, std::int64_t delay_ns) {
  if (failure.is_silent || !local_.log.is_enabled(Level::warning)) return;
  Story story;
  story.actor(path(), self, cell_);
  story.own("failure.id", environment_.failure_id_text(failure.id))
      .add("restart.delay", std::chrono::nanoseconds{delay_ns});
  local_.log.emit(Level::warning, "actor.backoff", "waits before its restart", story.fields());
}

void Activation::log_stopped() {
  const Ending& ending = organs().ending;
  const bool is_own = ending.failure && !ending.is_collateral;
  const Level level = is_own ? Level::error : Level::info;
  if (!local_.log.is_enabled(level) || (ending.failure && ending.failure->is_silent)) return;
  Story story;
  story.actor(path(), self, cell_);
  story.add("reason", name_of(ending.reason));
  if (ending.failure) {
    story.own(is_own ? "failure.id" : "collateral_of",
              environment_.failure_id_text(ending.failure->id));
  }
  local_.log.emit(level, "actor.stopped", "stopped", story.fields());
}

// `during`: what is being mended, whose story this line belongs to (supervision.md 51).
void Activation::log_hook_failure(std::string_view event, const Failure& failure, Phase phase,
                                  const Failure* during) {
  Story story;
  story.actor(path(), self, cell_);
  story.add("failure.type", failure.types->type())
      .list("failure.types", failure.types->names)
      .add("failure.message", failure.root_cause().what)
      .add("failure.phase", name_of(phase));
  if (during != nullptr) {
    story.own("failure.id", environment_.failure_id_text(during->id))
        .add("restart.cause.type", during->root_cause().types->type())
        .add("restart.cause.message", during->root_cause().what);
  }
  local_.log.emit(Level::error, event, failure.what, story.fields());
}

void Activation::log_debug(std::string_view event, std::string_view text, Ref about) {
  if (!local_.log.is_enabled(Level::debug)) return;
  Story story;
  story.actor(path(), self, cell_);
  story.own("about", local_.path(about));
  local_.log.emit(Level::debug, event, text, story.fields());
}

// One of those that somebody has to switch on.
void Activation::log_lifecycle(std::string_view text, Ref about) {
  if (!environment_.debug.lifecycle || !local_.log.is_enabled(Level::debug)) return;
  Story story;
  story.own("actor.path", path());
  if (about != nobody) story.own("about", local_.path(about));
  local_.log.emit(Level::debug, "actor.lifecycle", text, story.fields());
}

// Of the current message.
void Activation::log_message(std::string_view event, std::string_view text) {
  if (!local_.log.is_enabled(Level::debug)) return;
  Story story;
  story.own("actor.path", path())
      .add("message.type", environment_.types.name(message_type))
      .own("message.sender", sender != nobody ? local_.path(sender) : std::string{});
  local_.log.emit(Level::debug, event, text, story.fields());
}

// A plugin's own event; the actor's path is ours to add.
void Activation::log_event(log::Level level, std::string_view event, std::string_view text,
                           std::span<const log::Field> fields) {
  if (!local_.log.is_enabled(level)) return;
  Story story;
  story.own("actor.path", path());
  for (const Field& field : fields) story.add(field.key, field.value);
  local_.log.emit(level, event, text, story.fields(), log::Class::chatter);
}

void Activation::subscribe(message::TypeId type) {
  cell_.owner_flags |= Cell::subscribed;
  environment_.subscribe(self, type);
  if (environment_.debug.event_stream)
    log_debug("event-stream.subscribed", environment_.types.name(type), self);
}

void Activation::subscribe_prefix(std::string_view prefix) {
  cell_.owner_flags |= Cell::subscribed;
  environment_.subscribe_prefix(self, prefix);
  if (environment_.debug.event_stream) log_debug("event-stream.subscribed", prefix, self);
}

void Activation::unsubscribe(message::TypeId type) {
  environment_.unsubscribe(self, type);
  if (environment_.debug.event_stream)
    log_debug("event-stream.unsubscribed", environment_.types.name(type), self);
}

}  // namespace actord::actor
