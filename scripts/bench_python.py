#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Connected components of a Parquet table: emgraph.cc beside other libraries of Python, and what reading alone takes.

    PYTHONPATH=build/python PYTHON scripts/bench_python.py --dir DIR [--edges 100M] [--repeat 2] [--only emgraph,scipy]

PYTHON has pyarrow; systems whose module it lacks are left out, and named. The table (ids of 64 bits, snappy) is made in DIR and stays there. Each system
runs in a process of its own, in turn. CPU seconds are of all its processes, from the start of the interpreter; memory is the peak of the sum of their
resident bytes, sampled every 20 ms, so that pages that two processes share count twice. All systems must find the same number of components.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

from measure import count_of

READ = """
import numpy as np, pyarrow.parquet as parquet
table = parquet.read_table(PATH)
source, target = table["src"].to_numpy(), table["dst"].to_numpy()
n = NODES
"""
SYSTEMS = {
    "read pyarrow": ("pyarrow", """
import pyarrow.parquet as parquet
for batch in parquet.ParquetFile(PATH).iter_batches(): pass
components = None
"""),
    "read duckdb": ("duckdb", """
import duckdb
components = None if duckdb.sql(f"select sum(src), sum(dst) from '{PATH}'").fetchall() else 0
"""),
    "read polars": ("polars", """
import polars
components = None if len(polars.read_parquet(PATH)) else 0
"""),
    "emgraph": ("pyarrow", """
import emgraph
components = emgraph.cc(PATH, nodes=NODES, memory="512M").summary["components"]
"""),
    "emgraph, frame of polars": ("polars", """
import emgraph, polars
components = emgraph.cc(polars.read_parquet(PATH), nodes=NODES, memory="512M").summary["components"]
"""),
    "scipy": ("scipy", READ + """
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
components = connected_components(coo_array((np.ones(len(source), np.int8), (source, target)), (n, n)), directed=False)[0]
"""),
    "igraph": ("igraph", READ + """
import igraph
components = len(igraph.Graph(n, np.column_stack((source, target))).connected_components())
"""),
    "networkit": ("networkit", READ + """
import networkit
graph = networkit.graph.GraphFromCoo((source, target), n=n)
found = networkit.components.ParallelConnectedComponents(graph)
found.run()
components = found.numberOfComponents()
"""),
}


def resident_bytes(root):
    """Of a process and its descendants."""
    total, waiting = 0, [root]
    while waiting:
        process = waiting.pop()
        try:
            with open(f"/proc/{process}/statm", encoding="ascii") as file:
                total += int(file.read().split()[1]) * resource.getpagesize()
            for task in os.listdir(f"/proc/{process}/task"):
                with open(f"/proc/{process}/task/{task}/children", encoding="ascii") as file:
                    waiting += file.read().split()
        except (FileNotFoundError, ProcessLookupError):
            pass
    return total


def measure(code, path, nodes):
    script = f"PATH, NODES = {str(path)!r}, {nodes}\n{code}\nprint(components)"
    before, start, peak = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic(), 0
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        while child.poll() is None:
            peak = max(peak, resident_bytes(child.pid))
            time.sleep(0.02)
        found, error = child.stdout.read(), child.stderr.read()
    seconds, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if child.returncode != 0:
        return None, error.strip().splitlines()[-1] if error.strip() else f"ended with {child.returncode}"
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (cpu, seconds, peak / 2**20), found.strip()


def make_table(path, edges, nodes):
    import numpy
    import pyarrow
    import pyarrow.parquet

    random, columns = numpy.random.default_rng(1), [("src", pyarrow.int64()), ("dst", pyarrow.int64())]
    with pyarrow.parquet.ParquetWriter(path, pyarrow.schema(columns), compression="snappy") as writer:
        for done in range(0, edges, 1 << 20):
            here = min(1 << 20, edges - done)
            writer.write_table(pyarrow.table({name: random.integers(0, nodes, here) for name, _ in columns}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dir", type=Path, required=True)
    parser.add_argument("--edges", type=count_of, default=count_of("100M"))
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("--only", help="names of systems")
    a = parser.parse_args()
    a.dir.mkdir(parents=True, exist_ok=True)
    nodes = int(a.edges / 6.25)
    path = a.dir / f"edges-{a.edges}.parquet"
    if not path.exists():
        make_table(path, a.edges, nodes)
    wanted = a.only.split(",") if a.only else list(SYSTEMS)
    figures, components = {name: [] for name in wanted}, set()
    for _ in range(a.repeat):
        for name in wanted:
            module, code = SYSTEMS[name]
            figure, found = measure(code, path, nodes)
            if figure is None:
                print(f"{name} (needs {module}): {found}", file=sys.stderr)
            else:
                figures[name].append(figure)
                components |= {found} - {"None"}
    print(f"{a.edges:,} edges, {nodes:,} nodes, {path.stat().st_size / 1e6:.0f} MB of Parquet; components: {', '.join(components)}\n")
    print("| | CPU s | seconds | peak MiB |\n|---|---|---|---|")
    for name, runs in figures.items():
        if runs:
            cpu, seconds, peak = (min(column) for column in zip(*runs))
            print(f"| {name} | {cpu:.1f} | {seconds:.1f} | {peak:.0f} |")
    print(json.dumps(figures), file=sys.stderr)
    if len(components) > 1:
        sys.exit("bench_python.py: the systems disagree")


if __name__ == "__main__":
    main()
