// SPDX-License-Identifier: Apache-2.0
#include "link/guest.hpp"

#include <utility>

#include "hocon/source.hpp"
#include "link/code_place.hpp"
#include "link/guest_call.hpp"
#include "message/complete.hpp"
#include "message/message_pack.hpp"
#include "message/report.hpp"
#include "sdk/config_value.hpp"

namespace actord::link {

namespace {

/// The configuration of an instance, as create() reads it.
class Config {
 public:
  Config(std::string_view text, GuestState& guest) {
    if (text.empty()) return;
    hocon::Source source;
    source.add_text("config", "config = " + std::string{text});
    auto tree = source.resolve();
    if (!tree) return;
    reader_ = std::make_unique<sdk::ConfigReader>(
        *std::move(tree), [&guest](std::string_view path) -> actord_ref {
          return guest_table().find(guest.handle(), {path.data(), path.size()});
        });
  }
  actord_value value() const noexcept {
    if (reader_ == nullptr) return {nullptr, nullptr};
    return reader_->value(reader_->tree().find("config"));
  }

 private:
  std::unique_ptr<sdk::ConfigReader> reader_;
};

/// A frame that calls a behaviour, without its context.
struct Called {
  Call kind;
  GuestCall& call;
  FrameReader& frame;
  actord_errors& errors;
  std::int32_t directive = ACTORD_UNDECIDED;
};

actord_status receive(Called& it) {
  const auto state = it.frame.take<std::uint32_t>();
  const GuestBehaviour& behaviour = it.call.actor->behaviour;
  if (state >= behaviour.states.size()) return ACTORD_FAILED;
  const actord_handler handler = behaviour.states[state].find(it.call.message_type);
  if (handler == nullptr) return ACTORD_FAILED;
  return handler(it.call.actor->self, &it.call, it.call.message, &it.errors);
}

actord_status reply(Called& it) {
  const auto handler = reinterpret_cast<actord_reply_handler>(it.frame.take<std::uint64_t>());
  if (it.frame.take<std::uint8_t>() != 0)
    return handler(it.call.actor->self, &it.call, it.call.message, nullptr, &it.errors);
  TakenFailure failure;
  if (!take_failure(it.frame, it.call.guest.codec, failure)) return ACTORD_FAILED;
  return handler(it.call.actor->self, &it.call, nullptr, failure.c(), &it.errors);
}

// The hooks that get a failure.
actord_status call_with_failure(Called& it) {
  const actord_behaviour& table = it.call.actor->behaviour.table;
  void* const self = it.call.actor->self;
  it.directive = it.frame.take<std::int32_t>();
  TakenFailure failure;
  if (!take_failure(it.frame, it.call.guest.codec, failure)) return ACTORD_FAILED;
  switch (it.kind) {
    case Call::pre_restart: return table.pre_restart(self, &it.call, failure.c(), &it.errors);
    case Call::post_restart: return table.post_restart(self, &it.call, failure.c(), &it.errors);
    case Call::decide: return table.decide(self, &it.call, failure.c(), &it.directive, &it.errors);
    case Call::review: return table.review(self, &it.call, failure.c(), &it.directive, &it.errors);
    default:
      return table.log_failure(self, &it.call, failure.c(), std::exchange(it.directive, 0),
                               &it.errors);
  }
}

// The functions of actord_persistence.
actord_status call_persistence(Called& it) {
  const actord_persistence* const table = it.call.actor->behaviour.table.persistence;
  if (table == nullptr) return ACTORD_FAILED;
  const actord_persistence functions = message::complete(*table);
  void* const self = it.call.actor->self;
  if (it.kind == Call::recovered) return functions.recovered(self, &it.call, &it.errors);
  const auto sequence = it.frame.take<std::uint64_t>();
  const auto other = it.frame.take<std::int64_t>();  // a time, or whether a snapshot is due
  if (it.kind == Call::persisted)
    return functions.persisted(self, &it.call, sequence, other != 0 ? 1 : 0, &it.errors);
  const actord_stored stored{it.call.message, sequence, other};
  return (it.kind == Call::restore ? functions.restore : functions.replay)(self, &it.call, &stored,
                                                                           &it.errors);
}

actord_status call(Called& it) {
  const actord_behaviour& table = it.call.actor->behaviour.table;
  void* const self = it.call.actor->self;
  switch (it.kind) {
    case Call::receive: return receive(it);
    case Call::reply: return reply(it);
    case Call::pre_start: return table.pre_start(self, &it.call, &it.errors);
    case Call::post_stop: return table.post_stop(self, &it.call, &it.errors);
    case Call::child_terminated:
      return table.child_terminated(self, &it.call, it.frame.take<actord_ref>(), &it.errors);
    case Call::restore:
    case Call::replay:
    case Call::recovered:
    case Call::persisted: return call_persistence(it);
    default: return call_with_failure(it);
  }
}

// Lets the plugin make the props that it has made in actord.
actord_status remake(GuestState& guest, std::uint64_t function, std::string_view args,
                     actord_props& props, actord_errors& errors) {
  using Remake = decltype(actord_props_codec::remake);
  const auto make = reinterpret_cast<Remake>(function_at(function, guest.plugin));
  if (make == nullptr)
    return message::report(errors, "actord and the process have loaded different files");
  props.struct_size = sizeof props;
  if (args.empty()) return make({nullptr, nullptr}, &props, &errors);
  const message::PackReader reader(args);
  return make(reader.root(), &props, &errors);
}

// Reads what an instance is created from. What the props own is to be destroyed.
actord_status take_creation(GuestState& guest, FrameReader& frame, actord_props& props,
                            actord_errors& errors) {
  const auto creation = frame.take<Creation>();
  const auto place = frame.take<std::uint32_t>();
  const auto table = frame.take<std::uint64_t>(), create = frame.take<std::uint64_t>();
  const auto args = frame.take<std::uint64_t>();
  const std::string_view written = frame.text();
  switch (creation) {
    case Creation::configured:
      if (place >= guest.plugin.n_behaviours) return ACTORD_FAILED;
      props.behaviour = guest.plugin.behaviours[place];
      return ACTORD_OK;
    case Creation::by_address:
      props.behaviour = reinterpret_cast<const actord_behaviour*>(table);
      props.create = reinterpret_cast<decltype(actord_props::create)>(create);
      props.args = reinterpret_cast<void*>(args);
      return ACTORD_OK;
    case Creation::remade: return remake(guest, create, written, props, errors);
  }
  return ACTORD_FAILED;
}

actord_status create(GuestCall& call, FrameReader& frame, std::uint64_t instance,
                     actord_errors& errors) {
  actord_props props{};
  if (const auto taken = take_creation(call.guest, frame, props, errors); taken != ACTORD_OK)
    return taken;
  auto actor = std::make_unique<GuestActor>(call.guest.behaviour(*props.behaviour), props);
  const Config config(frame.text(), call.guest);
  const auto build = props.create != nullptr ? props.create : actor->behaviour.table.create;
  const actord_status status = build(actor->self, &call, config.value(), props.args, &errors);
  if (status == ACTORD_OK) call.guest.add(instance, std::move(actor));
  return status;
}

void do_frame(GuestState& guest, HostChannel& channel, std::string_view bytes) {
  FrameReader frame(bytes);
  const auto kind = frame.take<Call>();
  const auto instance = frame.take<std::uint64_t>();
  GuestActor* const actor = guest.find(instance);
  GuestCall call(guest, channel, actor);
  ErrorFrame errors(guest.codec);
  if (kind == Call::destroy) {
    if (actor != nullptr) actor->behaviour.table.destroy(actor->self);
    guest.remove(instance);
    return call.put_return(ACTORD_OK, ACTORD_UNDECIDED, {});
  }
  if (kind == Call::drop_args) {
    const auto destroy = reinterpret_cast<void (*)(void*)>(frame.take<std::uint64_t>());
    destroy(reinterpret_cast<void*>(frame.take<std::uint64_t>()));
    return call.put_return(ACTORD_OK, ACTORD_UNDECIDED, {});
  }
  Called called{kind, call, frame, errors};
  actord_status status = call.take_context(frame, errors);
  if (status == ACTORD_OK && kind == Call::create) status = create(call, frame, instance, errors);
  else if (status == ACTORD_OK)
    status = actor != nullptr ? link::call(called) : static_cast<actord_status>(ACTORD_FAILED);
  call.put_return(status, called.directive,
                  status == ACTORD_OK ? std::string_view{} : errors.bytes());
}

}  // namespace

Guest::Guest(const actord_plugin& plugin, Surroundings surroundings)
    : state_(std::make_unique<GuestState>(plugin, surroundings)) {}
Guest::~Guest() = default;

base::Result<void> Guest::attach(std::string_view welcome) {
  FrameReader frame(welcome);
  if (frame.take<std::uint32_t>() != protocol_version)
    return base::Error{"actord and actord-host are of different versions"};
  state_->know_types(frame);
  state_->state_directory = frame.text();
  if (frame.has_failed())
    return base::Error{"its messages are others than those that actord knows of it"};
  message::FirstText errors;
  const auto attach = state_->plugin.attach;
  if (attach == nullptr || attach(&guest_table(), state_->handle(), &errors) == ACTORD_OK)
    return {};
  return base::Error{"its attach() has failed: " + errors.text};
}

void Guest::perform(HostChannel& channel, std::string_view frame) {
  do_frame(*state_, channel, frame);
}

void Guest::serve(HostChannel& channel) {
  std::string_view frame;
  while (channel.turn(frame)) do_frame(*state_, channel, frame);
}

void Guest::detach() {
  if (state_->plugin.detach != nullptr)
    static_cast<void>(state_->plugin.detach(&message::ignored_errors()));
}

}  // namespace actord::link
