#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The table of a diary of 2008 on shortest paths and the memory hierarchy: queue x node order x page size, alignment, order of arcs.

    scripts/paper/shortest_paths.py                # 24 M nodes, 58 M arcs: some 15 minutes, 3 GB of space
    scripts/paper/shortest_paths.py --nodes 240k   # the same shape, a hundredth of the size

The diary solved ten point-to-point queries on the road network of the USA by Dijkstra's algorithm, which stopped at the target, on a
Core 2 Duo E8200 at 3.2 GHz. This script makes a graph with as many nodes and arcs (a grid of which a random spanning tree and a part
of the other edges are left; lengths are log-normal) and times ten such queries and one search of all nodes, each on one thread. The
times are those of the searches alone; reading a .gr file is timed once, for the whole command. Node orders: `given` is the grid's, row
by row; `random` has all nodes renumbered; `bfs` and `hilbert` are the random numbers with `emgraph sssp --order`. Pages: --huge-pages;
`on` is left out if the kernel's pool is empty. TLB misses are counted by perf where the machine has the counters; those of a run that
only loads the graph are subtracted. All runs must find the same distances.

A second table has what emgraph has no options for: the alignment of the arrays, and arcs sorted by length. It is measured by
tests/bench/sssp_layout.bench.cpp, on the queues of emgraph, in the `given` order: `scripts/build.sh -DEMGRAPH_BENCHMARKS=ON` builds it.
"""
import importlib.util
import json
import math
import shutil
import statistics
import subprocess
from pathlib import Path

from experiment import Experiment, Missing, count, main, parser

USA_NODES, USA_ARCS, USA_LONGEST = 23_947_347, 58_333_344, 368_855
MEDIAN_LENGTH = 1_700
QUEUES = ("dial", "multilevel-bucket", "radix", "heap")
ORDERS = ("given", "random", "bfs", "hilbert")
PAGES = ("off", "auto", "on")
# Seconds of ten queries at 3.2 GHz: pages of 4 KiB, huge pages. The diary has no huge pages for the multi-level bucket.
DIARY = {"dial": (14.55, 12.07), "multilevel-bucket": (20.13, None), "heap": (21.39, 18.20)}
LAYOUT = Path(__file__).resolve().parents[2] / "build" / "tests" / "bench_sssp_layout"
POOL = Path("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages")
EVENT = "dTLB-load-misses"


class Roads:
    """A connected planar graph with the USA's numbers of nodes and arcs, and its files in `directory`."""

    def __init__(self, nodes, seed, directory):
        import numpy

        self.numpy, self.directory = numpy, directory
        self.random = numpy.random.default_rng(seed)
        self.side = max(2, round(math.sqrt(nodes)))
        self.nodes = self.side**2
        self.edges = self.make()
        self.number = None  # node -> its random number

    def make(self):
        """Triples (node, neighbour to the west or north, length). One of the two is an edge of the spanning tree."""
        numpy, side = self.numpy, self.side
        node = numpy.arange(self.nodes, dtype=numpy.uint32)
        row, column = node // side, node % side
        west = (row == 0) | ((column > 0) & (self.random.random(self.nodes) < 0.5))
        others = (USA_ARCS / USA_NODES / 2 - 1) * self.nodes / max(1, (side - 1) ** 2)
        other = self.random.random(self.nodes) < others
        to_west = node[(column > 0) & (west | other)]
        to_north = node[(row > 0) & (~west | other)]
        edges = numpy.empty((len(to_west) + len(to_north), 3), dtype="<u4")
        edges[:, 0] = numpy.concatenate((to_west, to_north))
        edges[:, 1] = numpy.concatenate((to_west - 1, to_north - numpy.uint32(side)))
        lengths = numpy.exp(self.random.normal(math.log(MEDIAN_LENGTH), 1, len(edges)))
        edges[:, 2] = numpy.clip(lengths, 1, USA_LONGEST)
        return edges

    def renumber(self):
        self.number = self.random.permutation(self.nodes).astype("<u4")

    def numbers(self, nodes):
        return nodes if self.number is None else self.number[nodes]

    def write_arcs(self, name):
        """Both directions of every edge."""
        path = self.directory / name
        with open(path, "wb") as file:
            edges = self.edges.copy()
            edges[:, :2] = self.numbers(edges[:, :2])
            edges.tofile(file)
            edges[:, [0, 1]] = edges[:, [1, 0]]
            edges.tofile(file)
        return path

    def write_queries(self, name, pairs):
        path = self.directory / name
        lines = [f"q {source + 1} {target + 1}\n" for source, target in self.numbers(pairs)]
        path.write_text(f"p aux sp p2p {len(lines)}\n" + "".join(lines), encoding="ascii")
        return path

    def write_coordinates(self, name):
        path = self.directory / name
        numbers = self.numbers(self.numpy.arange(self.nodes))
        with open(path, "w", encoding="ascii") as file:
            file.write(f"p aux sp co {self.nodes}\n")
            for row in range(self.side):
                first = row * self.side
                file.write("".join(f"v {number + 1} {column} {row}\n"
                                   for column, number in enumerate(numbers[first:first + self.side].tolist())))
        return path


