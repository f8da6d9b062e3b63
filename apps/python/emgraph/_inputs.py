# SPDX-License-Identifier: MIT
"""Recognises what the user gives as a graph: arrays, matrices, graphs of other libraries, tables, files."""
from __future__ import annotations

import glob
import os
import warnings
from typing import Any, FrozenSet, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _arrow, _graphs
from ._columns import choose, kind_of_numpy
from ._edges import Edges
from ._errors import DataError, EmgraphWarning, EnvironmentError, Error, UsageError, system_errors
from ._results import Result
from ._rows import LabelTable, Table, first, label_lines, weight_kind, weight_name

#: Which columns of a table or array are source, target and weight: names, or numbers from 0.
Columns = Optional[Sequence[Union[str, int]]]

Source = Union[List[str], Edges, Table, LabelTable]

_NAMES = ("source", "target", "weight")
_PARQUET_MAGIC = b"PAR1"
_PATTERNS = ("*.parquet", "*.parq", "*.pq")


def resolve(value: Any, columns: Columns, weights: bool) -> Source:
    """What the program shall read: file names, edges of an earlier result, or a table to stream.

    `weights`: the command uses weights; a column of weights is taken even if `columns` does not name it.
    """
    names = file_names(value)
    if names:
        return _files(names, columns, weights)
    edges = value if isinstance(value, Edges) else getattr(value, "edges", None)  # a result of gen, sort, mst … has edges
    if isinstance(value, Result) and not isinstance(edges, Edges):
        raise UsageError(_without_edges(value))
    modules = {kind.__module__.split(".")[0] for kind in type(value).__mro__}  # of classes of the user, too
    if not isinstance(edges, Edges):
        if hasattr(value, "__arrow_c_stream__") or hasattr(value, "fetch_arrow_reader"):
            return _arrow.stream_table(value, columns, weights)
        if "pandas" in modules and hasattr(value, "columns"):
            return _frame_table(value, columns, weights)
        if isinstance(value, np.ndarray):
            return _array_table(value, columns)
    found = f"tuple of {len(value)}" if isinstance(value, tuple) else type(value).__name__
    if columns is not None:
        raise UsageError(f"columns: tables and arrays of two dimensions have columns to choose from, not a {found}")
    if isinstance(edges, Edges):
        return edges
    if "networkx" in modules:
        return _graphs.networkx_table(value, weights)
    if "igraph" in modules:
        return _graphs.igraph_table(value, weights)
    if hasattr(value, "tocoo") and hasattr(value, "shape"):
        return _graphs.matrix_table(value)
    if isinstance(value, tuple) and len(value) in (2, 3):
        return _columns_table(value, _NAMES)
    if isinstance(value, list):
        return _columns_table(_columns_of(value), _NAMES)
    raise UsageError(
        "a graph is a file name, gen:..., a tuple (source, target[, weight]) of columns, a list of edges, an m x 2 array, "
        f"a matrix of scipy.sparse, a graph of networkx or igraph, or a table with __arrow_c_stream__; not {found}"
    )


def _without_edges(result: Result) -> str:
    """Says why a result is no graph."""
    found = f"found a result of {result._command.name}"
    held = [name for name in result._command.outputs.values() if name in result.__dict__]
    named = [name for name in held if isinstance(result.__dict__[name], Edges)]
    if named:
        return f"{found}, expected a graph; its edges are .{named[0]}"
    if "edges" in result._missing:
        return f"{found}, expected a graph: {result._missing['edges']}"
    if isinstance(result.__dict__.get("edges"), np.ndarray):
        return f"{found}, whose edges are an array, as .npy holds them; give .edges, or have them written to .emg, which keeps their names"
    return f"{found}, which has {', '.join(held) or 'a summary'} and no edges; expected a graph"


def file_names(value: Any) -> List[str]:
    """The names of files that the user gave; none: it is something else."""
    names = value if isinstance(value, (list, tuple)) else [value]
    return [os.fspath(name) for name in names] if all(isinstance(name, (str, os.PathLike)) for name in names) else []


def _files(names: List[str], columns: Columns, weights: bool) -> Source:
    tables: List[str] = []
    others: List[str] = []
    left_out: List[str] = []
    for name in names:
        found = None if name == "-" or name.startswith("gen:") else parquet_files(name, left_out)
        if found is None:
            others.append(name)
        elif found:
            tables.extend(found)
        else:
            held = sorted(os.listdir(name)) if os.path.isdir(name) else []
            raise DataError(f"{name}: found {held[0] if held else 'no file'} there, expected Parquet files ({', '.join(_PATTERNS)})")
    if not tables:
        if columns is not None:
            raise UsageError("columns: names columns of tables; for text files use cols=")
        return others
    if others:
        raise UsageError(f"Parquet files and other files are not one input: {tables[0]}, {others[0]}")
    for file in left_out:
        warnings.warn(f"{file}: left out: a Parquet file by its bytes, not by its name ({', '.join(_PATTERNS)})",
                      EmgraphWarning, stacklevel=7)
    return _arrow.parquet_table(tables, columns, weights)


