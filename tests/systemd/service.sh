# shellcheck shell=bash disable=SC2154,SC2016
# SPDX-License-Identifier: Apache-2.0
#
# The packages as an operator has them: installed, started, reloaded, crashed, upgraded, downgraded,
# removed and purged. Sourced by boot.sh in the container.

pid() { prop "${1:-actord}" MainPID; }
# restarted PID [UNIT]: the unit is up, in another process.
restarted() { [[ $(prop "${2:-actord}" ActiveState) == active && $(pid "${2:-actord}") != "$1" ]]; }
asked() { actorctl ask /user/echo echo.Text/1 '{"text": "hello"}' "$@"; }

is "the system is up" "$(systemctl is-system-running --wait)" running
ok "apt installs the package" install_deb "$FILES"/actord_*_amd64.deb

# ---- what is installed
is "systemd has nothing to say about the units" \
  "$(systemd-analyze verify actord.service actord@x.service actord-admin.socket 2>&1)" ""
note "$(systemd-analyze security --no-pager actord.service | tail -n 1)"
ok "systemd rates the exposure 1.4 or less" \
  systemd-analyze security --threshold=14 --no-pager actord.service
is "the package neither enables nor starts it" \
  "$(systemctl is-enabled actord; systemctl is-active actord)" $'disabled\ninactive'
for page in actord.8 actorctl.1 actord.conf.5 actord-log.7 actord-plugin.7; do
  ok "man shows $page" man --pager=cat "${page##*.}" "${page%.*}"
done
for file in config/reference.conf config/examples/echo.conf core/log/events.md; do
  ok "the documentation has $file" test -s "/usr/share/doc/actord/$file"
done
ok "the package tells what it is linked with" \
  grep -q 'pkg:deb/debian/libc6@' /usr/share/doc/actord/actord.spdx.json
ok "the configuration has no errors" actord --config /etc/actord/actord.conf --check

# ---- start
sed -i 's|# echo { behaviour|echo { behaviour|' /etc/actord/actord.conf
echo 'actord.log.sinks.all { type = file, path = /var/log/actord/actord.log }' \
  >>/etc/actord/actord.conf
begin=$(date +%s%3N)
ok "systemctl enable --now" systemctl enable --now actord
took=$(($(date +%s%3N) - begin))
ok "it is ready within 2 s ($took ms)" test "$took" -le 2000
is "its status is a sentence" "$(prop actord StatusText)" "1 of 1 configured actor is up"
ok "an actor answers" asked
is "no other user may ask" \
  "$(setpriv --reuid=4321 --regid=4321 --clear-groups actorctl status 2>&1 >/dev/null; echo $?)" "*
77"
useradd member && usermod -aG actord member  # as the README says
ok "a member of the group may" setpriv --reuid=member --regid=member --init-groups actorctl status

ok "the log is in its file, too" grep -q '"event":"daemon.ready"' /var/log/actord/actord.log
mv /var/log/actord/actord.log /var/log/actord/rotated
systemctl kill -s USR1 --kill-whom=main actord

# ---- reload
echo 'actord.user.second.behaviour = "echo/Echo"' >/etc/actord/second.inc
echo 'include "second.inc"' >>/etc/actord/actord.conf
ok "a reload starts a new actor" systemctl reload actord
ok "it is there" actorctl inspect /user/second
ok "the log goes on in a new file" grep -q '"event":"config.reloaded"' /var/log/actord/actord.log
ok "spawn --persist keeps an actor" actorctl spawn echo/Echo --name third --persist
echo 'actord.user.second.behavior = 1' >/etc/actord/second.inc
nok "a reload of a wrong configuration fails" systemctl reload actord
is "and actord runs on" "$(systemctl is-active actord)" active
echo 'actord.user.second.behaviour = "echo/Echo"' >/etc/actord/second.inc

