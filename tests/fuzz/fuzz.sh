#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# fuzz.sh BUILD [TARGET...] [--seconds N]: runs fuzz targets of a build with libFuzzer, one after
# the other: those named, else all; each for N seconds, else 30. What a target has learnt stays in
# BUILD/corpus, what it finds in BUILD/findings; the seeds are those of the repository.
# Exit status: that of the first target that finds something; 64 a wrong command line.
set -euo pipefail

here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
build=$1
shift
readonly here build exit_usage=64

refuse() {
  printf 'fuzz: %s\n' "$*" >&2
  exit $exit_usage
}

all=("$build"/bin/fuzz-*)
all=("${all[@]##*/fuzz-}")
targets=()
seconds=30
while (($#)); do
  case $1 in
    --seconds)
      (($# > 1)) || refuse "--seconds wants a number"
      seconds=$2
      shift
      ;;
    --seconds=*) seconds=${1#*=} ;;
    *)
      [[ -x $build/bin/fuzz-$1 ]] || refuse "no such target: '$1'; there are: ${all[*]}"
      targets+=("$1")
      ;;
  esac
  shift
done
[[ $seconds =~ ^[1-9][0-9]*$ ]] || refuse "--seconds wants a number, not '$seconds'"
((${#targets[@]})) || targets=("${all[@]}")

for target in "${targets[@]}"; do
  mkdir -p -- "$build/corpus/$target" "$build/findings/$target"
  printf 'fuzz: %s for %s s\n' "$target" "$seconds" >&2
  "$build/bin/fuzz-$target" -max_total_time="$seconds" -timeout=60 -max_len=4096 \
    -rss_limit_mb=4096 -print_final_stats=1 -verbosity=0 \
    -artifact_prefix="$build/findings/$target/" -dict="$here/$target.dict" \
    "$build/corpus/$target" "$here/corpus/$target" >&2
done
