#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures `emgraph bfs`, from raw files and from an adjacency file, against GAPBS in memory, GridGraph and X-Stream at 1 GiB."""
import sys

from bench_graphs import Solver, gapbs, graphs_of, gridgraph, x_stream
from measure import main

ROOT = "ROOT"  # in commands: the first node of the file


def jobs(a):
    solver = Solver(
        a, "bfs", answer=("reached", "levels"), options=("--root", ROOT), kept=".adj",
        values=lambda graph: {ROOT: graph.first_source},
        peers_in_memory={"GAPBS": lambda graph: [
            gapbs(a, graph, "bfs", {"reached": r"BFS Tree has (\d+) nodes"}, "-a", "-r", ROOT)]},
        peers_at_1g={
            "GridGraph": lambda graph: [gridgraph(a, graph, "bfs", {
                "reached": r"discovered (\d+) vertices", "levels": r"(\d+): \d+\s+discovered",
                "bfs_seconds": r"discovered .* in ([\d.]+) seconds"}, ROOT)],
            # It does not count the root.
            "X-Stream": lambda graph: [x_stream(a, graph, "bfs", {"reached": (r"VERTICES_DISCOVERED (\d+)", 1)},
                                                "--bfs::root", ROOT)],
        })
    grid = graphs_of(a)["grid4096"]
    return [*solver.jobs(),
            solver.job(grid, 128 << 20, kind="128M"),
            solver.job(grid, 32 << 20, "--model", "external", kind="external-32M")]


if __name__ == "__main__":
    sys.exit(main(__doc__, jobs))
