# SPDX-License-Identifier: MIT
"""Arrow streams and data frames give the answers of the same edges in a file."""
import os
import warnings

import numpy as np
from support import TableCase, emgraph, main, needs


@needs("pyarrow")
class Tables(TableCase):
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


if __name__ == "__main__":
    main()
