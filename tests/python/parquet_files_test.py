# SPDX-License-Identifier: MIT
"""Parquet files, directories and patterns give the answers of the same edges in a table."""
import errno
import os
import re
import subprocess
import sys
import unittest
import warnings
from unittest import mock

import numpy as np
from support import TableCase, emgraph, main, needs


class NoBatches:
    """A reader that fails."""

    def __init__(self, schema):
        self.schema = schema

    def __iter__(self):
        return iter([1 // 0])


@needs("pyarrow")
class ParquetFiles(TableCase):
    def test_places_in_parquet_files(self):
        table = self.pa.table
        good = {"a": [1, 2, 3], "b": [4, 5, 6], "w": [1.0, 2.0, 3.0]}
        for number, (bad, words) in enumerate((
            ({"a": [1, 2], "b": [4, -5], "w": [1.0, 2.0]}, "column 'b', row 1: -5 is negative"),
            ({"a": [1, None], "b": [4, 5], "w": [1.0, 2.0]}, "column 'a', row 1: null"),
            ({"a": [1, 1], "b": [4, 5], "w": [1.0, None]}, "column 'w', row 1: null where a weight"),
            ({"a": [1.5, 1], "b": [4, 5], "w": [1.0, 2.0]}, "column 'a', row 0: 1.5 is a floating-point number"),
            ({"a": [1, 2], "b": [4, 5], "w": [1.0, np.nan]}, "row 1 .2, 5.: weight NaN found"),
        )):
            with self.subTest(words):
                os.mkdir(str(number))
                self.parquet.write_table(table(good), f"{number}/0.parquet")
                self.parquet.write_table(table(bad), f"{number}/1.parquet")
                with self.assertRaisesRegex(emgraph.DataError, f"{number}/1.parquet: {words}"):
                    emgraph.mst(str(number))
        self.parquet.write_table(table({"a": ["x", "y"], "b": ["y", ""]}), "names.parquet")
        with self.assertRaisesRegex(emgraph.DataError, "names.parquet: row 1: found nothing in column 2, expected a label"):
            emgraph.cc("names.parquet")
        # The first file has narrow ids; without statistics only the types tell the width.
        for number, kind in enumerate((self.pa.int32(), self.pa.int64())):
            ids = self.pa.array([2 ** (31 * number + 5)], kind)
            self.parquet.write_table(table({"src": ids, "dst": ids}), f"{number}.parquet", write_statistics=False)
        self.assertEqual(emgraph.cc(["0.parquet", "1.parquet"], relabel=True).ids.tolist(), [32, 2**36])
        others = (self.pa.array(["x"]), self.pa.array([True]), self.pa.array([1], self.pa.timestamp("ms")))
        for other in others:
            self.parquet.write_table(self.pa.table({"src": other, "dst": other}), "1.parquet")
            words = f"1.parquet: column 'src' is of type {re.escape(str(other.type))}, in 0.parquet of type int32"
            with self.subTest(words), self.assertRaisesRegex(emgraph.DataError, words):
                emgraph.cc(["0.parquet", "1.parquet"])

    def test_missing_files(self):
        os.mkdir("empty")
        os.mkdir("other")
        with open("other/part-0", "w", encoding="ascii"):
            pass
        for graph, kind, words in (
            ("missing.parquet", emgraph.EnvironmentError, "missing.parquet: cannot open: No such file"),
            ("missing*.parquet", emgraph.EnvironmentError, "no file matches"),
            ("empty", emgraph.DataError, "empty: found no file there, expected Parquet files"),
            ("other", emgraph.DataError, "other: found part-0 there, expected Parquet files"),
        ):
            with self.subTest(words), self.assertRaisesRegex(kind, words):
                emgraph.cc(graph)

    def test_parquet(self):
        os.mkdir("parts")
        os.mkdir("parts/_notes")
        self.parquet.write_table(self.table.slice(0, 1000), "parts/a.parquet", row_group_size=300)
        self.parquet.write_table(self.table.slice(1000), "parts/b.parquet", compression="zstd", write_statistics=False)
        self.parquet.write_table(self.table, "parts/_notes/c.parquet")
        self.parquet.write_table(self.table, "named-otherwise")
        for graph in ("parts", "parts/*.parquet", ["parts/a.parquet", "parts/b.parquet"], "named-otherwise"):
            self.same(graph)
        forest = emgraph.mst("parts").edges
        self.assertSame(forest.to_numpy(), emgraph.mst((self.edges[:, 0], self.edges[:, 1], self.weights)).edges.to_numpy())
        with self.assertRaisesRegex(emgraph.UsageError, "no column 'x'; its columns: when, src, dst, w"):
            emgraph.cc("parts", columns=("src", "x"))
        with open("cut.parquet", "wb") as cut, open("named-otherwise", "rb") as whole:
            cut.write(whole.read(1000))
        with self.assertRaisesRegex(emgraph.DataError, "cut.parquet"):
            emgraph.cc("cut.parquet")

    def test_files_of_a_directory(self):
        write = self.parquet.write_table
        table = self.table.slice(0, 10)
        os.mkdir("parts")
        os.mkdir("linked")
        for name in ("parts/a.parquet", "parts/b.PARQUET", "parts/c.parq", "linked/d.pq", "parts/e"):
            write(table, name)
        os.symlink("../linked", "parts/link")
        os.symlink("../parts", "linked/back")
        with open("parts/notes", "w", encoding="ascii") as file:
            file.write("text")
        with self.assertWarnsRegex(emgraph.EmgraphWarning, "^parts/e: left out: a Parquet file by its bytes") as caught:
            self.assertEqual(emgraph.cc("parts").summary["edges"], 40)
        self.assertEqual((caught.filename, len(caught.warnings)), (__file__, 1))
        os.rename("parts/e", "parts/_e")
        self.assertEqual(emgraph.cc("parts").summary["edges"], 40)
        os.makedirs("deep/day=1/hour=3")
        for name in ("deep/day=1/a.parquet", "deep/day=1/hour=3/b.PARQUET", "deep/c.parquet"):
            write(table, name)
        for pattern in ("deep", "deep/**", "dee*/**", "deep/**/*.[pP]*"):
            with self.subTest(pattern):
                self.assertEqual(emgraph.cc(pattern).summary["edges"], 30)
        os.symlink("nothing", "parts/dangling.parquet")
        with self.assertRaisesRegex(emgraph.EnvironmentError, "^parts/dangling.parquet: cannot open: No such file"):
            emgraph.cc("parts")
        with open("text.parquet", "w", encoding="ascii") as file:
            file.write("0 1\n")
        with self.assertRaisesRegex(emgraph.DataError, "^text.parquet: is no Parquet file$"):
            emgraph.cc("text.parquet")

    @unittest.skipIf(os.geteuid() != 0, "SKIPPED: only root can become another user")
    def test_a_directory_that_cannot_be_read(self):
        os.makedirs("parts/closed")
        self.parquet.write_table(self.table, "parts/a.parquet")
        os.chmod("parts/closed", 0)
        script = "import os, emgraph._inputs as i; os.setgid(65534); os.setuid(65534); i.parquet_files('parts')"
        for folder in (self.home, self.work):
            os.chmod(folder, 0o755)
        done = subprocess.run([sys.executable, "-c", script], env=self.environment(), capture_output=True, text=True, check=False)
        self.assertIn("EnvironmentError: parts/closed: cannot list: Permission denied", done.stderr)

    @unittest.skipIf(os.geteuid() != 0, "SKIPPED: only root can become another user")
    def test_a_file_that_cannot_be_read(self):
        os.mkdir("parts")
        for name in ("secret.parquet", "parts/README", "parts/a.parquet"):
            self.parquet.write_table(self.table, name)
            os.chmod(name, 0o644 if name == "parts/a.parquet" else 0)
        for folder in (self.home, self.work):
            os.chmod(folder, 0o755)
        script = """
import os, sys
import emgraph.__main__ as command
os.setgid(65534)
os.setuid(65534)
print(command.parquet_files("parts", []))
sys.argv = ["emgraph", "cc", "secret.parquet"]
sys.exit(command.main())
"""
        done = subprocess.run([sys.executable, "-c", script], env=self.environment(), capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr),
                         (4, "['parts/a.parquet']\n", "emgraph cc: secret.parquet: cannot read: Permission denied\n"))

    def test_columns_in_the_names_of_directories(self):
        for key, value, refused in (("src", 1, emgraph.cc), ("weight", 7, emgraph.mst), ("when", 3, None)):
            os.makedirs(f"{key}/{key}={value}")
            self.parquet.write_table(self.pa.table({"dst": [1], "a": [2], "b": [3]}), f"{key}/{key}={value}/p.parquet")
            if refused is None:
                self.assertEqual(emgraph.cc(key).summary["edges"], 1)
                continue
            with self.assertRaisesRegex(emgraph.UsageError, f"column '{key}' is in the names of directories"):
                refused(key)
            self.assertEqual(emgraph.mst(key, columns=("a", "b"), weights="unit").summary["edges"], 1)

    def test_weights_of_several_files(self):
        pa = self.pa
        for number, (kinds, expected) in enumerate((
            ((pa.float32(), pa.float64()), "f8"), ((pa.float64(), pa.float32()), "f8"), ((pa.uint8(), pa.uint32()), "u4"),
            ((pa.uint32(), pa.int64()), "i8"), ((pa.int32(), pa.float32()), "f8"), ((pa.int64(), None), None), ((None, pa.int64()), None),
        )):
            os.mkdir(str(number))
            for file, kind in enumerate(kinds):
                columns = {"src": [2 * file], "dst": [2 * file + 1]}
                if kind is not None:
                    columns["w"] = pa.array([1], kind)
                self.parquet.write_table(pa.table(columns), f"{number}/{file}.parquet")
            with self.subTest(kinds):
                if expected is None:
                    with self.assertRaisesRegex(emgraph.DataError, "has no column 'w', which .*parquet has"):
                        emgraph.mst(str(number))
                    continue
                weights = emgraph.mst(str(number)).edges.weight
                self.assertEqual((weights.dtype, weights.tolist()), (np.dtype(expected), [1, 1]))

    def test_files_that_are_replaced(self):
        result = emgraph.cc(self.edges)
        result.to_parquet("l.parquet")
        os.chmod("l.parquet", 0o600)
        os.symlink("end.parquet", "link.parquet")
        for name in ("l.parquet", "link.parquet"):
            result.to_parquet(name)
        self.assertEqual((os.stat("l.parquet").st_mode & 0o777, os.readlink("link.parquet")), (0o600, "end.parquet"))
        self.assertEqual(self.parquet.read_table("end.parquet"), self.parquet.read_table("l.parquet"))
        flag, os.O_TMPFILE = os.O_TMPFILE, os.O_RDONLY | os.O_DIRECTORY  # as where files without names are not known
        try:
            result.to_parquet("l.parquet")
            with self.assertRaisesRegex(ZeroDivisionError, "by zero"):
                emgraph._tables.write_parquet("l.parquet", NoBatches(self.pa.schema([])))
        finally:
            os.O_TMPFILE = flag
        os.mkfifo("pipe")
        for name in ("pipe", "/dev/null", "/dev/l.parquet"):
            with self.assertRaisesRegex(emgraph.UsageError, f"^{name}: the output is a device or a pipe"):
                result.to_parquet(name)
        with self.assertRaisesRegex(emgraph.EnvironmentError, "^none/l.parquet: cannot create in this directory"):
            result.to_parquet("none/l.parquet")
        self.assertEqual(sorted(os.listdir(".")), ["end.parquet", "l.parquet", "link.parquet", "pipe"])

    def test_files_are_on_the_disk_before_and_after_they_get_their_names(self):
        result = emgraph.cc(self.edges)
        calls = []

        def record(name):
            original = getattr(os, name)

            def call(*arguments, **more):
                of_directory = name == "fsync" and os.path.samestat(os.fstat(arguments[0]), os.stat("."))
                calls.append(f"{name} of the directory" if of_directory else name)
                return original(*arguments, **more)
            return mock.patch(f"os.{name}", call)

        with record("fdatasync"), record("link"), record("replace"), record("fsync"):
            result.to_parquet("l.parquet")
            self.assertEqual(calls, ["fdatasync", "link", "fsync of the directory"])
            calls.clear()
            result.to_parquet("l.parquet")
            self.assertEqual(calls, ["fdatasync", "link", "link", "replace", "fsync of the directory"])
        for number, fails in ((errno.EINVAL, False), (errno.EIO, True)):
            with mock.patch("os.fsync", side_effect=OSError(number, "")), warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                result.to_parquet("l.parquet")
            self.assertEqual(["perhaps not durable" in str(each.message) for each in caught], [True] * fails)
            self.assertEqual({each.filename for each in caught}, {__file__} if fails else set())


if __name__ == "__main__":
    main()
