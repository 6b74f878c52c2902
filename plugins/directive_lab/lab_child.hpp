// SPDX-License-Identifier: Apache-2.0
//
// The child of the trials: it keeps a number, and fails on a message Fail.
#pragma once

#include "lab_messages.hpp"

namespace lab {

class Child : public actord::Actor {
 public:
  static constexpr std::string_view doc = "Keeps a number; fails as a lab.Fail/1 says.";

  explicit Child(actord::Context& ctx) : instance_(ctx.random()) {}

  void set(const Set& message) { value_ = message.value; }
  Value get(const Get&) { return {value_, instance_}; }
  void fail(const Fail& message) {
    switch (message.trouble) {
      case Trouble::arithmetic: throw ArithmeticError("division by zero");
      case Trouble::null_reference: throw NullReference("nothing there");
      case Trouble::bad_argument: throw std::invalid_argument("no such thing");
      case Trouble::other: throw std::runtime_error("crash");
    }
  }
  using Receive = actord::Handlers<&Child::set, &Child::get, &Child::fail>;

 private:
  std::int64_t value_ = 0;
  const std::uint64_t instance_;
};

}  // namespace lab
