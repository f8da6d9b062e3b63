# SPDX-License-Identifier: MIT
"""Attacks on runs with --checkpoint."""

import os
import shutil
import signal
import subprocess
import time

from commands import RESUMABLE
from place import Outputs
from power import Disk

MEMORIES = ["40M", "64M", "150M"]


def begun(kept):
    return kept.exists() and any(kept.iterdir())


def kept_arguments(kept, random, memories):
    arguments = ["-q", "--checkpoint", str(kept), "--checkpoint-period", random.choice(["0", "0.02", "0.1"])]
    # A run that needs more memory gets the most, and one thread.
    threads = random.choice("124")
    arguments += ["-M", random.choice(memories), "-j", threads if len(memories) > 1 else "1"]
    return arguments + (["--resume"] if kept.exists() else [])


def finish(place, command, kept, outputs, verdict):
    """Compares the result of a run that has ended, and looks for what is left."""
    if not verdict.found and outputs.read() != place.right[command]:
        verdict.add("wrong", f"another result [{command}]")
    if kept.exists():
        verdict.add("left", ", ".join(path.name for path in kept.iterdir()) or "the directory")
        shutil.rmtree(kept)
    place.sweep(outputs, verdict)
    outputs.remove()


def resume(place, random, verdict):
    """A run with a checkpoint is killed again and again, and goes on with other memory and threads until it is done."""
    command = min(random.sample(RESUMABLE, len(RESUMABLE)), key=lambda one: place.killed_kept[one])
    kept = place.root / "kept"
    outputs = place.outputs(command, "resumed")
    words = place.words(command, outputs)
    quickest = random.uniform(0.02, 0.3)
    memories = MEMORIES
    for attempt in range(200):
        going_on = begun(kept)
        process = place.start(words + kept_arguments(kept, random, memories))
        sent = random.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGUSR1])
        time.sleep(quickest * (1.1**attempt) * random.random())
        process.send_signal(sent)
        place.kills += 1
        place.killed_kept[command] += 1
        code = place.wait(process, verdict, sent)
        # A kill may come after all work: then the result is there, and the directory is not.
        if code == 0 or code is None or (outputs.exist() and not kept.exists()):
            break
        if code == 4 and going_on and len(memories) > 1 and place.needs_memory():
            memories = ["150M"]  # what was begun with more cannot go on with so little, and says so
            continue
        if code > 0 and code != 75:
            verdict.add("wrong", f"exit code {code} of attempt {attempt}: {place.last_error[-300:]} [{command}]")
            break
    else:
        verdict.add("hung", f"not done after 200 attempts [{command}]")
    finish(place, command, kept, outputs, verdict)


def power_cut(place, random, verdict):
    """The power goes at a random moment; what was not synchronised may be lost, and the run goes on from the rest."""
    command = random.choice(RESUMABLE)
    root = place.kept_root
    shutil.rmtree(root, ignore_errors=True)
    (root / "results").mkdir(parents=True)
    kept = root / "kept"
    outputs = Outputs(command, root / "results", "cut")
    old = random.random() < 0.3
    if old:
        outputs.set_old(place.old)
    words = place.words(command, outputs) + (["-f"] if old else [])
    farthest = 3
    memories = MEMORIES
    for attempt in range(60):
        shadow = place.root / "shadow"
        disk = Disk(root, shadow)
        going_on = begun(kept)
        arguments = words + kept_arguments(kept, random, memories)
        process = place.start(arguments, power=f"{shadow}:{random.randrange(int(farthest))}")
        farthest *= 1.25
        code = place.wait(process, verdict, signal.SIGKILL)
        place.kills += 1
        if code is None:
            break
        if code == -signal.SIGKILL:
            disk.cut(random)
        there = outputs.read()
        if any(one not in (None, right, place.old if old else None) for one, right in zip(there, place.right[command])):
            verdict.add("wrong", f"a result that is not whole after attempt {attempt} [{command}]")
            break
        if code == 0 or (there == place.right[command] and not begun(kept)):
            break
        if code == 4 and going_on and len(memories) > 1 and place.needs_memory():
            memories = ["150M"]
        elif code != -signal.SIGKILL:
            verdict.add("wrong", f"exit code {code} of attempt {attempt}: {place.last_error[-300:]} [{command}]")
            break
    else:
        verdict.add("hung", f"not done after 60 attempts [{command}]")
    if not verdict.found:
        if outputs.read() != place.right[command]:
            verdict.add("wrong", f"another result [{command}]")
        # An empty directory may have come back; nothing else.
        if begun(kept):
            verdict.add("left", ", ".join(path.name for path in kept.iterdir()))
        others = [path.name for path in outputs.folder.iterdir() if path not in outputs.paths.values()]
        if others:
            verdict.add("left", ", ".join(others))
    if not verdict.found:
        shutil.rmtree(root)


def stopped_run(place, random, kept, outputs, command):
    """A run that was killed in the middle of its work; False if its result was there by then."""
    words = place.words(command, outputs)
    process = place.start(words + ["-q", "--checkpoint", str(kept), "--checkpoint-period", "0", "-M", "64M"])
    end = time.monotonic() + 60
    journal = kept / "emgraph.journal"
    seals = random.randrange(1, 12)
    last = None
    while process.poll() is None and seals > 0 and time.monotonic() < end:
        try:
            now = journal.stat().st_ino
        except OSError:
            now = None
        seals -= now != last
        last = now
        time.sleep(0.001)
    process.kill()
    process.communicate()
    return begun(kept) and not outputs.exist()


