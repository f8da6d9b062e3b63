# SPDX-License-Identifier: MIT
"""scripts/examples/degree_plot.py on a real graph, compared with the answers of two other tools. Arguments: script, emgraph, datasets."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT, EMGRAPH, DATASETS = sys.argv.pop(1), sys.argv.pop(1), sys.argv.pop(1)


class DegreePlot(unittest.TestCase):
    def plot(self, edges, output):
        return subprocess.run([sys.executable, SCRIPT, edges, "-o", output, "--emgraph", EMGRAPH, "-M", "64M"],
                              capture_output=True, text=True)

    def test_wordnet(self):
        with tempfile.TemporaryDirectory() as directory:
            picture = Path(directory) / "degrees.svg"
            run = self.plot(f"{DATASETS}/wordnet31.txt.zst", picture)
            self.assertEqual(run.returncode, 0, run.stderr)
            facts = dict(line.rsplit("  ", 1) for line in run.stdout.splitlines())
            facts = {key.strip(): value.strip() for key, value in facts.items()}
            self.assertEqual(facts["nodes"], "117791")
            self.assertEqual(facts["isolated"], "1004")
            self.assertEqual(facts["edges, simple"], "184083")
            self.assertEqual(facts["largest degree"], "674 (node 46364)")
            self.assertEqual(facts["components"], "1369")
            self.assertEqual(facts["largest component"], "115579")
            self.assertIn("<svg", picture.read_text())
            self.assertEqual([path.name for path in Path(directory).iterdir()], ["degrees.svg"])

    def test_ids_of_8_bytes(self):
        with tempfile.TemporaryDirectory() as directory:
            edges = Path(directory) / "star.u64"
            edges.write_bytes(b"".join(end.to_bytes(8, "little") for leaf in range(1, 4) for end in (0, leaf)))
            run = self.plot(edges, Path(directory) / "degrees.svg")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("3 (node 0)", run.stdout)

    def test_missing_file_leaves_nothing(self):
        with tempfile.TemporaryDirectory() as directory:
            self.assertNotEqual(self.plot(f"{directory}/none.txt", Path(directory) / "degrees.svg").returncode, 0)
            self.assertEqual(list(Path(directory).iterdir()), [])


if __name__ == "__main__":
    unittest.main()
