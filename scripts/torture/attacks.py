# SPDX-License-Identifier: MIT
"""The attacks. Each is a function of the place, a random generator and a verdict that it fills in."""

import os
import shutil
import signal
import time
from pathlib import Path

from place import COMMANDS, DISKS, SPILLING

SIGNALS = ["INT", "TERM", "HUP", "QUIT", "USR1", "USR2", "XCPU", "ALRM", "PIPE"]

# Kinds of calls, the errors they have in practice, and how many of them a run makes, at most.
FAULTS = {
    "open": (["EMFILE", "EACCES"], 30),
    "read": (["EIO", "EINTR"], 60),
    "pread": (["EIO", "EINTR"], 300),
    "write": (["EIO", "ENOSPC"], 40),
    "pwrite": (["EIO", "ENOSPC", "EDQUOT"], 300),
    "fsync": (["EIO"], 3),
    "fdatasync": (["EIO"], 3),
    "rename": (["EIO", "ENOSPC"], 2),
    "fallocate": (["ENOSPC", "EIO"], 4),
    "ftruncate": (["EIO"], 4),
    "mmap": (["ENOMEM"], 40),
    "malloc": (["ENOMEM"], 8000),
    "thread": (["EAGAIN"], 12),
    "submit": (["EIO", "ENOMEM", "EAGAIN"], 300),
    "close": (["EIO"], 60),
}


def kill(place, random, verdict):
    """SIGKILL at a random moment, then an undisturbed run over what it left."""
    command = random.choice(COMMANDS)
    output = place.set_old("killed.npy")
    process = place.start(place.arguments(command, output, random.choice(DISKS)))
    time.sleep(random.uniform(0.01, 1.2))
    process.kill()
    code = place.wait(process, verdict, signal.SIGKILL)
    place.judge(command, output, code, verdict, was_killed=True)
    process = place.start(place.arguments(command, output))
    place.judge(command, output, place.wait(process, verdict), verdict)


def signals(place, random, verdict):
    command = random.choice(COMMANDS)
    output = place.set_old("signalled.npy")
    sent = getattr(signal, "SIG" + random.choice(SIGNALS))
    process = place.start(place.arguments(command, output, random.choice(DISKS)))
    time.sleep(random.uniform(0.05, 1.2))
    process.send_signal(sent)
    code = place.wait(process, verdict, sent)
    place.judge(command, output, code, verdict)


def fault(place, random, verdict, lasting):
    kind = random.choice(sorted(FAULTS))
    errors, calls = FAULTS[kind]
    if lasting:
        # An interruption does not last, and the C++ library repeats the call until it is over.
        errors = [error for error in errors if error != "EINTR"]
    command = random.choice(COMMANDS)
    disk = ",io=uring" if kind == "submit" else random.choice(DISKS)
    # Small numbers often, large ones too.
    number = int(calls ** random.random()) - 1
    text = f"{kind}:{number}:{random.choice(errors)}:{-1 if lasting else 1}"
    output = place.set_old("fault.npy")
    process = place.start(place.arguments(command, output, disk), text)
    code = place.wait(process, verdict)
    if code is not None and code > 0 and code != 4:
        verdict.add("wrong", f"exit code {code} by {text}: {place.last_error[-300:]}")
    place.judge(command, output, code, verdict)
    for why in verdict.found:
        verdict.found[why] += f" [{text}, {command}, {disk}]"


def faults_once(place, random, verdict):
    fault(place, random, verdict, False)


def faults_for_ever(place, random, verdict):
    fault(place, random, verdict, True)


def judge_changed(place, command, output, code, verdict):
    named = code == 4 and "temporary data was changed" in place.last_error
    place.flips += named
    if code not in (0, None) and not named:
        verdict.add("wrong", f"exit code {code}: {place.last_error[-300:]}")
    place.judge(command, output, code, verdict)


def changed_in_flight(place, random, verdict):
    """A read of temporary data returns a flipped bit, or zeros as after a lost write. Earlier ones until there is one."""
    command = random.choice(SPILLING)
    number = int(250 ** random.random()) - 1
    what = random.choice(["flip", "zero"])
    disk = random.choice(DISKS[::2])
    code = 0
    while code == 0 and number >= 0 and not verdict.found:
        output = place.set_old("flight.npy")
        text = f"pread:{number}:{what}:1:{place.temporary}/"
        code = place.wait(place.start(place.arguments(command, output, disk), text), verdict)
        judge_changed(place, command, output, code, verdict)
        number = number // 4 if number else -1


