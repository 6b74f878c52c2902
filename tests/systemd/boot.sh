#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Tests Debian packages in a systemd that is really booted, in a container of systemd-nspawn:
#
#   boot.sh [-k] [-t SECONDS] [-o DIR] [-f FILE]... [-p PACKAGE]... [-b HERE:THERE]... DEB... TEST
#     -k  keep the folder of the run        -t  time limit; default: 180
#     -o  put test.log and journal.json there    -f  a file that the test sees as $FILES/NAME
#     -p  a package of Debian that the root has  -b  a folder that the test sees at another path
#
# TEST is a script of bash. It runs as root after multi-user.target, when the packages have been
# installed, with the functions of `library` below. The root is that of debian_root.sh.
#
# Exit status: 0 all passed, 1 some failed, 2 nothing was tested, 3 the time was over, 77 this
# machine cannot do it: the last line says why, after "skipped: ". It is 77 only if nothing of the
# system in the container has run; what fails later is a failure.
set -euo pipefail
readonly arguments=("$@")

keep='' timeout=180 out='' files=() packages=() binds=() debs=() test=''
while getopts kt:o:f:p:b: option; do
  case $option in
    k) keep=yes ;;
    t) timeout=$OPTARG ;;
    o) out=$OPTARG ;;
    f) files+=("$OPTARG") ;;
    p) packages+=("$OPTARG") ;;
    b) binds+=("--bind=$OPTARG") ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
for word; do
  case $word in
    *.deb) debs+=("$word") ;;
    *) test=$word ;;
  esac
done
[[ -r $test ]] ||
  { echo "usage: $0 [OPTION]... DEB... TEST" >&2 && exit 2; }

here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
# shellcheck source=tests/systemd/debian_root.sh
. "$here/debian_root.sh"
[[ $EUID == 0 ]] || skip "only root can boot a container"
need_tools systemd-nspawn mmdebstrap dpkg-deb journalctl unshare findmnt

