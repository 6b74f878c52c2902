// SPDX-License-Identifier: Apache-2.0
//
// The actor of the step profile. It does what its deeds say, fails where they say so, and checks at
// every call what must hold, whatever ran in between. The numbers are those of the rules in
// README.md.
#pragma once

#include <actord/actord.hpp>

#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "actor/cell_pool.hpp"
#include "actor/ref.hpp"
#include "base/sync.hpp"
#include "sim/step_checks.hpp"
#include "sim/step_fibers.hpp"

namespace actord::sim::steps {

/// One action, numbered by its sender for each receiver.
struct Deed {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::uint32_t number = 0;
  std::uint32_t what = 0;
  std::uint32_t detail = 0;
};
struct Question {};
struct Answer {};
struct Beat {};
ACTORD_MESSAGE(Deed, "step.Deed/1", from, to, number, what, detail)
ACTORD_MESSAGE(Question, "step.Question/1")
ACTORD_MESSAGE(Answer, "step.Answer/1")
ACTORD_MESSAGE(Beat, "step.Beat/1")

struct Restarting : Error {
  using Error::Error;
};
struct Resuming : Error {
  using Error::Error;
};
struct Stopping : Error {
  using Error::Error;
};
struct Escalating : Error {
  using Error::Error;
};

/// What a seed decides, and what was seen. All fibers share it: no fiber is switched inside it.
class Plan {
 public:
  Plan(std::uint64_t seed, Fibers& fibers_, bool is_traced_)
      : random(seed), fibers(fibers_), is_traced(is_traced_), is_churning(random.below(4) == 0) {}

  bool may_spawn() const { return refs.size() < (is_churning ? 2 * actors_max : actors_max); }
  /// A deed for `to`, with its number; must be sent at once.
  Deed next_deed(std::uint64_t from, actor::Ref to);
  /// Any actor, most often a recent one or one that ran lately.
  actor::Ref random_receiver();
  /// The same for a deed that sends a system message while actors come and go: a system message
  /// that is delayed may find another tenant in the cell.
  actor::Ref random_system_receiver();
  void fail(int invariant, const std::string& what) {
    fibers.fail(std::to_string(invariant) + " " + what);
  }
  void unwatches_children(Context& ctx);
  void saw(const char* what, std::uint64_t who, std::uint64_t detail = 0);
  /// Checks a message that begins to be handled: its sender's order, the right receiver, and no
  /// message after a stop from the same sender.
  void check(const Deed& deed, actor::Ref self, bool is_forwarded);
  /// `from` is about to send a stop: messages that it sends later must not be handled.
  void stops(std::uint64_t from, actor::Ref whom);

  /// Checks the end of an actor with an instance: it was told to stop, or supervision stopped it.
  void check_end(actor::Ref who);

  /// Makes `whom`, which is running, a likely receiver.
  void note_running(actor::Ref whom);

  base::Random random;
  Fibers& fibers;
  const bool is_traced;
  const bool is_churning;  // actors come and go, and cells are reused at once
  const actor::CellPool* cells = nullptr;
  bool is_calm = false;
  std::vector<actor::Ref> refs;
  std::map<actor::Ref, int> inside;                     // calls under way
  std::map<actor::Ref, std::set<actor::Ref>> watching;  // outlives incarnations
  std::map<actor::Ref, std::set<actor::Ref>> perhaps_watching;
  std::map<actor::Ref, actor::Ref> parents;
  std::set<actor::Ref> resumed;  // by a verdict, and not yet seen
  std::int64_t instances = 0;

 private:
  static constexpr std::size_t actors_max = 48;
  using Pair = std::pair<std::uint64_t, std::uint64_t>;  // sender, receiver

  std::map<Pair, std::uint32_t> sent_, seen_, last_allowed_;
  std::vector<actor::Ref> lately_;
  StopCheck stopped_;
};

class Stepper : public Actor {
 public:
  Stepper(Context& ctx, Plan* plan, int depth);
  ~Stepper() override { --plan_.instances; }

  void pre_start(Context& ctx) override;
  void post_stop(Context& ctx) override;
  void pre_restart(Context& ctx, const Failure& reason) override;
  Directive decide(Context& ctx, const Failure& failure) override;

  void obey(Context& ctx, const Deed& deed);
  void set_aside(Context& ctx, const Deed& deed);
  void question(Context& ctx, const Question& question);
  void beat(Context& ctx, const Beat&);
  void terminated(Context& ctx, const Terminated& notice);
  void answered(Context& ctx, const Reply<Answer>& reply);
  void gone(Context& ctx, const Reply<Terminated>& reply);

  using Busy =
      Handlers<&Stepper::set_aside, &Stepper::question, &Stepper::beat, &Stepper::terminated>;
  using Receive =
      Handlers<&Stepper::obey, &Stepper::question, &Stepper::beat, &Stepper::terminated>;
  using States = actord::States<Busy>;

 private:
  enum class Life { constructed, running, ended };
  class Visit;

  void must_run(Context& ctx, const char* what);
  [[noreturn]] void fail_as(std::uint32_t how);
  void spawn_child(Context& ctx);
  void do_deed(Context& ctx, const Deed& deed);
  /// The deeds that stop another actor, and those that send a message.
  void do_stopping_deed(Context& ctx, const Deed& deed, const std::vector<Ref>& children);
  void do_sending_deed(Context& ctx, const Deed& deed, const std::vector<Ref>& children);
  void send_deed(Context& ctx, actor::Ref to);

  Plan& plan_;
  const int depth_;
  Life life_ = Life::constructed;
  bool has_failed_ = false;
};

/// The same actor with other strategies.
struct Linked : Stepper {
  using Stepper::Stepper;
  static Strategy supervision() { return all_for_one({.max_restarts = 8}).silent(); }
};
struct Patient : Stepper {
  using Stepper::Stepper;
  static Strategy supervision() {
    using namespace std::chrono_literals;
    return one_for_one().backoff({.min = 1ms, .max = 8ms, .capacity = 4}).silent();
  }
};

}  // namespace actord::sim::steps
