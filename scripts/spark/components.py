#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Connected components of Kronecker graphs on a Spark cluster of two workers of one core: emgraph.spark and GraphX.

    components.py [--scales 18,20,22] [--graphx 18,20] [--dir DIR]

Parquet in, Parquet out; the start of the session is not counted, and each program has solved a small graph in it before,
so that the JVMs have compiled their code. The labels are compared with `emgraph cc`, whose CPU seconds from the same
Parquet files through the Python package are shown, too. CPU seconds are those of master, workers, executors, their Python
and emgraph processes, and the driver; the last columns split them.
"""
import argparse
import pathlib
import resource
import tempfile

import numpy as np
from answers import columns_of, make, rows_of, verdict
from cluster import Cluster

import emgraph
import emgraph.spark

WARM_UP_SCALE = 10


def graphx(spark, frame, out):
    """Components by GraphX, through its Scala classes."""
    jvm = spark.sparkContext._jvm
    encoders = jvm.org.apache.spark.sql.Encoders
    pair = encoders.tuple(encoders.scalaLong(), encoders.scalaLong())
    tuples = getattr(frame.select(frame.src.cast("long").alias("_1"), frame.dst.cast("long").alias("_2"))._jdf, "as")(pair).rdd()
    tag = getattr(jvm, "scala.reflect.ClassTag$").__getattr__("MODULE$").Int()
    level = jvm.org.apache.spark.storage.StorageLevel.MEMORY_AND_DISK_SER()
    graph = jvm.org.apache.spark.graphx.Graph.fromEdgeTuples(tuples, 1, jvm.scala.Option.empty(), level, level, tag)
    labels = jvm.org.apache.spark.graphx.lib.ConnectedComponents.run(graph, tag, tag).vertices()
    spark._jsparkSession.createDataset(labels, pair).write().mode("overwrite").parquet(str(out))


def by_emgraph(edges, out, memory):
    labels = emgraph.spark.connected_components(edges, "src", "dst", memory=memory)
    labels.write.mode("overwrite").parquet(str(out))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--scales", default="18,20,22")
    parser.add_argument("--graphx", default="18,20", help="scales that GraphX solves, too")
    parser.add_argument("--memory", default="512M", help="of an emgraph process")
    parser.add_argument("--java-options", default="", help="of the JVMs of executors and driver, for both programs")
    parser.add_argument("--dir", default=None, help="for graphs, results and scratch")
    options = parser.parse_args()
    scratch = pathlib.Path(options.dir or tempfile.mkdtemp(prefix="emgraph-spark-"))
    wrong = 0
    small = make(WARM_UP_SCALE, scratch / f"kron{WARM_UP_SCALE}.parquet")
    print("| scale | program | labels | seconds | CPU seconds | JVMs | Python | emgraph |\n|---|---|---|---|---|---|---|---|")
    for scale in map(int, options.scales.split(",")):
        graph = make(scale, scratch / f"kron{scale}.parquet")
        start = resource.getrusage(resource.RUSAGE_CHILDREN), resource.getrusage(resource.RUSAGE_SELF)
        alone = emgraph.cc(graph, relabel=True, memory=options.memory)
        end = resource.getrusage(resource.RUSAGE_CHILDREN), resource.getrusage(resource.RUSAGE_SELF)
        cpu = sum(e.ru_utime + e.ru_stime - s.ru_utime - s.ru_stime for s, e in zip(start, end))
        expected = alone.ids.astype(np.int64), alone.ids[alone.labels].astype(np.int64)
        print(f"| {scale} | emgraph.cc | | {alone.summary['seconds']:.1f} | {cpu:.1f} | | | |", flush=True)
        with Cluster(scratch / f"cluster-{scale}") as cluster:
            java = options.java_options
            settings = {f"spark.{jvm}.extraJavaOptions": java for jvm in ("executor", "driver")} if java else {}
            spark = cluster.session(**settings)
            programs = [
                ("emgraph.spark of files", lambda path, out: by_emgraph(path, out, options.memory), ["node", "component"]),
                ("emgraph.spark of rows", lambda path, out: by_emgraph(rows_of(spark, path), out, options.memory),
                 ["node", "component"]),
            ]
            if str(scale) in options.graphx.split(","):
                programs.append(("GraphX", lambda path, out: graphx(spark, spark.read.parquet(path), out), ["_1", "_2"]))
            for name, solve, columns in programs:
                out = scratch / f"{name}.parquet"
                solve(str(small), out)
                with cluster.measured() as used:
                    solve(str(graph), out)
                same = verdict(name, columns_of(out, columns), expected)
                wrong += same != "equal"
                parts = " | ".join(f"{used.parts[part]:.1f}" for part in ("java", "python", "emgraph"))
                print(f"| {scale} | {name} | {same} | {used.seconds:.1f} | {used.cpu_seconds:.1f} | {parts} |", flush=True)
            spark.stop()
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
