# SPDX-License-Identifier: MIT
"""scripts/trace_plot.py on a trace of emgraph, and on files that are not traces. Arguments: script, emgraph."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT, EMGRAPH = sys.argv.pop(1), sys.argv.pop(1)


class TracePlot(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)

    def plot(self, trace, picture="trace.svg"):
        return subprocess.run([sys.executable, SCRIPT, self.directory / trace, "-o", self.directory / picture],
                              capture_output=True, text=True)

    def test_sort(self):
        run = subprocess.run([EMGRAPH, "sort", "gen:random,edges=3M", "-o", "sorted.bin", "-M", "16M", "-j", "2", "--json",
                              "--trace", "run.json"], cwd=self.directory, check=True, capture_output=True)
        summary = json.loads(run.stdout)
        drawn = self.plot("run.json")
        self.assertEqual(drawn.returncode, 0, drawn.stderr)
        self.assertTrue((self.directory / "trace.svg").read_bytes().startswith(b"<?xml"))
        lines = dict(line.split(": ") for line in drawn.stdout.splitlines() if ": " in line)
        moved = [(int(line.split()[0]), int(line.split()[3])) for line in lines.values()]
        self.assertEqual(sum(read for read, _ in moved), summary["read_bytes"])
        self.assertEqual(sum(written for _, written in moved), summary["write_bytes"])
        self.assertIn("output sorted.bin", lines)

    def test_seconds_of_nested_spans(self):
        def span(tid, cat, begin, end):
            return {"ph": "X", "pid": 1, "tid": tid, "ts": begin * 1e6, "dur": (end - begin) * 1e6, "cat": cat, "name": "x"}

        events = [span(2, "io wait", 1, 3), span(2, "work", 0, 10), span(2, "work", 3, 6), span(2, "thread wait", 6, 7),
                  span(3, "work", 2, 4), span(3, "io wait", 8, 9),
                  *({"ph": "M", "name": "thread_name", "pid": 1, "tid": tid, "args": {"name": f"thread {tid - 1}"}} for tid in (2, 3)),
                  {"ph": "M", "name": "process_name", "pid": 1, "tid": 1, "args": {"name": "by hand"}}]
        (self.directory / "made.json").write_text(json.dumps({"traceEvents": events}))
        drawn = self.plot("made.json", "trace.png")
        self.assertEqual(drawn.returncode, 0, drawn.stderr)
        self.assertTrue((self.directory / "trace.png").read_bytes().startswith(b"\x89PNG"))
        found = dict(line.rsplit(None, 1) for line in drawn.stdout.splitlines())
        self.assertEqual((found["seconds"], found["computes"], found["waits for I/O"], found["waits for threads"]),
                         ("10.000", "9.000", "3.000", "1.000"))

    def test_files_that_are_no_trace(self):
        for name, content, words in (("text.json", b"no json", "is no trace"), ("list.json", b"[]", "is no trace"),
                                     ("bytes.json", b"\xff\xfe\x00", "is no trace"),
                                     ("other.json", b'{"traceEvents":[{"ph":"X"}]}', "not one of emgraph")):
            (self.directory / name).write_bytes(content)
            drawn = self.plot(name)
            self.assertEqual(drawn.returncode, 1)
            self.assertIn(words, drawn.stderr)
            self.assertNotIn("Traceback", drawn.stderr)
        self.assertIn("No such file", self.plot("none.json").stderr)
        self.assertFalse((self.directory / "trace.svg").exists())

    def test_without_matplotlib(self):
        (self.directory / "matplotlib.py").write_text("raise ImportError('no such module', name='matplotlib')\n")
        run = subprocess.run([sys.executable, SCRIPT, "run.json"], capture_output=True, text=True,
                             env=os.environ | {"PYTHONPATH": str(self.directory)})
        self.assertEqual(run.returncode, 1)
        self.assertEqual(len(run.stderr.splitlines()), 1)
        self.assertIn("python3-matplotlib", run.stderr)

    def test_help(self):
        run = subprocess.run([sys.executable, SCRIPT, "--help"], capture_output=True, text=True)
        self.assertIn("--output", run.stdout)


if __name__ == "__main__":
    unittest.main()
