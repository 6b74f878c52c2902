// SPDX-License-Identifier: Apache-2.0
//
// The three ways in which an object names a kept secret: { file = PATH } and the like.
//
// Every object, unresolved or resolved, stores the form that its newest definition names, because
// objects of several layers are merged, and a later form replaces an earlier one. The object's
// place (secrets.hpp) and keys (kept_secrets.hpp) decide whether it names a secret at all.
#pragma once

#include <cstdint>
#include <string_view>

namespace actord::hocon {

enum class SecretForm : std::uint8_t {
  none,
  credential,
  file,
  env,
  several,  // in one literal, so that none of them counts
};

constexpr SecretForm secret_form_of(std::string_view key) noexcept {
  if (key == "file") return SecretForm::file;
  if (key == "env") return SecretForm::env;
  return key == "credential" ? SecretForm::credential : SecretForm::none;
}

}  // namespace actord::hocon
