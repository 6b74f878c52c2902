// SPDX-License-Identifier: Apache-2.0
#include "actor/actor_log.hpp"

#include <algorithm>

#include "base/base32.hpp"
#include "base/utf8.hpp"
#include "message/message_text.hpp"

namespace actord::actor {

namespace {

using log::Class;
using log::Field;
using log::Level;

// of the content of a message in a line
constexpr std::size_t traced_bytes_max = 1024;

// The fields of one log line and the texts that they refer to. Most lines fit into the object. Only
// the texts that must be made on this thread are formatted here.
class Line {
 public:
  explicit Line(const Environment& environment) : environment_(environment) {}
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  Line& add(std::string_view key, log::Value value) {
    if (count_ < fields_max) ::new (&reinterpret_cast<Field*>(fields_)[count_++]) Field{key, value};
    return *this;
  }
  Line& path(std::string_view key, const Cell& cell) {
    std::string_view text;
    environment_.cells.write_path(cell, [&](std::size_t size) {
      char* const at = take(size);
      text = {at, size};
      return at;
    });
    return add(key, text);
  }
  Line& path(std::string_view key, Ref ref) { return add(key, keep(environment_.cells.path(ref))); }
  Line& failure_id(std::string_view key, std::uint64_t id) {
    char digits[13];
    return add(key, keep(environment_.failure_id_prefix, {digits, base::write_base32(id, digits)}));
  }
  Line& failure(NamedFailure named) {
    return failure_id(named.is_own ? "failure.id" : "collateral_of", named.failure->id);
  }
  Line& actor(const Cell& cell, Ref ref) {
    return path("actor.path", cell)
        .uid(ref)
        .add("actor.incarnation", std::uint64_t{cell.life.incarnation()})
        .add("actor.behaviour", cell.props->behaviour.name);
  }
  Line& uid(Ref ref) {
    char digits[13];
    return add("actor.uid", keep({digits, base::write_base32(ref, digits)}));
  }
  Line& span_id(std::string_view key, std::uint64_t id) {
    char digits[message::span_id_size];
    message::write_span_id(id, digits);
    return add(key, keep({digits, sizeof digits}));
  }
  /// The trace in which a failure happened.
  Line& trace(const message::TraceContext& context) {
    char digits[message::trace_id_size];
    message::write_trace_id(context.trace_id, digits);
    return add("trace.id", keep({digits, sizeof digits})).span_id("span.id", context.span_id);
  }
  Line& types(std::string_view key, const TypeChain& types) {
    return add(key, std::span<const std::string_view>{types.texts});
  }
  /// One step on the way of an escalated failure up to the decision; `directive` is what its
  /// supervisor said.
  Line& step(std::size_t index, const Escalation& by, std::string_view directive) {
    const std::string number = std::to_string(index);
    const auto key = [&](std::string_view name) {
      return keep(keep("decision.path.", number), name);
    };
    return add(key(".supervisor"), by.supervisor)
        .add(key(".directive"), directive)
        .add(key(".rule"), by.rule)
        .add(key(".config_origin"), by.origin);
  }
  Line& details(const Failure& failure) {
    for (const Detail& detail : failure.details) {
      const std::string_view key = keep("failure.details.", detail.key);
      switch (detail.kind) {
        case ACTORD_TEXT: add(key, std::string_view{detail.text}); break;
        case ACTORD_INT: add(key, detail.value.value.i); break;
        case ACTORD_UINT: add(key, detail.value.value.u); break;
        case ACTORD_DOUBLE: add(key, detail.value.value.d); break;
        case ACTORD_BOOL: add(key, detail.value.value.i != 0); break;
        case ACTORD_DURATION: add(key, std::chrono::nanoseconds{detail.value.value.i}); break;
        case ACTORD_REF: path(key, Ref{detail.value.value.u}); break;
        default: break;
      }
    }
    return *this;
  }
  /// A copy of the three texts, joined.
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
  static constexpr std::size_t fields_max = log::record_fields_max;

  // Room for a text of `size` bytes, valid as long as the line.
  char* take(std::size_t size) {
    if (size > sizeof buffer_ - used_)
      return more_.emplace_back(std::make_unique<char[]>(size)).get();
    return buffer_ + std::exchange(used_, used_ + size);
  }

