#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs a command in a new memory cgroup: cgroup_run.sh LIMIT command…   (LIMIT like 512M, 1G; page cache counts)
# Prints the peak and the out-of-memory events to stderr. Exits with the exit code of the command. If it cannot create a
# cgroup, it prints a message and runs the command without a limit.
set -euo pipefail
if [ $# -lt 2 ]; then
  echo "usage: cgroup_run.sh LIMIT command..." >&2
  exit 2
fi
limit=$(numfmt --from=iec "${1%B}")
shift

say() { echo "cgroup_run: $*" >&2; }
read_file() { cat "$1" 2>/dev/null || echo "$2"; }

# Creates a child of the cgroup of this process. v1: the memory controller has its own tree. v2: a parent that passes on the
# controller must not hold processes, so if this cgroup cannot have children, the new cgroup becomes its sibling.
group="" version=0
if [ -f /sys/fs/cgroup/memory/memory.limit_in_bytes ]; then
  version=1
  own=/sys/fs/cgroup/memory$(awk -F: '$2 == "memory" { print $3 }' /proc/self/cgroup)
  candidates=("$own" /sys/fs/cgroup/memory)
elif [ -f /sys/fs/cgroup/cgroup.controllers ]; then
  version=2
  own=/sys/fs/cgroup$(awk -F: '$1 == "0" { print $3 }' /proc/self/cgroup)
  candidates=("$own" "$(dirname "$own")" /sys/fs/cgroup)
else
  candidates=()
fi

limit_group() {  # sets the limits; swap would make the limit a suggestion
  if [ $version -eq 1 ]; then
    echo "$limit" 2>/dev/null >"$group/memory.limit_in_bytes" || return 1
    [ ! -e "$group/memory.memsw.limit_in_bytes" ] || echo "$limit" 2>/dev/null >"$group/memory.memsw.limit_in_bytes" || true
  else
    [ -e "$group/memory.max" ] || echo +memory 2>/dev/null >"$(dirname "$group")/cgroup.subtree_control" || return 1
    echo "$limit" 2>/dev/null >"$group/memory.max" || return 1
    [ ! -e "$group/memory.swap.max" ] || echo 0 2>/dev/null >"$group/memory.swap.max" || true
  fi
}

for candidate in "${candidates[@]}"; do
  group=${candidate%/}/emgraph-run-$$
  if mkdir "$group" 2>/dev/null; then
    if limit_group && sh -c 'echo $$ >"$1"' sh "$group/cgroup.procs" 2>/dev/null; then break; fi
    rmdir "$group" 2>/dev/null || true
  fi
  group=""
done

if [ -z "$group" ]; then
  say "no writable memory cgroup: running without a limit"
  exec "$@"
fi

finish() {
  local peak events
  if [ $version -eq 1 ]; then
    peak=$(read_file "$group/memory.max_usage_in_bytes" 0)
    events=$(awk '$1 == "oom_kill" { print $2 }' "$group/memory.oom_control")
  else
    peak=$(read_file "$group/memory.peak" 0)
    events=$(awk '$1 == "oom_kill" { print $2 }' "$group/memory.events")
  fi
  say "limit $((limit >> 20)) MiB, peak $((peak >> 20)) MiB, killed for lack of memory: ${events:-0}"
  # Killed processes leave the cgroup shortly after they end.
  for _ in 1 2 3 4 5; do
    rmdir "$group" 2>/dev/null && return
    sleep 0.2
  done
  say "could not remove $group"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

status=0
sh -c 'echo $$ >"$1" && shift && exec "$@"' sh "$group/cgroup.procs" "$@" || status=$?
exit $status
