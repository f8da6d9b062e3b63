# SPDX-License-Identifier: MIT
"""python -m emgraph is the program; for Parquet files the program points to it."""
import os
import subprocess
import sys

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

    def test_only_the_module_itself_changes_the_handling_of_signals(self):
        os.mkdir("other")
        with open("other/user.py", "w", encoding="ascii") as file:
            file.write("import signal, emgraph\nprint(signal.getsignal(signal.SIGINT) is signal.default_int_handler)\n")
        environment = self.environment()
        environment["PYTHONPATH"] += ":" + os.path.abspath("other")
        for words in (["-m", "user", "emgraph"], ["-m", "user", "-m", "emgraph"]):
            done = subprocess.run([sys.executable, *words], env=environment, capture_output=True, text=True, check=True)
            self.assertEqual(done.stdout, "True\n")
        script = """
import signal, sys
sys.argv, sys.orig_argv = ["-m", "cc", "x"], {}
import emgraph._interrupt
print(signal.getsignal(signal.SIGINT) is signal.SIG_DFL)
"""
        for own, reset in ((["python3", "-m", "emgraph", "cc", "x"], True), (["python3", "-Bmemgraph", "cc", "x"], True),
                           (["python3", "-m", "other", "emgraph", "x"], False), ([], False)):
            done = subprocess.run([sys.executable, "-c", script.replace("{}", repr(own))], env=environment, capture_output=True,
                                  text=True, check=True)
            self.assertEqual(done.stdout, f"{reset}\n", own)

    def test_the_program_points_to_it(self):
        with open("edges.parquet", "wb") as file:
            file.write(b"PAR1....PAR1")
        done = subprocess.run([emgraph.program(), "cc", "edges.parquet"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 3)
        self.assertIn("python3 -m emgraph", done.stderr)


if __name__ == "__main__":
    main()