  const Environment& environment_;
  std::size_t count_ = 0, used_ = 0;
  std::vector<std::unique_ptr<char[]>> more_;
  alignas(Field) std::byte fields_[fields_max * sizeof(Field)];
  char buffer_[1024];
};

// The path of an actor. Most fit into the object.
class PathText {
 public:
  PathText(const Environment& environment, const Cell& cell) {
    environment.cells.write_path(cell, [&](std::size_t size) {
      if (size > sizeof buffer_) long_.resize(size);
      char* const at = size > sizeof buffer_ ? long_.data() : buffer_;
      text_ = {at, size};
      return at;
    });
  }
  PathText(const PathText&) = delete;
  PathText& operator=(const PathText&) = delete;

  std::string_view text() const noexcept { return text_; }

 private:
  std::string_view text_;
  std::string long_;
  char buffer_[256];
};

// The fields that starts and stops have in common.
std::vector<log::Form::Slot> life_slots(const Behaviour& behaviour) {
  using Kind = log::Form::Kind;
  return {{"actor.path"},
          {"actor.uid", Kind::base32},
          {"actor.incarnation", Kind::natural},
          {"actor.behaviour", Kind::constant, behaviour.name}};
}

}  // namespace

// Starts and stops are the most frequent lines, so they have forms.
void ActorLog::write_started(NamedFailure cause) const {
  // A creation that succeeds at last is told even if its failures are not.
  const bool is_told_alone = cause.is_own && cause.failure->is_silent;
  if (cause.failure != nullptr && !is_told_alone) return write_started_for(cause);
  const Behaviour& behaviour = cell_.props->behaviour;
  const NodeSpec* const node = cell_.props->node;
  const bool has_origin = node != nullptr && !node->origin.empty();
  const log::Form& form =
      behaviour.forms[has_origin ? LifeForm::configured_start : LifeForm::start].get([&] {
        std::vector<log::Form::Slot> slots = life_slots(behaviour);
        slots.push_back({"plugin.name", log::Form::Kind::constant, behaviour.plugin});
        slots.push_back({"plugin.version", log::Form::Kind::constant, behaviour.version});
        if (has_origin) slots.push_back({"config.origin"});
        return &thread_.log.hub().make_form("actor.started", "started", std::move(slots));
      });
  const PathText path(environment(), cell_);
  const std::uint64_t incarnation = cell_.life.incarnation();
  if (has_origin)
    thread_.log.emit(level_of_life(), form, {path.text(), self(), incarnation, node->origin});
  else thread_.log.emit(level_of_life(), form, {path.text(), self(), incarnation});
}

void ActorLog::write_started_for(NamedFailure cause) const {
  if (!takes_line(cause)) return;
  Line line(environment());
  line.actor(cell_, self());
  line.add("plugin.name", cell_.props->behaviour.plugin)
      .add("plugin.version", cell_.props->behaviour.version);
  const NodeSpec* const node = cell_.props->node;
  if (node != nullptr && !node->origin.empty()) line.add("config.origin", node->origin);
  line.failure(cause);
  thread_.log.emit(level_of_life(), "actor.started", "started", line.fields(), Class::failure);
}

void ActorLog::write_stopped() const {
  const Behaviour& behaviour = cell_.props->behaviour;
  const log::Form& form = behaviour.forms[LifeForm::stop].get([&] {
    std::vector<log::Form::Slot> slots = life_slots(behaviour);
    slots.push_back({"reason"});
    return &thread_.log.hub().make_form("actor.stopped", "stopped", std::move(slots));
  });
  const PathText path(environment(), cell_);
  thread_.log.emit(
      level_of_life(), form,
      {path.text(), self(), std::uint64_t{cell_.life.incarnation()}, name_of(cell_.stop_reason)});
}

namespace {

// The way of an escalated failure: the lowest supervisors, the highest ones, and the decision.
void add_path(Line& line, const std::vector<Escalation>& escalations, const Escalation& decision,
              std::string_view directive) {
  constexpr std::size_t lowest = 8, highest = 3;
  const std::size_t count = escalations.size();
  std::size_t index = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i >= lowest && i + highest < count) continue;
    line.step(index++, escalations[i], name_of(Directive::escalate));
  }
  line.step(index, decision, directive);
  if (count > lowest + highest) line.add("decision.path_omitted", count - lowest - highest);
}

