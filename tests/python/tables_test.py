# SPDX-License-Identifier: MIT
"""Arrow streams, data frames and Parquet files give the answers of the same edges in a file."""
import os
import re
import subprocess
import sys
import unittest
import warnings

import numpy as np
from support import Case, emgraph, main, needs, random_edges


class NoBatches:
    """A reader that fails."""

    def __init__(self, schema):
        self.schema = schema

    def __iter__(self):
        return iter([1 // 0])


@needs("pyarrow")
class Tables(Case):
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

    def test_pieces_of_columns(self):
        """A column may begin within its buffers."""
        narrow = self.table.set_column(1, "src", self.table["src"].cast(self.pa.uint16()))
        for table in (self.table, narrow):
            for begin, count in ((0, 0), (7, 1), (1001, 900)):
                rows = emgraph.convert(table.slice(begin, count)).edges.to_numpy()
                self.assertEqual(rows["source"].tolist(), self.edges[begin : begin + count, 0].tolist())
                self.assertEqual(rows["weight"].tolist(), self.weights[begin : begin + count].tolist())

    def test_arrow(self):
        self.same(self.table)
        self.same(self.table.to_reader(100))
        self.same(self.table, columns=("dst", "src"))
        self.same(self.table, columns=(1, 2))
        self.same(self.table.select(["src", "dst"]).rename_columns(["x", "y"]))

    def test_empty_batches_are_not_the_end(self):
        text = self.pa.table({"src": ["a", "b"], "dst": ["b", "c"]})
        more = self.pa.table({"src": ["x"], "dst": ["y"]})
        for whole in (self.pa.concat_tables([text, text.slice(0, 0), more]), self.pa.concat_tables([text.slice(0, 0), text, more])):
            self.assertEqual(emgraph.cc(whole).summary["edges"], 3)
        empty = self.pa.record_batch({"src": self.pa.array([], self.pa.string()), "dst": self.pa.array([], self.pa.string())})
        batches = [empty, *text.to_batches(), empty, *more.to_batches(), empty]
        self.assertEqual(emgraph.cc(self.pa.RecordBatchReader.from_batches(text.schema, batches)).summary["edges"], 3)
        os.mkdir("parts")
        for number, table in enumerate((text, text.slice(0, 0), more)):
            self.parquet.write_table(table, f"parts/{number}.parquet")
        self.assertEqual(emgraph.cc("parts").summary["edges"], 3)
        self.assertEqual(emgraph.cc(text.slice(0, 0)).summary["edges"], 0)

    def test_dictionaries(self):
        numbers = self.table.set_column(1, "src", self.table["src"].dictionary_encode())
        self.same(numbers)
        self.parquet.write_table(numbers, "numbers.parquet")
        self.same("numbers.parquet")
        views = self.pa.array(["a", "b"], self.pa.string_view())
        coded = self.pa.DictionaryArray.from_arrays(self.pa.array([0, 1, 0], self.pa.uint32()), views)
        result = emgraph.cc(self.pa.table({"src": coded, "dst": ["b", "c", "d"]}))
        self.assertEqual(result.ids.tolist(), ["a", "b", "c", "d"])
        null = self.pa.DictionaryArray.from_arrays(self.pa.array([0, 1, 0], self.pa.int8()), self.pa.array(["a", None]))
        with self.assertRaisesRegex(emgraph.DataError, "column 'src', row 1: null where a node's name"):
            emgraph.cc(self.pa.table({"src": null, "dst": ["b", "c", "d"]}))

    def test_tuples_of_arrow_arrays(self):
        self.same((self.table["src"], self.table["dst"].combine_chunks()))
        text = self.pa.array(["a", "b"])
        self.assertEqual(emgraph.cc((text, self.pa.array(["b", "c"]).dictionary_encode())).ids.tolist(), ["a", "b", "c"])
        for column in (self.pa.array([1, None]), self.pa.array(["a", None]), self.pa.chunked_array([[1], [None]])):
            with self.assertRaisesRegex(emgraph.DataError, "column 'target', row 1: null"):
                emgraph.cc((self.pa.array([1, 2]), column))

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

    def test_a_name_of_two_columns(self):
        twice = self.pa.table([[0, 1], [1, 2], [5, 6]], ["src", "dst", "dst"])
        self.parquet.write_table(twice, "twice.parquet")
        self.parquet.write_table(self.table, "once.parquet")
        for graph in ("twice.parquet", ["once.parquet", "twice.parquet"], twice):
            with self.assertRaisesRegex(emgraph.DataError, "(twice.parquet|Table): has 2 columns 'dst', expected one"):
                emgraph.cc(graph)
        weights = self.pa.table([[0, 1], [1, 2], [5, 6], [7, 8]], ["src", "dst", "w", "w"])
        with self.assertRaisesRegex(emgraph.DataError, "Table: has 2 columns 'w', expected one"):
            emgraph.mst(weights)
        self.assertEqual(emgraph.cc(weights).summary["edges"], 2)
        for graph in ("twice.parquet", twice):
            with self.assertRaisesRegex(emgraph.UsageError, "columns: .* has 2 columns 'dst', expected one"):
                emgraph.cc(graph, columns=("src", "dst"))
        self.assertEqual(emgraph.sort(twice, columns=(0, 2)).edges.target.tolist(), [5, 6])

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

    def test_wide_ids_after_the_program_has_started(self):
        ids = np.arange(2000000)
        ids[-1] = 2**35  # after 16 MB that the program has read as ids of 4 bytes
        warnings.simplefilter("ignore", emgraph.EmgraphWarning)  # the ids are sparse
        self.assertEqual(emgraph.sort((ids, ids)).edges.source[-1], 2**35)
        self.assertEqual(emgraph.sort(self.pa.table({"src": ids, "dst": ids})).edges.source[-1], 2**35)

    def test_wide_ids_in_a_narrow_looking_stream(self):
        ids = np.arange(300000)
        ids[299999] = 2**35
        table = self.pa.table({"src": ids, "dst": ids[::-1]})
        warnings.simplefilter("ignore", emgraph.EmgraphWarning)  # the ids are sparse
        class Own:
            """A stream of a kind that the package does not know."""

            def __init__(self, reader):
                self.__arrow_c_stream__ = reader.__arrow_c_stream__

        for graph in (table, table.to_reader(), Own(table.to_reader())):
            self.assertEqual(int(emgraph.sort(graph).edges.source[-1]), 2**35)

    def test_names(self):
        source = [f"node {i}" for i in self.edges[:, 0]]
        target = [f"node {i}" for i in self.edges[:, 1]]
        table = self.pa.table({"from": self.pa.array(source).dictionary_encode(), "to": target})
        result = emgraph.cc(table)
        for i in range(0, 400, 17):
            node = result.ids.tolist().index(f"node {i}") if f"node {i}" in result.ids else None
            if node is not None:
                leader = int(result.ids[result.labels[node]].split()[1])
                self.assertEqual(self.labels[leader], self.labels[i])
        result.to_parquet("labels.parquet")
        rows = self.parquet.read_table("labels.parquet")
        self.assertEqual(rows["node"].to_pylist(), result.ids.tolist())
        self.assertEqual(rows["label"].to_pylist(), result.ids[result.labels].tolist())

    def test_results_as_tables(self):
        result = emgraph.mst((self.edges[:, 0], self.edges[:, 1], self.weights))
        table = result.edges.to_arrow()
        self.assertEqual(table.column_names, ["source", "target", "weight"])
        self.assertSame(table["target"].to_numpy(), result.edges.target)
        self.assertEqual(self.pa.RecordBatchReader.from_stream(result).read_all(), table)
        result.to_parquet("forest.parquet", compression="zstd")
        self.assertEqual(self.parquet.read_table("forest.parquet"), table)
        bfs = self.pa.table(emgraph.bfs(self.edges, root=0, parents=True))
        self.assertEqual(bfs.column_names, ["node", "level", "parent"])
        self.assertEqual(self.pa.table(emgraph.sort(np.empty((0, 2), int))).num_rows, 0)
        sparse = emgraph.cc((np.array([10**12, 5]), np.array([10**12, 9])), relabel=True)
        self.assertEqual(self.pa.table(sparse).to_pydict(), {"node": [5, 9, 10**12], "label": [5, 5, 10**12]})

    def test_optional_results_as_tables(self):
        every = emgraph.cc(self.edges, sizes=True, groups=True, forest=True)
        self.assertEqual(self.pa.table(every).column_names, ["node", "label"])
        self.assertEqual(every.reader_of("sizes").read_all().column_names, ["component", "size"])
        self.assertEqual(every.reader_of("groups").read_all().num_rows, 400)
        for more, names in (({"sizes": True}, ["component", "size"]), ({"groups": True}, ["component", "node"]),
                            ({"forest": True}, ["source", "target"])):
            result = emgraph.cc(self.edges, output=False, **more)
            self.assertEqual(self.pa.table(result).column_names, names)
            result.to_parquet("-".join(more) + ".parquet")
        triangles = emgraph.triangles(self.edges, per_node=True, list=True)
        self.assertEqual(self.pa.table(triangles).column_names, ["node", "triangles"])
        self.assertEqual(self.pa.table(emgraph.scc(self.edges, condensation=True)).column_names, ["node", "label"])
        pairs = emgraph.sssp((["a", "b"], ["b", "c"]), weights="unit", root="a", to="c")
        self.assertEqual(self.pa.table(pairs).to_pydict(), {"source": ["a"], "target": ["c"], "distance": [2]})

    def test_filters_by_weight(self):
        table = self.pa.table({"src": [0, 1], "dst": [1, 2], "weight": [1.0, 5.0]})
        self.assertEqual(emgraph.cc(table, min_weight=3).labels.tolist(), [0, 1, 1])
        self.parquet.write_table(table, "weights.parquet")
        self.assertEqual(emgraph.cc("weights.parquet", max_weight=3).labels.tolist(), [0, 0, 2])

    def test_bad_columns(self):
        array = self.pa.array
        for first, second, words in (
            (array([1, None]), array([1, 2]), "column 'a', row 1: null"),
            (array([1, 2]), array([1, -2]), "column 'b', row 1: -2 is negative"),
            (array([1.0, 2]), array([1, 2]), "column 'a', row 0: 1.0 is a floating-point number"),
            (array(["x", None]), array(["y", "z"]), "column 'a', row 1: null"),
            (array([True]), array([1]), "column 'a' is of type bool"),
        ):
            table = self.pa.table({"a": first, "b": second})
            with self.subTest(words), self.assertRaises(emgraph.DataError) as caught:
                emgraph.cc(table, columns=("a", "b"))
            self.assertIn(words, str(caught.exception))
        long = self.pa.table({"a": list(range(500)), "b": [1] * 400 + [None] * 100})
        with self.assertRaisesRegex(emgraph.DataError, "column 'b', row 400: null"):
            emgraph.cc(long.to_reader(64))
        with self.assertRaisesRegex(emgraph.DataError, "column 'c', row 1: null where a weight"):
            emgraph.mst(self.pa.table({"a": [1, 2], "b": [2, 3], "c": [1, None]}), columns=("a", "b", "c"))
        with self.assertRaisesRegex(emgraph.UsageError, "no two columns"):
            emgraph.cc(self.pa.table({"a": [1]}))
        with self.assertRaisesRegex(emgraph.UsageError, "columns: give the names of source, target"):
            emgraph.cc(long, columns=5)
        with self.assertRaisesRegex(emgraph.UsageError, "has no column 7; its columns: a, b"):
            emgraph.cc(long, columns=(np.int64(0), np.int64(7)))
        self.assertEqual(emgraph.cc(long.slice(0, 9), columns=(np.int64(0), np.int64(1))).summary["edges"], 9)

    def test_an_exception_in_a_stream_of_the_c_interface(self):
        reader = self.pa.RecordBatchReader.from_batches

        class Stream:
            def __init__(self, batches):
                self.batches = batches

            def __arrow_c_stream__(self, requested_schema=None):
                return reader(schema, self.batches).__arrow_c_stream__(requested_schema)

        def failing(error):
            yield batch
            raise error

        batch = self.pa.record_batch({"src": [1], "dst": [2]})
        schema = batch.schema
        with self.assertRaisesRegex(emgraph.DataError, "^Stream: .*boom"):
            emgraph.cc(Stream(failing(ValueError("boom"))))
        with self.assertRaises(KeyboardInterrupt):
            emgraph.cc(Stream(failing(KeyboardInterrupt())))

    def test_text_that_is_not_utf_8(self):
        with open("latin.txt", "wb") as file:
            file.write(b"\xe9 b\nb c\n")
        result = emgraph.cc("latin.txt", labels=True)
        for make in (lambda: self.pa.table(result), lambda: result.to_parquet("l.parquet"),
                     lambda: emgraph.mst("latin.txt", labels=True, weights="unit").to_parquet("l.parquet")):
            with self.assertRaisesRegex(emgraph.DataError, "the node's name .* is not text in UTF-8"):
                make()
        name = os.fsdecode(b"\xe9.parquet")
        self.parquet.write_table(self.table, "plain.parquet")
        os.rename("plain.parquet", name)
        self.same(name)
        self.assertEqual(sorted(os.listdir(".")), ["latin.txt", name])

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


if __name__ == "__main__":
    main()
