// SPDX-License-Identifier: Apache-2.0
#include "manual/man_page.hpp"

#include <string_view>

#include "settings/schema.hpp"
#include "settings/setting_codes.hpp"

namespace actord::manual {

using settings::Reload;
using settings::SettingKey;
using settings::Type;

namespace {

constexpr std::string_view head = R"(.\" SPDX-License-Identifier: Apache-2.0
.\" Written by actord-manual from the schema in daemon/settings; changes belong there.
.TH ACTORD.CONF 5 "" actord "File Formats"
.SH NAME
actord.conf \- configuration of actord, the daemon of supervised actors
.SH SYNOPSIS
.I /etc/actord/actord.conf
.br
.I /etc/actord/conf.d/*.conf
.SH DESCRIPTION
The configuration of
.B actord
is written in HOCON, a superset of JSON: quotes may be left out where nothing is ambiguous,
.B =
stands for
.BR : ,
a newline for a comma, and everything after
.B #
or
.B //
is a comment.
.TP
.B a.b.c = 1
is the same as
.BR "a { b { c = 1 } }" .
A key that holds dots stands in quotes.
.TP
.B a = 1, a = 2
The later value holds. Two objects are merged member by member; to replace one, set it to
.B null
first. Lists are replaced;
.B a += x
appends.
.TP
.B ${a.b}
is the value of another key, as it is in the end;
.B ${?a.b}
is nothing if there is none. What is no key is looked for in the environment.
.TP
.B include \(dqother.conf\(dq
puts a file here, relative to this one; with
.B required(\(dqother.conf\(dq)
it must exist.
.TP
.B \(dq\(dq\(dqtext\(dq\(dq\(dq
is taken as it stands, over several lines.
.PP
Durations have a unit:
.BR "500 ms" ,
.BR "3 s" ,
.BR "1 minute" ;
a number alone means milliseconds. Sizes likewise:
.BR 64k ,
.BR "8 MiB" .
.PP
All keys stand below
.BR actord .
Beside it there may be
.B vars
and
.B app
with values to be used by
.BR ${...} ,
keys that begin with
.BR x- ,
and
.B akka
or
.BR pekko ,
of which one key is read:
.BR actor.guardian-supervisor-strategy .
Any other key is an error.
.PP
.B actord \-\-check
tells everything that is wrong, with file, line and column, and starts nothing;
.B actorctl config explain
.I KEY
tells where a value comes from.
.SS When a change holds
Each key below says what a reload (SIGHUP, or
.BR "actorctl config reload" )
does about it.
.TP
.B live
The new value holds from the reload on, also for actors that run.
.TP
.B new actors
It holds for actors that are created after the reload.
.TP
.B restart actor
The reload restarts the actor, or puts another in its place.
.TP
.B restart
It holds when actord is started again.
.SH KEYS
.IR NAME ,
.I PATTERN
and
.I TYPE
stand for names that the operator chooses.
)";

constexpr std::string_view tail = R"(.SH SECRETS
What lies below
.B vars.secret
is never shown, nor is a value that it goes into, as in
.BR "url = \(dqpostgres://u:\(dq${vars.secret.pw}\(dq@h\(dq" ;
the same holds for members of a config that their behaviour declares secret.
At a key of actord itself a secret is an error, for the value of such a key is shown.
A secret, in a list as well, is written as it is, or as one of these, whose newline at the end
is not part of it; a later one replaces an earlier one, and one object names no two:
.TP
.B { credential = NAME }
what systemd passes on by
.BR LoadCredential= ,
in
.IR $CREDENTIALS_DIRECTORY
.TP
.B { file = PATH }
the text of a file
.TP
.B { env = NAME }
a variable of the environment; those can be read by others more easily
.SH FILES
Later ones win over earlier ones, and all are merged before
.B ${...}
is looked up. A file named *.yaml or *.yml is YAML, with the same keys: nested mappings take the
place of dots, and there is no
.BR ${...} .
A file named *.json is strict JSON.
.TP
.IR /usr/lib/actord/conf.d ", " /usr/local/lib/actord/conf.d
what packages bring, and only below
.I /etc/actord/actord.conf
.TP
.I /etc/actord/actord.conf
the main file, or those of
.B \-\-config
.TP
.IR /etc/actord/conf.d ", " /run/actord/conf.d
the administrator's additions. Another main file has its own in the folder
.I conf.d
beside it, and none in
.I /run
.TP
.B ACTORD_SET_a_b__c___d
variables of the environment, each a text for a key, here
.BR a.b\-c_d :
one underscore is a dot, two are a hyphen, three an underscore;
letters keep their case, which keys tell apart
.TP
.B \-\-set a.b=VALUE
of the command line, with the value in HOCON
.PP
In the folders the files *.conf, *.json, *.yaml and *.yml count, in the order of the bytes of their
names, whatever folder they lie in. Of several with one name the strongest counts alone: that beside
the main file, then that of
.IR /run ,
.IR /usr/local/lib ,
.IR /usr/lib .
An empty file or a link to
.I /dev/null
hides the weaker ones of its name. The convention is 10\-x.conf to 40\-x.conf for packages and
60\-x.conf to 90\-x.conf for the administrator. A list is replaced by a later one and extended by
.BR "a += x" .
.B actorctl config files
tells of every file that was looked at.
.SH EXAMPLES
A web server and a crawler, whose failures are restarted after a growing delay:
.PP
.nf
.RS
actord {
  user {
    site { behaviour = \(dqstatic_site/Site\(dq, config { root = /srv/www } }
    crawler {
      behaviour = \(dqcrawler/Master\(dq
      supervisor\-strategy {
        max\-restarts = 100, within = 1 minute
        decider { \(dqcrawler::RetrievalException\(dq = restart, default = escalate }
        backoff { min = 200 ms, max = 10 s }
      }
    }
  }
  actor.deployment { \(dq/user/crawler/*\(dq { dispatcher = blocking\-io } }
  log.level = debug
}
.RE
.fi
.SH SEE ALSO
.BR "actord \-\-help" ,
.BR "actorctl \-\-help" ,
.BR systemd.exec (5)
.PP
The language: https://github.com/lightbend/config/blob/main/HOCON.md
)";

// Escapes `text` so that man(7) reads no request or escape in it.
std::string escaped(std::string_view text) {
  std::string out;
  if (text.starts_with('.') || text.starts_with('\'')) out = "\\&";
  for (const char c : text) {
    switch (c) {
      case '\\': out += "\\e"; break;
      case '-': out += "\\-"; break;
      case '"': out += "\\(dq"; break;
      case '~': out += "\\(ti"; break;
      case '^': out += "\\(ha"; break;
      case '`': out += "\\(ga"; break;
      default: out += c;
    }
  }
  return out;
}

void add_key(std::string& page, const SettingKey& key) {
  page += ".TP\n.B " + escaped(settings::sample_path(key)) + '\n';
  if (!key.doc.empty()) page += escaped(key.doc) + '\n';
  const bool is_bare = key.words.empty() && key.form.empty();
  if (is_bare && (key.type == Type::section || key.type == Type::names)) return;
  if (!key.doc.empty()) page += ".br\n";
  page += "Range: " + escaped(settings::range_text(key)) + ".\n";
  if (key.is_needed) page += "Needed.\n";
  if (!key.standard.empty()) page += "Default: " + escaped(key.standard) + ".\n";
  page += "Reload: " + std::string{settings::name_of(key.reload)} + ".\n";
}

}  // namespace

std::string man_page() {
  std::string page{head};
  for (const SettingKey& key : settings::schema()) {
    const bool has_something_to_say = !key.doc.empty();
    if (has_something_to_say) add_key(page, key);
  }
  page += ".SH DIAGNOSTICS\nEvery finding has a code, at the end of its first line.\n";
  for (const settings::CodeMeaning& each : settings::code_meanings())
    page.append(".TP\n.B ").append(each.code).append("\n").append(escaped(each.meaning)) += '\n';
  return page += tail;
}

}  // namespace actord::manual
