#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures emgraph against its peer on the paper's job and its neighbours; prints a Markdown table and writes JSON.

Every job runs its programs in turn, --repeats times, each run with a cold cache and in a memory cgroup of its own; the
table shows medians. Programs that read the same input must give the same answer; where edges are generated on the way, each has
a generator of its own. Temporary files of all programs and all inputs lie in --dir, so on one disk. Call scripts/build.sh
and scripts/peers/build.sh first. --shrink 100 tries everything at a hundredth of the size.
"""
import argparse
import json
import os
import platform
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent

@dataclass
class Program:
    """One command of a job. `peer`: the command that ours is compared with."""
    label: str
    command: list
    peer: bool = False
    discard_stdout: bool = False  # the command writes data there, no summary
    removes: list = field(default_factory=list)  # outputs, removed before each run


@dataclass
class Job:
    name: str
    what: str
    limit: str  # of the memory cgroup
    edges: int  # for the rate
    programs: list
    prepare: dict = field(default_factory=dict)  # file -> command that makes it, run once and not measured
    same_answer: bool = False  # all programs read the same edges


def jobs(a):
    """The jobs for parsed arguments `a`. -M leaves 64 MiB of the group to code, stacks and the kernel's buffers."""
    ours, peer, scratch = str(a.emgraph), str(a.peer), str(a.dir)
    edges, nodes = 131_072_000 // a.shrink, 20_971_520 // a.shrink
    scale_cut = max(0, a.shrink.bit_length() - 1)
    kron_small, kron_large = 22 - scale_cut, 24 - scale_cut
    temp = ["-T", scratch]
    tight, wide = ["-M", "448M", *temp, "--json"], ["-M", "960M", *temp, "--json"]
    source = f"gen:random,edges={edges},nodes={nodes},seed=1"

    def file(name):
        return f"{scratch}/{name}"

    def gen(*options):
        return [ours, "gen", *options, "-f", "-j", str(os.cpu_count())]

    def kron(scale):
        return {file(f"kron{scale}.u32"): gen("--model", "kron", "--scale", str(scale), "--edge-factor", "16",
                                              "-o", file(f"kron{scale}.u32"))}

    def stxxl_random(*options):
        """The peer in both its forms: which is faster depends on how quiet the machine is."""
        common = [peer, "random", "--edges", str(edges), "--nodes", str(nodes), *options, *temp]
        return [Program(f"STXXL, merge and queue on {n}", [*common, "--queue-threads", str(n)], peer=True)
                for n in (1, os.cpu_count())]

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
            [Program("STXXL", [peer, "queue", sorted_u32, "--nodes", str(nodes), *temp], peer=True),
             Program("emgraph --queue heap", [ours, "mis", sorted_emg, "--queue", "heap", *tight])],
            prepare={sorted_emg: [ours, "sort", "-u", "--no-loops", "--orient", "low", source, "-o", sorted_emg, *tight],
                     sorted_u32: [ours, "convert", sorted_emg, "-o", sorted_u32, *tight]}, same_answer=True),
        Job("kron-sort", f"kron{kron_large}, raw file to sorted unique raw file", "512M", 16 << kron_large,
            [Program("STXXL", [peer, "file", file(f"kron{kron_large}.u32"), out, "--no-loops", *temp], peer=True,
                     removes=[out]),
             Program("emgraph", [ours, "sort", "-u", "--no-loops", file(f"kron{kron_large}.u32"), "-o", out, *tight],
                     removes=[out])],
            prepare=kron(kron_large), same_answer=True),
        Job("kron-mis", f"kron{kron_small}, raw file to MIS", "1G", 16 << kron_small,
            [Program("emgraph", [ours, "mis", file(f"kron{kron_small}.u32"), *wide])], prepare=kron(kron_small)),
        Job("gen", "generators, to nowhere and to a file", "512M", edges,
            [Program("random to nowhere", gen("--edges", str(edges), "--nodes", str(nodes), "-o", "-"),
                     discard_stdout=True),
             Program("random to a file", gen("--edges", str(edges), "--nodes", str(nodes), "-o", file("gen.emg"),
                                             "--json"), removes=[file("gen.emg")])]),
        Job("gen-kron", f"Kronecker generator, scale {kron_large}, to nowhere", "512M", 16 << kron_large,
            [Program("kron to nowhere", gen("--model", "kron", "--scale", str(kron_large), "--edge-factor", "16",
                                            "-o", "-"), discard_stdout=True)]),
        Job("giga", "MIS of a file of a billion edges", "1088M", giga,
            [Program("emgraph", [ours, "mis", giga_file, "-M", "1G", *temp, "--json"])],
            prepare={giga_file: gen("--edges", str(giga), "-o", giga_file)}),
        Job("ten-giga", "MIS of ten billion edges, no file; needs 60 GB of temporary space", "1088M", 10 * giga,
            [Program("emgraph", [ours, "mis", f"gen:random,edges={10 * giga}", "-M", "1G", *temp, "--json"])]),
    ]