def changed_at_rest(place, random, verdict):
    """A bit is flipped in the temporary file of a stopped run."""
    command = random.choice(SPILLING)
    output = place.set_old("rest.npy")
    process = place.start(place.arguments(command, output, random.choice(DISKS)))
    time.sleep(random.uniform(0.05, 0.8))
    process.send_signal(signal.SIGSTOP)
    for link in Path(f"/proc/{process.pid}/fd").glob("*"):
        try:
            if not os.readlink(link).startswith(f"{place.temporary}/"):
                continue  # an output without a name yet, too: its reader's checksums are for that
            with open(link, "r+b", buffering=0) as file:
                size = min(os.fstat(file.fileno()).st_blocks * 512, 32 << 20)
                for _ in range(3 if size else 0):
                    at = random.randrange(size)
                    byte = os.pread(file.fileno(), 1, at)
                    if byte:
                        os.pwrite(file.fileno(), bytes([byte[0] ^ 1 << random.randrange(8)]), at)
        except OSError:
            continue
    process.send_signal(signal.SIGCONT)
    judge_changed(place, command, output, place.wait(process, verdict), verdict)


def few_threads(place, random, verdict):
    """The k-th thread and all after it are refused: the same answer, or 4 if there is no way."""
    command = random.choice(COMMANDS)
    output = place.set_old("threads.npy")
    arguments = place.arguments(command, output, random.choice(DISKS), threads=random.choice([2, 4, 8]))
    process = place.start(arguments, f"thread:{random.randrange(14)}:EAGAIN:-1")
    code = place.wait(process, verdict)
    if code not in (0, None):
        verdict.add("wrong", f"exit code {code}: {place.last_error[-300:]}")
    place.judge(command, output, code, verdict)


def few_processes(place, random, verdict):
    """A control group of the kernel limits the threads."""
    group = next((g for g in (Path("/sys/fs/cgroup/pids"), Path("/sys/fs/cgroup")) if os.access(g, os.W_OK)), None)
    name = group / f"emgraph-torture-{os.getpid()}" if group else None
    try:
        name.mkdir()
        (name / "pids.max").write_text(str(random.randrange(1, 16)))
    except (OSError, AttributeError):
        if name is not None and name.exists():
            name.rmdir()
        return few_threads(place, random, verdict)
    try:
        command = random.choice(COMMANDS)
        output = place.set_old("processes.npy")
        join = lambda: (name / "cgroup.procs").write_text(str(os.getpid()))  # noqa: E731
        arguments = place.arguments(command, output, random.choice(DISKS), threads=8)
        code = place.wait(place.start(arguments, before=join), verdict)
        if code not in (0, None):
            verdict.add("wrong", f"exit code {code}: {place.last_error[-300:]}")
        place.judge(command, output, code, verdict)
    finally:
        for _ in range(100):
            try:
                name.rmdir()
                break
            except OSError:
                time.sleep(0.05)


def side_by_side(place, random, verdict):
    """Two runs with the same output, with and without -f."""
    command = random.choice([command for command in COMMANDS if "OUTPUT" in command])
    force = random.random() < 0.5
    output = place.results / "same.npy"
    output.unlink(missing_ok=True)
    arguments = place.arguments(command, output)
    if not force:
        arguments.remove("-f")
    runs = [place.start(arguments) for _ in range(2)]
    codes = [place.wait(run, verdict) for run in runs]
    if force and codes != [0, 0] or not force and sorted(code or 0 for code in codes) != [0, 2]:
        verdict.add("wrong", f"exit codes {codes}")
    place.judge(command, output, 0, verdict)


def changing_input(place, random, verdict):
    """The input is cut, overwritten or made longer while it is read: the answer of the whole file, or an error."""
    command = random.choice(COMMANDS)
    source = place.root / "changing.bin"
    shutil.copyfile(place.input, source)
    output = place.set_old("changing.npy")
    process = place.start(place.arguments(command, output, source=source))
    time.sleep(random.uniform(0.0, 0.4))
    size = source.stat().st_size
    how = random.choice(["cut", "overwrite", "extend"])
    with open(source, "r+b") as file:
        if how == "cut":
            file.truncate(random.randrange(size))
        else:
            file.seek(size if how == "extend" else random.randrange(size))
            file.write(random.randbytes(random.choice([1, 4096, 100000])))
    code = place.wait(process, verdict)
    if code not in (0, 3, 4, None):
        verdict.add("wrong", f"exit code {code}: {place.last_error[-300:]}")
    place.judge(command, output, code, verdict)
    source.unlink()