def changed_checkpoint(place, random, verdict):
    """A bit of a checkpoint or of the result so far is flipped, or a file is cut or gone: refused, or not needed."""
    command = random.choice(RESUMABLE)
    kept = place.root / "changed"
    shutil.rmtree(kept, ignore_errors=True)
    outputs = place.outputs(command, "changed")
    outputs.remove()
    if not stopped_run(place, random, kept, outputs, command):
        outputs.remove()
        return
    files = [path for path in list(kept.iterdir()) + outputs.parts() if path.exists() and path.stat().st_size > 0]
    if files:
        victim = random.choice(files)
        size = victim.stat().st_size
        how = random.randrange(5)
        if how == 0:
            victim.unlink()
        elif how == 1:
            os.truncate(victim, random.randrange(size))
        else:
            with open(victim, "r+b") as file:
                for _ in range(random.choice([1, 3, 40])):
                    at = random.randrange(size)
                    file.seek(at)
                    byte = file.read(1)
                    file.seek(at)
                    file.write(bytes([byte[0] ^ 1 << random.randrange(8)]))
    words = place.words(command, outputs) + ["-q", "--checkpoint", str(kept), "-M", "64M", "--resume"]
    code = place.wait(place.start(words), verdict)
    what = f"{victim.name if files else '-'} [{command}]"
    if code not in (0, 2, 4, None):
        verdict.add("wrong", f"exit code {code}: {place.last_error[-300:]}: {what}")
    there = outputs.read()
    if (code == 0) != (there == place.right[command]):
        verdict.add("wrong", f"exit code {code}, and the result is {'there' if any(there) else 'not there'}: {what}")
    shutil.rmtree(kept, ignore_errors=True)
    outputs.remove_parts()
    place.sweep(outputs, verdict)
    outputs.remove()


def changed_run(place, random, verdict):
    """A run goes on with another input, or another one uses its directory at the same time: refused with what changed."""
    command = random.choice([command for command in RESUMABLE if "INPUT" in command])
    kept = place.root / "other"
    shutil.rmtree(kept, ignore_errors=True)
    source = place.root / "other.bin"
    shutil.copyfile(place.input, source)
    outputs = place.outputs(command, "other")
    outputs.remove()
    here = place.input
    place.input = source
    try:
        if stopped_run(place, random, kept, outputs, command):
            words = place.words(command, outputs) + ["-q", "--checkpoint", str(kept), "-M", "64M", "--resume"]
            if random.random() < 0.5:
                with open(source, "ab") as file:
                    file.write(b"more")
                code = place.wait(place.start(words), verdict)
                if code != 2 or "changed at" not in place.last_error:
                    verdict.add("wrong", f"exit code {code} after the input changed: {place.last_error[-300:]}")
                os.truncate(source, here.stat().st_size)
            else:
                runs = [place.start(words) for _ in range(2)]
                codes = [place.wait(run, verdict) for run in runs]
                if 0 not in codes or any(code not in (0, 2) for code in codes):
                    verdict.add("wrong", f"exit codes {codes} of two runs: {place.last_error[-300:]} [{command}]")
                if outputs.read() != place.right[command]:
                    verdict.add("wrong", f"another result [{command}]")
    finally:
        place.input = here
    shutil.rmtree(kept, ignore_errors=True)
    outputs.remove_parts()
    place.sweep(outputs, verdict)
    outputs.remove()
    source.unlink()


def full_directory(place, random, verdict):
    """The file system of a checkpoint is full, or can only be read; when it has space, the run goes on."""
    command = random.choice(RESUMABLE)
    disk = place.root / "small"
    disk.mkdir(exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={random.randrange(1, 24)}m", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode != 0:
        return
    kept = disk / "kept"
    outputs = place.outputs(command, "full")
    outputs.remove()
    words = place.words(command, outputs) + ["-q", "--checkpoint", str(kept), "-M", "64M"]
    words += ["--checkpoint-period", "0.1"]
    try:
        code = place.wait(place.start(words), verdict)
        if code not in (0, 4, None):
            verdict.add("wrong", f"exit code {code} of a full disk: {place.last_error[-300:]} [{command}]")
        if code == 4 and outputs.exist():
            verdict.add("wrong", f"exit code 4 and a result [{command}]")
        if code == 4 and begun(kept):
            subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
            code = place.wait(place.start(words + ["--resume"]), verdict)
            if code != 4 or outputs.exist():
                verdict.add("wrong", f"exit code {code} of a disk that can only be read [{command}]")
        if code == 4:
            subprocess.run(["mount", "-o", "remount,rw,size=900m", str(disk)], check=True)
            code = place.wait(place.start(words + (["--resume"] if begun(kept) else [])), verdict)
            if code != 0:
                verdict.add("wrong", f"exit code {code} with space again: {place.last_error[-300:]} [{command}]")
        if not verdict.found and outputs.read() != place.right[command]:
            verdict.add("wrong", f"another result [{command}]")
        if kept.exists():
            verdict.add("left", ", ".join(path.name for path in kept.iterdir()) or "the directory")
    finally:
        subprocess.run(["umount", str(disk)], check=True)
    outputs.remove_parts()
    place.sweep(outputs, verdict)
    outputs.remove()


WITHOUT_SHIM = [resume, changed_checkpoint, changed_run, full_directory]
WITH_SHIM = [power_cut]
