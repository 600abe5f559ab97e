#!/usr/bin/env bash
# Downloads the modules of each folder given. A module proxy under load answers
# "too many requests" in bursts, so a failure is tried again after a pause.
set -uo pipefail
for dir in "$@"; do
  for modfile in "$dir"/go.mod "$dir"/go.tools.mod; do
    [ -f "$modfile" ] || continue
    for attempt in 1 2 3 4 5 6; do
      (cd "$dir" && go mod download -modfile="$(basename "$modfile")") && break
      [ "$attempt" = 6 ] && { echo "modules of $modfile could not be downloaded" >&2; exit 1; }
      echo "attempt $attempt for $modfile failed; waiting" >&2
      sleep $((attempt * 15))
    done
  done
done
