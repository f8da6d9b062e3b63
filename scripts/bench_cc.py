#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures `emgraph cc` against GAPBS in memory, GridGraph and X-Stream at 1 GiB."""
import sys

from bench_graphs import Solver, gapbs, gridgraph, x_stream
from measure import main


def jobs(a):
    return Solver(
        a, "cc", answer=("components", "isolated_nodes", "largest_component"),
        peers_in_memory={"GAPBS": lambda graph: [gapbs(a, graph, "cc"), gapbs(a, graph, "cc_sv")]},
        peers_at_1g={
            "GridGraph": lambda graph: [gridgraph(a, graph, "wcc", {
                "components": r"(\d+) components found", "wcc_seconds": r"components found in ([\d.]+) seconds"})],
            "X-Stream": lambda graph: [x_stream(a, graph, "cc", {"components": r"CC_COUNT (\d+)"})],
        }).jobs()


if __name__ == "__main__":
    sys.exit(main(__doc__, jobs))
