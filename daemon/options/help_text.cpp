// SPDX-License-Identifier: Apache-2.0
#include "options/command_line.hpp"

#include <actord/plugin.h>

namespace actord::options {

std::string help_text() {
  return R"(Usage: actord [--config] FILE [OPTION...]

Runs supervised actors as a service. FILE says in HOCON which actors there are, which
plugins they come from, and what happens when one fails.

  -c, --config FILE         the configuration; its folder is where relative paths start
  -s, --set KEY=VALUE       one value over those of the file; may be repeated
                              --set actord.user.crawler.config.workers=2
  -p, --plugin-path DIR     look for plugins in DIR first; may be repeated
      --check               read and check everything that a start would, start nothing
      --log-format FORMAT   auto, json or console; auto is console on a terminal, else json
      --log-level LEVEL     error, warning, info or debug
  -V, --version             print the version
  -h, --help                print this text

SIGTERM and SIGINT end it in order: actors first, each after its message.

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
