// SPDX-License-Identifier: Apache-2.0
//
// Two supervisors with the same strategy, which has a directive for each failure of the child. They
// differ in what happens to their children when they are restarted themselves.
#pragma once

#include "lab_child.hpp"

namespace lab {

/// Stops its children when it is restarted, which is the default.
class Supervisor : public actord::Actor {
 public:
  static constexpr std::string_view doc = "Supervises its children; its restart stops them.";

  static actord::Strategy supervision() {
    using actord::Directive;
    return actord::one_for_one({.max_restarts = 10, .within = std::chrono::minutes{1}})
        .on<std::domain_error>(Directive::resume)  // and types derived from it
        .on<NullReference>(Directive::restart)
        .on<std::invalid_argument>(Directive::stop)
        .otherwise(Directive::escalate);
  }

  explicit Supervisor(actord::Context& ctx) : instance_(ctx.random()) {}

  ChildBorn create_child(actord::Context& ctx, const NewChild& message) {
    return {ctx.spawn<Child>(message.name)};
  }
  Value get(actord::Context& ctx, const Get&) {
    return {static_cast<std::int64_t>(ctx.children().size()), instance_};
  }
  using Receive = actord::Handlers<&Supervisor::create_child, &Supervisor::get>;

 private:
  const std::uint64_t instance_;
};

/// Keeps its children when it is restarted: they are restarted as well, and keep their addresses.
class KeepingSupervisor : public Supervisor {
 public:
  static constexpr std::string_view doc = "Supervises its children; its restart keeps them.";

  using Supervisor::Supervisor;

 private:
  void pre_restart(actord::Context&, const actord::Failure&) override {}
};

}  // namespace lab
