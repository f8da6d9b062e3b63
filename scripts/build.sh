#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds one variant: build.sh [Release|Debug|asan|tsan|fuzz] [--target NAME]… [cmake options…]; the variants are in
# CMakePresets.json. Without --target everything is built, the tests included; of fuzz: what reads.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

variant=Release
if [ $# -gt 0 ] && [[ $1 != -* ]]; then
  variant=$1
  shift
fi
case ${variant,,} in
  release) directory=build ;;
  debug | asan | tsan | fuzz) directory=build-${variant,,} ;;
  *)
    echo "usage: build.sh [Release|Debug|asan|tsan|fuzz] [--target NAME]... [cmake options...]" >&2
    exit 2
    ;;
esac
targets=()
while [ $# -gt 1 ] && [ "$1" = --target ]; do
  targets+=("$1" "$2")
  shift 2
done

# An existing build directory keeps the generator it was made with.
if [ ! -e "$directory/CMakeCache.txt" ] && [ -z "${CMAKE_GENERATOR:-}" ] && command -v ninja >/dev/null; then
  export CMAKE_GENERATOR=Ninja
fi
cmake --preset "${variant,,}" "$@"
cmake --build "$directory" --parallel "$(nproc)" "${targets[@]}"
