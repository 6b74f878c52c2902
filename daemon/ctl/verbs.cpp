// SPDX-License-Identifier: Apache-2.0
#include "ctl/verbs.hpp"

namespace actord::ctl {

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> all = {
      check_verb(),  show_verb(),   explain_verb(), diff_verb(), files_verb(),
      schema_verb(), reload_verb(), render_verb(),  unit_verb(), completion_verb()};
  return all;
}

const std::vector<VerbGroup>& verb_groups() {
  static const std::vector<VerbGroup> all = {
      {"config", "check, explain, compare and reload configurations"}};
  return all;
}

Option output_option() {
  return {.name = "output",
          .letter = 'o',
          .takes = Takes::words,
          .argument = "FORMAT",
          .help = "text for people, which is the default, or json for machines",
          .words = {"text", "json"}};
}

std::vector<Option> configuration_options() {
  return {
      {.name = "config",
       .letter = 'c',
       .takes = Takes::file,
       .argument = "FILE",
       .help = "the configuration; without it /etc/actord/actord.conf. May be repeated,\n"
               "later ones over earlier ones",
       .repeats = true},
      {.name = "no-drop-ins", .help = "leave out the files of conf.d"},
      {.name = "set",
       .letter = 's',
       .takes = Takes::key,
       .argument = "KEY=VALUE",
       .help = "one value over those of the files; may be repeated",
       .repeats = true},
      {.name = "plugin-path",
       .letter = 'p',
       .takes = Takes::folder,
       .argument = "DIR",
       .help = "look for plugins in DIR first; may be repeated",
       .repeats = true},
  };
}

std::vector<Option> connection_options() {
  return {
      {.name = "socket",
       .takes = Takes::socket,
       .argument = "PATH",
       .help = "the daemon's socket; without it $ACTORD_SOCKET, else the one of the\n"
               "service, /run/actord/actord.sock, else that of a daemon of yours,\n"
               "actord.sock in $XDG_STATE_HOME/actord or ~/.local/state/actord"},
      {.name = "timeout",
       .takes = Takes::text,
       .argument = "DURATION",
       .help = "how long to wait for the daemon; 1 minute without it"},
  };
}

}  // namespace actord::ctl
