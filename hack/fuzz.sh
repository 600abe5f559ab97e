#!/usr/bin/env bash
# Runs every fuzz target of the module for a while: hack/fuzz.sh [TIME].
set -euo pipefail
time=${1:-3s}
grep -rlE '^func Fuzz' --include='*_test.go' . | grep -v '^./test/' | while read -r file; do
  for target in $(grep -oE '^func Fuzz[A-Za-z0-9_]+' "$file" | awk '{print $2}'); do
    echo "fuzzing $(dirname "$file") $target for $time"
    go test "$(dirname "$file")" -run '^$' -fuzz "^$target\$" -fuzztime "$time"
  done
done
