#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Section 4 of the paper: BFS, minimum spanning forest and triangles, on generated graphs of the same shape.

    scripts/paper/solvers.py                     # sizes that end within some minutes
    scripts/paper/solvers.py --scale 0.001       # a test run

The paper reports breadth-first levels of a grid of 128 million edges (less than a day) and of sparse random graphs, minimum
spanning trees of up to 2^32 nodes, and the triangles of a web crawl. This script runs bfs on a square grid and on a random graph, mst
on a random graph with hashed weights, and triangles on a Kronecker graph, which is as skewed as a crawl. Each job has less memory
than its edges take.
"""
import math

from experiment import Experiment, main, parser, size


def body():
    options = parser(__doc__)
    options.add_argument("--scale", type=float, default=1.0, help="of all sizes [%(default)s]")
    options = options.parse_args()
    side = max(4, round(8000 * math.sqrt(options.scale)))  # 128 M edges
    edges = max(1000, round(128_000_000 * options.scale))
    kron = max(6, round(20 + math.log2(options.scale)))

    def memory(mib):
        return f"{max(16, round(mib * options.scale))}M"

    jobs = [
        ("bfs, grid", ["bfs", f"gen:grid,dims={side}x{side}", "--root", "0", "-M", memory(256)], "reached"),
        ("bfs, random", ["bfs", f"gen:random,edges={edges},nodes={edges // 4}", "-M", memory(256)], "reached"),
        ("mst, random", ["mst", f"gen:random,edges={edges},nodes={edges // 4}", "--weights", "hash", "-M", memory(256)], "weight"),
        ("triangles, Kronecker", ["triangles", f"gen:kron,scale={kron},edge-factor=16", "-M", memory(64)], "triangles"),
    ]
    experiment = Experiment("solvers", "Solvers in less memory than their graphs", options)
    bars = []
    for name, job, answer in jobs:
        run = experiment.run(job)
        bars.append((f"{name}\n{size(run['nodes'])} nodes, {size(run['edges'])} edges", run["seconds"]))
        experiment.add(job=name, nodes=f"{run['nodes']:,}", edges=f"{run['edges']:,}", memory=job[-1], model=run["model"],
                       answer=f"{answer} {run[answer]:,}", **{"read + written (GB)": f"{run['read_bytes'] / 1e9:.1f} + "
                                                                                     f"{run['write_bytes'] / 1e9:.1f}",
                                                              "time (s)": f"{run['seconds']:.1f}"})

    def draw(axes):
        # A bar for the median run of each job, with the size that was run; lengths start at 0.
        names, seconds = zip(*bars)
        axes.bar_label(axes.barh(names, seconds, color="#4c72b0"), fmt="%.1f", padding=3)
        axes.invert_yaxis()
        axes.set_xlim(0, 1.12 * max(seconds))
        axes.set_xlabel("seconds")

    experiment.finish(draw)


if __name__ == "__main__":
    main(body)
