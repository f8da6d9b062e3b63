# SPDX-License-Identifier: MIT
"""python -m emgraph reads and writes Parquet files."""
import json
import os
import signal
import subprocess
import sys
import tempfile

import numpy as np
from support import Case, emgraph, main, needs, random_edges


# Starts an interpreter for a line of arguments in no time: it has imported what they need.
SERVER = """
import json, os, sys, traceback
import emgraph.__main__ as command
import pyarrow.parquet
for request in sys.stdin:
    arguments, directory, environment, out, error = json.loads(request)
    child = os.fork()
    if child == 0:
        code = 70
        try:
            os.chdir(directory)
            os.environ.clear()
            os.environ.update(environment)
            for number, path, flags in (0, os.devnull, os.O_RDONLY), (1, out, os.O_WRONLY), (2, error, os.O_WRONLY):
                opened = os.open(path, flags)
                os.dup2(opened, number)
                os.close(opened)
            sys.argv = [command.__file__, *arguments]
            code = command.main()
            sys.stdout.flush()
        except BaseException:
            traceback.print_exc()
        sys.stderr.flush()
        os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@needs("pyarrow")
class ParquetCommandLine(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = subprocess.Popen([sys.executable, "-c", SERVER], env=cls.environment(), text=True,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        cls.addClassCleanup(cls.server.__exit__, None, None, None)

    @classmethod
    def children(cls):
        return [child for child in super().children() if int(child) != cls.server.pid]

    def module(self, *arguments, code=0):
        """What python -m emgraph does, by main() in a fork of the server."""
        with tempfile.NamedTemporaryFile("r+", dir=self.home) as out, tempfile.NamedTemporaryFile("r+", dir=self.home) as error:
            json.dump([arguments, os.getcwd(), self.environment(), out.name, error.name], self.server.stdin)
            print(file=self.server.stdin, flush=True)
            done = subprocess.CompletedProcess(arguments, int(self.server.stdout.readline()), out.read(), error.read())
        self.assertEqual(done.returncode, code, done)
        return done

    def test_it_starts_as_a_module(self):
        self.small()
        for more in ([], ["-o", "labels.parquet", "--json"]):
            self.assertIn("components", super().module("cc", "numbers.parquet", *more).stdout)
        self.assertIn("exists already", super().module("cc", "numbers.parquet", "-o", "labels.parquet", code=2).stderr)

    def test_parquet_in_and_out(self):
        import pyarrow
        from pyarrow import parquet

        edges = random_edges()
        parquet.write_table(pyarrow.table({"x": [0] * 3000, "src": edges[:, 0], "dst": edges[:, 1]}), "edges.parquet")
        labels = emgraph.cc(edges).labels
        done = self.module("cc", "edges.parquet", "-o", "labels.parquet")
        self.assertIn("components", done.stdout)
        table = parquet.read_table("labels.parquet")
        self.assertEqual(table.column_names, ["node", "label"])
        np.testing.assert_array_equal(table["label"].to_numpy(), labels)
        self.assertIn("exists already", self.module("cc", "edges.parquet", "-o", "labels.parquet", code=2).stderr)
        done = self.module("cc", "edges.parquet", "--cols", "dst,src", "-fo", "labels.parquet", "--json")
        self.assertEqual(json.loads(done.stdout)["output"], "labels.parquet")
        self.module("cc", "edges.parquet", "--cols=2,3", "-q", "-o", "labels.npy", "-M64M")
        self.assertSame(np.load("labels.npy"), labels)
        os.mkdir("parts")
        for number in range(2):
            os.link("edges.parquet", f"parts/{number}.parquet")
        done = self.module("cc", "parts/*", "--cols", "dst,src", "--json")
        self.assertEqual(json.loads(done.stdout)["edges"], 6000)
        edges.tofile("e.u32")
        self.module("sort", "-u", "e.u32", "-o", "sorted.parquet")
        self.assertEqual(parquet.read_table("sorted.parquet").num_rows, len(np.unique(edges, axis=0)))
        self.module("bfs", "edges.parquet", "--root=3", "--parents", "parents.parquet", "-o", "levels.parquet")
        self.assertEqual(parquet.read_table("parents.parquet").column_names, ["node", "parent"])
        self.module("check", "cc", "edges.parquet", "labels.npy")
        np.save("wrong.npy", np.zeros_like(labels) + 1)
        self.module("check", "cc", "edges.parquet", "wrong.npy", code=1)

    def small(self):
        """Parquet files with a path of three nodes: numbers, names, weights."""
        import pyarrow
        from pyarrow import parquet

        parquet.write_table(pyarrow.table({"src": [0, 1], "dst": [1, 2]}), "numbers.parquet")
        parquet.write_table(pyarrow.table({"src": ["a", "b"], "dst": ["b", "c"]}), "names.parquet")
        parquet.write_table(pyarrow.table({"src": [0, 1], "dst": [1, 2], "weight": [5, 7]}), "weights.parquet")
        return parquet.read_table

    def test_the_program_prints_what_it_prints(self):
        self.small()
        self.assertEqual(self.module("cat", "numbers.parquet").stdout, "0\t1\n1\t2\n")
        self.assertEqual(self.module("cat", "numbers.parquet", "--head", "1").stdout, "0\t1\n")
        self.assertEqual(self.module("cat", "numbers.parquet", "-o", "-").stdout, "0\t1\n1\t2\n")
        done = self.module("cat", "names.parquet", code=2)
        self.assertEqual(done.stderr, "emgraph cat: source and target are text; cat reads no names, only numbers\n")
        self.assertIn("0\t2\t12\n", self.module("sssp", "weights.parquet", "--root", "0", "--to", "2").stdout)
        self.assertIn("0\t2\t2\n", self.module("sssp", "weights.parquet", "--root=0", "--to=2", "--weights=unit").stdout)
        self.assertEqual(json.loads(self.module("cc", "names.parquet", "--json").stdout)["components"], 1)
        self.assertEqual(json.loads(self.module("cc", "weights.parquet", "--min-weight=6", "--json").stdout)["components"], 2)
        self.assertEqual(self.module("cc", "numbers.parquet", "-q").stdout, "")
        self.module("cc", "names.parquet", "-q", "-o", "labels.tsv")
        with open("labels.tsv", encoding="utf-8") as file:
            self.assertEqual(file.read(), "a\ta\nb\ta\nc\ta\n")

    def test_every_output_as_parquet(self):
        read = self.small()
        self.module("cc", "numbers.parquet", "-q", "--sizes", "s.parquet", "--groups", "g.parquet", "--forest", "f.parquet")
        self.assertEqual(read("s.parquet").to_pydict(), {"component": [0], "size": [3]})
        self.assertEqual(read("g.parquet").to_pydict(), {"component": [0, 0, 0], "node": [0, 1, 2]})
        self.assertEqual(read("f.parquet").num_rows, 2)
        self.module("bfs", "names.parquet", "-q", "--root", "a", "--root", "c", "-o", "r{root}.parquet")
        self.assertEqual(read("rc.parquet").to_pydict(), {"node": ["a", "b", "c"], "level": [2, 1, 0]})
        self.module("bfs", "numbers.parquet", "-q", "--root", "2", "-o", "r{root}.parquet")
        self.assertEqual(read("r2.parquet")["level"].to_pylist(), [2, 1, 0])
        self.module("sssp", "weights.parquet", "-q", "--root", "0", "--to", "2", "-o", "pairs.parquet")
        self.assertEqual(read("pairs.parquet").to_pydict(), {"source": [0], "target": [2], "distance": [12]})

    def test_usage_that_is_refused_before_the_run(self):
        self.small()
        os.mkdir("folder.parquet")
        with open("numbers.parquet", "rb") as file:
            before = file.read()
        for line, code, words in (
            ("sort numbers.parquet -f -o numbers.parquet", 2, "numbers.parquet: the output is the input"),
            ("cc numbers.parquet -o none/labels.parquet", 4, "none/labels.parquet: cannot create in this directory: No such file"),
            ("cc numbers.parquet -o folder.parquet", 2, "folder.parquet: the output is a directory"),
            ("bfs numbers.parquet --root 0 --root 1 -o r.parquet", 2, "r.parquet: several roots need a name with {root} in it"),
            ("cat numbers.parquet -o text.parquet", 2, "text.parquet: --output is text, which is not written as Parquet"),
            ("plan cc numbers.parquet", 2, "numbers.parquet: plan reads no Parquet files"),
            ("cc numbers.parquet --input-format text", 2, "input_format: it says how to read a file"),
            ("check cc numbers.parquet names.parquet", 2, "result: found the Parquet file names.parquet, expected .npy"),
            ("cc missing.parquet", 4, "missing.parquet: cannot open: No such file"),
            ("bfs numbers.parquet --root 0 -o s.parquet --parents ./s.parquet", 2, "--output and --parents both go to ./s.parquet"),
            ("bfs numbers.parquet --root 0 -o s.parquet --parents weights.parquet", 2, "weights.parquet: exists already"),
            ("cc numbers.parquet -o /dev/s.parquet", 2, "/dev/s.parquet: the output is a device or a pipe"),
            ("cc numbers.parquet --cols 0,1", 2, "--cols 0,1: numbers.parquet has no column 0; its columns: src, dst"),
            ("cc numbers.parquet --cols src", 2, "--cols src: give the names of source, target"),
            ("cc numbers.parquet -o s.parquet --output-format nonsense", 2, "--output-format: it says how other files are written"),
            ("mst numbers.parquet -o s.parquet --codec delta", 2, "--codec: it says how other files are written, and s.parquet is"),
            ("cc numbers.parquet --relabel=perhaps", 2, "Could not convert: --relabel = perhaps; see `emgraph cc --help`"),
            ("cc numbers.parquet --relabel=", 2, "--relabel: the value is empty"),
            ("cc numbers.parquet -j 1 -M 64M -j 2", 2, "--threads is given 2 times, and takes one value"),
            ("cc numbers.parquet -o weights.parquet --force=false", 2, "weights.parquet: exists already"),
            ("cc numbers.parquet -o weights.parquet -f --force=no", 2, "weights.parquet: exists already"),
            ("cc numbers.parquet -o s.parquet --sizes -", 2, "--sizes -: with Parquet outputs standard output has the summary"),
        ):
            with self.subTest(line):
                done = self.module(*line.split(), code=code)
                self.assertIn(f"emgraph {'check cc' if 'check' in line else line.split()[0]}: {words}", done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1)
        with open("numbers.parquet", "rb") as file:
            self.assertEqual(file.read(), before)
        self.assertEqual(sorted(os.listdir(".")), ["folder.parquet", "names.parquet", "numbers.parquet", "weights.parquet"])

    def test_values_of_flags(self):
        import pyarrow
        from pyarrow import parquet

        parquet.write_table(pyarrow.table({"src": [7, 8], "dst": [8, 9]}), "edges.parquet")
        for value, nodes in (("=false", 10), ("=0", 10), ("=true", 3), ("", 3), ("=yes", 3)):
            done = self.module("cc", "edges.parquet", f"--relabel{value}", "--json", "--quiet=false")
            self.assertEqual(json.loads(done.stdout)["nodes"], nodes, value)
        for verbose, lines in (("-v", 1), ("--verbose=2", 1), ("--verbose=false", 0)):
            done = self.module("cc", "edges.parquet", verbose, "--json=false", "-qo", "labels.parquet", "-f", "-T.", "-T.")
            self.assertEqual((done.stdout, bool(done.stderr)), ("", bool(lines)), verbose)

    def test_the_summary_names_the_input(self):
        self.small()
        os.mkdir("folder")
        os.link("numbers.parquet", "folder/part.parquet")
        for names in (["numbers.parquet"], ["./numbers.parquet", "folder"], ["folder/*"]):
            for more in ([], ["-f", "-o", "labels.parquet"]):
                done = self.module("cc", *names, "--json", *more)
                self.assertEqual(json.loads(done.stdout)["input"], ", ".join(names))
        self.assertEqual(emgraph.cc("numbers.parquet").summary["input"], "numbers.parquet")
        np.save("wrong.npy", np.ones(3, np.uint32))
        self.assertFalse(json.loads(self.module("check", "cc", "numbers.parquet", "wrong.npy", "--json", code=1).stdout)["ok"])
        for place in ("-", "/dev/stdout"):  # the summary goes beside the result
            done = self.module("cc", "numbers.parquet", "--output-format=tsv", "-o", place, "--json")
            self.assertEqual((done.stdout, json.loads(done.stderr)["components"]), ("0\t0\n1\t0\n2\t0\n", 1))

    def test_standard_output_that_nobody_reads(self):
        self.small()
        for more in ([], ["--json"], ["-o", "labels.parquet"], ["-o", "levels.parquet", "--json"]):
            reading, writing = os.pipe()
            os.close(reading)
            done = subprocess.run([sys.executable, "-m", "emgraph", "cc", "numbers.parquet", *more], env=self.environment(),
                                  stdout=writing, stderr=subprocess.PIPE, check=False)
            os.close(writing)
            self.assertEqual((done.returncode, done.stderr), (0, b""), more)
        self.assertTrue(os.path.exists("labels.parquet") and os.path.exists("levels.parquet"))
        with open("/dev/full", "wb") as full:
            done = subprocess.run([sys.executable, "-m", "emgraph", "cc", "numbers.parquet", "--json"], env=self.environment(),
                                  stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual((done.returncode, done.stderr), (4, b"emgraph cc: standard output: cannot write: No space left on device\n"))

    def test_other_outputs_beside_parquet(self):
        self.small()
        done = self.module("bfs", "numbers.parquet", "--root=0", "--root=2", "-o", "l{root}.parquet", "--parents=p{root}.npy", "-q")
        self.assertEqual(done.stdout, "")
        levels = emgraph.bfs("numbers.parquet", root=[0, 2], parents=True)
        for root in (0, 2):
            self.assertSame(np.load(f"p{root}.npy"), levels.parents[root])
        done = self.module("sort", "numbers.parquet", "--relabel", "--map=m.npy", "-o", "s.parquet", "--json")
        self.assertEqual([json.loads(done.stdout)[key] for key in ("map", "output")], ["m.npy", "s.parquet"])
        with open("latin.txt", "wb") as file:
            file.write(b"\xe9 b\nb c\n")
        before = sorted(os.listdir("."))
        done = self.module("bfs", "latin.txt", "--labels", "--root=b", "-o", "x.parquet", "--parents=x.npy", code=3)
        self.assertIn("emgraph bfs: the node's name", done.stderr)
        self.assertEqual(sorted(os.listdir(".")), before)

    def test_signals(self):
        self.small()
        before = sorted(os.listdir("."))
        for number, place in ((signal.SIGTERM, "write_batches"), (signal.SIGHUP, "write_batches"), (signal.SIGINT, "write_batches"),
                              (signal.SIGTERM, "_run"), (signal.SIGHUP, "Call")):
            script = f"""
