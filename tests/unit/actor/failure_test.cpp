// SPDX-License-Identifier: Apache-2.0
//
// How a reported failure is copied into the core: its chain of types, its text, its causes.
#include "actor/failure.hpp"

#include <actord/builtin_causes.hpp>
#include <actord/type_chain.hpp>

#include <doctest/doctest.h>

#include <deque>
#include <string>
#include <vector>

namespace actord::actor {

TEST_SUITE_BEGIN("actor/failure");

namespace {

struct Desk {
  TypeChains chains;
  message::TypeRegistry types;
  FailureRecorder recorder{chains, types};

  FailurePtr report(std::span<const actord_str> names, std::string_view what, std::uint32_t flags,
                    const actord_failure* cause = nullptr) {
    actord_failure reported{};
    reported.struct_size = sizeof reported;
    reported.flags = flags;
    reported.types = names.data();
    reported.n_types = static_cast<std::uint32_t>(names.size());
    reported.what = message::to_c(what);
    reported.cause = cause;
    ErrorReceiver errors(recorder);
    errors.report(&errors, &reported);
    return errors.failure;
  }
};

}  // namespace

TEST_CASE("a text is kept whole, whether it lies in place or not") {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, Text::in_place - 1, Text::in_place,
                                 Text::in_place + 1, std::size_t{1000}}) {
    Text text;
    text = std::string(size, 'x');
    CHECK(text.view() == std::string(size, 'x'));
    text = "another";
    CHECK(text.view() == "another");
    text = std::string(size, 'y');
    CHECK(text.view() == std::string(size, 'y'));
  }
}

TEST_CASE("equal names are one chain, wherever they are written") {
  Desk desk;
  static constexpr actord_str here[] = {ACTORD_STR("a::B"), ACTORD_STR("std::exception")};
  static constexpr actord_str there[] = {ACTORD_STR("a::B"), ACTORD_STR("std::exception")};
  const TypeChain* const chain = desk.report(here, "", ACTORD_STATIC_TYPES)->types;
  CHECK(desk.report(here, "", ACTORD_STATIC_TYPES)->types == chain);
  CHECK(desk.report(there, "", ACTORD_STATIC_TYPES)->types == chain);
  CHECK(desk.report(here, "", 0)->types == chain);
  CHECK(&desk.chains.intern({"a::B", "std::exception"}) == chain);
  CHECK(chain->type() == "a::B");
  CHECK(chain->has("std::exception"));
  CHECK_FALSE(chain->has("std::runtime_error"));
}

// More arrays than an intake remembers, so that they displace each other.
TEST_CASE("many types, met again and again, keep their own names") {
  Desk desk;
  constexpr std::size_t n = 100;
  std::deque<std::string> texts;
  std::vector<actord_str> names;
  for (std::size_t i = 0; i < n; ++i) {
    texts.push_back("type" + std::to_string(i));
    names.push_back(message::to_c(texts.back()));
  }
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i < n; ++i)
      CHECK(desk.report({&names[i], 1}, "", ACTORD_STATIC_TYPES)->types->type() == texts[i]);
  }
}

TEST_CASE("names that are not static may change between two reports") {
  Desk desk;
  actord_str names[] = {ACTORD_STR("first")};
  CHECK(desk.report(names, "", 0)->types->type() == "first");
  names[0] = ACTORD_STR("second");
  CHECK(desk.report(names, "", 0)->types->type() == "second");
}

TEST_CASE("a report that promises types which stay and brings none is foreign") {
  message::TypeRegistry types;
  TypeChains chains;
  FailureRecorder recorder(chains, types);
  actord_failure reported{};
  reported.struct_size = sizeof reported;
  reported.flags = ACTORD_STATIC_TYPES;
  const FailurePtr failure = recorder.copy(reported, Payload::copied);
  REQUIRE(failure->types != nullptr);
  CHECK(failure->types->type() == "actord::ForeignException");
}

