# SPDX-License-Identifier: MIT
"""emgraph.spark on a local session: the same answers as the command line, for any partitions, ids and weights."""
import os
import sys
import tempfile
import unittest
import unittest.mock

import numpy as np

import emgraph

try:
    import pyarrow as pa
    import pyarrow.parquet as parquet
    from pyspark.sql import SparkSession

    import emgraph.spark as graphs
    from emgraph.spark._files import around, listed
    from emgraph.spark._scans import scanned
except ImportError as missing:
    print(f"SKIPPED: {missing}")
    raise SystemExit(0)

NODES = 600


def random_edges(seed):
    """Multigraph of some components, with loops, duplicates, and nodes that only a loop has."""
    numbers = np.random.default_rng(seed)
    ends = numbers.integers(0, NODES // 2, (900, 2)) + NODES // 2 * numbers.integers(0, 2, (900, 1))
    loops = np.repeat(np.arange(NODES, NODES + 5), 2).reshape(-1, 2)
    return np.concatenate([ends, ends[:100], loops, ends[:3, :1].repeat(2, axis=1)])


class Spark(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        cls.scratch = tempfile.TemporaryDirectory()
        cls.spark = (
            SparkSession.builder.master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.memory", "1g")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.local.dir", cls.scratch.name)
            .config("spark.sql.shuffle.partitions", "3")
            .getOrCreate()
        )
        cls.spark.sparkContext.setLogLevel("OFF")

    @classmethod
    def tearDownClass(cls):
        left = [os.path.join(folder, name) for folder, folders, names in os.walk(cls.scratch.name)
                for name in names + folders if name.startswith("emgraph-")]
        cls.spark.stop()
        cls.scratch.cleanup()
        assert not left, left

    def frame(self, edges, partitions, names=("src", "dst")):
        table = pa.table([np.ascontiguousarray(edges[:, i]) for i in range(edges.shape[1])], names=names)
        return self.spark.createDataFrame(table).repartition(partitions)

    def rows(self, frame):
        return sorted(map(tuple, frame.collect()))

    def test_same_answers_for_any_partitions_and_ids(self):
        edges = random_edges(1)
        for partitions, scale in ((1, 1), (3, 1), (20, 10**16)):
            with self.subTest(partitions=partitions, scale=scale):
                given = edges * scale
                frame = self.frame(given, partitions)
                found = emgraph.cc(given, relabel=True, forest=True)
                ids = found.ids.tolist()
                expected = [(node, ids[label]) for node, label in zip(ids, found.labels.tolist())]
                self.assertEqual(self.rows(graphs.connected_components(frame)), expected)
                forest = sorted((ids[s], ids[t]) for s, t in zip(found.forest.source.tolist(), found.forest.target.tolist()))
                self.assertEqual(self.rows(graphs.spanning_forest(frame)), forest)

                simple = emgraph.sort(given, unique=True, no_loops=True, orient="low").edges
                pairs = list(zip(simple.source.tolist(), simple.target.tolist()))
                self.assertEqual([tuple(row) for row in graphs.simplify(frame).collect()], pairs)

                members = emgraph.mis(given, relabel=True)
                self.assertEqual(self.rows(graphs.maximal_independent_set(frame)), [(ids[v],) for v in members.nodes.tolist()])

                degrees = emgraph.stats(given, relabel=True, output=True).degrees
                self.assertEqual(self.rows(graphs.degrees(frame)), list(zip(ids, degrees.tolist())))

                root = int(given[7, 0])
                search = emgraph.bfs(given, root=root, parents=True, relabel=True)
                none = np.iinfo(search.levels.dtype).max
                rows = [(v, None, None) if level == none else (v, level, ids[parent])
                        for v, level, parent in zip(ids, search.levels.tolist(), search.parents.tolist())]
                key = lambda row: row[0]
                self.assertEqual(sorted(map(tuple, graphs.bfs(frame, root=root).collect()), key=key), rows)

    def test_parquet_files_are_read_by_the_tasks(self):
        edges = random_edges(6)
        weights = np.random.default_rng(7).integers(0, 9, len(edges)).astype(np.int32)
        directory = os.path.join(self.scratch.name, "edges.parquet")
        os.makedirs(os.path.join(directory, "_delta_log"))
        table = pa.table([edges[:, 1].astype(np.uint32), edges[:, 0].copy(), weights], names=["to", "from", "w"])
        for part in range(3):
            parquet.write_table(table.slice(350 * part, 350), os.path.join(directory, f"{part}.parquet"), row_group_size=100)
        with open(os.path.join(directory, "_delta_log", "x.parquet"), "w", encoding="ascii") as file:
            file.write("not a table")
        scan = self.spark.read.parquet(*(os.path.join(directory, f"{part}.parquet") for part in range(3)))
        frame = scan.where("w >= 0")  # has to be read by Spark
        one = os.path.join(directory, "1.parquet")
        for paths, same in ((directory, frame), (scan, frame), (one, self.spark.read.parquet(one).where("w >= 0"))):
            for name in ("connected_components", "spanning_forest", "degrees", "simplify", "pagerank"):
                function = getattr(graphs, name)
                self.assertEqual(self.rows(function(paths, "from", "to")), self.rows(function(same, "from", "to")), name)
        forest = graphs.minimum_spanning_forest(directory, "from", "to", "w")
        self.assertEqual(self.rows(forest), self.rows(graphs.minimum_spanning_forest(frame, "from", "to", "w")))
        self.assertEqual(graphs.triangle_count(directory, "from", "to"), graphs.triangle_count(frame, "from", "to"))
        names = os.path.join(self.scratch.name, "names.parquet")
        parquet.write_table(pa.table({"a": ["x", "y"], "b": ["y", "z"]}), names)
        self.assertEqual(self.rows(graphs.connected_components(names, "a", "b")), [("x", "x"), ("y", "x"), ("z", "x")])
        with self.assertRaisesRegex(TypeError, "column 'b' is of type string; weights"):
            mixed = os.path.join(self.scratch.name, "mixed.parquet")
            parquet.write_table(pa.table({"src": [1], "dst": [2], "b": ["y"]}), mixed)
            graphs.minimum_spanning_forest(mixed, "src", "dst", "b")
        with self.assertRaisesRegex(ValueError, "1.parquet: there is no column 'src'; columns: to, from, w"):
            graphs.connected_components(one)
        with self.assertRaisesRegex(FileNotFoundError, "none.parquet"):
            graphs.connected_components("none.parquet")

    def test_only_mere_scans_of_files_are_read_by_the_tasks(self):
        directory = os.path.join(self.scratch.name, "some of 100%.parquet")
        os.makedirs(os.path.join(directory, "day=1"))
        files = [os.path.join(directory, "day=1", name) for name in ("a b.parquet", "c.parquet")]
        for number, file in enumerate(files):
            parquet.write_table(pa.table({"src": [number], "dst": [number + 1]}), file)
        scan = self.spark.read.parquet(directory)
        found = [(file, os.path.getsize(file)) for file in files]
        self.assertEqual(scanned(scan, ["src", "dst"]), found)
        self.assertEqual(scanned(scan.select("dst", "src"), ["src", "dst"]), found)
        self.assertEqual(self.rows(graphs.connected_components(scan)), [(0, 0), (1, 0), (2, 0)])
        cached = self.spark.read.parquet(directory).cache()
        for number, other in enumerate((scan.where("src > 0"), scan.limit(1), scan.selectExpr("src + 1 as src", "dst"),
                                        scan.union(scan), scan.withColumnRenamed("day", "src2"), cached)):
            self.assertIsNone(scanned(other, ["src", "dst"]), number)
        cached.unpersist()
        self.assertIsNone(scanned(scan, ["src", "day"]), "a column of the directories' names")
        table = os.path.join(self.scratch.name, "edges.csv")
        with open(table, "w", encoding="ascii") as file:
            file.write("1,2\n")
        self.assertIsNone(scanned(self.spark.read.csv(table, schema="src long, dst long"), ["src", "dst"]))

    def test_urls_of_files_keep_what_stands_around_the_path(self):
        for name in ("a.parquet", "x=1/b.parquet"):
            path = os.path.join(self.scratch.name, "urls", name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            parquet.write_table(pa.table({"src": [1], "dst": [2]}), path)
        root = f"file://{self.scratch.name}/urls"
        for given in (root, root + "/"):
            self.assertEqual([url for url, _ in listed(given)], [root + "/a.parquet", root + "/x=1/b.parquet"])
        self.assertEqual(self.rows(graphs.connected_components(root + "/")), [(1, 1), (2, 1)])
        self.assertEqual(around("s3://bucket/edges/?region=x", "bucket/edges"), ("s3://", "?region=x"))
        self.assertEqual(around("hdfs://host:9000/edges", "/edges"), ("hdfs://host:9000", ""))
        with self.assertRaisesRegex(ValueError, "a%20b: its path in the file system is /a b"):
            around("file:///a%20b", "/a b")

    def test_directed_search(self):
        frame = self.frame(np.array([[0, 1], [2, 1], [1, 3]]), 2)
        rows = sorted(map(tuple, graphs.bfs(frame, root=0, directed=True).collect()))
        self.assertEqual(rows, [(0, 0, 0), (1, 1, 0), (2, None, None), (3, 2, 1)])

    def test_ranks_have_the_bits_of_the_command_line(self):
        edges = random_edges(4)
        for partitions, rule in ((1, {}), (5, {"undirected": True, "iterations": 7, "damping": 0.5})):
            found = emgraph.pagerank(edges, relabel=True, **rule)
            expected = list(zip(found.ids.tolist(), found.ranks.tolist()))
            self.assertEqual(self.rows(graphs.pagerank(self.frame(edges, partitions), **rule)), expected)

    def test_triangles_for_any_colours(self):
        numbers = np.random.default_rng(5)
        edges = numbers.integers(0, 60, (500, 2))
        expected = emgraph.triangles(edges).summary["triangles"]
        self.assertGreater(expected, 100)
        for colours in (1, 2, 3, 5):
            self.assertEqual(graphs.triangle_count(self.frame(edges, 3), colours=colours), expected)

    def test_minimum_forest_of_integer_and_floating_weights(self):
        edges = random_edges(2)
        numbers = np.random.default_rng(3)
        for kind in (np.int64, np.float64, np.float32):
            weights = numbers.integers(-5, 6, len(edges)).astype(kind)
            found = emgraph.mst((edges[:, 0], edges[:, 1], weights)).edges
            expected = sorted(zip(found.source.tolist(), found.target.tolist(), found.weight.tolist()))
            table = pa.table([edges[:, 0].copy(), edges[:, 1].copy(), weights], names=["a", "b", "w"])
            frame = self.spark.createDataFrame(table).repartition(4)
            self.assertEqual(self.rows(graphs.minimum_spanning_forest(frame, "a", "b", "w")), expected)

    def test_names(self):
        edges = [("b", "a"), ("c", "b"), ("x y", "ä,\""), ("z", "z")]
        frame = self.spark.createDataFrame(edges, "src string, dst string").repartition(3)
        self.assertEqual(self.rows(graphs.connected_components(frame)),
                         [("a", "a"), ("b", "a"), ("c", "a"), ("x y", "x y"), ("z", "z"), ("ä,\"", "x y")])
        self.assertEqual(self.rows(graphs.simplify(frame)), [("a", "b"), ("b", "c"), ("x y", "ä,\"")])
        found = {row[0]: (row[1], row[2]) for row in graphs.bfs(frame, root="c").collect()}
        self.assertEqual(found["a"], (2, "b"))
        self.assertEqual(found["z"], (None, None))
        with self.assertRaisesRegex(ValueError, "no edge has the node 'q'"):
            graphs.bfs(frame, root="q")

    def test_plans_with_other_numbers_of_partitions(self):
        # Spark may find one partition when it is asked for the number, and three when it runs.
        frame = self.frame(np.array([[1, 0], [2, 1], [3, 2], [9, 8]]), 3)
        with unittest.mock.patch("emgraph.spark._frames.Rows.parts", 1):
            self.assertEqual(self.rows(graphs.connected_components(frame)), [(0, 0), (1, 0), (2, 0), (3, 0), (8, 8), (9, 8)])

    def test_no_edges(self):
        frame = self.spark.createDataFrame([], "src long, dst long")
        self.assertEqual(self.rows(graphs.connected_components(frame)), [])
        self.assertEqual(self.rows(graphs.simplify(frame)), [])
        self.assertEqual(graphs.triangle_count(frame), 0)

    def test_bad_edges_say_what_and_where(self):
        def message(rows, schema="src long, dst long", name="connected_components", **options):
            frame = self.spark.createDataFrame(rows, schema).coalesce(1)
            names = [field.split()[0] for field in schema.split(", ")]
            with self.assertRaises(Exception) as failed:
                found = getattr(graphs, name)(frame, *names, **options)
                found if isinstance(found, int) else found.collect()
            return str(failed.exception)

        for name in ("connected_components", "degrees", "simplify", "triangle_count", "pagerank"):
            self.assertIn("column 'b': null where a node id was expected; in this row 'a' is 3",
                          message([(1, 2), (3, None)], "a long, b long", name))
        self.assertIn("column 'src': -4 is negative; node ids are not; in this row 'dst' is 5", message([(1, 2), (-4, 5)]))
        self.assertIn("column 'b': null where a node's name was expected", message([("x", None)], "a string, b string"))
        self.assertIn("column 'w': null where a weight was expected; in this row 'a' is 2, 'b' is 3",
                      message([(1, 2, 0.5), (2, 3, None)], "a long, b long, w double", "minimum_spanning_forest"))
        self.assertIn("-M", message([(1, 2)], memory="1M"))
        with self.assertRaisesRegex(ValueError, "no column 'from'"):
            graphs.degrees(self.spark.createDataFrame([(1, 2)], "src long, dst long"), "from", "dst")
        with self.assertRaisesRegex(TypeError, "column 'dst' is of type double"):
            graphs.degrees(self.spark.createDataFrame([(1, 2.0)], "src long, dst double"))
        twice = self.spark.createDataFrame([(1, 2, 3)], "a long, b long, c long").toDF("src", "dst", "src")
        with self.assertRaisesRegex(ValueError, "more than one column 'src'; columns: src, dst, src"):
            graphs.degrees(twice)
        with self.assertRaisesRegex(TypeError, "edges: a DataFrame of Spark or the paths of Parquet files, not int"):
            graphs.degrees(42)

    def test_bad_options_say_what(self):
        frame = self.spark.createDataFrame([(1, 2)], "src long, dst long")
        for root, kind in ((1.5, TypeError), ("1", TypeError), (-1, ValueError), (None, TypeError)):
            with self.assertRaisesRegex(kind, f"root: {root!r} is "):
                graphs.bfs(frame, root=root)
        with self.assertRaisesRegex(TypeError, "root: 1 is no string"):
            graphs.bfs(self.spark.createDataFrame([("1", "2")], "src string, dst string"), root=1)
        with self.assertRaisesRegex(ValueError, "colours: 0 is less than 1"):
            graphs.triangle_count(frame, colours=0)
        with self.assertRaisesRegex(ValueError, "partitions: 0 is less than 1"):
            graphs.simplify(frame, partitions=0)

    def test_dots_in_names_of_columns(self):
        frame = self.spark.createDataFrame([(1, 2, 7)], "a long, b long, c long").toDF("e.src", "e.dst", "`w")
        self.assertEqual(self.rows(graphs.minimum_spanning_forest(frame, "e.src", "e.dst", "`w")), [(1, 2, 7)])

    def test_files_that_differ_are_refused_with_their_path(self):
        def message(name, *tables):
            directory = os.path.join(self.scratch.name, name)
            os.makedirs(directory)
            for number, table in enumerate(tables):
                parquet.write_table(pa.table(table), os.path.join(directory, f"{number}.parquet"))
            with self.assertRaises(Exception) as failed:
                graphs.connected_components(directory).collect()
            return str(failed.exception)

        good = {"src": [1], "dst": [2]}
        self.assertIn("1.parquet: there is no column 'src'; another file of the edges has it",
                      message("d1", good, {"from": [1], "dst": [2]}))
        self.assertIn("1.parquet: column 'dst' is of type string, in another file of numbers",
                      message("d2", good, {"src": [1], "dst": ["2"]}))
        self.assertIn("1.parquet: column 'src': ", message("d3", good, {"src": pa.array([2**63], pa.uint64()), "dst": [2]}))
        self.assertIn("1.parquet: column 'dst': null where a node id was expected; in this row 'src' is 8",
                      message("d4", good, {"src": [7, 8], "dst": [2, None]}))


if __name__ == "__main__":
    unittest.main()
