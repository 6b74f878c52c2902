// SPDX-License-Identifier: Apache-2.0
#include "testkit/probe.hpp"

#include <cstring>

#include "message/message_text.hpp"
#include "message/report.hpp"
#include "message/translation.hpp"

namespace actord::testkit {

// Sent by a Probe to its own actor, because only an actor can watch another.
struct Watch {
  Ref whom;
  bool begins = false;
};
ACTORD_MESSAGE(Watch, "actord.testkit.Watch/1", whom, begins)
// The same for an ask: it does State::to_do.
struct Act {};
ACTORD_MESSAGE(Act, "actord.testkit.Act/1")

namespace {

// Whether both are layouts of one type.
bool is_same_type(const message::TypeRegistry& types, actord_type_id a, actord_type_id b) {
  return types.first_layout(a) == types.first_layout(b);
}

class ProbeActor : public Actor {
 public:
  explicit ProbeActor(std::shared_ptr<Probe::State> state) : state_(std::move(state)) {}

  void watch(Context& ctx, const Watch& order) {
    order.begins ? ctx.watch(order.whom) : ctx.unwatch(order.whom);
  }
  void act(Context& ctx, const Act&) { state_->to_do(ctx.c()); }
  // The handler of an answer of any type.
  static actord_status answered(void* self, actord_context* c, const void* message,
                                const actord_failure* failure, actord_errors*) {
    Probe::State& state = *static_cast<ProbeActor*>(static_cast<Actor*>(self))->state_;
    if (message == nullptr) {
      const Failure why{*failure};
      state.failure = std::string{why.type()} + ": " + std::string{why.what()};
      return ACTORD_OK;
    }
    const auto& types = state.world.system().types;
    state.answer = std::make_unique<KeptMessage>(*types.at(c->message_type).table, c->message_type,
                                                 message, Ref{c->sender});
    return ACTORD_OK;
  }
  void keep(Context& ctx) {
    actord_context& c = ctx.c();
    const auto& types = state_->world.system().types;
    if (const auto found = state_->answers.find(c.message_type); found != state_->answers.end())
      return found->second(c, c.message);
    for (const auto& [type, answer] : state_->answers) {
      if (!is_same_type(types, type, c.message_type)) continue;
      const KeptMessage sent(*types.at(c.message_type).table, c.message_type, c.message, {});
      const KeptMessage translated(types, type, sent);
      if (translated.object != nullptr) return answer(c, translated.object);
    }
    state_->waiting.push_back(std::make_unique<KeptMessage>(
        *types.at(c.message_type).table, c.message_type, c.message, ctx.sender()));
  }
  using Receive = Handlers<&ProbeActor::watch, &ProbeActor::act, &ProbeActor::keep>;

