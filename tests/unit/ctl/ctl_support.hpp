// SPDX-License-Identifier: Apache-2.0
//
// actorctl in the process of the test: words go in, texts and an exit status come out.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "ctl/command.hpp"
#include "support/scratch_folder.hpp"

namespace actord::ctl {

struct Ran {
  int exit = 0;
  std::string out, err;
};

inline Ran run(std::vector<std::string> words) {
  words.insert(words.begin(), "actorctl");
  std::ostringstream out;
  std::ostringstream err;
  const Exit exit = run_command(words, out, err);
  return {static_cast<int>(exit), out.str(), err.str()};
}

/// A folder with configurations, removed at the end of the test.
class ConfigFolder {
 public:
  /// The path of a new file. The file sets actord.state-dir, so that no test depends on its user.
  std::string write(const std::string& name, const std::string& text) const {
    return folder_.write(name, text + "\nactord.state-dir = \"" + at("state") + "\"\n");
  }
  std::string at(const std::string& name) const { return folder_.at(name); }

 private:
  support::ScratchFolder folder_;
};

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace actord::ctl
