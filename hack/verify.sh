#!/usr/bin/env bash
# Regenerates and lints, and fails if the tree is not as it should be. It looks
# at contents, not at git's state, so it works with uncommitted changes too.
set -euo pipefail
generated() { git ls-files -co --exclude-standard 'api/**/zz_generated*' 'internal/**/*.pb.go' config charts 'docs/*.md' docs/schema docs/api docs/man internal/ui/web/dist internal/replay/report/assets/dist | sort | xargs sha256sum; }
before=$(generated)
make --no-print-directory generate
after=$(generated)
if [ "$before" != "$after" ]; then
  echo "generated files were out of date: commit what 'make generate' wrote" >&2
  diff <(echo "$before") <(echo "$after") >&2 || true
  exit 1
fi
# The bundle is made of these: what others wrote is what was fetched, all of it, with its licenses.
go test -count=1 -run '^(TestThirdParty|TestThePagesStandAlone)$' ./internal/ui/web
make --no-print-directory lint
