#!/usr/bin/env bash
# Puts faults into a copy of the controller, one at a time, and lets a short
# campaign run on each. A patch in test/chaos/mutants begins with the promise that is
# to be seen broken ("Finds: ..."), which faults and deeds are dealt, which lies
# sources tell, and for how long. A mutant whose promise nobody sees broken fails the script.
set -euo pipefail
root=$(git rev-parse --show-toplevel)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
header() { sed -n "s/^$1: //p" "$patch" | head -1; }
failed=0
for patch in "$root"/test/chaos/mutants/${1:-*}.patch; do
  rm -rf "$copy/repo"
  mkdir -p "$copy/repo/bin"
  (cd "$root" && git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$copy/repo")
  ln -s "$root/bin/cluster" "$root/bin/vpa-recommender" "$copy/repo/bin/"
  cd "$copy/repo"
  patch --quiet -p1 < "$patch"
  go build -tags chaos -o bin/tidemark-chaos ./cmd/tidemark
  # The checker judges by what was promised, not by the mutant.
  patch --quiet -R -p1 < "$patch"
  log="$copy/log" finds=$(header Finds)
  HASTY=1 CHAOS=$(header Long) FAULTS=$(header Faults) DEEDS=$(header Deeds) LIES=$(header Lies) OBJECTS=$(header Objects) \
    ${LOCK:+flock "$LOCK"} go test -tags chaos -count=1 -timeout 15m -run '^TestCampaign$' -v ./test/chaos > "$log" 2>&1 || true
  if found=$(grep -m1 -- "$finds: " "$log"); then
    echo "found $(basename "$patch" .patch): $(echo "$found" | cut -c1-220)"
  else
    echo "NOT FOUND $(basename "$patch" .patch), which breaks: $finds"
    cp "$log" "$root/bin/chaos-$(basename "$patch" .patch).log"
    failed=1
  fi
done
exit $failed
