#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Formats all C++ sources in place. With --check it only reports the files that would change, and fails if there are any.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

action=(-i)
case "${1:-}" in
  "") ;;
  --check) action=(--dry-run -Werror) ;;
  *)
    echo "usage: format.sh [--check]" >&2
    exit 2
    ;;
esac
formatter=$(command -v clang-format-14 || command -v clang-format)
find core graph apps tests scripts \( -name '*.hpp' -o -name '*.cpp' \) -print0 |
  xargs -0 --no-run-if-empty "$formatter" --style=file "${action[@]}"
