#!/usr/bin/env bash
# Fetches the JavaScript of others that the pages are built with, and writes down
# what came. It needs npm, and only whoever changes a version runs it: what it
# writes is in the repository, so that building needs neither npm nor Node.
set -euo pipefail
cd "$(dirname "$0")/../internal/ui/web/third_party"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# take PACKAGE VERSION FILE... keeps those files of a package.
take() {
  local package=$1 version=$2
  shift 2
  (cd "$work" && npm pack --silent "$package@$version" >/dev/null)
  local archive
  archive=$(ls -t "$work"/*.tgz | head -1)
  rm -rf "$package"
  mkdir -p "$package"
  tar -xzf "$archive" -C "$package" --strip-components=1 "${@/#/package/}"
  rm "$archive"
}

# The plot of time series.
take uplot 1.6.32 package.json LICENSE dist/uPlot.esm.js dist/uPlot.min.css
# The editor of YAML, and the parts that it is made of.
take @codemirror/state 6.7.6 package.json LICENSE dist/index.js
take @codemirror/view 6.43.15 package.json LICENSE dist/index.js
take @codemirror/language 6.13.1 package.json LICENSE dist/index.js
take @codemirror/streamparser 6.0.0 package.json LICENSE dist/index.js
take @codemirror/commands 6.11.1 package.json LICENSE dist/index.js
take @codemirror/autocomplete 6.20.4 package.json LICENSE dist/index.js
take @codemirror/lint 6.9.7 package.json LICENSE dist/index.js
take @codemirror/lang-yaml 6.1.3 package.json LICENSE dist/index.js
take @lezer/common 1.5.5 package.json LICENSE dist/index.js
take @lezer/highlight 1.2.5 package.json LICENSE dist/index.js
take @lezer/lr 1.4.12 package.json LICENSE dist/index.js
take @lezer/yaml 1.0.4 package.json LICENSE dist/index.js
take @marijn/find-cluster-break 1.0.4 package.json LICENSE src/index.js
take crelt 1.0.7 package.json LICENSE index.js
take style-mod 4.1.4 package.json LICENSE src/style-mod.js
take w3c-keyname 2.2.8 package.json LICENSE index.js
# Tests ask it whether everyone can use the pages. It is part of no page.
take axe-core 4.14.0 package.json LICENSE axe.min.js

find . -type f ! -name SHA256SUMS | LC_ALL=C sort | xargs sha256sum > SHA256SUMS
