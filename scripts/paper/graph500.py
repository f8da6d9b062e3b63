#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The scales of the Graph500 report: mean time with deviation, and TEPS, over the scale, beside the figures of the reference code.

    graph500.py [--scales 6-20] [--roots 64] [--kernel bfs|sssp|both]

The report: Leitner, Hiti, "Graph500 custom BFS" (TU Wien, February 2021), scales 6 to 26, edge factor 16. The figures beside ours were
measured later on two cores: the reference code and the report's search with two MPI processes, and GAPBS. Times go to the table and to the
JSON file, the plot shows TEPS.
"""
from experiment import Experiment, main, parser

# Harmonic means in millions of traversed edges per second, by scale; two cores.
REFERENCE = {"bfs": {16: 54, 18: 52, 20: 48, 22: 43}, "sssp": {16: 26, 18: 26, 20: 18, 22: 13}}
REPORT = {16: 116, 18: 90, 20: 84}
GAPBS = {18: 1100, 20: 950, 22: 770}


def scales(text):
    """6-20 or 6,8,10."""
    if "-" in text:
        first, last = (int(part) for part in text.split("-"))
        return list(range(first, last + 1))
    return [int(part) for part in text.split(",")]


def mean_and_deviation(values):
    mean = sum(values) / len(values)
    squares = sum((value - mean) ** 2 for value in values)
    return mean, (squares / max(len(values) - 1, 1)) ** 0.5


def measure(experiment, options):
    for scale in scales(options.scales):
        summary = experiment.run(["graph500", "--scale", str(scale), "--roots", str(options.roots), "--kernel", options.kernel])
        for kernel in ("bfs", "sssp"):
            searches = summary.get(f"{kernel}_searches")
            if not searches:
                continue
            mean, deviation = mean_and_deviation([search["seconds"] for search in searches])
            validation, _ = mean_and_deviation([search["validation_seconds"] for search in searches])
            known = REFERENCE[kernel].get(scale)
            report = REPORT.get(scale) if kernel == "bfs" else None
            gapbs = GAPBS.get(scale) if kernel == "bfs" else None
            experiment.add(**{"scale": scale, "kernel": kernel, "model": summary["model"], "mean time (s)": f"{mean:.6f}",
                              "deviation (s)": f"{deviation:.6f}",
                              "MTEPS": f"{summary[f'{kernel}_teps_without_loops']['harmonic_mean'] / 1e6:.1f}",
                              "reference, MTEPS": known or "-", "report, MTEPS": report or "-", "GAPBS, MTEPS": gapbs or "-",
                              "construction (s)": f"{summary['construction_time']:.3f}", "validation (s)": f"{validation:.4f}"})


def draw(experiment, axes):
    for kernel in ("bfs", "sssp"):
        rows = [row for row in experiment.rows if row["kernel"] == kernel]
        if rows:
            axes.plot([row["scale"] for row in rows], [float(row["MTEPS"]) for row in rows], marker="o", label=f"emgraph {kernel}")
            axes.plot(list(REFERENCE[kernel]), list(REFERENCE[kernel].values()), marker="x", linestyle=":", label=f"reference {kernel}")
    axes.plot(list(REPORT), list(REPORT.values()), marker="x", linestyle="--", label="report bfs")
    axes.plot(list(GAPBS), list(GAPBS.values()), marker="x", linestyle="--", label="GAPBS bfs")
    axes.set_yscale("log")
    axes.set_xlabel("scale")
    axes.set_ylabel("millions of traversed edges per second")
    axes.legend()


def draw_times(experiment):
    """Mean time and deviation over the scale: NAME-time.svg."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 4.5))
    for kernel in ("bfs", "sssp"):
        rows = [row for row in experiment.rows if row["kernel"] == kernel]
        if rows:
            axes.errorbar([row["scale"] for row in rows], [float(row["mean time (s)"]) for row in rows],
                          yerr=[float(row["deviation (s)"]) for row in rows], marker="o", capsize=3, label=f"emgraph {kernel}")
    axes.set_yscale("log")
    axes.set_xlabel("scale")
    axes.set_ylabel("seconds a search")
    axes.set_title("Mean time of a search, with its standard deviation")
    axes.legend()
    figure.tight_layout()
    figure.savefig(experiment.options.out / f"{experiment.name}-time.svg")
    plt.close(figure)


def body():
    options = parser(__doc__)
    options.add_argument("--scales", default="6-20", help="FIRST-LAST, or a list with commas [%(default)s]")
    options.add_argument("--roots", type=int, default=64, help="searches at each scale [%(default)s]")
    options.add_argument("--kernel", choices=("bfs", "sssp", "both"), default="both", help="which searches [%(default)s]")
    options = options.parse_args()
    experiment = Experiment("graph500", "Graph500 over the scale", options)
    measure(experiment, options)
    experiment.finish(lambda axes: draw(experiment, axes))
    draw_times(experiment)


if __name__ == "__main__":
    main(body)