// The failure that nothing was decided about, because the decider itself has failed.
void add_judged(Line& line, const Failure& judged) {
  line.failure_id("judged.id", judged.id)
      .add("judged.actor", judged.actor_path)
      .add("judged.type", judged.types->type())
      .add("judged.message", judged.root_cause().what.view());
}

}  // namespace

void ActorLog::decided(const Decision& decision) const {
  const auto& [strategy, verdict, child, failure, delay_ns, is_denied, affected] = decision;
  const Level level = level_of(verdict);
  if (failure.is_silent || !thread_.log.is_enabled(level)) return;
  const Failure& root = failure.root_cause();
  Line line(environment());
  if (failure.actor_path.empty()) line.path("actor.path", child);
  else line.add("actor.path", failure.actor_path);
  line.uid(failure.actor)
      .add("actor.incarnation", std::uint64_t{failure.incarnation})
      .add("actor.behaviour", failure.behaviour->name)
      .failure_id("failure.id", failure.id)
      .add("failure.type", failure.types->type())
      .types("failure.types", *failure.types)
      .add("failure.message", root.what.view())
      .add("failure.phase", name_of(failure.phase));
  if (&root != &failure)
    line.add("failure.cause.type", root.types->type()).types("failure.cause.types", *root.types);
  if (failure.follows != 0) line.failure_id("failure.follows", failure.follows);
  if (failure.trace.span_id != 0) line.trace(failure.trace);
  line.details(root);
  // The sink gives the addresses names (sinks/stack_names): that takes too long for a worker.
  const std::vector<std::string> calls = failure.throw_site_texts();
  const std::vector<std::string_view> views(calls.begin(), calls.end());
  if (!views.empty()) line.add("failure.stack", std::span<const std::string_view>(views));
  if (failure.message_type != 0)
    line.add("message.type", environment().types.name(failure.message_type));
  if (!failure.message_sender_path.empty()) line.add("message.sender", failure.message_sender_path);
  else if (failure.message_sender != nobody) line.path("message.sender", failure.message_sender);
  line.path("supervisor.path", cell_)
      .add("supervisor.strategy", strategy.name)
      .add("decision.directive", name_of(decision.outcome()))
      .add("decision.rule", verdict.rule);
  const std::string origin = origin_of(strategy, verdict, cell_.props->behaviour.name);
  line.add("decision.config_origin", origin);
  if (is_denied) line.add("decision.denied", name_of(verdict.directive));
  if (affected != 1 && verdict.directive != Directive::resume)
    line.add("decision.affected", affected);
  Escalation last;  // not an escalation, but the decision; the line refers to its texts
  if (!failure.escalations.empty()) {
    last = {environment().cells.path_of(cell_), std::string{verdict.rule}, origin};
    add_path(line, failure.escalations, last, name_of(decision.outcome()));
  }
  if (failure.judged) add_judged(line, *failure.judged);
  if (const ChildStats* const stats = child.stats;
      stats != nullptr && verdict.directive == Directive::restart) {
    const RestartLimit& limit = strategy.restart_limit;
    line.add("restart.count",
             is_unlimited(limit) ? stats->unlimited_restarts : stats->window.count);
    if (limit.max_restarts >= 0) line.add("restart.max", limit.max_restarts);
  }
  if (delay_ns > 0) line.add("restart.delay", std::chrono::nanoseconds{delay_ns});
  const std::string_view what = root.what.view();
  const std::string_view sentence = is_denied
                                        ? line.keep(what, " -> stop: the restart limit is reached")
                                        : line.keep(what, " -> ", name_of(verdict.directive));
  thread_.log.emit(level, "actor.failed", sentence, line.fields(), Class::failure);
}

