# SPDX-License-Identifier: MIT
"""Recognises what the user gives as a graph: arrays, matrices, graphs of other libraries, tables, files."""
from __future__ import annotations

import glob
import itertools
import os
from typing import Any, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _arrow
from ._edges import Edges
from ._errors import DataError, UsageError
from ._rows import PIECE_ROWS, Batch, LabelTable, Table, label_lines, weight_name

#: Which columns of a table are source, target and weight: names, or numbers from 0.
Columns = Optional[Sequence[Union[str, int]]]

Source = Union[List[str], Edges, Table, LabelTable]


def resolve(value: Any, columns: Columns, weights: bool) -> Source:
    """What the program shall read: file names, edges of an earlier result, or a table to stream.

    `weights`: the command uses weights; a column of weights is taken even if `columns` does not name it.
    """
    if isinstance(value, Edges):
        return value
    if isinstance(value, (str, os.PathLike)) or _is_paths(value):
        names = [os.fspath(name) for name in ([value] if isinstance(value, (str, os.PathLike)) else value)]
        return _files(names, columns, weights)
    if hasattr(value, "edges") and isinstance(value.edges, Edges):  # the result of gen, sort, mst …
        return value.edges
    if hasattr(value, "__arrow_c_stream__") or hasattr(value, "fetch_arrow_reader"):
        return _arrow.stream_table(value, columns, weights)
    module = type(value).__module__.split(".")[0]
    if module == "networkx":
        return _networkx_table(value, weights)
    if module == "igraph":
        return _igraph_table(value, weights)
    if hasattr(value, "tocoo") and hasattr(value, "shape"):
        return _matrix_table(value)
    if module == "pandas" and hasattr(value, "columns"):
        return _frame_table(value, columns, weights)
    if isinstance(value, np.ndarray):
        return _array_table(value)
    if isinstance(value, (tuple, list)) and len(value) in (2, 3):
        return _columns_table([_array(column) for column in value], ("source", "target", "weight"))
    raise UsageError(
        f"a graph is a file name, gen:..., (source, target[, weight]), an m x 2 array, a matrix of scipy.sparse, a graph "
        f"of networkx or igraph, or a table with __arrow_c_stream__; not {type(value).__name__}"
    )


def _is_paths(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) > 0 and all(isinstance(v, (str, os.PathLike)) for v in value)


def _files(names: List[str], columns: Columns, weights: bool) -> Source:
    tables: List[str] = []
    others: List[str] = []
    for name in names:
        found = None if name == "-" or name.startswith("gen:") else parquet_files(name)
        if found is None:
            others.append(name)
        else:
            tables.extend(found)
    if not tables:
        if columns is not None:
            raise UsageError("columns: names columns of tables; for text files use cols=")
        return others
    if others:
        raise UsageError(f"Parquet files and other files are not one input: {tables[0]}, {others[0]}")
    return _arrow.parquet_table(tables, columns, weights)


def parquet_files(name: str) -> Optional[List[str]]:
    """The Parquet files that a file, directory or pattern names; None: it names something else."""
    if os.path.isdir(name):
        return sorted(_below(name))
    if any(mark in name for mark in "*?[") and not os.path.exists(name):
        matches = sorted(glob.glob(name, recursive=True))
        if not matches:
            raise FileNotFoundError(f"no file matches {name}")
        found = [parquet_files(match) for match in matches]
        if all(files is None for files in found):
            raise UsageError(f"{name}: {matches[0]} is no Parquet file; patterns are for Parquet files")
        if any(files is None for files in found):
            raise UsageError(f"{name}: {matches[[f is None for f in found].index(True)]} is no Parquet file")
        return [file for files in found for file in files or []]
    if os.path.isfile(name):
        with open(name, "rb") as file:
            return [name] if file.read(4) == b"PAR1" else None
    return [name] if name.endswith((".parquet", ".pq")) else None


