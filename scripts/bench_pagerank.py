#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures 20 rounds of `emgraph pagerank`, every edge as two arcs, against GAPBS in memory, GridGraph and X-Stream at 1 GiB."""
import sys

from bench_graphs import Solver, gapbs, gridgraph, x_stream
from measure import main

ROUNDS = "20"


def jobs(a):
    return Solver(
        a, "pagerank", answer=("iterations",), options=("--undirected", "--iterations", ROUNDS),
        # The kernel alone: GAPBS reads a graph that its converter made of text.
        peers_in_memory={"GAPBS": lambda graph: [gapbs(a, graph, "pr", {}, "-i", ROUNDS, "-t", "0")]},
        peers_at_1g={
            "GridGraph": lambda graph: [gridgraph(a, graph, "pagerank", {
                "pagerank_seconds": r"iterations of pagerank took ([\d.]+) seconds"}, ROUNDS)],
            "X-Stream": lambda graph: [x_stream(a, graph, "pagerank", {}, "--pagerank::niters", ROUNDS)],
        }).jobs()


if __name__ == "__main__":
    sys.exit(main(__doc__, jobs))
