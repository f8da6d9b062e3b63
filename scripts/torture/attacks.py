# SPDX-License-Identifier: MIT
"""The attacks. Each is a function of the place, a random generator and a verdict that it fills in."""

import os
import shutil
import signal
import struct
import time
from pathlib import Path

from commands import COMMANDS, DISKS, IN_MEMORY, SPILLING
from place import Outputs
from power import Disk

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
    "link": (["EIO", "ENOSPC"], 3),
    "thread": (["EAGAIN"], 12),
    "submit": (["EIO", "ENOMEM", "EAGAIN", "cancel"], 300),
    "wait": (["EIO", "ENOMEM", "EINTR"], 300),
    "close": (["EIO"], 60),
}

REWRITTEN = "of a rewritten input"

# Run on hostile inputs.
HOSTILE = [
    "stats INPUT",
    "info INPUT --check",
    "cat INPUT --head 9",
    "mis INPUT",
    "sort -u INPUT -o OUTPUT.bin",
    "bfs INPUT --root 0 -o OUTPUT.npy",
    "pagerank INPUT --iterations 2 -o OUTPUT.npy",
    "cdlp INPUT --iterations 2 -o OUTPUT.npy",
]


def kill(place, random, verdict):
    """SIGKILL at a random moment, then an undisturbed run over what it left."""
    command = random.choice(COMMANDS)
    outputs = place.outputs(command, "killed", old=True)
    process = place.start(place.arguments(command, outputs, random.choice(DISKS)))
    time.sleep(random.uniform(0.01, 1.2))
    process.kill()
    code = place.wait(process, verdict, signal.SIGKILL)
    place.judge(command, outputs, code, verdict, was_killed=True)
    process = place.start(place.arguments(command, outputs))
    place.judge(command, outputs, place.wait(process, verdict), verdict)


def signals(place, random, verdict):
    command = random.choice(COMMANDS)
    outputs = place.outputs(command, "signalled", old=True)
    sent = getattr(signal, "SIG" + random.choice(SIGNALS))
    process = place.start(place.arguments(command, outputs, random.choice(DISKS)))
    time.sleep(random.uniform(0.05, 1.2))
    process.send_signal(sent)
    code = place.wait(process, verdict, sent)
    place.judge(command, outputs, code, verdict)


def fault(place, random, verdict, lasting):
    kind = random.choice(sorted(FAULTS))
    errors, calls = FAULTS[kind]
    if lasting:
        # An interruption does not last, and the C++ library repeats the call until it is over.
        errors = [error for error in errors if error != "EINTR"]
    command = random.choice(COMMANDS)
    disk = ",io=uring" if kind in ("submit", "wait") else random.choice(DISKS)
    # Small numbers often, large ones too.
    number = int(calls ** random.random()) - 1
    text = f"{kind}:{number}:{random.choice(errors)}:{-1 if lasting else 1}"
    place.faults[kind] += 1
    outputs = place.outputs(command, "fault", old=True)
    process = place.start(place.arguments(command, outputs, disk), text)
    code = place.wait(process, verdict)
    if code is not None and code > 0 and code != 4:
        verdict.add("wrong", f"exit code {code} by {text}: {place.last_error[-300:]}")
    place.judge(command, outputs, code, verdict)
    for why in verdict.found:
        verdict.found[why] += f" [{text}, {command}, {disk}]"


def faults_once(place, random, verdict):
    fault(place, random, verdict, False)


def faults_for_ever(place, random, verdict):
    fault(place, random, verdict, True)


def judge_changed(place, command, outputs, code, verdict):
    named = code == 4 and "temporary data was changed" in place.last_error
    place.flips += named
    if named:
        place.named.add(command)
    if code not in (0, None) and not named:
        verdict.add("wrong", f"exit code {code}: {place.last_error[-300:]}")
    place.judge(command, outputs, code, verdict)


