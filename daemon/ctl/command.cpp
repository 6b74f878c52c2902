// SPDX-License-Identifier: Apache-2.0
#include "ctl/command.hpp"

#include <algorithm>
#include <ostream>

#include "base/suggestion.hpp"
#include "ctl/help.hpp"
#include "ctl/output_terminal.hpp"
#include "ctl/printable_stream.hpp"
#include "ctl/verb_line.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

bool is_help(const std::string& word) { return word == "--help" || word == "-h"; }

bool is_group(std::string_view word) {
  const auto& groups = verb_groups();
  return std::any_of(groups.begin(), groups.end(),
                     [&](const VerbGroup& group) { return group.name == word; });
}

const Verb* find_verb(std::string_view group, std::string_view name) {
  for (const Verb& verb : verbs()) {
    if (verb.group == group && verb.name == name) return &verb;
  }
  return nullptr;
}

/// The words that may follow: the verbs of the group; at the top level also the groups and help.
std::vector<std::string_view> names_in(std::string_view group) {
  std::vector<std::string_view> names;
  for (const Verb& verb : verbs()) {
    if (verb.group == group) names.push_back(verb.name);
  }
  if (!group.empty()) return names;
  names.emplace_back("help");
  for (const VerbGroup& each : verb_groups()) names.push_back(each.name);
  return names;
}

Exit unknown(std::string_view group, const std::string& word, std::ostream& err) {
  const std::string command = group.empty() ? "actorctl" : "actorctl " + std::string{group};
  std::string help = base::did_you_mean(base::nearest_of(word, names_in(group)));
  // `actorctl check` probably means `actorctl config check`.
  for (const VerbGroup& other : verb_groups()) {
    if (help.empty() && group.empty() && find_verb(other.name, word) != nullptr)
      help = base::did_you_mean(std::string{other.name} + ' ' + word);
  }
  err << command << ": unknown " << (word.starts_with("-") ? "option " : "verb ") << word << '\n';
  if (!help.empty()) err << "  " << help << '\n';
  err << "  " << command << " --help lists all verbs and options\n";
  return Exit::usage;
}

/// Where verbs print.
struct Output {
  std::ostream& out;
  std::ostream& err;
  OutputTerminal* terminal;
};

Exit run_verb(const Verb& verb, const std::vector<std::string>& words, const Output& to) {
  auto& [out, err, terminal] = to;
  auto call = read_line(verb, words, out, err);
  if (!call) {
    err << call.error().text;
    return Exit::usage;
  }
  if (call->has("help")) {
    out << help_of(verb);
    return Exit::ok;
  }
  call->terminal = terminal;
  const Exit exit = verb.run(*call);
  out.flush();
  return out ? exit : Exit::operating_system;  // the reader is gone, or the disk is full
}

Exit run_group(std::string_view group, const std::vector<std::string>& words, const Output& to) {
  auto& [out, err, terminal] = to;
  if (words.empty()) {
    err << help_of_group(group);
    return Exit::usage;
  }
  if (is_help(words.front()) || words.front() == "help") {
    out << help_of_group(group);
    return Exit::ok;
  }
  const Verb* const verb = find_verb(group, words.front());
  if (verb == nullptr) return unknown(group, words.front(), err);
  return run_verb(*verb, {words.begin() + 1, words.end()}, to);
}

/// The option that `word` names, of any verb: --name, --name=value, -n.
const Option* find_option(const std::string& word) {
  const bool is_long = word.starts_with("--");
  const std::string_view name = std::string_view{word}.substr(is_long ? 2 : 1);
  for (const Verb& verb : verbs()) {
    for (const Option& option : verb.options) {
      const bool is_it = is_long ? name.substr(0, name.find('=')) == option.name
                                 : name.size() == 1 && name[0] == option.letter;
      if (is_it) return &option;
    }
  }
  return nullptr;
}

/// Moves options before the verb behind it: actorctl --socket PATH config reload.
std::vector<std::string> with_options_after_verb(std::vector<std::string> words) {
  std::size_t n = 0;
  while (n < words.size() && words[n].starts_with("-")) {
    const Option* const option = find_option(words[n]);
    if (option == nullptr) break;
    const bool has_value = words[n].find('=') != std::string::npos;
    n += option->takes == Takes::nothing || has_value ? 1 : 2;
  }
  if (n < words.size())
    std::rotate(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(n), words.end());
  return words;
}

/// Turns `help config check` into `config check --help`.
std::vector<std::string> with_help_option(std::vector<std::string> words) {
  words.erase(words.begin());
  words.emplace_back("--help");
  return words;
}

Exit run_words(const std::vector<std::string>& words, const Output& to) {
  auto& [out, err, terminal] = to;
  std::vector<std::string> rest{words.begin() + (words.empty() ? 0 : 1), words.end()};
  if (rest.empty()) {
    err << help_text();
    return Exit::usage;
  }
  rest = with_options_after_verb(std::move(rest));
  if (rest.front() == "help") rest = with_help_option(std::move(rest));
  const std::string first = rest.front();
  if (is_help(first) || first == "help" || first == "--version" || first == "-V") {
    out << (is_help(first) || first == "help" ? help_text() : version_text());
    return Exit::ok;
  }
  rest.erase(rest.begin());
  if (is_group(first)) return run_group(first, rest, to);
  const Verb* const verb = find_verb({}, first);
  return verb == nullptr ? unknown({}, first, err) : run_verb(*verb, rest, to);
}

}  // namespace

// File names, keys and a daemon's answers may hold any bytes, so all output passes through
// PrintableBuffer.
Exit run_command(const std::vector<std::string>& words, std::ostream& out, std::ostream& err,
                 int terminal_fd) {
  PrintableBuffer out_buffer(out);
  PrintableBuffer err_buffer(err);
  std::ostream clean_out(&out_buffer);
  std::ostream clean_err(&err_buffer);
  OutputTerminal terminal(out_buffer, terminal_fd);
  return run_words(words, {clean_out, clean_err, terminal_fd < 0 ? nullptr : &terminal});
}

}  // namespace actord::ctl
