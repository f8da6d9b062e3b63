#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A first run: installs packages, builds, generates edges, solves, checks the answer. demo.sh [EDGES, default 10M]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
edges=${1:-10M}

bash scripts/setup.sh
echo '$ scripts/build.sh Release --target emgraph'
if ! log=$(bash scripts/build.sh Release --target emgraph 2>&1 </dev/null); then
  printf '%s\n' "$log" >&2
  exit 1
fi

PATH=$PWD/build:$PATH
scratch=$(mktemp -d "${TMPDIR:-/tmp}/emgraph-demo.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

show() {
  printf '\n$ %s\n' "$*"
  "$@"
}
show emgraph gen --edges "$edges"
show emgraph mis edges.bin -o mis.npy
show emgraph check mis edges.bin mis.npy
