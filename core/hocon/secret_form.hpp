// SPDX-License-Identifier: Apache-2.0
//
// The ways in which an object says where a secret is kept: { file = PATH } and the like.
//
// Every object, unresolved or not, remembers which one its newest definition names, for objects of
// several layers are merged and a later way replaces an earlier one. Whether the object stands for
// a secret at all follows from its place (secrets.hpp) and its keys (kept_secrets.hpp).
#pragma once

#include <cstdint>
#include <string_view>

namespace actord::hocon {

enum class SecretForm : std::uint8_t {
  none,
  credential,
  file,
  env,
  several,  // of one literal: nobody can tell which is meant
};

constexpr SecretForm secret_form_of(std::string_view key) noexcept {
  if (key == "file") return SecretForm::file;
  if (key == "env") return SecretForm::env;
  return key == "credential" ? SecretForm::credential : SecretForm::none;
}

}  // namespace actord::hocon