def cool_down():
    """Writes back and forgets what the page cache holds (the second only as root)."""
    os.sync()
    try:
        Path("/proc/sys/vm/drop_caches").write_text("3\n", encoding="ascii")
    except OSError:
        pass


def summary_of(text):
    """The program's JSON summary: all of stdout, or its last line (STXXL prints messages before)."""
    for candidate in (text, text.strip().rsplit("\n", 1)[-1]):
        try:
            return json.loads(candidate)
        except json.JSONDecodeError:
            continue
    return {}


def measure(program, limit):
    """Runs once in a cgroup of `limit`; returns a dictionary of figures, `error` among them when it failed."""
    for path in program.removes:
        Path(path).unlink(missing_ok=True)
    cool_down()
    with tempfile.TemporaryFile("w+") as stdout, tempfile.TemporaryFile("w+") as stderr:
        start = time.monotonic()
        child = subprocess.Popen(["bash", str(SCRIPTS / "cgroup_run.sh"), limit, *program.command],
                                 stdin=subprocess.DEVNULL, stderr=stderr,
                                 stdout=subprocess.DEVNULL if program.discard_stdout else stdout)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - start
        stdout.seek(0)
        stderr.seek(0)
        messages = stderr.read()
        figures = {
            "wall_seconds": wall, "user_seconds": usage.ru_utime, "system_seconds": usage.ru_stime,
            "max_rss_mib": usage.ru_maxrss / 1024,
            "read_bytes": usage.ru_inblock * 512, "write_bytes": usage.ru_oublock * 512,
            "summary": {} if program.discard_stdout else summary_of(stdout.read()),
        }
    peak = re.search(r"cgroup_run: limit .* peak (\d+) MiB", messages)
    if peak:
        figures["cgroup_peak_mib"] = int(peak.group(1))
    if child.returncode != 0:
        own = [line for line in messages.strip().splitlines() if not line.startswith("cgroup_run:")]
        figures["error"] = f"exit code {child.returncode}: {own[-1] if own else ''}"
    return figures


def prepare(job):
    """Makes the job's inputs; returns an error message or None."""
    for path, command in job.prepare.items():
        if Path(path).exists():
            continue
        say(f"{job.name}: making {path}")
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return f"{shlex.join(command)}: {done.stderr.strip()}"
    return None


def run(job, repeats):
    """Returns one record per program, with all its runs."""
    problem = prepare(job)
    records = [{"job": job.name, "what": job.what, "limit": job.limit, "program": p.label, "peer": p.peer,
                "command": shlex.join(p.command), "edges": job.edges, "runs": []} for p in job.programs]
    for turn in range(repeats):
        for program, record in zip(job.programs, records):
            if problem or any("error" in r for r in record["runs"]):
                continue
            figures = measure(program, job.limit)
            record["runs"].append(figures)
            say(f"{job.name}, turn {turn + 1}, {program.label}: "
                + figures.get("error", f"{figures['wall_seconds']:.2f} s"))
    for record in records:
        summarise(record, problem)
    answers = {r["answer"] for r in records if "error" not in r}
    if job.same_answer and len(answers) > 1:
        for record in records:
            record.setdefault("error", f"the answers differ: {sorted(answers, key=str)}")
    peers = [r["wall_seconds"] for r in records if r["peer"] and "error" not in r]
    for record in records:
        if peers and not record["peer"] and "error" not in record:
            record["ratio"] = min(peers) / record["wall_seconds"]
    return records


def summarise(record, problem):
    runs = record["runs"]
    errors = [problem] if problem else [r["error"] for r in runs if "error" in r]
    if errors or not runs:
        record["error"] = errors[0] if errors else "not run"
        return
    for key in ("wall_seconds", "user_seconds", "system_seconds", "max_rss_mib", "read_bytes", "write_bytes"):
        record[key] = statistics.median(r[key] for r in runs)
    record["wall_range"] = [min(r["wall_seconds"] for r in runs), max(r["wall_seconds"] for r in runs)]
    peaks = [r["cgroup_peak_mib"] for r in runs if "cgroup_peak_mib" in r]
    record["cgroup_peak_mib"] = max(peaks) if peaks else None
    answers = {tuple(r["summary"].get(k) for k in ("mis_size", "edges_out", "edges_unique")) for r in runs}
    if len(answers) != 1:
        record["error"] = f"the answer changed between runs: {sorted(answers, key=str)}"
    record["answer"] = next((value for value in answers.pop() if value is not None), None)


