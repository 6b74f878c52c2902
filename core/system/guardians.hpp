// SPDX-License-Identifier: Apache-2.0
//
// The top of the tree. The root judges its guardians: whichever fails is stopped, and with it the
// system (supervision.md 100). On the way down /user goes first, then /system, then /
// (supervision.md 101).
#pragma once

#include <actord/actord.hpp>

namespace actord::system {

class Root : public Actor {
 public:
  static constexpr std::string_view doc = "The root guardian.";
  static Strategy supervision() { return one_for_one().otherwise(Directive::stop); }

  void child_terminated(Context& ctx, Ref child) override {
    if (ctx.path(child) != "/user") return ctx.stop_self();
    for (const Ref other : ctx.children()) ctx.stop(other);
    if (ctx.children().empty()) ctx.stop_self();
  }

  using Receive = Handlers<>;
};

/// /user and /system. Neither understands a message; what is sent to them is unhandled
/// (supervision.md 105).
class Guardian : public Actor {
 public:
  static constexpr std::string_view doc = "A top-level guardian.";
  void pre_restart(Context&, const Failure&) override {
  }  // its children are kept (supervision.md 103)

  using Receive = Handlers<>;
};

/// A level of supervision without a line of C++: it owns its configured children and a strategy.
class Supervisor : public Actor {
 public:
  static constexpr std::string_view doc =
      "Owns the children that the configuration gives it and judges their failures.";

  using Receive = Handlers<>;
};

}  // namespace actord::system
