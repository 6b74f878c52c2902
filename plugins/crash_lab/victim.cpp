// SPDX-License-Identifier: Apache-2.0
#include "victim.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace crash_lab {

namespace {

// Whether one more death is due. The deaths are counted in a file, a byte for each, because the
// memory of a process that dies does not outlive it.
bool takes_one_of(std::int64_t times, const std::string& file) {
  std::error_code missing;
  const auto deaths = std::filesystem::file_size(file, missing);
  if (!missing && deaths >= static_cast<std::uintmax_t>(times)) return false;
  std::ofstream(file, std::ios::app) << 'x';
  return true;
}

}  // namespace

std::vector<actord::About> Victim::Config::about() {
  return {actord::about(&Config::dies_in)
              .doc("The hook in which the actor dies: constructor, or a function of "
                   "actord::Actor. never: only a crash_lab.Die/1 makes it die."),
          actord::about(&Config::how).doc("How it dies there, as in crash_lab.Die/1."),
          actord::about(&Config::times)
              .between(0, 1'000'000)
              .doc("How often it dies there, counted in the file `deaths`. 0: each time."),
          actord::about(&Config::deaths)
              .doc("A file that gets one byte for each death. To begin again, remove it.")};
}

Victim::Victim(actord::Context& ctx, const Config& config)
    : config_(config), instance_(ctx.random()) {
  if (config_.times > 0 && config_.deaths.empty())
    throw actord::ConfigError("`times` needs `deaths`, the file in which the deaths are counted");
  die_in(Moment::constructor);
}

void Victim::die(const Die& message) {
  if (message.on_own_thread) die_on_own_thread_by(message.how);
  else die_by(message.how);
}

Counted Victim::counted(const GetCount&) const { return {count_, instance_, ::getpid()}; }

ChildBorn Victim::create_child(actord::Context& ctx, const NewChild& message) {
  Config config;
  config.dies_in = message.dies_in;
  config.how = message.how;
  return {ctx.spawn<Victim>(message.name, config)};
}

Called Victim::call(actord::Context& ctx, const Call& message) {
  const bool is_made = breaker_.allows(ctx);
  if (is_made && message.fails) breaker_.failed(ctx);
  else if (is_made) breaker_.succeeded(ctx);
  using State = actord::SharedCircuitBreaker::State;
  return {is_made, breaker_.state(ctx) == State::closed};
}

void Victim::pre_restart(actord::Context& ctx, const actord::Failure& reason) {
  die_in(Moment::pre_restart);
  Actor::pre_restart(ctx, reason);
}

void Victim::post_restart(actord::Context& ctx, const actord::Failure& reason) {
  die_in(Moment::post_restart);
  Actor::post_restart(ctx, reason);
}

actord::Directive Victim::decide(actord::Context&, const actord::Failure&) {
  die_in(Moment::decide);
  return actord::Directive::undecided;
}

void Victim::die_in(Moment moment) const {
  if (config_.dies_in != moment) return;
  if (config_.times > 0 && !takes_one_of(config_.times, config_.deaths)) return;
  die_by(config_.how);
}

}  // namespace crash_lab
