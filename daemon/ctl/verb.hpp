// SPDX-License-Identifier: Apache-2.0
//
// A verb of actorctl as data, from which its command line, help and completion are generated.
//
// Not here: the list of verbs (verbs.hpp), and reading a command line (verb_line.hpp).
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace actord::ctl {

class OutputTerminal;

/// Exit statuses of actorctl. They follow sysexits(3) where it defines one, as those of actord do.
enum class Exit : std::uint8_t {
  ok = 0,
  differs = 1,       // there is a difference; the key is unknown; an actor has failed an ask
  degraded = 2,      // an actor is down, or the daemon is stopping: actorctl status
  down = 3,          // no daemon answers: actorctl status
  usage = 64,        // the command line is invalid
  refused = 65,      // a plugin's file cannot be loaded
  missing = 66,      // a file does not exist
  unreachable = 69,  // no daemon answers
  internal = 70,
  operating_system = 71,
  busy = 75,           // the daemon is busy, or did not answer in time
  not_permitted = 77,  // a file or the daemon's socket may not be used
  config_wrong = 78,
};

/// What an argument may be: for completion, and for checking words.
enum class Takes : std::uint8_t {
  nothing,
  text,
  file,
  folder,
  socket,
  key,          // of the configuration, or the path of an actor
  actor,        // the path of a configured actor
  running,      // the path of a running actor
  failure,      // the id of a failure
  letter,       // the id of a dead letter
  quarantined,  // the id of a message in the quarantine
  crash,        // the id of a crash of actord
  stored,       // a persistence id of the journal
  plugin,       // the name of a plugin that the daemon knows
  message,      // the type of a message that the actor before it takes
  assignment,   // KEY=VALUE
  words
};

struct Option {
  std::string_view name;           // long, without the hyphens
  char letter = '\0';              // 0: there is no short form
  Takes takes = Takes::nothing;    // Takes::nothing: a flag
  std::string_view argument = {};  // "FILE", for help
  std::string_view help = {};
  std::vector<std::string_view> words = {};  // with Takes::words: the only values allowed
  bool repeats = false;
};

/// An argument without a hyphen.
struct Operand {
  std::string_view name;  // "FILE"
  Takes takes = Takes::text;
  std::vector<std::string_view> words = {};
  bool is_needed = true;
  bool repeats = false;  // only of the last operand
};

/// A parsed command line of one verb, and its output streams.
struct Call {
  std::map<std::string, std::vector<std::string>, std::less<>> options;  // flags have no values
  std::vector<std::string> operands;
  std::ostream& out;
  std::ostream& err;
  OutputTerminal* terminal = nullptr;  // that `out` writes to; null: it is no terminal

  bool has(std::string_view option) const { return options.find(option) != options.end(); }
  /// The last value; `otherwise` if the option is not given.
  std::string value(std::string_view option, std::string_view otherwise = {}) const;
  std::vector<std::string> values(std::string_view option) const;
  /// Whether the output is JSON.
  bool is_json() const { return value("output", "text") == "json"; }
  /// Whether the output is names only, one on each line.
  bool is_names() const { return value("output", "text") == "name"; }
  /// Whether the output is a table, and whether that has all columns.
  bool is_table() const { return value("output", "text") == "table" || is_wide(); }
  bool is_wide() const { return value("output", "text") == "wide"; }
};

struct Verb {
  std::string_view group;  // "config", or empty
  std::string_view name;
  std::string_view summary;      // starts in lower case, without a full stop
  std::string_view description;  // paragraphs of lines of at most 78 columns
  std::vector<Operand> operands;
  std::vector<Option> options;
  Exit (*run)(const Call&);

  std::string full_name() const;  // "config check"
};

}  // namespace actord::ctl
