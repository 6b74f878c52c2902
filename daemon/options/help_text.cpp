// SPDX-License-Identifier: Apache-2.0
#include "options/command_line.hpp"

#include <actord/plugin.h>

namespace actord::options {

std::string help_text() {
  return R"(Usage: actord [--config] FILE... [OPTION...]

Runs supervised actors as a service. FILE says in HOCON, YAML (*.yaml, *.yml) or JSON (*.json)
which actors there are, which plugins they come from, and what happens when one fails.

  -c, --config FILE         the configuration; its folder is where relative paths start. May be
                              repeated: a later file goes over the earlier ones
      --no-drop-ins         read no drop-ins, see below
  -s, --set KEY=VALUE       one value over those of the files; may be repeated
                              --set actord.user.crawler.config.workers=2
  -p, --plugin-path DIR     look for plugins in DIR first; may be repeated
      --check               read and check everything that a start would, start nothing
      --allow-unknown       only warn of unknown keys, as of a newer version
      --log-format FORMAT   auto, json or console; auto is console on a terminal, else json
      --log-level LEVEL     error, warning, info or debug
  -V, --version             print the version
  -h, --help                print this text

Drop-ins are files *.conf, *.json, *.yaml and *.yml in the folder conf.d beside the first FILE;
they go over FILE, in the byte order of their names. /etc/actord/actord.conf has drop-ins in
/run/actord/conf.d, too, and, below itself, in /usr/local/lib/actord/conf.d and
/usr/lib/actord/conf.d. Of several with one name the strongest counts: that beside FILE, then
that of /run, of /usr/local/lib, of /usr/lib. An empty file or a link to /dev/null hides those
weaker than itself.

A variable ACTORD_SET_a_b of the environment is a text for the key a.b, over all files; in its
name __ stands for a hyphen and ___ for an underscore, and letters keep their case. --set goes
over that.

SIGTERM and SIGINT end it in order: actors first, each after its message. SIGHUP makes it read
the configuration again; on a terminal, which sends it when it is closed, it ends it in order.

Exit status:
   0  ended as asked; with --check: nothing is wrong
  64  the command line is wrong
  65  a plugin file is refused: no plugin, or built for another version
  66  the configuration file does not exist
  69  the guardian of the actors gave up after the start
  70  an internal error; the root of the actors failed
  71  the operating system refused something
  75  the start failed, as when a port is in use; another try may succeed
  77  the configuration file, or a path it needs, is not permitted
  78  the configuration is wrong: the message tells file, line and column

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