def changed_in_flight(place, random, verdict):
    """A read of temporary data returns a flipped bit, or zeros as after a lost write. Earlier ones until there is one."""
    command = random.choice(SPILLING)
    number = int(250 ** random.random()) - 1
    what = random.choice(["flip", "zero"])
    disk = random.choice(DISKS[::2])
    code = 0
    while code == 0 and number >= 0 and not verdict.found:
        outputs = place.outputs(command, "flight", old=True)
        text = f"pread:{number}:{what}:1:{place.temporary}/"
        code = place.wait(place.start(place.arguments(command, outputs, disk), text), verdict)
        judge_changed(place, command, outputs, code, verdict)
        number = number // 4 if number else -1


def changed_at_rest(place, random, verdict):
    """A bit is flipped in the temporary file of a stopped run."""
    command = random.choice(SPILLING)
    outputs = place.outputs(command, "rest", old=True)
    process = place.start(place.arguments(command, outputs, random.choice(DISKS)))
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
    judge_changed(place, command, outputs, place.wait(process, verdict), verdict)


def few_threads(place, random, verdict):
    """The k-th thread and all after it are refused: the same answer, or 4 if there is no way."""
    command = random.choice(COMMANDS)
    outputs = place.outputs(command, "threads", old=True)
    arguments = place.arguments(command, outputs, random.choice(DISKS), threads=random.choice([2, 4, 8]))
    process = place.start(arguments, f"thread:{random.randrange(14)}:EAGAIN:-1")
    code = place.wait(process, verdict)
    if code not in (0, None) and not place.needs_memory():
        verdict.add("wrong", f"exit code {code}: {place.last_error[-300:]} [{command}]")
    place.judge(command, outputs, code, verdict)


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
        outputs = place.outputs(command, "processes", old=True)
        join = lambda: (name / "cgroup.procs").write_text(str(os.getpid()))  # noqa: E731
        arguments = place.arguments(command, outputs, random.choice(DISKS), threads=8)
        code = place.wait(place.start(arguments, before=join), verdict)
        if code not in (0, None) and not place.needs_memory():
            verdict.add("wrong", f"exit code {code}: {place.last_error[-300:]} [{command}]")
        place.judge(command, outputs, code, verdict)
    finally:
        for _ in range(100):
            try:
                name.rmdir()
                break
            except OSError:
                time.sleep(0.05)


def side_by_side(place, random, verdict):
    """Two runs with the same output, with and without -f."""
    command = random.choice(COMMANDS)
    force = random.random() < 0.5
    outputs = place.outputs(command, "same")
    outputs.remove()
    arguments = place.arguments(command, outputs)
    if not force:
        arguments.remove("-f")
    runs = [place.start(arguments) for _ in range(2)]
    codes = [place.wait(run, verdict) for run in runs]
    if force and codes != [0, 0] or not force and sorted(code or 0 for code in codes) != [0, 2]:
        verdict.add("wrong", f"exit codes {codes}")
    place.judge(command, outputs, 0, verdict)


def changing_input(place, random, verdict):
    """The input is cut, overwritten or made longer while it is read: the answer of the whole file, or an error."""
    command = random.choice([command for command in COMMANDS if "INPUT" in command])
    source = place.root / "changing.bin"
    shutil.copyfile(place.input, source)
    right = place.right_from(command, source)
    outputs = place.outputs(command, "changing", old=True)
    process = place.start(place.arguments(command, outputs, source=source))
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
    place.judge(command, outputs, code, verdict, right=right)
    source.unlink()


