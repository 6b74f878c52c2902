// SPDX-License-Identifier: Apache-2.0
#include "link/remote.hpp"

#include <new>
#include <utility>

#include "actor/activation.hpp"
#include "actor/cell_extras.hpp"
#include "actor/replies.hpp"
#include "link/request_server.hpp"
#include "link/value_text.hpp"
#include "message/message_pack.hpp"
#include "message/message_values.hpp"
#include "message/packed_message.hpp"
#include "message/report.hpp"

namespace actord::link {

namespace {

using actor::FailurePtr;

constexpr int attempts_max = 3;  // to create an instance in a process that ends before it begins

FailurePtr& failure_in(actord_errors& errors) {
  return static_cast<actor::ErrorReceiver&>(errors).failure;
}

// ---- one call -----------------------------------------------------------------------------------

/// How a call to the process has ended.
/// bystander: another actor has ended it while it was busy with this call, too.
enum class Ended : std::uint8_t { returned, not_started, bystander, died };

class Remote {
 public:
  Remote(const RemoteOrigin& origin, HostPtr host, actord_ref self, std::uint32_t incarnation)
      : origin_(origin), host_(std::move(host)), instance_(host_->move_in(self, incarnation)) {}
  ~Remote() { host_->move_out(instance_); }
  Remote(const Remote&) = delete;
  Remote& operator=(const Remote&) = delete;

  static Remote& of(void* self) { return *static_cast<Remote*>(self); }

  IsolatedPluginState& plugin() const noexcept { return *origin_.plugin; }
  const RemoteOrigin& origin() const noexcept { return origin_; }
  std::uint64_t instance() const noexcept { return instance_; }
  bool is_lost() const noexcept { return !host_->is_alive(); }
  int process_id() const { return host_->process_id(); }
  HostEnd end() const { return host_->end(); }

  // Begins a frame.
  void begin(FrameWriter& frame, Call call) const {
    frame.clear();
    frame.put(call);
    frame.put(instance_);
  }
  // What the plugin sees of the context.
  actord_status put_context(FrameWriter& frame, const actord_context& context,
                            actord_errors& errors) const {
    frame.put(context.self);
    frame.put(context.parent);
    frame.put(context.sender);
    return plugin().codec.put(frame, context.message_type, context.message, errors);
  }
  // Gives the frame to the process, and carries out what it asks for, until the call has returned
  // or the process has ended.
  Ended call(FrameWriter& frame, actord_context& context, actord_errors& errors,
             RequestServer::Returned& returned, bool has_turn = true) {
    const ChannelUse use(*host_);
    CallServer server(*this, context, errors, has_turn);
    const Channel::Turned turned = use.channel.run(frame.bytes(), server);
    if (server.outcome() == RequestServer::Outcome::returned) {
      returned = server.returned();
      if (returned.has_taken_sender) context.taken_sender = context.sender;
      return Ended::returned;
    }
    if (!turned.was_started) return Ended::not_started;
    return turned.is_bystander ? Ended::bystander : Ended::died;
  }

  OpenAsks& asks() noexcept { return asks_; }
  // Those who have asked do not wait until their time is over (181i).
  void fail_asks(actord_context& context, const actor::Failure& failure) {
    const auto& turn = static_cast<const actor::Turn&>(context);
    for (const actord_ref ask : asks_.take_all())
      context.host->fail_ask(&context, ask, turn.view_of(failure).c());
  }
  void fail_asks(actord_context& context) {
    fail_asks(context, *peer_failure(host_->end(), chains_of(context)));
  }

  // The failure of the actor for the end of its process. It is the one that was busy there.
  void report_death(actord_context& context, actord_errors& errors) {
    host_->move_out(instance_);
    report(context, errors, failure_of(host_->end(), chains_of(context)));
  }
  // The actor had no part in the end of the process.
  void report_as_peer(actord_context& context, actord_errors& errors) {
    host_->move_out(instance_);
    FailurePtr failure = peer_failure(host_->end(), chains_of(context));
    failure->is_uncharged = true;
    report(context, errors, std::move(failure));
  }

