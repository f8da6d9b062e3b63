# SPDX-License-Identifier: MIT
"""Measures the work that a kill makes a run with --checkpoint do again.

A run of each command is killed once at a random moment, and goes on until it is done. Another one is stopped at the same
moment by SIGTERM: it keeps what it has done, and goes on, too. Both start twice. The difference of their CPU seconds is
the work that is done again, as a part of an undisturbed run with the same checkpoint. The period of the checkpoint is a
twentieth of the run, as the default period of a minute is of 20 minutes.
work_again.py [--kills N] [--scale N] [--memory M] [--only TEXT] [--binary FILE] [--directory DIR]
"""

import argparse
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

COMMANDS = [
    "gen --edges EDGES --weights 1:99 --codec delta+zstd -o OUTPUT.bin",
    "sort -u INPUT --codec delta -o OUTPUT.bin",
    "dedup SORTED --codec zstd -o OUTPUT.bin",
    "convert INPUT --codec delta+zstd -o OUTPUT.bin",
    "mis INPUT --single-pass --queue ranges -o OUTPUT.npy",
    "cc INPUT --model semi-external -o OUTPUT.npy",
    "cc INPUT --model external -o OUTPUT.npy",
    "triangles INPUT --model semi-external --per-node OUTPUT.npy",
    "bfs INPUT --model semi-external -o OUTPUT.npy",
    "bfs INPUT --model external -o OUTPUT.npy",
    "sssp INPUT --root 1 --weights hash --model semi-external -o OUTPUT.npy",
    "mst INPUT --weights hash --model semi-external -o OUTPUT.bin",
    "mst INPUT --weights hash --model external -o OUTPUT.bin",
    "pagerank INPUT --model semi-external -o OUTPUT.npy",
    "pagerank INPUT --model external --iterations 9 -o OUTPUT.npy",
]


class Runs:
    def __init__(self, asked, directory):
        self.binary = str(asked.binary.resolve())
        self.memory = asked.memory
        self.root = Path(directory)
        self.kept = self.root / "kept"
        self.edges = 16 << asked.scale
        self.known = {"EDGES": str(self.edges), "INPUT": str(self.root / "edges.u32"), "SORTED": str(self.root / "sorted.bin")}
        self.call(f"gen --model kron --scale {asked.scale} -o INPUT")
        self.call("sort INPUT -o SORTED")

    def words(self, command):
        known = {f"OUTPUT.{ending}": str(self.root / f"x.{ending}") for ending in ("bin", "npy")} | self.known
        return [self.binary] + [known.get(word, word) for word in command.split()] + ["-q", "-M", self.memory]

    def call(self, command):
        subprocess.run(self.words(command) + ["-f"], check=True)

    def clean(self):
        shutil.rmtree(self.kept, ignore_errors=True)
        for path in self.root.glob("x.*"):
            path.unlink()

    def run(self, command, period, after=None, sent=None):
        """CPU seconds and seconds of a run, and whether it was ended by the signal `sent` that it got `after` seconds."""
        resume = ["--resume"] if self.kept.exists() else []
        arguments = self.words(command) + ["--checkpoint", str(self.kept), "--checkpoint-period", f"{period:.3f}"] + resume
        start = time.monotonic()
        process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        timer = threading.Timer(after or 0, process.send_signal, [sent])
        if sent:
            timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        timer.cancel()
        if process.returncode not in (0, 75, -signal.SIGKILL):
            sys.exit(f"exit code {process.returncode}: {' '.join(arguments)}")
        return usage.ru_utime + usage.ru_stime, time.monotonic() - start, process.returncode != 0

    def ended(self, command, period, after, sent):
        """CPU seconds of a run that the signal ends and of the one that goes on; None if it was done before."""
        cpu, _, disturbed = self.run(command, period, after, sent)
        if disturbed and self.kept.exists():
            cpu += self.run(command, period)[0]
        else:
            cpu = None
        self.clean()
        return cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=4, help="of each command [4]")
    parser.add_argument("--scale", type=int, default=22, help="of the Kronecker graph [22]")
    parser.add_argument("--memory", default="256M", help="-M [256M]")
    parser.add_argument("--only", default="", help="commands with this text")
    parser.add_argument("--seed", type=int, default=1, help="of the moments [1]")
    parser.add_argument("--binary", type=Path, default=Path(__file__).resolve().parents[2] / "build/emgraph")
    parser.add_argument("--directory", help="where the files lie [a new one]")
    asked = parser.parse_args()
    directory = tempfile.mkdtemp(prefix="emgraph-again-", dir=asked.directory)
    runs = Runs(asked, directory)
    moments = random.Random(asked.seed)
    print(f"{'CPU s':>7} {'again, mean':>12} {'largest':>8} {'2nd start':>9}  command")
    every = []
    for command in (command for command in COMMANDS if asked.only in command):
        _, seconds, _ = runs.run(command, 60)
        runs.clean()
        period = seconds / 20
        undisturbed = []
        killed = []
        stopped = []
        while len(killed) < asked.kills:
            undisturbed.append(runs.run(command, period)[0])
            runs.clean()
            after = moments.uniform(0.05, 0.95) * seconds
            both = [runs.ended(command, period, after, sent) for sent in (signal.SIGKILL, signal.SIGTERM)]
            if None not in both:
                killed.append(both[0])
                stopped.append(both[1])
        usual = statistics.median(undisturbed)
        parts = [(one - other) / usual for one, other in zip(killed, stopped)]
        every += parts
        start = statistics.mean(stopped) / usual - 1
        print(f"{usual:7.2f} {statistics.mean(parts):12.1%} {max(parts):8.1%} {start:9.1%}  {command}", flush=True)
    print(f"all: mean {statistics.mean(every):.1%}, median {statistics.median(every):.1%}, {len(every)} kills")
    shutil.rmtree(directory)


if __name__ == "__main__":
    main()
