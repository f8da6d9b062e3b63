# SPDX-License-Identifier: MIT
"""Turns columns of node ids and weights, batch by batch, into the bytes that the program reads."""
from __future__ import annotations

import numbers
from bisect import bisect_right
from typing import Any, Callable, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from ._errors import DataError

#: Rows of one piece of an array: a few MiB on the way, whatever the array's size.
PIECE_ROWS = 1 << 17

#: Source, target and, with weights, the weight of some edges.
Batch = Tuple[np.ndarray, ...]


class TooWide(Exception):
    """An id of 2^32 or more came up in a stream of 4-byte ids."""


class Rows(NamedTuple):
    """Where the rows of a table come from, for messages."""

    files: Sequence[str] = ()
    ends: Sequence[int] = ()  #: of each file: the number of rows in it and in those before it

    def place(self, row: int, column: Optional[str] = None) -> str:
        """Row 7 of a table, or of the third of its files row 2."""
        file = ""
        if self.files:
            number = min(bisect_right(self.ends, row), len(self.files) - 1)
            file = f"{self.files[number]}: "
            row -= self.ends[number - 1] if number > 0 else 0
        return f"{file}row {row}" if column is None else f"{file}column {column!r}, row {row}"

    def error(self, column: str, row: int, text: str) -> DataError:
        return DataError(f"{self.place(row, column)}: {text}")


class Table(NamedTuple):
    """Edges as columns that can be read batch by batch."""

    names: Sequence[str]  #: of the columns, for messages
    batches: Callable[[], Iterator[Batch]]
    id_types: Sequence[np.dtype]
    weight_type: Optional[np.dtype] = None
    largest: Optional[int] = None  #: no id is larger; None: unknown
    repeatable: bool = True  #: batches() may be called again
    nodes: Optional[int] = None  #: number of nodes, where the graph says so
    ids: Optional[Any] = None  #: what the nodes 0, 1, … are called
    directed: Optional[bool] = None  #: of a graph; None: the input does not say
    rows: Rows = Rows()


class LabelTable(NamedTuple):
    """Edges between nodes with names: lines of CSV for --labels."""

    lines: Callable[[], Iterator[bytes]]
    weight_type: Optional[str] = None  #: as --weight-type has it
    rows: Rows = Rows()


# Raw formats of the program by the width of ids and the type of weights: their records.
_RECORDS = {
    "u32": np.dtype([("s", "<u4"), ("t", "<u4")]),
    "u64": np.dtype([("s", "<u8"), ("t", "<u8")]),
    "u32w": np.dtype([("s", "<u4"), ("t", "<u4"), ("w", "<u4")]),
    "u64w": np.dtype([("s", "<u8"), ("t", "<u8"), ("w", "<i8")]),
    "f32w": np.dtype([("s", "<u4"), ("t", "<u4"), ("w", "<f4")]),
    "f64w": np.dtype([("s", "<u8"), ("t", "<u8"), ("w", "<f8")]),
}


def raw_format(wide: bool, weight: Optional[str]) -> str:
    """The raw format for ids of 8 (wide) or 4 bytes and weights "u32", "i64", "f32", "f64" or None."""
    if weight is None:
        return "u64" if wide else "u32"
    if weight == "u32" and not wide:
        return "u32w"
    if weight in ("u32", "i64"):
        return "u64w"
    return "f32w" if weight == "f32" and not wide else "f64w"


def weight_name(kind: np.dtype, column: str) -> str:
    """The program's type for weights of a NumPy type."""
    if kind.kind == "u" and kind.itemsize <= 4:
        return "u32"
    if kind.kind in "iu":
        return "i64"
    if kind.kind == "f":
        return "f32" if kind.itemsize <= 4 else "f64"
    raise DataError(f"column {column!r}: weights are numbers, not {kind}")


def weight_kind(weights: Iterable[Any], where: Callable[[int], str]) -> np.dtype:
    """The type for weights that are Python objects: int64 if all are integers, else float64."""
    whole = True
    for position, weight in enumerate(weights):
        if isinstance(weight, bool) or not isinstance(weight, numbers.Real):
            found = "null" if weight is None else repr(weight)
            raise DataError(f"{where(position)}: found {found}, expected a number as the weight")
        if not isinstance(weight, numbers.Integral):
            whole = False
        elif not -(1 << 63) <= weight < 1 << 63:
            raise DataError(f"{where(position)}: weight {weight} is not between -2^63 and 2^63 - 1")
    return np.dtype(np.int64 if whole else np.float64)


def both_ways(table: Table) -> Table:
    """Each edge in both directions: for commands that follow arcs only."""

    def batches() -> Iterator[Batch]:
        for batch in table.batches():
            yield batch
            yield (batch[1], batch[0], *batch[2:])

    return table._replace(batches=batches)


