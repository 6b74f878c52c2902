// SPDX-License-Identifier: Apache-2.0
//
// actorctl in the process of the test: words go in, texts and an exit status come out.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "ctl/command.hpp"

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
  ConfigFolder() {
    std::string name = std::filesystem::temp_directory_path() / "actord-ctl-XXXXXX";
    path_ = ::mkdtemp(name.data());
  }
  ~ConfigFolder() { std::filesystem::remove_all(path_); }

  /// The path of a new file. The file sets actord.state-dir, so that no test depends on its user.
  std::string write(const std::string& name, const std::string& text) const {
    const std::string file = path_ + '/' + name;
    std::ofstream(file) << text << "\nactord.state-dir = \"" << path_ << "/state\"\n";
    return file;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace actord::ctl
