# SPDX-License-Identifier: MIT
"""Rows between two steps travel as blocks: a row of a block has some values of each column as bytes. So the JVMs copy a few
values of bytes where they would copy each number, into their rows and out of them.

All rows of a block go to the same task. A block has a `part`, by which Spark's hash partitioning finds that task.
"""
from __future__ import annotations

from typing import Any, Iterator, List, NamedTuple, Sequence

from pyspark.sql import functions as sql

from ._files import active_session

_VALUE_BYTES = 8
# Spark counts the rows of the Arrow batches that it makes, not their bytes: this many bytes at most.
_BATCH_BYTES = 32 << 20


def partition_keys(count: int) -> List[int]:
    """For each partition number below `count` a key that Spark's hash partitioning sends there."""
    if count == 1:
        return [0]
    session = active_session()
    found: List[Any] = [None] * count
    begin = 0
    while any(key is None for key in found):
        tried = session.range(begin, begin + 64 * count).select("id", sql.expr(f"pmod(hash(id), {count})").alias("part"))
        for row in tried.collect():
            if found[row["part"]] is None:
                found[row["part"]] = row["id"]
        begin += 64 * count
    return found


class Blocks(NamedTuple):
    """How rows of these columns travel. `types` are those of Arrow, of 8 bytes; `rows`: of a block."""

    names: Sequence[str]
    types: Sequence[str]
    rows: int

    @staticmethod
    def of(schema: str) -> "Blocks":
        """`schema`: as Spark writes it, of columns long and double."""
        fields = [field.split() for field in schema.split(",")]
        types = [{"long": "int64", "double": "double"}[kind] for _, kind in fields]
        records = int(active_session().conf.get("spark.sql.execution.arrow.maxRecordsPerBatch", "10000") or "10000")
        rows = _BATCH_BYTES // (_VALUE_BYTES * len(fields) * records) if records > 0 else 1 << 10
        return Blocks([name for name, _ in fields], types, max(1, rows))

    @property
    def schema(self) -> str:
        return ", ".join(["part long"] + [f"{name} binary" for name in self.names])

    def packed(self, columns: Sequence[Any], part: int) -> Any:
        """The columns, NumPy arrays without nulls, as a batch of blocks."""
        import numpy as np
        import pyarrow as pa

        count = len(columns[0])
        blocks = -(-count // self.rows)
        ends = np.minimum(np.arange(blocks + 1, dtype=np.int64) * self.rows, count) * _VALUE_BYTES
        arrays = [pa.array(np.full(blocks, part, np.int64))]
        for column, kind in zip(columns, self.types):
            values = np.ascontiguousarray(column, dtype=pa.type_for_alias(kind).to_pandas_dtype())
            whole = pa.Array.from_buffers(pa.large_binary(), blocks, [None, pa.py_buffer(ends), pa.py_buffer(values)])
            arrays.append(whole.cast(pa.binary()))
        return pa.record_batch(arrays, names=["part", *self.names])

    def unpacked(self, batch: Any) -> Any:
        import numpy as np
        import pyarrow as pa

        arrays = []
        for name, kind in zip(self.names, self.types):
            column = batch.column(name).cast(pa.large_binary())
            _, ends, values = column.buffers()
            ends = np.frombuffer(ends, np.int64)[column.offset : column.offset + len(column) + 1] // _VALUE_BYTES
            numbers = np.frombuffer(values, pa.type_for_alias(kind).to_pandas_dtype(), int(ends[-1]))
            arrays.append(pa.array(numbers[int(ends[0]) :]))
        return pa.record_batch(arrays, names=list(self.names))


class Packed(NamedTuple):
    """A step whose rows leave as blocks. Those of one task all go to the same next task, by turns of their partitions."""

    step: Any
    blocks: Blocks
    keys: Sequence[int]

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        from pyspark import TaskContext

        context = TaskContext.get()
        assert context is not None
        part = self.keys[context.partitionId() % len(self.keys)]
        for batch in self.step(batches):
            yield self.blocks.packed([column.to_numpy() for column in batch.columns], part)


class Unpacked(NamedTuple):
    """A step whose rows come as blocks."""

    step: Any
    blocks: Blocks

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        return self.step(self.blocks.unpacked(batch) for batch in batches if batch.num_rows > 0)
