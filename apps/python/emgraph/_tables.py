# SPDX-License-Identifier: MIT
"""Writes Parquet files, which appear under their names when they are complete."""
from __future__ import annotations

import os
from typing import Any, Iterator, Sequence, Tuple

import numpy as np

_BATCH_ROWS = 1 << 20


def write_parquet(path: Any, reader: Any, **options: Any) -> None:
    """Writes the batches of a pyarrow.RecordBatchReader to a temporary name and renames it."""
    import pyarrow.parquet as parquet

    name = os.fspath(path)
    temporary = f"{name}.tmp.{os.getpid()}"
    try:
        with parquet.ParquetWriter(temporary, reader.schema, **options) as writer:
            for batch in reader:
                writer.write_batch(batch)
        os.replace(temporary, name)
    except BaseException:
        try:
            os.unlink(temporary)
        except FileNotFoundError:
            pass
        raise


def values_reader(columns: Sequence[np.ndarray], names: Sequence[str], ids: Any, node_columns: Sequence[str]) -> Any:
    """A pyarrow.RecordBatchReader over arrays of equal length, with a first column `node` if `names` begins so.

    `ids`: what the nodes are called; the columns of `node_columns` are nodes and get these names.
    """
    from ._arrow import pyarrow

    pa = pyarrow()
    ids, kind = exported(ids)
    own = [exported(column) for column in columns]

    def batch(begin: int, end: int) -> Any:
        arrays = []
        for name, (column, own_kind) in zip(names, own):
            values = np.asarray(column[begin:end])
            if ids is not None and name in node_columns:
                arrays.append(pa.array(_named(values, ids), kind))
            else:
                arrays.append(pa.array(values, own_kind))
        return pa.record_batch(arrays, names=list(names))

    def batches() -> Iterator[Any]:
        for begin in range(0, len(columns[0]), _BATCH_ROWS):
            yield batch(begin, min(begin + _BATCH_ROWS, len(columns[0])))

    return pa.RecordBatchReader.from_batches(batch(0, 0).schema, batches())


def exported(values: Any) -> Tuple[Any, Any]:
    """An array as a column of Arrow holds it, and the column's type where NumPy does not say it.

    What nodes are called may be any objects: they are text, unless all of them are integers.
    """
    from ._arrow import pyarrow

    pa = pyarrow()
    if values is None or values.dtype != object:
        return values, None
    if all(isinstance(value, str) for value in values):
        return values, pa.string()
    if all(isinstance(value, (int, np.integer)) and not isinstance(value, bool) and abs(value) < 1 << 63 for value in values):
        return values, pa.int64()
    texts = np.empty(len(values), object)
    texts[:] = [str(value) for value in values]
    return texts, pa.string()


def _named(nodes: np.ndarray, ids: Any) -> np.ndarray:
    """The ids of nodes; all ones (no node: unreached) stay what they are, or None among names."""
    missing = nodes >= len(ids)
    if not missing.any():
        return ids[nodes]
    named = ids[np.where(missing, 0, nodes)]
    named[missing] = None if named.dtype == object else np.iinfo(named.dtype).max
    return named
