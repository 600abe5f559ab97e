#!/usr/bin/env bash
# Puts old faults back into a copy of the repository, one at a time, and lets the
# scenarios run that are to find them. Each patch in test/twin/mutants begins with
# a line "Scenarios: NAME..."; a fault that no scenario finds fails the script.
set -euo pipefail
root=$(git rev-parse --show-toplevel)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
failed=0
for patch in "$root"/test/twin/mutants/${1:-*}.patch; do
  rm -rf "$copy/repo"
  mkdir -p "$copy/repo/bin"
  (cd "$root" && git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$copy/repo")
  ln -s "$root/bin/cluster" "$root/bin/vpa-recommender" "$copy/repo/bin/"
  names=$(sed -n 's/^Scenarios: //p' "$patch")
  echo "== $(basename "$patch" .patch): $names"
  cd "$copy/repo"
  patch --quiet -p1 < "$patch"
  go build -o bin/tidemark ./cmd/tidemark
  log="$copy/log"
  if TWIN="$names" go test -tags twin -count=1 -timeout 15m -run '^TestTwin$' ./test/twin > "$log" 2>&1; then
    echo "   nothing found it"
    failed=1
    continue
  fi
  for name in $names; do
    if grep -q -- "--- FAIL: TestTwin/$name " "$log"; then
      echo "   found by $name: $(grep -m1 -o 'phase [0-9]*: .*' "$log" | cut -c1-200)"
    else
      echo "   not found by $name"
      failed=1
    fi
  done
done
exit $failed