 private:
  std::shared_ptr<Probe::State> state_;
};

std::string text_of(const Probe::State& state, const KeptMessage& message) {
  const auto path = [&](actord_ref ref) { return state.world.path(ref); };
  const std::string from = message.sender ? " from " + state.world.path(message.sender.value)
                                          : std::string{" without a sender"};
  if (message.object == nullptr)
    return std::string{message::view(message.type.name)} + " (which cannot be copied)" + from;
  return message::text_of_message(message.type, message.object, path) + from;
}

std::string text_of_time(Duration within) {
  if (within <= Duration{}) return {};
  return " within " + std::to_string(std::chrono::duration<double>(within).count()) + "s";
}

// The newest messages that reached no handler, which may be what the test waits for.
std::string text_of_dropped(Probe::State& state) {
  constexpr std::size_t shown_max = 3;
  std::vector<std::string> dropped;
  for (const SeenEvent& event : state.world.events()) {
    if (event.name != "deadletter" && event.name != "unhandled") continue;
    dropped.push_back(std::string{event.field("message.type")} + " to " +
                      std::string{event.field("message.recipient")} + " (" +
                      std::string{event.field("reason")} + ')');
  }
  if (dropped.empty()) return {};
  std::string text = "; not delivered were";
  if (dropped.size() > shown_max) {
    text += " " + std::to_string(dropped.size()) + " messages, at last";
    dropped.erase(dropped.begin(), dropped.end() - shown_max);
  }
  for (std::size_t i = 0; i < dropped.size(); ++i) text += (i == 0 ? " " : ", ") + dropped[i];
  return text;
}

// Throws Unmet with the oldest message that waits, and with what was not delivered.
[[noreturn]] void fail_unmet(Probe::State& state, std::string_view wanted, Duration within) {
  throw Unmet("probe " + state.name + ": expected " + std::string{wanted} + text_of_time(within) +
              (state.waiting.empty() ? ", got no message" + text_of_dropped(state)
                                     : ", got " + text_of(state, *state.waiting.front())));
}

// Whether the type is copied as bytes: then its table may lack the functions for that.
bool is_trivial(const actord_message_type& type) { return (type.flags & ACTORD_TRIVIAL) != 0; }

}  // namespace

KeptMessage::KeptMessage(const actord_message_type& type_, actord_type_id id_, const void* original,
                         Ref sender_)
    : type(type_), id(id_), sender(sender_) {
  object = ::operator new(type.size != 0 ? type.size : 1, std::align_val_t{type.align});
  if (is_trivial(type)) {
    std::memcpy(object, original, type.size);
    return;
  }
  if (type.copy(object, original, &message::ignored_errors()) == ACTORD_OK) return;
  ::operator delete(std::exchange(object, nullptr), std::align_val_t{type.align});
}

KeptMessage::KeptMessage(const message::TypeRegistry& types, actord_type_id id_,
                         const KeptMessage& sent)
    : type(*types.at(id_).table), id(id_), sender(sent.sender) {
  if (sent.object == nullptr) return;
  object = ::operator new(type.size != 0 ? type.size : 1, std::align_val_t{type.align});
  if (message::translate(types.at(sent.id), sent.object, types.at(id), object,
                         message::ignored_errors()) == ACTORD_OK)
    return;
  ::operator delete(std::exchange(object, nullptr), std::align_val_t{type.align});
}

KeptMessage::~KeptMessage() {
  if (object == nullptr) return;
  if (!is_trivial(type)) type.destroy(object);
  ::operator delete(object, std::align_val_t{type.align});
}

namespace {

// Translates the message into the layout `type` of its type, if it is in another one and can be.
void put_in_layout(const message::TypeRegistry& types, std::unique_ptr<KeptMessage>& message,
                   actord_type_id type) {
  if (message->id == type) return;
  auto translated = std::make_unique<KeptMessage>(types, type, *message);
  if (translated->object != nullptr) message = std::move(translated);
}

}  // namespace

bool run_until(World& world, Duration within, const std::function<bool()>& is_met) {
  const std::int64_t end_ns = world.now_ns() + within.count();
  world.run();
  while (!is_met()) {
    const std::int64_t due_ns = world.simulator().timers().earliest_due();
    if (due_ns > end_ns) {
      world.advance(Duration{end_ns - world.now_ns()});
      return is_met();
    }
    world.advance(Duration{std::max<std::int64_t>(0, due_ns - world.now_ns())});
  }
  return true;
}

const actord_plugin& probe_plugin() {
  return *plugin_table<Behaviours<ProbeActor>, Messages<Watch, Act>>("test", "1");
}

actord_props probe_props(std::shared_ptr<Probe::State> state) {
  return detail::props_of<ProbeActor>(std::move(state));
}

// ---- the test's half ----------------------------------------------------------------------------

Ref Probe::ref() const noexcept { return state_->self; }
Ref Probe::sender() const noexcept {
  return state_->taken != nullptr ? state_->taken->sender : Ref{};
}
std::size_t Probe::waiting() const {
  state_->world.run();
  return state_->waiting.size();
}

void Probe::send(Ref to, actord_type_id type, void* message) {
  state_->world.system().tell(to.value, type, message, state_->self.value);
  state_->world.run();
}

void* Probe::take(actord_type_id type, Duration within, bool skips_others) {
  State& state = *state_;
  const message::TypeRegistry& types = state.world.system().types;
  const auto is_one = [&](const KeptMessage& kept) { return is_same_type(types, kept.id, type); };
  const auto is_there = [&] {
    if (!skips_others) return !state.waiting.empty();
    while (!state.waiting.empty() && !is_one(*state.waiting.front())) state.waiting.pop_front();
    return !state.waiting.empty();
  };
  const bool came = run_until(state.world, within, is_there);
  if (came && is_one(*state.waiting.front())) put_in_layout(types, state.waiting.front(), type);
  if (!came || state.waiting.front()->id != type || state.waiting.front()->object == nullptr)
    fail_unmet(state, types.name(type), within);
  state.taken = std::move(state.waiting.front());
  state.waiting.pop_front();
  return state.taken->object;
}

void* Probe::ask(Ref to, actord_type_id type, void* question, actord_type_id answer,
                 Duration within) {
  State& state = *state_;
  state.answer.reset();
  state.failure.clear();
  state.to_do = [&](actord_context& c) {
    c.host->ask(&c, to.value, type, question, within.count(), &ProbeActor::answered);
  };
  state.world.send(state.self.value, Act{});
  run_until(state.world, within, [&] { return state.answer != nullptr || !state.failure.empty(); });
  const auto& types = state.world.system().types;
  const std::string asked = "probe " + state.name + ": asked " + std::string{types.name(type)} +
                            " of " + state.world.path(to.value) + ", expected " +
                            std::string{types.name(answer)};
  if (state.answer == nullptr)
    throw Unmet(asked + ", got " + (state.failure.empty() ? "no answer" : state.failure) +
                text_of_dropped(state));
  if (is_same_type(types, state.answer->id, answer)) put_in_layout(types, state.answer, answer);
  if (state.answer->id != answer || state.answer->object == nullptr)
    throw Unmet(asked + ", got " + text_of(state, *state.answer));
  state.taken = std::move(state.answer);
  return state.taken->object;
}

void Probe::expect_none(Duration during) {
  if (run_until(state_->world, during, [&] { return !state_->waiting.empty(); }))
    fail_unmet(*state_, "no message", during);
}

void Probe::watch(Ref whom) { state_->world.send(state_->self.value, Watch{whom, true}); }
void Probe::unwatch(Ref whom) { state_->world.send(state_->self.value, Watch{whom, false}); }

Terminated Probe::expect_terminated(Ref whom, Duration within) {
  State& state = *state_;
  const actord_type_id terminated = state.world.system().builtin.terminated;
  const bool came = run_until(state.world, within, [&] { return !state.waiting.empty(); });
  const KeptMessage* const next = came ? state.waiting.front().get() : nullptr;
  if (next == nullptr || next->id != terminated ||
      static_cast<const Terminated*>(next->object)->who != whom)
    fail_unmet(state, "Terminated of " + state.world.path(whom.value), within);
  return std::move(*static_cast<Terminated*>(take(terminated, {}, false)));
}

void Probe::set_answer(actord_type_id type, Answering answering) {
  state_->answers[type] = std::move(answering);
}

}  // namespace actord::testkit
