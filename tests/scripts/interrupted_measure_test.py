#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A measurement that is ended by SIGTERM or SIGINT ends its programs, and leaves neither directory nor process. Argument: scripts/."""
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SCRIPTS = Path(sys.argv[1]).resolve()
# A job whose program says that it runs, makes a file, and removes it when it is ended.
PROGRAM = "trap 'rm -f \"$0\"; exit 1' TERM; echo $$ > \"$0\"; while true; do sleep 0.05; done"
MEASURE = f"""
import sys
sys.path.insert(0, {str(SCRIPTS)!r})
from measure import Job, Program, main
sys.exit(main("test", lambda a: [Job("job", "waits", "", 1, [Program("waits", ["bash", "-c", {PROGRAM!r}, str(a.dir / "running")])])]))
"""
PAPER = f"""
import sys
sys.path.insert(0, {str(SCRIPTS / "paper")!r})
import experiment
def body():
    found = experiment.Experiment.__new__(experiment.Experiment)
    found.name, found.runs, found.program = "test", [], sys.argv[1]
    found.options = type("Options", (), {{"dir": [sys.argv[2]], "repeat": 1}})
    found.run(["x"])
experiment.main(body)
"""


def wait_until(condition, what):
    for _ in range(600):
        if condition():
            return
        time.sleep(0.05)
    sys.exit(f"{what}: not within 30 s")


def alive(pid):
    try:
        os.kill(pid, 0)
        return True
    except ProcessLookupError:
        return False


def interrupt_measure(sent):
    with tempfile.TemporaryDirectory() as here:
        directory = Path(here) / "new" / "bench"
        own = subprocess.Popen([sys.executable, "-c", MEASURE, "--dir", str(directory), "--emgraph", "/bin/true", "--repeats", "1"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        running = directory / "running"
        wait_until(lambda: running.exists() and running.read_text(encoding="ascii").strip(), "the program of the job")
        program = int(running.read_text(encoding="ascii"))
        own.send_signal(sent)
        assert own.wait(60) != 0
        assert not directory.exists(), f"{sent}: {directory} is left"
        wait_until(lambda: not alive(program), f"{sent}: the end of the program")


def interrupt_paper(sent):
    with tempfile.TemporaryDirectory() as here:
        place, program = Path(here) / "place", Path(here) / "program"
        place.mkdir()
        program.write_text("#!/bin/sh\nexec sleep 60\n", encoding="ascii")
        program.chmod(0o755)
        own = subprocess.Popen([sys.executable, "-c", PAPER, str(program), str(place)], stderr=subprocess.DEVNULL)
        wait_until(lambda: list(place.iterdir()), "the directory of the run")
        time.sleep(0.3)
        own.send_signal(sent)
        assert own.wait(60) != 0
        assert not list(place.iterdir()), f"{sent}: {list(place.iterdir())} is left"


for each in (signal.SIGTERM, signal.SIGINT):
    interrupt_measure(each)
    interrupt_paper(each)