 private:
  /// Carries out what the host asks for during one call.
  class CallServer final : public Channel::Server {
   public:
    CallServer(Remote& remote, actord_context& context, actord_errors& errors, bool has_turn)
        : remote_(remote),
          server_(remote.plugin(), remote.origin_, remote.host_, remote.asks_, context, errors,
                  has_turn) {}
    std::string_view serve(std::string_view requests, bool is_alive) override {
      outcome_ = server_.serve(requests, is_alive);
      if (outcome_ == RequestServer::Outcome::wrong)
        remote_.host_->kill(HostEnd::Kind::protocol, server_.fault());
      return outcome_ == RequestServer::Outcome::answered ? server_.answer() : std::string_view{};
    }
    RequestServer::Outcome outcome() const noexcept { return outcome_; }
    const RequestServer::Returned& returned() const noexcept { return server_.returned(); }

   private:
    Remote& remote_;
    RequestServer server_;
    RequestServer::Outcome outcome_ = RequestServer::Outcome::open;
  };
  struct ChannelUse {
    explicit ChannelUse(Host& of) : host(of), channel(of.acquire()) {}
    ~ChannelUse() { host.release(channel); }
    ChannelUse(const ChannelUse&) = delete;
    ChannelUse& operator=(const ChannelUse&) = delete;
    Host& host;
    Channel& channel;
  };

  static actor::TypeChains& chains_of(const actord_context& context) {
    return static_cast<const actor::Turn&>(context).environment().chains;
  }
  // What the plugin has reported before goes first.
  void report(actord_context& context, actord_errors& errors, FailurePtr failure) {
    failure->is_instance_lost = true;
    fail_asks(context, *failure);
    failure_in(errors) = std::move(failure);
  }

