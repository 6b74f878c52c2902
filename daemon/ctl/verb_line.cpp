// SPDX-License-Identifier: Apache-2.0
#include "ctl/verb_line.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <climits>

#include "base/suggestion.hpp"
#include "hocon/tree.hpp"

namespace actord::ctl {

namespace po = boost::program_options;

namespace {

constexpr const char* operands_name = "operands";

po::options_description described(const Verb& verb) {
  po::options_description known;
  for (const Option& option : verb.options) {
    std::string names{option.name};
    if (option.letter != '\0') names.append(",").push_back(option.letter);
    if (option.takes == Takes::nothing) known.add_options()(names.c_str(), "");
    else if (option.repeats)
      known.add_options()(names.c_str(), po::value<std::vector<std::string>>()->composing());
    else known.add_options()(names.c_str(), po::value<std::string>());
  }
  known.add_options()("help,h", "");
  return known;
}

UsageError usage_error(const Verb& verb, const std::string& what, const std::string& help = {}) {
  return {"actorctl " + verb.full_name() + ": " + what + '\n' +
          (help.empty() ? "" : "  " + help + '\n') + "  actorctl " + verb.full_name() +
          " --help lists all options\n"};
}

UsageError unknown_option(const Verb& verb, std::string name) {
  name.erase(std::min(name.find('='), name.size()));
  std::vector<std::string> names = {"--help"};
  for (const Option& option : verb.options) names.push_back("--" + std::string{option.name});
  return usage_error(verb, "unknown option " + name,
                     base::did_you_mean(base::nearest_of(name, {names.begin(), names.end()})));
}

// Translates an exception of Boost into a message.
UsageError explained(const Verb& verb, const po::error& error) {
  if (const auto* unknown = dynamic_cast<const po::unknown_option*>(&error))
    return unknown_option(verb, unknown->get_option_name());
  if (const auto* twice = dynamic_cast<const po::multiple_occurrences*>(&error))
    return usage_error(verb, twice->get_option_name() + " is given more than once");
  if (const auto* syntax = dynamic_cast<const po::invalid_command_line_syntax*>(&error)) {
    using Kind = po::invalid_syntax::kind_t;
    const std::string name = syntax->get_option_name();
    return usage_error(verb, name + (syntax->kind() == Kind::extra_parameter ? " takes no value"
                                                                             : " needs a value"));
  }
  return usage_error(verb, error.what());
}

bool is_one_of(const std::string& word, const std::vector<std::string_view>& words) {
  return words.empty() || std::find(words.begin(), words.end(), word) != words.end();
}

std::string there_is(const std::string& word, const std::vector<std::string_view>& words) {
  const std::string_view meant = base::nearest_of(word, words);
  return meant.empty() ? "expected one of: " + base::joined(words) : base::did_you_mean(meant);
}

base::Result<void, UsageError> check_words(const Verb& verb, const Call& call) {
  for (const Option& option : verb.options) {
    for (const std::string& word : call.values(option.name)) {
      if (is_one_of(word, option.words)) continue;
      return usage_error(verb, "--" + std::string{option.name} + " cannot be \"" + word + '"',
                         there_is(word, option.words));
    }
  }
  for (std::size_t i = 0; i < call.operands.size() && i < verb.operands.size(); ++i) {
    if (is_one_of(call.operands[i], verb.operands[i].words)) continue;
    return usage_error(
        verb, std::string{verb.operands[i].name} + " cannot be \"" + call.operands[i] + '"',
        there_is(call.operands[i], verb.operands[i].words));
  }
  return {};
}

base::Result<void, UsageError> check_operands(const Verb& verb, const Call& call) {
  const bool is_open = !verb.operands.empty() && verb.operands.back().repeats;
  if (!is_open && call.operands.size() > verb.operands.size())
    return usage_error(verb, "unexpected argument \"" + call.operands[verb.operands.size()] + '"');
  for (std::size_t i = call.operands.size(); i < verb.operands.size(); ++i) {
    if (verb.operands[i].is_needed)
      return usage_error(verb, std::string{verb.operands[i].name} + " is missing");
  }
  return check_words(verb, call);
}

void take_options(const Verb& verb, const po::variables_map& given, Call& call) {
  if (given.count("help") != 0) call.options["help"];
  if (given.count(operands_name) != 0)
    call.operands = given[operands_name].as<std::vector<std::string>>();
  for (const Option& option : verb.options) {
    const std::string name{option.name};
    if (given.count(name) == 0) continue;
    std::vector<std::string>& values = call.options[name];
    if (option.takes == Takes::nothing) continue;
    if (option.repeats) values = given[name].as<std::vector<std::string>>();
    else values = {given[name].as<std::string>()};
  }
}

/// Reads words such as -5 and -1.5h as operands, not as options.
std::vector<po::option> take_negative_number(std::vector<std::string>& words) {
  const std::string& word = words.front();
  if (word.size() < 2 || word[0] != '-' || (word[1] != '.' && (word[1] < '0' || word[1] > '9')))
    return {};
  po::option operand;
  operand.value = {word};
  operand.original_tokens = {word};
  operand.position_key = INT_MAX;  // the value that Boost uses for words after "--"
  words.erase(words.begin());
  return {operand};
}

}  // namespace

base::Result<Call, UsageError> read_line(const Verb& verb, const std::vector<std::string>& words,
                                         std::ostream& out, std::ostream& err) {
  using Style = po::command_line_style::style_t;
  po::options_description known = described(verb);
  known.add_options()(operands_name, po::value<std::vector<std::string>>());
  po::positional_options_description operands;
  operands.add(operands_name, -1);
  po::variables_map given;
  try {
    // Abbreviated options are rejected: an abbreviation may become ambiguous when options are
    // added.
    po::store(po::command_line_parser(words)
                  .options(known)
                  .positional(operands)
                  .extra_style_parser(&take_negative_number)
                  .style(Style::unix_style & ~Style::allow_guessing)
                  .run(),
              given);
  } catch (const po::error& error) {
    return explained(verb, error);
  }
  Call call{{}, {}, out, err};
  take_options(verb, given, call);
  if (call.has("help")) return call;
  if (auto checked = check_operands(verb, call); !checked) return checked.error();
  return call;
}

}  // namespace actord::ctl
