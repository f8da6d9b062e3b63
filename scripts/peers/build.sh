#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the peer programs outside the repository: build.sh [DIRECTORY, default ${TMPDIR:-/tmp}/emgraph-peers]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
directory=${1:-${TMPDIR:-/tmp}/emgraph-peers}

if [ ! -e /usr/include/stxxl/sorter ]; then
  echo "peers/build.sh: STXXL is missing; on Debian: apt-get install libstxxl-dev" >&2
  exit 1
fi
mkdir -p "$directory"
# STXXL 1.4.1 is older than C++17 and relies on what that removed.
g++ -std=c++14 -O3 -DNDEBUG -fopenmp -Wall -Wextra -Wno-deprecated-declarations -I"$root" \
  "$root/scripts/peers/stxxl_mis.cpp" -o "$directory/stxxl_mis" -lstxxl
echo "$directory/stxxl_mis"