def has_parquet_name(name: str) -> bool:
    return name.lower().endswith(tuple(pattern[1:] for pattern in _PATTERNS))


def is_parquet(name: str) -> bool:
    """Whether `name` names Parquet files that exist."""
    try:
        files = None if name == "-" or name.startswith("gen:") else parquet_files(name)
    except (OSError, Error):
        return False
    return bool(files) and os.path.exists(files[0])


def parquet_files(name: str, left_out: Optional[List[str]] = None) -> Optional[List[str]]:
    """The Parquet files that a file, directory or pattern names; None: it names something else.

    `left_out` gets those that directories have under other names.
    """
    if os.path.isdir(name):
        files = sorted(_below(name, frozenset()))
        if left_out is not None:
            left_out += [file for file in files if not has_parquet_name(file) and is_parquet(file)]
        return [file for file in files if has_parquet_name(file)]
    if any(mark in name for mark in "*?[") and not os.path.exists(name):
        matches = sorted(glob.glob(name, recursive=True))
        if not matches:
            raise EnvironmentError(f"{name}: no file matches")
        # With **, a directory and what is in it match.
        directories = [os.path.join(match, "") for match in matches if os.path.isdir(match)]
        matches = [match for match in matches if not any(match.startswith(d) and os.path.join(match, "") != d for d in directories)]
        found = [parquet_files(match, left_out) for match in matches]
        if all(files is None for files in found):
            raise UsageError(f"{name}: {matches[0]} is no Parquet file; patterns are for Parquet files")
        if any(files is None for files in found):
            raise UsageError(f"{name}: {matches[[f is None for f in found].index(True)]} is no Parquet file")
        return [file for files in found for file in files or []]
    if os.path.isfile(name):
        return [name] if _has_magic(name) else None
    return [name] if has_parquet_name(name) else None


def _has_magic(file: str) -> bool:
    with system_errors(f"{file}: cannot read"), open(file, "rb") as opened:
        return opened.read(len(_PARQUET_MAGIC)) == _PARQUET_MAGIC


def _below(directory: str, above: FrozenSet[Tuple[int, int]]) -> Iterator[str]:
    """The files below a directory as Spark and Hive write it; names with _ or . in front are their notes.

    Links to directories are followed, but not to one of those `above`, which are known by device and inode.
    """
    try:
        status = os.stat(directory)
        names = os.listdir(directory)
    except OSError as error:
        raise EnvironmentError(f"{directory}: cannot list: {os.strerror(error.errno or 0)}") from None
    here = (status.st_dev, status.st_ino)
    if here in above:
        return
    for name in names:
        path = os.path.join(directory, name)
        if name[0] in "_.":
            continue
        if os.path.isdir(path):
            yield from _below(path, above | {here})
        else:
            yield path


def array_of(column: Any, name: str) -> np.ndarray:
    if isinstance(column, np.ma.MaskedArray) and np.ma.is_masked(column):
        row = first(np.ma.getmaskarray(column))
        raise DataError(f"column {name!r}, row {row}: null (a masked value) where a number was expected")
    if isinstance(column, np.ndarray):
        return column
    if type(column).__module__.split(".")[0] == "pyarrow":
        return _arrow.column_values(column, name)
    if hasattr(column, "to_numpy"):
        return column.to_numpy()
    try:
        array = np.asarray(column)
    except ValueError as error:  # lists in a list
        raise UsageError(f"column {name!r}: {error}") from None
    if array.ndim != 1:
        return array
    # NumPy makes text of NaN beside names, and drops NULs at their ends.
    if array.dtype.kind in "US" or array.dtype.kind == "f" and all(isinstance(value, (int, np.integer)) for value in column):
        # NumPy makes floating-point numbers of integers from 2^63 on beside smaller ones.
        array = np.empty(len(column), object)
        array[:] = column
    return array


