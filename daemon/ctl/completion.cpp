// SPDX-License-Identifier: Apache-2.0
#include "ctl/completion.hpp"

#include <algorithm>
#include <set>

#include "base/suggestion.hpp"
#include "ctl/verbs.hpp"
#include "options/command_line.hpp"

namespace actord::ctl {

namespace {

using Words = std::vector<std::string_view>;

/// The command line of actord in the form of a verb.
Verb actord_line() {
  using options::Argument;
  Verb line{.group = {},
            .name = "actord",
            .summary = {},
            .description = {},
            .operands = {{.name = "FILE", .takes = Takes::file, .repeats = true}},
            .options = {},
            .run = nullptr};
  for (const options::KnownOption& known : options::known_options()) {
    Option option{.name = known.name, .letter = known.letter, .repeats = known.repeats};
    switch (known.argument) {
      case Argument::none: break;
      case Argument::file: option.takes = Takes::file; break;
      case Argument::folder: option.takes = Takes::folder; break;
      case Argument::assignment: option.takes = Takes::assignment; break;
      case Argument::word: option.takes = Takes::words; break;
      case Argument::text: option.takes = Takes::text; break;
    }
    option.words.assign(known.words.begin(), known.words.end());
    line.options.push_back(std::move(option));
  }
  return line;
}

Words verbs_in(std::string_view group) {
  Words words;
  for (const Verb& verb : verbs()) {
    if (verb.group == group) words.push_back(verb.name);
  }
  return words;
}

/// The verbs without a group, and the groups.
Words first_words() {
  Words words = verbs_in({});
  for (const VerbGroup& each : verb_groups()) words.push_back(each.name);
  return words;
}

bool has_option(const Verb& verb, std::string_view name) {
  return std::ranges::any_of(verb.options,
                             [&](const Option& option) { return option.name == name; });
}

// ---- bash ---------------------------------------------------------------------------------------

// While the operator types, the script asks `actorctl config keys` what the configuration has. The
// lines of that never reach compgen -W, which would expand a $(...) in the name of a key.
constexpr std::string_view bash_helpers = R"sh(
# Prints the keys of the configuration that the command line names; with --actors its actors.
_actorctl_list() {
  local i
  local -a files=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      -c | --config)
        [[ ${COMP_WORDS[i + 1]} != = ]] || ((i += 1))
        ((i += 1))
        ((i >= COMP_CWORD)) || files+=(--config "${COMP_WORDS[i]/#\~/$HOME}")
        ;;
      -*) ;;
      *.conf | *.json | *.yaml | *.yml) files+=(--config "${COMP_WORDS[i]/#\~/$HOME}") ;;
    esac
  done
  command actorctl config keys "$@" "${files[@]}" 2>/dev/null
}

# Prints the paths of the running actors beside $word; without a daemon those of the configuration.
_actorctl_running() {
  local above=${word%/*}
  command actorctl tree "${above:-/}" --level 1 --output name --timeout 1s 2>/dev/null ||
    _actorctl_list --actors
}

# Offers the lines of $1 that begin with the word, each with $2 behind it. Without "filenames" bash
# does not quote what it inserts.
_actorctl_offer_lines() {
  local line typed=${word//\\/}
  while IFS= read -r line; do
    [[ -n $line && $line == "$typed"* ]] || continue
    [[ -z $2 || -z ${BASH_VERSION-} ]] || printf -v line %q "$line"
    COMPREPLY+=("$line$2")
  done <<< "$1"
}

# $1: what the word may be; $2: the words, of "words".
_actorctl_offer() {
  case $1 in
    words) COMPREPLY=($(compgen -W "$2" -- "$word")) ;;
    file) COMPREPLY=($(compgen -f -- "$word")) ;;
    folder) COMPREPLY=($(compgen -d -- "$word")) ;;
    key)
      local list=
      [[ $word != /* ]] || list=--actors
      _actorctl_offer_lines "$(_actorctl_list $list)" ''
      ;;
    actor) _actorctl_offer_lines "$(_actorctl_list --actors)" '' ;;
    running)
      compopt -o nospace 2>/dev/null
      _actorctl_offer_lines "$(_actorctl_running)" ''
      ;;
    failure)
      _actorctl_offer_lines \
        "$(command actorctl failures --output name --timeout 1s 2>/dev/null)" ''
      ;;
    message)
      local each path=
      for each in "${COMP_WORDS[@]}"; do
        [[ $each != /* ]] || { path=$each && break; }
      done
      [[ -z $path ]] || _actorctl_offer_lines \
        "$(command actorctl inspect "$path" --output name --timeout 1s 2>/dev/null)" ''
      ;;
    crash)
      _actorctl_offer_lines \
        "$(command actorctl crash list --output name --timeout 1s 2>/dev/null)" ''
      ;;
    stored)
      _actorctl_offer_lines "$(command actorctl journal list --prefix "${word//\\/}" \
        --lines 1000 --output name --timeout 1s 2>/dev/null)" ''
      ;;
    plugin)
      _actorctl_offer_lines \
        "$(command actorctl plugin list --output name --timeout 1s 2>/dev/null)" ''
      [[ $word != */* ]] || COMPREPLY=($(compgen -f -- "$word"))
      ;;
    letter)
      _actorctl_offer_lines \
        "$(command actorctl deadletters list --lines all --output name --timeout 1s 2>/dev/null)" ''
      ;;
    quarantined)
      _actorctl_offer_lines \
        "$(command actorctl quarantine list --lines all --output name --timeout 1s 2>/dev/null)" ''
      ;;
    assignment)
      compopt -o nospace +o filenames 2>/dev/null
      _actorctl_offer_lines "$(_actorctl_list)" =
      ;;
  esac
}

