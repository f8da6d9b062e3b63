#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a degree plot of an edge list. NumPy maps emgraph's results into memory without a copy.

    scripts/examples/degree_plot.py datasets/wordnet31.txt.zst -o degrees.svg

`emgraph sort -u --symmetrize --no-loops` writes the simple undirected edges to a NumPy file, m x 2, which is mapped into memory and
may be larger than memory. `emgraph cc` computes the components. Needs python3-numpy and python3-matplotlib.
"""
import argparse
import subprocess
import tempfile
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

ROWS_AT_A_TIME = 1 << 22


def degrees(edges, nodes):
    """Number of neighbours of each node; `edges` holds every edge in both directions."""
    count = np.zeros(nodes, np.int64)
    for first in range(0, len(edges), ROWS_AT_A_TIME):
        sources = edges[first : first + ROWS_AT_A_TIME, 0].astype(np.int64)  # bincount takes no unsigned ids of 8 bytes
        count += np.bincount(sources, minlength=nodes)
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("edges", help="any edge file that emgraph reads")
    parser.add_argument("-o", "--output", default="degrees.svg", help="the picture: .svg, .png or .pdf")
    parser.add_argument("-M", "--memory", default="1G", help="for emgraph")
    parser.add_argument("--emgraph", default="emgraph", help="the program")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory(dir=Path(options.output).resolve().parent) as directory:
        edges_file, labels_file = f"{directory}/edges.npy", f"{directory}/labels.npy"
        for command in (["sort", "-u", "--symmetrize", "--no-loops", options.edges, "-o", edges_file],
                        ["cc", options.edges, "-o", labels_file]):
            subprocess.run([options.emgraph, *command, "-M", options.memory, "-q"], check=True)
        edges = np.load(edges_file, mmap_mode="r")
        labels = np.load(labels_file, mmap_mode="r")
        degree = degrees(edges, len(labels))
        values, nodes = np.unique(degree[degree > 0], return_counts=True)
        sizes = np.bincount(np.unique(labels, return_inverse=True)[1])

    print(f"nodes               {len(labels)}")
    print(f"isolated            {np.count_nonzero(degree == 0)}")
    print(f"edges, simple       {degree.sum() // 2}")
    print(f"largest degree      {degree.max(initial=0)} (node {degree.argmax() if len(degree) else '-'})")
    print(f"components          {len(sizes)}")
    print(f"largest component   {sizes.max(initial=0)}")

    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    axes.loglog(values, nodes, ".", label="nodes of this degree")
    at_least = nodes[::-1].cumsum()[::-1]
    axes.loglog(values, at_least, "-", linewidth=1, label="nodes of at least this degree")
    axes.set(xlabel="degree", ylabel="nodes", title=Path(options.edges).name)
    axes.legend()
    figure.savefig(options.output)
    print(f"plot                {options.output}")


if __name__ == "__main__":
    main()