def _below(directory: str) -> Iterator[str]:
    """As Spark and Hive write them; names with _ or . in front are their notes."""
    for folder, folders, files in os.walk(directory):
        folders[:] = [name for name in folders if name[0] not in "_."]
        yield from (os.path.join(folder, name) for name in files if name[0] not in "_." and name.endswith((".parquet", ".pq")))


def _array(column: Any) -> np.ndarray:
    if isinstance(column, np.ma.MaskedArray) and column.mask.any():
        raise DataError(f"row {int(np.argmax(column.mask))}: null (a masked value) where a number was expected")
    if isinstance(column, np.ndarray):
        return column
    if hasattr(column, "to_numpy"):
        return column.to_numpy()
    return np.asarray(column)


def _array_table(array: np.ndarray) -> Union[Table, LabelTable]:
    array = _array(array)
    if array.ndim == 2 and array.shape[1] in (2, 3):
        columns = [array[:, i] for i in range(array.shape[1])]
    elif array.ndim == 2 and array.shape[0] == 2:
        columns = [array[0], array[1]]
    else:
        raise UsageError(f"an array of edges is m x 2, m x 3 (with weights) or 2 x m, not {' x '.join(map(str, array.shape))}")
    return _columns_table(columns, ("0", "1", "2"))


def _columns_table(columns: List[np.ndarray], names: Sequence[str]) -> Union[Table, LabelTable]:
    """Columns in memory, taken apart piece by piece."""
    for column, name in zip(columns, names):
        if column.ndim != 1:
            raise UsageError(f"column {name!r} has {column.ndim} dimensions, not one")
        if len(column) != len(columns[0]):
            raise UsageError(f"column {name!r} has {len(column)} values, column {names[0]!r} has {len(columns[0])}")
    weight = columns[2].dtype if len(columns) > 2 else None
    columns[:2] = [np.char.decode(column, "utf-8") if column.dtype.kind == "S" else column for column in columns[:2]]
    if any(column.dtype.kind == "U" or any(isinstance(v, str) for v in column[:100]) for column in columns[:2]):
        weight_type = None if weight is None else weight_name(weight, names[2])
        return LabelTable(lambda: label_lines(names, iter([tuple(columns)])), weight_type)
    columns[:2] = [_integers(c, name) if c.dtype.kind == "O" else c for c, name in zip(columns[:2], names)]
    largest = 0
    for column in columns[:2]:
        if column.dtype.kind in "iu" and len(column):
            largest = max(largest, int(column.max()))
    return Table(names, lambda: iter([tuple(columns)]), [column.dtype for column in columns[:2]], weight, largest)


def _integers(column: np.ndarray, name: str) -> np.ndarray:
    """A column of Python integers, of objects."""
    for row, value in enumerate(column):
        if not isinstance(value, (int, np.integer)) or isinstance(value, bool):
            found = "null" if value is None else f"{value!r}"
            raise DataError(f"column {name!r}, row {row}: {found} where a node id was expected")
        if not 0 <= int(value) < 1 << 64:
            raise DataError(f"column {name!r}, row {row}: {value} is not between 0 and 2^64 - 1")
    return column.astype(np.uint64)


def _matrix_table(matrix: Any) -> Table:
    """A matrix of scipy.sparse: an edge per stored element. Of CSR and CSC, pieces are made on the way."""
    rows, cols = matrix.shape
    kind = matrix.dtype if matrix.dtype.kind in "iuf" else None
    if matrix.format in ("csr", "csc"):
        def batches() -> Iterator[Batch]:
            ends = matrix.indptr
            for begin in range(0, int(ends[-1]), PIECE_ROWS):
                end = min(begin + PIECE_ROWS, int(ends[-1]))
                low = int(np.searchsorted(ends, begin, "right")) - 1
                high = int(np.searchsorted(ends, end, "left"))
                counts = np.diff(np.clip(ends[low : high + 1], begin, end))
                major = np.repeat(np.arange(low, high), counts)
                minor = matrix.indices[begin:end]
                pair = (major, minor) if matrix.format == "csr" else (minor, major)
                yield pair if kind is None else (*pair, matrix.data[begin:end])
    else:
        coordinates = matrix.tocoo()

        def batches() -> Iterator[Batch]:
            pair = (coordinates.row, coordinates.col)
            yield pair if kind is None else (*pair, coordinates.data)

    nodes = max(rows, cols)
    id_type = np.dtype(np.int64)
    return Table(("row", "column", "data"), batches, [id_type, id_type], kind, max(nodes - 1, 0), nodes=nodes)


