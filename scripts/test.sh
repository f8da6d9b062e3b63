#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sets up, builds and tests: test.sh [--quick] [ctest options…]. First the Release build, then the sanitizers; the last
# lines are ctest's output of the Release run, which the options are for. AddressSanitizer and
# UndefinedBehaviorSanitizer run all tests, ThreadSanitizer those of the libraries that use more than one thread; then
# the readers are fuzzed for a minute (scripts/fuzz.sh). --quick: the Release build only.
# EMGRAPH_EVERY_FAULT=1: loops that let each transfer or reservation fail in turn try every number, and the sanitizer builds
# every case of a grid, not a sample (tests/README.md).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

quick=false
if [ "${1:-}" = --quick ]; then
  quick=true
  shift
fi
if [ -z "${EMGRAPH_SHARED_DATASETS:-}" ] && [ -d ../shared/datasets ]; then
  EMGRAPH_SHARED_DATASETS=$(cd ../shared/datasets && pwd)
  export EMGRAPH_SHARED_DATASETS
fi

# A step's output is shown only when it fails.
step() {
  local name=$1 log status=0
  shift
  log=$(mktemp)
  SECONDS=0
  "$@" >"$log" 2>&1 </dev/null || status=$?
  [ $status -eq 0 ] || cat "$log"
  rm -f "$log"
  echo "test.sh: $name: $([ $status -eq 0 ] && echo done || echo FAILED) (${SECONDS} s)"
  return $status
}
# Some machines forbid what a sanitizer needs (fixed addresses, ptrace); an empty program tells.
sanitizer_runs() {
  local directory status=0 fixed=()
  directory=$(mktemp -d)
  ! setarch --addr-no-randomize true 2>/dev/null || fixed=(setarch --addr-no-randomize)
  echo 'int main() {}' | g++ -x c++ "-fsanitize=$1" - -o "$directory/probe" && "${fixed[@]}" "$directory/probe" || status=$?
  rm -rf "$directory"
  [ $status -eq 0 ] || echo "test.sh: -fsanitize=$1 cannot run on this machine: its tests are LEFT OUT"
  return $status
}
# Tests wait for disks and for each other's threads half of their time: two for each core.
run_tests() { ctest --test-dir "$@" --output-on-failure --no-tests=error --parallel $((2 * $(nproc))); }

# Tests run while the next variant is built: no core waits for the last test or the last file.
behind=
release=
release_status=0
release_output=$(mktemp)
trap 'for job in $behind $release; do pkill -P "$job" || true; done; rm -f "$release_output"' EXIT
finish_behind() {
  [ -z "$behind" ] || wait "$behind"
  behind=
}
step_behind() {
  finish_behind
  step "$@" &
  behind=$!
}
test_release() { run_tests build "$@" >"$release_output" 2>&1 </dev/null; }

step "set up" bash scripts/setup.sh
python=()
if $quick || bash scripts/setup.sh python; then
  [ ! -e build-python/complete ] || python=("-DEMGRAPH_PYTHON=$PWD/build-python/bin/python")
else
  echo "test.sh: Python's packages are not to be had on this machine: tests with Parquet tables and of the notebook are LEFT OUT"
fi
step "build Release" bash scripts/build.sh Release "${python[@]}"
if $quick; then
  run_tests build "$@" </dev/null
  exit
fi
# What fails in Release is shown at the end.
test_release "$@" &
release=$!
# Our threads are what ThreadSanitizer is to judge; it does not see into libraries that are not instrumented.
export TSAN_OPTIONS="ignore_noninstrumented_modules=1 ${TSAN_OPTIONS:-}"
asan=false
if sanitizer_runs address,undefined; then
  step "build asan" bash scripts/build.sh asan "-DEMGRAPH_TESTS_APPS=$PWD/build/tests/tests_apps"
  asan=true
fi
wait "$release" || release_status=$?
release=
! $asan || step_behind "tests under asan" run_tests build-asan
if sanitizer_runs thread; then
  step "build tsan" bash scripts/build.sh tsan --target tests_core --target tests_graph
  step_behind "tests under tsan" run_tests build-tsan --label-regex '^(core|graph)$'
fi
if bash scripts/setup.sh fuzz; then
  # The same mutants each time: whether a change passes is not left to chance. Longer runs have seeds of their own.
  EMGRAPH_FUZZ_SEED=1 step "fuzz" bash scripts/fuzz.sh 60
else
  echo "test.sh: clang is not to be had on this machine: fuzzing is LEFT OUT"
fi
finish_behind
cat "$release_output"
exit $release_status
