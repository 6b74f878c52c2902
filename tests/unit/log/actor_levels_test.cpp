// SPDX-License-Identifier: Apache-2.0
#include "log/actor_levels.hpp"

#include <doctest/doctest.h>

#include "log/hub.hpp"

namespace actord::log {

TEST_SUITE_BEGIN("log/actor_levels");

namespace {

/// The texts of the records that have come out since the last call.
std::vector<std::string> texts(Hub& hub) {
  std::vector<std::string> all;
  hub.drain_all([&](const Record& record) { all.emplace_back(record.msg); });
  return all;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("the longest path at or above an actor's own decides") {
  ActorLevels levels;
  CHECK(levels.level_at("/user/a", Level::info) == Level::info);
  levels.set("/user", Level::error);
  levels.set("/user/a/b", Level::debug);
  CHECK(levels.level_at("/user/a", Level::info) == Level::error);
  CHECK(levels.level_at("/user/a/b", Level::info) == Level::debug);
  CHECK(levels.level_at("/user/a/b/c", Level::info) == Level::debug);
  CHECK(levels.level_at("/user/a/bc", Level::info) == Level::error);
  CHECK(levels.level_at("/system/log", Level::info) == Level::info);
  CHECK(levels.widest(Level::info) == Level::debug);
  levels.set("/user/a/b", Level::warning);
  CHECK(levels.widest(Level::info) == Level::info);
  CHECK(levels.remove("/user/a/b"));
  CHECK_FALSE(levels.remove("/user/a/b"));
  CHECK(levels.all().size() == 1);
}

TEST_CASE("a level of one actor lets its lines through, and only its") {
  Hub hub([] { return std::int64_t{0}; });
  Emitter& emitter = hub.shared();
  const auto emit = [&](Level level, std::string_view path, std::string_view text) {
    emitter.emit(level, "test.event", text, {{"actor.path", path}});
  };
  emit(Level::debug, "/user/a", "before");
  hub.set_actor_level("/user/a", Level::debug);
  hub.set_actor_level("/user/quiet", Level::error);
  emit(Level::debug, "/user/a", "a");
  emit(Level::debug, "/user/a/b", "below a");
  emit(Level::debug, "/user/b", "b");
  emit(Level::info, "/user/b", "b, as always");
  emit(Level::warning, "/user/quiet", "quiet");
  emitter.emit(Level::debug, "test.event", "of no actor");
  emitter.audit(Level::info, "admin.command", "audit", {{"actor.path", "/user/quiet"}});
  CHECK(texts(hub) == Texts{"a", "below a", "b, as always", "audit"});
  CHECK(hub.level() == Level::info);
  CHECK(hub.reset_actor_level("/user/a"));
  emit(Level::debug, "/user/a", "after");
  hub.set_level(Level::debug);
  emit(Level::debug, "/user/b", "the whole log");
  emit(Level::warning, "/user/quiet", "still quiet");
  CHECK(texts(hub) == Texts{"the whole log"});
}

}  // namespace actord::log
