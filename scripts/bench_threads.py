#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Estimates how far more threads would speed up emgraph: each job runs with -j 1 and -j 2 in turn, inputs in the page cache.

With t1 and t2 seconds a phase has 2 t2 - t1 seconds of serial work (Amdahl); what all phases together have of it bounds the speed-up
on p threads: t1 / (s + (t1 - s) / p). Phases whose serial work is more than 5 % of t1 are named. The least times of --repeats runs
count. A core that is not idle shows as serial work, so the first job, which has none, calibrates: it should come to nearly 2 with -j 2.
"""
import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from bench_graphs import graphs_of
from measure import machine, prepare, say, warm_up, Job

SCRIPTS = Path(__file__).resolve().parent
NAMED = 0.05  # a phase with this share of serial work is named
MEMORY = "2G"


def jobs_of(a):
    """Name -> (input, arguments)."""
    graphs = graphs_of(a)
    kron, grid = graphs["kron22"], graphs["grid4096"]
    random = f"gen:random,edges={131_072_000 // a.shrink}"
    out = str(a.dir / "threads.bin")
    nowhere = ["-o", "/dev/null", "-f"]
    scale = str(23 - (a.shrink - 1).bit_length())
    jobs = {
        "gen, Graph500, to nowhere": (None, ["gen", "--model", "graph500", "--scale", scale, *nowhere, "--output-format", "u32"]),
        "gen, random, as container to nowhere": (None, ["gen", "--edges", str(1_048_576_000 // a.shrink), *nowhere]),
        "paper's job, one pass": (None, ["mis", random, "--single-pass"]),
        "paper's job": (None, ["mis", random]),
        "sort": (kron, ["sort", kron.raw, "-o", out, "-f"]),
        "dedup": (kron, ["dedup", kron.raw, "-o", out, "-f"]),
        "mis": (kron, ["mis", kron.raw]),
        "cc": (kron, ["cc", kron.raw]),
        "bfs": (kron, ["bfs", kron.raw]),
        "mst": (kron, ["mst", kron.raw, "--weights", "hash"]),
        "triangles": (kron, ["triangles", kron.raw]),
        "sssp": (kron, ["sssp", kron.raw, "--weights", "hash", "--root", "1"]),
        "pagerank, 20 rounds": (kron, ["pagerank", kron.raw, "--undirected", "--iterations", "20"]),
        "kcore": (kron, ["kcore", kron.raw]),
        "bfs, grid": (grid, ["bfs", grid.raw, "--root", "0"]),
        "sssp, grid": (grid, ["sssp", grid.raw, "--weights", "hash", "--root", "0"]),
    }
    return {name: job for name, job in jobs.items() if not a.only or name in a.only.split(";")}


def phases_of(a, arguments, threads):
    """Phase -> seconds, in order; the rest of the run, start and end, is a phase, too."""
    command = [str(a.emgraph), *arguments, "-j", str(threads), "-M", MEMORY, "-T", str(a.dir), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    summary = json.loads(done.stdout or done.stderr)
    seconds = {}
    for phase in summary["phases"]:
        seconds[phase["name"]] = seconds.get(phase["name"], 0.0) + phase["seconds"]
    seconds["other"] = max(0.0, summary["seconds"] - sum(seconds.values()))
    return seconds


def least(runs):
    """Of each phase its least time."""
    return {name: min(run.get(name, 0.0) for run in runs) for name in runs[0]}


def row(name, one, two):
    serial = {phase: min(max(0.0, 2 * two.get(phase, 0.0) - t1), t1) for phase, t1 in one.items()}
    t1, t2, s = sum(one.values()), sum(two.values()), sum(serial.values())
    speedup = [t1 / (s + (t1 - s) / p) for p in (16, 64)]
    named = [f"{phase} {100 * part / t1:.0f} %" for phase, part in serial.items() if part > NAMED * t1]
    return (f"| {name} | {t1:.2f} | {t2:.2f} | {t1 / t2:.2f} | {100 * s / t1:.0f} % | {speedup[0]:.1f} | {speedup[1]:.1f} "
            f"| {', '.join(named)} |")


def main():
    tmp = Path(os.environ.get("TMPDIR", "/tmp"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="names of jobs, separated by semicolons")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--shrink", type=int, default=1, help="divide all sizes by this")
    parser.add_argument("--emgraph", type=Path, default=SCRIPTS.parent / "build" / "emgraph")
    parser.add_argument("--dir", type=Path, default=tmp / "emgraph-bench", help="inputs and temporary files (kept)")
    a = parser.parse_args()
    a.emgraph, a.peers, a.dir = a.emgraph.resolve(), tmp, a.dir.resolve()
    a.dir.mkdir(parents=True, exist_ok=True)
    here = machine(a.dir)
    print(f"{here['cores']} cores of {here['cpu']}, load before {here['load']:.1f}, -M {MEMORY}\n")
    print("| job | t1, s | t2, s | t1 / t2 | serial | at most with 16 threads | with 64 | phases |\n|---|---|---|---|---|---|---|---|")
    for name, (graph, arguments) in jobs_of(a).items():
        if graph:
            problem = prepare(Job(name, "", "", 0, [], prepare=graph.generate()), [])
            if problem:
                sys.exit(problem)
        warm_up(arguments)
        runs = {1: [], 2: []}
        for _ in range(a.repeats):
            for threads, list_of in runs.items():
                list_of.append(phases_of(a, arguments, threads))
        print(row(name, least(runs[1]), least(runs[2])), flush=True)
        say(f"{name}: done")
    (a.dir / "threads.bin").unlink(missing_ok=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