class MissCounter:
    """Counts TLB misses of a command by perf, if the machine can."""

    def __init__(self, directory):
        self.file = directory / "perf.csv"
        self.command = []
        if shutil.which("perf"):
            command = ["perf", "stat", "-x", ",", "-e", EVENT, "-o", str(self.file), "--"]
            done = subprocess.run([*command, "true"], capture_output=True, check=False)
            if done.returncode == 0 and self.take() is not None:
                self.command = command

    def take(self):
        """The count of the last command, or None."""
        for line in self.file.read_text(encoding="utf-8").splitlines() if self.file.exists() else []:
            columns = line.split(",")
            if len(columns) > 2 and columns[2].startswith(EVENT) and columns[0].isdigit():
                return int(columns[0])
        return None


def search_seconds(run):
    """Of the searches alone."""
    return run.get("search_seconds") or sum(phase["seconds"] for phase in run["phases"] if phase["name"] == "queries")


def chosen(text, known):
    words = text.split(",")
    for word in words:
        if word not in known:
            raise Missing(f"{word}: not one of {', '.join(known)}")
    return words


class Table:
    """Runs the searches and adds a row for each order, queue and page size."""

    def __init__(self, experiment, repeats, counter):
        self.experiment, self.repeats, self.counter = experiment, repeats, counter
        self.answers = {}
        self.times = {}  # (order, queue, pages) -> seconds of the queries and of the full search

    def check(self, job, answer):
        if self.answers.setdefault(job, answer) != answer:
            raise Missing(f"{job}: the answers differ: {self.answers[job]} and {answer}")

    def run(self, arguments):
        """Median seconds of the searches, TLB misses or None, the last summary."""
        seconds, misses = [], []
        for _ in range(self.repeats):
            summary = self.experiment.run(["sssp", *arguments, "-j", "1", "--model", "internal", "--directed"],
                                          before=self.counter.command)
            seconds.append(search_seconds(summary))
            misses.append(self.counter.take() if self.counter.command else None)
        return statistics.median(seconds), statistics.median(misses) if self.counter.command else None, summary

    def add(self, order, queue, pages, graph, queries, root, loading):
        """`loading`: misses of a run that only loads the graph, or None."""
        common = [*graph, "--queue", queue, "--huge-pages", pages]
        point, point_misses, run = self.run([*common, "--search", "forward", "--queries", queries])
        self.check("queries", [query["distance"] for query in run["queries"]])
        settled = sum(query["settled"] for query in run["queries"])
        full, full_misses, run = self.run([*common, "--root", str(root)])
        self.check("full search", (run["reached"], run["max_distance"]))
        self.times[order, queue, pages] = (point, full)
        per_node = "not counted"
        if loading is not None:
            per_node = f"{max(0, point_misses - loading) / settled:.2f}, {max(0, full_misses - loading) / run['reached']:.2f}"
        diary = DIARY.get(queue, (None, None))[pages != "off"] if order == "given" else None
        self.experiment.add(**{"node order": order, "queue": queue, "huge pages": f"{pages}: {run['huge_pages']}",
                               "ten queries (s)": f"{point:.2f}", "settled by them": f"{settled:,}",
                               "full search (s)": f"{full:.2f}", "TLB misses per settled node: queries, full": per_node,
                               "ten queries, 2008 (s)": f"{diary:.2f}" if diary else "-"})

    def ratio(self, slow, fast):
        """Of two rows, for the queries and the full search; empty if one was not run."""
        if slow not in self.times or fast not in self.times:
            return ""
        return ", ".join(f"{a / b:.2f}" if b else "-" for a, b in zip(self.times[slow], self.times[fast]))


