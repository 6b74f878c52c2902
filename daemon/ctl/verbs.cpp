// SPDX-License-Identifier: Apache-2.0
#include "ctl/verbs.hpp"

namespace actord::ctl {

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> all = {status_verb(),
                                        tree_verb(),
                                        top_verb(),
                                        inspect_verb(),
                                        failures_verb(),
                                        story_verb(),
                                        events_verb(),
                                        logs_verb(),
                                        loglevel_verb(),
                                        metrics_verb(),
                                        breakers_verb(),
                                        workers_verb(),
                                        tell_verb(),
                                        ask_verb(),
                                        start_verb(),
                                        stop_verb(),
                                        restart_verb(),
                                        suspend_verb(),
                                        resume_verb(),
                                        kill_verb(),
                                        spawn_verb(),
                                        drain_verb(),
                                        shutdown_verb(),
                                        trace_verb(),
                                        timers_verb(),
                                        dead_letter_list_verb(),
                                        dead_letter_show_verb(),
                                        dead_letter_replay_verb(),
                                        dead_letter_drop_verb(),
                                        quarantine_list_verb(),
                                        quarantine_show_verb(),
                                        quarantine_replay_verb(),
                                        quarantine_drop_verb(),
                                        crash_list_verb(),
                                        crash_show_verb(),
                                        crash_export_verb(),
                                        journal_status_verb(),
                                        journal_list_verb(),
                                        journal_show_verb(),
                                        journal_export_verb(),
                                        journal_verify_verb(),
                                        journal_compact_verb(),
                                        journal_drop_verb(),
                                        plugin_list_verb(),
                                        plugin_inspect_verb(),
                                        plugin_verify_verb(),
                                        plugin_load_verb(),
                                        plugin_rescan_verb(),
                                        plugin_retire_verb(),
                                        check_verb(),
                                        show_verb(),
                                        explain_verb(),
                                        diff_verb(),
                                        files_verb(),
                                        keys_verb(),
                                        schema_verb(),
                                        reload_verb(),
                                        confirm_verb(),
                                        revert_verb(),
                                        render_verb(),
                                        unit_verb(),
                                        plugin_new_verb(),
                                        plugin_dev_verb(),
                                        plugin_doc_verb(),
                                        completion_verb()};
  return all;
}

const std::vector<VerbGroup>& verb_groups() {
  static const std::vector<VerbGroup> all = {
      {"config", "check, explain, compare and reload configurations"},
      {"crash", "find out what has crashed the daemon, and what was held to account for it"},
      {"deadletters", "look at messages that were not delivered, and send them again"},
      {"journal", "look at what persistent actors have stored, check it, and export it"},
      {"plugin", "write plugins, look at them, and load them while actord runs"},
      {"quarantine", "look at messages on which actors fail, and send them again"}};
  return all;
}

Option output_option() {
  return {.name = "output",
          .letter = 'o',
          .takes = Takes::words,
          .argument = "FORMAT",
          .help = "text (the default) or json",
          .words = {"text", "json"}};
}

Verb with_names(Verb verb) {
  for (Option& option : verb.options) {
    if (option.name != "output") continue;
    option.words.push_back("name");
    option.help = "text (the default), json, or name: only names, one on each line";
  }
  return verb;
}

Verb with_tables(Verb verb) {
  for (Option& option : verb.options) {
    if (option.name != "output") continue;
    option.words.insert(option.words.end(), {"table", "wide"});
    option.help =
        "text (the default), table: one line for each, wide: the same with all\n"
        "columns, json, or name: only names, one on each line";
  }
  return verb;
}

std::vector<Option> configuration_options() {
  return {
      {.name = "config",
       .letter = 'c',
       .takes = Takes::file,
       .argument = "FILE",
       .help = "the configuration; default: /etc/actord/actord.conf. May be repeated,\n"
               "later files override earlier ones",
       .repeats = true},
      {.name = "no-drop-ins", .help = "do not read the files of conf.d"},
      {.name = "set",
       .letter = 's',
       .takes = Takes::assignment,
       .argument = "KEY=VALUE",
       .help = "override one value of the files; may be repeated",
       .repeats = true},
      {.name = "plugin-path",
       .letter = 'p',
       .takes = Takes::folder,
       .argument = "DIR",
       .help = "look for plugins in DIR first; may be repeated",
       .repeats = true},
  };
}

Verb with_daemon_options(Verb verb) {
  verb.options.insert(
      verb.options.end(),
      {
          {.name = "socket",
           .takes = Takes::socket,
           .argument = "PATH",
           .help = "the daemon's socket; default: $ACTORD_SOCKET, else the socket of the\n"
                   "service, /run/actord-admin.sock or /run/actord/actord.sock, else the\n"
                   "socket of your own daemon,\n"
                   "actord.sock in $XDG_STATE_HOME/actord or ~/.local/state/actord"},
          {.name = "timeout",
           .takes = Takes::text,
           .argument = "DURATION",
           .help = "how long to wait for the daemon; default: 1 minute"},
          output_option(),
      });
  return verb;
}

}  // namespace actord::ctl
