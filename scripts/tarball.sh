#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds build/emgraph-VERSION-SYSTEM.tar.gz: the stripped program, libraries, man pages and completions below one directory
# that may be moved anywhere.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

bash scripts/setup.sh
bash scripts/build.sh Release --target emgraph
rm -f build/emgraph-*.tar.gz
cpack --config build/CPackConfig.cmake -G TGZ -B build
rm -rf build/_CPack_Packages
archive=$(ls build/emgraph-*.tar.gz)

# It must run from where it is unpacked.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tar -xzf "$archive" -C "$scratch"
"$scratch"/emgraph-*/bin/emgraph mis gen:random,edges=100k -q -T "$scratch"
echo "$archive"
