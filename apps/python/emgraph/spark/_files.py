# SPDX-License-Identifier: MIT
"""Parquet files that the tasks read themselves: their columns never become rows of the JVM.

The driver lists the files and, if there are fewer than cores, their row groups. A task gets some of these pieces and reads
them with pyarrow, batch by batch.
"""
from __future__ import annotations

from typing import Any, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from pyspark.sql import DataFrame, SparkSession

from ._checks import check

Paths = Union[str, Sequence[str]]
#: A file, its first row group, and the number of groups; -1: all of them.
Piece = Tuple[str, int, int]

_BATCH_ROWS = 1 << 17


def opened(path: str) -> Any:
    """The file system of a path or a URL, and the path there."""
    from pyarrow import fs

    return fs.FileSystem.from_uri(path) if "://" in path else (fs.LocalFileSystem(), path)


def around(path: str, inside: str) -> Tuple[str, str]:
    """What a URL has before and behind its path in the file system, for the URLs of other files there."""
    if "://" not in path:
        return "", ""
    address, mark, options = path.partition("?")
    address = address.rstrip("/")
    if not address.endswith(inside.rstrip("/")):
        raise ValueError(f"{path}: its path in the file system is {inside}; URLs with escapes (%) are not read")
    return address[: len(address) - len(inside.rstrip("/"))], mark + options


def listed(paths: Paths) -> List[Tuple[str, int]]:
    """The files with their bytes, in the order of their names; of directories all whose name and folders begin with neither
    `_` nor `.`."""
    import os

    from pyarrow import fs

    if not isinstance(paths, (str, os.PathLike, list, tuple)):
        raise TypeError(f"edges: a DataFrame of Spark or the paths of Parquet files, not {type(paths).__name__}")
    found = []
    for path in [paths] if isinstance(paths, (str, os.PathLike)) else paths:
        path = os.fspath(path)
        if "://" not in path:
            path = os.path.abspath(path)  # executors work in other directories
        system, inside = opened(path)
        before, behind = around(path, inside)
        info = system.get_file_info(inside)
        if info.type == fs.FileType.NotFound:
            raise FileNotFoundError(f"{path}: there is no such file or directory")
        below = [info] if info.type == fs.FileType.File else system.get_file_info(fs.FileSelector(inside, recursive=True))
        for each in sorted(below, key=lambda item: item.path):
            names = each.path[len(inside):].split("/") if each is not info else []
            if each.type == fs.FileType.File and not any(name[:1] in ("_", ".") for name in names if name):
                found.append((before + each.path + behind, each.size))
    if not found:
        raise FileNotFoundError(f"{paths}: no files" if paths else "edges: the list of paths is empty")
    return found


def schema_of(path: str) -> Any:
    import pyarrow.parquet as parquet

    system, inside = opened(path)
    return parquet.read_schema(inside, filesystem=system)


def pieces_of(files: List[Tuple[str, int]], cores: int) -> List[Piece]:
    if len(files) >= cores:
        return [(path, 0, -1) for path, _ in files]
    import pyarrow.parquet as parquet

    groups = []
    for path, _ in files:
        system, inside = opened(path)
        with parquet.ParquetFile(inside, filesystem=system) as file:
            groups.append((path, file.num_row_groups))
    share = max(1, sum(count for _, count in groups) // (2 * cores))
    return [(path, first, min(share, count - first)) for path, count in groups for first in range(0, count, share)]


class Reading(NamedTuple):
    """Reads the columns of pieces; hands the batches to `reduce`."""

    reduce: Any
    columns: Sequence[str]
    names: Sequence[str]
    types: Sequence[str]

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        return self.reduce(self.rows(batches))

    def rows(self, batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow.parquet as parquet

        for pieces in batches:
            for path, first, count in zip(*(pieces.column(i).to_pylist() for i in range(3))):
                system, inside = opened(path)
                with parquet.ParquetFile(inside, filesystem=system, pre_buffer=False) as file:
                    groups = None if count < 0 else list(range(first, first + count))
                    for batch in file.iter_batches(_BATCH_ROWS, groups, list(self.columns), use_threads=False):
                        rows = self.cast(batch, path)
                        check(rows, self.columns, path + ": ")
                        yield rows

    def cast(self, batch: Any, path: str) -> Any:
        """The columns by their names, in the types of the first file."""
        import pyarrow as pa

        from emgraph import DataError

        columns = []
        for name, kind in zip(self.columns, map(pa.type_for_alias, self.types)):
            at = batch.schema.get_field_index(name)
            if at < 0:
                raise DataError(f"{path}: there is no column {name!r}; another file of the edges has it")
            column = batch.column(at)
            if not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
                raise DataError(f"{path}: column {name!r} is of type {column.type}, in another file of numbers")
            try:
                columns.append(column.cast(kind))
            except pa.ArrowInvalid as error:
                raise DataError(f"{path}: column {name!r}: {error}") from None
        return pa.record_batch(columns, names=list(self.names))


class Files:
    """Edges in Parquet files, as far as steps use them like a DataFrame."""

    def __init__(self, pieces: DataFrame, parts: int, columns: Sequence[str], names: Sequence[str], types: Sequence[str]) -> None:
        self._pieces = pieces
        self.parts = parts
        self._how = (tuple(columns), tuple(names), tuple(types))

    @staticmethod
    def of(files: List[Tuple[str, int]], columns: Sequence[str], names: Sequence[str], types: Sequence[str]) -> "Files":
        session = active_session()
        cores = max(1, session.sparkContext.defaultParallelism)
        pieces = pieces_of(files, cores)
        # A task per core and 256 MB at least, so that there are few forests to merge.
        size = sum(bytes_ for _, bytes_ in files)
        parts = max(1, min(len(pieces), max(cores, size >> 28)))
        # By turns, so that files of a part of the graph are spread.
        rows = session.sparkContext.parallelize([pieces[i::parts] for i in range(parts)], parts).flatMap(lambda some: some)
        frame = session.createDataFrame(rows, "path string, first long, count long")
        return Files(frame, parts, columns, names, types)

    def mapInArrow(self, function: Any, schema: str) -> DataFrame:  # noqa: N802, the name that Spark gives it
        return self._pieces.mapInArrow(Reading(function, *self._how), schema)

    def repartition(self, parts: int) -> "Files":
        return Files(self._pieces.repartition(parts), parts, *self._how)

    def whole(self) -> "Files":
        """In one partition."""
        return self if self.parts == 1 else self.repartition(1)


def active_session() -> SparkSession:
    session: Optional[SparkSession] = SparkSession.getActiveSession()
    return session or SparkSession.builder.getOrCreate()