# ---- crash
old=$(pid)
kill -SEGV "$old"
ok "after a crash it is started again" within 10 restarted "$old"
ok "the kept actor is there again" within 5 actorctl inspect /user/third
ok "it tells of the crash" eval 'actorctl events -e daemon.crashed | grep -q SIGSEGV'
journalctl --sync
is "the journal explains it" \
  "$(journalctl -x -u actord ACTORD_EVENT=daemon.crashed -n 1 --no-pager)" \
  "*Subject: actord has crashed*"

# ---- a package that brings a plugin
bank=$(mktemp -d)
chmod 755 "$bank"
mkdir -p "$bank"/DEBIAN "$bank"/usr/lib/actord/plugins
install -m 644 "$FILES/crashing.so" "$bank"/usr/lib/actord/plugins/
printf '%s\n' 'Package: actord-bank' 'Version: 1' 'Architecture: amd64' \
  'Maintainer: nobody <nobody@localhost>' 'Description: a plugin' >"$bank"/DEBIAN/control
dpkg-deb --build "$bank" "$bank.deb" >/dev/null
ok "dpkg installs a package with a plugin" dpkg -i "$bank.deb"
ok "dpkg has actord look for plugins" \
  eval 'journalctl -u actord -o cat --output-fields=ACTORD_VERB | grep -q plugin.rescan'
ok "actord knows the plugin" eval 'actorctl plugin list | grep -q "^crashing .* verified"'
ok "dpkg removes it again" dpkg -r actord-bank
ok "actord no longer knows it" eval '! actorctl plugin list -o name | grep -qx crashing'

# ---- an actor that crashes actord at every start
# crashes CONFIG: from a reload on, the actor is configured so.
crashes() {
  echo "$1" >/etc/actord/second.inc
  systemctl reload actord
  true  # actord may have crashed before it could answer
}
# told EVENT: how often the journal has it, of the actor that crashes.
told() {
  journalctl --sync
  journalctl -q ACTORD_EVENT="$1" ACTORD_ACTOR="$crasher" -o cat --no-pager | wc -l
}
install -m 644 "$FILES/crashing.so" /usr/lib/actord/plugins/
second='actord.user.second.behaviour = "echo/Echo"'
boss='actord.user.boss {
  supervisor-strategy.max-restarts = 1
  children.crasher { behaviour = "crashing/Crasher", config.how = pointer }
}'
crasher=/user/boss/crasher
old=$(pid)
crashes "$second"$'\n'"$boss"
ok "it is stopped at its restart limit" \
  within 20 eval 'actorctl events -e supervisor.limit | grep -q /user/boss/crasher'
ok "and actord runs without it, in another process" restarted "$old"
ok "the other actors answer" asked
is "actord has crashed in it twice" "$(told daemon.crashed)" 2
is "each start tells of the crash before" "$(told daemon.crash-found)" 2
# That of the first may be lost with what the log had in memory at the second.
ok "its supervisor has judged the crashes" test "$(told actor.failed)" -ge 1
is "by its type" "$(journalctl ACTORD_EVENT=actor.failed ACTORD_ACTOR=$crasher -n 1 \
  --output-fields=ACTORD_FAILURE_TYPE -o cat --no-pager)" actord::crash::SIGSEGV
is "the status says what is down" "$(prop actord StatusText)" \
  "*$crasher was stopped at its restart*"
crasher=/user/crasher
crashes "$second"$'\nactord.user.crasher { behaviour = "crashing/Crasher", config.how = abort }'
ok "another one is in quarantine after three crashes" \
  within 30 eval 'actorctl events -e actor.quarantined | grep -q /user/crasher'
is "not before" "$(told daemon.crashed)" 3
ok "the other actors answer again" asked
is "the list of crashes names the actors" \
  "$(actorctl crash list | grep -c -e /user/boss/crasher -e '/user/crasher, in quarantine')" 5
is "a crash has the stack of the handler" \
  "$(actorctl crash show "$(actorctl crash list -o name | tail -n 1)")" "*crashing::Crasher::crash*"
