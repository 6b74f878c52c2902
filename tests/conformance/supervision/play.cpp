// SPDX-License-Identifier: Apache-2.0
#include "play.hpp"

#include <algorithm>

namespace actord::conformance {

namespace {

std::string last_segment(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

// ---- the puppet ---------------------------------------------------------------------------------

Puppet::Puppet(Context& ctx, Play* play, const Part& part)
    : play_(*play),
      part_(part),
      name_(last_segment(ctx.path(ctx.self()))),
      number_(play->next_number(name_)) {
  play_.enter(ctx.self(), name_);
  record("new " + std::to_string(number_));
  if (part_.construct) part_.construct(*this, ctx);
  ++play_.living;  // a constructor that throws has no destructor
}

Puppet::~Puppet() { --play_.living; }

void Puppet::record(std::string what) { play_.record(name_, std::move(what)); }

void Puppet::pre_start(Context& ctx) {
  record("pre_start " + std::to_string(number_));
  if (part_.pre_start) part_.pre_start(*this, ctx);
}

void Puppet::post_stop(Context& ctx) {
  record("post_stop " + std::to_string(number_));
  if (part_.post_stop) part_.post_stop(*this, ctx);
}

void Puppet::pre_restart(Context& ctx, const Failure& reason) {
  record("pre_restart " + std::to_string(number_));
  if (part_.pre_restart) part_.pre_restart(*this, ctx, reason);
  else if (!part_.keeps_children) Actor::pre_restart(ctx, reason);
}

void Puppet::post_restart(Context& ctx, const Failure& reason) {
  record("post_restart " + std::to_string(number_));
  if (part_.post_restart) part_.post_restart(*this, ctx, reason);
  else Actor::post_restart(ctx, reason);
}

Directive Puppet::decide(Context& ctx, const Failure& failure) {
  return part_.decide ? part_.decide(*this, ctx, failure) : Directive::undecided;
}

void Puppet::child_terminated(Context& ctx, Ref child) {
  if (part_.child_terminated) part_.child_terminated(*this, ctx, child);
}

void Puppet::act(Context& ctx, const Act& order) { play_.act(order.number, *this, ctx); }

void Puppet::note(const Note& note) { record("got " + std::to_string(note.n)); }

void Puppet::question(Context& ctx, const Question& question) {
  if (part_.question) part_.question(*this, ctx, question);
  else ctx.reply(Answer{question.n});
}

void Puppet::answer(const Answer& answer) { record("answer " + std::to_string(answer.n)); }

void Puppet::terminated(Context& ctx, const Terminated& notice) {
  record("terminated " + play_.name_of(notice.who) +
         (notice.existence_confirmed ? " confirmed " : " unconfirmed ") + notice.reason);
  if (part_.terminated) part_.terminated(*this, ctx, notice);
}

void Puppet::receive_timeout(const ReceiveTimeout& timeout) {
  record("silence " + std::to_string(timeout.after / 1ms) + " ms");
}

void Puppet::murmur(const Murmur& /*murmur*/) { record("murmur"); }

void Puppet::asked(Context& /*ctx*/, const Reply<Answer>& reply) {
  if (reply) record("reply " + std::to_string(reply->n));
  else
    record("refused " + std::string{reply.failure().type()} + ": " +
           std::string{reply.failure().what()});
}

void Puppet::set_aside(Context& ctx, const Note& /*note*/) { ctx.stash(); }

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

// ---- the play -----------------------------------------------------------------------------------

Play::Play(std::uint64_t seed, const Setup& setup)
    : world([&] {
        testkit::World::Options options = setup.options;
        options.seed = seed;
        return options;
      }()) {
  world.use(
      *plugin_table<Behaviours<Puppet>, Messages<Act, Note, Question, Answer, Letter, Murmur>>(
          "play", "1"));
  if (setup.before_start) setup.before_start(*this);
  world.start(user, rules);
}

void Play::end() {
  CHECK(world.shut_down());
  const actor::Fates fates = world.system().fates();
  CHECK(fates.sent == fates.ended());
  CHECK(world.system().blocks_in_use() == 0);
  CHECK(world.simulator().timers().size() == 0);
  CHECK(living == 0);
  for (const auto& [ref, name] : names_) CHECK_FALSE(world.is_alive(ref));
}

void Play::queue(Ref whom, Part::Does what) {
  acts_.push_back(std::move(what));
  world.tell(whom.value, Act{acts_.size() - 1});
}

void Play::perform(Ref whom, Part::Does what) {
  queue(whom, std::move(what));
  world.run();
}

const std::vector<DeadLetter>& Play::read_dead_letters() {
  world.spawn<Reader>("reader", &dead_letters);
  return dead_letters;
}

std::string Play::life_of(std::string_view name) const {
  std::string life;
  for (const auto& [who, what] : record_) {
    if (who == name) life += (life.empty() ? "" : ", ") + what;
  }
  return life;
}

int Play::count(std::string_view entry) const {
  return static_cast<int>(std::ranges::count_if(
      record_, [&](const auto& each) { return each.first + ' ' + each.second == entry; }));
}

bool Play::came_in_order(std::initializer_list<std::string_view> entries) const {
  auto at = record_.begin();
  for (const std::string_view entry : entries) {
    at = std::find_if(at, record_.end(),
                      [&](const auto& each) { return each.first + ' ' + each.second == entry; });
    if (at == record_.end()) return false;
    ++at;
  }
  return true;
}

std::optional<int> Play::value(Ref whom) {
  auto answered = std::make_shared<std::optional<int>>();
  perform(whom, [answered](Puppet& puppet, Context&) { *answered = puppet.value; });
  return *answered;
}

bool Play::step_until(const std::function<bool()>& holds) {
  while (!holds()) {
    if (!world.step()) return false;
  }
  return true;
}

std::string Play::name_of(Ref ref) const {
  const auto found = names_.find(ref.value);
  return found == names_.end() ? "nobody" : found->second;
}

void under_seeds(const std::function<void(Play&)>& scene, const Play::Setup& setup) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    Play play(seed, setup);
    scene(play);
    play.end();
  }
}

}  // namespace actord::conformance
