# SPDX-License-Identifier: MIT
"""What runs on the executors: each kernel takes the Arrow batches of a partition and yields those of its result.

A kernel is a small object that Spark sends to the executors. Calling it runs emgraph once, as a process of its own.
Results are the same for the same rows in any order, so that a repeated task gives the same rows.
"""
from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, Iterator

Batches = Iterator[Any]

_ROWS = 1 << 18


@contextmanager
def scratch() -> Iterator[list]:
    """The executor's scratch directories, one on each disk; temporary files of this process stand there, too."""
    named = os.environ.get("SPARK_LOCAL_DIRS", "")
    directories = [name for name in named.split(",") if os.path.isdir(name)] or [tempfile.gettempdir()]
    before = tempfile.tempdir
    tempfile.tempdir = directories[0]
    try:
        yield directories
    finally:
        tempfile.tempdir = before


@dataclass(frozen=True)
class Kernel:
    """`memory` and `threads` of the emgraph process."""

    memory: str
    threads: int

    #: Of the result, as Spark writes schemas.
    schema: ClassVar[str]

    def __call__(self, batches: Batches) -> Batches:
        import itertools
        import warnings

        import pyarrow as pa

        import emgraph

        # Ids with gaps are usual here, and sorting does not mind them.
        warnings.filterwarnings("ignore", "emgraph: the ids are sparse", emgraph.EmgraphWarning)
        filled = (batch for batch in batches if batch.num_rows > 0)
        first = next(filled, None)
        if first is None:
            return
        reader = pa.RecordBatchReader.from_batches(first.schema, itertools.chain([first], filled))
        with scratch() as directories:
            options = {"memory": self.memory, "threads": self.threads, "temp_dir": directories}
            for batch in self.reduce(reader, options):
                yield from _signed(batch)

    def reduce(self, reader: Any, options: dict) -> Iterator[Any]:
        """Batches of the result, with the names of `schema`."""
        raise NotImplementedError


def _signed(batch: Any) -> Iterator[Any]:
    """Spark has no unsigned integers. All ones of unreached nodes become null."""
    import pyarrow as pa
    import pyarrow.compute as compute

    columns = []
    for column in batch.columns:
        if pa.types.is_unsigned_integer(column.type):
            none = pa.scalar((1 << column.type.bit_width) - 1, column.type)
            column = compute.if_else(compute.equal(column, none), pa.scalar(None, column.type), column).cast(pa.int64())
        columns.append(column)
    signed = pa.record_batch(columns, names=batch.schema.names)
    for begin in range(0, signed.num_rows, _ROWS):
        yield signed.slice(begin, _ROWS)


def _stream(result: Any) -> Any:
    import pyarrow as pa

    return pa.RecordBatchReader.from_stream(result)


def _renamed(reader: Any, names: list) -> Iterator[Any]:
    for batch in reader:
        yield batch.rename_columns(names)


def _pairs(nodes: Any) -> Iterator[Any]:
    """Rows (node, node)."""
    import pyarrow as pa

    for begin in range(0, len(nodes), _ROWS):
        part = pa.array(nodes[begin : begin + _ROWS])
        yield pa.record_batch([part, part], names=["source", "target"])


@dataclass(frozen=True)
class Forest(Kernel):
    """Edges to their lexicographically first spanning forest. `loops`: a node without other edges becomes a loop, so
    that it is not lost."""

    loops: bool

    schema: ClassVar[str] = "source long, target long"

    def reduce(self, reader: Any, options: dict) -> Iterator[Any]:
        import emgraph
        import numpy as np

        found = emgraph.cc(reader, forest=True, output=False, relabel=True, **options)
        yield from _stream(found.forest)
        if self.loops:
            alone = np.ones(len(found.ids), bool)
            for batch in found.forest.batches():
                alone[batch["source"]] = False
                alone[batch["target"]] = False
            yield from _pairs(found.ids[alone])


@dataclass(frozen=True)
class MinimumForest(Kernel):
    """Weighted edges to their minimum spanning forest."""

    weight_type: str

    @property
    def schema(self) -> str:  # type: ignore[override]
        return f"source long, target long, weight {self.weight_type}"

    def reduce(self, reader: Any, options: dict) -> Iterator[Any]:
        import emgraph
        import pyarrow as pa

        kind = {"long": pa.int64(), "double": pa.float64()}[self.weight_type]
        for batch in _stream(emgraph.mst(reader, relabel=True, **options)):
            weight = batch.column(2).cast(kind)
            yield pa.record_batch([batch.column(0), batch.column(1), weight], names=["source", "target", "weight"])


@dataclass(frozen=True)
class Components(Kernel):
    """Edges to a label for each node: the smallest id of its component."""

    schema: ClassVar[str] = "node long, component long"

    def reduce(self, reader: Any, options: dict) -> Iterator[Any]:
        import emgraph

        return _renamed(_stream(emgraph.cc(reader, relabel=True, **options)), ["node", "component"])


@dataclass(frozen=True)
class Degrees(Kernel):
    """Edges to the number of neighbours of each node."""

    schema: ClassVar[str] = "node long, degree long"

    def reduce(self, reader: Any, options: dict) -> Iterator[Any]:
        import emgraph

        return _renamed(_stream(emgraph.stats(reader, output=True, relabel=True, **options)), ["node", "degree"])


@dataclass(frozen=True)
class Simple(Kernel):
    """Edges to a sorted run without duplicates, low id first unless `directed`. `loops`: they are kept."""

    loops: bool = False
    directed: bool = False

    schema: ClassVar[str] = "source long, target long"

    def reduce(self, reader: Any, options: dict) -> Iterator[Any]:
        import emgraph

        orient = {} if self.directed else {"orient": "low"}
        return _stream(emgraph.sort(reader, unique=True, no_loops=not self.loops, **orient, **options).edges)


@dataclass(frozen=True)
class IndependentSet(Kernel):
    """Edges to the nodes of the lexicographically first maximal independent set."""

    schema: ClassVar[str] = "node long"

    def reduce(self, reader: Any, options: dict) -> Iterator[Any]:
        import emgraph

        return _renamed(_stream(emgraph.mis(reader, relabel=True, **options)), ["node"])


@dataclass(frozen=True)
class Search(Kernel):
    """Edges to level and parent of each node."""

    root: int
    directed: bool

    schema: ClassVar[str] = "node long, level long, parent long"

    def reduce(self, reader: Any, options: dict) -> Iterator[Any]:
        import emgraph

        found = emgraph.bfs(reader, root=self.root, parents=True, directed=self.directed, relabel=True, **options)
        return _renamed(_stream(found), ["node", "level", "parent"])


@dataclass(frozen=True)
class Ranks(Kernel):
    """Edges to the PageRank of each node. `rule`: the options of the definition."""

    rule: tuple

    schema: ClassVar[str] = "node long, rank double"

    def reduce(self, reader: Any, options: dict) -> Iterator[Any]:
        import emgraph

        found = emgraph.pagerank(reader, relabel=True, **dict(self.rule), **options)
        return _renamed(_stream(found), ["node", "rank"])


@dataclass(frozen=True)
class Triangles(Kernel):
    """Edges to the number of their triangles."""

    schema: ClassVar[str] = "triangles long"

    def reduce(self, reader: Any, options: dict) -> Iterator[Any]:
        import emgraph
        import pyarrow as pa

        count = emgraph.triangles(reader, relabel=True, **options).summary["triangles"]
        yield pa.record_batch([pa.array([count], pa.int64())], names=["triangles"])
