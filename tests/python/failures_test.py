# SPDX-License-Identifier: MIT
"""Interruptions, kills, full disks and little memory: the right exception, no file and no process left."""
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import types
import unittest
import unittest.mock

import numpy as np
from support import Case, emgraph, main, random_edges


def endless(edges, started):
    """A stream of edges that never ends; `started` is called after the first of them."""
    import itertools

    from emgraph._rows import Table

    def batches():
        for number in itertools.count():
            if number == 5:
                started()
            yield edges[:, 0], edges[:, 1]

    kind = np.dtype(np.uint32)
    return Table(("source", "target"), batches, [kind, kind], largest=1000)


class Failures(Case):
    def setUp(self):
        super().setUp()
        self.edges = random_edges()
        # Jobs in the background of a shell start with SIGINT ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def run_endless(self, action, **more):
        """Runs sort on a stream without end; `action` gets the id of the program once it reads."""
        import emgraph._call

        table = endless(self.edges, lambda: action(int(self.children()[0])))
        resolve, emgraph._call.resolve = emgraph._call.resolve, lambda *_: table
        try:
            return emgraph.sort("the stream", **more)
        finally:
            emgraph._call.resolve = resolve

    def test_ctrl_c(self):
        with self.assertRaises(KeyboardInterrupt):
            self.run_endless(lambda _: os.kill(os.getpid(), signal.SIGINT), output="sorted.emg")
        self.assertEqual(os.listdir("."), [])

    def test_an_exception_of_the_stream_or_of_the_progress(self):
        def fail(_):
            raise ZeroDivisionError

        with self.assertRaises(ZeroDivisionError):
            self.run_endless(fail, output="sorted.emg")
        self.assertEqual(os.listdir("."), [])
        with self.assertRaises(ZeroDivisionError):
            emgraph.cc("gen:random,edges=1M", progress=lambda *_: fail(_))

    def test_signals_that_the_caller_ignores_or_dies_of(self):
        before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        try:
            with self.assertRaisesRegex(emgraph.EnvironmentError, "SIGCHLD is ignored here"):
                emgraph.check_cc([(0, 1)], np.zeros(2, np.uint32))
        finally:
            signal.signal(signal.SIGCHLD, before)
        before = signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        try:
            with self.assertRaises(emgraph.EnvironmentError):
                emgraph.cc(np.zeros((10**6, 2), int), memory="1M")
        finally:
            signal.signal(signal.SIGPIPE, before)
        self.assertEqual(os.listdir("."), [])

    def test_killed_child(self):
        for number, words in ((signal.SIGKILL, "signal 9"), (signal.SIGTERM, "signal 15")):
            with self.subTest(words), self.assertRaises(emgraph.EnvironmentError) as caught:
                self.run_endless(lambda child, n=number: os.kill(child, n))
            self.assertIn(words, str(caught.exception))
            self.assertIsNone(caught.exception.exit_code)

    def test_killed_interpreter(self):
        self.kill_interpreter('emgraph.sort("-", input_format="u32")')

    def test_killed_interpreter_that_gave_arrays(self):
        self.kill_interpreter('emgraph.pagerank("-", input_format="u32", sources=[1, 2, 3])')
        self.kill_interpreter('emgraph.cc("-", input_format="text", labels=True, nodes_in=["a", "b"])')

    def kill_interpreter(self, call):
        """Kills an interpreter in a `call` that waits for its input, once the program handles signals: nothing is left."""
        script = """
import sys, threading, emgraph
reading, writing = __import__("os").pipe()
__import__("os").dup2(reading, 0)
def tell():
    import os, time
    while True:
        children = open(f"/proc/self/task/{os.getpid()}/children").read().split()
        if children and any(l.startswith("SigCgt") and int(l.split()[1], 16) & 0x4002 == 0x4002
                            for l in open(f"/proc/{children[0]}/status")):
            print(children[0], flush=True)
            return
        time.sleep(0.01)
threading.Thread(target=tell, daemon=True).start()
""" + call
        with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, env=self.environment()) as interpreter:
            child = int(interpreter.stdout.readline())
            interpreter.kill()
        deadline = time.monotonic() + 60
        while self.alive(child) or os.listdir(self.temporary):
            self.assertLess(time.monotonic(), deadline, os.listdir(self.temporary))
            time.sleep(0.01)

    @staticmethod
    def alive(process):
        try:
            with open(f"/proc/{process}/status", encoding="ascii") as status:
                return "\nState:\tZ" not in status.read()
        except (FileNotFoundError, ProcessLookupError):
            return False

    def limited(self, script):
        """Runs `script` where no file may grow beyond 64 KiB."""
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))

        return subprocess.run([sys.executable, "-c", "import emgraph\n" + script], env=self.environment(), preexec_fn=limit,
                              capture_output=True, text=True, check=False)

    def test_full_disk(self):
        done = self.limited("""
try:
    emgraph.gen(edges="1M", output="g.emg")
except emgraph.EnvironmentError as error:
    print(error.exit_code, error)
""")
        self.assertTrue(done.stdout.startswith("4 emgraph gen: g.emg"), done)
        self.assertEqual(os.listdir("."), [])

    def test_what_the_package_itself_cannot_write(self):
        for call, words in (("emgraph.check_cc([(0, 1)], [0] * 100000)", "cannot write the array result: File too large"),
                            ("emgraph.cc(([1], [2]), relabel=True, nodes_in=list(range(100000)))",
                             "cannot write the list nodes_in: File too large"),
                            ("edges.source", "cannot write the rows of the edges: File too large")):
            done = self.limited(f"""
import numpy
edges = object.__new__(emgraph.Edges)
edges.dtype = numpy.dtype([("source", "u4"), ("target", "u4")])
edges._rows, edges._index, edges._count = None, [0, 1], 200000
edges.blocks = lambda: [numpy.zeros(100000, edges.dtype)] * 2
try:
    {call}
except emgraph.EnvironmentError as error:
    print(error)
""")
            with self.subTest(words):
                self.assertIn(words, done.stdout, done)

    def test_closed_standard_streams(self):
        script = """
import os, emgraph
edges = emgraph.gen(edges=100, nodes=50).edges
with open("found", "w") as file:
    file.write(str(emgraph.cc(edges).summary["edges"]))
"""
        subprocess.run(["sh", "-c", 'exec "$0" -c "$1" <&- >&-', sys.executable, script], env=self.environment(), timeout=60,
                       check=True)
        with open("found", encoding="ascii") as file:
            self.assertEqual(file.read(), "100")

    @unittest.skipIf(os.geteuid() != 0, "SKIPPED: only root may mount a tmpfs")
    def test_full_temporary_directory(self):
        small = os.path.join(self.home, "small")
        os.mkdir(small)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1M", "none", small], capture_output=True, check=False).returncode:
            self.skipTest("SKIPPED: no tmpfs can be mounted")
        try:
            os.environ["TMPDIR"] = tempfile.tempdir = small
            with self.assertRaises(emgraph.EnvironmentError):
                emgraph.gen(edges="1M")
            self.assertEqual(os.listdir(small), [])
        finally:
            os.environ["TMPDIR"] = tempfile.tempdir = self.temporary
            subprocess.run(["umount", small], check=True)

    def test_little_memory(self):
        with self.assertRaises(emgraph.EnvironmentError) as caught:
            emgraph.cc(self.edges, memory="1M")
        self.assertEqual((caught.exception.exit_code, caught.exception.least_memory), (4, 16 << 20))
        self.assertEqual(caught.exception.command[:2], ["emgraph", "cc"])
        big = emgraph.gen(edges="1M", nodes="2M")
        forest = emgraph.mst(big, weights="unit")
        with self.assertRaises(emgraph.EnvironmentError) as caught:
            emgraph.check_mst(big, forest, weights="unit", memory="16M")
        least = caught.exception.least_memory  # up to the point where it failed
        self.assertGreater(least, 16 << 20)
        self.assertTrue(emgraph.check_mst(big, forest, weights="unit", memory=4 * least))
        self.assertIsNone(emgraph.EnvironmentError("disk full").least_memory)

    def test_bad_data_and_usage(self):
        with open("bad.txt", "w", encoding="ascii") as file:
            file.write("0 1\n2 x\n")
        with self.assertRaises(emgraph.DataError) as caught:
            emgraph.cc("bad.txt", output="o.npy")
        self.assertEqual(caught.exception.exit_code, 3)
        self.assertIn("line 2", str(caught.exception))
        with self.assertRaisesRegex(ValueError, "--model"):
            emgraph.cc(self.edges, model="none")
        self.assertEqual(os.listdir("."), ["bad.txt"])

    def test_rare_exit_codes(self):
        for code, kind in ((70, emgraph.InternalError), (75, emgraph.Stopped)):
            with open("faulty", "w", encoding="ascii") as file:
                file.write(f"#!/bin/sh\necho something happened >&2\nexit {code}\n")
            os.chmod("faulty", 0o755)
            os.environ["EMGRAPH_PROGRAM"] = os.path.abspath("faulty")
            try:
                with self.assertRaisesRegex(kind, "something happened"):
                    emgraph.cc(self.edges)
            finally:
                del os.environ["EMGRAPH_PROGRAM"]

    def test_a_program_below_another_parent(self):
        with open("wrapper", "w", encoding="ascii") as file:
            file.write(f'#!/bin/sh\n"{emgraph.program()}" "$@" 2>&-\nexit $?\n')
        os.chmod("wrapper", 0o755)
        os.environ["EMGRAPH_PROGRAM"] = os.path.abspath("wrapper")
        try:
            with self.assertRaisesRegex(emgraph.EnvironmentError, "wrapper must be the program itself, or a script that ends with exec"):
                emgraph.cc(self.edges)
        finally:
            del os.environ["EMGRAPH_PROGRAM"]

    def test_what_cannot_run(self):
        for name, kind, words in (("EMGRAPH_PROGRAM", emgraph.EnvironmentError, "plain: cannot run: Permission denied"),
                                  ("TMPDIR", emgraph.EnvironmentError, "gone: cannot create files there: No such file")):
            before = os.environ.get(name)
            os.environ[name] = os.path.abspath("plain" if name == "EMGRAPH_PROGRAM" else "gone")
            if name == "TMPDIR":
                tempfile.tempdir = os.environ[name]
            with open("plain", "w", encoding="ascii"):
                pass
            try:
                with self.assertRaisesRegex(kind, words):
                    emgraph.cc(self.edges)
            finally:
                tempfile.tempdir = self.temporary
                if before is None:
                    del os.environ[name]
                else:
                    os.environ[name] = before

    def test_results_outlive_their_names(self):
        result = emgraph.cc(self.edges)
        self.assertEqual(os.listdir(self.temporary), [])
        self.assertEqual(int(result.labels[0]), 0)

    def test_calls_in_several_threads(self):
        found = {}
        threads = [threading.Thread(target=lambda i=i: found.setdefault(i, emgraph.cc(self.edges, threads=1).labels))
                   for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for labels in found.values():
            self.assertSame(labels, found[0])
        self.assertEqual(len(found), 4)

    def test_progress(self):
        seen = []
        emgraph.cc("gen:random,edges=1M", progress=lambda phase, share: seen.append((phase, share)))
        self.assertIn(("unite", 1.0), seen)
        self.assertTrue(all(share is None or 0 <= share <= 1 for _, share in seen))

    def test_progress_as_a_bar(self):
        bars = []

        class Bar:
            def __init__(self, total, desc, **_):
                self.total, self.desc, self.n, self.closed = total, desc, 0, False
                bars.append(self)

            def update(self, more):
                self.n += more

            def close(self):
                self.closed = True

        with unittest.mock.patch.dict(sys.modules, {"tqdm": types.ModuleType("tqdm"), "tqdm.auto": types.SimpleNamespace(tqdm=Bar)}):
            emgraph.cc("gen:random,edges=1M", progress=True)
        self.assertIn("unite", [bar.desc for bar in bars])
        for bar in bars:
            self.assertTrue(bar.closed, bar.desc)
            self.assertIn(bar.total, (bar.n, None), bar.desc)
        with unittest.mock.patch.dict(sys.modules, {"tqdm": None, "tqdm.auto": None}):
            with self.assertWarnsRegex(emgraph.EmgraphWarning, "needs tqdm"):
                self.assertEqual(emgraph.cc("gen:random,edges=100", progress=True).summary["edges"], 100)


if __name__ == "__main__":
    main()
