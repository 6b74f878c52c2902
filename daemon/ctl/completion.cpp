// SPDX-License-Identifier: Apache-2.0
#include "ctl/completion.hpp"

#include "base/suggestion.hpp"
#include "ctl/verbs.hpp"
#include "schema/schema.hpp"

namespace actord::ctl {

namespace {

// Words for compgen are separated by newlines, because file names may contain blanks.

/// The words, one per line.
std::string in_lines(const std::vector<std::string_view>& words) {
  return base::joined(words, "\n");
}

/// Keys without a part that the operator names.
std::vector<std::string_view> keys() {
  std::vector<std::string_view> paths;
  for (const schema::SettingKey& key : schema::keys()) {
    if (key.path.find('*') == key.path.npos) paths.emplace_back(key.path);
  }
  return paths;
}

std::vector<std::string_view> words_after(std::string_view group) {
  std::vector<std::string_view> words;
  for (const Verb& verb : verbs()) {
    if (verb.group == group) words.push_back(verb.name);
  }
  if (!group.empty()) return words;
  for (const VerbGroup& each : verb_groups()) words.push_back(each.name);
  for (const std::string_view word : {"help", "--help", "--version"}) words.push_back(word);
  return words;
}

/// The options of the verb, one per line.
std::string option_lines(const Verb& verb) {
  std::string lines;
  for (const Option& option : verb.options) lines.append("--").append(option.name).append("\n");
  return lines + "--help";
}

/// The arguments for compgen that complete a word of that kind.
std::string offer(Takes takes, const std::vector<std::string_view>& words) {
  switch (takes) {
    case Takes::file:
    case Takes::socket: return "-f";
    case Takes::folder: return "-d";
    case Takes::key: return "-W \"$keys\"";
    case Takes::words: return "-W '" + in_lines(words) + '\'';
    case Takes::nothing:
    case Takes::text: break;
  }
  return "-W ''";
}

std::string bash_case_of(const Verb& verb) {
  std::string out = "    '" + verb.full_name() + "')\n      case $previous in\n";
  for (const Option& option : verb.options) {
    if (option.takes == Takes::nothing) continue;
    out += "        --" + std::string{option.name};
    if (option.letter != '\0') out += std::string(" | -") + option.letter;
    out += ") offer=(" + offer(option.takes, option.words) + ") ;;\n";
  }
  const Operand operand = verb.operands.empty() ? Operand{} : verb.operands.front();
  out += "        *)\n          offer=(" +
         offer(verb.operands.empty() ? Takes::text : operand.takes, operand.words) +
         ")\n          [[ $word != -* ]] || offer=(-W '" + option_lines(verb) +
         "')\n          ;;\n";
  return out + "      esac\n      ;;\n";
}

/// A text in single quotes for fish.
std::string single_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += "'\\''";
    else out += c == '\n' ? ' ' : c;
  }
  return out + '\'';
}

std::string fish_condition(const Verb& verb) {
  if (verb.group.empty()) return "__fish_seen_subcommand_from " + std::string{verb.name};
  return "__fish_seen_subcommand_from " + std::string{verb.group} +
         "; and __fish_seen_subcommand_from " + std::string{verb.name};
}

std::string fish_argument(Takes takes, const std::vector<std::string_view>& words) {
  switch (takes) {
    case Takes::nothing: return {};
    case Takes::file:
    case Takes::folder:
    case Takes::socket: return " -r -F";
    case Takes::key: return " -x -a \"$__actorctl_keys\"";
    case Takes::words: return " -x -a " + single_quoted(base::joined(words, " "));
    case Takes::text: break;
  }
  return " -x";
}

std::string fish_lines_of(const Verb& verb) {
  const std::string head = "complete -c actorctl -n '" + fish_condition(verb) + '\'';
  std::string out;
  for (const Option& option : verb.options) {
    out += head + " -l " + std::string{option.name};
    if (option.letter != '\0') out += std::string(" -s ") + option.letter;
    out += fish_argument(option.takes, option.words) + " -d " + single_quoted(option.help) + '\n';
  }
  if (!verb.operands.empty())
    out += head + fish_argument(verb.operands.front().takes, verb.operands.front().words) + '\n';
  return out;
}

}  // namespace

std::string bash_completion() {
  std::string out =
      "# bash completion for actorctl; written by: actorctl completion bash\n"
      "_actorctl() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
      "  local keys='" +
      in_lines(keys()) +
      "'\n"
      "  local IFS=$'\\n'\n"
      "  local -a offer=()\n"
      "  local verb=${COMP_WORDS[1]}\n"
      "  COMPREPLY=()\n";
  for (const VerbGroup& group : verb_groups()) {
    const std::string name{group.name};
    out += "  if ((COMP_CWORD == 2)) && [[ $verb == " + name +
           " ]]; then\n"
           "    COMPREPLY=($(compgen -W '" +
           in_lines(words_after(name)) +
           "' -- \"$word\"))\n"
           "    return\n"
           "  fi\n"
           "  [[ $verb != " +
           name + " ]] || verb+=\" ${COMP_WORDS[2]}\"\n";
  }
  out += "  if ((COMP_CWORD == 1)); then\n    COMPREPLY=($(compgen -W '" +
         in_lines(words_after({})) +
         "' -- \"$word\"))\n"
         "    return\n"
         "  fi\n"
         "  case $verb in\n";
  for (const Verb& verb : verbs()) out += bash_case_of(verb);
  return out +
         "  esac\n"
         "  COMPREPLY=($(compgen \"${offer[@]}\" -- \"$word\"))\n"
         "}\n"
         "complete -o filenames -o bashdefault -F _actorctl actorctl\n";
}

/// zsh runs the bash completion, so that the table is not written a second time.
std::string zsh_completion() {
  return "#compdef actorctl\n"
         "# zsh completion for actorctl; written by: actorctl completion zsh\n"
         "autoload -U +X bashcompinit && bashcompinit\n" +
         bash_completion();
}

std::string fish_completion() {
  std::string out =
      "# fish completion for actorctl; written by: actorctl completion fish\n"
      "set -g __actorctl_keys " +
      single_quoted(base::joined(keys(), " ")) +
      "\n"
      "complete -c actorctl -f\n"
      "complete -c actorctl -n __fish_use_subcommand -l version -s V -d 'print the version'\n"
      "complete -c actorctl -l help -s h -d 'print help'\n";
  for (const VerbGroup& group : verb_groups()) {
    out += "complete -c actorctl -n __fish_use_subcommand -a " + std::string{group.name} + " -d " +
           single_quoted(group.summary) + '\n';
  }
  for (const Verb& verb : verbs()) {
    const std::string condition = verb.group.empty()
                                      ? "__fish_use_subcommand"
                                      : "'__fish_seen_subcommand_from " + std::string{verb.group} +
                                            "; and not __fish_seen_subcommand_from " +
                                            base::joined(words_after(verb.group), " ") + '\'';
    out += "complete -c actorctl -n " + condition + " -a " + std::string{verb.name} + " -d " +
           single_quoted(verb.summary) + '\n';
  }
  for (const Verb& verb : verbs()) out += fish_lines_of(verb);
  return out;
}

}  // namespace actord::ctl
