// SPDX-License-Identifier: Apache-2.0
//
// A verb of actorctl as data: what its command line, its help, its completion and the manual page
// are made of.
//
// Not here: which verbs there are (verbs.hpp), and how a command line is read (verb_line.hpp).
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace actord::ctl {

/// How actorctl ends: sysexits(3) where it has a word for it, as actord does.
enum class Exit : std::uint8_t {
  ok = 0,
  differs = 1,       // there is a difference; the key is unknown
  usage = 64,        // a command line that is not understood
  missing = 66,      // a file that does not exist
  unreachable = 69,  // no daemon answers
  internal = 70,
  operating_system = 71,
  busy = 75,           // the daemon has other things to do, or did not answer in time
  not_permitted = 77,  // a file, or the daemon's socket
  config_wrong = 78,
};

/// What may stand in a place of the command line: for completion, and for the words that are
/// checked.
enum class Takes : std::uint8_t { nothing, text, file, folder, socket, key, words };

struct Option {
  std::string_view name;           // long, without the hyphens
  char letter = '\0';              // 0: there is no short form
  Takes takes = Takes::nothing;    // nothing: a flag
  std::string_view argument = {};  // "FILE", for help
  std::string_view help = {};
  std::vector<std::string_view> words = {};  // with Takes::words, the only ones
  bool repeats = false;
};

/// What stands without a hyphen.
struct Operand {
  std::string_view name;  // "FILE"
  Takes takes = Takes::text;
  std::vector<std::string_view> words = {};
  bool is_needed = true;
  bool repeats = false;  // the last one only
};

/// A command line of one verb, read, and where its words go.
struct Call {
  std::map<std::string, std::vector<std::string>, std::less<>> options;  // flags have no values
  std::vector<std::string> operands;
  std::ostream& out;
  std::ostream& err;

  bool has(std::string_view option) const { return options.find(option) != options.end(); }
  /// The last value; `otherwise` when the option is not given.
  std::string value(std::string_view option, std::string_view otherwise = {}) const;
  std::vector<std::string> values(std::string_view option) const;
  /// Whether a machine reads the answer.
  bool is_json() const { return value("output", "text") == "json"; }
};

struct Verb {
  std::string_view group;  // "config", or empty
  std::string_view name;
  std::string_view summary;      // begins small, no full stop
  std::string_view description;  // paragraphs, lines of at most 78 columns
  std::vector<Operand> operands;
  std::vector<Option> options;
  Exit (*run)(const Call&);

  std::string full_name() const;  // "config check"
};

}  // namespace actord::ctl
