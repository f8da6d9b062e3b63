#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures `emgraph triangles` against GAPBS in memory; no peer finishes at 1 GiB."""
import sys

from bench_graphs import Solver, gapbs
from measure import main


def jobs(a):
    return Solver(
        a, "triangles", answer=("triangles", "wedges"),
        peers_in_memory={"GAPBS": lambda graph: [gapbs(a, graph, "tc", {"triangles": r"(\d+) triangles"}, "-a")]}).jobs()


if __name__ == "__main__":
    sys.exit(main(__doc__, jobs))
