// SPDX-License-Identifier: Apache-2.0
//
// The messages of the laboratory, and two exceptions.
#pragma once

#include <actord/actord.hpp>

namespace lab {

/// The ways in which a child fails; Child::fail() has the exception for each.
enum class Trouble { arithmetic, null_reference, bad_argument, other };
ACTORD_ENUM(Trouble, arithmetic, null_reference, bad_argument, other)

/// To a child: keep this number.
struct Set {
  std::int64_t value = 0;
};
/// To a child or a supervisor: answered with a Value.
struct Get {};
/// The number of a child, or how many children a supervisor has. `instance` is a random number of
/// the instance that answers: after a restart it is another one.
struct Value {
  std::int64_t value = 0;
  std::uint64_t instance = 0;
};
/// To a child: fail in this way.
struct Fail {
  Trouble trouble = Trouble::other;
};
/// To a supervisor: create a child of this name. Answered with a ChildBorn.
struct NewChild {
  std::string name;
};
/// The answer to NewChild.
struct ChildBorn {
  actord::Ref child;
};
ACTORD_MESSAGE(Set, "lab.Set/1", value)
ACTORD_MESSAGE(Get, "lab.Get/1")
ACTORD_MESSAGE(Value, "lab.Value/1", value, instance)
ACTORD_MESSAGE(Fail, "lab.Fail/1", trouble)
ACTORD_MESSAGE(NewChild, "lab.NewChild/1", name)
ACTORD_MESSAGE(ChildBorn, "lab.ChildBorn/1", child)

/// A calculation failed; the state of the child is still good.
struct ArithmeticError : std::domain_error {
  using domain_error::domain_error;
};
/// A pointer is null that should not be; the state of the child may be damaged.
struct NullReference : actord::Error {
  using Error::Error;
};

}  // namespace lab
