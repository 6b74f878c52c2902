// SPDX-License-Identifier: Apache-2.0
#include "testkit/fault_plan.hpp"

#include <algorithm>
#include <cstring>
#include <deque>

#include "actor/turn.hpp"

namespace actord::testkit {

namespace {

using message::view;

// The tables of older plugins are shorter; their missing entries stay zero.
template <class Table>
void copy_table(Table& to, const Table& from) {
  const std::size_t size = std::min<std::size_t>(from.struct_size, sizeof(Table));
  std::memcpy(static_cast<void*>(&to), &from, size);
  to.struct_size = static_cast<std::uint32_t>(size);
}

const actor::Cell& cell_of(const actord_context& context) {
  return *reinterpret_cast<const actor::Cell*>(context.cell);
}

FaultPlan& plan_of(actord_context& context) {
  return const_cast<FaultPlan&>(static_cast<const FaultPlan&>(*context.host));
}

// A constructor with arguments: the original of a create_kept().
struct Kept {
  decltype(actord_props::create) create;
  void* args;
  void (*args_destroy)(void*);
};

}  // namespace

struct FaultPlan::WrappedReceive : actord_receive {
  WrappedReceive(const actord_receive& of, const WrappedBehaviour& owner);

  actord_handler handler_of(std::string_view type) const {
    for (std::uint32_t i = 0; i < original.n_cases; ++i) {
      if (view(original.cases[i].type) == type) return original.cases[i].handle;
    }
    return original.otherwise;
  }

  const actord_receive& original;
  const WrappedBehaviour& behaviour;
  std::vector<actord_case> wrapped_cases;
};

struct FaultPlan::WrappedBehaviour : actord_behaviour {
  explicit WrappedBehaviour(const actord_behaviour& of);

  const actord_behaviour& original;
  std::deque<WrappedReceive> wrapped_receives;
  std::vector<const actord_receive*> receive_pointers;
};

struct FaultPlan::WrappedPlugin {
  actord_plugin table{};
  std::vector<const actord_behaviour*> behaviours;
};

// ---- what stands in the tables ------------------------------------------------------------------

struct FaultPlan::Calls {
  // The system copies our tables, but the lists that they point to stay ours.
  static const WrappedBehaviour& behaviour(const actord_context& context) {
    const actord_behaviour& copy = cell_of(context).props->behaviour.table;
    return static_cast<const WrappedReceive*>(copy.receives[0])->behaviour;
  }

  static actord_status handle(void* self, actord_context* c, const void* message,
                              actord_errors* errors) {
    const auto& receive = static_cast<const WrappedReceive&>(*cell_of(*c).receive->table());
    if (plan_of(*c).report_planned(*c, Moment::message, *errors)) return ACTORD_FAILED;
    const auto& types = static_cast<actor::Turn*>(c)->environment().types;
    return receive.handler_of(types.name(c->message_type))(self, c, message, errors);
  }

  static actord_status create(void* self, actord_context* c, actord_value config, const void* args,
                              actord_errors* errors) {
    if (plan_of(*c).report_planned(*c, Moment::constructor, *errors)) return ACTORD_FAILED;
    return behaviour(*c).original.create(self, c, config, args, errors);
  }
  static actord_status create_kept(void* self, actord_context* c, actord_value config,
                                   const void* args, actord_errors* errors) {
    if (plan_of(*c).report_planned(*c, Moment::constructor, *errors)) return ACTORD_FAILED;
    const Kept& kept = *static_cast<const Kept*>(args);
    return kept.create(self, c, config, kept.args, errors);
  }
  static void destroy_kept(void* args) {
    const std::unique_ptr<Kept> kept(static_cast<Kept*>(args));
    if (kept->args_destroy != nullptr) kept->args_destroy(kept->args);
  }

  template <Moment moment, actord_hook actord_behaviour::*hook>
  static actord_status call(void* self, actord_context* c, actord_errors* errors) {
    if (plan_of(*c).report_planned(*c, moment, *errors)) return ACTORD_FAILED;
    const actord_hook original = behaviour(*c).original.*hook;
    return original != nullptr ? original(self, c, errors) : ACTORD_OK;
  }
  static constexpr actord_hook pre_start = &call<Moment::pre_start, &actord_behaviour::pre_start>;
  static constexpr actord_hook post_stop = &call<Moment::post_stop, &actord_behaviour::post_stop>;

  // If the author has no such hook, do what the host would do (plugin.h): the host sees our entry
  // and cannot know that the original has none.
  static actord_status pre_restart(void* self, actord_context* c, const actord_failure* reason,
                                   actord_errors* errors) {
    if (plan_of(*c).report_planned(*c, Moment::pre_restart, *errors)) return ACTORD_FAILED;
    const actord_restart_hook original = behaviour(*c).original.pre_restart;
    if (original != nullptr) return original(self, c, reason, errors);
    c->host->stop_children(c);
    return post_stop(self, c, errors);
  }
  static actord_status post_restart(void* self, actord_context* c, const actord_failure* reason,
                                    actord_errors* errors) {
    if (plan_of(*c).report_planned(*c, Moment::post_restart, *errors)) return ACTORD_FAILED;
    const actord_restart_hook original = behaviour(*c).original.post_restart;
    return original != nullptr ? original(self, c, reason, errors) : pre_start(self, c, errors);
  }

