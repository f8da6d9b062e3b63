# SPDX-License-Identifier: MIT
"""Measures the work that a kill makes a run with --checkpoint do again.

Each command runs undisturbed, and in turn with one that is killed once (kill -9) and goes on until it is done. All have
the same checkpoint; its period is a twentieth of the run, as the default period of a minute is of 20 minutes. In CPU
seconds, as parts of an undisturbed run (medians, if the title has no other word):
again   killed run and the one that goes on, less the undisturbed run: all that is done again
lost    of that: what the killed run had done since its last state was sealed
largest the longest stretch between two states of the undisturbed runs: the most that a kill can lose
start   the rest of `again`: what the second start reads and makes once more
The moments of the kills divide the run evenly, with a random offset.
work_again.py [--kills N] [--scale N] [--grid] [--memory M] [--only TEXT] [--command TEXT] [--states] [--seed N]
    [--binary FILE] [--directory DIR [--keep]]
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


def cpu_seconds(pid):
    """Of a process that runs, or has ended and is not yet waited for."""
    return time.clock_gettime((~pid << 3) | 2)


class Run:
    """A run of a command: CPU seconds, seconds, the CPU seconds at each of its states, and whether it was killed."""

    def __init__(self, arguments, kept, kill_after=None, look=None):
        start = time.monotonic()
        process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        journal = kept / "emgraph.journal"
        before = self.file(journal)
        self.sealed = [0.0]
        self.killed = False
        while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            time.sleep(0.002)
            now = self.file(journal)
            if now not in (None, before):
                before = now
                self.sealed.append(cpu_seconds(process.pid))
                if look:
                    look(time.monotonic() - start, self.sealed[-1] - self.sealed[-2])
            if kill_after is not None and not self.killed and time.monotonic() - start >= kill_after:
                process.send_signal(signal.SIGKILL)
                self.killed = True
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, -signal.SIGKILL):
            sys.exit(f"exit code {process.returncode}: {' '.join(arguments)}")
        self.killed = process.returncode != 0
        self.cpu = usage.ru_utime + usage.ru_stime
        self.seconds = time.monotonic() - start

    @staticmethod
    def file(path):
        try:
            return path.stat().st_ino, path.stat().st_mtime_ns
        except FileNotFoundError:
            return None

    def lost(self):
        return self.cpu - self.sealed[-1]

    def largest(self):
        return max(end - begin for begin, end in zip(self.sealed, self.sealed[1:] + [self.cpu]))


class Runs:
    def __init__(self, asked, directory):
        self.binary = str(asked.binary.resolve())
        self.memory = asked.memory
        self.states = asked.states
        self.root = Path(directory)
        self.kept = self.root / "kept"
        self.edges = 16 << asked.scale
        self.known = {"EDGES": str(self.edges), "INPUT": str(self.root / "edges.u32"), "SORTED": str(self.root / "sorted.bin")}
        self.model = f"grid --dims {1 << asked.scale // 2}x{1 << asked.scale // 2}" if asked.grid else f"kron --scale {asked.scale}"
        self.clean()

    def words(self, command):
        known = {f"OUTPUT.{ending}": str(self.root / f"x.{ending}") for ending in ("bin", "npy")} | self.known
        return [self.binary] + [known.get(word, word) for word in command.split()] + ["-q", "-M", self.memory]

    def make_inputs(self, command):
        if not (self.root / "edges.u32").exists():
            subprocess.run(self.words(f"gen --model {self.model} -o INPUT"), check=True)
        if "SORTED" in command and not (self.root / "sorted.bin").exists():
            subprocess.run(self.words("sort INPUT -o SORTED"), check=True)

    def clean(self):
        shutil.rmtree(self.kept, ignore_errors=True)
        for path in self.root.glob("x.*"):
            path.unlink()

    def run(self, command, period, kill_after=None, look=None):
        resume = ["--resume"] if self.kept.exists() else []
        arguments = self.words(command) + ["--checkpoint", str(self.kept), "--checkpoint-period", f"{period:.3f}"]
        return Run(arguments + resume, self.kept, kill_after, look)

    def print_state(self, seconds, gap):
        text = subprocess.run([self.binary, "info", str(self.kept)], capture_output=True, text=True).stdout
        done = next((line for line in text.splitlines() if "done" in line), "")
        print(f"    {seconds:7.2f} s, {gap:6.2f} CPU s since the last state; {done.strip()}")

    def whole(self, command, period, look=None):
        one = self.run(command, period, look=look)
        self.clean()
        return one

    def measure(self, command, kills, offset):
        first = self.whole(command, 60)
        period = first.seconds / 20
        undisturbed = []
        again = []
        lost = []
        if self.states:
            self.whole(command, period, self.print_state)
        for kill in range(kills):
            undisturbed.append(self.whole(command, period))
            usual = statistics.median(run.seconds for run in undisturbed)
            one = self.run(command, period, (kill + offset) / kills * usual)
            if one.killed and self.kept.exists():  # else it was done
                lost.append(one.lost())
                again.append(one.cpu + self.run(command, period).cpu)
            self.clean()
        if not again:
            print(f"no kill came before the run was done: -M {self.memory} {command}", flush=True)
            return again
        cpu = statistics.median(run.cpu for run in undisturbed)
        again = [(one - cpu) / cpu for one in again]
        lost = [one / cpu for one in lost]
        start = [one - other for one, other in zip(again, lost)]
        largest = statistics.median(run.largest() for run in undisturbed) / cpu
        print(f"{cpu:7.2f} {undisturbed[0].seconds:7.2f} {statistics.median(again):7.1%} {statistics.median(lost):7.1%} {max(lost):7.1%}"
              f" {largest:8.1%} {statistics.median(start):7.1%} {max(start):7.1%}  -M {self.memory} {command}", flush=True)
        return again


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=5, help="of each command [5]")
    parser.add_argument("--scale", type=int, default=22, help="of the Kronecker graph [22]")
    parser.add_argument("--grid", action="store_true", help="a grid of 2^scale nodes instead")
    parser.add_argument("--memory", default="256M", help="-M [256M]")
    parser.add_argument("--only", default="", help="commands with this text")
    parser.add_argument("--command", action="append", help="this command instead, with INPUT and OUTPUT.bin or OUTPUT.npy")
    parser.add_argument("--states", action="store_true", help="prints each state of a run")
    parser.add_argument("--seed", type=int, default=1, help="of the moments [1]")
    parser.add_argument("--binary", type=Path, default=Path(__file__).resolve().parents[2] / "build/emgraph")
    parser.add_argument("--directory", help="where the files lie [a new one]")
    parser.add_argument("--keep", action="store_true", help="the inputs stay in the directory, and are used if they are there")
    asked = parser.parse_args()
    if asked.keep and asked.directory is None:
        parser.error("--keep needs --directory")
    directory = asked.directory if asked.keep else tempfile.mkdtemp(prefix="emgraph-again-", dir=asked.directory)
    runs = Runs(asked, directory)
    moments = random.Random(asked.seed)
    print(f"{'CPU s':>7} {'s':>7} {'again':>7} {'lost':>7} {'max':>7} {'largest':>8} {'start':>7} {'max':>7}")
    every = []
    for command in asked.command or [command for command in COMMANDS if asked.only in command]:
        runs.make_inputs(command)
        every += runs.measure(command, asked.kills, moments.uniform(0.2, 0.8))
    if every:
        print(f"all: mean {statistics.mean(every):.1%}, median {statistics.median(every):.1%}, {len(every)} kills")
    if not asked.keep:
        shutil.rmtree(directory)


if __name__ == "__main__":
    main()
