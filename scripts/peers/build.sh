#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the peer programs outside the repository: build.sh [--sources DIR] [DIRECTORY, default ${TMPDIR:-/tmp}/emgraph-peers]
# STXXL, LEMON and Boost.Graph come from the system. Other peers are built if the user has checked out their sources in DIR:
#   DIR/gapbs      github.com/sbeamer/gapbs
#   DIR/GridGraph  github.com/thu-pacman/GridGraph
#   DIR/x-stream   github.com/epfl-labos/x-stream at 9cf34b3, its last commit that does not need libhdfs3
# The sources are copied; nothing is written to DIR. Exit code 1 if a peer was left out.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
sources=""
if [ "${1:-}" = --sources ] && [ $# -ge 2 ]; then
  sources=$(cd "$2" && pwd)
  shift 2
fi
if [ $# -gt 1 ] || [[ ${1:-} == -* ]]; then
  echo "usage: build.sh [--sources DIR] [DIRECTORY]" >&2
  exit 2
fi
directory=${1:-${TMPDIR:-/tmp}/emgraph-peers}
mkdir -p "$directory"
directory=$(cd "$directory" && pwd)
left_out=0

leave_out() {
  echo "peers/build.sh: left out: $*" >&2
  left_out=1
}

# copy NAME FILE REPOSITORY: makes a fresh copy of the sources in $directory/NAME; FILE must exist in them.
copy() {
  [ -n "$sources" ] || return 1
  if [ ! -e "$sources/$1/$2" ]; then
    leave_out "$1; check out $3 as $sources/$1"
    return 1
  fi
  rm -rf "${directory:?}/$1"
  cp -R "$sources/$1" "$directory/$1"
}

g++ -std=c++17 -O3 -DNDEBUG -Wall -Wextra "$root/scripts/peers/peer_edges.cpp" -o "$directory/peer_edges"

if [ -e /usr/include/stxxl/sorter ]; then
  # STXXL 1.4.1 uses features that C++17 removed.
  g++ -std=c++14 -O3 -DNDEBUG -fopenmp -Wall -Wextra -Wno-deprecated-declarations -I"$root" \
    "$root/scripts/peers/stxxl_mis.cpp" -o "$directory/stxxl_mis" -lstxxl
else
  leave_out "STXXL; on Debian: apt-get install libstxxl-dev"
fi

if [ -e /usr/include/lemon/static_graph.h ]; then
  g++ -std=c++17 -O3 -DNDEBUG -Wall -Wextra -I"$root" "$root/scripts/peers/lemon_sssp.cpp" -o "$directory/lemon_sssp"
else
  leave_out "LEMON; on Debian: apt-get install liblemon-dev"
fi

if [ -e /usr/include/boost/graph/dijkstra_shortest_paths.hpp ]; then
  g++ -std=c++17 -O3 -DNDEBUG -Wall -Wextra -I"$root" "$root/scripts/peers/boost_sssp.cpp" -o "$directory/boost_sssp"
else
  leave_out "Boost.Graph; on Debian: apt-get install libboost-graph-dev"
fi

if copy gapbs src/bfs.cc github.com/sbeamer/gapbs; then
  make -s -C "$directory/gapbs" bfs cc cc_sv pr sssp tc converter
fi

# GridGraph does not include <functional> itself. Its asserts have side effects, so no NDEBUG.
if copy GridGraph core/graph.hpp github.com/thu-pacman/GridGraph; then
  make -s -C "$directory/GridGraph" CXXFLAGS="-O3 -std=c++11 -fopenmp -I. -include functional -w" \
    bin/preprocess bin/bfs bin/wcc bin/mis bin/pagerank
fi

# X-Stream's flags without -Wfatal-errors, plus the flag for its non-integral constants in classes.
if copy x-stream core/sg_driver.hpp "github.com/epfl-labos/x-stream at 9cf34b3"; then
  if [ -e "$directory/x-stream/core/hdfs_io.h" ]; then
    leave_out "x-stream; this version needs libhdfs3, check out 9cf34b3"
  elif [ ! -e /usr/include/boost/program_options.hpp ]; then
    leave_out "x-stream; on Debian: apt-get install libboost-program-options-dev libboost-thread-dev"
  else
    mkdir -p "$directory/x-stream/object_files" "$directory/x-stream/bin"
    make -s -C "$directory/x-stream" bin/benchmark_driver \
      CXXFLAGS="-O3 -DNDEBUG -w -fpermissive -msse4.2 -DCOMPACT_GRAPH -DZLIB_COMPRESSION_LEVEL=Z_BEST_SPEED"
  fi
fi
[ -n "$sources" ] || echo "peers/build.sh: only peers from the system; --sources DIR names the place of the other peers' sources" >&2
echo "$directory"
exit $left_out
