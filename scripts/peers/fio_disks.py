#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures `emgraph bench disks` against fio: the same directory, area, block, depth, and kind of requests, in turn.

Both programs preallocate a new file in --dir, write it, read it back and read at random from it, with direct I/O. The file is deleted
and the file system synchronised before the other program starts; the order alternates from round to round. emgraph's `uring` is
compared with fio's io_uring, its `pread` with psync in as many threads as the depth, each in a part of the area. The table shows
medians, minima and maxima; `ratio` is emgraph / fio of each round. fio is a Debian package: apt-get install fio.

The comparison is fair only if fio's buffers lie in huge pages, as emgraph's do. A disk accepts a limited number of memory segments
in one request (/sys/block/DISK/queue/max_segments: 254 on the virtual disk here, for its whole queue). In scattered small pages a
block of 1 MiB has 256 segments; one request fills the queue, and depth 8 is as slow as depth 1. Huge pages must be reserved
(vm.nr_hugepages). As root, the script reserves them and releases them at the end; otherwise it prints a warning.

Measured: areas of 1 GiB, 5 rounds, other work on the machine (AMD EPYC, 2 virtual cores, virtual disk, November 2026, fio 3.33).
Median ratios at depth 1: write 1.07, read 1.01, random read 1.03; depth 8 in two runs: write 1.01 and 1.14, read 0.89 and 0.97, random
read 0.95 and 1.00; depth 32: read 0.97, random read 0.96 (write 0.86, in a version that touched the pages of the blocks first while
writing). Rounds differ by 10 to 30 %. Without huge pages fio read 1.2 GB/s at any depth.
"""
import argparse
import json
import math
import os
import shutil
import signal
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HUGE_PAGES = Path("/proc/sys/vm/nr_hugepages")
HUGE_PAGE_BYTES = 2 << 20
TRANSFERS = ("write", "read", "random read")
FIO_ENGINES = {"uring": "io_uring", "pread": "psync"}


def size(text):
    """Parses 4K, 1M, 2G as bytes: powers of 1024, as in fio and emgraph."""
    power = "KMG".find(text[-1].upper()) + 1
    return int(text[:-1] if power else text) << 10 * power


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: {(done.stderr or done.stdout).strip()}")
    return json.loads(done.stdout[done.stdout.index("{"):])


def emgraph_rates(a, depth):
    """Transfer -> bytes per second; for random reads, reads per second."""
    summary = run([a.emgraph, "bench", "disks", "-T", a.dir, "--io", a.io, "--size", a.size, "--block", a.block,
                   "--depth", str(depth), "--random-reads", str(a.random_reads), "--random-block", a.random_block, "--json"])
    return {r["name"]: r.get("reads_per_second", r["bytes_per_second"]) for r in summary["results"]}


def fio_rates(a, depth, memory):
    area = Path(a.dir) / "fio.area"
    threads = depth if a.io == "pread" else 1
    common = ["fio", "--name=area", f"--filename={area}", f"--size={size(a.size) // threads}", "--direct=1",
              "--fallocate=posix", f"--ioengine={FIO_ENGINES[a.io]}", f"--mem={memory}", "--output-format=json"]
    common += ["--thread", f"--numjobs={threads}", "--group_reporting"] if threads > 1 else [f"--iodepth={depth}"]
    if threads > 1:
        common.append(f"--offset_increment={size(a.size) // threads}")
    rates = {}
    try:
        for name in ("write", "read"):
            rates[name] = run([*common, f"--rw={name}", f"--bs={a.block}"])["jobs"][0][name]["bw_bytes"]
        rates["random read"] = run([*common, "--rw=randread", "--norandommap", f"--bs={a.random_block}",
                                    f"--number_ios={a.random_reads // threads}"])["jobs"][0]["read"]["iops"]
    finally:
        area.unlink(missing_ok=True)
    return rates


class HugePages:
    """Reserves huge pages for fio's buffers, and releases them at the end. `memory`: fio's option for its buffers."""

    def __init__(self, a):
        threads = max(a.depths) if a.io == "pread" else 1
        blocks = 1 if a.io == "pread" else max(a.depths)
        # fio allocates one page more than its buffers need; fio 3.33 crashes without it.
        self.wanted = threads * (math.ceil(size(a.block) * blocks / HUGE_PAGE_BYTES) + 2)
        self.before = None
        self.memory = "malloc"

    def __enter__(self):
        free = int(Path("/proc/meminfo").read_text(encoding="ascii").split("HugePages_Free:")[1].split()[0])
        try:
            if free < self.wanted:
                before = HUGE_PAGES.read_text(encoding="ascii")
                HUGE_PAGES.write_text(str(int(before) + self.wanted - free), encoding="ascii")
                self.before = before
                free += int(HUGE_PAGES.read_text(encoding="ascii")) - int(before)
        except OSError:
            pass
        if free >= self.wanted:
            self.memory = "mmaphuge"
        else:
            print(f"fio_disks: {free} of {self.wanted} huge pages are free: large blocks of fio's will be in pieces",
                  file=sys.stderr)
        return self

    def __exit__(self, *_):
        if self.before is not None:
            HUGE_PAGES.write_text(self.before, encoding="ascii")


def measure(a, depth, memory):
    """Rates of all rounds, by program and transfer."""
    programs = {"emgraph": lambda: emgraph_rates(a, depth), "fio": lambda: fio_rates(a, depth, memory)}
    rates = {program: {name: [] for name in TRANSFERS} for program in programs}
    for number in range(a.rounds):
        for program in sorted(programs, reverse=number % 2 == 1):
            for name, rate in programs[program]().items():
                rates[program][name].append(rate)
            os.sync()  # the next one does not pay for the file that went
    return rates


def row(a, name, depth, rates):
    digits = 2 if name != "random read" else 1
    scale = 1e-9 if name != "random read" else 1e-3

    def spread(values, unit=1.0, places=2):
        low, middle, high = (x * unit for x in (min(values), statistics.median(values), max(values)))
        return f"{middle:.{places}f} ({low:.{places}f}–{high:.{places}f})"
    ours, fio = rates["emgraph"][name], rates["fio"][name]
    what = f"{name}, {a.random_block if name == 'random read' else a.block}"
    unit = "1000/s" if name == "random read" else "GB/s"
    return (f"| {what} | {depth} | {unit} | {spread(ours, scale, digits)} | {spread(fio, scale, digits)} "
            f"| {spread([x / y for x, y in zip(ours, fio)])} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dir", required=True, help="on the disk to measure")
    parser.add_argument("--emgraph", default=str(ROOT / "build" / "emgraph"), help="[build/emgraph]")
    parser.add_argument("--io", choices=FIO_ENGINES, default="uring")
    parser.add_argument("--size", default="2G", help="area [2G]")
    parser.add_argument("--block", default="1M", help="bytes per request [1M]")
    parser.add_argument("--depths", default="1,8,32", help="requests in flight, one row each [1,8,32]")
    parser.add_argument("--random-block", default="4K", help="bytes per random read [4K]")
    parser.add_argument("--random-reads", type=int, default=100_000, help="[100000]")
    parser.add_argument("--rounds", type=int, default=5, help="[5]")
    a = parser.parse_args()
    a.depths = [int(depth) for depth in a.depths.split(",")]
    if not shutil.which("fio"):
        raise SystemExit("fio_disks: fio is missing; on Debian: apt-get install fio")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # on the way out files and huge pages are given back
    Path(a.dir).mkdir(parents=True, exist_ok=True)
    print("| transfer | depth | | emgraph | fio | ratio |\n|---|---|---|---|---|---|")
    with HugePages(a) as huge:
        for depth in a.depths:
            rates = measure(a, depth, huge.memory)
            for name in TRANSFERS:
                print(row(a, name, depth, rates), flush=True)


if __name__ == "__main__":
    main()