  const RemoteOrigin& origin_;
  const HostPtr host_;
  const std::uint64_t instance_;
  OpenAsks asks_;
};

// ---- creating -----------------------------------------------------------------------------------

// A process for the instance; null: reported why there is none.
HostPtr host_for(const RemoteOrigin& origin, actord_errors& errors) {
  if (origin.creation == Creation::by_address) {
    if (origin.host->is_alive()) return origin.host;
    message::report(errors, "the process that has the arguments of the actor has ended");
    return nullptr;
  }
  auto host = origin.plugin->hosts.host_for(
      {std::string{message::view(origin.plugin->described.name)}, origin.group});
  if (host) return *std::move(host);
  message::report(errors, host.error().what);
  return nullptr;
}

void put_creation(FrameWriter& frame, const RemoteOrigin& origin, actord_value config) {
  frame.put(origin.creation);
  frame.put(origin.behaviour);
  frame.put(origin.table);
  frame.put(origin.creation == Creation::remade ? origin.remake : origin.create);
  frame.put(origin.args);
  frame.text(origin.written_args);
  frame.text(text_of(config));
}

// ---- hooks --------------------------------------------------------------------------------------

template <class Put>
actord_status call_hook(Call call, void* self, actord_context* context, actord_errors* errors,
                        RequestServer::Returned& returned, Put&& put) {
  Remote& remote = Remote::of(self);
  FrameWriter frame;
  remote.begin(frame, call);
  if (remote.put_context(frame, *context, *errors) != ACTORD_OK) return ACTORD_FAILED;
  put(frame);
  switch (remote.call(frame, *context, *errors, returned)) {
    case Ended::returned: return returned.status;
    case Ended::not_started:
    case Ended::bystander: remote.report_as_peer(*context, *errors); return ACTORD_FAILED;
    case Ended::died: remote.report_death(*context, *errors); return ACTORD_FAILED;
  }
  return ACTORD_FAILED;
}

actord_status call_plain(Call call, void* self, actord_context* context, actord_errors* errors) {
  RequestServer::Returned returned;
  return call_hook(call, self, context, errors, returned, [](FrameWriter&) {});
}

actord_status pre_start(void* self, actord_context* context, actord_errors* errors) {
  return call_plain(Call::pre_start, self, context, errors);
}
// The hooks of an instance that is lost are left out (181f).
actord_status post_stop(void* self, actord_context* context, actord_errors* errors) {
  if (Remote& remote = Remote::of(self); remote.is_lost()) {
    remote.fail_asks(*context);
    return ACTORD_OK;
  }
  return call_plain(Call::post_stop, self, context, errors);
}

actord_status call_with_failure(Call call, void* self, actord_context* context,
                                const actord_failure* failure, actord_errors* errors,
                                RequestServer::Returned& returned, std::int32_t directive) {
  const MessageCodec& codec = Remote::of(self).plugin().codec;
  return call_hook(call, self, context, errors, returned, [&](FrameWriter& frame) {
    frame.put(directive);
    put_failure(frame, codec, *failure);
  });
}

actord_status pre_restart(void* self, actord_context* context, const actord_failure* reason,
                          actord_errors* errors) {
  if (Remote& remote = Remote::of(self); remote.is_lost()) {
    remote.fail_asks(*context);
    context->host->stop_children(context);
    return ACTORD_OK;
  }
  RequestServer::Returned returned;
  return call_with_failure(Call::pre_restart, self, context, reason, errors, returned, 0);
}

actord_status post_restart(void* self, actord_context* context, const actord_failure* reason,
                           actord_errors* errors) {
  RequestServer::Returned returned;
  return call_with_failure(Call::post_restart, self, context, reason, errors, returned, 0);
}

actord_status decide(void* self, actord_context* context, const actord_failure* failure,
                     actord_directive* out, actord_errors* errors) {
  if (Remote::of(self).is_lost()) return ACTORD_OK;
  RequestServer::Returned returned;
  const actord_status status =
      call_with_failure(Call::decide, self, context, failure, errors, returned, *out);
  *out = returned.directive;
  return status;
}

actord_status review(void* self, actord_context* context, const actord_failure* failure,
                     actord_directive* verdict, actord_errors* errors) {
  if (Remote::of(self).is_lost()) return ACTORD_OK;
  RequestServer::Returned returned;
  const actord_status status =
      call_with_failure(Call::review, self, context, failure, errors, returned, *verdict);
  if (status == ACTORD_OK) *verdict = returned.directive;
  return status;
}

actord_status log_failure(void* self, actord_context* context, const actord_failure* failure,
                          actord_directive directive, actord_errors* errors) {
  RequestServer::Returned returned;
  return call_with_failure(Call::log_failure, self, context, failure, errors, returned, directive);
}

actord_status child_terminated(void* self, actord_context* context, actord_ref child,
                               actord_errors* errors) {
  if (Remote::of(self).is_lost()) return ACTORD_OK;
  RequestServer::Returned returned;
  return call_hook(Call::child_terminated, self, context, errors, returned,
                   [&](FrameWriter& frame) { frame.put(child); });
}

// ---- persistent actors --------------------------------------------------------------------------

actord_status call_for_event(Call call, void* self, actord_context* context, std::uint64_t sequence,
                             std::int64_t other, actord_errors* errors) {
  RequestServer::Returned returned;
  return call_hook(call, self, context, errors, returned, [&](FrameWriter& frame) {
    frame.put(sequence);
    frame.put(other);
  });
}

actord_status restore(void* self, actord_context* context, const actord_stored* stored,
                      actord_errors* errors) {
  return call_for_event(Call::restore, self, context, stored->sequence, stored->written_ns, errors);
}

actord_status replay(void* self, actord_context* context, const actord_stored* stored,
                     actord_errors* errors) {
  return call_for_event(Call::replay, self, context, stored->sequence, stored->written_ns, errors);
}

actord_status recovered(void* self, actord_context* context, actord_errors* errors) {
  return call_plain(Call::recovered, self, context, errors);
}

actord_status persisted(void* self, actord_context* context, std::uint64_t sequence,
                        std::int32_t is_snapshot_due, actord_errors* errors) {
  return call_for_event(Call::persisted, self, context, sequence, is_snapshot_due, errors);
}

// ---- the end ------------------------------------------------------------------------------------

// There is no context in a destructor: what it asks for is only what any thread may.
void destroy(void* self) {
  Remote& remote = Remote::of(self);
  if (!remote.is_lost()) {
    FrameWriter frame;
    remote.begin(frame, Call::destroy);
    system::ActorSystem& actors = remote.plugin().actors;
    actord_context none{};
    none.struct_size = sizeof none;
    none.host = actors.host;
    none.system = actors.handle;
    RequestServer::Returned returned;
    static_cast<void>(remote.call(frame, none, message::ignored_errors(), returned, false));
  }
  remote.~Remote();
}

// ---- messages -----------------------------------------------------------------------------------

std::uint64_t poison_key(const IsolatedPluginState& plugin, const actord_context& context) {
  const MessageCodec::Known* const known = plugin.codec.find_local(context.message_type);
  const std::string content =
      known != nullptr ? message::pack_of(*known->table, context.message) : std::string{};
  return Poisons::key_of(context.self, context.message_type, content);
}

// The message that is being handled becomes a dead letter.
void give_up_message(actord_context& context) {
  auto& turn = static_cast<actor::Turn&>(context);
  actor::Envelope* const lost = turn.keep_current();
  turn.clear_current();
  turn.thread().send_to_dead_letters(turn.self, lost, actor::Undelivered::poison);
}

// The actor is given such messages again, and the quarantine ends that (185h).
bool is_given_again(const actord_context& context) {
  return static_cast<const actor::Turn&>(context).cell().props->attempts_max != 0;
}

// The process has ended over the message. If it was not the first to do so, it is the message that
// is to blame (181j).
void blame(Remote& remote, actord_context& context, actord_errors& errors) {
  const std::uint64_t key = poison_key(remote.plugin(), context);
  remote.report_death(context, errors);
  // One that the actor has stashed before is poison when it comes again.
  const bool is_stashed = static_cast<const actor::Turn&>(context).is_kept();
  if (remote.plugin().poisons.count(key) < 2 || is_stashed || is_given_again(context)) return;
  failure_in(errors)->is_uncharged = true;
  give_up_message(context);
}

// The message was not begun: the next incarnation gets it first.
void put_back(actord_context& context) {
  auto& turn = static_cast<actor::Turn&>(context);
  actor::CellExtras& extras = turn.extras();
  extras.stash.put_back(turn, extras.death_watch);
}

std::uint32_t state_of(const actor::Turn& turn) {
  const auto& receives = turn.cell().props->behaviour.receives();
  return static_cast<std::uint32_t>(turn.cell().receive - receives.data());
}

// Whether an ask is none that the instance will answer: what is stashed will be taken again, and
// what fails is answered with the failure.
bool is_over(const actor::Turn& turn, const RequestServer::Returned& returned) {
  return turn.is_kept() || (returned.status != ACTORD_OK && !returned.has_taken_sender &&
                            actor::fails_with_handler(turn, *turn.current()));
}

actord_status receive(Remote& remote, actord_context* context, actord_errors* errors) {
  FrameWriter frame;
  remote.begin(frame, Call::receive);
  if (remote.put_context(frame, *context, *errors) != ACTORD_OK) return ACTORD_FAILED;
  frame.put(state_of(static_cast<const actor::Turn&>(*context)));
  if (context->host->asker(context) != actor::nobody) remote.asks().add(context->sender);
  RequestServer::Returned returned;
  switch (remote.call(frame, *context, *errors, returned)) {
    case Ended::returned:
      if (is_over(static_cast<const actor::Turn&>(*context), returned))
        remote.asks().forget(context->sender);
      return returned.status;
    case Ended::not_started:
      remote.asks().forget(context->sender);
      put_back(*context);
      remote.report_as_peer(*context, *errors);
      return ACTORD_FAILED;
    case Ended::bystander: remote.report_as_peer(*context, *errors); return ACTORD_FAILED;
    case Ended::died: blame(remote, *context, *errors); return ACTORD_FAILED;
  }
  return ACTORD_FAILED;
}

actord_status answer(void* self, actord_context* context, actord_reply_handler handler,
                     const void* message, const actord_failure* failure, actord_errors* errors) {
  Remote& remote = Remote::of(self);
  RequestServer::Returned returned;
  return call_hook(Call::reply, self, context, errors, returned, [&](FrameWriter& frame) {
    frame.put(reinterpret_cast<std::uint64_t>(handler));
    frame.put(static_cast<std::uint8_t>(message != nullptr ? 1 : 0));
    if (failure != nullptr) put_failure(frame, remote.plugin().codec, *failure);
  });
}

actord_status create_without_origin(void*, actord_context*, actord_value, const void*,
                                    actord_errors* errors) {
  return message::report(*errors, "an isolated actor is created by its props");
}

}  // namespace

actord_status remote_create(void* self, actord_context* context, actord_value config,
                            const void* args, actord_errors* errors) {
  const auto& origin = *static_cast<const RemoteOrigin*>(args);
  const std::uint32_t incarnation =
      static_cast<const actor::Turn&>(*context).cell().life.incarnation();
  for (int attempt = 1;; ++attempt) {
    HostPtr host = host_for(origin, *errors);
    if (host == nullptr) return ACTORD_FAILED;
    auto& remote = *::new (self) Remote(origin, std::move(host), context->self, incarnation);
    FrameWriter frame;
    remote.begin(frame, Call::create);
    RequestServer::Returned returned;
    Ended ended = Ended::returned;
    returned.status = remote.put_context(frame, *context, *errors);
    if (returned.status == ACTORD_OK) {
      put_creation(frame, origin, config);
      ended = remote.call(frame, *context, *errors, returned);
    }
    if (ended == Ended::returned && returned.status == ACTORD_OK) return ACTORD_OK;
    const bool is_tried_again = ended == Ended::not_started && attempt < attempts_max &&
                                origin.creation != Creation::by_address;
    if (ended == Ended::died) remote.report_death(*context, *errors);
    else if (ended != Ended::returned && !is_tried_again) remote.report_as_peer(*context, *errors);
    remote.~Remote();
    if (!is_tried_again) return ACTORD_FAILED;
  }
}

// Any thread. A process that ends meanwhile takes the arguments with it.
void destroy_origin(void* args) {
  const std::unique_ptr<RemoteOrigin> origin(static_cast<RemoteOrigin*>(args));
  if (origin->args_destroy == 0 || origin->host == nullptr || !origin->host->is_alive()) return;
  FrameWriter frame;
  frame.put(Call::drop_args);
  frame.put(std::uint64_t{0});
  frame.put(origin->args_destroy);
  frame.put(origin->args);
  std::string requests;
  Channel& channel = origin->host->acquire();
  static_cast<void>(channel.exchange(frame.bytes(), requests));
  origin->host->release(channel);
}

actord_status remote_receive(void* self, actord_context* context, const void*,
                             actord_errors* errors) {
  Remote& remote = Remote::of(self);
  if (remote.plugin().poisons.has_any() && !is_given_again(*context) &&
      !static_cast<actor::Turn&>(*context).is_kept() &&
      remote.plugin().poisons.is_poison(poison_key(remote.plugin(), *context))) {
    give_up_message(*context);
    return ACTORD_OK;
  }
  return receive(remote, context, errors);
}

const actord_behaviour& remote_hooks() {
  static const actord_behaviour table = [] {
    actord_behaviour made{};
    made.struct_size = sizeof made;
    made.create = &create_without_origin;
    made.destroy = &destroy;
    made.pre_start = &pre_start;
    made.post_stop = &post_stop;
    made.pre_restart = &pre_restart;
    made.post_restart = &post_restart;
    made.decide = &decide;
    made.review = &review;
    made.log_failure = &log_failure;
    made.child_terminated = &child_terminated;
    return made;
  }();
  return table;
}

const actord_persistence& remote_persistence() {
  static constexpr actord_persistence table{
      sizeof(actord_persistence), 0, &restore, &replay, &recovered, &persisted};
  return table;
}

const actor::Remoting remoting{
    &answer, [](const void* self) { return static_cast<const Remote*>(self)->is_lost(); },
    [](const void* self) { return static_cast<const Remote*>(self)->process_id(); },
    [](void* self, actord_context* context, const actor::Failure& failure) {
      Remote::of(self).fail_asks(*context, failure);
    }};

const std::uint32_t remote_size = sizeof(Remote), remote_align = alignof(Remote);

}  // namespace actord::link
