# SPDX-License-Identifier: MIT
"""Arrays and paths give the answer of the same edges in a file; bad values are named with column and row."""
import os
import warnings

import numpy as np
from support import Case, emgraph, main, random_edges


class Arrays(Case):
    def setUp(self):
        super().setUp()
        self.edges = random_edges()
        self.edges.tofile("e.u32")
        self.labels = emgraph.cc("e.u32").labels

    def same(self, graph, **more):
        labels = emgraph.cc(graph, **more).labels
        self.assertEqual(labels.dtype, np.uint32)
        np.testing.assert_array_equal(labels[:400], self.labels)

    def test_shapes_and_types(self):
        source, target = self.edges[:, 0], self.edges[:, 1]
        self.same(self.edges)
        self.same(self.edges.T)
        self.same(np.asfortranarray(self.edges))
        self.same((source, target))
        self.same((source.tolist(), target.tolist()))
        self.same((source.astype(">i8"), target.astype(np.uint16)))
        self.same((source.astype(object), target))
        self.same(np.column_stack([self.edges, source]))
        self.assertEqual(len(emgraph.cc(np.empty((0, 2), int)).labels), 0)
        self.assertEqual(len(emgraph.cc(self.edges, nodes=1000).labels), 1000)

    def test_lists_hold_edges_and_tuples_columns(self):
        for edges, labels in (
            ([], []),
            ([(0, 1)], [0, 0]),
            ([(0, 1), (2, 3)], [0, 0, 2, 2]),
            ([[0, 1], [1, 2], [3, 4]], [0, 0, 0, 3, 3]),
            ([(0, 1), (1, 2), (3, 4), (4, 0)], [0, 0, 0, 0, 0]),
            (([0, 1], [2, 3]), [0, 1, 0, 1]),
            (([0, 1, 2], [1, 2, 3]), [0, 0, 0, 0]),
        ):
            with self.subTest(edges):
                self.assertEqual(emgraph.cc(edges).labels.tolist(), labels)
        self.assertEqual(emgraph.mst([(0, 1, 7), (1, 2, 9)]).edges.weight.tolist(), [7, 9])
        self.assertEqual(emgraph.cc([("b", "a")]).ids.tolist(), ["b", "a"])
        for edges, words in (
            ([(0, 1), (2,)], "item 1 of the list: found tuple of 1, expected an edge"),
            ([np.array([0, 1]), np.array([2, 3])], "item 0 of the list: found ndarray of 2"),
            ([[0, 1, 2, 3], [1, 2, 3, 4]], "item 0 of the list: found list of 4"),
            ([5], "item 0 of the list: found int"),
            (([0], [1], [2], [3]), "not tuple of 4"),
        ):
            with self.subTest(words), self.assertRaisesRegex(emgraph.UsageError, words):
                emgraph.cc(edges)

    def test_arrays_that_can_be_read_in_two_ways(self):
        array = np.array([[0, 1, 2], [1, 2, 3]])
        with self.assertWarnsRegex(emgraph.EmgraphWarning, "2 x 3 counts as sources and targets") as caught:
            self.assertEqual(emgraph.cc(array).labels.tolist(), [0, 0, 0, 0])
        self.assertEqual(caught.filename, __file__)
        self.assertEqual(emgraph.cc(array, columns=(0, 1)).summary["edges"], 2)
        self.assertEqual(emgraph.cc((array[0], array[1])).summary["edges"], 3)
        self.assertEqual(emgraph.cc(np.array([[0, 1], [2, 3]])).labels.tolist(), [0, 0, 2, 2])
        self.assertEqual(emgraph.cc(np.array([[0], [2]])).labels.tolist(), [0, 1, 0])

    def test_columns_of_arrays(self):
        array = np.column_stack([self.edges[:, ::-1], np.arange(3000), self.edges])
        self.same(array, columns=(3, 4))
        self.same(array, columns=(1, 0))
        self.assertEqual(emgraph.convert(array, columns=(1, 0, 2)).edges.weight.tolist(), list(range(3000)))
        with self.assertRaisesRegex(emgraph.UsageError, "columns: the array has no column 5; its columns: 0, 1, 2, 3, 4"):
            emgraph.cc(array, columns=(0, 5))
        for graph in (([0], [1]), [(0, 1)], emgraph.sort(self.edges)):
            with self.assertRaisesRegex(emgraph.UsageError, "columns: "):
                emgraph.cc(graph, columns=(1, 0))

    def test_large_arrays_go_piece_by_piece(self):
        edges = random_edges(400000, 50000)
        edges.tofile("large.u32")
        self.assertSame(emgraph.cc(edges.astype(np.int64)).labels, emgraph.cc("large.u32").labels)

    def test_paths(self):
        from pathlib import Path

        self.same(Path("e.u32"))
        os.rename("e.u32", "-e.u32")
        self.same("-e.u32")
        self.assertEqual(emgraph.mis("gen:grid,dims=4x4").summary["nodes"], 16)
        with self.assertRaisesRegex(emgraph.EnvironmentError, "missing.u32"):
            emgraph.cc("missing.u32")
        self.edges[:100].tofile("a.u32")
        self.edges[100:].tofile("b.u32")
        self.same(["a.u32", Path("b.u32")])

    def test_wide_and_sparse_ids(self):
        edges = (np.array([10**12, 5, 2**63]), np.array([7, 10**12, 7], np.uint64))
        result = emgraph.cc((edges[0].astype(np.uint64), edges[1]), relabel=True)
        np.testing.assert_array_equal(result.ids, [5, 7, 10**12, 2**63])
        np.testing.assert_array_equal(result.labels, [0, 0, 0, 0])
        forest = emgraph.mst((np.array([50, 70]), np.array([70, 90])), relabel=True, weights="unit")
        self.assertEqual(emgraph.bfs(forest, root=90).levels.tolist(), [2, 1, 0])
        self.assertEqual(emgraph.bfs(forest, root=[90, 50]).levels[50].tolist(), [0, 1, 2])
        with self.assertRaisesRegex(emgraph.UsageError, "root: the graph has no node 1"):
            emgraph.bfs(forest, root=1)
        sparse = emgraph.mis((np.array([70, 5]), np.array([5, 9])), relabel=True)
        np.testing.assert_array_equal(sparse.ids[sparse.nodes], [5])
        large = emgraph.cc(([0, 2], [1, 2**64 - 1]), relabel=True)
        self.assertEqual(large.ids.tolist(), [0, 1, 2, 2**64 - 1])
        with self.assertWarnsRegex(emgraph.EmgraphWarning, "the ids are sparse"):
            wide = emgraph.sort((np.array([2**40, 1]), np.array([2, 3]))).edges
        self.assertEqual(wide.source.dtype, np.uint64)
        np.testing.assert_array_equal(wide.source, [1, 2**40])

    def test_names(self):
        source, target = np.array(["b, \"x\"", "a", "#c"]), ["a", "b, \"x\"", "d "]
        result = emgraph.bfs((source, target), root="a", parents=True)
        self.assertEqual(result.ids.tolist(), ['b, "x"', "a", "#c", "d "])
        np.testing.assert_array_equal(result.levels, [1, 0, 2**32 - 1, 2**32 - 1])
        with open("names.csv", "w", encoding="utf-8") as file:
            file.write('"b, ""x""",a\na,"b, ""x"""\n"#c","d "\n')
        self.assertSame(emgraph.bfs("names.csv", labels=True, root="a").levels, result.levels)
        forest = emgraph.mst((source, target, [3, 2, 1])).edges
        self.assertEqual(forest.weight.tolist(), [2, 1])
        self.assertEqual(emgraph.mst((source, target, [3, 2, 1]), weight_type="f32").edges.weight.dtype, np.float32)
        self.assertEqual(emgraph.cc(emgraph.mst((source, target), weights="unit")).ids.tolist(), result.ids.tolist())
        levels = emgraph.bfs((["5", "a"], ["6", "b"]), root=["5", "a"]).levels
        self.assertEqual(sorted(levels), ["5", "a"])
        self.assertEqual(emgraph.cc((["lonely"], ["edge"])).messages, [])  # no header is suspected
        with self.assertRaisesRegex(emgraph.DataError, "row 1: found nothing in column 1, expected a label"):
            emgraph.cc((["a", ""], ["b", "c"]))
        for column in (["a", float("nan")], [b"a", float("nan")], ["a"] * 200 + [float("nan")]):
            row = len(column) - 1
            with self.assertRaisesRegex(emgraph.DataError, f"column 'target', row {row}: null where a node's name"):
                emgraph.cc((["b"] * len(column), column))
        self.assertEqual(emgraph.cc(([1] * 200 + ["a"], ["b"] * 201)).summary["nodes"], 3)
        with self.assertRaisesRegex(emgraph.DataError, "row 0: found a zero byte"):
            emgraph.cc((["a\0", "a"], ["b", "c"]))
        with self.assertRaisesRegex(emgraph.UsageError, r"root: found 'a\\x00', expected NODE without the byte 0"):
            emgraph.bfs((["a"], ["b"]), root="a\0")
        with self.assertRaisesRegex(emgraph.UsageError, "source and target are text; cat reads no names"):
            emgraph.cat((["a"], ["b"]))

    def test_filters_by_weight(self):
        for graph in (([0, 1], [1, 2], [1, 5]), np.array([[0, 1, 1], [1, 2, 5], [1, 2, 0]])):
            self.assertEqual(emgraph.cc(graph, min_weight=3).labels.tolist(), [0, 1, 1])
            self.assertEqual(emgraph.cc(graph, max_weight=3).labels.tolist()[:2], [0, 0])
        self.assertEqual(emgraph.cc((["a", "b"], ["b", "c"], [1, 5]), min_weight=3).labels.tolist(), [0, 1, 1])

    def test_options_of_files_are_refused(self):
        for graph in (self.edges, (["a"], ["b"])):
            for name, value in (("input_format", "text"), ("cols", "2,1"), ("header", True), ("skip_lines", 1), ("separator", ";")):
                with self.subTest(name), self.assertRaisesRegex(emgraph.UsageError, f"{name}: it says how to read a file"):
                    emgraph.cc(graph, **{name: value})

    def test_values_of_options(self):
        for command, options, words in (
            ("bfs", {"root": 1.0}, "'1.0' is not an id"),
            ("cat", {"output": False}, "output: cat has no other result than its text"),
            ("bfs", {"root": {}}, "root: found {}, expected NODE"),
            ("sssp", {"root": 1, "to": [2, 3], "weights": "unit"}, r"to: found \[2, 3\], expected NODE"),
            ("sssp", {"queries": [[1, 2]], "weights": "unit"}, "queries: found list, expected the name of a file"),
            ("cc", {"nodes_in": ["a"]}, "nodes_in: item 0 is 'a', expected a node id"),
            ("cc", {"nodes_in": [1, -1]}, "nodes_in: item 1 is -1, expected a node id"),
            ("cc", {"nodes_in": np.array([1.5])}, "nodes_in: item 0 is 1.5, expected a node id"),
            ("cc", {"nodes_in": {1}}, "nodes_in: found set, expected the name of a file or a list of nodes"),
            ("cc", {"nodes_in": np.zeros((2, 2), int)}, "nodes_in: found an array of 2 dimensions"),
            ("pagerank", {"sources": []}, "sources: found no nodes, expected one or more"),
            ("bfs", {"root": []}, "root: found no nodes, expected one or more"),
            ("check_cc", {"result": 5}, "result: found int, expected the name of a file or an array of numbers"),
        ):
            with self.subTest(words), self.assertRaisesRegex(emgraph.UsageError, words):
                getattr(emgraph, command)(self.edges, **options)

    def test_a_warning_names_the_line_of_the_caller(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            emgraph.sort((np.array([2**40, 1]), np.array([2, 3])))
        self.assertEqual([warning.filename for warning in caught], [__file__])

    def test_lists_of_nodes_have_what_the_input_calls_them(self):
        edges = np.array([[10, 20], [20, 40], [40, 80]])
        edges.astype("<u8").tofile("e.u64")
        forest = emgraph.mst(edges, relabel=True, weights="unit")
        arcs = emgraph.convert(edges, relabel=True)
        independent = emgraph.mis(edges, relabel=True)
        for nodes in ([10, 20], (20, 10), np.array([10, 20], np.uint8), np.array([10, 20], ">i2"), np.array([10, 20, 10])):
            for graph, more in ((edges, {}), (edges, {"relabel": True}), ("e.u64", {"relabel": True}), (forest, {})):
                for command in (emgraph.filter, emgraph.sort):
                    with self.subTest(nodes=nodes, graph=type(graph), more=more, command=command.__name__):
                        rows = command(graph, nodes_in=nodes, **more).edges
                        ids = np.arange(81) if rows.ids is None else rows.ids
                        self.assertEqual([ids[rows.source].tolist(), ids[rows.target].tolist()], [[10], [20]])
        for graph, more in ((edges, {"relabel": True}), (forest, {})):
            self.assertEqual(emgraph.cc(graph, nodes_in=[], **more).summary["edges"], 0)
            self.assertEqual(emgraph.cc(graph, nodes_in=independent, **more).summary["edges"], 0)
        for graph, more in ((edges, {"relabel": True}), (arcs, {})):
            ranks = emgraph.pagerank(graph, sources=[80], **more)
            self.assertEqual((int(ranks.ids[0]), float(ranks.ranks[0])), (10, 0.0))
            self.assertGreater(float(ranks.ranks[3]), 0)
        with self.assertRaisesRegex(emgraph.UsageError, "nodes_in: found a result of mst, expected nodes"):
            emgraph.cc(edges, nodes_in=forest)
        for nodes in ([40, 50], [40, 2**40]):
            with self.assertRaisesRegex(emgraph.UsageError, f"nodes_in: the graph has no node {nodes[1]}"):
                emgraph.cc(forest, nodes_in=nodes)
        names = [("a", "\ufeffb"), ("\ufeffb", '"c"'), ('"c"', "d")]
        for graph in (names, emgraph.convert(names)):
            found = emgraph.filter(graph, nodes_in=["\ufeffb", '"c"', "d"])
            self.assertEqual(found.edges.ids[found.edges.source].tolist(), ["\ufeffb", '"c"'])
            ranks = emgraph.pagerank(graph, sources=['"c"'])
            self.assertEqual(float(ranks.ranks[ranks.ids.tolist().index("a")]), 0.0)
        masked = np.ma.masked_array([10, 20], [False, True])
        for name, call in (("nodes_in", lambda: emgraph.cc(edges, nodes_in=masked)), ("result", lambda: emgraph.check_cc(edges, masked))):
            with self.assertRaisesRegex(emgraph.DataError, f"column '{name}', row 1: null"):
                call()

    def test_arrays_of_any_integers_are_results(self):
        edges = np.array([[0, 1], [1, 2]])
        for kind in ("u1", "i2", "<i4", ">i8", "u8"):
            self.assertTrue(emgraph.check_cc(edges, np.zeros(3, kind)), kind)
        self.assertTrue(emgraph.check_cc(np.empty((0, 2), int), []))
        for labels in ([0, 0, -1], np.zeros(3)):
            with self.assertRaisesRegex(emgraph.DataError, "^emgraph check cc: result: "):
                emgraph.check_cc(edges, labels)

    def test_results_without_edges_are_no_graphs(self):
        edges = [(0, 1), (1, 2)]
        for result, words in ((emgraph.kcore(edges), "found a result of kcore, which has cores and no edges; expected a graph"),
                              (emgraph.check_cc(edges, [0, 0, 0]), "found a result of check_cc, which has a summary and no edges"),
                              (emgraph.cc(edges, forest=True), "found a result of cc, expected a graph; its edges are .forest"),
                              (emgraph.gen(edges=10, output=False), "found a result of gen, expected a graph: edges was not asked for")):
            for columns in (None, ("node", "core")):
                with self.assertRaisesRegex(emgraph.UsageError, f"^{words}"):
                    emgraph.triangles(result, columns=columns)

    def test_names_with_tabs_commas_and_slashes(self):
        edges = [("a\tx", "c")]
        self.assertEqual(emgraph.sssp(edges, root="c", to="a\tx", weights="unit").distances, [("c", "a\tx", 1)])
        self.assertEqual(emgraph.sssp(edges, root="a\tx", to="c", weights="unit").distances, [("a\tx", "c", 1)])
        odd = ['a\\tx', 'b,"c"']
        self.assertEqual(emgraph.sssp([tuple(odd)], root=odd[0], to=odd[1], weights="unit").distances, [(*odd, 1)])
        self.assertEqual(emgraph.bfs([("http://a", "b")], root="http://a").levels.tolist(), [0, 1])
        for name in ("http://a", "a" * 300):
            with self.assertRaisesRegex(emgraph.UsageError, f"root: several roots stand in names of files, which cannot hold '{name}'"):
                emgraph.bfs([(name, "b")], root=[name, "b"])
        self.assertEqual(emgraph.cc((np.array([b"a", "b"], object), ["b", "c"])).ids.tolist(), ["a", "b", "c"])

    def test_weight_types(self):
        source, target = self.edges[:, 0], self.edges[:, 1]
        weights = np.arange(3000)
        for kind, name in ((np.uint8, "u4"), (np.uint32, "u4"), (np.int64, "i8"), (np.float32, "f4"), (np.float64, "f8")):
            edges = emgraph.convert((source, target, weights.astype(kind))).edges
            self.assertEqual(edges.weight.dtype, np.dtype(name))
            np.testing.assert_array_equal(edges.weight, weights.astype(kind))
        edges = emgraph.convert((source, target, weights), weight_type="u32").edges
        self.assertEqual(edges.dtype, np.dtype([("source", "<u4"), ("target", "<u4"), ("weight", "<u4")]))
        for weights, kind, words in (
            ([1, 2, -1], "u32", "row 2: weight -1 is not between 0 and 4294967295"),
            ([1, 1e300, -1], "f32", r"row 1: weight 1e\+300 is too large for f32"),
            ([1, 2**70, 1], None, "row 1: weight 1180591620717411303424 is not between"),
            ([1, None, 1], None, "row 1: found null, expected a number as the weight"),
            (np.array([1, 2, "x"], object), None, "row 2: found 'x', expected a number as the weight"),
        ):
            with self.subTest(words), self.assertRaisesRegex(emgraph.DataError, "column 'weight', " + words):
                emgraph.convert(([1, 2, 3], [1, 2, 3], weights), weight_type=kind)
        self.assertEqual(emgraph.convert(([1], [1], np.array([np.inf])), weight_type="f32").edges.weight.tolist(), [np.inf])

    def test_bad_arrays(self):
        late = np.zeros((300000, 2), np.int64)
        late[299999, 1] = -7
        for graph, words in (
            (late, "column '1', row 299999: -7 is negative"),
            (([1, 2], [2.0, 4.5]), "column 'target', row 1: 4.5 is a floating-point number"),
            (np.array([[1.0, 2.0]]), "column '0', row 0: 1.0 is a floating-point number"),
            ((np.array([1, 2]), np.array([1, np.nan])), "column 'target', row 1: null"),
            ((np.array([1, None], object), [1, 2]), "column 'source', row 1: null"),
            ((np.array(["a", None], object), ["b", "c"]), "column 'source', row 1: null"),
            (([1, 2], np.ma.masked_array([1, 2], [False, True])), "column 'target', row 1: null"),
            (np.ma.masked_array(np.zeros((4, 2), int), [[0, 0], [0, 0], [0, 1], [0, 0]]), "column '1', row 2: null"),
            ((np.array([b"a", b"\xff"]), np.array([b"b", b"c"])), "column 'source', row 1: b'\\xff' is not text in UTF-8"),
            ((np.array(["a", b"\xff"], object), ["b", "c"]), "column 'source', row 1: b'\\xff' is not text in UTF-8"),
            ((["a\ud800"], ["b"]), "no text in UTF-8"),
            ((["a", "b"], [1.5, 2]), "column 'target': the values are of type float64; names are text or integers"),
            (([0, 2], [-1, 2**63]), "column 'target', row 0: -1 is not between 0 and 2^64 - 1"),
            ((np.array([True]), np.array([False])), "bool"),
            ((np.array([2**70, 1], object), [1, 2]), "column 'source', row 0"),
        ):
            with self.subTest(words), self.assertRaises(emgraph.DataError) as caught:
                emgraph.cc(graph)
            self.assertIn(words, str(caught.exception))
        for graph in (3, np.zeros((2, 2, 2)), np.zeros((3, 7), int), ([1, 2], [1]), {}, ([[1], [2, 3]], [1, 2])):
            with self.assertRaises(ValueError):
                emgraph.cc(graph)


if __name__ == "__main__":
    main()
