# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# The root of a Debian 12, for scripts that run something in it. Sourced, as root and in a mount
# namespace of the script's own: the kernel unmounts what is mounted here with the last process in
# it, even if the script is killed.

# skip REASON: this machine cannot do it.
skip() { echo "skipped: $*" && exit 77; }

# need_tools TOOL...
need_tools() {
  local tool
  for tool; do command -v "$tool" >/dev/null || skip "there is no $tool"; done
}

# names_needed DEB...: the names of the packages that these depend on, without their own.
names_needed() {
  local deb own
  own=$(for deb; do dpkg-deb -f "$deb" Package; done)
  for deb; do dpkg-deb -f "$deb" Depends; echo; done |
    tr ',' '\n' | sed 's/|.*//; s/(.*//; s/[[:space:]]//g' | grep . | grep -vxF "$own" || :
}

# mount_root FOLDER PACKAGE...: mounts a root with these packages at FOLDER/root. mmdebstrap makes
# it once a day for each list of packages; an overlay in memory keeps it unchanged.
mount_root() {
  local work=$1 packages base log cache=${TMPDIR:-/tmp}/actord-boot-cache
  shift
  packages=$(printf '%s\n' "$@" | sort -u | paste -sd,)
  base=$cache/$(printf '%s %s' "$(date +%F)" "$packages" | sha256sum | cut -c1-16)
  mkdir -p "$cache"
  exec 9>"$cache/lock"
  flock 9
  if [[ ! -d $base ]]; then
    echo "making a Debian root with $packages" >&2
    find "$cache" -mindepth 1 -maxdepth 1 -type d -mtime +1 -exec rm -rf {} +
    rm -rf "$base.new"
    log=$work/mmdebstrap.log
    if ! mmdebstrap --quiet --variant=minbase --include="$packages" bookworm "$base.new" \
      >"$log" 2>&1; then
      cat "$log" >&2
      ! grep -qE 'Unable to locate package|no installation candidate|unmet dependencies' "$log" ||
        { echo "not ok - Debian has the packages" && exit 1; }
      skip "mmdebstrap cannot make a root: $(grep . "$log" | tail -n 1)"
    fi
    mv "$base.new" "$base"
  fi
  exec 9>&-
  mkdir -p "$work"/{root,rw}
  mount -t tmpfs -o mode=755 actord-root "$work/rw" || skip "a tmpfs cannot be mounted here"
  mkdir "$work"/rw/{upper,work}
  mount -t overlay -o "lowerdir=$base,upperdir=$work/rw/upper,workdir=$work/rw/work" actord-root \
    "$work/root" || skip "an overlay cannot be mounted here"
  umount -l "$work/rw"  # the overlay keeps it
}
