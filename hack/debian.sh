#!/usr/bin/env bash
# Makes sure that programs of Debian packages are there; each package has the
# name of its program.
set -euo pipefail
for program in "$@"; do
  command -v "$program" >/dev/null && continue
  if [ "$(id -u)" != 0 ]; then
    echo "$program is missing: run 'sudo apt-get install $program', or run this as root" >&2
    exit 1
  fi
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "$program" >/dev/null
done
