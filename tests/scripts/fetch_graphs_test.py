# SPDX-License-Identifier: MIT
"""scripts/fetch_graphs.py with a local server: complete, continued and broken downloads. Arguments: script, emgraph."""
import gzip
import hashlib
import http.server
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

SCRIPT, EMGRAPH = sys.argv.pop(1), sys.argv.pop(1)
EDGES = b"".join(b"%d\t%d\n" % (i, i * i % 1009) for i in range(1000))


class Server(http.server.BaseHTTPRequestHandler):
    """Serves `files`, also by ranges. .short announces more than it sends; .chunked ends inside a chunk. `asked`: the ranges."""

    files, asked = {}, []

    def do_GET(self):
        data = self.files.get(self.path.lstrip("/"))
        if data is None:
            return self.send_error(404)
        wanted = self.headers.get("Range")
        self.asked.append(wanted)
        first = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
        if first and first >= len(data):
            return self.send_error(416)
        self.send_response(206 if wanted else 200)
        if ".chunked" in self.path:
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.wfile.write(b"ff\r\n" + data[:9])
            return None
        self.send_header("Content-Length", str(len(data) - first + (10 if ".short" in self.path else 0)))
        self.end_headers()
        self.wfile.write(data[first:])

    def log_message(self, *_):
        pass


class FetchGraphs(unittest.TestCase):
    def setUp(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)
        Server.asked = []
        packed = gzip.compress(EDGES)
        graph, properties = b"bits" * 1000, b"nodes=4\n"
        sums = "".join(f"{hashlib.md5(data).hexdigest()}  web{end}\n" for end, data in
                       ((".graph", graph), (".properties", properties), (".offsets", b"not fetched")))
        Server.files = {"edges.txt.gz": packed, "cut.txt.gz": packed[:-100], "edges.short.txt.gz": packed,
                        "edges.chunked.txt.gz": packed,
                        "web.graph": graph, "web.properties": properties, "web.md5sums": sums.encode()}
        self.packed = packed
        base = f"http://127.0.0.1:{self.server.server_port}/"
        self.table = self.directory / "list.tsv"
        self.table.write_text("# comment\n" + "".join(
            f"{name}\t{nodes}\t{lines}\tsomething\t{base}{files}\n" for name, nodes, lines, files in (
                ("edges", 1009, 1000, "edges.txt.gz"), ("fewer", 1009, 999, "edges.txt.gz"),
                ("cut", 1, 1, "cut.txt.gz"), ("short", 1, 1, "edges.short.txt.gz"),
                ("chunked", 1, 1, "edges.chunked.txt.gz"), ("unknown", 1009, "-", "edges.txt.gz"), ("gone", 1, 1, "gone.txt.gz"),
                ("web", 4, "-", "web{.graph,.properties,.md5sums}"))))

    def run_script(self, *arguments):
        return subprocess.run([sys.executable, SCRIPT, "--list", self.table, "-o", self.directory / "out",
                               "--emgraph", EMGRAPH, *arguments], capture_output=True, text=True)

    def test_lists_what_there_is(self):
        run = self.run_script()
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual([line.split()[0] for line in run.stdout.splitlines()],
                         ["edges", "fewer", "cut", "short", "chunked", "unknown", "gone", "web"])

    def test_fetches_once_and_counts(self):
        for _ in range(2):
            run = self.run_script("edges", "--count")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("1,000 edges, as expected", run.stdout)
        self.assertEqual((self.directory / "out/edges.txt.gz").read_bytes(), self.packed)
        self.assertEqual(Server.asked, [None])
        run = self.run_script("fewer", "--count")
        self.assertEqual(run.returncode, 1)
        self.assertIn("1000 edges, expected 999", run.stderr)
        run = self.run_script("unknown", "--count")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("1,000 edges", run.stdout)
        self.assertNotIn("as expected", run.stdout)

    def test_counting_without_the_program_says_what_is_missing(self):
        run = self.run_script("edges", "--count", "--emgraph", str(self.directory / "none"))
        self.assertEqual(run.returncode, 1)
        self.assertIn("none: No such file", run.stderr)
        self.assertNotIn("Traceback", run.stderr)

    def test_goes_on_where_it_stopped(self):
        (self.directory / "out").mkdir()
        part = self.directory / "out/edges.txt.gz.part"
        for have in (500, len(self.packed)):
            part.write_bytes(self.packed[:have])
            run = self.run_script("edges")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual(Server.asked.pop(), f"bytes={have}-")
            whole = self.directory / "out/edges.txt.gz"
            self.assertEqual(whole.read_bytes(), self.packed)
            self.assertFalse(part.exists())
            whole.unlink()

    def test_checks_the_publishers_sums(self):
        run = self.run_script("web")
        self.assertEqual(run.returncode, 0, run.stderr)
        graph = self.directory / "out/web.graph"
        graph.write_bytes(graph.read_bytes()[:-1] + b"!")
        run = self.run_script("web")
        self.assertEqual(run.returncode, 1)
        self.assertIn("web.md5sums says", run.stderr)

    def test_broken_files_are_not_taken(self):
        for name, says in (("cut", "ends too early"), ("short", "call again to go on"),
                           ("chunked", "IncompleteRead"), ("gone", "404"),
                           ("other", "no graph other")):
            with self.subTest(name):
                run = self.run_script(name)
                self.assertEqual(run.returncode, 1)
                self.assertIn(says, run.stderr)
                self.assertNotIn("Traceback", run.stderr)
                self.assertEqual(list(self.directory.glob("out/*.gz")), [])
        self.assertTrue((self.directory / "out/edges.short.txt.gz.part").exists())


if __name__ == "__main__":
    unittest.main()