def first(condition: np.ndarray) -> int:
    return int(np.argmax(condition))


def check_id_type(values: np.ndarray, column: str, row: int, rows: Rows) -> None:
    """Refuses a column whose type is not that of ids, with its first value."""
    if values.dtype.kind in "iu":
        return
    if values.dtype.kind == "f" and len(values):
        if np.isnan(values).any():
            position = first(np.isnan(values))
            raise rows.error(column, row + position, "null where a node id was expected")
        position = first(values != np.floor(values))  # a fraction, if there is one
        found = f"{values[position]} is a floating-point number"
        raise rows.error(column, row + position, f"{found}; node ids are integers")
    raise rows.error(column, row, f"the values are of type {values.dtype}; node ids are integers")


def _put_ids(target: np.ndarray, values: np.ndarray, column: str, row: int, rows: Rows) -> None:
    """Copies ids into a field of records. Negative ids are errors, too wide ones raise TooWide."""
    check_id_type(values, column, row, rows)
    if len(values) == 0:
        return
    # Seen as unsigned numbers, negative ids are the largest.
    unsigned = values.view(values.dtype.str.replace("i", "u"))
    largest = int(unsigned.max())
    if values.dtype.kind == "i" and largest >> (8 * values.dtype.itemsize - 1):
        position = first(values < 0)
        raise rows.error(column, row + position, f"{values[position]} is negative; node ids are not")
    if target.dtype.itemsize == 4 and largest >> 32:
        raise TooWide
    target[...] = unsigned


def _put_weights(target: np.ndarray, values: np.ndarray, column: str, row: int, rows: Rows) -> None:
    kind = target.dtype
    if values.dtype.kind not in "iuf":
        raise rows.error(column, row, f"weights are numbers, not {values.dtype}")
    if kind.kind in "iu" and len(values):
        if values.dtype.kind == "f":
            raise rows.error(column, row, f"{values[0]} is a floating-point number, not an integer")
        range_ = np.iinfo(kind)
        if int(values.min()) < range_.min or int(values.max()) > range_.max:
            outside = [int(v) < range_.min or int(v) > range_.max for v in values]
            position = outside.index(True)
            text = f"weight {values[position]} is not between {range_.min} and {range_.max}"
            raise rows.error(column, row + position, text)
    with np.errstate(over="ignore"):
        target[...] = values
    if kind.kind == "f":
        overflow = np.isinf(target) & ~np.isinf(values)
        if overflow.any():
            position = first(overflow)
            raise rows.error(column, row + position, f"weight {values[position]} is too large for f{8 * kind.itemsize}")


def raw_pieces(table: Table, name: str) -> Iterator[memoryview]:
    """The records of raw format `name`, for standard input."""
    record = _RECORDS[name]
    row = 0
    for batch in table.batches():
        for begin in range(0, len(batch[0]), PIECE_ROWS):
            part = [column[begin : begin + PIECE_ROWS] for column in batch]
            records = np.empty(len(part[0]), record)
            _put_ids(records["s"], part[0], table.names[0], row, table.rows)
            _put_ids(records["t"], part[1], table.names[1], row, table.rows)
            if len(part) > 2:
                _put_weights(records["w"], part[2], table.names[2], row, table.rows)
            row += len(records)
            yield memoryview(records.view(np.uint8).data)


def quoted(names: Sequence[Any], column: str, row: int) -> List[str]:
    """Fields of CSV."""
    fields = []
    for position, name in enumerate(names):
        if name is None or type(name).__name__ == "NAType" or name != name:  # pandas.NA and NaN are nulls in columns of objects
            raise Rows().error(column, row + position, "null where a node's name was expected")
        if isinstance(name, bytes):
            try:
                name = name.decode("utf-8")
            except UnicodeDecodeError:
                raise Rows().error(column, row + position, f"{name!r} is not text in UTF-8") from None
        fields.append('"' + str(name).replace('"', '""') + '"')
    return fields


def label_lines(names: Sequence[str], batches: Iterator[Batch]) -> Iterator[bytes]:
    """Lines of CSV from columns of names (any objects) and weights."""
    row = 0
    for batch in batches:
        for begin in range(0, len(batch[0]), PIECE_ROWS):
            part = [column[begin : begin + PIECE_ROWS] for column in batch]
            fields = [quoted(part[i].tolist(), names[i], row) for i in range(2)]
            fields.extend([str(value) for value in column.tolist()] for column in part[2:])  # of floats the shortest digits that tell them
            row += len(fields[0])
            try:
                yield "".join(",".join(line) + "\n" for line in zip(*fields)).encode("utf-8", "surrogateescape")
            except UnicodeEncodeError as error:
                raise DataError(f"a node's name has {error.object[error.start]!r}, which is no text in UTF-8") from None
