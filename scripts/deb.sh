#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the Debian packages emgraph, libemgraph-dev and emgraph-dbgsym into build-deb/ and checks them with lintian:
# deb.sh [--chroot]. --chroot: also installs them in a fresh Debian made by mmdebstrap and runs the package's tests there;
# visibly skipped where that is not possible.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD

chroot=false
if [ "${1:-}" = --chroot ]; then
  chroot=true
  shift
fi
if [ $# -gt 0 ]; then
  echo "usage: deb.sh [--chroot]" >&2
  exit 2
fi

bash scripts/setup.sh deb
output=$root/build-deb
source=$output/source
rm -rf "$output"
mkdir -p "$source"
# What git tracks, as it is in the working tree.
git ls-files -z --cached | xargs -0 cp --parents --no-dereference --target-directory "$source"
mv "$source/scripts/packaging/debian" "$source/debian"

version=$(sed -nE 's/^project\(emgraph VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
listed=$(cd "$source" && dpkg-parsechangelog --show-field Version)
if [ "$version" != "$listed" ]; then
  echo "deb.sh: CMakeLists.txt has version $version, scripts/packaging/debian/changelog has $listed" >&2
  exit 1
fi

cd "$source"
DEB_BUILD_OPTIONS="parallel=$(nproc)" dpkg-buildpackage --build=binary --unsigned-source --unsigned-changes >"$output/build.log" 2>&1 ||
  { tail -50 "$output/build.log"; exit 1; }
cd "$output"
lintian --fail-on error --allow-root ./*.changes
ls -l ./*.deb

$chroot || exit 0
if [ "$(id -u)" -ne 0 ] || ! command -v mmdebstrap >/dev/null; then
  echo "deb.sh: installation in a fresh Debian: SKIPPED (needs root and mmdebstrap)"
  exit 0
fi
fresh=$output/fresh
if ! mmdebstrap --variant=apt --mode=root --include=man-db,bash-completion "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$fresh" \
  >"$output/mmdebstrap.log" 2>&1; then
  echo "deb.sh: installation in a fresh Debian: SKIPPED (mmdebstrap: $(tail -1 "$output/mmdebstrap.log"))"
  rm -rf "$fresh"
  exit 0
fi
cp ./emgraph_*.deb "$source/debian/tests/main-job" "$fresh/"
chroot "$fresh" sh -c 'apt-get update -qq && apt-get install -qq -y ./emgraph_*.deb >/dev/null && sh /main-job'
rm -rf "$fresh"
echo "deb.sh: installed in a fresh Debian, its main job ran"