  // ---- the host's own functions that name a table ----

  static actord_ref spawn(actord_context* c, actord_str name, const actord_props* props,
                          actord_errors* errors) {
    FaultPlan& plan = plan_of(*c);
    const actord_props wrapped = plan.wrapped(*props);
    return plan.real_.spawn(c, name, &wrapped, errors);
  }

  static void become(actord_context* c, const actord_receive* state, int32_t keep_old) {
    FaultPlan& plan = plan_of(*c);
    const actord_behaviour& table = cell_of(*c).props->behaviour.table;
    for (const auto& [original, wrapped] : plan.behaviours_) {
      if (wrapped->receives != table.receives) continue;
      for (const WrappedReceive& receive : wrapped->wrapped_receives) {
        if (&receive.original == state) return plan.real_.become(c, &receive, keep_old);
      }
    }
    plan.real_.become(c, state, keep_old);
  }
};

FaultPlan::WrappedReceive::WrappedReceive(const actord_receive& of, const WrappedBehaviour& owner)
    : actord_receive{}, original(of), behaviour(owner) {
  copy_table<actord_receive>(*this, of);
  for (std::uint32_t i = 0; i < of.n_cases; ++i)
    wrapped_cases.push_back({of.cases[i].type, &Calls::handle});
  cases = wrapped_cases.data();
  if (of.otherwise != nullptr) otherwise = &Calls::handle;
}

FaultPlan::WrappedBehaviour::WrappedBehaviour(const actord_behaviour& of)
    : actord_behaviour{}, original(of) {
  copy_table<actord_behaviour>(*this, of);
  for (std::size_t i = 0; i < of.n_receives; ++i)
    receive_pointers.push_back(&wrapped_receives.emplace_back(*of.receives[i], *this));
  receives = receive_pointers.data();
  create = &Calls::create;
  pre_start = Calls::pre_start;
  post_stop = Calls::post_stop;
  pre_restart = &Calls::pre_restart;
  post_restart = &Calls::post_restart;
}

// ---- the plan -----------------------------------------------------------------------------------

FaultPlan::FaultPlan(const actord_host& real) : actord_host(real), real_(real) {
  actord_host::spawn = &Calls::spawn;
  actord_host::become = &Calls::become;
}

FaultPlan::~FaultPlan() = default;

void FaultPlan::add(Fault fault, const detail::TypeChain& cause, std::string what) {
  planned_.push_back({std::move(fault), &cause, std::move(what)});
}

std::size_t FaultPlan::left() const {
  std::size_t n = 0;
  for (const Planned& planned : planned_) n += planned.fault.times;
  return n;
}

const actord_behaviour& FaultPlan::wrapped(const actord_behaviour& behaviour) {
  auto& made = behaviours_[&behaviour];
  if (made == nullptr) made = std::make_unique<WrappedBehaviour>(behaviour);
  return *made;
}

const actord_plugin& FaultPlan::wrapped(const actord_plugin& plugin) {
  WrappedPlugin& made = *plugins_.emplace_back(std::make_unique<WrappedPlugin>());
  copy_table(made.table, plugin);
  for (std::size_t i = 0; i < plugin.n_behaviours; ++i)
    made.behaviours.push_back(&wrapped(*plugin.behaviours[i]));
  made.table.behaviours = made.behaviours.data();
  return made.table;
}

actord_props FaultPlan::wrapped(const actord_props& props) {
  actord_props made{};
  copy_table(made, props);
  if (made.behaviour != nullptr) made.behaviour = &wrapped(*made.behaviour);
  if (made.create == nullptr) return made;
  made.args = new Kept{made.create, made.args, made.args_destroy};
  made.create = &Calls::create_kept;
  made.args_destroy = &Calls::destroy_kept;
  return made;
}

bool FaultPlan::report_planned(actord_context& context, Moment moment, actord_errors& errors) {
  if (left() == 0) return false;
  const auto& turn = static_cast<actor::Turn&>(context);
  const std::string where = turn.thread().path(context.self);
  const std::string_view type = turn.environment().types.name(context.message_type);
  for (Planned& planned : planned_) {
    Fault& fault = planned.fault;
    if (fault.times == 0 || fault.moment != moment || fault.path != where) continue;
    if (moment == Moment::message && !fault.message.empty() && fault.message != type) continue;
    if (fault.after != 0) {
      --fault.after;
      continue;
    }
    --fault.times;
    const actord_failure failure = detail::plain_failure(*planned.cause, planned.what);
    errors.report(&errors, &failure);
    return true;
  }
  return false;
}

}  // namespace actord::testkit
