#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every emgraph process of the executors in a memory cgroup of what it was given, on an input larger than all of that together.

    memory.py [--scale 20] [--memory 32M] [--functions all] [--dir DIR]

The limit of each cgroup is `memory`; files in the page cache count, swap is not allowed. "All memory together" is that of the
emgraph processes that run at a time: `memory` times two workers of one core. The input is counted as its rows in memory, 16 bytes
an edge (24 with a weight). JVMs and Python workers are outside: Spark's own options bound them. The answers are compared with the
program's. Exit code 1 if one differs, a process was killed for lack of memory, or the input is below 4 times all memory.
"""
import argparse
import pathlib
import re
import shlex
import tempfile

from answers import Graph, chosen, columns_of, make, rows_of, verdict
from cluster import Cluster

import emgraph

WORKERS = 2
CGROUP_RUN = pathlib.Path(__file__).resolve().parent.parent / "cgroup_run.sh"


def bytes_of(text):
    return int(text[:-1]) << {"K": 10, "M": 20, "G": 30}[text[-1]]


def in_cgroup(path, log, memory):
    """Writes a program that runs emgraph in a cgroup. The peak goes to the log, messages of emgraph where they belong."""
    inner = f'EMGRAPH_PARENT=$PPID exec {shlex.quote(emgraph.program())} "$@" 2>&$messages'
    path.write_text(
        "#!/usr/bin/env bash\n"
        "exec {messages}>&2\n"
        "export messages\n"
        f"exec {shlex.quote(str(CGROUP_RUN))} {memory} bash -c {shlex.quote(inner)} emgraph \"$@\" 2>>{shlex.quote(str(log))}\n",
        encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def peaks(log):
    """The peak and the kills of each process in the log, in MiB."""
    text = log.read_text(encoding="utf-8") if log.exists() else ""
    if "without a limit" in text:
        raise SystemExit("memory.py: this user cannot make memory cgroups here")
    return [tuple(map(int, found)) for found in re.findall(r"peak (\d+) MiB, killed for lack of memory: (\d+)", text)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--scale", type=int, default=20)
    parser.add_argument("--memory", default="32M", help="of an emgraph process, and the limit of its cgroup")
    parser.add_argument("--functions", default="all", help="names, separated by semicolons")
    parser.add_argument("--files", action="store_true", help="give the path of the files, not rows of Spark")
    parser.add_argument("--dir", default=None)
    options = parser.parse_args()
    functions = chosen(options.functions)
    scratch = pathlib.Path(options.dir or tempfile.mkdtemp(prefix="emgraph-spark-"))
    directory = make(options.scale, scratch / f"weighted{options.scale}.parquet", weights=True)
    graph = Graph(directory)
    log = scratch / "peaks.log"
    log.unlink(missing_ok=True)
    together = WORKERS * bytes_of(options.memory)
    size = 16 * (16 << options.scale)
    print(f"{size >> 20} MiB of edges, {size / together:.1f} times the memory of {WORKERS} emgraph processes of {options.memory}\n")
    print("| function | answer | processes | highest peak, MiB | killed for lack of memory | seconds |", flush=True)
    print("|---|---|---|---|---|---|", flush=True)
    wrong = 0
    program = in_cgroup(scratch / "emgraph-in-cgroup", log, options.memory)
    with Cluster(scratch / "cluster", workers=WORKERS, environment={"EMGRAPH_PROGRAM": program}) as cluster:
        spark = cluster.session()
        out = scratch / "result.parquet"
        for name, function in functions.items():
            edges = str(directory) if options.files else rows_of(spark, directory)
            before = len(peaks(log))
            with cluster.measured() as used:
                function.frame(edges, graph.root, memory=options.memory).write.mode("overwrite").parquet(str(out))
            same = verdict(name, columns_of(out, function.columns), function.answer(graph))
            seen = peaks(log)[before:]
            killed = sum(kills for _, kills in seen)
            wrong += same != "equal" or killed > 0 or not seen
            highest = max((peak for peak, _ in seen), default=0)
            print(f"| {name} | {same} | {len(seen)} | {highest} | {killed} | {used.seconds:.0f} |", flush=True)
        spark.stop()
    return 1 if wrong or size < 4 * together else 0


if __name__ == "__main__":
    raise SystemExit(main())
