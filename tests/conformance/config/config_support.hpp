// SPDX-License-Identifier: Apache-2.0
//
// A SeededTest that takes /user, strategies and deployments from a configuration text. Its actors
// are scripted.
#pragma once

#include <functional>
#include <string>

#include "conformance/supervision/seeded_test.hpp"
#include "unit/settings/settings_text.hpp"

namespace actord::conformance {

/// A configurator with a decider in code: Stopping stops, other causes follow its strategy.
class Strict {
 public:
  static Strategy supervision() {
    return one_for_one({.max_restarts = 2}).otherwise(Directive::restart);
  }
  static Directive decide(const Failure& failure) {
    return failure.is<Stopping>() ? Directive::stop : Directive::undecided;
  }
};

/// Runs the case in systems of several seeds that are configured by the text. The behaviours are
/// "stage/ScriptedActor" and "stage/Judge", which decides each cause as its name says; the
/// configurator is "stage/Strict".
void under_config(const std::string& text, const std::function<void(SeededTest&)>& scene,
                  const std::function<Scripts()>& scripts = {});

/// Whether a reload also starts actors that have ended in peace.
enum class Force : bool { no, yes };
/// Replaces the current configuration by another text and runs the world. Returns true if every
/// actor has taken it over.
bool reload(SeededTest& test, const std::string& text, Force force = Force::no);

/// The errors of binding the text to those behaviours; empty if there are none.
std::string faults_of(const std::string& text);

/// The node of an actor with the behaviour "stage/ScriptedActor" and the keys of `rest`.
inline std::string actor(const std::string& name, const std::string& rest = "") {
  return name + " { behaviour = \"stage/ScriptedActor\"\n" + rest + "\n}\n";
}

}  // namespace actord::conformance
