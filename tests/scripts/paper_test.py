# SPDX-License-Identifier: MIT
"""scripts/paper/*.py at a thousandth of the size. Arguments: their directory, emgraph."""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPTS, EMGRAPH = Path(sys.argv.pop(1)), sys.argv.pop(1)


class Paper(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)
        (self.directory / "disk").mkdir()

    def run_script(self, name, *arguments, emgraph=EMGRAPH):
        return subprocess.run([sys.executable, "-B", SCRIPTS / name, "--emgraph", emgraph, "--dir", self.directory / "disk",
                               "--out", self.directory / "out", *arguments], capture_output=True, text=True)

    def results(self, run, name):
        self.assertEqual(run.returncode, 0, run.stderr)
        table = (self.directory / "out" / f"{name}.md").read_text()
        self.assertEqual(run.stdout.strip(), table.strip())
        self.assertIn("Machine: ", table)
        self.assertIn(b"<svg", (self.directory / "out" / f"{name}.svg").read_bytes())
        self.assertEqual(list((self.directory / "disk").iterdir()), [])
        return json.loads((self.directory / "out" / f"{name}.json").read_text())

    def test_disks(self):
        results = self.results(self.run_script("disks.py", "--edges", "1M", "--memory", "16M", "--disks", "1,2"), "disks")
        self.assertEqual([row["disks"] for row in results["rows"]], [1, 2, "no limit"])
        self.assertEqual([run["disks"] for run in results["runs"]], [1, 1, 2])
        self.assertEqual(len({run["summary"]["mis_size"] for run in results["runs"]}), 1)

    def test_large(self):
        results = self.results(self.run_script("large.py", "--edges", "2M"), "large")
        self.assertEqual([row["nodes"] for row in results["rows"]], ["313,433", "641,791"])

    def test_solvers(self):
        results = self.results(self.run_script("solvers.py", "--scale", "0.0005"), "solvers")
        self.assertEqual([run["summary"]["command"] for run in results["runs"]], ["bfs", "bfs", "mst", "triangles"])

    def test_what_is_missing_is_said(self):
        run = self.run_script("large.py", "--edges", "2M", emgraph="/nowhere/emgraph")
        self.assertEqual(run.returncode, 1)
        self.assertIn("no such program", run.stderr)
        self.assertNotIn("Traceback", run.stderr)
        run = self.run_script("disks.py", "--edges", "1M", "--memory", "1M")
        self.assertEqual(run.returncode, 1)
        self.assertIn("exit code 4", run.stderr)
        self.assertEqual(list((self.directory / "disk").iterdir()), [])


if __name__ == "__main__":
    unittest.main()