is "the journal explains it, too" \
  "$(journalctl -x ACTORD_EVENT=actor.quarantined -n 1 --no-pager)" "*actorctl start $crasher*"
ok "the records are for actord only" \
  test "$(stat -c '%U %a' /var/lib/actord/crash/*.json | sort -u)" == "actord 600"
echo "$second" >/etc/actord/second.inc
ok "a reload removes the actor" systemctl reload actord
rm /usr/lib/actord/plugins/crashing.so

# ---- an actor in a process of its own, under the filters of the unit
printf '%s\n' "$second" 'actord.worker.spare = 0' \
  'actord.user.lab { behaviour = "crash_lab/Victim", isolation = process }' >/etc/actord/second.inc
ok "a reload starts an actor in a process of its own" systemctl reload actord
# The id of that process, as the actor says it.
host() {
  actorctl ask /user/lab crash_lab.GetCount/1 '{}' | sed -n 's/.*"process": *\([0-9]*\).*/\1/p'
}
old=$(pid) first=$(host)
is "its parent is actord" "$(awk '/^PPid:/ { print $2 }' "/proc/$first/status")" "$old"
is "it was forked from a zygote" "$(cat /proc/[0-9]*/cmdline | tr '\0' '\n' | grep -c '^zygote')" 1
ok "the actor dies" actorctl tell /user/lab crash_lab.Die/1 '{"how": "null_dereference"}'
ok "its supervisor restarts it" \
  within 10 eval 'actorctl events -e actor.restarted | grep -q /user/lab'
is "by the type of the crash" "$(actorctl events -e actor.failed | grep /user/lab)" \
  "*actord::crash::SIGSEGV*"
ok "in another process" test "$(host)" -ne "$first"
is "and actord is the same one" "$(pid)" "$old"
echo "$second" >/etc/actord/second.inc
ok "a reload removes the actor, too" systemctl reload actord

# ---- several
for name in one two; do
  mkdir -p "/etc/actord/$name"
  echo 'actord.user.echo.behaviour = "echo/Echo"' >"/etc/actord/$name/actord.conf"
  ok "actord@$name starts beside it" systemctl start "actord@$name"
  ok "actord@$name answers" asked --socket "/run/actord-$name/actord.sock"
  ok "actord@$name reloads" systemctl reload "actord@$name"
done
is "each has a state of its own" "$(cd /var/lib && echo actord*)" "actord actord-one actord-two"

# ---- logrotate
# lines FOLDER PATTERN: the lines with it in all log files of a daemon, compressed or not.
lines() { zcat -f "$1"/actord.log* | grep "$2"; }
# rotated FOLDER N: there are that many rotated files, and the daemon writes to a new one.
rotated() { [[ $(find "$1" -name 'actord.log.*' | wc -l) == "$2" && -s $1/actord.log ]]; }
rotate() { logrotate -f /etc/logrotate.conf; }
load='"admin.command".*/user/second'
echo 'actord.log.sinks.all { type = file, path = "/var/log/actord-one/actord.log" }' \
  >>/etc/actord/one/actord.conf
systemctl restart actord@one
is "logrotate finds no fault" "$(logrotate -d /etc/logrotate.conf 2>&1 | grep -i error)" ""
(for _ in {1..200}; do actorctl ask /user/second echo.Text/1 '{"text": "x"}'; done >/dev/null) &
for round in 1 2 3; do
  within 10 eval '(($(grep -c "$load" /var/log/actord/actord.log) >= 20))'
  ok "logrotate rotates under load" rotate
  ok "actord goes on in a new file ($round)" within 10 rotated /var/log/actord "$round"
done
ok "the load has ended well" wait $!
is "each of its commands is in the files" \
  "$(within 5 eval '(($(lines /var/log/actord "$load" | wc -l) >= 200))'
    lines /var/log/actord "$load" | wc -l)" 200
