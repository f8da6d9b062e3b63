# SPDX-License-Identifier: MIT
"""What the tests of the Python package share: a temporary directory that must be empty at the end, and the program."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings

# The disks that a developer has configured are not for tests.
os.environ.pop("EMGRAPH_DISKS", None)
os.environ["XDG_CONFIG_HOME"] = "/nonexistent"
sys.dont_write_bytecode = True

import emgraph  # noqa: E402
import numpy as np  # noqa: E402


def needs(*modules):
    """Skips a test, visibly, without these modules."""
    missing = []
    for module in modules:
        try:
            __import__(module)
        except ImportError:
            missing.append(module)
    return unittest.skipIf(missing, f"SKIPPED: needs {', '.join(missing)}")


class Case(unittest.TestCase):
    """A test in a directory of its own, with a $TMPDIR of its own in which nothing may be left."""

    def setUp(self):
        self.before = os.getcwd()
        self.home = tempfile.mkdtemp(prefix="emgraph-python-test-", dir=os.environ.get("TMPDIR"))
        self.temporary = os.path.join(self.home, "tmp")
        self.work = os.path.join(self.home, "work")
        os.mkdir(self.temporary)
        os.mkdir(self.work)
        os.chdir(self.work)
        self.old_tmpdir = os.environ.get("TMPDIR")
        os.environ["TMPDIR"] = tempfile.tempdir = self.temporary
        warnings.simplefilter("error", emgraph.EmgraphWarning)

    def tearDown(self):
        left = os.listdir(self.temporary)
        os.chdir(self.before)
        if self.old_tmpdir is None:
            del os.environ["TMPDIR"]
        else:
            os.environ["TMPDIR"] = self.old_tmpdir
        tempfile.tempdir = None
        shutil.rmtree(self.home)
        self.assertEqual(left, [], "files left in $TMPDIR")
        self.assertEqual(self.children(), [], "processes left")

    @staticmethod
    def children():
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
            return file.read().split()

    def program(self, *arguments, code=0, data=None):
        """Runs the program itself; its standard output."""
        done = subprocess.run([emgraph.program(), *arguments], input=data, capture_output=True, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout

    @staticmethod
    def environment():
        """The environment of an interpreter that imports the package under test."""
        return dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(emgraph.__file__)), PYTHONDONTWRITEBYTECODE="1")

    def module(self, *arguments, code=0):
        """Runs python -m emgraph."""
        done = subprocess.run([sys.executable, "-m", "emgraph", *arguments], env=self.environment(), capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, code, done)
        return done

    def assertSame(self, array, other):
        """Equal in type, shape and every value."""
        array, other = np.asarray(array), np.asarray(other)
        self.assertEqual((array.dtype, array.shape), (other.dtype, other.shape))
        np.testing.assert_array_equal(array, other)


class TableCase(Case):
    """A test of tables: random edges with weights in a table of pyarrow, and their components."""

    def setUp(self):
        super().setUp()
        import pyarrow
        import pyarrow.parquet

        self.pa, self.parquet = pyarrow, pyarrow.parquet
        self.edges = random_edges()
        self.weights = np.random.default_rng(3).random(3000)
        self.labels = emgraph.cc(self.edges).labels
        self.table = pyarrow.table({"when": pyarrow.array([1.5] * 3000), "src": self.edges[:, 0].astype(np.int64),
                                    "dst": self.edges[:, 1].astype(np.int64), "w": self.weights})

    def same(self, graph, **more):
        np.testing.assert_array_equal(emgraph.cc(graph, **more).labels, self.labels)


def random_edges(edges=3000, nodes=400, seed=1):
    return np.random.default_rng(seed).integers(0, nodes, (edges, 2), dtype=np.uint32)


def main():
    """Runs the tests of the calling file. One that is all skipped says SKIPPED, which ctest looks for."""
    result = unittest.main(exit=False, verbosity=1).result
    for test, reason in result.skipped:
        # ctest would take what failed for skipped.
        print(f"{reason if result.wasSuccessful() else 'skipped'} ({test.id()})", file=sys.stderr)
    sys.exit(0 if result.wasSuccessful() else 1)