# Sets word, previous and operand: the number of operands before the word, from COMP_WORDS[$1] on.
# $2 has the options that take a value, each between blanks.
_actorctl_look() {
  word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} operand=0
  if [[ $word == = ]]; then
    word=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
    [[ $previous == -* ]] || previous==
  fi
  local i
  for ((i = $1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      -*)
        [[ $2 == *" ${COMP_WORDS[i]} "* ]] || continue
        [[ ${COMP_WORDS[i + 1]} != = ]] || ((i += 1))
        ((i += 1))
        ;;
      *) ((operand += 1)) ;;
    esac
  done
}
)sh";

/// The words, one per line: file names may contain blanks, so the script splits at newlines.
std::string in_lines(const Words& words) { return base::joined(words, "\n"); }

std::string bash_offer(Takes takes, const Words& words) {
  switch (takes) {
    case Takes::file:
    case Takes::socket: return "file";
    case Takes::folder: return "folder";
    case Takes::key: return "key";
    case Takes::actor: return "actor";
    case Takes::running: return "running";
    case Takes::failure: return "failure";
    case Takes::letter: return "letter";
    case Takes::quarantined: return "quarantined";
    case Takes::crash: return "crash";
    case Takes::stored: return "stored";
    case Takes::plugin: return "plugin";
    case Takes::message: return "message";
    case Takes::assignment: return "assignment";
    case Takes::words: return "words '" + in_lines(words) + '\'';
    case Takes::nothing:
    case Takes::text: break;
  }
  return "nothing";
}

/// A `case` that offers what fits, indented by `indent`.
std::string bash_case_of(const Verb& verb, const std::string& indent) {
  std::string out = indent + "case $previous in\n";
  std::string all;
  for (const Option& option : verb.options) {
    all.append("--").append(option.name).append("\n");
    if (option.takes == Takes::nothing) continue;
    out += indent + "  --" + std::string{option.name};
    if (option.letter != '\0') out += std::string(" | -") + option.letter;
    out += ") _actorctl_offer " + bash_offer(option.takes, option.words) + " ;;\n";
  }
  if (!has_option(verb, "help")) all += "--help";
  out += indent + "  =) ;;\n" + indent + "  *)\n" + indent + "    case $word:$operand in\n" +
         indent + "      -*) _actorctl_offer words '" + all + "' ;;\n";
  for (std::size_t i = 0; i < verb.operands.size(); ++i) {
    const Operand& operand = verb.operands[i];
    out += indent + "      *:" + (operand.repeats ? "*" : std::to_string(i)) +
           ") _actorctl_offer " + bash_offer(operand.takes, operand.words) + " ;;\n";
  }
  return out + indent + "    esac\n" + indent + "    ;;\n" + indent + "esac\n";
}

/// The options that take a value, each between blanks.
std::string valued_options(const std::vector<Verb>& all) {
  std::set<std::string> names;
  for (const Verb& verb : all) {
    for (const Option& option : verb.options) {
      if (option.takes == Takes::nothing) continue;
      names.insert("--" + std::string{option.name});
      if (option.letter != '\0') names.insert(std::string("-") + option.letter);
    }
  }
  std::string text = " ";
  for (const std::string& name : names) text += name + ' ';
  return text;
}

constexpr std::string_view bash_locals =
    "  local word previous operand IFS=$'\\n'\n"
    "  COMPREPLY=()\n";