is "each line is whole" "$(lines /var/log/actord '' | grep -v '^{.*}$')" ""
is "and there once" \
  "$(lines /var/log/actord '' | grep -o '"seq":[0-9]*,"pid":[0-9]*' | sort | uniq -d)" ""
is "the new file is for actord only" "$(stat -c '%U %a' /var/log/actord/actord.log)" "actord 600"
asked --socket /run/actord-one/actord.sock >/dev/null
ok "actord@one goes on in a new file, too" within 5 rotated /var/log/actord-one 1
journalctl --sync
is "a daemon without log files gets no signal" \
  "$(journalctl -q ACTORD_EVENT=daemon.signal-ignored --no-pager)" ""
systemctl stop actord@one
ok "logrotate rotates what a stopped daemon has left" rotate
systemctl start actord@one

# ---- upgrade and downgrade
version=/var/lib/actord/actord.version
is "the state directory has a version" "$(stat -c '%U %a' $version)" "actord 600"
rm $version /var/lib/actord-one/actord.version  # as a version of actord that noted none
old=$(pid) one=$(pid actord@one)
ok "apt upgrades it" install_deb "$FILES"/next/actord_*_amd64.deb
ok "actord runs in the new version" within 10 restarted "$old"
ok "so does actord@one" within 10 restarted "$one" actord@one
ok "the operator's configuration is as it was" actorctl inspect /user/third
ok "the state directories have a version now" \
  grep -qx 'format = 1' $version /var/lib/actord-one/actord.version
# A later version says which older ones can go on with what it has written.
later=$'format = 900\nreadable-from = 1\nactord = 90.1.0'
systemctl stop actord
echo "$later" >$version
systemctl start actord
old=$(pid)
ok "apt downgrades it" install_deb "$FILES"/actord_*_amd64.deb
ok "actord runs in the old version" within 10 restarted "$old"
ok "it still tells of the crash" eval 'actorctl events -e daemon.crashed | grep -q SIGSEGV'
is "the state directory is still that of the later version" "$(<$version)" "$later"
systemctl stop actord
sed -i 's/readable-from = 1/readable-from = 2/' $version
nok "a version that cannot read the state directory does not start" systemctl start actord
is "and it stays down" \
  "$(prop actord ActiveState) $(prop actord ExecMainStatus) $(prop actord NRestarts)" "failed 78 0"
journalctl --sync
is "the journal says what to do" "$(journalctl -u actord -p err -n 9 -o cat --no-pager)" \
  "*install actord 90.1.0 or a later version again, or move the directory away*"
mv /var/lib/actord /var/lib/actord.90.1.0  # as it says
ok "with an empty directory it starts" systemctl start actord
systemctl stop actord
rm -r /var/lib/actord
mv /var/lib/actord.90.1.0 /var/lib/actord
sed -i 's/readable-from = 2/readable-from = 1/' $version
ok "so does a version that can read it" systemctl start actord
ok "and it has the history" eval 'actorctl events -e daemon.crashed | grep -q SIGSEGV'

# ---- end
begin=$(date +%s%3N)
ok "systemctl stop" systemctl stop actord
is "in peace" "$(prop actord Result) $(prop actord ExecMainStatus)" "success 0"
note "the stop took $(($(date +%s%3N) - begin)) ms"
systemctl start actord
ok "apt removes it" apt-get -y remove actord
is "nothing runs any more" \
  "$(systemctl is-active actord actord@one actord@two)" $'inactive\ninactive\ninactive'
ok "the configuration is still there" test -e /etc/actord/actord.conf
ok "apt purges it" apt-get -y purge actord
# The test's own unit and files, the journal and man-db's cache are no part of the package.
is "nothing is left" "$(find / -xdev -iname '*actord*' -not -path '*/actord-boot*' \
  -not -path '/srv/*' -not -path '/var/log/journal/*' -not -path '/var/cache/*' 2>/dev/null)" ""
is "no user either, nor a group that had a member" "$(getent passwd actord; getent group actord)" ""