# In a mount namespace of its own: the kernel unmounts what is mounted here with the last process in
# it, even if this script is killed.
if [[ ${ACTORD_BOOT_NAMESPACE-} != "$$" ]]; then
  unshare --mount true 2>/dev/null || skip "this process may not make a mount namespace"
  ACTORD_BOOT_NAMESPACE=$$ exec unshare --mount "$BASH" "$0" "${arguments[@]}"
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/actord-boot.XXXXXX")
id=${work##*.} container='' groups=()
cleanup() {
  set +e
  trap - EXIT
  # The end of nspawn alone does not end what runs in the container.
  for group in "${groups[@]}"; do
    [[ ! -e $group/cgroup.kill ]] || echo 1 >"$group/cgroup.kill"
  done
  [[ -z $container ]] || { kill -KILL "$container"; wait "$container"; } 2>/dev/null
  for mounted in "$work/root" "$work/rw"; do
    ! mountpoint -q "$mounted" || umount -R "$mounted"
  done
  for group in "${groups[@]}"; do
    for _ in {1..1000}; do  # until the last process is gone
      find "$group" -depth -type d -exec rmdir {} + 2>/dev/null
      [[ -d $group ]] || break
    done
  done
  rmdir "/run/systemd/nspawn/propagate/t$id" 2>/dev/null
  if [[ $keep ]]; then echo "kept: $work"; else rm -rf --one-file-system "$work"; fi
}
trap cleanup EXIT
trap 'exit 2' INT TERM HUP

# ---- the root ------------------------------------------------------------------------------------

mapfile -t needed < <(names_needed "${debs[@]}")
mount_root "$work" systemd systemd-sysv dbus libnss-systemd logrotate man-db "${packages[@]}" \
  "${needed[@]}"
mkdir -p "$work"/shared/{out,files}

# ---- the test ------------------------------------------------------------------------------------

((!${#debs[@]} && !${#files[@]})) ||
  cp -r -- "${debs[@]}" "${files[@]}" "$work/shared/files/"
cp -- "$test" "$work/shared/test"
cat >"$work/shared/library" <<'LIBRARY'
FILES=/srv/shared/files OUT=/srv/shared/out
# ok WHAT COMMAND...: the command succeeds.
ok() {
  local what=$1
  shift
  if "$@" >"$OUT/.last" 2>&1; then
    echo "ok - $what"
  else
    echo "not ok - $what   [$*: $?]"
    sed 's/^/#   /' "$OUT/.last" | tail -n 25
  fi
}
not() { ! "$@"; }
# nok WHAT COMMAND...: the command fails.
nok() { local what=$1; shift; ok "$what" not "$@"; }
# is WHAT TEXT PATTERN
is() {
  # shellcheck disable=SC2053  # a pattern
  if [[ $2 == $3 ]]; then
    echo "ok - $1"
  else
    printf 'not ok - %s\n#   is:     %s\n#   wanted: %s\n' "$1" "$2" "$3"
  fi
}
note() { echo "# $*"; }
prop() { systemctl show -P "$2" "$1"; }
# within SECONDS COMMAND...: the command succeeds in time; it is tried again and again.
within() {
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    ((SECONDS <= end)) || return 1
  done
}
install_deb() {
  DEBIAN_FRONTEND=noninteractive apt-get -o APT::Sandbox::User=root -o Dpkg::Use-Pty=0 -y \
    --allow-downgrades install "$@"
}
LIBRARY
cat >"$work/shared/run" <<'RUN'
. /srv/shared/library
. /srv/shared/test
echo "# end"
RUN
cat >"$work/root/etc/systemd/system/actord-boot.service" <<UNIT
[Unit]
Description=The test
After=multi-user.target
SuccessAction=exit
FailureAction=exit
[Service]
# With oneshot, the job would stay queued, and "is-system-running --wait" in the test would hang.
Type=exec
Environment=LC_ALL=C.UTF-8 PAGER=cat SYSTEMD_COLORS=0 HOME=/root
ExecStart=/bin/bash /srv/shared/run
ExecStopPost=/bin/journalctl --sync
StandardOutput=append:/srv/shared/out/test.log
StandardError=inherit
TimeoutStopSec=5
# Only if this script has been killed and no longer ends the container in time.
RuntimeMaxSec=$((timeout + 20))
UNIT
mkdir -p "$work/root/var/log/journal" "$work/root/etc/systemd/system/multi-user.target.wants"
ln -s ../actord-boot.service "$work/root/etc/systemd/system/multi-user.target.wants/"
echo "t$id" >"$work/root/etc/hostname"
rm -f "$work/root/etc/machine-id"

# ---- the boot ------------------------------------------------------------------------------------

# In a control group of its own: nspawn's would be shared by runs at the same time.
touch "$work/shared/out/test.log"
while IFS=: read -r _ controller path; do
  if [[ -z $controller ]]; then
    mount=$(findmnt -nt cgroup2 -o TARGET | head -n1)
  else
    mount=$(findmnt -nt cgroup -o TARGET -O "${controller#name=}" | head -n1)
    [[ $mount ]] || mount=$(findmnt -nt cgroup -o TARGET -O "name=${controller#name=}" | head -n1)
  fi
  [[ $mount && -d $mount$path ]] || continue
  mkdir "$mount$path/actord-boot.$id" && groups+=("$mount${path%/}/actord-boot.$id")
done </proc/self/cgroup

begin=$SECONDS
(
  for group in "${groups[@]}"; do
    if [[ -e $group/cpuset.cpus ]]; then
      cat "$group/../cpuset.cpus" >"$group/cpuset.cpus"
      cat "$group/../cpuset.mems" >"$group/cpuset.mems"
    fi
    echo "$BASHPID" >"$group/cgroup.procs"
  done
  # nspawn mounts the controllers of version 1 read-only, and systemd would ignore every limit.
  # shellcheck disable=SC2016  # expanded in the container
  exec systemd-nspawn -q -D "$work/root" -M "t$id" --kill-signal=SIGRTMIN+3 --register=no \
    --keep-unit --private-network --console=read-only --link-journal=no --timezone=off \
    --resolv-conf=off --settings=no --bind="$work/shared:/srv/shared" "${binds[@]}" \
    /bin/sh -c 'for d in /sys/fs/cgroup/*/; do mount -o remount,bind,rw "$d"; done
                exec /lib/systemd/systemd' </dev/null >"$work/shared/out/console.log" 2>&1
) &
container=$! status=0 is_over=''
# As a job, so that a signal to this script does not wait for it.
ended_within() { timeout "$1" tail --pid="$container" -f /dev/null & wait $!; }
if ! ended_within "$timeout"; then
  is_over=yes
  kill -TERM "$container"  # powers the system off
  ended_within 10 || :
else
  wait "$container" || status=$?
  container=''
fi

# ---- the results ---------------------------------------------------------------------------------

log=$work/shared/out/test.log
rm -f "$work/shared/out/.last"
journalctl -q -D "$work/root/var/log/journal" -o json --no-pager \
  >"$work/shared/out/journal.json" 2>/dev/null || :
[[ ! $out ]] || { mkdir -p "$out" && cp -r "$work/shared/out/." "$out/"; }
has_run=''  # the container's journal begins with the first process of its system
[[ ! -s $log && ! -s $work/shared/out/journal.json ]] || has_run=yes
if [[ ! $has_run ]]; then
  cat "$work/shared/out/console.log" >&2
  skip "systemd does not boot in a container here: $(
    grep -m 1 . "$work/shared/out/console.log" || echo "nspawn: $status")"
fi
cat "$log"
passed=$(grep -c '^ok ' "$log" || :) failed=$(grep -c '^not ok ' "$log" || :)
if [[ $is_over ]]; then
  echo "not ok - the time of $timeout s was over"
elif ! grep -qx '# end' "$log"; then
  echo "not ok - the test did not reach its end (nspawn: $status)"
  failed=$((failed + 1))
  [[ -s $log ]] || tail -n 20 "$work/shared/out/console.log"
fi
echo "# $((SECONDS - begin)) s"
echo "$passed passed, $failed failed"
if [[ $is_over ]]; then exit 3; elif ((failed)); then exit 1; elif ((!passed)); then exit 2; fi
