#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Fuzzes the readers with clang's libFuzzer under AddressSanitizer and UndefinedBehaviorSanitizer:
# fuzz.sh [SECONDS] [FORMAT…]; by default 60 seconds, divided among all formats, as many at a time as there are cores.
# Each reader gets the files of its corpus (tests/fuzz/corpus/FORMAT), then mutants of them. The script prints executions,
# coverage and findings of each format. If there is a finding, it names the input and exits with code 1. New inputs stay in
# build-fuzz/learnt for the next run; fuzz.sh --minimise [FORMAT…] adds those that reach new code to the corpus.
# EMGRAPH_FUZZ_SEED=N: the mutants that a seed gives, so that a run can be repeated; without it each run has its own.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD

minimise=false
seconds=60
if [ "${1:-}" = --minimise ]; then
  minimise=true
  shift
elif [[ ${1:-} =~ ^[0-9]+$ ]]; then
  seconds=$1
  shift
fi

bash scripts/setup.sh fuzz
log=$(mktemp)
bash scripts/build.sh fuzz --target fuzz_readers >"$log" 2>&1 || { cat "$log"; exit 1; }
rm -f "$log"
fuzzer=$root/build-fuzz/tests/fuzz/fuzz_readers

formats=("$@")
[ ${#formats[@]} -gt 0 ] || mapfile -t formats < <("$fuzzer" --format=list 2>/dev/null)

# The fuzzer creates links to inputs in TMPDIR: uses a directory in memory if there is one.
memory=/dev/shm
[ -w "$memory" ] || memory=${TMPDIR:-/tmp}
TMPDIR=$(mktemp -d "$memory/emgraph-fuzz-XXXXXX")
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT

options=(-seed="${EMGRAPH_FUZZ_SEED:-0}" -timeout=10 -malloc_limit_mb=64 -rss_limit_mb=2048 -print_final_stats=1)
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}

# The largest number after a word in the log; "?" if there is none.
last_figure() { grep -oE "$1 *[0-9]+" "$2" | grep -oE '[0-9]+$' | tail -1 || echo '?'; }

share=$((seconds / ${#formats[@]}))
[ "$share" -gt 0 ] || share=1

# One format: prints its line, and what was found; fails if something was.
fuzz() {
  local format=$1 status=0
  local corpus=$root/tests/fuzz/corpus/$format learnt=$root/build-fuzz/learnt/$format
  local found=$root/build-fuzz/findings/$format log=$root/build-fuzz/fuzz-$format.log
  local seeds=()
  mkdir -p "$learnt" "$found"
  if [ -d "$corpus" ]; then seeds=("$corpus"); else echo "fuzz.sh: $format: no corpus in tests/fuzz/corpus" >&2; fi
  if $minimise; then
    mkdir -p "$corpus"
    "$fuzzer" --format="$format" "${options[@]}" -merge=1 "$corpus" "$learnt" >"$log" 2>&1 || status=$?
    if [ $status -eq 0 ]; then echo "$format: $(find "$corpus" -type f | wc -l) files in the corpus"; else tail -20 "$log"; fi
    return $status
  fi
  "$fuzzer" --format="$format" "${options[@]}" -max_total_time="$share" -artifact_prefix="$found/" \
    "$learnt" "${seeds[@]}" >"$log" 2>&1 </dev/null || status=$?
  printf '%-12s %9s executions, %6s points covered, %s\n' "$format" "$(last_figure 'stat::number_of_executed_units:' "$log")" \
    "$(last_figure 'cov:' "$log")" "$([ $status -eq 0 ] && echo 'no findings' || echo "FINDING, exit code $status")"
  if [ $status -ne 0 ]; then
    grep -E 'FINDING|ERROR:|runtime error|Test unit written|ALARM|out-of-memory' "$log" || tail -20 "$log"
    echo "  again: $fuzzer --format=$format FILE; all of it: $log"
  fi
  return $status
}

# As many formats at the same time as there are cores.
failures=0
running=0
for format in "${formats[@]}"; do
  if [ $running -ge "$(nproc)" ]; then
    wait -n || failures=$((failures + 1))
    running=$((running - 1))
  fi
  fuzz "$format" &
  running=$((running + 1))
done
for ((; running > 0; --running)); do wait -n || failures=$((failures + 1)); done
[ $failures -eq 0 ]
