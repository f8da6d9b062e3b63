# SPDX-License-Identifier: MIT
"""Times programs in turn and compares their answers; prints a Markdown table and writes JSON. The bench_*.py declare the jobs.

A job runs its programs in turn, --repeats times. If the job has a limit, each run gets its own memory cgroup. The page cache is cold,
or holds the input files if the job is warm. Before a run of a limited job, twice its limit of memory is touched and freed: hosts of
virtual machines give a page anew when it is used again after some seconds, at 0.4 GB/s on one of them. The table shows medians. All jobs with the same `input` must give the same answer.
"peer / ours" compares with the best peer of that column, in jobs with a kernel also its seconds alone. All inputs (made once) and
temporary files are in --dir, so on one disk.
Call scripts/build.sh and scripts/peers/build.sh first; missing peers are left out. --shrink 100 divides all sizes by 100.
--against BUILD compares two builds of emgraph instead: a ratio below 1 says that this one is faster. A run that is ended by SIGINT or
SIGTERM ends its programs, which remove their temporary files, and removes incomplete inputs, and --dir if the run has made it.
"""
import argparse
import contextlib
import json
import os
import platform
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Callable

from measure_report import add_ratios, compare_answers, compared_builds, summarise, table

SCRIPTS = Path(__file__).resolve().parent


@dataclass
class Program:
    """One command of a job. `peer`: emgraph is compared with this program. emgraph and the STXXL programs print a JSON summary. For
    other programs `reads` finds numbers in the messages: key -> regular expression, or (expression, number to add). Keys that end
    in _seconds are times of phases, the others are answers."""
    label: str
    command: list
    peer: bool = False
    needs: tuple = ()  # executables; the program is left out if one is missing
    reads: dict = field(default_factory=dict)
    wrong: bool = False  # known to give a wrong answer: it is shown, not compared
    discard_stdout: bool = False  # the command writes data there, no summary
    removes: list = field(default_factory=list)  # outputs, removed before each run
    prepare: dict = field(default_factory=dict)  # inputs: file -> command that makes it, run once, timed apart


@dataclass
class Job:
    name: str
    what: str
    limit: str  # of the memory cgroup; empty: none
    edges: int  # for the rate
    programs: list
    prepare: dict = field(default_factory=dict)  # inputs of all programs
    answer: tuple = ("mis_size",)  # summary keys of the answer
    input: str = ""  # jobs and programs with the same input must agree on the keys they share; empty: not compared
    kernel: str = ""  # summary key: seconds of the work alone, without reading and building; then the rate is edges by these seconds
    warm: bool = False  # the files that a command names are in the page cache
    values: dict = field(default_factory=dict)  # word of a command -> function that gives its value once the inputs exist

    def inputs(self):
        """File -> command that makes it, in the order of making."""
        return {path: command for source in (self, *self.programs) for path, command in source.prepare.items()}


def cool_down():
    """Writes back and, as root, empties the page cache."""
    os.sync()
    try:
        Path("/proc/sys/vm/drop_caches").write_text("3\n", encoding="ascii")
    except OSError:
        pass


def warm_up(command):
    """Writes back, and reads the files named by the command into the page cache."""
    os.sync()
    for word in command:
        if Path(word).is_file():
            with open(word, "rb") as file:
                while file.read(1 << 24):
                    pass


def touch_memory(limit):
    """Touches and frees twice the `limit`, such as 512M: the host of a virtual machine gives its pages now, not during the run."""
    code = (f"from mmap import *; m = mmap(-1, {2 * size_of(limit)}, flags=MAP_PRIVATE | MAP_ANONYMOUS); "
            "m.madvise(MADV_HUGEPAGE); m[::4096] = bytes(-(-len(m) // 4096))")
    subprocess.run([sys.executable, "-c", code], check=True)


def size_of(text):
    """The bytes of a size such as 512M."""
    units = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
    return int(text[:-1]) * units[text[-1]] if text[-1] in units else int(text)


