#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tables 1 and 2 of the paper: the MIS benchmark on one, two and four disks of 2005.

    scripts/paper/disks.py                       # 131 M edges of 16 bytes, 512 MiB, disks of 48 MB/s
    scripts/paper/disks.py --edges 16M --memory 64M

The job is the paper's: one pipeline generates random edges, sorts them, removes duplicates, and finds a maximal independent set
(--single-pass: every edge goes through the sort, with its 8 bytes of payload). A bandwidth limit in emgraph's disk layer imitates the
disk of 2005 (--disk PATH,limit=48M): a request ends no earlier than it would on a disk of that speed.
"""
from experiment import Experiment, Missing, PAPER_EDGES, PAPER_NODES_PER_EDGE, count, main, parser

MIB = 2**20
# Tables 1 and 2, pipelined: seconds by number of disks, on a Xeon of 2 GHz with IDE disks of 45-48 MB/s.
PAPER_SECONDS = {1: 228, 2: 210, 4: 208}
PAPER_OTHERS = "The paper on one disk, files between the steps: LEDA-SM 1095 s, STXXL-STL 534 s; TPIE 456 s without the MIS."


def body():
    options = parser(__doc__)
    options.add_argument("--edges", type=count, default=PAPER_EDGES, help="[131072000]")
    options.add_argument("--memory", default="512M", help="-M of every run [%(default)s]")
    options.add_argument("--limit", type=int, default=48, help="MiB/s of a disk [%(default)s]")
    options.add_argument("--disks", default="1,2,4", help="[%(default)s]")
    options = options.parse_args()
    numbers = [int(number) for number in options.disks.split(",")]
    experiment = Experiment("disks", f"MIS benchmark, {options.edges / 1e6:.1f} M edges of 16 bytes, disks of {options.limit} MiB/s",
                            options)
    nodes = int(options.edges * PAPER_NODES_PER_EDGE)
    job = ["mis", f"gen:random,edges={options.edges},nodes={nodes},payload=8", "--carry-payload", "--single-pass",
           "-M", options.memory]
    free = experiment.run(job)
    times, bounds = [], []
    sizes = {free["mis_size"]}
    for disks in numbers:
        run = experiment.run(job, disks, f"{options.limit}M")
        sizes.add(run["mis_size"])
        moved = run["read_bytes"] + run["write_bytes"]
        times.append(run["seconds"])
        bounds.append(moved / (disks * options.limit * MIB))
        phases = {phase["name"]: phase["seconds"] for phase in run["phases"]}
        experiment.add(disks=disks, **{"generate, distribute (s)": f"{phases.get('distribute', 0):.1f}",
                                       "sort, unique, MIS (s)": f"{phases.get('scan', 0):.1f}",
                                       "total (s)": f"{times[-1]:.1f}",
                                       "moved (MiB)": f"{moved / MIB:.0f}",
                                       "MiB/s": f"{moved / MIB / times[-1]:.0f}",
                                       "time / bound": f"{times[-1] / bounds[-1]:.2f}" if bounds[-1] else "-",
                                       "speedup": f"{times[0] / times[-1]:.2f}",
                                       "paper, pipelined (s)": PAPER_SECONDS.get(disks, "-")})
    experiment.add(disks="no limit", **{"generate, distribute (s)": "", "sort, unique, MIS (s)": "",
                                        "total (s)": f"{free['seconds']:.1f}",
                                        "moved (MiB)": f"{(free['read_bytes'] + free['write_bytes']) / MIB:.0f}", "MiB/s": "",
                                        "time / bound": "", "speedup": f"{times[0] / free['seconds']:.2f}", "paper, pipelined (s)": "-"})
    if len(sizes) != 1:
        raise Missing(f"the sets differ: {sizes}")

    def draw(axes):
        # Seconds per million edges, so that bars of another size than the paper's compare; lengths start at 0.
        def scaled(seconds, edges):
            return [1e6 * second / edges for second in seconds]

        places = range(len(numbers))
        axes.bar([place - 0.2 for place in places], scaled(times, options.edges), 0.4, color="#4c72b0",
                 label=f"emgraph, {options.edges / 1e6:.1f} M edges")
        axes.scatter([place - 0.2 for place in places], scaled(bounds, options.edges), color="black", marker="_", s=1000,
                     label="bytes moved / bandwidth", zorder=3)
        known = [(place, PAPER_SECONDS[number]) for place, number in zip(places, numbers) if number in PAPER_SECONDS]
        axes.bar([place + 0.2 for place, _ in known], scaled([second for _, second in known], PAPER_EDGES), 0.4, color="#c44e52",
                 label=f"paper, pipelined, {PAPER_EDGES / 1e6:.1f} M edges")
        axes.set_xticks(list(places), [str(number) for number in numbers])
        axes.set_xlabel(f"disks of {options.limit} MiB/s (paper: 45-48 MB/s)")
        axes.set_ylabel("seconds per million edges")
        axes.legend()

    experiment.finish(draw, PAPER_OTHERS)


if __name__ == "__main__":
    main(body)