void ActorLog::limit_reached(const Decision& decision) const {
  const auto& [strategy, verdict, child, failure, delay_ns, is_denied, affected] = decision;
  if (failure.is_silent || !thread_.log.is_enabled(Level::error)) return;
  const RestartLimit& restart_limit = strategy.restart_limit;
  Line line(environment());
  line.path("actor.path", child)
      .failure_id("failure.id", failure.id)
      .path("supervisor.path", cell_)
      .add("supervisor.strategy", strategy.name);
  if (restart_limit.max_restarts >= 0) line.add("restart.max", restart_limit.max_restarts);
  if (child.stats != nullptr) line.add("restart.count", child.stats->window.count);
  std::string text =
      restart_limit.max_restarts == 0 ? "restarts are not allowed" : "the restart limit is reached";
  if (restart_limit.within_ns >= 0) {
    line.add("restart.within", std::chrono::nanoseconds{restart_limit.within_ns});
    if (restart_limit.max_restarts != 0) text += " within its window";
  }
  const std::string origin = origin_of(strategy, cell_.props->behaviour.name);
  line.add("decision.config_origin", origin);
  thread_.log.emit(Level::error, "supervisor.limit", text + ": the child is stopped", line.fields(),
                   Class::failure);
}

void ActorLog::storm_began(const Decision& decision, const StormGuard& guard) const {
  if (!thread_.log.is_enabled(Level::warning)) return;
  Line line(environment());
  line.path("actor.path", decision.child)
      .path("supervisor.path", cell_)
      .add("supervisor.strategy", decision.strategy.name)
      .add("decision.rule", decision.verdict.rule);
  const std::string origin =
      origin_of(decision.strategy, decision.verdict, cell_.props->behaviour.name);
  line.add("decision.config_origin", origin);
  line.add("failure.type", decision.failure.root_cause().types->type())
      .add("restart.threshold", guard.threshold)
      .add("restart.within", std::chrono::nanoseconds{guard.within_ns});
  thread_.log.emit(Level::warning, "supervisor.storm",
                   decision.is_of_group()
                       ? "the children are restarted too often: restarts are delayed from now on"
                       : "it is restarted too often: its restarts are delayed from now on",
                   line.fields());
}

bool ActorLog::takes_line(NamedFailure cause) const noexcept {
  const auto [failure, is_own] = cause;
  if (failure->is_silent) return false;
  if (is_own) return true;
  return !is_limited() || failure->takes_collateral_line();
}

void ActorLog::restarted(NamedFailure cause) const {
  const Failure& failure = *cause.failure;
  const bool is_failure = failure.id != 0;  // else a reload by an operator
  const Level level = is_failure ? Level::warning : Level::info;
  if (!thread_.log.is_enabled(level) || (is_failure && !takes_line(cause))) return;
  Line line(environment());
  line.actor(cell_, self());
  if (is_failure) line.failure(cause).add("failure.type", failure.types->type());
  else line.add("restart.cause", failure.types->type());
  const NodeSpec* const node = cell_.props->node;
  if (!is_failure && node != nullptr && !node->origin.empty())
    line.add("config.origin", node->origin);
  thread_.log.emit(level, "actor.restarted", "restarted", line.fields(),
                   is_failure ? Class::failure : Class::lifecycle);
}

void ActorLog::resumed(const Failure& failure) const {
  if (failure.is_silent || !thread_.log.is_enabled(Level::warning)) return;
  Line line(environment());
  line.actor(cell_, self());
  line.failure_id("failure.id", failure.id);
  thread_.log.emit(Level::warning, "actor.resumed", "resumed", line.fields(), Class::failure);
}

void ActorLog::backing_off(NamedFailure cause, std::int64_t delay_ns) const {
  if (cause.failure->is_silent || !thread_.log.is_enabled(Level::warning)) return;
  Line line(environment());
  line.actor(cell_, self());
  line.failure(cause).add("restart.delay", std::chrono::nanoseconds{delay_ns});
  thread_.log.emit(Level::warning, "actor.backoff", "waits before its restart", line.fields(),
                   Class::failure);
}

void ActorLog::stopped(NamedFailure cause, std::string_view by) const {
  const auto [failure, is_own] = cause;
  const bool is_failure = failure != nullptr;
  const Level level = !is_failure ? level_of_life() : is_own ? Level::error : Level::info;
  if (!thread_.log.is_enabled(level) || (is_failure && !takes_line(cause))) return;
  if (!is_failure && by.empty()) return write_stopped();
  Line line(environment());
  line.actor(cell_, self());
  line.add("reason", name_of(cell_.stop_reason));
  if (is_failure) line.failure(cause);
  if (!by.empty()) line.add("stopped_by", by);
  thread_.log.emit(level, "actor.stopped", "stopped", line.fields(),
                   is_failure ? Class::failure : Class::lifecycle);
}

