# SPDX-License-Identifier: MIT
"""Graph questions on DataFrames of Spark: the same answers as emgraph's command line on the same edges.

    from emgraph.spark import connected_components
    labels = connected_components(edges, "src", "dst", memory="2G")

Each function takes a DataFrame of edges, or the paths of Parquet files (a path, a directory, a list), and the names of two
columns. Tasks read files themselves: their edges never become rows of the JVM, which saves most of the CPU time. Ids are
integers from 0 on (of any size up to 2^63 - 1, with gaps or without) or strings. Spark moves the data, schedules and repeats
what fails; on the executors an emgraph process of its own works on each partition, below `memory`, with its temporary data
on the executor's scratch disks. Null ids and negative ids fail the job with the column and what else is in the row; null
strings with the column.

What the partitions are reduced to, and why the result does not depend on them, is in SPARK.md beside this package.
"""
from __future__ import annotations

from typing import Optional

from pyspark.sql import DataFrame
from pyspark.sql import functions as sql

from . import _kernels
from ._frames import Edges, Ids, merged, on_partitions, reduced, single
from ._triangles import count_triangles

__all__ = [
    "bfs", "connected_components", "degrees", "maximal_independent_set", "minimum_spanning_forest", "pagerank",
    "simplify", "spanning_forest", "triangle_count",
]


def connected_components(
    edges: Edges, source: str = "src", target: str = "dst", *, memory: str = "1G", threads: int = 1
) -> DataFrame:
    """Columns node, component: the smallest id of the node's component, for each node of an edge.

    Each partition becomes a spanning forest, of at most n - 1 edges; forests are merged until few are left, whose
    components are those of the graph.
    """
    ids = Ids(edges, source, target)
    labels = merged(ids.edges, _kernels.Forest(memory, threads, loops=True), _kernels.Components(memory, threads))
    return ids.named(labels, "node", "component")


def spanning_forest(
    edges: Edges, source: str = "src", target: str = "dst", *, memory: str = "1G", threads: int = 1
) -> DataFrame:
    """Columns source, target: the lexicographically first spanning forest, low id first."""
    ids = Ids(edges, source, target)
    forest = merged(ids.edges, _kernels.Forest(memory, threads, loops=False))
    return ids.named(forest, "source", "target")


def minimum_spanning_forest(
    edges: Edges, source: str = "src", target: str = "dst", weight: str = "weight", *, memory: str = "1G",
    threads: int = 1,
) -> DataFrame:
    """Columns source, target, weight: the minimum spanning forest, low id first; ties go to the smaller (weight,
    low id, high id).

    An edge that is not in the forest of some edges is not in the forest of all edges (cycle rule): each partition
    becomes its forest; forests are merged until one is left.
    """
    ids = Ids(edges, source, target, weight)
    forest = merged(ids.edges, _kernels.MinimumForest(memory, threads, ids.weight_type))
    return ids.named(forest, "source", "target", "weight")


def degrees(
    edges: Edges, source: str = "src", target: str = "dst", *, memory: str = "1G", threads: int = 1
) -> DataFrame:
    """Columns node, degree: the number of neighbours of each node of an edge; duplicates and loops do not count.

    Each partition becomes a sorted run without duplicates. Equal edges then meet by the hash of their smaller end.
    """
    ids = Ids(edges, source, target)
    runs = on_partitions(ids.edges, _kernels.Simple(memory, threads, loops=True))
    met = runs.repartition(max(ids.edges.parts, 1), "source")
    counts = on_partitions(met, _kernels.Degrees(memory, threads))
    return ids.named(counts.groupBy("node").agg(sql.sum("degree").alias("degree")), "node", "degree")


def simplify(
    edges: Edges, source: str = "src", target: str = "dst", *, memory: str = "1G", threads: int = 1,
    partitions: Optional[int] = None,
) -> DataFrame:
    """Columns source, target: the edges without loops and duplicates, low id first, sorted by (source, target) over
    the partitions in their order.

    Each partition becomes a sorted run without duplicates; the runs are split by ranges of the source and merged.
    """
    if partitions is not None and partitions < 1:
        raise ValueError(f"partitions: {partitions} is less than 1")
    ids = Ids(edges, source, target)
    kernel = _kernels.Simple(memory, threads)
    runs = on_partitions(ids.edges, kernel)
    parts = partitions or max(ids.edges.parts, 1)
    ranges = runs.repartitionByRange(parts, "source")
    simple = ids.named(on_partitions(ranges, kernel), "source", "target")
    return simple if ids.names is None else simple.orderBy("source", "target")  # the join with the names has no order


def maximal_independent_set(
    edges: Edges, source: str = "src", target: str = "dst", *, memory: str = "1G", threads: int = 1
) -> DataFrame:
    """Column node: the lexicographically first maximal independent set of the nodes of edges.

    Each partition becomes a sorted run without duplicates. One executor then scans all of them, below `memory`.
    """
    ids = Ids(edges, source, target)
    runs = _kernels.Simple(memory, threads, loops=True)
    return ids.named(reduced(ids.edges, runs, _kernels.IndependentSet(memory, threads)), "node")


def bfs(
    edges: Edges, source: str = "src", target: str = "dst", *, root: object, directed: bool = False, memory: str = "1G",
    threads: int = 1,
) -> DataFrame:
    """Columns node, level, parent: breadth-first search from `root`; level and parent of unreached nodes are null.

    Each partition becomes a sorted run without duplicates. One executor then searches all of them, below `memory`.
    """
    ids = Ids(edges, source, target)
    runs = _kernels.Simple(memory, threads, loops=True, directed=directed)
    found = reduced(ids.edges, runs, _kernels.Search(memory, threads, ids.number(root), directed))
    return ids.named(found, "node", "level", "parent")


def pagerank(
    edges: Edges, source: str = "src", target: str = "dst", *, undirected: bool = False, damping: float = 0.85,
    iterations: Optional[int] = None, tolerance: Optional[float] = None, memory: str = "1G", threads: int = 1,
) -> DataFrame:
    """Columns node, rank: PageRank as LDBC Graphalytics defines it, for each node of an edge; duplicates and loops
    count. Rounds end as those of `emgraph pagerank`: after `iterations`, or when a round changes less than `tolerance`.

    Every round needs all edges, so that one executor sorts and keeps them, below `memory`; its sums are exact.
    """
    ids = Ids(edges, source, target)
    rule = {"undirected": undirected, "damping": damping, "iterations": iterations, "tolerance": tolerance}
    given = tuple((name, value) for name, value in rule.items() if value is not None)
    return ids.named(single(ids.edges, _kernels.Ranks(memory, threads, given)), "node", "rank")


def triangle_count(
    edges: Edges, source: str = "src", target: str = "dst", *, memory: str = "1G", threads: int = 1,
    colours: Optional[int] = None,
) -> int:
    """The number of triangles of the graph, loops and duplicates not counted.

    Nodes get one of `colours` colours by a hash; each set of up to three colours is counted on its own. With k colours
    there are k(k² + 5)/6 sets, each edge goes to about k of them, and a set has about 9/k² of the edges.
    Source: Suri, Vassilvitskii (2011), doi 10.1145/1963405.1963491.
    """
    ids = Ids(edges, source, target)
    return count_triangles(ids.edges, 4 if colours is None else colours, memory, threads)
