#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# clang_tidy.sh --all|--changed JOBS: runs clang-tidy on all sources of core, daemon and plugins, or
# on those that differ from the commit before the last; for a changed header, on those beside it.
# The tests are left out, as nearly all that it would find there is doctest's. Fails if it finds
# something. ./dev lint calls it.
set -euo pipefail

cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../.."
readonly depth=$1 jobs=$2
readonly places=(core daemon plugins)

say() { printf 'clang-tidy: %s\n' "$*" >&2; }

git_here() { git -c safe.directory="$PWD" "$@" 2>/dev/null; }

# What the last commit changed, and what has changed since.
changed_files() {
  local base=HEAD~1
  git_here rev-parse -q --verify "$base" >/dev/null ||
    base=$(git_here hash-object -t tree --stdin </dev/null)  # the first commit: against nothing
  git_here diff --name-only --diff-filter=d "$base" -- "${places[@]}"
  git_here ls-files --others --exclude-standard -- "${places[@]}"
}

sources() {
  if [[ $depth == --all ]] || ! git_here rev-parse -q --verify HEAD >/dev/null; then
    find "${places[@]}" -name '*.cpp' | sort
    return
  fi
  local file
  changed_files | while read -r file; do
    case $file in
      *.cpp) echo "$file" ;;
      core/include/*) find plugins core/sdk -name '*.cpp' ;;
      *.hpp) find "${file%/*}" -maxdepth 1 -name '*.cpp' ;;
    esac
  done | sort -u
}

mapfile -t files < <(sources)
((${#files[@]})) || { say "no source has changed" && exit 0; }

# It reads the commands of a build without precompiled headers, as those of gcc mean nothing to it.
# So it sees, too, whether a file includes what it uses.
cmake --preset dev -B build/lint --log-level=NOTICE \
  -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DACTORD_TESTS=OFF >/dev/null
sed -i -E 's/ -fno-gnu-unique//g' build/lint/compile_commands.json  # gcc's alone
say "${#files[@]} files"
printf '%s\0' "${files[@]}" |
  xargs -0 -n 1 -P "$jobs" clang-tidy -p build/lint --quiet \
    --extra-arg=-Wno-unknown-warning-option 2> >(grep -Ev 'warnings? generated|^Suppressed' >&2)
