# SPDX-License-Identifier: MIT
"""The place of the attacks: inputs, commands, right answers, and the judgement of a disturbed run."""

import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

from commands import DISKS, RESUMABLE

# A machine under load is slow; a run of these inputs takes a second or two.
MOST_SECONDS = 120
PROPERTIES = """graph.set.vertex-file = set.v
graph.set.edge-file = set.e
graph.set.directed = true
graph.set.edge-properties.names = weight
graph.set.edge-properties.types = real
graph.set.algorithms = bfs, cdlp, lcc, pr, sssp, wcc
graph.set.bfs.source-vertex = 3
graph.set.cdlp.max-iterations = 2
graph.set.pr.damping-factor = 0.85
graph.set.pr.num-iterations = 2
graph.set.sssp.weight-property = weight
graph.set.sssp.source-vertex = 3
"""
POWER_SHIM = "libpower_shim.so"  # beside the library of faults

COMMON = ["-q", "-f"]


class Verdict:
    """What went wrong in one attempt."""

    KINDS = ["wrong", "lost", "left", "hung", "crashed"]

    def __init__(self):
        self.found = {}

    def add(self, kind, why):
        self.found.setdefault(kind, why)


class Outputs:
    """The outputs of one run, by the words of its command that stand for them."""

    def __init__(self, command, folder, name):
        self.folder = folder
        words = [word for word in command.split() if word.startswith(("OUTPUT", "TIMES"))]
        self.paths = {word: folder / f"{name}-{word.lower()}" for word in words}

    def set_old(self, content):
        for path in self.paths.values():
            path.write_bytes(content)

    @staticmethod
    def lasting(word, content):
        """Of a page or table with times: what does not depend on them."""
        if content is None or not word.startswith("TIMES"):
            return content
        return content[:20] + bytes([content.count(b"\n") % 256 if word.endswith(".csv") else 0]) + content[-8:]

    def read(self):
        """Their contents, None for what is not there."""
        contents = ((word, path.read_bytes() if path.exists() else None) for word, path in self.paths.items())
        return [self.lasting(word, content) for word, content in contents]

    def would_be(self, content):
        """What read() returns if all have this content."""
        return [self.lasting(word, content) for word in self.paths]

    def exist(self):
        return any(path.exists() for path in self.paths.values())

    def parts(self):
        """Names of what runs with checkpoints write before the outputs are complete."""
        return [path.with_name(path.name + ".emgraph-part") for path in self.paths.values()]

    def remove(self):
        for path in self.paths.values():
            path.unlink(missing_ok=True)

    def remove_parts(self):
        for path in self.parts():
            path.unlink(missing_ok=True)


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
        self.labelled = self.root / "labelled.txt"
        self.set = self.root / "set.properties"
        self.adjacency = self.root / "graph.adj"  # its lanes give their batches in pieces
        self.old = b"the result of an earlier run\n" * 100
        self.right = Answers(self)
        self.kills = 0  # of runs with checkpoints
        self.flips = 0  # changes of temporary data that a run has found and named
        self.named = set()  # commands that have named one
        self.killed_kept = Counter()  # signals by command, with checkpoints
        self.faults = Counter()  # injected faults by the kind of the call
        self.killed = set()  # outputs whose last run was killed: a file beside them may be left until the next run

    def outputs(self, command, name, old=False):
        outputs = Outputs(command, self.results, name)
        if old:
            outputs.set_old(self.old)
        return outputs

    def arguments(self, command, outputs, disk=DISKS[0], source=None, threads=2, memory="16M"):
        options = COMMON + ["-M", memory, "-j", str(threads), "--disk", str(self.temporary) + disk]
        return self.words(command, outputs, source) + options

    def words(self, command, outputs, source=None):
        """The program and the words of a command."""
        known = {"INPUT": source or self.input, "LIST": self.list, "ADJACENCY": self.adjacency, "SET": self.set}
        known |= {"LABELLED": self.labelled} | outputs.paths
        return [self.binary] + [str(known.get(word, word)) for word in command.split()]

    def prepare(self):
        self.list.write_text("".join(f"{node}\n" for node in range(0, 600_000, 3)))
        self.call([self.binary, "gen", "--edges", "2200K", "--nodes", "600K", "-q", "-f", "-o", str(self.input)])
        self.call([self.binary, "convert", str(self.input), "-q", "-f", "-o", str(self.adjacency)])
        drawn = random.Random(1)
        edges = {(drawn.randrange(20_000), drawn.randrange(20_000)) for _ in range(200_000)}
        self.labelled.write_text("".join(f"name{a} name{b} {a % 97}.5\n" for a, b in sorted(edges)))
        # A data set of LDBC Graphalytics.
        self.set.write_text(PROPERTIES)
        self.set.with_suffix(".v").write_text("".join(f"{node}\n" for node in range(20_000)))
        arcs = sorted((a, b) for a, b in edges if a != b)
        self.set.with_suffix(".e").write_text("".join(f"{a} {b} {a % 97}.5\n" for a, b in arcs))

    def answer(self, command):
        """The results of an undisturbed run."""
        kept = command in RESUMABLE
        outputs = self.outputs(command, "right")
        self.call(self.words(command, outputs) + ["-q"] if kept else self.arguments(command, outputs))
        result = outputs.read()
        outputs.remove()
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

    def needs_memory(self):
        """True if the last run has refused to go on with so little memory, and so many threads."""
        return any(text in self.last_error for text in ("would do", "raise -M", "is the least for this step"))

    def right_from(self, command, source):
        """The right outputs for another input: some formats keep the words of the command."""
        outputs = self.outputs(command, "other")
        self.call(self.arguments(command, outputs, source=source))
        right = outputs.read()
        outputs.remove()
        return right

    def judge(self, command, outputs, code, verdict, was_killed=False, had_old=True, right=None):
        """Holds the published outputs and what lies about against what may be there."""
        there = outputs.read()
        right = right or self.right[command]
        old = outputs.would_be(self.old if had_old else None)
        if code == 0:
            if there != right:
                verdict.add("wrong", f"exit code 0 and another result [{command}]")
        elif was_killed:
            # A kill may come between two renames; each output is whole all the same.
            if any(one not in pair for one, *pair in zip(there, right, old)):
                verdict.add("lost" if None in there else "wrong", f"killed, and an output is not whole [{command}]")
        elif there not in (right, old):
            verdict.add("lost" if None in there else "wrong", f"exit code {code}, and an output changed [{command}]")
        self.sweep(outputs, verdict, was_killed)

    def sweep(self, outputs, verdict, was_killed=False):
        """Counts and removes files that were left."""
        left = list(self.temporary.iterdir())
        paths = list(outputs.paths.values())
        for path in self.results.iterdir():
            if path in paths:
                continue
            beside = any(path.name.startswith(output.name + ".tmp.") for output in paths)
            if beside and was_killed:
                self.killed.update(paths)
                continue
            left.append(path)
        if not was_killed:
            self.killed.difference_update(paths)
        if left:
            verdict.add("left", ", ".join(path.name for path in left))
        for path in left:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        if not self.killed:
            outputs.remove()
