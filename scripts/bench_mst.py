#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures `emgraph mst` with hash weights against X-Stream at 1 GiB. X-Stream's forest differs from run to run."""
import sys

from bench_graphs import Solver, x_stream
from measure import main


def jobs(a):
    return Solver(
        a, "mst", answer=("weight", "forest_edges", "trees"), options=("--weights", "hash"),
        peers_at_1g={"X-Stream": lambda graph: [x_stream(a, graph, "mcst", {
            "forest_edges": r"TREE_EDGES (\d+)", "trees": r"CC_COUNT (\d+)"}, wrong=True)]}).jobs()


if __name__ == "__main__":
    sys.exit(main(__doc__, jobs))