def table(records):
    head = ["job", "program", "wall s (range)", "CPU s (user + system)", "max RSS MiB", "group peak MiB",
            "read + written GB", "M edges/s", "answer", "peer / ours"]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for r in records:
        if "error" in r:
            lines.append(f"| {r['job']} | {r['program']} | failed: {r['error']} |" + " |" * (len(head) - 3))
            continue
        low, high = r["wall_range"]
        lines.append("| " + " | ".join([
            r["job"], r["program"], f"{r['wall_seconds']:.2f} ({low:.2f}-{high:.2f})",
            f"{r['user_seconds'] + r['system_seconds']:.1f} ({r['user_seconds']:.1f} + {r['system_seconds']:.1f})",
            f"{r['max_rss_mib']:.0f}", str(r["cgroup_peak_mib"] or ""),
            f"{r['read_bytes'] / 1e9:.2f} + {r['write_bytes'] / 1e9:.2f}",
            f"{r['edges'] / r['wall_seconds'] / 1e6:.1f}", str(r["answer"] or ""),
            f"{r['ratio']:.2f}" if "ratio" in r else ""]) + " |")
    return "\n".join(lines)


def machine(directory):
    """What the figures were taken on."""
    cpu = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    system = subprocess.run(["stat", "-f", "-c", "%T", str(directory)], capture_output=True, text=True, check=False)
    return {"cpu": cpu.group(1) if cpu else platform.machine(), "cores": os.cpu_count(),
            "kernel": platform.release(), "file_system": system.stdout.strip(),
            "time": time.strftime("%Y-%m-%d %H:%M:%S %z"), "load": os.getloadavg()[0]}


def say(message):
    print(message, file=sys.stderr, flush=True)


def main():
    tmp = Path(os.environ.get("TMPDIR", "/tmp"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="comma-separated job names (see --list)")
    parser.add_argument("--list", action="store_true", help="show the jobs and their commands; run nothing")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--shrink", type=int, default=1, help="divide all sizes by this")
    parser.add_argument("--emgraph", type=Path, default=SCRIPTS.parent / "build" / "emgraph")
    parser.add_argument("--peer", type=Path, default=tmp / "emgraph-peers" / "stxxl_mis")
    parser.add_argument("--dir", type=Path, default=tmp / "emgraph-bench", help="inputs and temporary files (kept)")
    parser.add_argument("--json", type=Path, help="write all figures of all runs to this file")
    a = parser.parse_args()
    a.dir.mkdir(parents=True, exist_ok=True)
    chosen = jobs(a)
    if a.only:
        names = set(a.only.split(","))
        unknown = names - {job.name for job in chosen}
        if unknown:
            parser.error(f"no such job: {', '.join(sorted(unknown))}")
        chosen = [job for job in chosen if job.name in names]
    if a.list:
        for job in chosen:
            print(f"{job.name}: {job.what} (memory {job.limit})")
            for command in [*job.prepare.values(), *(p.command for p in job.programs)]:
                print(f"  {shlex.join(command)}")
        return 0
    needed = [a.emgraph] + [a.peer] * any(p.peer for job in chosen for p in job.programs)
    for program in needed:
        if not os.access(program, os.X_OK):
            parser.error(f"{program} is missing: call scripts/build.sh and scripts/peers/build.sh")
    here = machine(a.dir)
    if here["file_system"] in ("tmpfs", "ramfs", "overlayfs"):
        say(f"warning: {a.dir} is on {here['file_system']}, not on a disk; choose another --dir")
    if here["load"] > 0.5:
        say(f"warning: the machine is busy (load {here['load']:.1f}); times will not be worth much")
    records = [record for job in chosen for record in run(job, a.repeats)]
    print(f"{here['cores']} cores of {here['cpu']}, {here['file_system']}, load before {here['load']:.1f}\n")
    print(table(records))
    if a.json:
        a.json.write_text(json.dumps({"machine": here, "records": records}, indent=1) + "\n", encoding="utf-8")
    return 1 if any("error" in r for r in records) else 0


if __name__ == "__main__":
    sys.exit(main())
