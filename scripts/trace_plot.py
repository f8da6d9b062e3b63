#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws a trace of emgraph: computing and waiting of each thread, and MB/s of every disk and file, over time.

    emgraph mis edges.bin -M 1G --trace run.json
    scripts/trace_plot.py run.json -o run.svg

The upper part has a row for each thread: computing, waiting for I/O, waiting for other threads. Phases are shaded. The lower part has
a panel for each disk, input and output with transfers: MB/s read (up) and written (down). The bytes of a transfer are distributed
evenly between its submission and its end. Needs python3-numpy and python3-matplotlib.
"""
import argparse
import json
import sys

try:
    import matplotlib
    import numpy as np
except ImportError as error:
    sys.exit(f"trace_plot.py: needs {error.name}: apt install python3-{error.name}, or pip install {error.name}; "
             "ui.perfetto.dev shows the trace without it")

COLOURS = {"work": "#4c72b0", "io wait": "#dd8452", "thread wait": "#c9c9c9", "read": "#55a868", "write": "#c44e52"}
LABELS = {"work": "computes", "io wait": "waits for I/O", "thread wait": "waits for threads"}
SECONDS = 1e-6  # the format counts microseconds


class NoTrace(Exception):
    pass


class Trace:
    """Phases, spans by thread, transfers by device; times in seconds."""

    def __init__(self, path):
        try:
            with open(path, encoding="utf-8") as file:
                events = json.load(file)["traceEvents"]
        except (ValueError, KeyError, TypeError) as error:
            raise NoTrace(f"{path}: is no trace ({error}); make one by emgraph COMMAND --trace FILE") from error
        self.processes, threads, begun = {}, {}, {}
        self.phases, self.spans, self.transfers = [], {}, {}
        try:
            for event in events:
                kind, name = event["ph"], event["name"]
                if kind == "M" and name == "process_name":
                    self.processes[event["pid"]] = event["args"]["name"]
                elif kind == "M" and name == "thread_name" and event["pid"] == 1:
                    threads[event["tid"]] = event["args"]["name"]
                elif kind == "X":
                    begin = event["ts"] * SECONDS
                    span = (begin, begin + event["dur"] * SECONDS)
                    if event["cat"] == "phase":
                        self.phases.append((*span, name))
                    else:
                        self.spans.setdefault(event["tid"], []).append((*span, event["cat"]))
                elif kind == "b":
                    begun[event["id2"]["local"]] = event
                elif kind == "e":
                    first = begun.pop(event["id2"]["local"])
                    transfer = (first["ts"] * SECONDS, event["ts"] * SECONDS, first["args"]["bytes"])
                    self.transfers.setdefault(event["pid"], {}).setdefault(name, []).append(transfer)
            self.title = self.processes[1]
        except (KeyError, TypeError) as error:
            raise NoTrace(f"{path}: is a trace, but not one of emgraph ({error} is missing)") from error
        self.threads = {tid: name for tid, name in sorted(threads.items()) if tid in self.spans}
        ends = [span[1] for spans in self.spans.values() for span in spans]
        self.seconds = max(ends, default=0) or SECONDS


def innermost(spans):
    """Cuts nested spans into intervals (begin, end, category); the category is that of the innermost span."""
    stretches, stack, now = [], [], 0.0

    def advance(to):
        nonlocal now
        if stack and to > now:
            stretches.append((now, to, stack[-1][1]))
        now = max(now, to)

    for begin, end, category in sorted(spans, key=lambda span: (span[0], -span[1])):
        while stack and stack[-1][0] <= begin:
            advance(stack[-1][0])
            stack.pop()
        advance(begin)
        now = begin
        stack.append((end, category))
    while stack:
        advance(stack[-1][0])
        stack.pop()
    return stretches


def share(stretches, edges):
    """Seconds of each category in each interval between `edges`, as {category: array}."""
    found = {}
    for category in LABELS:
        chosen = np.array([(begin, end) for begin, end, kind in stretches if kind == category]).reshape(-1, 2)
        found[category] = np.diff(amount_before(chosen[:, 0], chosen[:, 1], chosen[:, 1] - chosen[:, 0], edges))
    return found


def amount_before(begins, ends, amounts, times):
    """The sum of `amounts` before each of `times`, with each amount distributed evenly between its begin and its end."""
    rates = amounts / np.maximum(ends - begins, 1e-9)
    total = np.zeros(len(times))
    for points, sign in ((begins, 1), (begins + np.maximum(ends - begins, 1e-9), -1)):
        order = np.argsort(points)
        at = points[order]
        rate = np.concatenate([[0], np.cumsum(rates[order])])
        moment = np.concatenate([[0], np.cumsum(rates[order] * at)])
        before = np.searchsorted(at, times)
        total += sign * (rate[before] * times - moment[before])
    return total


def draw_threads(axes, trace, edges):
    widths = np.diff(edges)
    rows = list(trace.threads)
    for row, tid in enumerate(rows):
        base = np.full(len(widths), -row - 0.4)
        for category, seconds in share(innermost(trace.spans[tid]), edges).items():
            height = 0.8 * np.clip(seconds / widths, 0, 1)
            axes.stairs(base + height, edges, baseline=base, fill=True, color=COLOURS[category], linewidth=0,
                        label=LABELS[category] if row == 0 else None)
            base = base + height
    axes.set_yticks([-row for row in range(len(rows))], [trace.threads[tid] for tid in rows])
    axes.set_ylim(-len(rows) + 0.4, 1.1)
    for begin, end, name in trace.phases:
        if end - begin > 0.03 * trace.seconds:
            axes.text((begin + end) / 2, 0.55, name, ha="center", va="bottom", fontsize=7, rotation=20, clip_on=True)
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), fontsize=8, frameon=False)


def draw_device(axes, name, transfers, edges):
    widths = np.diff(edges)
    for operation, sign in (("read", 1), ("write", -1)):
        if operation not in transfers:
            continue
        begins, ends, amounts = np.array(transfers[operation], float).T
        rate = np.diff(amount_before(begins, ends, amounts, edges)) / widths / 1e6
        axes.fill_between(edges[:-1], sign * rate, step="post", color=COLOURS[operation], linewidth=0,
                          label=f"{operation}, {amounts.sum() / 1e6:,.0f} MB")
    axes.axhline(0, color="black", linewidth=0.5)
    axes.yaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
    axes.set_ylabel("MB/s")
    axes.set_title(name, fontsize=8, loc="left")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), fontsize=8, frameon=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trace", help="the file of emgraph --trace FILE")
    parser.add_argument("-o", "--output", default="trace.svg", help="the picture: .svg, .png or .pdf [trace.svg]")
    parser.add_argument("--bins", type=int, default=400, help="points in time [400]")
    options = parser.parse_args()
    if options.bins < 1:
        parser.error("--bins: at least 1")
    try:
        trace = Trace(options.trace)
    except (NoTrace, OSError) as error:
        sys.exit(f"trace_plot.py: {error}")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt  # takes a second, which help and refusals do not

    edges = np.linspace(0, trace.seconds, options.bins + 1)
    devices = [pid for pid in sorted(trace.transfers)
               if any(bytes_ for of in trace.transfers[pid].values() for _, _, bytes_ in of)]
    heights = [0.6 + 0.4 * len(trace.threads)] + [1.2] * len(devices)
    figure, panels = plt.subplots(len(heights), 1, sharex=True, squeeze=False, layout="constrained",
                                  figsize=(11, 1 + sum(heights)), height_ratios=heights)
    panels = panels[:, 0]
    draw_threads(panels[0], trace, edges)
    for axes, pid in zip(panels[1:], devices):
        draw_device(axes, trace.processes[pid], trace.transfers[pid], edges)
    for axes in panels:
        for number, (begin, end, _) in enumerate(trace.phases):
            axes.axvspan(begin, end, color="black", alpha=0.04 if number % 2 else 0.09, linewidth=0, zorder=0)
    panels[0].set_xlim(0, trace.seconds)
    panels[0].set_title(f"{trace.title}, {trace.seconds:.2f} s")
    panels[-1].set_xlabel("seconds")
    try:
        figure.savefig(options.output)
    except (OSError, ValueError) as error:
        sys.exit(f"trace_plot.py: {options.output}: {error}")

    seconds = {category: sum(share(innermost(spans), edges)[category].sum() for spans in trace.spans.values())
               for category in LABELS}
    print(f"seconds        {trace.seconds:.3f}")
    for category, label in LABELS.items():
        print(f"{label:<18} {seconds[category]:.3f}")
    for pid in devices:
        moved = {operation: sum(of[2] for of in trace.transfers[pid].get(operation, [])) for operation in ("read", "write")}
        print(f"{trace.processes[pid]}: {moved['read']} bytes read, {moved['write']} written")
    print(f"picture        {options.output}")


if __name__ == "__main__":
    main()
