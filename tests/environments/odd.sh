#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# odd.sh [-q LENGTH] PROGRAM [ARGUMENT...]: runs a program in an environment that no developer has:
# small limits, a umask of 077, the locale C, a time zone with odd minutes, neither HOME nor
# XDG variables, and what systemd tells a service, addressed to another process.
#
#   -q  net.unix.max_dgram_qlen, in a network namespace of the program's own
#
# Exit status: that of the program; 77 after "skipped: REASON", if the length cannot be set here.
set -euo pipefail

skip() { echo "skipped: $*" && exit 77; }
# Of an ordinary user, some kernels hide the setting in a new namespace; its length is 10 then.
set_length() {
  local setting=/proc/sys/net/unix/max_dgram_qlen
  [[ -e $setting || $1 != 10 ]] || return 0
  [[ -w $setting ]] && echo "$1" >$setting && [[ $(<$setting) == "$1" ]]
}

if [[ ${1-} == -q ]]; then
  length=$2 as_root=()
  shift 2
  ((EUID == 0)) || as_root=(--map-root-user)
  unshare --net "${as_root[@]}" true 2>/dev/null ||
    skip "this process may not make a network namespace"
  exec unshare --net "${as_root[@]}" "$BASH" "$0" --length "$length" "$@"
elif [[ ${1-} == --length ]]; then
  set_length "$2" || skip "net.unix.max_dgram_qlen cannot be set here"
  shift 2
fi

umask 077
ulimit -c 0
ulimit -l 64
ulimit -n 256
ulimit -s 1024
for variable in HOME USER LOGNAME LANG LANGUAGE TERM "${!LC_@}" "${!XDG_@}"; do
  unset "$variable"
done
# The zone is spelled out, because a small system has no data of zones.
export LC_ALL=C TZ='<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45' PATH=/usr/bin:/bin
export INVOCATION_ID=0123456789abcdef0123456789abcdef JOURNAL_STREAM=1:1 LISTEN_FDS=1 LISTEN_PID=1 \
  NOTIFY_SOCKET=/nowhere/notify SYSTEMD_EXEC_PID=1 WATCHDOG_PID=1 WATCHDOG_USEC=1000000
exec "$@" </dev/null
