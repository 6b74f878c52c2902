// SPDX-License-Identifier: Apache-2.0
//
// What is said in the laboratory, and what goes wrong in it.
#pragma once

#include <actord/actord.hpp>

namespace lab {

enum class Trouble { arithmetic, null_reference, bad_argument, other };
ACTORD_ENUM(Trouble, arithmetic, null_reference, bad_argument, other)

/// To a child: keep this number.
struct Set {
  std::int64_t value = 0;
};
/// To a child or a supervisor, who answer with a Value.
struct Get {};
/// A child's number, or how many children a supervisor has; and who answers, for a restart makes
/// another instance behind the same address.
struct Value {
  std::int64_t value = 0;
  std::uint64_t instance = 0;
};
/// To a child: get into this trouble.
struct Fail {
  Trouble trouble = Trouble::other;
};
/// To a supervisor, who answers with a ChildBorn.
struct NewChild {
  std::string name;
};
struct ChildBorn {
  actord::Ref child;
};
ACTORD_MESSAGE(Set, "lab.Set/1", value)
ACTORD_MESSAGE(Get, "lab.Get/1")
ACTORD_MESSAGE(Value, "lab.Value/1", value, instance)
ACTORD_MESSAGE(Fail, "lab.Fail/1", trouble)
ACTORD_MESSAGE(NewChild, "lab.NewChild/1", name)
ACTORD_MESSAGE(ChildBorn, "lab.ChildBorn/1", child)

/// The number cannot be computed; the state is as good as before.
struct ArithmeticError : std::domain_error {
  using domain_error::domain_error;
};
/// Something is missing that should be there; who knows what else is.
struct NullReference : actord::Error {
  using Error::Error;
};

}  // namespace lab
