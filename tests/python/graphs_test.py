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
        empty = sparse.csr_matrix((1000, 1000))
        self.assertEqual(emgraph.cc(empty).summary["components"], 1000)

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
        self.assertEqual(sorted(emgraph.mst(named, weights="unit").edges.to_networkx().edges), [("a", "b"), ("b", "c")])

    @needs("igraph")
    def test_igraph(self):
        import igraph

        graph = igraph.Graph(n=400, edges=self.edges.tolist())
        graph.es["weight"] = self.weights.tolist()
        np.testing.assert_array_equal(emgraph.cc(graph).labels, self.labels)
        self.assertEqual(emgraph.mst(graph).summary["weight"],
                         emgraph.mst((self.edges[:, 0], self.edges[:, 1], self.weights)).summary["weight"])


if __name__ == "__main__":
    main()
