// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <ostream>
#include <thread>

#include "base/counted.hpp"
#include "ctl/actor_order.hpp"
#include "ctl/daemon_client.hpp"
#include "ctl/json_members.hpp"
#include "ctl/json_output.hpp"
#include "ctl/verb_failure.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using wire::Json;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::milliseconds interval{200};  // between two looks

std::optional<Json> ask(const Call& call, bool is_on, Exit& exit) {
  static const AnswerShape shape = {{"draining", MemberShape::Form::flag, {}, true},
                                    {"waiting", MemberShape::Form::number, {}, true}};
  Json arguments = {{"on", is_on}};
  if (call.has("reason")) arguments["reason"] = call.value("reason");
  return ask_daemon(call, "daemon.drain", std::move(arguments), shape, exit);
}

Exit drain(const Call& call) {
  Exit exit = Exit::ok;
  const bool is_on = !call.has("end");
  const auto until = Clock::now() + timeout_of_daemon(call);
  auto state = ask(call, is_on, exit);
  if (!state) return exit;
  while (is_on && !call.has("no-wait") && number_at(*state, "waiting") != 0) {
    if (Clock::now() >= until)
      return report_failure(
          call, {Exit::busy,
                 "messages still wait for " + base::counted(number_at(*state, "waiting"), "actor") +
                     "; actord is draining",
                 "actorctl top --sort mailbox shows which; --timeout DURATION waits longer"});
    std::this_thread::sleep_for(interval);
    static const AnswerShape shape = {{"waiting", MemberShape::Form::number, {}, true}};
    state = ask_daemon(call, "daemon.load", Json::object(), shape, exit);
    if (!state) return exit;
  }
  if (call.is_json()) {
    (*state)["draining"] = is_on;
    print_json(call.out, *state);
  } else if (!is_on) {
    call.out << "actord is not draining: /readyz is as the actors are\n";
  } else {
    call.out << "actord is draining: /readyz answers 503, and ";
    if (const std::uint64_t waiting = number_at(*state, "waiting"); waiting != 0)
      call.out << "messages wait for " << base::counted(waiting, "actor") << '\n';
    else call.out << "no messages wait\n";
  }
  return exit;
}

}  // namespace

Verb drain_verb() {
  Verb verb{
      .group = {},
      .name = "drain",
      .summary = "have no more work sent here, and wait until what there is is done",
      .description =
          "Before maintenance: /readyz of actord.http.listen answers 503, so that a balancer "
          "sends\n"
          "no more work; then waits until no messages wait for any actor, for --timeout at most.\n"
          "Everything else goes on as before, and what comes all the same is handled. --end takes\n"
          "it back. `systemctl stop actord` then ends actord.\n"
          "\n"
          "  actorctl drain --timeout 5m --reason 'new kernel'\n"
          "  actorctl drain --end",
      .operands = {},
      .options = {{.name = "end", .help = "drain no more"},
                  {.name = "no-wait", .help = "do not wait until no messages wait"},
                  reason_option()},
      .run = &drain};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