def _numbers(count: int, nodes: Sequence[Any]) -> Tuple[Optional[dict], Optional[np.ndarray]]:
    """Numbers for nodes of any kind, and their names; none if they are 0 … n-1 already."""
    if all(type(node) is int for node in nodes) and set(nodes) == set(range(count)):
        return None, None
    names = np.empty(count, object)
    names[:] = nodes
    return {node: number for number, node in enumerate(nodes)}, names


def _networkx_table(graph: Any, weights: bool) -> Table:
    count = graph.number_of_nodes()
    number, names = _numbers(count, list(graph.nodes))
    weighted = weights and graph.number_of_edges() > 0 and all("weight" in d for _, _, d in graph.edges(data=True))
    kind = None
    if weighted:
        whole = all(isinstance(d["weight"], (int, np.integer)) for _, _, d in graph.edges(data=True))
        kind = np.dtype(np.int64 if whole else np.float64)

    def batches() -> Iterator[Batch]:
        edges = iter(graph.edges(data=True))
        while True:
            part = list(itertools.islice(edges, PIECE_ROWS))
            if not part:
                return
            if number is None:
                ends = np.array([(u, v) for u, v, _ in part], np.int64)
            else:
                ends = np.array([(number[u], number[v]) for u, v, _ in part], np.int64)
            pair = (ends[:, 0], ends[:, 1])
            yield (*pair, np.array([d["weight"] for _, _, d in part], kind)) if weighted else pair

    id_type = np.dtype(np.int64)
    return Table(("source", "target", "weight"), batches, [id_type, id_type], kind, max(count - 1, 0), nodes=count,
                 ids=names, directed=graph.is_directed())


def _igraph_table(graph: Any, weights: bool) -> Table:
    count = graph.vcount()
    names = None
    if "name" in graph.vs.attributes():
        names = np.empty(count, object)
        names[:] = graph.vs["name"]
    kind = None
    if weights and "weight" in graph.es.attributes():
        whole = all(isinstance(weight, int) for weight in graph.es["weight"])
        kind = np.dtype(np.int64 if whole else np.float64)

    def batches() -> Iterator[Batch]:
        for begin in range(0, graph.ecount(), PIECE_ROWS):
            part = graph.es[begin : min(begin + PIECE_ROWS, graph.ecount())]
            ends = np.array([edge.tuple for edge in part], np.int64)
            pair = (ends[:, 0], ends[:, 1])
            yield pair if kind is None else (*pair, np.array(part["weight"], kind))

    id_type = np.dtype(np.int64)
    return Table(("source", "target", "weight"), batches, [id_type, id_type], kind, max(count - 1, 0), nodes=count,
                 ids=names, directed=graph.is_directed())


def _frame_table(frame: Any, columns: Columns, weights: bool) -> Union[Table, LabelTable]:
    """A DataFrame of pandas before 2.2, which has no Arrow stream."""
    kinds = [_arrow.kind_of_numpy(frame.dtypes.iloc[i]) for i in range(len(frame.columns))]
    chosen = _arrow.choose(list(map(str, frame.columns)), kinds, columns, weights, "the DataFrame")
    parts = [frame.iloc[:, i].to_numpy() for i in chosen]
    return _columns_table(parts, [str(frame.columns[i]) for i in chosen])
