#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Table 3 of the paper: maximal independent sets of random graphs of 13.4 billion edges.

    scripts/paper/large.py                       # 13.4 G edges, 2.1 and 4.3 G nodes, 1 GiB: some minutes, some 15 GB of space
    scripts/paper/large.py --edges 134M          # the same shape, a hundredth of the size

The paper took 2 h 34 and 2 h 44 on an Opteron with four disks and 1 GB of memory. emgraph generates the edges several times instead of
storing all of them (graph/mis/passes.hpp). `--single-pass` sorts all edges, as the paper does, and needs space for them.
"""
from experiment import Experiment, count, hours, main, parser, size

PAPER_LARGE_EDGES = 13_400_000_000
PAPER = [(2_100_000_000, 2 * 3600 + 34 * 60), (4_300_000_000, 2 * 3600 + 44 * 60)]


def body():
    options = parser(__doc__)
    options.add_argument("--edges", type=count, default=PAPER_LARGE_EDGES, help="[13.4G]; nodes in proportion")
    options.add_argument("--memory", help="-M [1G; for fewer edges in proportion, at least 16M]")
    options.add_argument("--single-pass", action="store_true", help="sort all edges, as the paper does")
    options = options.parse_args()
    share = options.edges / PAPER_LARGE_EDGES
    memory = options.memory or f"{max(16, round(1024 * share))}M"
    experiment = Experiment("large", f"MIS of random graphs of {options.edges / 1e9:g} G edges, -M {memory}", options)
    seconds = []
    for paper_nodes, paper_seconds in PAPER:
        nodes = round(paper_nodes * share)
        job = ["mis", f"gen:random,edges={options.edges},nodes={nodes}", "-M", memory]
        run = experiment.run(job + ["--single-pass"] * options.single_pass)
        seconds.append(run["seconds"])
        whole = share == 1
        experiment.add(nodes=f"{nodes:,}", edges=f"{options.edges:,}", MIS=f"{run['mis_size']:,}", passes=run["passes"],
                       **{"temporary GB": f"{run['temp_bytes_peak'] / 1e9:.1f}", "time": hours(run["seconds"]),
                          "M edges/s": f"{options.edges / run['seconds'] / 1e6:.0f}",
                          "paper (13.4 G edges)": hours(paper_seconds),
                          "ratio": f"{paper_seconds / run['seconds']:.0f}" if whole else "-"})

    def draw(axes):
        # A bar for each run, with the size that was run; lengths start at 0.
        bars = [(f"emgraph\n{size(options.edges)} edges, {size(round(nodes * share))} nodes", options.edges / second / 1e6, "#4c72b0")
                for (nodes, _), second in zip(PAPER, seconds)]
        bars += [(f"paper, 2005\n{size(PAPER_LARGE_EDGES)} edges, {size(nodes)} nodes", PAPER_LARGE_EDGES / second / 1e6, "#c44e52")
                 for nodes, second in PAPER]
        names, rates, colours = zip(*bars)
        axes.bar_label(axes.barh(names, rates, color=colours), fmt="%.1f", padding=3)
        axes.invert_yaxis()
        axes.set_xlim(0, 1.12 * max(rates))
        axes.set_xlabel("million edges per second")

    experiment.finish(draw)


if __name__ == "__main__":
    main(body)
