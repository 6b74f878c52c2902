// SPDX-License-Identifier: Apache-2.0
#include "system/outside_ask.hpp"

#include <cstring>
#include <new>
#include <utility>

#include "system/actor_system.hpp"

namespace actord::system {

void ActorSystem::ask(std::shared_ptr<OutsideAsk> ask) {
  auto props = props_of(detail::props_of<Inquirer>(std::move(ask)), "actord/SystemGuardian");
  ACTORD_ASSERT(props.ok());  // a class of the runtime itself
  const base::IntrusivePtr<actor::SpawnRequest> request(new actor::SpawnRequest);
  request->props = std::move(*props);
  // A name of its own tells in the log, as `stopped_by`, that no other actor has done it.
  request->name = "operator-" + std::to_string(outside_asks_.fetch_add(1, base::relaxed) + 1);
  send_system(find("/system"), actor::SystemMessage::spawn(request));
}

/// A message with its memory.
struct OutsideAsk::Question {
  Question(message::TypeId id_, const message::MessageType& type_, void* from)
      : id(id_), type(type_), at(::operator new(type.size, alignment())) {
    if (type.is_trivial) std::memcpy(at, from, type.size);
    else type.table->move(at, from);
  }
  ~Question() {
    if (!type.is_trivial) type.table->destroy(at);
    ::operator delete(at, alignment());
  }
  Question(const Question&) = delete;
  Question& operator=(const Question&) = delete;

  std::align_val_t alignment() const noexcept { return std::align_val_t{type.table->align}; }

  const message::TypeId id;
  const message::MessageType& type;
  void* const at;
};

OutsideAsk::OutsideAsk(Ref to, message::TypeId id, const message::MessageType& type, void* question,
                       std::chrono::nanoseconds timeout, std::optional<message::TraceContext> trace,
                       Done done)
    : to_(to),
      is_stop_(false),
      timeout_(timeout),
      trace_(trace),
      question_(std::make_unique<Question>(id, type, question)),
      done_(std::move(done)) {}

OutsideAsk::OutsideAsk(Ref whom, std::chrono::nanoseconds timeout, Done done)
    : to_(whom), is_stop_(true), timeout_(timeout), done_(std::move(done)) {}

OutsideAsk::~OutsideAsk() { answer({}); }

void OutsideAsk::send(actord_context& asker, actord_reply_handler on_answer) {
  if (const auto question = std::exchange(question_, nullptr)) {
    actor::ThreadState& thread = static_cast<actor::Turn&>(asker).thread();
    const bool is_traced = trace_ || thread.begins_trace();
    if (is_traced) thread.carry(trace_ ? *trace_ : thread.new_trace());
    asker.host->ask(&asker, to_.value, question->id, question->at, timeout_.count(), on_answer);
    if (is_traced) thread.carry_nothing();
  } else if (is_stop_) {
    asker.host->graceful_stop(&asker, to_.value, 0, nullptr, timeout_.count(), on_answer);
  }
}

void OutsideAsk::answer(const Answer& answer) noexcept {
  const Done done = std::exchange(done_, nullptr);
  if (!done) return;
  try {
    done(answer);
  } catch (const std::bad_alloc&) {}  // without memory there is no answer
}

void Inquirer::pre_start(Context& ctx) {
  ask_->send(
      ctx.c(),
      [](void* self, actord_context* c, const void* message, const actord_failure* failure,
         actord_errors*) -> actord_status {
        const message::TypeRegistry& types = ActorSystem::of(c->system).types;
        const auto* const type = message != nullptr ? &types.at(c->message_type) : nullptr;
        static_cast<Inquirer*>(static_cast<Actor*>(self))->ask_->answer({type, message, failure});
        c->host->stop(c, c->self);
        return ACTORD_OK;
      });
}

}  // namespace actord::system
