# SPDX-License-Identifier: MIT
"""Graphs of scipy.sparse, networkx and igraph give the answers of the same edges in a file."""
import tempfile

import numpy as np
from support import Case, emgraph, main, needs, random_edges


class Graphs(Case):
    def setUp(self):
        super().setUp()
        self.edges = random_edges()
        self.weights = np.random.default_rng(3).integers(1, 50, 3000).astype(np.int64)
        self.labels = emgraph.cc(self.edges).labels

    @needs("scipy.sparse")
    def test_sparse_matrices(self):
        from scipy import sparse

        matrix = sparse.coo_matrix((self.weights, self.edges.T), shape=(500, 450))
        for form in ("coo", "csr", "csc"):
            with self.subTest(form=form):
                labels = emgraph.cc(matrix.asformat(form)).labels
                self.assertEqual(len(labels), 500)
                np.testing.assert_array_equal(labels[:400], self.labels)
        simple = matrix.tocsr()  # adds up duplicates
        forest = emgraph.mst(simple)
        rows = simple.tocoo()
        self.assertEqual(forest.summary["weight"], emgraph.mst((rows.row, rows.col, rows.data)).summary["weight"])
        again = emgraph.sort((self.edges[:, 0], self.edges[:, 1], self.weights)).edges.to_scipy()
        self.assertEqual((again.tocsr() != matrix.tocsr()[: again.shape[0], : again.shape[1]]).nnz, 0)
        parallel = emgraph.sort(np.zeros((300, 2), int)).edges.to_scipy()
        self.assertEqual(parallel.tocsr()[0, 0], 300)
        flat = sparse.coo_array(np.array([0, 1]))
        if len(flat.shape) == 1:  # SciPy before 1.13 makes a row of it
            with self.assertRaisesRegex(emgraph.UsageError, "a sparse array of edges has 2 dimensions, not 1"):
                emgraph.cc(flat)
        empty = sparse.csr_matrix((1000, 1000))
        self.assertEqual(emgraph.cc(empty).summary["components"], 1000)

    @needs("networkx")
    def test_nodes_of_paths_have_their_names(self):
        import networkx

        graph = networkx.Graph()
        graph.add_edge("a", "b", weight=2)
        graph.add_edge("b", "c", weight=1)
        result = emgraph.sssp(graph, root="a", to="c", path=True)
        self.assertEqual((result.distances, result.paths), ([("a", "c", 3)], "a\tb\tc\n"))
        numbered = emgraph.sort(([50, 60], [60, 70], [2, 1]), relabel=True)
        self.assertEqual(emgraph.sssp(numbered, root=50, to=70, path=True).paths, "50 60 70\n")
        self.assertEqual(emgraph.sssp(numbered, root=50, to=70, path=True, ids="numbers").paths, "0 1 2\n")

    @needs("networkx")
    def test_networkx(self):
        import networkx

        graph = networkx.Graph()
        graph.add_nodes_from(range(400))
        graph.add_weighted_edges_from(zip(*self.edges.T.tolist(), self.weights.tolist()))
        result = emgraph.cc(graph)
        self.assertIsNone(result.ids)
        np.testing.assert_array_equal(result.labels, self.labels)
        weight = sum(d["weight"] for *_, d in networkx.minimum_spanning_edges(graph))
        self.assertEqual(emgraph.mst(graph).summary["weight"], weight)
        ranks = networkx.pagerank(graph, weight=None, tol=1e-12)
        found = emgraph.pagerank(graph, tolerance=1e-12).ranks
        np.testing.assert_allclose(found, [ranks[v] for v in range(400)], atol=1e-9)
        ranks = networkx.pagerank(graph, tol=1e-12, personalization={7: 1, 9: 1})
        with tempfile.TemporaryDirectory() as scratch:
            np.save(scratch + "/sources.npy", np.array([7, 9], dtype=np.uint32))
            found = emgraph.pagerank(graph, weighted=True, sources=scratch + "/sources.npy", tolerance=1e-12).ranks
        np.testing.assert_allclose(found, [ranks[v] for v in range(400)], atol=1e-9)
        arcs = networkx.DiGraph(self.edges.tolist())
        arcs.add_nodes_from(range(400))
        ranks = networkx.pagerank(arcs, tol=1e-12)
        found = emgraph.pagerank(arcs, tolerance=1e-12)
        names = range(400) if found.ids is None else found.ids.tolist()
        np.testing.assert_allclose(found.ranks, [ranks[v] for v in names], atol=1e-9)
        named = networkx.DiGraph([("a", "b"), ("b", "c")])
        levels = emgraph.bfs(named, root="b")
        self.assertEqual(levels.ids.tolist(), ["a", "b", "c"])
        np.testing.assert_array_equal(levels.levels, [2**32 - 1, 0, 1])
        with self.assertRaisesRegex(emgraph.UsageError, "no node 'z'"):
            emgraph.bfs(named, root="z")
        tuples = networkx.Graph([((1, 2), 5), (5, 7), (7, 9)])
        kept = emgraph.filter(tuples, nodes_in=[(1, 2), 5, 9]).edges
        self.assertEqual([(kept.ids[row["source"]], kept.ids[row["target"]]) for row in kept.to_numpy()], [((1, 2), 5)])
        for nodes, words in (([5, (2, 1)], r"nodes_in: the graph has no node \(2, 1\)"), ([[1, 2]], "nodes_in: unhashable")):
            with self.assertRaisesRegex(emgraph.UsageError, words):
                emgraph.cc(tuples, nodes_in=nodes)
        started = emgraph.pagerank(networkx.DiGraph([(1, 2), (2, 4)]), sources=[2])
        self.assertEqual(started.ranks[started.ids.tolist().index(1)], 0)
        self.assertEqual(sorted(emgraph.mst(named, weights="unit").edges.to_networkx().edges), [("a", "b"), ("b", "c")])

    @needs("networkx")
    def test_classes_of_the_user(self):
        import networkx

        own = type("Own", (networkx.Graph,), {})([("a", "b")])
        self.assertEqual(emgraph.cc(own).ids.tolist(), ["a", "b"])

    @needs("networkx")
    def test_undirected_graphs_lead_both_ways(self):
        import networkx

        path = networkx.path_graph(3)
        found = emgraph.scc(path)
        self.assertEqual(found.labels.tolist(), [0, 0, 0])
        self.assertTrue(emgraph.check_scc(path, found))
        self.assertFalse(emgraph.check_scc(path, [0, 1, 2]))
        self.assertEqual(emgraph.scc(networkx.DiGraph(path.edges)).labels.tolist(), [0, 1, 2])
        self.assertEqual(emgraph.pagerank(path).ranks.argmax(), 1)
        for graph, arcs in ((path, 4), (networkx.DiGraph(path.edges), 2)):
            emgraph.convert(graph, output="graph.sg", force=True)
            self.assertEqual(len(emgraph.cat("graph.sg").text.splitlines()), arcs)

    @needs("networkx")
    def test_nodes_that_are_no_text(self):
        import networkx

        graph = networkx.Graph([(10, 20), (20, 30)])
        levels = emgraph.bfs(graph, root=[10, 30]).levels
        self.assertEqual(sorted(levels), [10, 30])
        self.assertEqual(levels[30].tolist(), [2, 1, 0])
        self.assertEqual(emgraph.sssp(graph, root=10, to=30, weights="unit").distances, [(10, 30, 2)])
        forest = emgraph.mst(graph, weights="unit")
        self.assertEqual(emgraph.bfs(forest, root=20).levels.tolist(), [1, 0, 1])
        self.assertEqual(emgraph.cc(graph, relabel=True).ids.tolist(), [10, 20, 30])

    @needs("networkx", "pyarrow")
    def test_nodes_that_are_no_text_in_tables(self):
        import networkx
        import pyarrow
        from pyarrow import parquet

        graph = networkx.Graph([(10, 20)])
        emgraph.cc(graph).to_parquet("labels.parquet")
        self.assertEqual(parquet.read_table("labels.parquet").to_pydict(), {"node": [10, 20], "label": [10, 10]})
        forest = emgraph.mst(graph, weights="unit")
        self.assertEqual(pyarrow.table(forest).to_pydict(), {"source": [10], "target": [20], "weight": [1]})
        self.assertEqual(pyarrow.table(forest).schema.field("source").type, pyarrow.int64())
        mixed = networkx.Graph([("a", 1), ((1, 2), "x")])
        self.assertEqual(pyarrow.table(emgraph.cc(mixed))["node"].to_pylist(), ["a", "1", "(1, 2)", "x"])
        table = pyarrow.table(emgraph.bfs(networkx.Graph([(10, 20), (40, 30)]), root=10, parents=True))
        self.assertEqual(table["parent"].to_pylist(), [10, 10, None, None])

    @needs("networkx")
    def test_weights_of_networkx(self):
        import networkx

        single = networkx.empty_graph(1)
        self.assertEqual(emgraph.sssp(single, root=0).distances.tolist(), [0])
        self.assertEqual(len(emgraph.mst(single).edges), 0)
        graph = networkx.Graph([(0, 1, {"weight": 5}), (1, 2)])
        with self.assertRaisesRegex(emgraph.DataError, r"edge \(1, 2\): found no attribute 'weight', which other edges have"):
            emgraph.mst(graph)
        self.assertEqual(emgraph.mst(graph, weights="unit").summary["weight"], 2)
        self.assertEqual(emgraph.cc(graph).labels.tolist(), [0, 0, 0])
        for weight, words in (("5", "found '5', expected a number"), (None, "found null"), (2**70, "is not between"),
                              (True, "found True")):
            graph.edges[1, 2]["weight"] = weight
            with self.subTest(words), self.assertRaisesRegex(emgraph.DataError, r"edge \(1, 2\): .*" + words):
                emgraph.sssp(graph, root=0)
        graph.edges[1, 2]["weight"] = 7
        self.assertEqual(emgraph.cc(graph, min_weight=6).labels.tolist(), [0, 1, 1])

    @needs("igraph")
    def test_igraph(self):
        import igraph

        graph = igraph.Graph(n=400, edges=self.edges.tolist())
        graph.es["weight"] = self.weights.tolist()
        np.testing.assert_array_equal(emgraph.cc(graph).labels, self.labels)
        self.assertEqual(emgraph.mst(graph).summary["weight"],
                         emgraph.mst((self.edges[:, 0], self.edges[:, 1], self.weights)).summary["weight"])
        path = igraph.Graph(edges=[(0, 1), (1, 2)])
        self.assertEqual(emgraph.scc(path).labels.tolist(), [0, 0, 0])
        self.assertEqual(len(emgraph.mst(igraph.Graph(n=1)).edges), 0)
        path.vs["name"] = ["a", "b", "a"]
        self.assertEqual(emgraph.bfs(path, root="b").levels.tolist(), [1, 0, 1])
        with self.assertRaisesRegex(emgraph.UsageError, "root: 2 nodes of the graph have the name 'a', expected one"):
            emgraph.bfs(path, root="a")
        own = type("Own", (igraph.Graph,), {})(n=3, edges=[(0, 1)])
        self.assertEqual(emgraph.cc(own).labels.tolist(), [0, 0, 2])
        path.es["weight"] = [1, None]
        with self.assertRaisesRegex(emgraph.DataError, r"edge \(1, 2\): found null, expected a number as the weight"):
            emgraph.mst(path)


if __name__ == "__main__":
    main()
