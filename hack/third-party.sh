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
# Tests ask it whether everyone can use the pages. It is part of no page.
take axe-core 4.14.0 package.json LICENSE axe.min.js

find . -type f ! -name SHA256SUMS | LC_ALL=C sort | xargs sha256sum > SHA256SUMS
