# SPDX-License-Identifier: MIT
"""The graphs of the measurements, in emgraph's and the peers' formats, and the programs that solve them."""
import argparse
import importlib.util
import os
import shlex
import struct
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Callable

from measure import Job, Program

LEAST_MEMORY = 16 << 20  # of emgraph's -M
BESIDES_MEMORY = 64 << 20  # what a memory cgroup leaves to code, stacks and the kernel's buffers, beside -M


@dataclass
class Graph:
    name: str  # of its jobs, whatever --shrink says
    stem: str  # of its files
    nodes: int
    edges: int
    generator: list  # options of `emgraph gen`
    peers: tuple  # what can solve it in sensible time and memory: GAPBS, GridGraph, X-Stream
    emgraph: Path
    tools: Path  # the peers' directory
    directory: Path

    def file(self, suffix):
        return str(self.directory / (self.stem + suffix))

    @property
    def raw(self):
        """Unsorted pairs of u32, as generated."""
        return self.file(".u32")

    def generate(self):
        return {self.raw: [str(self.emgraph), "gen", *self.generator, "-f", "-o", self.raw]}

    def rewrite(self, form):
        """For a peer: "both-ways", "x-stream", "el" or "u32w" (hash weights)."""
        out = self.file("." + form)
        return self.generate() | {out: [str(self.tools / "peer_edges"), form, self.raw, out]}

    def first_source(self):
        """The root of searches: it has an edge."""
        with open(self.raw, "rb") as file:
            return struct.unpack("<I", file.read(4))[0]


def graphs_of(a):
    """Name -> graph, for parsed arguments `a`."""
    places = {"emgraph": a.emgraph, "tools": a.peers, "directory": a.dir}
    cut = max(0, a.shrink.bit_length() - 1)  # halvings
    side = 4096 >> cut // 2
    nodes, edges = 20_971_520 // a.shrink, 131_072_000 // a.shrink
    every_peer = ("GAPBS", "GridGraph", "X-Stream")

    def kron(name, scale, peers):
        return Graph(name, f"kron{scale}", 1 << scale, 16 << scale,
                     ["--model", "kron", "--scale", str(scale), "--edge-factor", "16"], peers, **places)

    graphs = [
        kron("kron22", 22 - cut, every_peer),
        kron("kron24", 24 - cut, ("GridGraph", "X-Stream")),  # GAPBS's converter takes minutes for its text
        # Without bfs: GridGraph takes 80 minutes for a search of 8,191 levels.
        Graph("grid4096", f"grid{side}", side * side, 2 * side * (side - 1),
              ["--model", "grid", "--dims", f"{side}x{side}"], ("GAPBS",), **places),
        Graph("rand131M", "rand131M" if a.shrink == 1 else f"rand{edges}", nodes, edges,
              ["--edges", str(edges), "--nodes", str(nodes)], every_peer, **places),
    ]
    return {graph.name: graph for graph in graphs}


def gridgraph(a, graph, program, reads, *arguments):
    """GridGraph's ingest and one of its programs in one cgroup, so that the pages of the first count for the second, too."""
    tools, grid, pairs = a.peers / "GridGraph" / "bin", graph.file(".grid"), graph.file(".both-ways")
    partitions = max(4, graph.nodes >> 20)  # its own choice, as it cannot do with none
    ingest = shlex.join([str(tools / "preprocess"), "-i", pairs, "-o", grid, "-p", str(partitions), "-t", "0"])
    solve = shlex.join([str(tools / program), grid])
    return Program("GridGraph, ingest and solve",
                   ["sh", "-c", f'{ingest} -v "$(cat {shlex.quote(pairs)}.nodes)" && {solve} "$@" 1', "sh", *arguments],
                   peer=True, needs=(tools / program, a.peers / "peer_edges"), removes=[grid], prepare=graph.rewrite("both-ways"),
                   reads={"ingest_seconds": r"it takes ([\d.]+) seconds to generate edge grid", **reads})