TEST_CASE("a report without any type is foreign") {
  Desk desk;
  const FailurePtr failure = desk.report({}, "what?", 0);
  CHECK(failure->types->is_foreign);
  CHECK(failure->what.view() == "what?");
}

TEST_CASE("a chain knows what supervision asks of it") {
  const TypeChain plain({"std::runtime_error", "std::exception"});
  CHECK_FALSE(plain.is_foreign);
  CHECK_FALSE(plain.is_initialization_failure);
  CHECK_FALSE(plain.is_kill);
  CHECK_FALSE(plain.is_death_pact);
  Desk desk;
  CHECK(desk.recorder.make(causes::foreign, "")->types->is_foreign);
  CHECK(desk.recorder.make(causes::initialization, "")->types->is_initialization_failure);
  CHECK(desk.recorder.make(causes::post_restart, "")->types->is_initialization_failure);
  CHECK(desk.recorder.make(causes::killed, "")->types->is_kill);
  CHECK(desk.recorder.make(causes::death_pact, "")->types->is_death_pact);
}

template <class Cause>
void check_chain(std::span<const actord_str> names) {
  const auto& expected = actord::detail::chain_of(typeid(Cause)).views;
  CAPTURE(message::view(expected[0]));
  REQUIRE(names.size() == expected.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    CHECK(message::view(names[i]) == message::view(expected[i]));
}

TEST_CASE("the causes that the runtime reports have the bases of their classes") {
  check_chain<actord::detail::FailureRoot>(causes::failure);
  check_chain<actord::Killed>(causes::killed);
  check_chain<actord::DeathPact>(causes::death_pact);
  check_chain<actord::ConfigChanged>(causes::config_changed);
  check_chain<actord::RestartOrdered>(causes::restart_ordered);
  check_chain<actord::ConfigError>(causes::config_error);
  check_chain<actord::AskTimeout>(causes::ask_timeout);
  check_chain<actord::NoRecipient>(causes::no_recipient);
  check_chain<actord::MailboxFull>(causes::mailbox_full);
  check_chain<actord::StashOverflow>(causes::stash_overflow);
  check_chain<actord::LimitReached>(causes::limit_reached);
  check_chain<actord::InitializationFailure>(causes::initialization);
  check_chain<actord::UnlistedMessage>(causes::unlisted_message);
  check_chain<actord::PostRestartFailure>(causes::post_restart);
  check_chain<actord::crash::Signal>(causes::crash_signal);
  check_chain<actord::crash::Exit>(causes::crash_exit);
  check_chain<actord::crash::Hang>(causes::crash_hang);
  check_chain<actord::crash::Protocol>(causes::crash_protocol);
  check_chain<actord::PeerCrash>(causes::peer_crash);
  check_chain<actord::StartTimeout>(causes::start_timeout);
  check_chain<actord::Error>(causes::error);
}

TEST_CASE("a chain shows the same names to C, to the log and to deciders") {
  const TypeChain chain({"a", "b", "c"});
  REQUIRE(chain.views.size() == 3);
  REQUIRE(chain.texts.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(message::view(chain.views[i]) == chain.names[i]);
    CHECK(chain.texts[i] == chain.names[i]);
  }
}

TEST_CASE("the first report is the one that counts, and a cycle of causes ends") {
  Desk desk;
  static constexpr actord_str names[] = {ACTORD_STR("Loop")};
  actord_failure loop{};
  loop.struct_size = sizeof loop;
  loop.types = names;
  loop.n_types = 1;
  loop.cause = &loop;
  ErrorReceiver errors(desk.recorder);
  errors.report(&errors, &loop);
  const FailurePtr first = errors.failure;
  errors.report(&errors, &loop);
  CHECK(errors.failure.get() == first.get());
  int depth = 0;
  for (const Failure* f = first.get(); f->cause; f = f->cause.get()) ++depth;
  CHECK(depth == 16);
  CHECK(first->root_cause().types->type() == "Loop");
}

TEST_SUITE_END();

}  // namespace actord::actor
