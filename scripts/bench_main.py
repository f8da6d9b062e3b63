#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures emgraph against its peers on the paper's job and similar jobs."""
import os
import sys

from bench_graphs import graphs_of, gridgraph
from measure import Job, Program, main


def jobs(a):
    """The jobs for parsed arguments `a`. -M is 64 MiB less than the cgroup, for code, stacks and the kernel's buffers."""
    ours, scratch = str(a.emgraph), str(a.dir)
    peer = a.peers / "stxxl_mis"
    graphs = graphs_of(a)
    kron_small, kron_large, paper = graphs["kron22"], graphs["kron24"], graphs["rand131M"]
    edges, nodes = paper.edges, paper.nodes
    temp = ["-T", scratch]
    tight, wide = ["-M", "448M", *temp, "--json"], ["-M", "960M", *temp, "--json"]
    source = f"gen:random,edges={edges},nodes={nodes},seed=1"

    def file(name):
        return f"{scratch}/{name}"

    def gen(*options):
        return [ours, "gen", *options, "-f", "-j", str(os.cpu_count())]

    def stxxl(label, *options, **more):
        return Program(label, [str(peer), *options, *temp], peer=True, needs=(peer,), **more)

    def stxxl_random(*options):
        """The peer with one and with two threads: the faster one depends on the load of the machine."""
        return [stxxl(f"STXXL, merge and queue on {n}", "random", "--edges", str(edges), "--nodes", str(nodes), *options,
                      "--queue-threads", str(n)) for n in (1, os.cpu_count())]

    sorted_emg, sorted_u32, out = file(f"sorted{edges}.emg"), file(f"sorted{edges}.u32"), file("out.u32")
    giga = 1_000_000_000 // a.shrink
    giga_file = file(f"random{giga}.emg")
    return [
        Job("paper8", "paper's job, 8-byte edges: random, sort, unique, MIS", "512M", edges,
            [*stxxl_random(), Program("emgraph --single-pass", [ours, "mis", source, "--single-pass", *tight]),
             Program("emgraph, in passes", [ours, "mis", source, *tight])]),
        Job("paper16", "paper's job, 16-byte edges", "512M", edges,
            [*stxxl_random("--payload", "8"),
             Program("emgraph", [ours, "mis", source + ",payload=8", "--queue", "bitmap", "--carry-payload", *tight])]),
        Job("heap", "paper's job through the priority queue", "512M", edges,
            [*stxxl_random(), Program("emgraph --queue heap", [ours, "mis", source, "--queue", "heap", *tight])]),
        Job("queue", "MIS of a sorted file: the queue alone", "512M", edges,
            [stxxl("STXXL", "queue", sorted_u32, "--nodes", str(nodes)),
             Program("emgraph --queue heap", [ours, "mis", sorted_emg, "--queue", "heap", *tight])],
            prepare={sorted_emg: [ours, "sort", "-u", "--no-loops", "--orient", "low", source, "-o", sorted_emg, *tight],
                     sorted_u32: [ours, "convert", sorted_emg, "-o", sorted_u32, *tight]}, input="sorted"),
        Job("kron-sort", f"{kron_large.stem}, raw file to sorted unique raw file", "512M", kron_large.edges,
            [stxxl("STXXL", "file", kron_large.raw, out, "--no-loops", removes=[out],
                   reads={"edges_out": r'"edges_unique":(\d+)'}),
             Program("emgraph", [ours, "sort", "-u", "--no-loops", kron_large.raw, "-o", out, *tight], removes=[out])],
            prepare=kron_large.generate(), answer=("edges_out",), input="kron-sort"),
        Job("kron-mis", f"{kron_small.stem}, raw file to MIS", "1G", kron_small.edges,
            [gridgraph(a, kron_small, "mis", {"mis_size": r"in_mis: (\d+)", "mis_seconds": r"time: ([\d.]+) seconds"}),
             Program("emgraph", [ours, "mis", kron_small.raw, *wide])],
            prepare=kron_small.generate(), input="kron-mis"),
        Job("gen", "generators, to nowhere and to a file", "512M", edges,
            [Program("random to nowhere", gen("--edges", str(edges), "--nodes", str(nodes), "-o", "-"),
                     discard_stdout=True),
             Program("random to a file", gen("--edges", str(edges), "--nodes", str(nodes), "-o", file("gen.emg"),
                                             "--json"), removes=[file("gen.emg")])]),
        Job("gen-kron", f"Kronecker generator as for {kron_large.stem}, to nowhere", "512M", kron_large.edges,
            [Program("kron to nowhere", gen(*kron_large.generator, "-o", "-"), discard_stdout=True)]),
        Job("giga", "MIS of a file of a billion edges", "1088M", giga,
            [Program("emgraph", [ours, "mis", giga_file, "-M", "1G", *temp, "--json"])],
            prepare={giga_file: gen("--edges", str(giga), "-o", giga_file)}),
        Job("ten-giga", "MIS of ten billion edges, no file; needs 60 GB of temporary space", "1088M", 10 * giga,
            [Program("emgraph", [ours, "mis", f"gen:random,edges={10 * giga}", "-M", "1G", *temp, "--json"])]),
    ]


if __name__ == "__main__":
    sys.exit(main(__doc__, jobs))
