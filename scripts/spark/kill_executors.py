#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kills an executor with SIGKILL in every stage of every function of emgraph.spark, and compares the answers with the program.

    kill_executors.py [--scale 15] [--functions all] [--dir DIR]

A run without a kill counts the stages of a function. Then there is a run for each stage, in which an executor that has a task
of the stage dies at a random moment of it; Spark starts another one and repeats tasks. A kill counts if Spark saw the task fail or
began the stage again; otherwise the run is repeated. At the end no file of any kind may stand on the scratch disks or in the
executors' directories for temporary files, and no process of the cluster may run. Exit code 1 if something differs.
"""
import argparse
import os
import pathlib
import random
import signal
import tempfile
import threading
import time

from answers import Graph, chosen, columns_of, make, rows_of, verdict
from cluster import Cluster

ATTEMPTS = 6  # to kill within a stage, before the stage counts as missed


class Watcher:
    """Follows the stages of a run in a thread of its own; kills an executor in stage number `kill_at`, if it is given.

    `stages`: id and seconds of each stage, in the order in which their tasks began. `hit`: the kill struck a task.
    """

    def __init__(self, spark, cluster, kill_at=None, delay=0.0):
        self._context, self._cluster = spark.sparkContext, cluster
        self._kill_at, self._delay = kill_at, delay
        self._begun, self.stages, self.hit, self.killed = {}, {}, False, None
        self._done = threading.Event()

    def __enter__(self):
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._done.set()
        self._thread.join()

    def _watch(self):
        tracker = self._context.statusTracker()
        while not self._done.is_set():
            active = tracker.getActiveStageIds()
            for stage in sorted(active):
                info = tracker.getStageInfo(stage)
                if stage not in self._begun and info is not None and info.numActiveTasks > 0:
                    self._begun[stage] = time.monotonic()
                    if len(self._begun) - 1 == self._kill_at:
                        self._kill(tracker, stage)
            for stage, begun in self._begun.items():
                if stage in active:
                    self.stages[stage] = time.monotonic() - begun
                self.stages.setdefault(stage, 0.0)
            time.sleep(0.003)

    def _kill(self, tracker, stage):
        time.sleep(self._delay)
        busy = [name for name, tasks in self._tasks() if tasks > 0]
        executors = self._cluster.executors()
        victims = [process for process, name in executors.items() if name in busy]
        if not victims or stage not in tracker.getActiveStageIds():
            return
        self.killed = random.choice(victims)
        os.kill(self.killed, signal.SIGKILL)
        active = True
        while active and not self.hit and not self._done.is_set():
            active = stage in tracker.getActiveStageIds()  # a stage that fails ends, and then begins again
            info = tracker.getStageInfo(stage)
            self.hit = info is not None and (info.numFailedTasks > 0 or info.currentAttemptId > 0)
            time.sleep(0.003)

    def _tasks(self):
        """Executors by name, with the number of their tasks."""
        executors = self._context._jsc.sc().statusStore().executorList(True)
        return [(executors.apply(i).id(), executors.apply(i).activeTasks()) for i in range(executors.size())]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--scale", type=int, default=15)
    parser.add_argument("--functions", default="all", help="names, separated by semicolons")
    parser.add_argument("--files", action="store_true", help="give the path of the files, not rows of Spark")
    parser.add_argument("--partitions", type=int, default=9, help="of the DataFrame; more than 8 make a tree of merges")
    parser.add_argument("--memory", default="64M")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dir", default=None)
    options = parser.parse_args()
    functions = chosen(options.functions)
    scratch = pathlib.Path(options.dir or tempfile.mkdtemp(prefix="emgraph-spark-"))
    random.seed(options.seed)
    directory = make(options.scale, scratch / f"weighted{options.scale}.parquet", weights=True)
    graph = Graph(directory)
    wrong = missed = kills = 0
    print("| function | stages | struck by a kill | kills | runs | answers |\n|---|---|---|---|---|---|", flush=True)
    with Cluster(scratch / "cluster") as cluster:
        spark = cluster.session(**{
            "spark.ui.liveUpdate.period": "0",
            "spark.sql.files.openCostInBytes": "1",
            "spark.sql.files.minPartitionNum": str(options.partitions),
        })
        out = scratch / "result.parquet"
        for name, function in functions.items():
            expected = function.answer(graph)

            def run(**how):
                edges = str(directory) if options.files else rows_of(spark, directory)
                with Watcher(spark, cluster, **how) as watcher:
                    result = function.frame(edges, graph.root, memory=options.memory)
                    result.write.mode("overwrite").parquet(str(out))
                return watcher, verdict(name, columns_of(out, function.columns), expected)

            usual, same = run()
            answers, hits, before = [same], 0, kills
            for number, seconds in enumerate(usual.stages.values()):
                for attempt in range(ATTEMPTS):
                    delay = 0.4 * seconds * random.random() / (1 + 4 * attempt)
                    watcher, same = run(kill_at=number, delay=delay)
                    answers.append(same)
                    kills += watcher.killed is not None
                    if watcher.hit:
                        hits += 1
                        break
                else:
                    missed += 1
            wrong += answers.count("DIFFERENT")
            said = "equal" if set(answers) == {"equal"} else f"{answers.count('DIFFERENT')} of {len(answers)} DIFFERENT"
            print(f"| {name} | {len(usual.stages)} | {hits} | {kills - before} | {len(answers)} | {said} |", flush=True)
        spark.stop()
        left = cluster.left_files()
    left += cluster.left_files()
    running = cluster.left_processes()
    print(f"\n{kills} executors killed: {wrong} wrong answers, {missed} stages missed, {len(left)} files left, "
          f"{len(running)} processes left")
    for each in left + running:
        print(f"left: {each}")
    return 1 if wrong or missed or left or running else 0


if __name__ == "__main__":
    raise SystemExit(main())