void ActorLog::resume_became_restart(const Failure& failure, const Cell& whom) const {
  if (failure.is_silent) return;
  thread_.log.emit(Level::error, "supervisor.resume-became-restart",
                   "an actor without an instance cannot be resumed: it is restarted",
                   {{"actor.path", environment().cells.path_of(whom)},
                    {"failure.id", environment().failure_id_text(failure.id)}},
                   Class::failure);
}

bool ActorLog::admits(const Failure& failure, const FailureLogLimit::Line& line,
                      bool has_room) const {
  has_room = has_room && thread_.log.congestion() != log::Congestion::full;
  FailureLogLimit& limit = thread_.environment.failure_log;
  if (limit.admits(failure, line, has_room, thread_.now_ns())) return true;
  thread_.environment.request_summary(thread_);
  return false;
}

void ActorLog::hook_failed(std::string_view event, Failure& failure, Phase phase,
                           const NamedFailure& cause) const {
  if (!thread_.log.is_enabled(Level::error)) return;
  failure.actor = self();
  failure.behaviour = &cell_.props->behaviour;
  failure.phase = phase;
  const bool is_of_counted = cause.failure != nullptr && cause.failure->is_counted;
  if (is_limited() && !admits(failure, {event, Level::error}, !is_of_counted)) return;
  Line line(environment());
  line.actor(cell_, self());
  line.add("failure.type", failure.types->type())
      .types("failure.types", *failure.types)
      .add("failure.message", failure.root_cause().what.view())
      .add("failure.phase", name_of(phase));
  if (cause.failure != nullptr && cause.failure->id != 0) line.failure(cause);
  if (cause.failure != nullptr && phase == Phase::pre_restart) {
    const Failure& root = cause.failure->root_cause();
    line.add("restart.cause.type", root.types->type())
        .add("restart.cause.message", root.what.view());
  }
  thread_.log.emit(Level::error, event, failure.what.view(), line.fields());
}

void ActorLog::spawn_refused(std::string_view name, std::string_view reason) const {
  std::string path = environment().cells.path_of(cell_);
  path.append("/").append(name);
  thread_.log.emit(Level::error, "actor.spawn-refused", "an actor could not be created",
                   {{"actor.path", path}, {"reason", reason}});
}

void ActorLog::quarantined(std::string_view path, const NodeSpec& child,
                           const CrashCharge& charge) const {
  // The node's own behaviour may be a supervisor: in front of the actor, or in the place of one
  // whose plugin is not loaded.
  const std::string_view behaviour =
      charge.behaviour.empty() ? std::string_view{child.behaviour->name} : charge.behaviour;
  thread_.log.emit(Level::error, "actor.quarantined",
                   "the actor is not started, because it has crashed actord",
                   {{"actor.path", path},
                    {"actor.behaviour", behaviour},
                    {"plugin.name", behaviour.substr(0, behaviour.find('/'))},
                    {"config.origin", child.origin},
                    {"crash.id", charge.id},
                    {"reason", charge.what}});
}

void ActorLog::plugin_limit_reached(std::string_view plugin, std::string_view of, std::int64_t max,
                                    std::uint64_t refused) const {
  thread_.log.emit(Level::warning, "plugin.limit-reached",
                   "a plugin has as much as its limits allow; what it asks for beyond fails",
                   {{"plugin.name", plugin},
                    {"resource", of},
                    {"limit", max},
                    {"refused", refused},
                    {"actor.path", environment().cells.path_of(cell_)}});
}

void ActorLog::emergency_stop() const noexcept try {
  thread_.log.emit(Level::error, "actor.emergency-stop",
                   "the handling of a failure failed: the actor and its children are stopped",
                   {{"actor.path", environment().cells.path_of(cell_)}});
} catch (...) {}

void ActorLog::reconfiguration_failed() const noexcept try {
  thread_.log.emit(Level::error, "actor.reconfiguration-failed",
                   "there is not enough memory to apply the new configuration: the actor and all "
                   "actors below it keep the old one until the next reload",
                   {{"actor.path", environment().cells.path_of(cell_)}});
} catch (...) {}

// ---- actors that supervise ----------------------------------------------------------------------

