# SPDX-License-Identifier: MIT
"""The functions of emgraph.spark on a graph in Parquet files, and the answers of the program on the same edges."""
import dataclasses
import shutil
import typing

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
from pyspark.sql import SparkSession

import emgraph
import emgraph.spark as graphs

PARTS = 8
ROUNDS = 5  # of pagerank


def make(scale, directory, weights=False):
    """A Kronecker graph of 16 edges per node as Parquet files; made once. `weights`: with a column of small numbers, so that
    many are equal."""
    if not directory.exists():
        unfinished = directory.with_name(directory.name + ".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        reader = emgraph.gen(model="kron", scale=scale).edges._reader()
        rows = (16 << scale) // PARTS
        table = reader.read_all().rename_columns(["src", "dst"])
        if weights:
            source, target = (column.to_numpy().astype(np.int64) for column in table.columns)
            table = table.append_column("weight", pa.array((source * 7919 + target * 104729) % 1000))
        for part in range(PARTS):
            parquet.write_table(table.slice(part * rows, rows), unfinished / f"part-{part}.parquet")
        unfinished.rename(directory)
    return directory


def rows_of(spark, directory):
    """A DataFrame of the edges that Spark has to read itself, for the filter's sake."""
    return spark.read.parquet(str(directory)).where("src >= 0")


def columns_of(directory, names):
    """Columns of Parquet files as arrays; null is -1."""
    table = parquet.read_table(directory, columns=list(names))
    return [(column.fill_null(-1) if column.null_count else column).to_numpy() for column in table.columns]


def in_order(columns):
    """The rows in their order."""
    order = np.lexsort(columns[::-1])
    return [column[order] for column in columns]


class Graph:
    """The edges, in memory, for the program."""

    def __init__(self, directory, memory="1G"):
        source, target = columns_of(directory, ["src", "dst"])
        self.edges = source.astype(np.int64), target.astype(np.int64)
        self.directory = directory
        self.memory = memory
        self.root = int(source[0])
        self.components = emgraph.cc(self.edges, relabel=True, forest=True, memory=memory)
        self.ids = self.components.ids.astype(np.int64)

    def ends(self, edges):
        return [self.ids[edges.source], self.ids[edges.target]]

    def run(self, command, **options):
        return getattr(emgraph, command)(self.edges, relabel=True, memory=self.memory, **options)

    def forest_of_weights(self):
        weights = columns_of(self.directory, ["weight"])[0]
        found = emgraph.mst((*self.edges, weights), memory=self.memory).edges
        return [np.asarray(column).astype(np.int64) for column in (found.source, found.target, found.weight)]

    def simple(self):
        found = emgraph.sort(self.edges, unique=True, no_loops=True, orient="low", memory=self.memory).edges
        return [np.asarray(found.source).astype(np.int64), np.asarray(found.target).astype(np.int64)]

    def search(self):
        found = self.run("bfs", root=self.root, parents=True)
        far = found.levels == np.iinfo(found.levels.dtype).max
        parents = self.ids[np.where(far, 0, found.parents)]
        return [self.ids, *(np.where(far, -1, column.astype(np.int64)) for column in (found.levels, parents))]


@dataclasses.dataclass(frozen=True)
class Function:
    """`frame`: edges and memory to the result of Spark. `answer`: a Graph to the columns that it must have."""

    columns: typing.Tuple[str, ...]
    frame: typing.Callable
    answer: typing.Callable


def _names(edges):
    """The same edges with ids that are strings of one length, so that their order stays."""
    from pyspark.sql import functions as sql

    return edges.select(*(sql.lpad(sql.col(name).cast("string"), 12, "0").alias(name) for name in ("src", "dst")))


def _components(graph):
    return [graph.ids, graph.ids[graph.components.labels]]


def _components_of_names(edges, root, **options):
    from pyspark.sql import functions as sql

    found = graphs.connected_components(_names(edges), **options)
    return found.select(*(sql.col(name).cast("long").alias(name) for name in ("node", "component")))


def _count(edges, root, **options):
    count = graphs.triangle_count(edges, **options)
    return SparkSession.active().createDataFrame([(count,)], "triangles long")


FUNCTIONS = {
    "connected_components": Function(
        ("node", "component"), lambda edges, root, **o: graphs.connected_components(edges, **o), _components),
    "connected_components, names": Function(("node", "component"), _components_of_names, _components),
    "spanning_forest": Function(
        ("source", "target"), lambda edges, root, **o: graphs.spanning_forest(edges, **o),
        lambda graph: in_order(graph.ends(graph.components.forest))),
    "minimum_spanning_forest": Function(
        ("source", "target", "weight"), lambda edges, root, **o: graphs.minimum_spanning_forest(edges, **o),
        lambda graph: in_order(graph.forest_of_weights())),
    "degrees": Function(
        ("node", "degree"), lambda edges, root, **o: graphs.degrees(edges, **o),
        lambda graph: [graph.ids, graph.run("stats", output=True).degrees.astype(np.int64)]),
    "simplify": Function(
        ("source", "target"), lambda edges, root, **o: graphs.simplify(edges, **o), lambda graph: graph.simple()),
    "triangle_count": Function(
        ("triangles",), _count, lambda graph: [np.array([graph.run("triangles").summary["triangles"]])]),
    "maximal_independent_set": Function(
        ("node",), lambda edges, root, **o: graphs.maximal_independent_set(edges, **o),
        lambda graph: [graph.ids[graph.run("mis").nodes]]),
    "bfs": Function(
        ("node", "level", "parent"), lambda edges, root, **o: graphs.bfs(edges, root=root, **o), lambda graph: graph.search()),
    "pagerank": Function(
        ("node", "rank"), lambda edges, root, **o: graphs.pagerank(edges, iterations=ROUNDS, **o),
        lambda graph: [graph.ids, graph.run("pagerank", iterations=ROUNDS).ranks]),
}


def chosen(names):
    """The functions of an option --functions: all, or some separated by semicolons."""
    some = list(FUNCTIONS) if names == "all" else names.split(";")
    for name in some:
        if name not in FUNCTIONS:
            raise SystemExit(f"--functions: there is no {name!r}; functions: {'; '.join(FUNCTIONS)}")
    return {name: FUNCTIONS[name] for name in some}


def verdict(name, found, expected):
    """Rows in any order, but those of simplify are sorted over the files."""
    if name != "simplify":
        found = in_order(found)
    same = len(found) == len(expected) and all(np.array_equal(a, b) for a, b in zip(found, expected))
    return "equal" if same else "DIFFERENT"