def _array_table(array: np.ndarray, columns: Columns) -> Union[Table, LabelTable]:
    """An array whose rows are edges, or whose two rows are sources and targets."""
    if not isinstance(array, np.ma.MaskedArray):
        array = np.asarray(array)  # of a numpy.matrix each column has two dimensions
    rows, width = array.shape if array.ndim == 2 else (0, 0)
    if array.ndim == 2 and columns is not None:
        chosen = choose([str(i) for i in range(width)], (), columns, False, "the array")
    elif width == 2 or (width == 3 and rows != 2):
        chosen = list(range(width))
    elif rows == 2:
        if width == 3:
            warnings.warn(
                "an array of 2 x 3 counts as sources and targets of 3 edges; if each row is an edge with a weight, say columns=(0, 1, 2)",
                EmgraphWarning,
                stacklevel=7,
            )
        array, chosen = array.T, [0, 1]
    else:
        raise UsageError(f"an array of edges is m x 2, m x 3 (with weights) or 2 x m, not {' x '.join(map(str, array.shape)) or 'one number'}")
    return _columns_table([array[:, i] for i in chosen], [str(i) for i in chosen])


def _columns_of(edges: List[Any]) -> List[List[Any]]:
    """The columns of a list of pairs, or of triples with weights."""
    width = 2
    for row, edge in enumerate(edges):
        if row == 0 and isinstance(edge, (tuple, list)) and len(edge) == 3:
            width = 3
        if not isinstance(edge, (tuple, list)) or len(edge) != width:
            size = f" of {len(edge)}" if hasattr(edge, "__len__") else ""
            raise UsageError(
                f"item {row} of the list: found {type(edge).__name__}{size}, expected an edge, which is a tuple of {width}; "
                "columns stand in a tuple: (source, target[, weight])"
            )
    return [[edge[i] for edge in edges] for i in range(width)]


def _columns_table(given: Sequence[Any], names: Sequence[str]) -> Union[Table, LabelTable]:
    """Columns in memory, taken apart piece by piece."""
    columns = [array_of(column, name) for column, name in zip(given, names)]
    for column, name in zip(columns, names):
        if column.ndim != 1:
            raise UsageError(f"column {name!r} has {column.ndim} dimensions, not one")
        if len(column) != len(columns[0]):
            raise UsageError(f"column {name!r} has {len(column)} values, column {names[0]!r} has {len(columns[0])}")
    if len(columns) > 2 and columns[2].dtype.kind == "O":
        kind = weight_kind(columns[2], lambda row: f"column {names[2]!r}, row {row}")
        columns[2] = columns[2].astype(kind)
    weight = columns[2].dtype if len(columns) > 2 else None
    columns[:2] = [_text(column, name) if column.dtype.kind == "S" else column for column, name in zip(columns[:2], names)]
    if any(column.dtype.kind in "UT" or column.dtype.kind == "O" and any(isinstance(v, (str, bytes)) for v in column)
           for column in columns[:2]):
        for column, name in zip(columns[:2], names):
            if column.dtype.kind not in "OUTiu":
                raise DataError(f"column {name!r}: the values are of type {column.dtype}; names are text or integers")
        weight_type = None if weight is None else weight_name(weight, names[2])
        return LabelTable(lambda: label_lines(names, iter([tuple(columns)])), weight_type)
    columns[:2] = [_integers(c, name) if c.dtype.kind == "O" else c for c, name in zip(columns[:2], names)]
    largest = 0
    for column in columns[:2]:
        if column.dtype.kind in "iu" and len(column):
            largest = max(largest, int(column.max()))
    return Table(names, lambda: iter([tuple(columns)]), [column.dtype for column in columns[:2]], weight, largest)


def _text(column: np.ndarray, name: str) -> np.ndarray:
    try:
        return np.char.decode(column, "utf-8")
    except UnicodeDecodeError as error:
        row = column.tolist().index(error.object)
        raise DataError(f"column {name!r}, row {row}: {error.object!r} is not text in UTF-8") from None


def _integers(column: np.ndarray, name: str) -> np.ndarray:
    """A column of Python integers, of objects."""
    for row, value in enumerate(column):
        if not isinstance(value, (int, np.integer)) or isinstance(value, bool):
            found = "null" if value is None else f"{value!r}"
            raise DataError(f"column {name!r}, row {row}: {found} where a node id was expected")
        if not 0 <= int(value) < 1 << 64:
            raise DataError(f"column {name!r}, row {row}: {value} is not between 0 and 2^64 - 1")
    return column.astype(np.uint64)


def _frame_table(frame: Any, columns: Columns, weights: bool) -> Union[Table, LabelTable]:
    """A DataFrame of pandas before 2.2, which has no Arrow stream."""
    kinds = [kind_of_numpy(frame.dtypes.iloc[i]) for i in range(len(frame.columns))]
    chosen = choose(list(map(str, frame.columns)), kinds, columns, weights, "the DataFrame")
    parts = [frame.iloc[:, i].to_numpy() for i in chosen]
    return _columns_table(parts, [str(frame.columns[i]) for i in chosen])
