# SPDX-License-Identifier: MIT
"""The place of the attacks: inputs, commands, right answers, and the judgement of a disturbed run."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

# A machine under load is slow; a run of these inputs takes a second or two.
MOST_SECONDS = 120
POWER_SHIM = "libpower_shim.so"  # beside the library of faults

# Each reads INPUT and writes OUTPUT; all but convert and gen have temporary data at 16M.
COMMANDS = [
    "sort -u INPUT -o OUTPUT",
    "mis INPUT --single-pass -o OUTPUT",
    "mis INPUT --single-pass --queue heap -o OUTPUT",
    "cc INPUT --model external -o OUTPUT",
    "bfs INPUT --model external --root 0 -o OUTPUT",
    "mst INPUT --model external --weights hash -o OUTPUT",
    "sssp INPUT --model external --weights hash --root 0 -o OUTPUT",
    "triangles INPUT --per-node OUTPUT",
    "pagerank INPUT --model semi-external --iterations 3 -o OUTPUT",
    "pagerank gen:random,edges=1500K,nodes=1M --model external --iterations 2 -o OUTPUT",
    "cdlp INPUT --model external --iterations 2 -o OUTPUT",
    "cdlp INPUT --model semi-external --iterations 2 -o OUTPUT",
    "kcore INPUT --model semi-external -o OUTPUT",
    "kcore gen:random,edges=300K,nodes=60K --model external -o OUTPUT",
    "lcc INPUT -o OUTPUT",
    "scc INPUT --model external -o OUTPUT",
    "scc gen:random,edges=1500K,nodes=200K --model semi-external -o OUTPUT",
    "filter INPUT --largest-component -o OUTPUT",
    "graph500 --scale 13 --roots 2 --model external",
    "convert INPUT -o OUTPUT",
]
SPILLING = COMMANDS[:-1]
# With --checkpoint. OUTPUT.EXT is an output with this extension.
RESUMABLE = [
    "gen --edges 6M --nodes 700K -o OUTPUT.bin",
    "gen --model gnm --edges 3M --nodes 700K --codec delta+zstd -o OUTPUT.bin",
    "gen --edges 3M --weights 1:9 -o OUTPUT.tsv",
    "sort -u --no-loops INPUT -o OUTPUT.bin",
    "sort INPUT --by target --codec delta -o OUTPUT.bin",
    "sort --symmetrize INPUT -o OUTPUT.u32",
    "dedup gen:kron,scale=17,edge-factor=24,weights=1:5 -o OUTPUT.bin",
    "dedup gen:gnm,edges=3M,nodes=700K -o OUTPUT.csv",
    "convert INPUT -o OUTPUT.npy",
    "convert INPUT -o OUTPUT.tsv",
    "convert gen:random,edges=5M,weights=1:9 --codec zstd -o OUTPUT.bin",
    "mis INPUT -o OUTPUT.npy",
    "mis INPUT --single-pass --queue ranges -o OUTPUT.tsv",
    "mis INPUT --queue heap -o OUTPUT.bin",
    "mis gen:kron,scale=17,edge-factor=24 -o OUTPUT.npy",
    "cc INPUT -o OUTPUT.npy",
    "cc gen:random,edges=5M,nodes=9M --model external -o OUTPUT.tsv",
    "triangles INPUT --per-node OUTPUT.npy",
    "triangles gen:kron,scale=15,edge-factor=16 --model semi-external --per-node OUTPUT.npy",
    "triangles gen:kron,scale=14,edge-factor=16 --model external --per-node OUTPUT.tsv",
    "bfs INPUT -o OUTPUT.npy",
    "bfs INPUT --model semi-external --directed -o OUTPUT.bin",
    "bfs INPUT --model external -o OUTPUT.tsv",
    "bfs gen:grid,dims=900x900 --root 0 --model external -o OUTPUT.npy",
    "sssp INPUT --root 0 --weights hash --model semi-external -o OUTPUT.npy",
    "sssp INPUT --root 0 --weights hash --model external -o OUTPUT.npy",
    "mst INPUT --weights hash -o OUTPUT.bin",
    "mst INPUT --weights hash --model external -o OUTPUT.bin",
    "mst gen:random,edges=6M,nodes=2M,weights=1:999 --model external -o OUTPUT.tsv",
    "pagerank INPUT -o OUTPUT.npy",
    "pagerank INPUT --undirected --model semi-external --iterations 12 -o OUTPUT.tsv",
    "pagerank gen:random,edges=2M,nodes=300K --model external --iterations 9 -o OUTPUT.npy",
    "sort -u INPUT --nodes-in LIST -o OUTPUT.bin",
    "sort -u ADJACENCY --by target -o OUTPUT.bin",
    "mst ADJACENCY --weights hash --model external -o OUTPUT.bin",
    "cc gen:random,edges=4M,nodes=900K,weights=1:9 --min-weight 4 -o OUTPUT.npy",
]
DISKS = [",io=pread,direct=off", ",io=uring", ",io=pread"]
COMMON = ["-q", "-f", "-M", "16M"]


class Verdict:
    """What went wrong in one attempt."""

    KINDS = ["wrong", "lost", "left", "hung", "crashed"]

    def __init__(self):
        self.found = {}

    def add(self, kind, why):
        self.found.setdefault(kind, why)


class Answers(dict):
    """The right results by command, each computed when it is first asked for."""

    def __init__(self, place):
        super().__init__()
        self.place = place

    def __missing__(self, command):
        self[command] = self.place.answer(command)
        return self[command]


class Place:
    def __init__(self, binary, shim, directory):
        self.binary = str(binary)
        self.shim = Path(shim).resolve() if shim else None
        self.root = Path(directory)
        self.temporary = self.root / "temporary"
        self.results = self.root / "results"
        for path in (self.root, self.temporary, self.results):
            path.mkdir(parents=True, exist_ok=True)
        self.input = self.root / "edges.bin"
        self.kept_root = self.root / "powered"  # checkpoints and their outputs in attacks on the power
        self.list = self.root / "list.txt"
        self.adjacency = self.root / "graph.adj"  # its lanes give their batches in pieces
        self.old = b"the result of an earlier run\n" * 100
        self.right = Answers(self)
        self.kills = 0  # of runs with checkpoints
        self.flips = 0  # changes of temporary data that a run has found and named
        self.killed = set()  # outputs whose last run was killed: a file beside them may be left until the next run

    def arguments(self, command, output, disk=DISKS[0], source=None, threads=2):
        words = [
            str(source or self.input) if word == "INPUT" else str(output) if word == "OUTPUT" else word
            for word in command.split()
        ]
        options = COMMON + ["-j", str(threads), "--disk", str(self.temporary) + disk]
        return [self.binary] + words + options

    def words(self, command, output):
        """The program and the words of a command in RESUMABLE."""
        known = {"INPUT": str(self.input), "LIST": str(self.list), "ADJACENCY": str(self.adjacency)}
        return [self.binary] + [
            str(output) if word.startswith("OUTPUT.") else known.get(word, word) for word in command.split()
        ]

    def prepare(self):
        self.list.write_text("".join(f"{node}\n" for node in range(0, 600_000, 3)))
        self.call([self.binary, "gen", "--edges", "2200K", "--nodes", "600K", "-q", "-f", "-o", str(self.input)])
        self.call([self.binary, "convert", str(self.input), "-q", "-f", "-o", str(self.adjacency)])

    def answer(self, command):
        """The result of an undisturbed run. What has no OUTPUT has a verdict of its own as the answer: None."""
        kept = command in RESUMABLE
        output = self.root / ("right." + (command.rsplit(".", 1)[1] if kept else "npy"))
        self.call(self.words(command, output) + ["-q"] if kept else self.arguments(command, output))
        result = output.read_bytes() if "OUTPUT" in command else None
        output.unlink(missing_ok=True)
        return result

    def call(self, arguments):
        run = subprocess.run(arguments, capture_output=True, timeout=10 * MOST_SECONDS, env=self.environment())
        if run.returncode != 0:
            sys.exit(f"an undisturbed run failed: {' '.join(arguments)}\n{run.stderr.decode(errors='replace')}")

    def environment(self, fault=None, power=None):
        known = {k: v for k, v in os.environ.items() if k not in ("EMGRAPH_DISKS", "EMGRAPH_FAULT")}
        known["XDG_CONFIG_HOME"] = "/nonexistent"
        if fault:
            known["LD_PRELOAD"] = str(self.shim)
            known["EMGRAPH_FAULT"] = fault
        if power:
            known["LD_PRELOAD"] = str(self.shim.with_name(POWER_SHIM))
            known["EMGRAPH_POWER"] = power
            known["EMGRAPH_POWER_ROOT"] = str(self.kept_root)
        return known

    def start(self, arguments, fault=None, before=None, power=None):
        return subprocess.Popen(
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=self.environment(fault, power),
            preexec_fn=before,
        )

    def wait(self, process, verdict, sent=None):
        """Exit code (negative: the signal), or None if it hung. `sent`: the signal that it got."""
        try:
            _, error = process.communicate(timeout=MOST_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            verdict.add("hung", f"after {MOST_SECONDS} s")
            return None
        code = process.returncode
        text = error.decode(errors="replace").strip()
        if code < 0 and -code != sent:
            verdict.add("crashed", f"signal {-code}")
        elif code == 70 or (code > 4 and code != 75):
            verdict.add("crashed", f"exit code {code}: {text[-300:]}")
        elif code == 1:
            verdict.add("wrong", f"exit code 1: {text[-300:]}")
        elif code > 0 and not text:
            verdict.add("wrong", f"exit code {code} without a message")
        self.last_error = text
        return code

    def set_old(self, name):
        output = self.results / name
        output.write_bytes(self.old)
        return output

    def judge(self, command, output, code, verdict, was_killed=False, had_old=True):
        """Holds the published output and what lies about against what may be there."""
        there = output.read_bytes() if output.exists() else None
        if self.right[command] is None:
            if there not in (self.old, None):
                verdict.add("wrong", "the output of another run changed")
        elif code == 0 and there != self.right[command]:
            verdict.add("wrong", "exit code 0 and another result")
        elif code != 0 and there not in (self.right[command], self.old if had_old else None):
            verdict.add("lost" if there is None else "wrong", f"exit code {code}, and the output changed")
        self.sweep(output, verdict, was_killed)

    def sweep(self, output, verdict, was_killed=False):
        """Counts and removes files that were left."""
        left = [path for path in self.temporary.iterdir()]
        for path in self.results.iterdir():
            if path == output:
                continue
            beside = path.name.startswith(output.name + ".tmp.")
            if beside and was_killed:
                self.killed.add(output)
                continue
            left.append(path)
        if not was_killed:
            self.killed.discard(output)
        if left:
            verdict.add("left", ", ".join(path.name for path in left))
        for path in left:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        if output.exists() and not self.killed:
            output.unlink()
