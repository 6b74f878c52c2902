// SPDX-License-Identifier: Apache-2.0
//
// SeededTest whose /user, strategies and deployments a configuration text gives, with puppets for
// actors.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "conformance/supervision/seeded_test.hpp"
#include "unit/settings/settings_text.hpp"

namespace actord::conformance {

/// A configurator with a decider in code: what is named Stopping stops, the rest as its strategy.
class Strict {
 public:
  static Strategy supervision() {
    return one_for_one({.max_restarts = 2}).otherwise(Directive::restart);
  }
  static Directive decide(const Failure& failure) {
    return failure.is<Stopping>() ? Directive::stop : Directive::undecided;
  }
};

/// The parts of the actors by their names; one that is not there plays none.
using Parts = std::map<std::string, Script>;

/// Runs the scene in systems of several seeds that begin as the text says. The behaviours are
/// "stage/ScriptedActor" and "stage/Judge", which decides each cause as it is named; the
/// configurator is "stage/Strict".
void under_config(const std::string& text, const std::function<void(SeededTest&)>& scene,
                  const std::function<Parts()>& parts = {});

/// Another text in the place of the one that holds; runs the world. True: every actor has taken it
/// over.
bool reload(SeededTest& test, const std::string& text);

/// What binding the text to those actors finds wrong; empty if nothing is.
std::string faults_of(const std::string& text);

/// With a rule for each of the named causes, restarts and nothing else said.
inline std::string actor(const std::string& name, const std::string& rest = "") {
  return name + " { behaviour = \"stage/ScriptedActor\"\n" + rest + "\n}\n";
}

}  // namespace actord::conformance
