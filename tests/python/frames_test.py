# SPDX-License-Identifier: MIT
"""DataFrames of pandas and polars, and relations of DuckDB."""
import subprocess
import sys

import numpy as np
from support import Case, emgraph, main, needs, random_edges


@needs("pyarrow")
class Frames(Case):
    def setUp(self):
        super().setUp()
        import pyarrow

        self.edges = random_edges()
        self.labels = emgraph.cc(self.edges).labels
        self.table = pyarrow.table({"when": pyarrow.array([1.5] * 3000), "src": self.edges[:, 0].astype(np.int64),
                                    "dst": self.edges[:, 1].astype(np.int64)})

    def same(self, graph, **more):
        np.testing.assert_array_equal(emgraph.cc(graph, **more).labels, self.labels)

    @needs("polars", "pandas", "duckdb")
    def test_frames(self):
        import duckdb
        import polars

        import pandas

        self.same(polars.from_arrow(self.table))
        frame = polars.DataFrame({"src": ["a", "b"], "dst": ["b", "c"]})
        for kind in (polars.Categorical, polars.Enum(["a", "b", "c"])):
            self.assertEqual(emgraph.cc(frame.with_columns(polars.all().cast(kind))).ids.tolist(), ["a", "b", "c"])
        chunks = polars.concat([frame, frame.filter(polars.col("src") == "z"), frame], rechunk=False)
        self.assertEqual(emgraph.cc(chunks).summary["edges"], 4)
        with self.assertRaisesRegex(emgraph.DataError, "Conversion failed for column src"):
            emgraph.cc(pandas.DataFrame({"src": np.array(["a", 1], object), "dst": ["b", "c"]}))
        self.same(self.table.to_pandas())
        empty = pandas.DataFrame({"src": ["a"], "dst": ["b"]}, dtype=object).iloc[:0]
        self.assertEqual(emgraph.cc(empty).summary["edges"], 0)
        for column in (np.array(["a", pandas.NA], object), pandas.Series(["a", None], dtype="string")):
            with self.assertRaisesRegex(emgraph.DataError, "column 'source', row 1: null where a node's name"):
                emgraph.cc((column, ["b", "c"]))
        relation = duckdb.from_arrow(self.table).project("src, dst")
        self.same(relation)
        self.assertEqual(polars.DataFrame(emgraph.sort(self.edges)).shape, (3000, 2))

    @needs("pandas")
    def test_an_index_without_a_name_is_no_column(self):
        import pandas
        from pyarrow import parquet

        frame = pandas.DataFrame({"a": ["x", "y"], "n": [7, 8]}, index=[3, 1])
        with self.assertRaisesRegex(emgraph.UsageError, "no two columns of integers or text"):
            emgraph.cc(frame)
        names = pandas.DataFrame({"a": ["x", "y"], "b": ["y", "z"]}, index=[[3, 1], [4, 2]])
        self.assertEqual(emgraph.cc(names).ids.tolist(), ["x", "y", "z"])
        names.to_parquet("names.parquet")
        self.assertIn("__index_level_0__", parquet.read_schema("names.parquet").names)
        self.assertEqual(emgraph.cc("names.parquet").ids.tolist(), ["x", "y", "z"])
        self.assertEqual(emgraph.cc(frame, columns=("n", "__index_level_0__"), relabel=True).summary["edges"], 2)

    @needs("pandas", "polars")
    @needs("pandas")
    def test_an_index_with_a_name_is_a_column_also_if_it_is_a_range(self):
        import pandas

        for sources in ([3, 5, 9], [3, 4, 5]):
            frame = pandas.DataFrame({"dst": [100, 101, 102], "year": [2000, 2001, 2002]})
            for index in (pandas.Index(sources, name="src"), pandas.RangeIndex(3, 6, name="src")):
                frame.index = index
                for columns in (None, ("src", "dst")):
                    edges = emgraph.sort(frame, columns=columns).edges
                    self.assertEqual(edges.to_numpy().tolist(), [(source, 100 + i) for i, source in enumerate(index)])
        frame = pandas.DataFrame({"v": [7, 8, 9]})
        edges = emgraph.sort(frame, columns=("__index_level_0__", "v")).edges
        self.assertEqual(edges.to_numpy().tolist(), [(0, 7), (1, 8), (2, 9)])

    def test_columns_beside_those_that_arrow_cannot_express(self):
        import pandas
        import polars

        frame = self.table.to_pandas()
        frame["other"] = [object()] * 3000
        frame.index = [object()] * 3000
        self.same(frame, columns=("src", "dst"))
        self.same(frame, columns=(1, 2))
        self.same(polars.from_arrow(self.table).with_columns(polars.Series("other", [object()] * 3000, polars.Object)),
                  columns=("src", "dst"))
        with self.assertRaisesRegex(emgraph.UsageError, "DataFrame has no column 'to'; its columns: when, src, dst, other"):
            emgraph.cc(frame, columns=("src", "to"))
        with self.assertRaisesRegex(emgraph.UsageError, "columns: DataFrame has 2 columns 'a', expected one"):
            emgraph.cc(pandas.DataFrame([[1, 2]], columns=["a", "a"]), columns=("a", "a"))
        self.same(self.table.to_pandas().set_index("src"), columns=("src", "dst"))

    @needs("pandas")
    def test_no_import_of_pandas(self):
        """It would swallow Ctrl-C."""
        import pyarrow
        from pyarrow import parquet

        parquet.write_table(self.table, "e.parquet")
        parquet.write_table(pyarrow.table({"a": ["x", "y"], "b": ["z", None]}), "null.parquet")
        script = """
import sys, emgraph
from pyarrow import parquet
emgraph.cc("e.parquet")
table = parquet.ParquetFile("e.parquet").read()
emgraph.cc((table["src"], table["dst"]))
table = parquet.ParquetFile("null.parquet").read()
emgraph.cc((table["a"], table["a"]))
try:
    emgraph.cc("null.parquet")
except emgraph.DataError as error:
    print(error, "pandas" in sys.modules)
"""
        done = subprocess.run([sys.executable, "-c", script], env=self.environment(), capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout, "null.parquet: column 'b', row 1: null where a node's name was expected False\n", done.stderr)


if __name__ == "__main__":
    main()