def rewritten_input(place, random, verdict):
    """An edge of an input without checksums is replaced while it is read, perhaps twice: the answer of before or after, or an error."""
    command = random.choice([command for command in COMMANDS if "INPUT" in command] + IN_MEMORY)
    source = place.root / "rewritten.u32"
    node = random.randrange(1, 600_000)
    memory = "256M" if command in IN_MEMORY else "16M"
    answers = []
    # Half of the new edges have an id that the old ones do not have.
    edge = struct.pack("<II", node, random.choice([0, 600_001]))
    at = random.randrange(2_200_000) * 8
    for new in (True, False):
        place.call([place.binary, "convert", str(place.input), "-q", "-f", "-o", str(source)])
        if new:
            replace(source, at, edge)
        outputs = place.outputs(command, "before")
        place.call(place.arguments(command, outputs, source=source, memory=memory))
        answers.append(outputs.read())
        outputs.remove()
    outputs = place.outputs(command, "rewritten", old=True)
    process = place.start(place.arguments(command, outputs, random.choice(DISKS), source=source, memory=memory))
    time.sleep(random.uniform(0.0, 0.6))
    replace(source, at, edge)
    code = place.wait(process, verdict)
    if code not in (0, 3, 4, None):
        verdict.add("wrong", f"exit code {code}: {place.last_error[-300:]} [{command}]")
    place.right[REWRITTEN] = answers[0] if outputs.read() == answers[0] else answers[1]
    place.judge(REWRITTEN, outputs, code, verdict)
    for why in verdict.found:
        verdict.found[why] += f" [{command}, {struct.unpack('<II', edge)} at {at}: {place.last_error[-300:]}]"
    source.unlink()


def replace(path, at, content):
    with open(path, "r+b") as file:
        file.seek(at)
        file.write(content)


def power_cut_alone(place, random, verdict):
    """The power goes in a run without a checkpoint: under each final name is what was there, or the whole result."""
    command = random.choice(COMMANDS)
    root = place.kept_root
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    outputs = Outputs(command, root, "cut")
    old = random.random() < 0.5
    if old:
        outputs.set_old(place.old)
    disk = Disk(root, place.root / "shadow")
    process = place.start(place.arguments(command, outputs), power=f"{disk.shadow}:{random.randrange(4 + 6 * len(outputs.paths))}")
    code = place.wait(process, verdict, signal.SIGKILL)
    if code == -signal.SIGKILL:
        disk.cut(random)
    elif code != 0:
        verdict.add("wrong", f"exit code {code}: {place.last_error[-300:]} [{command}]")
    before = outputs.would_be(place.old if old else None)
    for there, *whole in zip(outputs.read(), place.right[command], before):
        if there not in whole:
            verdict.add("lost" if there is None else "wrong", f"an output that is not whole after a power cut [{command}]")
    if not verdict.found:
        shutil.rmtree(root)


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
    command += " -o OUTPUT" + (".tsv" if kept == landmarks else ".npy")
    outputs = place.outputs(command, "kept")
    outputs.remove()
    arguments = place.words(command, outputs) + ["-q", "-f", "-M", "40M"]
    if command not in place.right:
        place.call(arguments)
        place.right[command] = outputs.read()
        outputs.remove()
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
    place.judge(command, outputs, code, verdict, had_old=False)
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
    command = random.choice(HOSTILE)
    outputs = place.outputs(command, "hostile")
    limits = ["-M", "16M", "-q"] if command.split()[0] not in ("info", "cat") else []
    process = place.start(place.words(command, outputs, source) + limits)
    code = place.wait(process, verdict)
    if code not in (0, 2, 3, 4, None) and code > 0:
        verdict.add("wrong", f"exit code {code}: {place.last_error[-300:]}")
    outputs.remove()
    place.sweep(outputs, verdict)
    if verdict.found:
        shutil.copyfile(source, place.root / f"hostile-kept-{random.randrange(10**6)}{suffix}")
    source.unlink(missing_ok=True)


WITHOUT_SHIM = [kill, signals, changed_at_rest, few_processes, side_by_side, changing_input, rewritten_input, hostile_input, changed_file]
WITH_SHIM = [faults_once, faults_for_ever, changed_in_flight, few_threads, power_cut_alone]