def changed_file(place, random, verdict):
    """A bit of a file that the program keeps for later runs is flipped: an adjacency, or the landmarks of a graph."""
    adjacency = place.adjacency
    edges = place.root / "weighted.adj"
    if not edges.exists():
        weighted = "gen:random,edges=40K,nodes=9K,weights=1:99"
        place.call([place.binary, "convert", weighted, "-q", "-o", str(edges)])
    landmarks = place.root / "weighted.adj.landmarks"
    searches = "sssp {} --queries {} --landmarks 4 --keep-landmarks"
    queries = place.root / "pairs.p2p"
    queries.write_text("p aux sp p2p 2\nq 1 500\nq 7 8000\n")
    command, kept = random.choice(
        [
            (f"bfs {adjacency} --root 0", adjacency),
            (f"bfs {adjacency} --root 0 --model external", adjacency),
            (f"cc {adjacency}", adjacency),
            (searches.format(edges, queries), landmarks),
        ]
    )
    output = place.results / ("kept.tsv" if kept == landmarks else "kept.npy")
    output.unlink(missing_ok=True)
    arguments = [place.binary] + command.split() + ["-q", "-f", "-M", "40M", "-o", str(output)]
    if command not in place.right:
        place.call(arguments)
        place.right[command] = output.read_bytes()
        output.unlink()
    right = kept.read_bytes() if kept.exists() else None
    if right:
        changed = bytearray(right)
        how = random.randrange(4)
        at = random.randrange(len(changed))
        if how == 0:
            del changed[at:]
        else:
            changed[at] ^= 1 << random.randrange(8)
        kept.write_bytes(changed)
    code = place.wait(place.start(arguments), verdict)
    # Landmarks that do not fit are made again; other damage is bad input.
    if code not in (0, 3, None):
        verdict.add("wrong", f"exit code {code}: {place.last_error[-300:]} [{command}]")
    place.judge(command, output, code, verdict, had_old=False)
    if right:
        kept.write_bytes(right)


def hostile_input(place, random, verdict):
    """A mutant of the fuzzing corpus: a refusal or an answer."""
    corpus = Path(__file__).resolve().parents[2] / "tests/fuzz/corpus"
    folder = random.choice(sorted(path for path in corpus.iterdir() if path.is_dir()))
    seeds = sorted(path for path in folder.iterdir() if path.is_file())
    if not seeds:
        return
    data = bytearray(random.choice(seeds).read_bytes())
    for _ in range(random.randrange(1, 6)):
        at = random.randrange(len(data) + 1)
        what = random.randrange(4)
        if what == 0 and data:
            data[at % len(data)] ^= 1 << random.randrange(8)
        elif what == 1:
            data[at : at + random.randrange(1, 9)] = random.randbytes(random.randrange(9))
        elif what == 2:
            del data[at:]
        else:
            data[at:at] = random.choice([b"0 1\n", b"\xff" * 8, b"999999999 5\n", b"\0" * 16])
    format_name = folder.name.split("-")[0]
    suffix = {"text": ".txt", "emg": ".bin", "galois": ".gr", "webgraph": ".graph"}.get(format_name, "." + format_name)
    source = place.root / ("hostile" + suffix)
    source.write_bytes(data)
    command = random.choice(["stats INPUT", "info INPUT --check", "cat INPUT --head 9", "mis INPUT", "sort -u INPUT -o OUTPUT"])
    output = place.results / "hostile.bin"
    words = [str(source) if w == "INPUT" else str(output) if w == "OUTPUT" else w for w in command.split()]
    limits = ["-M", "16M", "-q"] if command.split()[0] in ("stats", "mis", "sort") else []
    process = place.start([place.binary] + words + limits)
    code = place.wait(process, verdict)
    if code not in (0, 2, 3, 4, None) and code > 0:
        verdict.add("wrong", f"exit code {code}: {place.last_error[-300:]}")
    output.unlink(missing_ok=True)
    place.sweep(output, verdict)
    if verdict.found:
        shutil.copyfile(source, place.root / f"hostile-kept-{random.randrange(10**6)}{suffix}")
    source.unlink(missing_ok=True)


WITHOUT_SHIM = [kill, signals, changed_at_rest, few_processes, side_by_side, changing_input, hostile_input, changed_file]
WITH_SHIM = [faults_once, faults_for_ever, changed_in_flight, few_threads]
