#!/usr/bin/env bash
# Puts faults into a copy of the controller, one at a time, and lets a short
# campaign run on each. A patch in test/chaos/mutants begins with the promise that is
# to be seen broken ("Finds: ..."), which faults and deeds are dealt, which lies
# sources tell, and for how long. A mutant whose promise nobody sees broken fails the
# script, and so does a controller without a fault in which something is found.
set -euo pipefail
root=$(git rev-parse --show-toplevel)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
log="$copy/log"
header() { sed -n "s/^$1: //p" "$patch" | head -1; }
fresh() {
  rm -rf "$copy/repo"
  mkdir -p "$copy/repo/bin"
  (cd "$root" && git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$copy/repo")
  ln -s "$root/bin/cluster" "$root/bin/vpa-recommender" "$copy/repo/bin/"
  cd "$copy/repo"
}
campaign() {
  HASTY=1 ${LOCK:+flock "$LOCK"} go test -tags chaos -count=1 -timeout 15m -run '^TestCampaign$' -v ./test/chaos > "$log" 2>&1
}
keep() {
  cp "$log" "$root/bin/chaos-$1.log"
  failed=1
}
failed=0
if [ -z "${1:-}" ]; then
  fresh
  go build -tags chaos -o bin/tidemark-chaos ./cmd/tidemark
  if campaign; then echo "found nothing in what is not broken"; else
    echo "FOUND something in what is not broken: $(grep -m1 'campaign_test.go.* at ' "$log" | cut -c1-220)"
    keep unbroken
  fi
fi
for patch in "$root"/test/chaos/mutants/${1:-*}.patch; do
  name=$(basename "$patch" .patch)
  fresh
  patch --quiet -p1 < "$patch"
  go build -tags chaos -o bin/tidemark-chaos ./cmd/tidemark
  # The checker judges by what was promised, not by the mutant.
  patch --quiet -R -p1 < "$patch"
  finds=$(header Finds)
  CHAOS=$(header Long) FAULTS=$(header Faults) DEEDS=$(header Deeds) LIES=$(header Lies) OBJECTS=$(header Objects) campaign || true
  if found=$(grep -m1 -- "$finds: " "$log"); then
    echo "found $name: $(echo "$found" | cut -c1-220)"
  else
    echo "NOT FOUND $name, which breaks: $finds"
    keep "$name"
  fi
done
exit $failed
