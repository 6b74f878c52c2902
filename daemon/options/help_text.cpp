// SPDX-License-Identifier: Apache-2.0
#include "options/command_line.hpp"

#include <actord/plugin.h>

namespace actord::options {

std::string help_text() {
  return R"(Usage: actord [--config] FILE... [OPTION...]

Runs supervised actors as a service. FILE is written in HOCON, YAML (*.yaml, *.yml) or JSON
(*.json). It defines the actors, their plugins, and the supervision of failures.

  -c, --config FILE         the configuration; relative paths begin at its folder. May be
                              repeated: a later file overrides the earlier ones
      --no-drop-ins         read no drop-ins, see below
  -s, --set KEY=VALUE       override one value of the files; may be repeated
                              --set actord.user.crawler.config.workers=2
  -p, --plugin-path DIR     look for plugins in DIR first; may be repeated
      --check               check everything that a start would check, and start nothing
      --strict              with --check: warnings count as errors, and notes do not
      --user NAME           with --check: check what this user may use; default: the User= of
                              the installed actord.service that starts FILE, else this user
      --list-plugins        print the names of the plugins that the configuration needs, one a
                              line, and start nothing; the plugins need not exist
      --allow-unknown       report unknown keys as warnings, such as keys of a newer version
      --accept-journal-loss start although the journal of persistent actors has lost its end;
                              what was acknowledged there is gone. Only for the start that
                              needs it
      --log-format FORMAT   auto, json, console, journald or off; auto is console on a terminal,
                              journald if the output goes to the journal, else json
      --log-level LEVEL     error, warning, info or debug
  -v, --verbose             on a terminal, show each log line in full; otherwise a failure is
                              one line, starts and stops are summed up, progress is written over
  -V, --version             print the version
  -h, --help                print this text

Drop-ins are files *.conf, *.json, *.yaml and *.yml in the folder conf.d beside the first FILE;
they override FILE, in the byte order of their names. /etc/actord/actord.conf also has drop-ins
in /run/actord/conf.d, which override it, and in /usr/local/lib/actord/conf.d and
/usr/lib/actord/conf.d, which it overrides. If several files have the same name, only one is
read: the one beside FILE, else that of /run, /usr/local/lib or /usr/lib. An empty file or a
link to /dev/null hides the other files of its name.

An environment variable ACTORD_SET_a_b sets the key a.b to a string and overrides all files. In
its name __ stands for a hyphen and ___ for an underscore, and letters keep their case. --set
overrides these variables.

SIGTERM and SIGINT stop actord: each actor finishes its current message, and then stops. SIGHUP
reloads the configuration; on a terminal, which sends it when it is closed, SIGHUP stops actord.

Exit status:
   0  stopped when asked; with --check: the configuration has no errors
  64  the command line is wrong
  65  a plugin file is refused, for example because it was built for another version, or a
      plugin ends the process while it is loaded
  66  the configuration file does not exist
  69  a guardian (/user or /system) failed after the start, or an actor of the configuration
      is lost and actord.on-actor-lost is exit
  70  an internal error, the root guardian failed, a plugin called exit(), or actors did not
      stop within actord.stop-timeout
  71  the operating system refused a resource
  75  the start failed, for example because a port is in use; another try may succeed
  77  no permission for the configuration file, or for a path or a port that it needs
  78  the configuration has errors, or with --strict warnings: each message has file, line
      and column; or a later version of actord has used the state directory

Examples:
  actord --config /etc/actord/actord.conf --check
  actord crawler.conf --set actord.log.level=debug --log-format json
)";
}

std::string version_text() {
  return "actord " ACTORD_VERSION ", plugin interface " ACTORD_TEXT_OF(
      ACTORD_ABI_MAJOR) "." ACTORD_TEXT_OF(ACTORD_ABI_MINOR) "\n";
}

}  // namespace actord::options