std::string bash_actorctl() {
  std::string out = "_actorctl() {\n" + std::string{bash_locals} +
                    "  local verb=${COMP_WORDS[1]} first=2\n"
                    "  case $verb in\n";
  std::string groups;
  for (const VerbGroup& group : verb_groups())
    groups.append(groups.empty() ? "" : " | ").append(group.name);
  out += "    " + groups + ") verb+=\" ${COMP_WORDS[2]}\" first=3 ;;\n  esac\n" +
         "  _actorctl_look \"$first\" '" + valued_options(verbs()) + "'\n";
  Words top = first_words();
  const std::string help_words = in_lines(top);
  for (const std::string_view word : {"help", "--help", "--version"}) top.push_back(word);
  out += "  case $COMP_CWORD:$verb in\n    1:*) _actorctl_offer words '" + in_lines(top) +
         "' ;;\n    2:help) _actorctl_offer words '" + help_words + "' ;;\n";
  for (const VerbGroup& group : verb_groups()) {
    const std::string name{group.name};
    const std::string lines = in_lines(verbs_in(name));
    out += "    2:" + name + "*) _actorctl_offer words '" + lines + "\n--help' ;;\n";
    out += "    3:help)\n      [[ ${COMP_WORDS[2]} != " + name + " ]] || _actorctl_offer words '" +
           lines + "'\n      ;;\n";
  }
  for (const Verb& verb : verbs())
    out += "    *:'" + verb.full_name() + "')\n" + bash_case_of(verb, "      ") + "      ;;\n";
  return out + "  esac\n}\ncomplete -o filenames -o bashdefault -F _actorctl actorctl\n";
}

std::string bash_actord() {
  const Verb line = actord_line();
  return "\n_actord() {\n" + std::string{bash_locals} + "  _actorctl_look 1 '" +
         valued_options({line}) + "'\n" + bash_case_of(line, "  ") +
         "}\ncomplete -o filenames -o bashdefault -F _actord actord\n";
}

// ---- fish ---------------------------------------------------------------------------------------

constexpr std::string_view fish_helpers = R"sh(
# Prints the keys of the configuration that the command line names; with --actors its actors.
function __actorctl_list
    set -l files
    set -l words (commandline -opc)
    for i in (seq 2 (count $words))
        if contains -- $words[(math $i - 1)] -c --config
            or string match -qr '^[^-].*\.(conf|json|yaml|yml)$' -- $words[$i]
            set -a files --config $words[$i]
        end
    end
    command actorctl config keys $argv $files 2>/dev/null
end
function __actorctl_running
    set -l above (string replace -r '/[^/]*$' '' -- (commandline -ct))
    test -n "$above"; or set above /
    command actorctl tree $above --level 1 --output name --timeout 1s 2>/dev/null
    or __actorctl_list --actors
end
function __actorctl_failures
    command actorctl failures --output name --timeout 1s 2>/dev/null
end
function __actorctl_messages
    set -l paths (string match -- '/*' (commandline -opc))
    test -z "$paths[1]"
    or command actorctl inspect $paths[1] --output name --timeout 1s 2>/dev/null
end
function __actorctl_plugins
    command actorctl plugin list --output name --timeout 1s 2>/dev/null
end
function __actorctl_crashes
    command actorctl crash list --output name --timeout 1s 2>/dev/null
end
function __actorctl_stored
    command actorctl journal list --prefix (commandline -ct) --lines 1000 --output name \
        --timeout 1s 2>/dev/null
end
function __actorctl_letters
    command actorctl deadletters list --lines all --output name --timeout 1s 2>/dev/null
end
function __actorctl_quarantined
    command actorctl quarantine list --lines all --output name --timeout 1s 2>/dev/null
end
function __actorctl_keys
    __actorctl_list
    __actorctl_list --actors
end
# Whether the number of operands before the word is as told: __actorctl_operands FIRST -eq NUMBER.
# FIRST: how many words stand before the first operand.
function __actorctl_operands
    set -l words (commandline -opc)
    set -l number 0
    set -l is_value 0
    for i in (seq (math $argv[1] + 1) (count $words))
        if test $is_value = 1
            set is_value 0
        else if contains -- $words[$i] $__actorctl_valued
            set is_value 1
        else if not string match -q -- '-*' $words[$i]
            set number (math $number + 1)
        end
    end
    test $number $argv[2] $argv[3]
end
function __actorctl_assignments
    string replace -r '$' = -- (__actorctl_list)
end
complete -c actorctl -e
complete -c actord -e
)sh";

/// A text in single quotes for fish.
std::string single_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += "\\'";
    else out += c == '\n' ? ' ' : c;
  }
  return out + '\'';
}

