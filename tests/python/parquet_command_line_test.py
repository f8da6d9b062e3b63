# SPDX-License-Identifier: MIT
"""python -m emgraph reads and writes Parquet files."""
import json
import os

import numpy as np
from support import Case, emgraph, main, needs, random_edges


@needs("pyarrow")
class ParquetCommandLine(Case):
    def test_parquet_in_and_out(self):
        import pyarrow
        from pyarrow import parquet

        edges = random_edges()
        parquet.write_table(pyarrow.table({"x": [0] * 3000, "src": edges[:, 0], "dst": edges[:, 1]}), "edges.parquet")
        labels = emgraph.cc(edges).labels
        done = self.module("cc", "edges.parquet", "-o", "labels.parquet")
        self.assertIn("components", done.stdout)
        table = parquet.read_table("labels.parquet")
        self.assertEqual(table.column_names, ["node", "label"])
        np.testing.assert_array_equal(table["label"].to_numpy(), labels)
        self.assertIn("exists already", self.module("cc", "edges.parquet", "-o", "labels.parquet", code=2).stderr)
        done = self.module("cc", "edges.parquet", "--cols", "dst,src", "-fo", "labels.parquet", "--json")
        self.assertEqual(json.loads(done.stdout)["output"], "labels.parquet")
        self.module("cc", "edges.parquet", "--cols=2,3", "-q", "-o", "labels.npy", "-M64M")
        self.assertSame(np.load("labels.npy"), labels)
        edges.tofile("e.u32")
        self.module("sort", "-u", "e.u32", "-o", "sorted.parquet")
        self.assertEqual(parquet.read_table("sorted.parquet").num_rows, len(np.unique(edges, axis=0)))
        self.module("bfs", "edges.parquet", "--root=3", "--parents", "parents.parquet", "-o", "levels.parquet")
        self.assertEqual(parquet.read_table("parents.parquet").column_names, ["node", "parent"])
        self.module("check", "cc", "edges.parquet", "labels.npy")
        np.save("wrong.npy", np.zeros_like(labels) + 1)
        self.module("check", "cc", "edges.parquet", "wrong.npy", code=1)

    def test_errors(self):
        import pyarrow
        from pyarrow import parquet

        parquet.write_table(pyarrow.table({"a": [1, None], "b": [1, 2]}), "bad.parquet")
        self.assertIn("emgraph cc: column 'a', row 1: null", self.module("cc", "bad.parquet", code=3).stderr)
        parquet.write_table(pyarrow.table({"a": [1, 3], "b": [1, 2]}), "good.parquet")
        self.assertIn("least", self.module("cc", "good.parquet", "-M", "1M", code=4).stderr)
        self.assertIn("unknown option", self.module("cc", "bad.parquet", "--nothing", code=2).stderr)
        self.module("cc", "missing.parquet", code=4)
        self.assertEqual(sorted(os.listdir(".")), ["bad.parquet", "good.parquet"])


if __name__ == "__main__":
    main()
