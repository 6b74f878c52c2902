// SPDX-License-Identifier: Apache-2.0
#include "ctl/help.hpp"

#include <algorithm>

#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

constexpr std::size_t column = 28;  // where explanations begin

constexpr std::string_view exit_statuses = R"(
Exit status:
   0  done, and no errors
   1  the configurations differ, or the key is unknown; an actor has answered with a
      failure, or not in time; something in the journal is damaged
   2  status: an actor is down or waits for its restart, or actord is stopping;
      status and journal status: the journal is full or has failed
   3  status: no daemon answers
  64  the command line is wrong
  65  a plugin file is refused
  66  a file does not exist
  69  no daemon answers, or its answer is not understood
  70  an internal error
  71  the operating system refused a resource
  75  the daemon is busy or did not answer in time, or an actor could not be created or did not
      apply a reload
  77  no permission for a file or for the daemon's socket
  78  the configuration has errors: each message has file, line and column
)";

std::string padded(std::string text) {
  if (text.size() + 2 > column) return text + '\n' + std::string(column, ' ');
  text.resize(column, ' ');
  return text;
}

/// Indents all lines after the first to the column of explanations.
std::string indented(std::string_view text) {
  std::string out;
  for (const char character : text) {
    out.push_back(character);
    if (character == '\n') out.append(column, ' ');
  }
  return out + '\n';
}

std::string line_of(const Option& option) {
  std::string names =
      option.letter != '\0' ? std::string("  -") + option.letter + ", --" : "      --";
  names.append(option.name);
  if (option.takes != Takes::nothing) names.append(" ").append(option.argument);
  return padded(std::move(names)) + indented(option.help);
}

std::string list_of_verbs(std::string_view group) {
  std::string out;
  for (const Verb& verb : verbs()) {
    if (verb.group == group) out += padded("  " + verb.full_name()) + indented(verb.summary);
  }
  return out;
}

}  // namespace

std::string usage_of(const Verb& verb) {
  std::string usage = "actorctl " + verb.full_name() + " [OPTION...]";
  for (const Operand& operand : verb.operands) {
    std::string name{operand.name};
    if (operand.repeats) name += "...";
    usage += operand.is_needed ? ' ' + name : " [" + name + ']';
  }
  return usage;
}

std::string help_text() {
  std::string out =
      "Usage: actorctl VERB [OPTION...]\n"
      "\n"
      "Checks and explains configurations of actord, and controls a running daemon.\n"
      "\n";
  for (const VerbGroup& group : verb_groups()) {
    out += std::string{group.name} + ": " + std::string{group.summary} + '\n';
    out += list_of_verbs(group.name) + '\n';
  }
  out += list_of_verbs({});
  out += padded("  help [VERB]") +
         "print the help of a verb\n"
         "\n";
  out += padded("  -V, --version") + "print the version\n" + padded("  -h, --help") +
         "print this text; after a verb, print the help of the verb\n";
  out += exit_statuses;
  return out;
}

std::string help_of_group(std::string_view group) {
  std::string out = "Usage: actorctl " + std::string{group} + " VERB [OPTION...]\n\n";
  out += list_of_verbs(group);
  return out + "\nactorctl " + std::string{group} + " VERB --help prints the help of a verb.\n";
}

std::string help_of(const Verb& verb) {
  std::string out = "Usage: " + usage_of(verb) + "\n\n" + std::string{verb.description} + "\n\n";
  for (const Option& option : verb.options) out += line_of(option);
  return out + padded("  -h, --help") + "print this text\n";
}

std::string version_text() { return "actorctl " ACTORD_VERSION "\n"; }

}  // namespace actord::ctl
