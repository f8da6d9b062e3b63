# SPDX-License-Identifier: MIT
"""DataFrames around the kernels: columns of ids, names as numbers, and the tree of merges."""
from __future__ import annotations

import operator
from typing import Any, Optional, Sequence, Union

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sql
from pyspark.sql import types

from ._blocks import Blocks, Packed, Unpacked, partition_keys
from ._checks import Checked
from ._files import Files, Paths, active_session, listed, schema_of
from ._kernels import Kernel
from ._scans import scanned

Edges = Union[DataFrame, Paths]

# Forests that one task merges. More make the last task longer, fewer make more stages; each stage halves nothing
# beyond n - 1 edges.
FAN_IN = 8

_INTEGERS = (types.ByteType, types.ShortType, types.IntegerType, types.LongType)


class Rows:
    """Edges in a DataFrame, checked when a step takes them; `columns` are their names in the user's one."""

    def __init__(self, frame: DataFrame, columns: Sequence[str], named: bool) -> None:
        self._frame = frame
        self._how = (tuple(columns), named)

    @property
    def parts(self) -> int:
        """The partitions of the plan, without a plan of its own for Python. Another plan with these rows may have another
        number: Spark adapts plans to what it finds."""
        return int(self._frame._jdf.queryExecution().toRdd().getNumPartitions())

    def mapInArrow(self, function: Any, schema: str) -> DataFrame:  # noqa: N802, the name that Spark gives it
        return self._frame.mapInArrow(Checked(function, *self._how), schema)

    def repartition(self, parts: int) -> "Rows":
        return Rows(self._frame.repartition(parts), *self._how)

    def whole(self) -> "Rows":
        """In one partition, whatever their number, without a shuffle."""
        return Rows(self._frame.coalesce(1), *self._how)


class Ids:
    """The edges of a DataFrame as columns source, target (and weight) of 64-bit ids.

    Strings are numbered in their order (by bytes, as Spark compares them), so that the smallest number is the smallest
    string. Integers in Parquet files are read by the tasks themselves, if the files are given by their paths or the
    DataFrame is a mere scan of local ones.
    """

    names: Optional[DataFrame]

    def __init__(self, edges: Edges, source: str, target: str, weight: Optional[str] = None) -> None:
        columns = [source, target] + ([] if weight is None else [weight])
        files = scanned(edges, columns) if isinstance(edges, DataFrame) else listed(edges)
        self.names = None
        self.weight_type = ""
        if files:
            file_types = [_file_type(files[0][0], column) for column in columns]
            if all(kind == "int64" for kind in file_types[:2]) and all(file_types):
                self.weight_type = {"int64": "long", "double": "double"}[file_types[2]] if weight is not None else ""
                self.edges: Any = Files.of(files, columns, ["source", "target", "weight"][: len(columns)], file_types)
                return
        if not isinstance(edges, DataFrame):
            assert files
            edges = active_session().read.parquet(*[path for path, _ in files])
        kinds = [_field(edges, column).dataType for column in columns]
        weights = []
        if weight is not None:
            self.weight_type = _weight_type(weight, kinds[2])
            weights = [_column(weight).cast(self.weight_type).alias("weight")]
        if all(isinstance(kind, _INTEGERS) for kind in kinds[:2]):
            ends = [_column(source).cast("long").alias("source"), _column(target).cast("long").alias("target")]
            self.edges = Rows(edges.select(*ends, *weights), columns, named=False)
            return
        for column, kind in zip(columns, kinds[:2]):
            if not isinstance(kind, (*_INTEGERS, types.StringType)):
                raise TypeError(f"column {column!r} is of type {kind.simpleString()}; ids are integers or strings")
        if not all(isinstance(kind, types.StringType) for kind in kinds[:2]):
            raise TypeError(f"columns {source!r} and {target!r}: one has integers, the other strings")
        self.names = _numbered(edges.select(_column(source).alias("name")).union(edges.select(_column(target).alias("name"))))
        numbered = (
            edges.select(_column(source).alias("from_name"), _column(target).alias("to_name"), *weights)
            .join(self._lookup("from_name", "source"), "from_name", "left")
            .join(self._lookup("to_name", "target"), "to_name", "left")
            .select("source", "target", *(["weight"] if weights else []))
        )
        self.edges = Rows(numbered, columns, named=True)

    def _lookup(self, name: str, number: str) -> DataFrame:
        assert self.names is not None
        return self.names.select(sql.col("name").alias(name), sql.col("number").alias(number))

    def number(self, name: Any) -> int:
        """The number of a node that the user names."""
        if self.names is None:
            try:
                root = operator.index(name)
            except TypeError:
                raise TypeError(f"root: {name!r} is no integer, as the ids are") from None
            if root < 0:
                raise ValueError(f"root: {root} is negative; node ids are not")
            return root
        if not isinstance(name, str):
            raise TypeError(f"root: {name!r} is no string, as the ids are")
        rows = self.names.where(sql.col("name") == name).take(1)
        if not rows:
            raise ValueError(f"no edge has the node {name!r}")
        return rows[0]["number"]

    def named(self, result: DataFrame, *columns: str) -> DataFrame:
        """The result with names in place of numbers, where the edges had names."""
        if self.names is None:
            return result.select(*columns)
        for column in columns:
            if column in ("node", "component", "parent", "source", "target"):
                result = (
                    result.withColumnRenamed(column, "number_of_" + column)
                    .join(self._lookup(column, "number_of_" + column), "number_of_" + column, "left")
                    .drop("number_of_" + column)
                )
        return result.select(*columns)