import os, signal, sys
import emgraph.__main__ as command
def kill(*_):
    os.kill(os.getpid(), {int(number)})
command.{place} = kill
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.argv = ["emgraph", "bfs", "numbers.parquet", "--root=0", "-o", "x.parquet", "--parents", "p.npy"]
sys.exit(command.main())
"""
            with self.subTest(number=number, place=place):
                done = subprocess.run([sys.executable, "-c", script], env=self.environment(), capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (-number, "", ""))
                self.assertEqual(sorted(os.listdir(".")), before)

    def test_signals_whose_exception_is_swallowed(self):
        self.small()
        before = sorted(os.listdir("."))
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            for place in ("emgraph._arrow._refuse_nulls", "command.write_batches"):
                script = f"""
import os, signal, sys
import emgraph.__main__ as command
import emgraph._arrow
original = {place}
def swallow(*arguments):
    try:
        os.kill(os.getpid(), {int(number)})
    except BaseException:
        pass
    return original(*arguments)
{place} = swallow
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.argv = ["emgraph", "bfs", "numbers.parquet", "--root=0", "-o", "x.parquet"]
sys.exit(command.main())
"""
                with self.subTest(number=number, place=place):
                    done = subprocess.run([sys.executable, "-c", script], env=self.environment(), capture_output=True, check=False)
                    self.assertEqual((done.returncode, done.stdout), (-number, b""))  # the program may say that it was ended
                    self.assertEqual(sorted(os.listdir(".")), before)

    def test_roots_in_a_file_of_queries(self):
        read = self.small()
        with open("q.ss", "w", encoding="ascii") as file:
            file.write("p aux sp ss 2\ns 1\ns 3\n")
        line = ["sssp", "weights.parquet", "-q", "--queries", "q.ss", "-o", "d-{root}.parquet", "--parents", "p-{root}.npy"]
        self.module(*line)
        self.assertEqual(read("d-0.parquet")["distance"].to_pylist(), [0, 5, 12])
        self.assertEqual(read("d-2.parquet")["distance"].to_pylist(), [12, 7, 0])
        self.assertEqual([np.load(f"p-{root}.npy").tolist() for root in (0, 2)], [[0, 0, 1], [1, 2, 2]])
        os.remove("d-0.parquet")
        self.assertIn("d-2.parquet: exists already; use -f", self.module(*line, code=2).stderr)
        self.assertFalse(os.path.exists("d-0.parquet"))
        self.module(*line, "-f")

    def test_faults_of_the_package(self):
        self.small()
        script = """
import sys, emgraph.__main__ as command
command._run = lambda *_: 1 // 0
sys.argv = ["emgraph", "cc", "numbers.parquet"]
sys.exit(command.main())
"""
        done = subprocess.run([sys.executable, "-c", script], env=self.environment(), capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 70)
        self.assertIn("emgraph: internal error: ZeroDivisionError: ", done.stderr)

    def test_errors(self):
        import pyarrow
        from pyarrow import parquet

        parquet.write_table(pyarrow.table({"a": [1, None], "b": [1, 2]}), "bad.parquet")
        self.assertIn("emgraph cc: bad.parquet: column 'a', row 1: null", self.module("cc", "bad.parquet", code=3).stderr)
        parquet.write_table(pyarrow.table({"a": [1, 3], "b": [1, 2]}), "good.parquet")
        self.assertIn("least", self.module("cc", "good.parquet", "-M", "1M", code=4).stderr)
        self.assertIn("unknown option", self.module("cc", "bad.parquet", "--nothing", code=2).stderr)
        self.module("cc", "missing.parquet", code=4)
        self.assertEqual(sorted(os.listdir(".")), ["bad.parquet", "good.parquet"])


if __name__ == "__main__":
    main()
