# SPDX-License-Identifier: MIT
"""Calls that were stopped go on from their checkpoints."""
import os
import signal
import warnings

import numpy as np
from support import Case, emgraph, main, random_edges


class Checkpoints(Case):
    def setUp(self):
        super().setUp()
        warnings.simplefilter("ignore", emgraph.EmgraphWarning)  # how much the checkpoint takes
        random_edges(200000, 50000).astype(np.uint32).tofile("e.u32")

    def stopped(self, **more):
        waiting = [signal.SIGTERM]

        def stop(phase, _):
            if waiting and phase == "build rows":
                os.kill(int(self.children()[0]), waiting.pop())

        with self.assertRaises(emgraph.Stopped):
            emgraph.pagerank("e.u32", checkpoint="ck", progress=stop, **more)
        self.assertIn("ck", os.listdir("."))

    def test_results_without_a_name(self):
        options = {"memory": "16M", "iterations": 30}
        whole = emgraph.pagerank("e.u32", **options)
        self.stopped(**options)
        result = emgraph.pagerank("e.u32", checkpoint="ck/", resume=True, **options)
        self.assertSame(result.ranks, whole.ranks)
        self.assertEqual(os.listdir("."), ["e.u32"])

    def test_nothing_is_left_beside_checkpoints(self):
        emgraph.cc("e.u32", checkpoint="ck", memory="16M")
        with self.assertRaises(emgraph.UsageError):
            emgraph.cc("e.u32", checkpoint="ck", model="none")
        self.assertEqual(os.listdir("."), ["e.u32"])
        self.stopped(memory="16M", output="ranks.npy")
        before = sorted(os.listdir("."))
        with self.assertRaisesRegex(emgraph.UsageError, "holds a checkpoint already"):
            emgraph.cc("e.u32", checkpoint="ck")
        self.assertEqual(sorted(os.listdir(".")), before)

    def test_nothing_of_ours_is_left_beside_files_of_others(self):
        os.mkdir("ck")
        open("ck/theirs", "w").close()
        for _ in range(2):
            emgraph.cc("e.u32", checkpoint="ck", memory="16M")
            self.assertEqual(sorted(os.listdir(".")), ["ck", "e.u32"])
            self.assertEqual(os.listdir("ck"), ["theirs"])

    def test_inputs_that_cannot_be_read_again(self):
        edges = random_edges()
        for graph, more, name in ((edges, {}, "input"), (emgraph.sort(edges), {}, "input"),
                                  ("e.u32", {"nodes_in": [1, 2]}, "nodes_in")):
            with self.assertRaisesRegex(emgraph.UsageError, f"checkpoint: {name} is no file that the program can read again"):
                emgraph.cc(graph, checkpoint="ck", **more)
        self.assertEqual(os.listdir("."), ["e.u32"])


if __name__ == "__main__":
    main()
