# SPDX-License-Identifier: MIT
"""Functions shared by the scripts of this folder: running emgraph, the machine, Markdown tables, plots.

The paper of disks.py, large.py and solvers.py: R. Dementiev, L. Kettner, P. Sanders, "STXXL: standard template library for XXL data
sets", Software: Practice and Experience 38 (2008), doi 10.1002/spe.844.
"""
import argparse
import importlib.util
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

PAPER_EDGES = 131_072_000  # 2000 MiB of 16 bytes
PAPER_NODES_PER_EDGE = 0.16
UNITS = {"k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


def count(text):
    """Parses a count as emgraph does: 10G is 10,000,000,000."""
    number, unit = re.fullmatch(r"([0-9.]+)([kMGT]?)", text).groups()
    return int(float(number) * UNITS.get(unit, 1))


def size(number):
    """2.1 G, 21 M: up to three digits."""
    for unit, name in ((10**9, " G"), (10**6, " M"), (10**3, " k")):
        if number >= unit:
            return f"{number / unit:.3g}{name}"
    return str(number)


def parser(description, repeat=True):
    result = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    here = Path(__file__).resolve().parents[2] / "build" / "emgraph"
    result.add_argument("--emgraph", default=str(here) if here.exists() else "emgraph", help="the program [%(default)s]")
    result.add_argument("--dir", action="append", help="directory for temporary data; repeat it, one per disk [$TMPDIR or /tmp]")
    if repeat:
        result.add_argument("--repeat", type=int, default=1, help="runs of each job; the one of median time counts [%(default)s]")
    result.add_argument("-o", "--out", default="paper-results", type=Path, help="where table, plot and JSON go [%(default)s]")
    return result


class Missing(Exception):
    """Something that the experiment needs is missing on this machine."""


class Experiment:
    """One table: runs, rows, files."""

    def __init__(self, name, title, options):
        self.name, self.title, self.options = name, title, options
        self.rows, self.runs = [], []
        if importlib.util.find_spec("matplotlib") is None:  # said before hours of work, not after
            raise Missing("needs python3-matplotlib (scripts/setup.sh installs it)")
        program = shutil.which(options.emgraph)
        if program is None:
            raise Missing(f"{options.emgraph}: no such program; build it by scripts/build.sh, or say --emgraph FILE")
        self.program = program

    def directories(self, disks):
        """`disks` directories, each with its own folder, in turn below the directories of --dir."""
        parents = self.options.dir or [os.environ.get("TMPDIR") or "/tmp"]
        for parent in parents:
            if not os.path.isdir(parent):
                raise Missing(f"{parent}: no such directory")
        return [tempfile.mkdtemp(prefix="emgraph-paper-", dir=parents[i % len(parents)]) for i in range(disks)]

    def run(self, arguments, disks=1, limit=None, before=()):
        """Runs emgraph --repeat times on that many disks and returns the summary of the run of median time (of an even number
        of runs, the slower one of the middle). `before`: words before the program, such as those of perf."""
        runs = [self.run_once(arguments, disks, limit, before) for _ in range(max(1, getattr(self.options, "repeat", 1)))]
        return sorted(runs, key=lambda run: run["seconds"])[len(runs) // 2]

    def run_once(self, arguments, disks, limit, before):
        directories = self.directories(disks)
        try:
            specs = [f"{path},limit={limit}" if limit else path for path in directories]
            command = [*before, self.program, *arguments, "--json", *[word for spec in specs for word in ("--disk", spec)]]
            print(f"{self.name}: {' '.join(command[len(before) + 1:])}", file=sys.stderr)
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
            if done.returncode != 0:
                raise Missing(f"emgraph {arguments[0]} ended with exit code {done.returncode}; its message is above")
            summary = json.loads(done.stdout)
            self.runs.append({"command": ["emgraph", *arguments], "disks": disks, "limit": limit, "summary": summary})
            return summary
        finally:
            for path in directories:
                shutil.rmtree(path, ignore_errors=True)

    def add(self, **row):
        self.rows.append(row)

    def table(self):
        heads = list(self.rows[0])
        lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
        lines += ["| " + " | ".join(str(row[head]) for head in heads) + " |" for row in self.rows]
        return "\n".join(lines)

    def finish(self, draw, notes=""):
        """Writes NAME.md, with notes below the table, NAME.json and NAME.svg; draw(axes) draws the latter."""
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt

        out = self.options.out
        out.mkdir(parents=True, exist_ok=True)
        text = "\n\n".join(part for part in (f"# {self.title}", self.table(), notes, machine(self.program)) if part) + "\n"
        (out / f"{self.name}.md").write_text(text, encoding="utf-8")
        (out / f"{self.name}.json").write_text(json.dumps({"rows": self.rows, "runs": self.runs}, indent=1), encoding="utf-8")
        figure, axes = plt.subplots(figsize=(8, 4.5))
        draw(axes)
        axes.set_title(self.title)
        figure.tight_layout()
        figure.savefig(out / f"{self.name}.svg")
        plt.close(figure)
        print(text)


def machine(program):
    """The machine in one line."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        models = {line.split(":", 1)[1].strip() for line in file if line.startswith("model name")}
    with open("/proc/meminfo", encoding="utf-8") as file:
        memory = int(file.readline().split()[1]) / 2**20
    version = subprocess.run([program, "--version"], stdout=subprocess.PIPE, text=True, check=False).stdout.partition("\n")[0]
    return (f"Machine: {os.cpu_count()} CPUs ({', '.join(sorted(models)) or platform.machine()}), {memory:.0f} GiB, "
            f"Linux {platform.release()}; {version}.")


def hours(seconds):
    return f"{int(seconds) // 3600} h {int(seconds) % 3600 // 60:02d}" if seconds >= 3600 else f"{seconds:.1f} s"


def main(body):
    """Runs body(). If something is missing, prints one line and exits with code 1. SIGTERM ends it as SIGINT does, by an exception,
    so that running programs end and temporary directories are removed."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        body()
    except Missing as missing:
        sys.exit(f"{Path(sys.argv[0]).name}: {missing}")
