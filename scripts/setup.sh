#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs the packages for building and testing emgraph on Debian 12 or later; does nothing if they are installed.
# setup.sh fuzz: also the packages for scripts/fuzz.sh (clang with its sanitizers and libFuzzer, half a gigabyte).
# setup.sh deb: also those for scripts/deb.sh.
# setup.sh python: also build-python/, a Python with the optional packages of the module, from the package index that pip is configured for.
set -euo pipefail

packages=(
  g++ cmake ninja-build pkg-config git ca-certificates python3 clang-format zstd
  libcli11-dev catch2 libhwy-dev liburing-dev libzstd-dev zlib1g-dev liblzma-dev libbz2-dev libboost-thread-dev
  libxxhash-dev libfmt-dev nlohmann-json3-dev libopenmpi-dev openmpi-bin
  python3-numpy python3-matplotlib
)
[ "${1:-}" != fuzz ] || packages+=(clang libclang-rt-dev llvm)
[ "${1:-}" != deb ] || packages+=(debhelper lintian mmdebstrap)
[ "${1:-}" != python ] || packages+=(python3-venv)

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  {
    echo "setup.sh: this system has no apt-get. Install the equivalents of these Debian 12 packages,"
    echo "then call scripts/build.sh:"
    printf '  %s\n' "${packages[@]}"
  } >&2
  exit 1
fi

installed() { [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

missing=()
for package in "${packages[@]}"; do
  installed "$package" || missing+=("$package")
done

# Has what tests/python can use.
make_python() {
  local here
  here=$(dirname "${BASH_SOURCE[0]}")/../build-python
  [ ! -e "$here/complete" ] || return 0
  /usr/bin/python3 -m venv --clear "$here"
  "$here/bin/python" -m pip install --quiet --disable-pip-version-check numpy pyarrow scipy networkx igraph polars pandas duckdb \
    matplotlib tqdm nbclient nbformat ipykernel
  touch "$here/complete"
}
if [ ${#missing[@]} -eq 0 ]; then
  [ "${1:-}" != python ] || make_python
  exit
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "setup.sh: not root and no sudo; as root run: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

# Shows the output of apt-get only if it fails.
quietly() {
  local log
  log=$(mktemp)
  if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive "$@" -o DPkg::Lock::Timeout=120 >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    rm -f "$log"
    echo "setup.sh: failed: $*" >&2
    return 1
  fi
  rm -f "$log"
}

echo "setup.sh: installing ${missing[*]}" >&2
quietly apt-get update -qq
quietly apt-get install -qq -y --no-install-recommends "${missing[@]}"
[ "${1:-}" != python ] || make_python
