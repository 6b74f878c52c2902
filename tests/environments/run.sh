#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# ./dev test in another environment, with a build that is there:
#
#   run.sh [-t SECONDS] [-p PACKAGE]... ENVIRONMENT BUILD [OPTION OF ./dev test]...
#
#     booted  as root in a systemd that has booted, in a container (tests/systemd/boot.sh)
#     bare    as root in a container without /sys, with the capabilities that Docker leaves
#     user    as an ordinary user with a umask of 077 and without HOME
#
# Each has a Debian 12 with the packages of -p and no others (tests/systemd/debian_root.sh), and
# sees this tree at its own path. What is written to the tree there is kept in memory, but for the
# output and the log of ctest: these are put into BUILD/environments.
#
# Exit status: 0 all passed, 1 something failed, 2 the command line is wrong, 3 the time was over,
# 77 this machine cannot do it: the last line says why, after "skipped: ".
set -euo pipefail
readonly arguments=("$@")

here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
tree=$(readlink -f -- "$here/../..")
readonly here tree
# shellcheck source=tests/systemd/debian_root.sh
. "$here/../systemd/debian_root.sh"

limit=3600 packages=()
while getopts t:p: option; do
  case $option in
    t) limit=$OPTARG ;;
    p) packages+=("$OPTARG") ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
[[ ${1-} =~ ^(booted|bare|user)$ && -d ${2-} ]] ||
  { echo "usage: $0 [OPTION]... booted|bare|user BUILD [OPTION OF ./dev test]..." >&2 && exit 2; }
environment=$1 build=$(readlink -f -- "$2")
shift 2
test=$(printf '%q ' ./dev test "$@")

[[ $EUID == 0 ]] || skip "only root can enter another root"
need_tools mmdebstrap unshare chroot pivot_root setpriv timeout
if [[ ${ACTORD_ENVIRONMENT_NAMESPACE-} != "$$" ]]; then
  unshare --mount --pid --fork true 2>/dev/null || skip "this process may not make namespaces"
  ACTORD_ENVIRONMENT_NAMESPACE=$$ exec unshare --mount "$BASH" "$0" "${arguments[@]}"
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/actord-environment.XXXXXX") run=''
cleanup() {
  set +e
  [[ -z $run ]] || { kill "$run"; wait "$run"; } 2>/dev/null
  umount -R -l "$work"/{root,rw,tree} 2>/dev/null
  rm -rf --one-file-system "$work"
}
trap cleanup EXIT
trap 'exit 2' INT TERM HUP

mkdir -p "$work"/{rw,tree,out} "$build/environments"
mount -t tmpfs -o mode=755 actord-tree "$work/rw" || skip "a tmpfs cannot be mounted here"
mkdir "$work"/rw/{upper,work}
# With metacopy, a file that gets another owner is not copied.
mount -t overlay \
  -o "lowerdir=$tree,upperdir=$work/rw/upper,workdir=$work/rw/work,metacopy=on" actord-tree \
  "$work/tree" || skip "an overlay cannot be mounted here"
umount -l "$work/rw"  # the overlay keeps it

# enter WAY...: runs `script` in a root with the devices of a container, into which the command WAY
# goes. The kernel ends with the script all that it has started.
enter() {
  mount_root "$work" "${packages[@]}"
  mkdir -p "$work/root$tree"
  mount --bind "$work/tree" "$work/root$tree"
  local folder=$tree
  while folder=$(dirname "$folder") && [[ $folder != / ]]; do chmod a+x "$work/root$folder"; done
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$work/root/dev/pts"
  mount -t tmpfs -o mode=1777 shm "$work/root/dev/shm"
  cp "$work/script" "$work/root/script"
  timeout --kill-after=5 "$limit" \
    unshare --pid --fork --kill-child --mount-proc="$work/root/proc" "$@" "$work/root" \
    /usr/bin/env -i PATH="$PATH" /bin/bash -e /script &>"$log" </dev/null &
}

export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
place=$(printf %q "$tree") log=$build/environments/$environment.log
case $environment in
  booted)
    cat >"$work/script" <<SCRIPT
cd $place
ok "./dev test" eval '$test &>"\$OUT/suite.log"'
SCRIPT
    "$here/../systemd/boot.sh" -t "$limit" -o "$work/out" -b "$work/tree:$tree" \
      "${packages[@]/#/-p}" "$work/script" &>"$log" &
    ;;
  bare)
    cat >"$work/script" <<SCRIPT
export HOME=/root
cd $place
exec $test
SCRIPT
    capabilities=-all
    for name in chown dac_override fowner fsetid kill setgid setuid setpcap net_bind_service \
      net_raw sys_chroot mknod audit_write setfcap; do
      capabilities+=,+$name
    done
    # Behind chroot there are no namespaces of users, which Docker's filter does not permit either.
    enter setpriv --inh-caps=-all --bounding-set="$capabilities" chroot
    ;;
  user)
    cat >"$work/script" <<SCRIPT
mount -t sysfs sys /sys
useradd --create-home tester
chown -R tester: $place
cd $place
umask 077
exec setpriv --reuid=tester --regid=tester --init-groups --inh-caps=-all $test
SCRIPT
    # shellcheck disable=SC2016  # expanded by that shell
    enter "$BASH" -c 'cd "$0" && pivot_root . . && umount -l . && cd / && exec "$@"'
    ;;
esac
run=$! status=0
wait "$run" || status=$?
run=''
case $status in
  124 | 137) status=3 ;;
  77) tail -n 1 "$log" && exit 77 ;;
esac
[[ ! -e $work/out/suite.log ]] || mv "$work/out/suite.log" "$log"
cp "$work/tree${build#"$tree"}/Testing/Temporary/LastTest.log" \
  "${log%.log}.tests.log" 2>/dev/null || :
# What ctest says at its end, or what the run has said at last.
if grep -q '% tests passed' "$log"; then
  sed -n '/% tests passed/,$p' "$log"
else
  tail -n 30 "$log"
fi
echo "$environment: status $status, the output is in $log"
((status == 0)) || exit $status