def count_of(text):
    """A count such as 1.5M: emgraph's units are powers of 1000."""
    units = {"k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
    return round(float(text[:-1]) * units[text[-1]]) if text[-1] in units else int(text)


@contextlib.contextmanager
def process(command, **options):
    """A child process in a session of its own. An exception, as from a signal, ends it and its children: first by SIGTERM, so that
    they remove their temporary files."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True, **options)
    try:
        yield child
    except BaseException:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGTERM)
            try:
                child.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
        raise


def summary_of(program, stdout, messages):
    """The JSON summary of the program: all of stdout, or its last line (STXXL prints messages first); else the numbers of `reads`."""
    if program.reads:
        found = {}
        for key, pattern in program.reads.items():
            expression, add = pattern if isinstance(pattern, tuple) else (pattern, 0)
            match = re.search(expression, stdout + messages)
            if match:
                found[key] = float(match[1]) if key.endswith("_seconds") else int(match[1]) + add
        return found
    for candidate in (stdout, stdout.strip().rsplit("\n", 1)[-1]):
        try:
            return json.loads(candidate)
        except json.JSONDecodeError:
            continue
    return {}


def measure(program, job):
    """Runs the program once in a cgroup with the job's limit. Returns a dictionary of figures, with `error` if the run failed."""
    for path in map(Path, program.removes):
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    command = [str(job.values[word]()) if word in job.values else word for word in program.command]
    warm_up(command) if job.warm else cool_down()
    if job.limit:
        touch_memory(job.limit)
        command = ["bash", str(SCRIPTS / "cgroup_run.sh"), job.limit, *command]
    with tempfile.TemporaryFile("w+") as stdout, tempfile.TemporaryFile("w+") as stderr:
        start = time.monotonic()
        with process(command, stderr=stderr, stdout=subprocess.DEVNULL if program.discard_stdout else stdout) as child:
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - start
        stdout.seek(0)
        stderr.seek(0)
        messages = stderr.read()
        figures = {
            "wall_seconds": wall, "user_seconds": usage.ru_utime, "system_seconds": usage.ru_stime,
            "cpu_seconds": usage.ru_utime + usage.ru_stime, "max_rss_mib": usage.ru_maxrss / 1024,
            "read_bytes": usage.ru_inblock * 512, "write_bytes": usage.ru_oublock * 512,
            "io_bytes": (usage.ru_inblock + usage.ru_oublock) * 512,
            "summary": {} if program.discard_stdout else summary_of(program, stdout.read(), messages),
        }
    peak = re.search(r"cgroup_run: limit .* peak (\d+) MiB", messages)
    if peak:
        figures["cgroup_peak_mib"] = int(peak.group(1))
    if child.returncode != 0:
        own = [line for line in messages.strip().splitlines() if not line.startswith("cgroup_run:")]
        figures["error"] = f"exit code {child.returncode}: {own[-1] if own else ''}"
    return figures


def prepare(job, made):
    """Makes the job's inputs and adds their times to `made`; returns an error message or None."""
    for path, command in job.inputs().items():
        if Path(path).exists():
            continue
        say(f"{job.name}: making {path}")
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        start = time.monotonic()
        complete = False
        try:
            with process(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as child:
                _, messages = child.communicate()
            complete = child.returncode == 0
        finally:  # an interrupt must not leave an incomplete file, either
            if not complete:
                Path(path).unlink(missing_ok=True)
        if not complete:
            return f"{shlex.join(command)}: {messages.strip()}"
        made.append({"file": path, "command": shlex.join(command), "seconds": time.monotonic() - start})
    return None


def run(job, repeats, made):
    """Returns one record per program, with all its runs."""
    problem = prepare(job, made)
    records = [{"job": job.name, "what": job.what, "limit": job.limit, "input": job.input, "warm": job.warm, "kernel": job.kernel,
                "program": p.label, "peer": p.peer, "wrong": p.wrong, "command": shlex.join(p.command), "edges": job.edges, "runs": []}
               for p in job.programs]
    for turn in range(repeats):
        for program, record in zip(job.programs, records):
            if problem or any("error" in r for r in record["runs"]):
                continue
            figures = measure(program, job)
            record["runs"].append(figures)
            say(f"{job.name}, turn {turn + 1}, {program.label}: "
                + figures.get("error", f"{figures['wall_seconds']:.2f} s"))
    for record in records:
        summarise(record, problem, job.answer)
    add_ratios(records)
    return records


def machine(directory):
    """The machine of the measurement."""
    cpu = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    system = subprocess.run(["stat", "-f", "-c", "%T", str(directory)], capture_output=True, text=True, check=False)
    return {"cpu": cpu.group(1) if cpu else platform.machine(), "cores": os.cpu_count(),
            "kernel": platform.release(), "file_system": system.stdout.strip(),
            "time": time.strftime("%Y-%m-%d %H:%M:%S %z"), "load": os.getloadavg()[0]}


def say(message):
    print(message, file=sys.stderr, flush=True)


def choose(jobs, only, parser):
    """The jobs named in `only`, without programs that are not installed."""
    names = set(only.split(",")) if only else {job.name for job in jobs}
    unknown = names - {job.name for job in jobs}
    if unknown:
        parser.error(f"no such job: {', '.join(sorted(unknown))}")
    chosen = [job for job in jobs if job.name in names]
    missing = {}
    for job in chosen:
        for program in job.programs:
            absent = [str(path) for path in program.needs if not os.access(path, os.X_OK)]
            if absent:
                missing.setdefault(absent[0], []).append(program)
        job.programs = [p for p in job.programs if all(os.access(path, os.X_OK) for path in p.needs)]
    for path, programs in missing.items():
        say(f"warning: {path} is missing, left out: {', '.join(sorted({p.label for p in programs}))}")
    return [job for job in chosen if job.programs]


def beside_build(jobs, ours, other):
    """The programs of emgraph alone, each as a job of its own beside the same command of another build."""
    pairs = []
    for job in jobs:
        own = [p for p in job.programs if p.command[0] == str(ours)]
        for p in own:
            before = replace(p, label=f"{p.label}, the other build", command=[str(other), *p.command[1:]], peer=True)
            name = job.name if len(own) == 1 else f"{job.name}: {p.label}"
            pairs.append(replace(job, name=name, programs=[before, p], input=name, answer=job.answer))
    return pairs


def main(description: str, declare: Callable[[argparse.Namespace], list]):
    """Command line of a script that declares jobs: `declare` returns them for the parsed arguments."""
    tmp = Path(os.environ.get("TMPDIR", "/tmp"))
    parser = argparse.ArgumentParser(description=f"{description}\n\n{__doc__.split(chr(10), 2)[2]}",
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="comma-separated job names (see --list)")
    parser.add_argument("--list", action="store_true", help="show the jobs and their commands; run nothing")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--shrink", type=int, default=1, help="divide all sizes by this")
    parser.add_argument("--emgraph", type=Path, default=SCRIPTS.parent / "build" / "emgraph")
    parser.add_argument("--against", type=Path, metavar="BUILD",
                        help="in place of the peers: another emgraph, or the directory where it was built; compares the least times")
    parser.add_argument("--peers", type=Path, default=tmp / "emgraph-peers", help="directory of scripts/peers/build.sh")
    parser.add_argument("--dir", type=Path, default=tmp / "emgraph-bench", help="inputs and temporary files (kept)")
    parser.add_argument("--json", type=Path, help="write all figures of all runs to this file")
    a = parser.parse_args()
    a.emgraph, a.peers, a.dir = a.emgraph.resolve(), a.peers.resolve(), a.dir.resolve()  # X-Stream runs elsewhere
    existed = a.dir.exists()
    a.dir.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        return run_all(parser, a, declare(a))
    except BaseException as ended:
        interrupted = isinstance(ended, KeyboardInterrupt) or (isinstance(ended, SystemExit) and ended.code == 128 + signal.SIGTERM)
        if interrupted and not existed:
            shutil.rmtree(a.dir, ignore_errors=True)
        raise


def run_all(parser, a, jobs):
    """Runs the jobs that the arguments `a` choose; returns the exit code."""
    if not a.list and not os.access(a.emgraph, os.X_OK):
        parser.error(f"{a.emgraph} is missing: call scripts/build.sh")
    chosen = choose(jobs, a.only, parser)
    if a.against:
        other = a.against.resolve()
        other = other / "emgraph" if other.is_dir() else other
        if not os.access(other, os.X_OK):
            parser.error(f"--against: {other} is no program")
        chosen = beside_build(chosen, a.emgraph, other)
    if a.list:
        for job in chosen:
            print(f"{job.name}: {job.what} ({'memory ' + job.limit if job.limit else 'no memory limit'}, "
                  f"{'warm' if job.warm else 'cold'})")
            for command in [*job.inputs().values(), *(p.command for p in job.programs)]:
                print(f"  {shlex.join(command)}")
        return 0
    here = machine(a.dir)
    if here["file_system"] in ("tmpfs", "ramfs", "overlayfs"):
        say(f"warning: {a.dir} is on {here['file_system']}, not on a disk; choose another --dir")
    if here["load"] > 0.5:
        say(f"warning: the machine is busy (load {here['load']:.1f}); times will not be worth much")
    made = []
    records = [record for job in chosen for record in run(job, a.repeats, made)]
    compare_answers(records)
    print(f"{here['cores']} cores of {here['cpu']}, {here['file_system']}, load before {here['load']:.1f}\n")
    print(compared_builds(records) if a.against else table(records))
    if made:
        print("\nInputs made: " + ", ".join(f"{Path(m['file']).name} {m['seconds']:.1f} s" for m in made))
    if a.json:
        a.json.write_text(json.dumps({"machine": here, "inputs": made, "records": records}, indent=1) + "\n",
                          encoding="utf-8")
    return 1 if any("error" in r for r in records) else 0
