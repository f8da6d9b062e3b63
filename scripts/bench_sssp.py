#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the search of `emgraph sssp` in memory: one thread against LEMON and Boost, two threads against GAPBS with several deltas."""
import sys
from dataclasses import dataclass
from pathlib import Path

from bench_graphs import graphs_of
from measure import Job, Program, main

SEARCH = "search_seconds"
# LEMON's heaps; its bucket heap has an array entry for each distance.
HEAPS = ("binary", "quad", "16-ary", "fibonacci", "pairing", "radix")


@dataclass
class Weighted:
    """A graph with weights."""
    name: str
    graph: object
    file: str  # triples of u32, for the programs that read them
    prepare: dict
    ours: list  # INPUT and options of emgraph
    root: str
    queues: tuple  # of emgraph, besides its own choice
    heaps: tuple  # of LEMON
    deltas: tuple  # of GAPBS; none: it cannot solve it


def weighted_graphs(a):
    graphs = graphs_of(a)
    grid, kron = graphs["grid4096"], graphs["kron22"]

    def weighted_grid(name, longest, queues, heaps, deltas):
        file = grid.file(f".w{longest}.u32w")
        make = [str(a.emgraph), "gen", *grid.generator, "--weights", f"1:{longest}", "-f", "-o", file]
        return Weighted(name, grid, file, {file: make}, [file], "0", queues, heaps, deltas)

    return [
        weighted_grid("grid4096-1000", 1000, ("heap", "dial", "multilevel-bucket", "radix"), (*HEAPS, "bucket"),
                      (250, 500, 1000, 2000, 4000)),
        # GAPBS takes paths of 2^30 and more for unreached: its distances have 32 bits.
        weighted_grid("grid4096-2^20", 1 << 20, ("heap", "multilevel-bucket", "radix"), HEAPS, ()),
        Weighted("kron22-hash", kron, kron.file(".u32w"), kron.rewrite("u32w"), [kron.raw, "--weights", "hash"], "ROOT",
                 ("heap", "dial", "multilevel-bucket", "radix"), (*HEAPS, "bucket"), (8, 16, 32, 64, 128)),
    ]


def peer(a, weighted, name, kind, tool):
    return Program(f"{name}, {kind}", [str(a.peers / tool), kind, weighted.file, weighted.root], peer=True,
                   needs=(a.peers / tool, a.peers / "peer_edges"), prepare=weighted.prepare)


def gapbs(a, weighted, delta, threads):
    tools, prepared = a.peers / "gapbs", str(Path(weighted.file).with_suffix(".wsg"))
    convert = [str(a.emgraph), "convert", weighted.file, "-f", "-o", prepared, "-T", str(a.dir)]
    return Program(f"GAPBS, delta {delta}", ["env", f"OMP_NUM_THREADS={threads}", str(tools / "sssp"), "-f", prepared, "-n", "1", "-a",
                                             "-r", weighted.root, "-d", str(delta)],
                   peer=True, needs=(tools / "sssp", a.peers / "peer_edges"), prepare=weighted.prepare | {prepared: convert},
                   reads={"load_seconds": r"Read Time:\s+([\d.]+)", SEARCH: r"Trial Time:\s+([\d.]+)",
                          "reached": r"SSSP Tree reaches (\d+) nodes"})


def emgraph(a, weighted, queue, threads):
    return Program("emgraph" if queue == "auto" else f"emgraph, {queue}",
                   [str(a.emgraph), "sssp", *weighted.ours, "--root", weighted.root, "--queue", queue, "-j", str(threads),
                    "--model", "internal", "-T", str(a.dir), "--json"], prepare=weighted.prepare)


def jobs(a):
    made = []
    for weighted in weighted_graphs(a):
        def job(threads, programs, weighted=weighted):
            root = {} if weighted.root.isdigit() else {weighted.root: weighted.graph.first_source}
            return Job(f"{weighted.name}-{threads}", f"sssp of {weighted.name}, {threads} threads", "", weighted.graph.edges, programs,
                       answer=("reached", "max_distance", "distance_sum"), input=weighted.name, kernel=SEARCH, warm=True, values=root)

        serial = [*(peer(a, weighted, "LEMON", heap, "lemon_sssp") for heap in weighted.heaps),
                  *(peer(a, weighted, "Boost", colors, "boost_sssp") for colors in ("colors", "no-colors")),
                  *(emgraph(a, weighted, queue, 1) for queue in ("auto", *weighted.queues))]
        parallel = [*(gapbs(a, weighted, delta, 2) for delta in weighted.deltas),
                    *(emgraph(a, weighted, queue, 2) for queue in ("auto", "delta-stepping"))]
        made += [job(1, serial), job(2, parallel)]
    return made


if __name__ == "__main__":
    sys.exit(main(__doc__, jobs))
