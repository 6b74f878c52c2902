#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# prove.sh BUILD [PROOF...]: the proofs that are too long for .ci/run, with the programs of a build:
# all of them, or those named, in that order.
#
#   swarm       100 000 seeds of the profile swarm, other ones each time
#   step        10 minutes of the profile step
#   mutants     the simulation finds every seeded bug (./dev mutants)
#   journal     a million seeds of the profile journal, other ones each time; 1 000 kills and
#               1 000 losses of power, and disks that fail
#   companions  a million seeds of the profile companions, other ones each time
#   asan, tsan  every test under these sanitizers
#   fuzz        every fuzz target, for five minutes each
#   systemd     the packages in a booted systemd, five times; skipped where none can be booted
#   booted, bare, user  every test in these environments (tests/environments); likewise
#
# Prints how long each takes. Stops at the first that fails, with its status. ./dev prove calls it.
set -euo pipefail

here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
build=$1 simulator=$1/bin/actord-sim
readonly here build simulator

say() { printf 'prove: %s\n' "$*" >&2; }

# Boots with the packages that ./dev test --systemd has made.
boot() {
  "$here/../systemd/boot.sh" -f "$build/next" "$build"/actord_*_amd64.deb \
    "$here/../systemd/service.sh"
}

prove() {
  case $1 in
    swarm) "$simulator" --profile swarm --seeds 100000 --seed "$(date +%s)00000" ;;
    step) "$simulator" --profile step --seconds 600 ;;
    mutants) "$here/../../dev" mutants ;;
    journal)
      "$simulator" --profile journal --seeds 1000000 --seed "$(date +%s)0000000"
      ACTORD_JOURNAL_CYCLES=1000 ACTORD_JOURNAL_SEED=$(date +%s) "$build/bin/unit-journal" \
        --source-file='*faults_test.cpp,*kill_test.cpp,*medium_test.cpp' ;;
    companions)
      "$simulator" --profile companions --seeds 1000000 --seed "$(date +%s)0000000" ;;
    asan | tsan) "$here/../../dev" test --preset "$1" ;;
    fuzz) "$here/../../dev" fuzz --seconds 300 ;;
    systemd) "$here/../../dev" test --systemd && boot && boot && boot && boot ;;
    booted | bare | user) "$here/../../dev" test --in "$1" ;;
    *) say "no such proof: '$1'" && exit 64 ;;
  esac
}

shift
(($#)) || set -- swarm step mutants journal companions asan tsan fuzz systemd booted bare user
for proof; do
  say "$proof begins"
  start=$SECONDS status=0
  prove "$proof" || status=$?
  took="$(((SECONDS - start) / 60)) min $(((SECONDS - start) % 60)) s"
  ((status != 77)) || { say "$proof is skipped" && continue; }
  ((status == 0)) || { say "$proof failed after $took, status $status" && exit $status; }
  say "$proof passed in $took"
done