std::string fish_argument(Takes takes, const Words& words) {
  switch (takes) {
    case Takes::nothing: return {};
    case Takes::file:
    case Takes::folder:
    case Takes::socket: return " -r -F";
    case Takes::key: return " -x -a '(__actorctl_keys)'";
    case Takes::actor: return " -x -a '(__actorctl_list --actors)'";
    case Takes::running: return " -x -a '(__actorctl_running)'";
    case Takes::failure: return " -x -a '(__actorctl_failures)'";
    case Takes::letter: return " -x -a '(__actorctl_letters)'";
    case Takes::quarantined: return " -x -a '(__actorctl_quarantined)'";
    case Takes::crash: return " -x -a '(__actorctl_crashes)'";
    case Takes::stored: return " -x -a '(__actorctl_stored)'";
    case Takes::plugin: return " -a '(__actorctl_plugins)'";  // or a file
    case Takes::message: return " -x -a '(__actorctl_messages)'";
    case Takes::assignment: return " -x -a '(__actorctl_assignments)'";
    case Takes::words: return " -x -a " + single_quoted(base::joined(words, " "));
    case Takes::text: break;
  }
  return " -x";
}

/// Options and operands of a command line. `condition` is in the syntax of fish; empty: always.
/// `words_before` is how many words stand before the first operand.
std::string fish_lines_of(const Verb& verb, std::string_view program, std::string condition,
                          std::size_t words_before) {
  const std::string head = "complete -c " + std::string{program};
  const std::string on = condition.empty() ? std::string{} : " -n " + single_quoted(condition);
  std::string out;
  for (const Option& option : verb.options) {
    out += head + on + " -l " + std::string{option.name};
    if (option.letter != '\0') out += std::string(" -s ") + option.letter;
    out += fish_argument(option.takes, option.words);
    out += option.help.empty() ? "\n" : " -d " + single_quoted(option.help) + '\n';
  }
  for (std::size_t i = 0; i < verb.operands.size(); ++i) {
    const Operand& operand = verb.operands[i];
    std::string here = condition;
    if (verb.operands.size() > 1) {
      here += "; and __actorctl_operands " + std::to_string(words_before);
      here += (operand.repeats ? " -ge " : " -eq ") + std::to_string(i);
    }
    out += head + (here.empty() ? "" : " -n " + single_quoted(here)) +
           fish_argument(operand.takes, operand.words) + '\n';
  }
  return out;
}

std::string fish_offer(const std::string& condition, std::string_view word,
                       std::string_view summary) {
  return "complete -c actorctl -n " + single_quoted(condition) + " -a " + std::string{word} +
         " -d " + single_quoted(summary) + '\n';
}

/// The first words of actorctl, and the verbs of a group behind it; both also behind `help`.
std::string fish_verbs() {
  constexpr const char* behind_help = "; and test (count (commandline -opc)) -eq ";
  std::string out;
  const std::string first = "__fish_use_subcommand", help = "__fish_seen_subcommand_from help";
  out += fish_offer(first, "help", "print the help of a verb");
  for (const VerbGroup& group : verb_groups()) {
    out += fish_offer(first, group.name, group.summary);
    out += fish_offer(help + behind_help + '2', group.name, group.summary);
  }
  for (const Verb& verb : verbs()) {
    if (verb.group.empty()) {
      out += fish_offer(first, verb.name, verb.summary);
      out += fish_offer(help + behind_help + '2', verb.name, verb.summary);
      continue;
    }
    const std::string in_group = "__fish_seen_subcommand_from " + std::string{verb.group};
    out += fish_offer(in_group + "; and not __fish_seen_subcommand_from " +
                          base::joined(verbs_in(verb.group), " "),
                      verb.name, verb.summary);
  }
  return out;
}

std::string fish_condition(const Verb& verb) {
  const std::string seen = "__fish_seen_subcommand_from ";
  const std::string not_help = "not __fish_seen_subcommand_from help; and ";
  if (verb.group.empty()) return not_help + seen + std::string{verb.name};
  return not_help + seen + std::string{verb.group} + "; and " + seen + std::string{verb.name};
}

}  // namespace

std::string bash_completion() {
  return "# bash completion for actorctl and actord; written by: actorctl completion bash\n" +
         std::string{bash_helpers} + '\n' + bash_actorctl() + bash_actord();
}

/// zsh runs the bash completion, so that the table is not written a second time.
std::string zsh_completion() {
  return "#compdef actorctl actord\n"
         "# zsh completion for actorctl and actord; written by: actorctl completion zsh\n"
         "autoload -U +X bashcompinit && bashcompinit\n" +
         bash_completion();
}

std::string fish_completion() {
  std::string out =
      "# fish completion for actorctl and actord; written by: actorctl completion fish\n"
      "set -g __actorctl_valued" +
      valued_options(verbs()) + std::string{fish_helpers} +
      "complete -c actorctl -f\n"
      "complete -c actorctl -n __fish_use_subcommand -l version -s V -d 'print the version'\n"
      "complete -c actorctl -l help -s h -d 'print help'\n" +
      fish_verbs();
  for (const Verb& verb : verbs())
    out += fish_lines_of(verb, "actorctl", fish_condition(verb), verb.group.empty() ? 2 : 3);
  return out + fish_lines_of(actord_line(), "actord", {}, 1);
}

}  // namespace actord::ctl
