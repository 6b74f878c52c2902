// SPDX-License-Identifier: Apache-2.0
//
// Calls the function validate() of behaviours, and collects what they reject.
#pragma once

#include <actord/plugin.h>

#include <string>
#include <vector>

#include "hocon/tree.hpp"
#include "sdk/config_value.hpp"

namespace actord::loader {

struct Rejection {
  hocon::Value value;  // absent: the config as a whole
  std::string reason;
};

/// For the configs of one tree, in which every ref leads to an actor that takes nothing. Threads:
/// one. The object must not move.
class ConfigValidator {
 public:
  explicit ConfigValidator(hocon::Tree tree);

  /// `config` belongs to the tree or is absent. Runs the plugin's code.
  std::vector<Rejection> validate(const actord_behaviour& behaviour, const hocon::Value& config);

 private:
  std::vector<Rejection> rejected_;  // by the call that runs
  sdk::ConfigReader reader_;
};

}  // namespace actord::loader