def _field(edges: DataFrame, column: str) -> types.StructField:
    if edges.columns.count(column) != 1:
        there = "more than one" if column in edges.columns else "no"
        raise ValueError(f"there is {there} column {column!r}; columns: {', '.join(edges.columns)}")
    return edges.schema[column]


def _column(name: str) -> Column:
    """The column of this very name, in which a dot is a dot."""
    return sql.col("`" + name.replace("`", "``") + "`")


def _file_type(path: str, column: str) -> str:
    """The type in which tasks read a column of a Parquet file; "" for one that Spark has to read."""
    import pyarrow as pa

    schema = schema_of(path)
    at = schema.get_field_index(column)
    if at < 0:
        there = "more than one" if column in schema.names else "no"
        raise ValueError(f"{path}: there is {there} column {column!r}; columns: {', '.join(schema.names)}")
    kind = schema.field(at).type
    if pa.types.is_integer(kind):
        return "int64"
    return "double" if pa.types.is_floating(kind) else ""


def _weight_type(column: str, kind: types.DataType) -> str:
    if isinstance(kind, _INTEGERS):
        return "long"
    if isinstance(kind, (types.FloatType, types.DoubleType)):
        return "double"
    raise TypeError(f"column {column!r} is of type {kind.simpleString()}; weights are integers or floating-point numbers")


def _numbered(names: DataFrame) -> DataFrame:
    """Columns name, number: the distinct names, numbered from 0 on in their order; null stays without a number."""
    ordered = names.where(sql.col("name").isNotNull()).distinct().sort("name")
    return ordered.rdd.map(lambda row: row["name"]).zipWithIndex().toDF("name string, number long")


def on_partitions(rows: Any, kernel: Kernel) -> DataFrame:
    """The kernel on each partition."""
    return rows.mapInArrow(kernel, kernel.schema)


def single(rows: Any, kernel: Kernel) -> DataFrame:
    """The kernel on all rows, which stream through one task."""
    return on_partitions(rows.repartition(1), kernel)


def reduced(edges: Any, kernel: Kernel, last: Kernel) -> DataFrame:
    """The kernel on each partition; `last` on the results, which stream through one task."""
    blocks = Blocks.of(kernel.schema)
    return _last(edges.mapInArrow(Packed(kernel, blocks, [0]), blocks.schema), blocks, last)


def merged(edges: Any, kernel: Kernel, last: Optional[Kernel] = None) -> DataFrame:
    """The kernel on each partition, then on the results of FAN_IN partitions together, until one partition is left.
    That is worked on by `last`, if it is given, in place of the kernel.
    """
    last = last or kernel
    parts = edges.parts
    if parts <= 1:
        return on_partitions(edges.whole(), last)
    blocks = Blocks.of(kernel.schema)
    rows, step = edges, kernel
    while True:
        parts = 1 if parts <= FAN_IN else -(-parts // FAN_IN)
        rows = rows.mapInArrow(Packed(step, blocks, partition_keys(parts)), blocks.schema)
        if parts == 1:
            return _last(rows, blocks, last)
        rows, step = rows.repartition(parts, "part"), Unpacked(kernel, blocks)


def _last(rows: DataFrame, blocks: Blocks, last: Kernel) -> DataFrame:
    return rows.repartition(1).mapInArrow(Unpacked(last, blocks), last.schema)
