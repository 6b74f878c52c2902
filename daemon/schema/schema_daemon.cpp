// SPDX-License-Identifier: Apache-2.0
#include "schema/known_words.hpp"
#include "schema/schema_sections.hpp"

namespace actord::schema {

constexpr std::array<std::string_view, 2> on_or_off = {"on", "off"};

constexpr SettingKey daemon_rows[] = {
    {.path = "actord.name",
     .type = Type::text,
     .form = "^[A-Za-z0-9][A-Za-z0-9_-]*$",
     .range = "letters, digits, - and _, beginning with a letter or digit",
     .default_value = "actord",
     .doc = "The name of this actor system in log lines and messages."},

    {.path = "actord.state-dir",
     .type = Type::path,
     .example = "/var/lib/actord",
     .doc = "The folder for files of actors; it is created at the start if it does not exist. A "
            "relative path begins at the folder of the file that sets it. If not set: the first "
            "folder of $STATE_DIRECTORY (which systemd sets), else $XDG_STATE_HOME/actord, else "
            "$HOME/.local/state/actord."},

    {.path = "actord.plugins"},
    {.path = "actord.plugins.path",
     .type = Type::list,
     .min = 1,
     .elements = Type::path,
     .range = "a list of at least one path; relative as in state-dir",
     .example = "[\"/usr/lib/actord/plugins\"]",
     .doc = "Folders that are searched for plugins, in this order. If not set: plugins/ beside "
            "the folder of the executable if it exists, else /usr/lib/actord/plugins."},
    {.path = "actord.plugins.trust",
     .type = Type::word,
     .words = names<plugin_trust_words>,
     .default_value = "auto",
     .doc = "Whose plugins are loaded. actord looks at each folder, symbolic link and file on the "
            "way from / to a plugin before any of the plugin's code runs, and refuses a plugin "
            "that others could change. strict: everything belongs to root, and group and others "
            "may not write to it. developer: the owner of actord's executable and the user who "
            "runs it, also by sudo, may own it, too, and the plugin's folder may lie in a folder "
            "with the sticky bit, such as /tmp. auto: strict if systemd has started actord, and "
            "for a check of the configuration that the installed actord.service starts; else "
            "developer."},
    {.path = "actord.plugins.autoload",
     .type = Type::word,
     .words = names<plugin_autoload_words>,
     .range = "off | verify | on",
     .default_value = "verify",
     .reload = Reload::live,
     .doc = "What becomes of plugins that lie in the folders and that the configuration does not "
            "name, also of those that are put there while actord runs. verify: each is looked at "
            "and tried out in a process without rights, and the log tells what came of it, once: "
            "plugin.verified, plugin.rejected or plugin.broken. on: one that is sound is loaded, "
            "too, so that actorctl spawn can create its actors. off: the folders are not watched. "
            "A plugin that the configuration names is loaded in any case; a newer file of a "
            "plugin that is loaded takes effect at the next start of actord."},
    {.path = "actord.plugins.limits",
     .type = Type::names,
     .name = "PLUGIN",
     .reload = Reload::live,
     .doc = "What all actors of one plugin together may have. At a limit spawn() throws "
            "actord::LimitReached; a timer is not started and an ask not sent, and the handler "
            "that wanted it fails with actord::LimitReached. The event plugin.limit-reached tells "
            "of it. What a plugin has when it gets its first limit, by a reload, never counts."},
    {.path = "actord.plugins.limits.*", .reload = Reload::live},
    capacity("actord.plugins.limits.*.actors", Reload::live,
             "Actors. Those that the configuration names count, and always start. Work that is "
             "piped counts as an actor and an ask while it runs."),
    capacity("actord.plugins.limits.*.timers", Reload::live,
             "Timers with a key. The timer of a receive timeout and scheduled messages do not "
             "count."),
    capacity("actord.plugins.limits.*.asks", Reload::live,
             "Asks and graceful stops that wait for their answers."),

    {.path = "actord.plugins.isolation",
     .type = Type::names,
     .name = "PLUGIN",
     .reload = Reload::new_actors,
     .doc = "Where the actors of a plugin live, by its name, if neither an actor's node nor a "
            "deployment pattern says so; see user.NAME.isolation."},
    {.path = "actord.plugins.isolation.*",
     .type = Type::word,
     .words = names<isolation_words>,
     .range = "thread | process | auto",
     .example = "process",
     .reload = Reload::new_actors,
     .doc = "A plugin, and where its actors live. process: its code is not loaded into actord at "
            "all, unless a node or a pattern says thread or auto. If not set: thread."},

    {.path = "actord.admin", .doc = "How actorctl talks to this daemon."},
    {.path = "actord.admin.socket",
     .type = Type::path,
     .words = off,
     .range = "off | a path of at most 107 bytes; relative as in state-dir",
     .example = "/run/actord/actord.sock",
     .doc = "The socket that actorctl connects to. Root, the user that actord runs as and the "
            "members of the socket's group may use it. off: no socket; only SIGHUP reloads the "
            "configuration. If not set: actord.sock in $RUNTIME_DIRECTORY (which systemd sets), "
            "else in the state directory."},

    {.path = "actord.admin.default-role",
     .type = Type::word,
     .words = names<role_words>,
     .default_value = "admin",
     .reload = Reload::live,
     .doc = "What those may do who may use the socket and are in no group of roles. read: ask for "
            "what is: status, log, actors, configuration. operate: also steer actors and send "
            "messages to them. admin: also change the configuration, by a reload. none: nothing. "
            "Root and the user that actord runs as have the role admin in any case."},
    {.path = "actord.admin.roles",
     .type = Type::names,
     .name = "GROUP",
     .reload = Reload::live,
     .doc = "The roles of groups of the system; of several groups the highest role counts. Their "
            "members must be allowed to use the socket, too, as members of its group."},
    {.path = "actord.admin.roles.*",
     .type = Type::word,
     .words = names<role_words>,
     .example = "read",
     .reload = Reload::live,
     .doc = "A group, by its name or number, and the role of its members."},

    {.path = "actord.http",
     .doc =
         "HTTP for what looks after this machine: /metrics, in the formats of Prometheus and "
         "OpenMetrics, and the probes /livez, /readyz and /startupz, each with ?verbose. Nothing "
         "can be changed there."},
    {.path = "actord.http.listen",
     .type = Type::text,
     .words = off,
     .range = "off | ADDRESS:PORT, where ADDRESS is one of this machine's own: 127.0.0.1, [::1], "
              "localhost",
     .example = "\"127.0.0.1:4464\"",
     .doc = "Where HTTP is served; if not set: off. There is no password, so other machines do not "
            "reach it; a proxy on this machine can let them."},
    {.path = "actord.http.hosts",
     .type = Type::list,
     .elements = Type::text,
     .default_value = "[]",
     .doc = "Names of hosts by which requests may call the server, besides localhost and its "
            "address: those that a proxy passes on. Requests with other names are refused."},

    {.path = "actord.boot"},
    {.path = "actord.boot.on-failure",
     .type = Type::word,
     .words = names<on_boot_failure_words>,
     .range = "fail (actord ends with exit status 75, or with 77 for want of a permission; or, if "
              "a check would find the reason, with 78 or 77 before any actor is created) | degrade "
              "(actord runs without that actor)",
     .default_value = "fail",
     .doc = "What actord does at the start when a configured actor cannot be created and its "
            "supervisor stops it. A folder or a file that is missing, or a config that the "
            "plugin rejects, is such a reason; with degrade a reload tries again."},

    {.path = "actord.on-actor-lost",
     .type = Type::word,
     .words = names<on_actor_lost_words>,
     .range = "ignore | degrade | exit",
     .default_value = "degrade",
     .reload = Reload::live,
     .doc = "What actord does when a configured actor is gone: stopped because of a failure, "
            "not created, or ended although its lifetime is permanent. degrade: the log tells it "
            "(daemon.degraded, daemon.healthy), and also that an actor waits longer than 5 s for "
            "its restart. exit: actord stops with exit status 69, and a service manager may start "
            "it again; losses at the start are up to boot.on-failure. ignore: neither. The status "
            "that the service manager shows counts the actors in any case."},

    {.path = "actord.on-daemon-crash",
     .type = Type::word,
     .words = names<on_daemon_crash_words>,
     .range = "restart | quarantine | isolate",
     .default_value = "restart",
     .doc = "What comes of an actor in which actord has crashed, when actord starts again. The "
            "actor is the configured one, or the nearest configured ancestor of one that code has "
            "created. restart: it fails with actord::crash::SIGSEGV or the like before it is "
            "created, and its supervisor decides by its strategy; restart limit and back-off count "
            "the crashes since the last stop in order. quarantine: it is not started until "
            "actorctl start, or a start of actord with another build of its plugin. isolate: as "
            "restart, and the actors of its plugin live in a host process until the file of the "
            "plugin is another build, unless isolation is set for them. A plugin that "
            "crashes actord outside of actors is loaded again, or in quarantine not loaded until "
            "its file is another build."},
    {.path = "actord.crashes", .doc = "Crashes of actord itself, see also actorctl crash list."},
    {.path = "actord.crashes.quarantine-after",
     .type = Type::integer,
     .words = off,
     .min = 1,
     .max = 1000,
     .range = "off | 1 to 1000",
     .default_value = "3",
     .doc = "With so many crashes within the time below, the actor or plugin is put into "
            "quarantine although on-daemon-crash is restart and its supervisor would restart it, "
            "so that the others run. off: only the supervisor's strategy counts."},
    {.path = "actord.crashes.within",
     .type = Type::duration,
     .min = std::int64_t{1'000'000'000},
     .max = std::int64_t{31'536'000'000'000'000},
     .range = "1 s to 365 days",
     .default_value = "10 minutes",
     .doc = "The time in which the crashes count."},
    {.path = "actord.crashes.keep",
     .type = Type::integer,
     .min = 1,
     .max = 10'000,
     .range = "1 to 10000",
     .default_value = "50",
     .doc = "How many crashes are kept in the folder crash/ of the state directory, for actorctl "
            "crash. The oldest goes first."},

    {.path = "actord.stop-timeout",
     .type = Type::duration,
     .words = off,
     .min = std::int64_t{1'000'000'000},
     .max = std::int64_t{86'400'000'000'000},
     .range = "off | 1 s to 1 day",
     .default_value = "80 s",
     .reload = Reload::live,
     .doc = "How long a stop waits for actors. Then actord names those that have not stopped, "
            "writes the rest of its log, and ends with exit status 70. It should be shorter than "
            "the time after which the service manager kills, TimeoutStopSec= of the unit. off: it "
            "waits for ever, or for a second signal."},

    {.path = "actord.core-dumps",
     .type = Type::word,
     .words = names<core_dumps_words>,
     .range = "auto | full | none",
     .default_value = "auto",
     .reload = Reload::live,
     .doc =
         "Whether the kernel may write the memory of a crashed actord to a core dump. A full one "
         "contains the secrets of the configuration. none: no core dump, and no other user can "
         "attach a debugger; daemon.crashed is logged all the same. auto: full until the "
         "configuration has a secret, none from then on."},

    {.path = "actord.failures"},
    {.path = "actord.failures.stacktrace",
     .type = Type::word,
     .words = names<throw_sites_words>,
     .range = "none | first | all",
     .default_value = "first",
     .reload = Reload::live,
     .doc =
         "Whether a failure's line has the calls that led to the throw (failure.stack). first: of "
         "each class of exceptions once an hour; all: of each exception, which then takes some "
         "10 us more. They are taken when an exception is thrown, whether it becomes a failure "
         "or not."},

    {.path = "actord.metrics"},
    {.path = "actord.metrics.actors",
     .type = Type::word,
     .words = names<counted_actors_words>,
     .range = "none | configured | all",
     .default_value = "configured",
     .reload = Reload::live,
     .doc = "The actors whose messages, failures and restarts are counted one by one, for actorctl "
            "top and the metrics. all: also those that code spawns, 32 bytes each; the metrics "
            "still have only those of the configuration."},

    {.path = "actord.tracing",
     .doc =
         "Traces of requests through the actors, as the W3C's Trace Context has them: each actor "
         "that handles a message of a trace logs an event actor.span."},
    {.path = "actord.tracing.enabled",
     .type = Type::boolean,
     .default_value = "on",
     .reload = Reload::live,
     .doc =
         "Whether the traces of requests from outside go on here: those of actorctl ask and tell "
         "--trace, and those that a plugin continues."},
    {.path = "actord.tracing.sample-ratio",
     .type = Type::number,
     .min = 0,
     .max = 1,
     .default_value = "0",
     .reload = Reload::live,
     .doc = "The share of the messages of timers and from outside that begin a trace of their "
            "own."},

    {.path = "actord.log"},
    {.path = "actord.log.level",
     .type = Type::word,
     .words = names<log_level_words>,
     .default_value = "info",
     .reload = Reload::live,
     .doc = "The lowest level that is logged. The audit is logged at every level: admin.command, "
            "admin.denied, actor.traced, config.reloaded, config.rejected, plugin.loaded, "
            "plugin.retired, plugin.slow, plugin.detach-failed."},
    {.path = "actord.log.format",
     .type = Type::word,
     .words = names<log_format_words>,
     .default_value = "auto",
     .doc = "The form of the log. json: one object on each line. console: lines for people. "
            "journald: entries with fields, sent to the socket of the systemd journal; if that "
            "cannot be used, a warning says so once, and the form is that of auto. auto: console "
            "on a terminal; journald if standard output is the journal's stream, as in a service; "
            "else json. If the socket of the journal cannot be used, the lines in its stream are "
            "json, each with its priority before it, such as <4>. off: only log.sinks get the log, "
            "and actorctl."},
    {.path = "actord.log.output-level",
     .type = Type::word,
     .words = names<log_level_words>,
     .default_value = "debug",
     .doc = "Lines that are less severe are not in the output that `format` is about. It gets none "
            "that log.level leaves out."},
    {.path = "actord.log.verbose",
     .type = Type::boolean,
     .default_value = "off",
     .doc = "Whether a terminal shows each log line in full. off: a failure is one line of the "
            "window's width, the starts and stops of actors are summed up, and progress is one "
            "line that is written over. Only for the format console on a terminal."},
    {.path = "actord.log.failure-burst",
     .type = Type::integer,
     .words = off,
     .min = 1,
     .max = 1'000'000,
     .range = "off | 1 to 1000000",
     .default_value = "5",
     .reload = Reload::live,
     .doc =
         "How many failures of one kind are logged; then one more every 10 s. Of the others, the "
         "log tells the exact number once a second (log.suppressed). A kind is a type of "
         "failure in a behaviour, with the hook that failed and the rule that decided. The "
         "stop of a configured actor is always logged. off: all failures are logged."},
    {.path = "actord.log.history-size",
     .type = Type::size,
     .min = std::int64_t{256} << 10,
     .max = std::int64_t{1} << 30,
     .default_value = "8 MiB",
     .doc = "How much of the log actord keeps for actorctl logs, events, failures and story: its "
            "own events, in memory and in the files of history/ in the state directory, which "
            "outlive a restart; and an eighth more of what actors log, in memory."},

    {.path = "actord.log.sinks",
     .type = Type::names,
     .name = "NAME",
     .doc =
         "Places that get the log, too, besides the output that `format` is about: files, syslog "
         "and the journal. If one does not take a line, standard error tells so, and the others "
         "get it all the same."},
    {.path = "actord.log.sinks.*"},
    {.path = "actord.log.sinks.*.type",
     .type = Type::word,
     .words = names<log_sink_type_words>,
     .is_needed = true,
     .example = "file",
     .doc = "What the place is. Of the keys below, path and rotate are only for a file, facility "
            "only for syslog, format for both, and socket for syslog and journald."},
    {.path = "actord.log.sinks.*.level",
     .type = Type::word,
     .words = names<log_level_words>,
     .default_value = "debug",
     .doc = "Lines that are less severe are not sent there. It gets none that log.level leaves "
            "out."},
    {.path = "actord.log.sinks.*.format",
     .type = Type::word,
     .words = names<sink_format_words>,
     .range = "json | console",
     .example = "json",
     .doc = "json: one object on each line. console: lines for people. If not set: json in a file, "
            "console for syslog. Entries of the journal have fields."},
    {.path = "actord.log.sinks.*.path",
     .type = Type::path,
     .range = "a path; relative as in state-dir",
     .example = "/var/log/actord/actord.log",
     .doc = "The file, which the type file needs. It is created if it does not exist, its folder "
            "is not. The service may write below /var/log/actord. SIGUSR1 opens the files again, "
            "and so does actord by itself if another program has renamed one."},
    {.path = "actord.log.sinks.*.rotate"},
    {.path = "actord.log.sinks.*.rotate.size",
     .type = Type::size,
     .words = off,
     .min = 64 << 10,
     .range = "off | at least 64 KiB",
     .default_value = "off",
     .doc =
         "A file that would become larger is renamed to NAME.1, and NAME.1 to NAME.2. off: leave "
         "it to another program, such as logrotate."},
    {.path = "actord.log.sinks.*.rotate.keep",
     .type = Type::integer,
     .min = 0,
     .max = 1000,
     .default_value = "5",
     .doc = "How many renamed files are kept."},
    {.path = "actord.log.sinks.*.facility",
     .type = Type::word,
     .words = names<syslog_facility_words>,
     .example = "daemon",
     .shown = Shown::as_alternative,
     .doc = "What syslog takes actord for; if not set: daemon. Each record is a datagram as "
            "syslog(3) sends it, with the severity that the journal would give it. One that is too "
            "long is shortened, and ends with how many bytes are left out."},
    {.path = "actord.log.sinks.*.socket",
     .type = Type::path,
     .range = "a path of at most 107 bytes; relative as in state-dir",
     .example = "/dev/log",
     .shown = Shown::as_alternative,
     .doc = "The socket of syslog or of the journal. If not set: /dev/log for syslog, "
            "/run/systemd/journal/socket for journald. If it is missing or is replaced, each "
            "record is a new attempt. A batch waits at most 500 ms for a reader that is slow; "
            "what is lost then is counted."},

    {.path = "actord.dead-letters",
     .doc =
         "Dead letters, which are messages that could not be delivered, and unhandled messages."},
    {.path = "actord.dead-letters.log",
     .type = Type::integer,
     .words = on_or_off,
     .min = 0,
     .range = "on (all) | off (none) | a number of at least 0",
     .default_value = "10",
     .reload = Reload::live,
     .doc = "How many dead letters and unhandled messages are logged before their logging is "
            "suspended."},
    {.path = "actord.dead-letters.suspend",
     .type = Type::duration,
     .words = infinite,
     .min = 1,
     .default_value = "5 minutes",
     .reload = Reload::live,
     .doc = "How long the logging of dead letters and unhandled messages stays suspended. Then as "
            "many as `log` says are logged again."},
    {.path = "actord.dead-letters.during-shutdown",
     .type = Type::boolean,
     .default_value = "off",
     .reload = Reload::live,
     .doc = "Whether dead letters and unhandled messages are logged while the system shuts down."},
    {.path = "actord.dead-letters.history-size",
     .type = Type::size,
     .min = 0,
     .max = std::int64_t{1} << 30,
     .default_value = "4 MiB",
     .reload = Reload::live,
     .doc = "Memory for the newest dead letters and unhandled messages with their content, which "
            "actorctl deadletters lists, shows and sends again. They do not outlive a restart. 0: "
            "none are kept."},

    {.path = "actord.quarantine",
     .doc = "The quarantine of messages: those on which actors have failed as often as "
            "on-failure.max-attempts says. They are files in the folder quarantine/ of the state "
            "directory and outlive a restart. actorctl quarantine lists, shows and drops them, and "
            "sends them again."},
    {.path = "actord.quarantine.max-messages",
     .type = Type::integer,
     .min = 1,
     .max = 100'000,
     .default_value = "1000",
     .reload = Reload::live,
     .doc = "How many messages it may hold. A further one becomes a dead letter with the reason "
            "poison, and the log says so. Those that are there stay if this becomes less."},
    {.path = "actord.quarantine.max-bytes",
     .type = Type::size,
     .min = 1024,
     .max = std::int64_t{1} << 30,
     .default_value = "8 MiB",
     .reload = Reload::live,
     .doc = "How many bytes the messages in it may take up, with what is known of their failures."},
};

SettingKeys daemon_keys() { return daemon_rows; }

}  // namespace actord::schema
