#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The way of a plugin's author, on a Debian that has only the packages: a new plugin is written,
# built, tested and copied into the plugin folder of a running daemon, and its actor answers.
#
#   author.sh [-t SECONDS] DEB...
#     -t  time limit for the whole way, without making the root; default: 120
#
# DEB are the packages actord and libactord-dev. The root is made by mmdebstrap once a day, in the
# cache of boot.sh; an overlay keeps it unchanged. Nothing is booted: the daemon is started by hand.
#
# Exit status: 0 the actor has answered, 1 something failed, 2 the command line is wrong, 3 the time
# was over, 77 this machine cannot do it: the last line says why, after "skipped: ".
set -euo pipefail
readonly arguments=("$@")

limit=120
while getopts t: option; do
  case $option in
    t) limit=$OPTARG ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
(($#)) || { echo "usage: $0 [-t SECONDS] DEB..." >&2 && exit 2; }

here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
# shellcheck source=tests/systemd/debian_root.sh
. "$here/debian_root.sh"
[[ $EUID == 0 ]] || skip "only root can enter another root"
need_tools mmdebstrap dpkg-deb unshare chroot timeout

# In namespaces of its own: at its end the kernel ends the daemon and unmounts everything.
if [[ ${ACTORD_AUTHOR_NAMESPACE-} != yes ]]; then
  unshare --mount --pid --fork true 2>/dev/null || skip "this process may not make namespaces"
  ACTORD_AUTHOR_NAMESPACE=yes exec unshare --mount --pid --fork --kill-child \
    "$BASH" "$0" "${arguments[@]}"
fi

# ---- the root ------------------------------------------------------------------------------------

work=$(mktemp -d "${TMPDIR:-/tmp}/actord-author.XXXXXX")
cleanup() {
  umount -R -l "$work/root" 2>/dev/null || :  # a daemon that is left runs until this script ends
  rm -rf --one-file-system "$work"
}
trap cleanup EXIT
mapfile -t needed < <(names_needed "$@")
mount_root "$work" g++ cmake make doctest-dev "${needed[@]}"
mount -t proc proc "$work/root/proc"
mount --rbind /dev "$work/root/dev"
mkdir "$work/root/packages"
cp -- "$@" "$work/root/packages/"

# ---- the way -------------------------------------------------------------------------------------

cat >"$work/root/way" <<'WAY'
set -euo pipefail
export HOME=/root LC_ALL=C.UTF-8
now() { date +%s%3N; }
begin=$(now)

# step WHAT COMMAND...: the command succeeds; prints how long it took.
step() {
  local what=$1 from
  shift
  from=$(now)
  if ! "$@" >/last 2>&1; then
    printf 'not ok - %s   [%s]\n' "$what" "$*"
    sed 's/^/#   /' /last | tail -n 40
    exit 1
  fi
  printf '%7d ms  %s\n' $(($(now) - from)) "$what"
}
# until_it COMMAND...: the command succeeds at last. The limit is that of the whole way.
until_it() { until "$@"; do :; done; }

start_daemon() {
  actord --config /etc/actord/actord.conf --log-format json --set actord.plugins.autoload=on \
    >/log 2>&1 &
  until_it grep -q '"event":"daemon.ready"' /log
}
# The daemon loads what appears in its plugin folder.
create_actor() { until_it actorctl spawn demo/Demo '{"limit": 3}' --name demo; }
ask() {
  actorctl ask /user/demo demo.Ping/1 '{"value": 7}' | tee /answer
  grep -q '"count": 1' /answer
}

step "the packages are installed" dpkg -i /packages/*.deb
step "a daemon runs" start_daemon
cd /root
first=$(now)
step "actorctl plugin new demo" actorctl plugin new demo
cd demo
step "cmake -B build" cmake -B build
step "cmake --build build" cmake --build build --parallel
step "ctest" ctest --test-dir build --output-on-failure
step "cp build/demo.so /usr/lib/actord/plugins" cp build/demo.so /usr/lib/actord/plugins/
step "the daemon creates its actor" create_actor
step "the actor answers" ask
tr -d '\n ' </answer
printf '\n%7d ms  from the first word to the answer; %d ms with the packages\n' \
  $(($(now) - first)) $(($(now) - begin))
kill %1
wait %1
echo "ok"
WAY

status=0
timeout --kill-after=5 "$limit" chroot "$work/root" /bin/bash /way || status=$?
case $status in
  0) ;;
  124 | 137) echo "not ok - the time of $limit s was over" && exit 3 ;;
  *) exit 1 ;;
esac
