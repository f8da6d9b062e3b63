# SPDX-License-Identifier: MIT
"""python -m emgraph is the program; for Parquet files the program points to it."""
import json
import os
import subprocess

import numpy as np
from support import Case, emgraph, main, random_edges


class CommandLine(Case):
    def test_it_is_the_program(self):
        random_edges().tofile("e.u32")
        self.assertEqual(self.module("--version").stdout, self.program("--version").decode())
        self.assertEqual(self.module("cc", "--help").stdout, self.program("cc", "--help").decode())
        self.module("cc", "e.u32", "-o", "a.npy")
        self.program("cc", "e.u32", "-o", "b.npy")
        self.assertSame(np.load("a.npy"), np.load("b.npy"))
        self.assertIn("did you mean", self.module("cc", "e.u32", "--memry=1G", code=2).stderr)
        self.module("nothing", code=2)

    def test_the_program_points_to_it(self):
        with open("edges.parquet", "wb") as file:
            file.write(b"PAR1....PAR1")
        done = subprocess.run([emgraph.program(), "cc", "edges.parquet"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 3)
        self.assertIn("python3 -m emgraph", done.stderr)


if __name__ == "__main__":
    main()
