// SPDX-License-Identifier: Apache-2.0
#include "system/outside_ask.hpp"

#include <new>
#include <utility>

#include "system/actor_system.hpp"

namespace actord::system {

/// A message with its memory.
struct OutsideAsk::Question {
  Question(message::TypeId id_, const message::MessageType& type_, void* from)
      : id(id_), type(type_), at(::operator new(type.size, alignment())) {
    type.table->move(at, from);
  }
  ~Question() {
    type.table->destroy(at);
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
                       std::chrono::nanoseconds timeout, Done done)
    : to_(to),
      is_stop_(false),
      timeout_(timeout),
      question_(std::make_unique<Question>(id, type, question)),
      done_(std::move(done)) {}

OutsideAsk::OutsideAsk(Ref whom, std::chrono::nanoseconds timeout, Done done)
    : to_(whom), is_stop_(true), timeout_(timeout), done_(std::move(done)) {}

OutsideAsk::~OutsideAsk() { answer({}); }

void OutsideAsk::send(actord_context& asker, actord_reply_handler on_answer) {
  if (const auto question = std::exchange(question_, nullptr)) {
    asker.host->ask(&asker, to_.value, question->id, question->at, timeout_.count(), on_answer);
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