def ratios(table, queues, orders, pages):
    """The diary's questions as a table."""
    best = next((choice for choice in ("on", "auto", "off") if choice in pages), pages[0])
    rows = [(f"heap / {queue}, huge pages {best}", table.ratio(("given", "heap", best), ("given", queue, best)),
             f"{DIARY['heap'][0] / DIARY[queue][0]:.2f}" if queue in DIARY else "-") for queue in queues if queue != "heap"]
    for queue in queues:
        small, huge = DIARY.get(queue, (None, None))
        rows.append((f"{queue}, small pages / {best}", table.ratio(("given", queue, "off"), ("given", queue, best)),
                     f"{small / huge:.2f}" if huge else "-"))
    for order in orders:
        if order != "random":
            rows.append((f"{queues[0]}, node order random / {order}, huge pages {best}",
                         table.ratio(("random", queues[0], best), (order, queues[0], best)), "-"))
    lines = ["| slow / fast | queries, full search | 2008 |", "|---|---|---|"]
    return "\n".join(lines + [f"| {what} | {ratio} | {diary} |" for what, ratio, diary in rows if ratio])


def layouts(program, arcs, queries, repeats):
    """Alignments and orders of the arcs of a node as a table, and in words; or why there is none."""
    if not program.exists():
        return (f"- Alignment and arcs sorted by length were not measured: {program.name} is missing "
                "(`scripts/build.sh -DEMGRAPH_BENCHMARKS=ON` builds it).")
    done = subprocess.run([str(program), str(arcs), str(queries), str(repeats)], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise Missing(f"{program.name} ended with exit code {done.returncode}; its message is above")
    runs = [json.loads(line) for line in done.stdout.splitlines()]
    sorting = next(run["sort_seconds"] for run in runs if "sort_seconds" in run)
    runs = [run for run in runs if "queue" in run]
    if len({run["check"] for run in runs}) != 1:
        raise Missing("the answers differ between alignments or orders of the arcs")
    columns = list(dict.fromkeys((run["alignment"], run["arcs"]) for run in runs))
    names = [f"{alignment} bytes" if kind == "given" else f"{alignment} bytes, arcs by length" for alignment, kind in columns]
    lines = ["Seconds of ten queries, of the full search, by the alignment of the arrays and the order of the arcs of a node:", "",
             "| queue | " + " | ".join(names) + " |", "|---" * (len(columns) + 1) + "|"]
    for queue in dict.fromkeys(run["queue"] for run in runs):
        row = {(run["alignment"], run["arcs"]): run for run in runs if run["queue"] == queue}
        lines.append(f"| {queue} | " + " | ".join(f"{row[c]['queries']:.2f}, {row[c]['full']:.2f}" for c in columns) + " |")
    return "\n".join(lines) + (f"\n\nSorting the arcs of all nodes took {sorting:.1f} s. In 2008 alignments from 8 to 8192 bytes hardly "
                               "differed; arcs sorted by length gained nothing, and loading took 50-60 s more.")


def load_from_text(experiment, arcs, root, directory):
    """The whole command from a .gr file, on all cores, in words."""
    text, distances = directory / "roads.gr", directory / "distances.npy"
    experiment.run(["convert", str(arcs), "-o", str(text)])
    run = experiment.run(["sssp", str(text), "--root", str(root), "-o", str(distances)])
    size = text.stat().st_size
    text.unlink()
    distances.unlink()
    return (f"From a .gr file of {size / 1e6:.0f} MB to a file of distances, all cores: {run['seconds']:.2f} s, of which "
            f"{run['search_seconds']:.2f} s are the search. The diary took 40-50 s to load the graph.")


def body():
    options = parser(__doc__, repeat=False)
    options.add_argument("--nodes", type=count, default=USA_NODES, help="[%(default)s]; arcs in proportion")
    options.add_argument("--queues", default=",".join(QUEUES), help="[%(default)s]")
    options.add_argument("--orders", default=",".join(ORDERS), help="[%(default)s]")
    options.add_argument("--pages", default=",".join(PAGES), help="values of --huge-pages [%(default)s]")
    options.add_argument("--repeats", type=int, default=1, help="runs of each search, of which the median counts [%(default)s]")
    options.add_argument("--seed", type=int, default=1, help="[%(default)s]")
    options.add_argument("--layout-program", type=Path, default=LAYOUT, help="measures alignments and orders of arcs [%(default)s]")
    options = options.parse_args()
    queues, orders = chosen(options.queues, QUEUES), chosen(options.orders, ORDERS)
    pages = chosen(options.pages, PAGES)
    if importlib.util.find_spec("numpy") is None:
        raise Missing("needs python3-numpy (scripts/setup.sh installs it)")
    notes = []
    if "on" in pages and (not POOL.exists() or int(POOL.read_text(encoding="ascii")) == 0):
        pages = [choice for choice in pages if choice != "on"]
        notes.append("- `--huge-pages on` was not measured: the kernel's pool is empty (`sysctl vm.nr_hugepages`).")
        if not pages:
            raise Missing("--pages on: the kernel's pool is empty; as root: sysctl vm.nr_hugepages=N")
    experiment = Experiment("shortest_paths", f"Shortest paths, {options.nodes / 1e6:.2f} M nodes, one thread", options)
    directory = Path(experiment.directories(1)[0])
    try:
        measure(experiment, directory, queues, orders, pages, notes)
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def measure(experiment, directory, queues, orders, pages, notes):
    options = experiment.options
    roads = Roads(options.nodes, options.seed, directory)
    pairs = roads.random.integers(0, roads.nodes, (10, 2))
    counter = MissCounter(directory)
    table = Table(experiment, options.repeats, counter)

    def rows_of(order, graph, queries):
        source = int(roads.numbers(pairs)[0][0])
        for choice in pages:
            loading = None
            if counter.command:
                loading = table.run([*graph, "--huge-pages", choice, "--root", str(source), "--to", str(source)])[1]
            for queue in queues:
                table.add(order, queue, choice, graph, str(queries), source, loading)

    arcs = roads.write_arcs("given.u32w")
    loaded = load_from_text(experiment, arcs, int(pairs[0][0]), directory)
    queries = roads.write_queries("given.p2p", pairs)
    if "given" in orders:
        rows_of("given", [str(arcs)], queries)
    layout = layouts(options.layout_program, arcs, queries, options.repeats)
    arcs.unlink()
    if orders != ["given"]:
        roads.renumber()
        arcs, queries = roads.write_arcs("random.u32w"), roads.write_queries("random.p2p", pairs)
        more = {"random": [], "bfs": ["--order", "bfs"], "hilbert": ["--order", "hilbert"]}
        if "hilbert" in orders:
            more["hilbert"] += ["--coordinates", str(roads.write_coordinates("random.co"))]
        for order in (order for order in orders if order != "given"):
            rows_of(order, [str(arcs), *more[order]], queries)
    if not counter.command:
        notes.append(f"- TLB misses were not counted: perf is missing, or this machine does not count {EVENT}.")
    notes += [
        "- 2008: road network of the USA (24 M nodes, 58 M arcs), Core 2 Duo E8200 at 3.2 GHz, other queries. Only ratios compare.",
    ]
    text = "\n\n".join([ratios(table, queues, orders, pages), layout, loaded, "\n".join(notes)])
    experiment.finish(lambda axes: draw(axes, table, queues), text)


def draw(axes, table, queues):
    kinds = list(dict.fromkeys((order, pages) for order, _, pages in table.times))
    width = 0.8 / len(kinds)
    for place, (order, pages) in enumerate(kinds):
        axes.bar([x + (place - (len(kinds) - 1) / 2) * width for x in range(len(queues))],
                 [table.times[order, queue, pages][0] for queue in queues], width, label=f"{order}, huge pages {pages}")
    for huge, marker in ((0, "_"), (1, "+")):
        points = [(x, DIARY[queue][huge]) for x, queue in enumerate(queues) if DIARY.get(queue, (None, None))[huge]]
        if points:
            axes.scatter(*zip(*points), color="black", marker=marker, s=120, zorder=3,
                         label="2008, " + ("huge pages" if huge else "small pages"))
    axes.set_xticks(range(len(queues)), queues)
    axes.set_yscale("log")
    axes.set_ylabel("seconds of ten queries")
    axes.legend(fontsize="small", ncols=2)


if __name__ == "__main__":
    main(body)
