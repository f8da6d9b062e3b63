#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kills executors with SIGKILL while they find components, and compares the labels with `emgraph cc`.

    kill_executors.py [--scale 20] [--kills 10] [--dir DIR]

One executor dies at a time, at moments spread over the run; Spark starts another one and repeats its tasks. At the end
no file of emgraph may stand on the scratch disks, and no process of emgraph may run.
"""
import argparse
import os
import pathlib
import random
import signal
import tempfile
import threading
import time

import numpy as np
from cluster import Cluster, processes
from components import labels_of, make, verdict

import emgraph
import emgraph.spark


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--scale", type=int, default=20)
    parser.add_argument("--kills", type=int, default=10, help="runs, each with one executor killed")
    parser.add_argument("--files", action="store_true", help="give the path of the files, not a DataFrame")
    parser.add_argument("--memory", default="256M")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dir", default=None)
    options = parser.parse_args()
    scratch = pathlib.Path(options.dir or tempfile.mkdtemp(prefix="emgraph-spark-"))
    moments = random.Random(options.seed)
    graph = make(options.scale, scratch / f"kron{options.scale}.parquet")
    alone = emgraph.cc(graph, relabel=True)
    expected = alone.ids.astype(np.int64), alone.ids[alone.labels].astype(np.int64)
    wrong = 0
    with Cluster(scratch / "cluster") as cluster:
        spark = cluster.session()
        frame = spark.read.parquet(str(graph))

        def run():
            given = str(graph) if options.files else frame
            labels = emgraph.spark.connected_components(given, "src", "dst", memory=options.memory)
            labels.write.mode("overwrite").parquet(str(scratch / "labels.parquet"))
            return verdict(labels_of(scratch / "labels.parquet", ["node", "component"]), expected)

        run()
        start = time.monotonic()
        run()
        usual = time.monotonic() - start
        for number in range(options.kills):
            delay = usual * (number + moments.random()) / options.kills
            killed = []

            def kill():
                time.sleep(delay)
                for executor in moments.sample(cluster.executors(), 1):
                    os.kill(executor, signal.SIGKILL)
                    killed.append(executor)

            thread = threading.Thread(target=kill)
            thread.start()
            same = run()
            thread.join()
            wrong += same != "equal"
            print(f"executor killed after {delay:.1f} of {usual:.1f} s: labels {same}", flush=True)
        spark.stop()
    time.sleep(1)
    left = cluster.scratch_files()
    running = [process for process in processes([1]) if _is_emgraph(process)]
    print(f"{options.kills} kills: {wrong} wrong, {len(left)} files left, {len(running)} processes left")
    return 1 if wrong or left or running else 0


def _is_emgraph(process):
    try:
        return os.readlink(f"/proc/{process}/exe") == os.path.realpath(emgraph.program())
    except OSError:
        return False


if __name__ == "__main__":
    raise SystemExit(main())
