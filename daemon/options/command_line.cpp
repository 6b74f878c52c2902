// SPDX-License-Identifier: Apache-2.0
#include "options/command_line.hpp"

#include <boost/program_options.hpp>

#include <algorithm>
#include <array>

#include "base/suggestion.hpp"
#include "hocon/tree.hpp"

namespace actord::options {

namespace po = boost::program_options;

namespace {

constexpr std::array<std::string_view, 5> formats = {"auto", "json", "console", "journald", "off"};
constexpr std::array<std::string_view, 4> levels = {"error", "warning", "info", "debug"};

constexpr KnownOption option_table[] = {
    {.name = "config", .letter = 'c', .argument = Argument::file, .repeats = true},
    {.name = "no-drop-ins"},
    {.name = "set", .letter = 's', .argument = Argument::assignment, .repeats = true},
    {.name = "plugin-path", .letter = 'p', .argument = Argument::folder, .repeats = true},
    {.name = "check"},
    {.name = "list-plugins"},
    {.name = "strict"},
    {.name = "user", .argument = Argument::text},
    {.name = "allow-unknown"},
    {.name = "accept-journal-loss"},
    {.name = "log-format", .argument = Argument::word, .words = formats},
    {.name = "log-level", .argument = Argument::word, .words = levels},
    {.name = "verbose", .letter = 'v'},
    {.name = "version", .letter = 'V'},
    {.name = "help", .letter = 'h'},
};

po::options_description described() {
  po::options_description known;
  for (const KnownOption& option : option_table) {
    std::string names{option.name};
    if (option.letter != '\0') names.append(",").push_back(option.letter);
    if (option.argument == Argument::none) known.add_options()(names.c_str(), "");
    else if (option.repeats)
      known.add_options()(names.c_str(), po::value<std::vector<std::string>>()->composing());
    else known.add_options()(names.c_str(), po::value<std::string>());
  }
  return known;
}

// The text is "actord: …", the help if there is one, and a reference to --help.
UsageError usage_error(const std::string& what, const std::string& help = {}) {
  return {"actord: " + what + '\n' + (help.empty() ? "" : "  " + help + '\n') +
          "  actord --help lists all options\n"};
}

UsageError unknown_option(std::string name, const po::options_description& known) {
  name.erase(std::min(name.find('='), name.size()));
  std::vector<std::string> names;
  for (const auto& option : known.options()) names.push_back("--" + option->long_name());
  return usage_error("unknown option " + name,
                     base::did_you_mean(base::nearest_of(name, {names.begin(), names.end()})));
}

// Translates an exception of Boost into a usage error.
UsageError explain(const po::error& error, const po::options_description& known) {
  if (const auto* unknown = dynamic_cast<const po::unknown_option*>(&error)) {
    return unknown_option(unknown->get_option_name(), known);
  }
  if (const auto* twice = dynamic_cast<const po::multiple_occurrences*>(&error)) {
    return usage_error(twice->get_option_name() + " is given more than once");
  }
  if (const auto* syntax = dynamic_cast<const po::invalid_command_line_syntax*>(&error)) {
    using Kind = po::invalid_syntax::kind_t;
    const std::string name = syntax->get_option_name();
    if (syntax->kind() == Kind::extra_parameter) return usage_error(name + " takes no value");
    return usage_error(name + " needs a value");
  }
  return usage_error(error.what());
}

template <std::size_t n>
std::optional<UsageError> read_word(const po::variables_map& given, const std::string& name,
                                    const std::array<std::string_view, n>& words,
                                    std::optional<std::string>& out) {
  if (given.count(name) == 0) return std::nullopt;
  const auto& text = given[name].as<std::string>();
  if (std::find(words.begin(), words.end(), text) != words.end()) {
    out = text;
    return std::nullopt;
  }
  return usage_error("--" + name + " cannot be \"" + text + '"',
                     "expected one of: " + base::joined({words.begin(), words.end()}));
}

// Only checks for KEY=VALUE. Errors in the key are reported with those of the configuration.
std::optional<UsageError> read_overrides(const po::variables_map& given, Options& options) {
  if (given.count("set") == 0) return std::nullopt;
  const auto& assignments = given["set"].as<std::vector<std::string>>();
  for (const std::string& assignment : assignments) {
    const std::size_t equals = assignment.find('=');
    if (equals == assignment.npos || equals == 0) {
      return usage_error("--set needs KEY=VALUE, not \"" + assignment + '"',
                         "as in --set actord.log.level=debug");
    }
    const std::string number = " #" + std::to_string(options.overrides.size() + 1);
    options.overrides.push_back({assignment, "--set" + (assignments.size() > 1 ? number : "")});
  }
  return std::nullopt;
}

base::Result<Options, UsageError> options_of(const po::variables_map& given) {
  Options options;
  if (given.count("help") != 0) return options.task = Options::Task::show_help, options;
  if (given.count("version") != 0) return options.task = Options::Task::show_version, options;
  const bool is_check = given.count("check") != 0;
  if (is_check) options.task = Options::Task::check;
  if (given.count("list-plugins") != 0) options.task = Options::Task::list_plugins;
  if (given.count("config") != 0)
    options.config_files = given["config"].as<std::vector<std::string>>();
  const auto& files = options.config_files;
  if (files.empty() || std::find(files.begin(), files.end(), "") != files.end()) {
    return usage_error("no configuration file", "name one: actord --config FILE");
  }
  options.drop_ins = given.count("no-drop-ins") == 0;
  options.allow_unknown = given.count("allow-unknown") != 0;
  options.accepts_journal_loss = given.count("accept-journal-loss") != 0;
  if (options.accepts_journal_loss && is_check)
    return usage_error("--accept-journal-loss has no meaning with --check");
  options.strict = given.count("strict") != 0;
  if (options.strict && !is_check) return usage_error("--strict has no meaning without --check");
  if (given.count("user") != 0) options.user = given["user"].as<std::string>();
  if (!options.user.empty() && !is_check)
    return usage_error("--user has no meaning without --check");
  if (given.count("plugin-path") != 0)
    options.plugin_path = given["plugin-path"].as<std::vector<std::string>>();
  if (auto wrong = read_overrides(given, options)) return *std::move(wrong);
  if (auto wrong = read_word(given, "log-format", formats, options.log_format))
    return *std::move(wrong);
  if (auto wrong = read_word(given, "log-level", levels, options.log_level))
    return *std::move(wrong);
  if (options.log_format)
    options.overrides.push_back({"actord.log.format=" + *options.log_format, "--log-format"});
  if (options.log_level)
    options.overrides.push_back({"actord.log.level=" + *options.log_level, "--log-level"});
  if (given.count("verbose") != 0)
    options.overrides.push_back({"actord.log.verbose=on", "--verbose"});
  return options;
}

}  // namespace

std::span<const KnownOption> known_options() noexcept { return option_table; }

base::Result<Options, UsageError> read_command_line(int argc, const char* const* argv) {
  using Style = po::command_line_style::style_t;
  const po::options_description known = described();
  po::positional_options_description positional;
  positional.add("config", -1);
  po::variables_map given;
  try {
    // Abbreviated options are rejected: an abbreviation may become ambiguous when options are
    // added.
    po::store(po::command_line_parser(argc, argv)
                  .options(known)
                  .positional(positional)
                  .style(Style::unix_style & ~Style::allow_guessing)
                  .run(),
              given);
  } catch (const po::error& error) {
    return explain(error, known);
  }
  return options_of(given);
}

}  // namespace actord::options
