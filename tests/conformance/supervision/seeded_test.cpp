// SPDX-License-Identifier: Apache-2.0
#include "seeded_test.hpp"

#include <algorithm>
#include <cstdlib>

#include "actor/inspection.hpp"

namespace actord::conformance {

namespace {

std::string last_segment(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

Script script_for(Context& ctx, const Scripts& scripts) {
  const auto found = scripts.find(last_segment(ctx.path(ctx.self())));
  return found != scripts.end() ? found->second : Script{};
}

// ---- the actor ---------------------------------------------------------------------------------

ScriptedActor::ScriptedActor(Context& ctx, SeededTest* test, const Script& script)
    : test_(*test),
      script_(script),
      name_(last_segment(ctx.path(ctx.self()))),
      number_(test->next_number(name_)) {
  test_.enter(ctx.self(), name_);
  record("new " + std::to_string(number_));
  if (script_.construct) script_.construct(*this, ctx);
  ++test_.living;  // counted last: a constructor that throws has no destructor
}

ScriptedActor::~ScriptedActor() { --test_.living; }

void ScriptedActor::record(std::string what) { test_.record(name_, std::move(what)); }

void ScriptedActor::pre_start(Context& ctx) {
  record("pre_start " + std::to_string(number_));
  if (script_.pre_start) script_.pre_start(*this, ctx);
}

void ScriptedActor::post_stop(Context& ctx) {
  record("post_stop " + std::to_string(number_));
  if (script_.post_stop) script_.post_stop(*this, ctx);
}

void ScriptedActor::pre_restart(Context& ctx, const Failure& reason) {
  record("pre_restart " + std::to_string(number_));
  if (script_.pre_restart) script_.pre_restart(*this, ctx, reason);
  else if (!script_.keeps_children) Actor::pre_restart(ctx, reason);
}

void ScriptedActor::post_restart(Context& ctx, const Failure& reason) {
  record("post_restart " + std::to_string(number_));
  if (script_.post_restart) script_.post_restart(*this, ctx, reason);
  else Actor::post_restart(ctx, reason);
}

Directive ScriptedActor::decide(Context& ctx, const Failure& failure) {
  return script_.decide ? script_.decide(*this, ctx, failure) : Directive::undecided;
}

void ScriptedActor::child_terminated(Context& ctx, Ref child) {
  if (script_.child_terminated) script_.child_terminated(*this, ctx, child);
}

void ScriptedActor::act(Context& ctx, const Act& order) { test_.act(order.number, *this, ctx); }

void ScriptedActor::note(const Note& note) { record("got " + std::to_string(note.n)); }

void ScriptedActor::question(Context& ctx, const Question& question) {
  if (script_.question) script_.question(*this, ctx, question);
  else ctx.reply(Answer{question.n});
}

void ScriptedActor::answer(const Answer& answer) { record("answer " + std::to_string(answer.n)); }

void ScriptedActor::terminated(Context& ctx, const Terminated& notice) {
  record("terminated " + test_.name_of(notice.who) +
         (notice.existence_confirmed ? " confirmed " : " unconfirmed ") + notice.reason);
  if (script_.terminated) script_.terminated(*this, ctx, notice);
}

void ScriptedActor::receive_timeout(const ReceiveTimeout& timeout) {
  record("silence " + std::to_string(timeout.after / 1ms) + " ms");
}

void ScriptedActor::background_message(const BackgroundMessage& /*message*/) {
  record("background message");
}

void ScriptedActor::signal(const Signal& signal) { record("signal " + std::to_string(signal.n)); }

void ScriptedActor::asked(Context& /*ctx*/, const Reply<Answer>& reply) {
  if (reply) record("reply " + std::to_string(reply->n));
  else
    record("refused " + std::string{reply.failure().type()} + ": " +
           std::string{reply.failure().what()});
}

void ScriptedActor::set_aside(Context& ctx, const Note& /*note*/) { ctx.stash(); }

namespace {

class Reader : public Actor {
 public:
  explicit Reader(std::vector<DeadLetter>* letters) : letters_(*letters) {}
  void pre_start(Context& ctx) override { ctx.subscribe<DeadLetter>(); }
  void letter(const DeadLetter& letter) { letters_.push_back(letter); }
  using Receive = Handlers<&Reader::letter>;

 private:
  std::vector<DeadLetter>& letters_;
};

}  // namespace

// ---- the test -----------------------------------------------------------------------------------

// The cases also run with a guard that is on and never acts.
constexpr actor::StormGuard out_of_reach{
    .threshold = 1'000'000'000, .within_ns = 1'000 * ms, .delay_min_ns = ms, .delay_max_ns = ms};

SeededTest::SeededTest(std::uint64_t seed, const Setup& setup)
    : world([&] {
        testkit::World::Options options = setup.options;
        options.seed = seed;
        if (options.storm_guard.threshold < 0 && std::getenv("ACTORD_TEST_STORM_GUARD") != nullptr)
          options.storm_guard = out_of_reach;
        options.is_isolated |= std::getenv("ACTORD_TEST_LOOPBACK") != nullptr;
        return options;
      }()) {
  world.use(*plugin_table<Behaviours<ScriptedActor>,
                          Messages<Act, Note, Question, Answer, Letter, BackgroundMessage, Signal>>(
      "play", "1"));
  if (setup.before_start) setup.before_start(*this);
  world.start(user, deployments);
}

void SeededTest::end() {
  CHECK(world.shut_down());
  const actor::MessageCounters counters = world.system().counters();
  CHECK(counters.sent == counters.ended());
  CHECK(world.system().blocks_in_use() == 0);
  CHECK(world.simulator().timers().size() == 0);
  if (world.loopback() != nullptr) world.loopback()->forget_dead();
  CHECK(living == 0);
  for (const auto& [ref, name] : names_) CHECK_FALSE(world.is_alive(ref));
}

void SeededTest::queue(Ref whom, Script::Hook what) {
  acts_.push_back(std::move(what));
  world.tell(whom.value, Act{acts_.size() - 1});
}

void SeededTest::perform(Ref whom, Script::Hook what) {
  queue(whom, std::move(what));
  world.run();
}

const std::vector<DeadLetter>& SeededTest::read_dead_letters() {
  world.spawn<Reader>("reader", &dead_letters);
  return dead_letters;
}

std::vector<Ref> SeededTest::children_and_helpers(Ref of) {
  const base::IntrusivePtr<actor::Inspection> inspection(
      new actor::Inspection([](actor::Inspection::Outcome) {}));
  world.system().inspect(of.value, inspection);
  world.run();
  std::vector<Ref> refs;
  for (const auto& child : inspection->children) refs.push_back({child.ref});
  return refs;
}

std::string SeededTest::life_of(std::string_view name) const {
  std::string life;
  for (const auto& [who, what] : record_) {
    if (who == name) life += (life.empty() ? "" : ", ") + what;
  }
  return life;
}

int SeededTest::count(std::string_view entry) const {
  return static_cast<int>(std::ranges::count_if(
      record_, [&](const auto& each) { return each.first + ' ' + each.second == entry; }));
}

bool SeededTest::came_in_order(std::initializer_list<std::string_view> entries) const {
  auto at = record_.begin();
  for (const std::string_view entry : entries) {
    at = std::find_if(at, record_.end(),
                      [&](const auto& each) { return each.first + ' ' + each.second == entry; });
    if (at == record_.end()) return false;
    ++at;
  }
  return true;
}

std::optional<int> SeededTest::value(Ref whom) {
  auto answered = std::make_shared<std::optional<int>>();
  perform(whom, [answered](ScriptedActor& actor, Context&) { *answered = actor.value; });
  return *answered;
}

bool SeededTest::step_until(const std::function<bool()>& holds) {
  while (!holds()) {
    if (!world.step()) return false;
  }
  return true;
}

std::int64_t SeededTest::advance_until_found(std::string_view path) {
  const std::int64_t begin = world.now_ns();
  while (!find(path)) {
    if (!world.simulator().advance_to_next_timer()) return -1;
  }
  return world.now_ns() - begin;
}

std::string SeededTest::name_of(Ref ref) const {
  const auto found = names_.find(ref.value);
  return found == names_.end() ? "nobody" : found->second;
}

void under_seeds(const std::function<void(SeededTest&)>& scene, const SeededTest::Setup& setup) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    SeededTest test(seed, setup);
    scene(test);
    test.end();
  }
}

}  // namespace actord::conformance