void ActorLog::supervisor_waits(Ref child, std::int64_t restart_count,
                                std::int64_t delay_ns) const {
  if (!thread_.log.is_enabled(Level::warning)) return;
  Line line(environment());
  line.path("actor.path", cell_)
      .path("child", child)
      .add("restart.delay", std::chrono::nanoseconds{delay_ns})
      .add("restart.count", restart_count);
  thread_.log.emit(Level::warning, "actor.backoff", "waits before it starts its child again",
                   line.fields());
}

void ActorLog::supervisor_gives_up(Ref child, std::int64_t restart_count,
                                   std::int64_t max_restarts) const {
  if (!thread_.log.is_enabled(Level::error)) return;
  Line line(environment());
  line.path("actor.path", cell_)
      .path("child", child)
      .add("restart.count", restart_count)
      .add("restart.max", max_restarts);
  thread_.log.emit(Level::error, "supervisor.limit",
                   "the restart limit is reached: the back-off supervisor stops", line.fields());
}

// ---- debug --------------------------------------------------------------------------------------

void ActorLog::debug(std::string_view event, std::string_view text, Ref about) const {
  if (!thread_.log.is_enabled(Level::debug)) return;
  Line line(environment());
  line.actor(cell_, self());
  line.path("about", about);
  thread_.log.emit(Level::debug, event, text, line.fields());
}

void ActorLog::lifecycle(std::string_view text, Ref about) const {
  if (!thread_.log.is_enabled(Level::debug)) return;
  Line line(environment());
  line.path("actor.path", cell_);
  if (about != nobody) line.path("about", about);
  thread_.log.emit(Level::debug, "actor.lifecycle", text, line.fields());
}

void ActorLog::message(std::string_view event, std::string_view text, message::TypeId type,
                       Ref sender) const {
  if (!thread_.log.is_enabled(Level::debug)) return;
  Line line(environment());
  line.path("actor.path", cell_).add("message.type", environment().types.name(type));
  if (sender != nobody) line.path("message.sender", sender);
  else line.add("message.sender", "");
  thread_.log.emit(Level::debug, event, text, line.fields());
}

void ActorLog::traced(message::TypeId type, const void* content, Ref sender,
                      std::uint64_t left) const {
  const actord_message_type& table = *environment().types.at(type).table;
  std::string text = message::text_of_message(
      table, content, [this](actord_ref ref) { return environment().cells.path(ref); });
  text.erase(0, message::view(table.name).size() + 1);
  if (text.size() > traced_bytes_max) {
    text.resize(base::utf8::clip(text, traced_bytes_max).size());
    text += "…";
  }
  Line line(environment());
  line.path("actor.path", cell_).add("message.type", environment().types.name(type));
  if (sender != nobody) line.path("message.sender", sender);
  else line.add("message.sender", "");
  line.add("message.content", text).add("left", left);
  thread_.log.audit(Level::info, "actor.traced", "an operator traces the messages of this actor",
                    line.fields(), Class::best_effort);
}

namespace {
std::uint64_t in_us(std::int64_t ns) noexcept {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(ns, 0)) / 1000;
}
}  // namespace

void ActorLog::span(const Span& span, std::string_view outcome, message::TypeId type,
                    Ref sender) const {
  if (!thread_.log.is_enabled(Level::info)) return;
  Line line(environment());
  line.path("actor.path", cell_);
  if (span.parent.span_id != 0) line.span_id("span.parent_id", span.parent.span_id);
  line.add("span.duration_us", in_us(thread_.now_ns() - span.began_ns));
  if (span.waited_ns >= 0) line.add("span.waited_us", in_us(span.waited_ns));
  if (!outcome.empty()) line.add("span.outcome", outcome);
  if (type != 0) line.add("message.type", environment().types.name(type));
  if (sender != nobody) line.path("message.sender", sender);
  thread_.log.emit(Level::info, "actor.span", "a step of a trace is over", line.fields(),
                   Class::best_effort);
}

void ActorLog::plugin_event(log::Level level, std::string_view event, std::string_view text,
                            std::span<log::Field> fields) const {
  if (!thread_.log.is_enabled(level)) return;
  const PathText path(environment(), cell_);
  fields.front() = {"actor.path", path.text()};
  thread_.log.emit(level, event, text, fields, log::class_of_author(level));
}

}  // namespace actord::actor