def x_stream(a, graph, algorithm, reads, *options, wrong=False):
    """X-Stream. Its files are in the directory in which it runs. It gets 768 MiB and locks most of it."""
    driver = a.peers / "x-stream" / "bin" / "benchmark_driver"
    return Program("X-Stream", ["env", "-C", str(a.dir), str(driver), "-g", Path(graph.file(".x-stream")).name,
                                "-b", algorithm, "-a", "-p", str(os.cpu_count()), "--physical_memory", str(768 << 20), *options],
                   peer=True, needs=(driver, a.peers / "peer_edges"), prepare=graph.rewrite("x-stream"), reads=reads, wrong=wrong)


def gapbs(a, graph, program, reads=MappingProxyType({}), *options):
    """One run of a GAPBS kernel on its prepared graph. Without -a: printing the answer takes `cc` longer than the kernel."""
    tools, prepared = a.peers / "gapbs", graph.file(".sg")
    convert = [str(tools / "converter"), "-f", graph.file(".el"), "-s", "-b", prepared]
    return Program(f"GAPBS {program}", [str(tools / program), "-f", prepared, "-n", "1", *options],
                   peer=True, needs=(tools / program, a.peers / "peer_edges"), prepare=graph.rewrite("el") | {prepared: convert},
                   reads={"load_seconds": r"Read Time:\s+([\d.]+)", "kernel_seconds": r"Trial Time:\s+([\d.]+)", **reads})


def in_python(label, module, code, prepare, removes=(), reads=MappingProxyType({}), **places):
    """A peer in Python; none if its module is not installed."""
    if importlib.util.find_spec(module) is None:
        return []
    return [Program(label, [sys.executable, "-c", code.format(**places)], peer=True, prepare=prepare, removes=list(removes),
                    reads=dict(reads))]


@dataclass
class Solver:
    """Declares the jobs of one solver on every graph. Peers: system (as in Graph.peers) -> function that returns its programs for
    a graph."""
    a: argparse.Namespace
    command: str
    answer: tuple
    options: tuple = ()
    peers_in_memory: dict = field(default_factory=dict)
    peers_at_1g: dict = field(default_factory=dict)
    kept: str = ""  # suffix of what `emgraph convert` can keep for this solver
    values: Callable = lambda graph: {}  # as Job.values

    def ours(self, label, graph, path, memory, *more):
        limit = ["-M", f"{memory >> 20}M"] if memory else []
        return Program(label, [str(self.a.emgraph), self.command, path, *self.options, *more, *limit, *self.temp(), "--json"],
                       prepare=graph.generate())

    def temp(self):
        return ["-T", str(self.a.dir)]

    def job(self, graph, memory, *more, kind, peers=MappingProxyType({})):
        """One job with `-M memory` in a cgroup of that size; if `memory` is 0, without a memory limit and warm."""
        programs = [program for system in peers if system in graph.peers for program in peers[system](graph)]
        programs.append(self.ours("emgraph", graph, graph.raw, memory, *more))
        if self.kept and not more:
            path = graph.file(self.kept)
            program = self.ours("emgraph, from what was kept", graph, path, memory)
            program.prepare[path] = [str(self.a.emgraph), "convert", graph.raw, "-f", "-o", path, *self.temp()]
            programs.append(program)
        limit = f"{memory + BESIDES_MEMORY >> 20}M" if memory else ""
        what = " ".join([self.command, "of", graph.name, *more])
        return Job(f"{graph.name}-{kind}", what, limit, graph.edges, programs,
                   answer=self.answer, input=graph.name, warm=not memory, values=self.values(graph))

    def jobs(self):
        """For every graph: all memory of the machine, cgroups of 1 GiB and 512 MiB, and the external model with a quarter of the
        memory that the nodes need."""
        made = []
        for graph in graphs_of(self.a).values():
            quarter = max(LEAST_MEMORY, graph.nodes >> 20 << 20)
            made += [self.job(graph, 0, kind="whole", peers=self.peers_in_memory),
                     self.job(graph, (1 << 30) - BESIDES_MEMORY, kind="1G", peers=self.peers_at_1g),
                     self.job(graph, (512 << 20) - BESIDES_MEMORY, kind="512M"),
                     self.job(graph, quarter, "--model", "external", kind="external")]
        return made
