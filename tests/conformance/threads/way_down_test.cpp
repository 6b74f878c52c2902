// SPDX-License-Identifier: Apache-2.0
//
// An actor that cannot be stopped: item 138.
#include "crew.hpp"

namespace actord::conformance {

namespace {

/// Signals its end, whatever it did before.
class Mortal : public Actor {
 public:
  explicit Mortal(support::Latch* gone) : gone_(*gone) {}
  void post_stop(Context& /*ctx*/) override { gone_.count_down(); }
  using Receive = Handlers<>;

 private:
  support::Latch& gone_;
};

struct Doors {
  support::Latch entered{1}, released{1}, sibling_gone{1}, parent_gone{1}, bystander_gone{1};
  std::atomic<bool> is_child_gone{false}, is_parent_gone{false};
};

class Stuck : public Actor {
 public:
  explicit Stuck(Doors* doors) : doors_(*doors) {}
  void hang(const Go& /*go*/) {
    doors_.entered.count_down();
    doors_.released.wait("the release");
  }
  void post_stop(Context& /*ctx*/) override {
    CHECK_FALSE(doors_.is_parent_gone.load());
    doors_.is_child_gone = true;
  }
  using Receive = Handlers<&Stuck::hang>;

 private:
  Doors& doors_;
};

class Parent : public Actor {
 public:
  explicit Parent(Doors* doors) : doors_(*doors) {}
  void begin(Context& ctx, const Go& go) {
    ctx.spawn<Mortal>("sibling", &doors_.sibling_gone);
    ctx.tell(ctx.spawn<Stuck>("stuck", &doors_), go);
  }
  void post_stop(Context& /*ctx*/) override {
    CHECK(doors_.is_child_gone.load());
    doors_.is_parent_gone = true;
    doors_.parent_gone.count_down();
  }
  using Receive = Handlers<&Parent::begin>;

 private:
  Doors& doors_;
};

}  // namespace

TEST_CASE("138 on real workers: a handler that does not return keeps all above it from their end") {
  Doors doors;
  Crew crew;
  crew.spawn<Mortal>("bystander", &doors.bystander_gone);
  const actor::Ref parent = crew.spawn<Parent>("parent", &doors);
  crew.tell(parent, Go{});
  doors.entered.wait("the message to the stuck actor");
  crew.stop(parent);
  doors.sibling_gone.wait("the end of the sibling");
  CHECK_FALSE(doors.is_parent_gone.load());
  CHECK(crew.system().find("/user/parent") == parent);
  crew.terminate();
  doors.bystander_gone.wait("the end of the bystander");
  CHECK_FALSE(doors.is_child_gone.load());
  CHECK_FALSE(doors.is_parent_gone.load());
  CHECK_FALSE(crew.has_stopped());
  doors.released.count_down();
  doors.parent_gone.wait("the end of the parent");
  crew.end();
}

}  // namespace actord::conformance
