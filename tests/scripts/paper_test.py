# SPDX-License-Identifier: MIT
"""scripts/paper/*.py at a thousandth of the size or less. Arguments: their directory, emgraph."""
import json
import os
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

    def run_script(self, name, *arguments, emgraph=EMGRAPH, path=os.environ["PATH"]):
        return subprocess.run([sys.executable, "-B", SCRIPTS / name, "--emgraph", emgraph, "--dir", self.directory / "disk",
                               "--out", self.directory / "out", *arguments], capture_output=True, text=True,
                              env=os.environ | {"PATH": path})

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
        self.assertEqual([row["paper, pipelined (s)"] for row in results["rows"]], [228, 210, "-"])
        self.assertIn("paper, pipelined, 131.1 M edges", (self.directory / "out" / "disks.svg").read_text())

    def test_large(self):
        results = self.results(self.run_script("large.py", "--edges", "2M", "--repeat", "3"), "large")
        self.assertEqual([row["nodes"] for row in results["rows"]], ["313,433", "641,791"])
        self.assertEqual(len(results["runs"]), 6)
        # The medians are in the table; the bars carry the sizes that were run, the paper's its own.
        plot = (self.directory / "out" / "large.svg").read_text()
        for words in ("2 M edges, 313 k nodes", "2 M edges, 642 k nodes", "13.4 G edges, 2.1 G nodes", "13.4 G edges, 4.3 G nodes"):
            self.assertIn(words, plot)

    def test_solvers(self):
        results = self.results(self.run_script("solvers.py", "--scale", "0.0005", "--repeat", "2"), "solvers")
        self.assertEqual([run["summary"]["command"] for run in results["runs"]],
                         [command for command in ("bfs", "bfs", "mst", "triangles") for _ in range(2)])
        plot = (self.directory / "out" / "solvers.svg").read_text()
        for words in ("32 k nodes, 63.7 k edges", "16 k nodes, 64 k edges"):
            self.assertTrue(words in plot, words)

    def test_graph500(self):
        results = self.results(self.run_script("graph500.py", "--scales", "6,8", "--roots", "4"), "graph500")
        self.assertEqual([(row["scale"], row["kernel"]) for row in results["rows"]], [(6, "bfs"), (6, "sssp"), (8, "bfs"), (8, "sssp")])
        self.assertEqual([search["root"] for search in results["runs"][1]["summary"]["bfs_searches"]], [53, 55, 31, 241])
        self.assertIn(b"<svg", (self.directory / "out" / "graph500-time.svg").read_bytes())

    def perf(self, counts):
        """A directory with a perf that runs the command and writes `counts`, a shell word, for the TLB misses."""
        tools = self.directory / "tools"
        tools.mkdir()
        perf = tools / "perf"
        perf.write_text('#!/bin/sh\nwhile [ "$1" != -- ]; do [ "$1" = -o ] && file=$2; shift; done\nshift\nn=500\n'
                        'case "$*" in *--queries*|*--root*) n=2000;; esac\ncase "$*" in *--to*) n=1000;; esac\n'
                        f'echo "{counts},,dTLB-load-misses,1,100.00,," > "$file"\nexec "$@"\n')
        perf.chmod(0o755)
        return f"{tools}:{os.environ['PATH']}"

    def layout_program(self, last_answer):
        """A program in place of bench_sssp_layout: two alignments, then arcs by length, whose answer is `last_answer`."""
        runs = ((8, "given", 0.25, 7), (4096, "given", 0.5, 7), (4096, "by length", 1.5, last_answer))
        lines = [json.dumps({"queue": "heap", "alignment": alignment, "arcs": arcs, "queries": queries, "full": 2, "check": answer})
                 for alignment, arcs, queries, answer in runs]
        lines.insert(2, json.dumps({"sort_seconds": 3.2}))
        program = self.directory / "layout"
        program.write_text("#!/bin/sh\n[ $# = 3 ] && [ -s \"$1\" ] && [ -s \"$2\" ] || exit 2\n" +
                           "".join(f"echo '{line}'\n" for line in lines))
        program.chmod(0o755)
        return program

    def test_shortest_paths(self):
        misses = "TLB misses per settled node: queries, full"
        run = self.run_script("shortest_paths.py", "--nodes", "2500", "--queues", "dial,heap", "--pages", "off,auto",
                              "--layout-program", "/nowhere/layout", path=self.perf("<not supported>"))
        results = self.results(run, "shortest_paths")
        self.assertEqual([(row["node order"], row["queue"], row["huge pages"].split(":")[0]) for row in results["rows"]],
                         [(order, queue, pages) for order in ("given", "random", "bfs", "hilbert") for pages in ("off", "auto")
                          for queue in ("dial", "heap")])
        self.assertEqual({row[misses] for row in results["rows"]}, {"not counted"})
        self.assertEqual([row["ten queries, 2008 (s)"] for row in results["rows"][:5]], ["14.55", "21.39", "12.07", "18.20", "-"])
        self.assertEqual(len({row["settled by them"] for row in results["rows"]}), 1)
        searches = [run["summary"] for run in results["runs"] if "--root" in run["command"]]
        self.assertEqual({search["reached"] for search in searches}, {2500})  # connected
        self.assertEqual({round(run["summary"]["edges"] / 2500, 1) for run in results["runs"][1:]}, {2.4})
        for words in ("| heap / dial, huge pages auto |", "| 1.47 |", "node order random / given", "From a .gr file",
                      "TLB misses were not counted", "Alignment and arcs sorted by length were not measured: layout is missing"):
            self.assertIn(words, run.stdout)

    def test_shortest_paths_with_tlb_misses(self):
        run = self.run_script("shortest_paths.py", "--nodes", "900", "--queues", "heap", "--pages", "auto", "--orders", "random",
                              "--repeats", "2", "--layout-program", self.layout_program(7), path=self.perf("$n"))
        rows = self.results(run, "shortest_paths")["rows"]
        settled = int(rows[0]["settled by them"].replace(",", ""))
        queries, full = rows[0]["TLB misses per settled node: queries, full"].split(", ")
        self.assertEqual(full, "1.11")  # 2000 less the 1000 of loading, for 900 nodes
        self.assertEqual(queries, f"{1000 / settled:.2f}")
        self.assertNotIn("TLB misses were not counted", run.stdout)
        self.assertIn("| queue | 8 bytes | 4096 bytes | 4096 bytes, arcs by length |\n|---|---|---|---|\n"
                      "| heap | 0.25, 2.00 | 0.50, 2.00 | 1.50, 2.00 |\n\nSorting the arcs of all nodes took 3.2 s.", run.stdout)

    def test_what_is_missing_is_said(self):
        run = self.run_script("large.py", "--edges", "2M", emgraph="/nowhere/emgraph")
        self.assertEqual(run.returncode, 1)
        self.assertIn("no such program", run.stderr)
        self.assertNotIn("Traceback", run.stderr)
        run = self.run_script("shortest_paths.py", "--queues", "dial,stack")
        self.assertEqual((run.returncode, run.stderr),
                         (1, "shortest_paths.py: stack: not one of dial, multilevel-bucket, radix, heap\n"))
        run = self.run_script("shortest_paths.py", "--nodes", "900", "--queues", "heap", "--pages", "auto", "--orders", "given",
                              "--layout-program", self.layout_program(8))
        self.assertEqual(run.returncode, 1)
        self.assertIn("shortest_paths.py: the answers differ between alignments or orders of the arcs\n", run.stderr)
        run = self.run_script("disks.py", "--edges", "1M", "--memory", "1M")
        self.assertEqual(run.returncode, 1)
        self.assertIn("exit code 4", run.stderr)
        self.assertEqual(list((self.directory / "disk").iterdir()), [])


if __name__ == "__main__":
    unittest.main()
