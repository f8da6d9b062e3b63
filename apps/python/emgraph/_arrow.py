# SPDX-License-Identifier: MIT
"""Reads tables by pyarrow, which is imported only here and when it is needed: Arrow streams and Parquet files."""
from __future__ import annotations

import io
import os
from contextlib import contextmanager
from typing import Any, Callable, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._columns import WEIGHTS, choose
from ._errors import DataError, EnvironmentError, UsageError
from ._rows import Batch, LabelTable, Rows, Table, weight_name

# Rows that pyarrow decodes at once: a few MiB of columns.
_BATCH_ROWS = 1 << 17
# Bytes of a column chunk that are read at once: whole chunks (128 MB in files of Spark) would stand in memory.
_READ_BYTES = 1 << 20
# In the text of an exception: Ctrl-C came while a stream of Python, or of DuckDB, made a batch.
_INTERRUPTED = ("KeyboardInterrupt", "Query interrupted")


def pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise ImportError("Parquet files and Arrow streams need pyarrow: pip install pyarrow") from None
    return pyarrow


def _kind(type_: Any) -> str:
    types = pyarrow().types
    if types.is_dictionary(type_):
        return _kind(type_.value_type)
    if types.is_integer(type_):
        return "integer"
    if types.is_floating(type_):
        return "real"
    text = types.is_string(type_) or types.is_large_string(type_) or getattr(types, "is_string_view", lambda _: False)(type_)
    return "text" if text else "other"


def _is_frame(value: Any) -> bool:
    """Whether it is a DataFrame of pandas or polars."""
    frames = [kind for kind in type(value).__mro__ if kind.__name__ == "DataFrame"]
    return any(kind.__module__.split(".")[0] in ("pandas", "polars") for kind in frames)


def _with_columns(frame: Any, columns: Any, where: str) -> Tuple[Any, Any]:
    """A DataFrame that has the chosen columns only, since others may have no type in Arrow; and their numbers there.

    An index of pandas may be chosen as well, which only the stream has as a column. Then the frame stays whole.
    """
    names = [str(name) for name in frame.columns]
    levels = getattr(getattr(frame, "index", None), "names", ())
    index = [f"__index_level_{level}__" if name is None else name for level, name in enumerate(levels)]
    if any(column in index for column in columns):
        return frame, columns
    chosen = choose(names, (), columns, False, where)
    held = frame.iloc[:, chosen].reset_index(drop=True) if hasattr(frame, "iloc") else frame[:, chosen]
    return held, range(len(chosen))


def _with_index(frame: Any, columns: Any) -> Any:
    """A DataFrame whose stream has its index if that has a name or is chosen. pandas leaves out an index that is a range."""
    index = getattr(frame, "index", None)
    if type(index).__name__ != "RangeIndex":
        return frame
    if index.name is None and not (hasattr(columns, "__len__") and "__index_level_0__" in columns):
        return frame
    return pyarrow().Table.from_pandas(frame, preserve_index=True)


def _is_repeatable(value: Any) -> bool:
    """Whether the Arrow stream of `value` can be asked for again. What is not known here may be a stream itself."""
    pa = pyarrow()
    return _is_frame(value) or isinstance(value, (pa.Table, pa.RecordBatch))


def stream_table(value: Any, columns: Any, weights: bool) -> Union[Table, LabelTable]:
    """Anything with __arrow_c_stream__."""
    pa = pyarrow()
    where = type(value).__name__
    if hasattr(columns, "__len__") and _is_frame(value):
        value, columns = _with_columns(value, columns, where)
    value = _with_index(value, columns)

    def reader() -> Any:
        if isinstance(value, pa.RecordBatchReader):
            return value
        if not hasattr(value, "__arrow_c_stream__"):
            return value.fetch_arrow_reader(_BATCH_ROWS)
        return pa.RecordBatchReader.from_stream(value)

    try:
        opened: List[Any] = [reader()]
    except (pa.ArrowException, OverflowError) as error:  # OverflowError: of integers above 64 bits, and of objects above 2^63
        raise DataError(f"{where}: no Arrow stream can be made of it: {error}") from None

    def batches() -> Iterator[Any]:
        try:
            for batch in opened.pop() if opened else reader():
                yield batch.select(chosen)
        except (pa.ArrowException, OSError, RuntimeError) as error:
            # The C interface of streams passes on only the text of an exception.
            if any(text in str(error) for text in _INTERRUPTED):
                raise KeyboardInterrupt from None
            raise DataError(f"{where}: {error}") from error

    schema = opened[0].schema
    if not isinstance(schema, pa.Schema):
        raise UsageError("the Arrow stream is no table")
    chosen = choose(schema.names, [_kind(field.type) for field in schema], columns, weights, where)
    return _table([schema.field(i) for i in chosen], batches, _is_repeatable(value))


def parquet_table(files: Sequence[str], columns: Any, weights: bool) -> Union[Table, LabelTable]:
    """Parquet files, whose columns are found by name in each."""
    pa = pyarrow()
    import pyarrow.parquet as parquet

    @contextmanager
    def open_file(name: str) -> Iterator[Any]:
        try:
            file = open(name, "rb")  # pyarrow opens only names in UTF-8
        except OSError as error:
            raise EnvironmentError(f"{name}: cannot open: {error.strerror}") from None
        with file:
            try:
                opened = parquet.ParquetFile(file, buffer_size=_READ_BYTES, pre_buffer=False)
            except (OSError, pa.ArrowException) as error:
                raise DataError(f"{name}: {error}") from None
            yield opened

    keys = [part.partition("=")[0] for name in files for part in os.path.dirname(name).split("/") if "=" in part]
    largest: Optional[int] = 0
    names: List[str] = []
    fields: List[Any] = []
    ends: List[int] = []
    for name in files:
        with open_file(name) as file:
            schema = file.schema_arrow
            if not names:
                chosen = choose(schema.names, [_kind(field.type) for field in schema], columns, weights, name, keys)
                names = [schema.names[i] for i in chosen]
                fields = [schema.field(i) for i in chosen]
            for column in names:
                if schema.names.count(column) > 1:
                    raise DataError(f"{name}: has {schema.names.count(column)} columns {column!r}, expected one")
                if column not in schema.names:
                    raise DataError(f"{name}: has no column {column!r}, which {files[0]} has")
            if weights and columns is None and len(names) == 2:
                for column in schema.names:
                    if column.lower() in WEIGHTS and column not in names and files[0] != name:
                        raise DataError(f"{files[0]}: has no column {column!r}, which {name} has")
            for field in fields[:2]:
                _refuse_other_kind(field, files[0], schema.field(field.name), name)
            fields = [wider(field, schema.field(field.name)) for wider, field in zip((_wider, _wider, _wider_weight), fields)]
            largest = _largest(file.metadata, names[:2], largest)
            ends.append(file.metadata.num_rows + (ends[-1] if ends else 0))

    def batches() -> Iterator[Any]:
        for name in files:
            with open_file(name) as file:
                try:
                    for batch in file.iter_batches(_BATCH_ROWS, columns=names):
                        yield batch.select(names)
                except (OSError, pa.ArrowException) as error:
                    raise DataError(f"{name}: {error}") from None

    return _table(fields, batches, True, largest, Rows(files, ends))


def _refuse_other_kind(field: Any, file: str, other: Any, other_file: str) -> None:
    """Columns of ids are of one kind in all files. Nulls and fractions are refused as they are read."""
    kinds = {_kind(each.type) for each in (field, other) if not pyarrow().types.is_null(each.type)}
    if len(kinds - {"real"}) > 1 or kinds in ({"real", "text"}, {"real", "other"}):
        raise DataError(f"{other_file}: column {field.name!r} is of type {other.type}, in {file} of type {field.type}")


def _wider(field: Any, other: Any) -> Any:
    """The one of two columns of ids that holds larger ids."""
    if pyarrow().types.is_null(field.type):
        return other
    if not _kind(field.type) == _kind(other.type) == "integer":
        return field
    return max(field, other, key=lambda each: _numpy_type(each.type).itemsize)


def _wider_weight(field: Any, other: Any) -> Any:
    """The one of two columns of weights whose type holds the weights of both; of integers and real numbers float64."""
    types = _weight_type(field), _weight_type(other)
    if weight_name(types[0], field.name) == weight_name(types[1], field.name):
        return field
    if types[0].kind == types[1].kind == "f":
        return max(field, other, key=lambda each: _numpy_type(each.type).itemsize)
    integers = all(each.kind in "iu" for each in types)
    return field.with_type(pyarrow().int64() if integers else pyarrow().float64())


def _largest(metadata: Any, names: Sequence[str], largest: Optional[int]) -> Optional[int]:
    """The largest id by the statistics in a file's footer; None: they are missing."""
    for group in range(metadata.num_row_groups):
        row_group = metadata.row_group(group)
        for number in range(row_group.num_columns):
            chunk = row_group.column(number)
            if chunk.path_in_schema not in names:
                continue
            known = chunk.statistics
            if largest is None or known is None or not known.has_min_max or not isinstance(known.max, int):
                return None
            largest = max(largest, known.max)
    return largest


def _table(
    fields: Sequence[Any], batches: Callable[[], Iterator[Any]], repeatable: bool, largest: Optional[int] = None,
    rows: Rows = Rows(),
) -> Union[Table, LabelTable]:
    names = [field.name for field in fields]
    # A column of an empty frame, or of nulls, may have no type: its names are refused where there are any.
    kinds = ["text" if pyarrow().types.is_null(field.type) else _kind(field.type) for field in fields]
    weight = None if len(fields) < 3 else _weight_type(fields[2])
    if kinds[0] == "text" and kinds[1] == "text" or sorted(kinds[:2]) == ["integer", "text"]:
        name = None if weight is None else weight_name(weight, names[2])
        return LabelTable(lambda: _label_lines(names, batches(), rows), name, rows)
    for field, kind in zip(fields[:2], kinds):
        if kind in ("text", "other"):
            raise DataError(f"column {field.name!r} is of type {field.type}; node ids are integers")
    id_types = [_numpy_type(field.type) for field in fields[:2]]
    return Table(names, lambda: _numeric(names, batches(), rows), id_types, weight, largest, repeatable, rows=rows)


def _numpy_type(type_: Any) -> np.dtype:
    """The type of an integer or floating-point column. (pyarrow's own to_pandas_dtype may import pandas.)"""
    if pyarrow().types.is_dictionary(type_):
        type_ = type_.value_type
    names = {"halffloat": "float16", "float": "float32", "double": "float64"}
    return np.dtype(names.get(str(type_), str(type_)))


def _weight_type(field: Any) -> np.dtype:
    if pyarrow().types.is_null(field.type):
        return np.dtype(np.float64)
    if _kind(field.type) not in ("integer", "real"):
        raise DataError(f"column {field.name!r} is of type {field.type}; weights are numbers")
    return _numpy_type(field.type)


def _refuse_nulls(column: Any, name: str, row: int, rows: Rows, what: str) -> None:
    if column.null_count > 0:
        raise rows.error(name, row + column.is_null().to_pylist().index(True), f"null where a {what} was expected")


def _decoded(column: Any) -> Any:
    """The values of a column that is coded by a dictionary. Of views of text pyarrow can take none by index."""
    pa = pyarrow()
    if not pa.types.is_dictionary(column.type):
        return column
    values = column.dictionary.cast(pa.string()) if _kind(column.type) == "text" else column.dictionary
    return values.take(column.indices)


def _numbers(column: Any) -> np.ndarray:
    """The values of a column of numbers without nulls. (pyarrow's own to_numpy imports pandas, which swallows Ctrl-C.)"""
    kind = np.dtype(np.float64) if pyarrow().types.is_null(column.type) else _numpy_type(column.type)
    if len(column) == 0:
        return np.empty(0, kind)
    return np.frombuffer(column.buffers()[1], kind, len(column), column.offset * kind.itemsize)


def column_values(column: Any, name: str) -> np.ndarray:
    """An array of pyarrow, which stands beside other columns, for NumPy."""
    parts = []
    row = 0
    for chunk in getattr(column, "chunks", [column]):
        chunk = _decoded(chunk)
        _refuse_nulls(chunk, name, row, Rows(), "value")
        kind = _kind(chunk.type)
        if kind == "text":
            parts.append(np.array(chunk.to_pylist(), object))
        else:
            parts.append(_numbers(chunk) if kind in ("integer", "real") else chunk.to_numpy(zero_copy_only=False))
        row += len(chunk)
    return np.concatenate(parts) if parts else np.empty(0, np.int64)


_WHAT = ("node id", "node id", "weight")


def _numeric(names: Sequence[str], batches: Iterator[Any], rows: Rows) -> Iterator[Batch]:
    row = 0
    for batch in batches:
        columns = [_decoded(column) for column in batch.columns]
        for column, name, what in zip(columns, names, _WHAT):
            _refuse_nulls(column, name, row, rows, what)
        yield tuple(map(_numbers, columns))
        row += batch.num_rows


def _label_lines(names: Sequence[str], batches: Iterator[Any], rows: Rows) -> Iterator[bytes]:
    """CSV with quotes around all names."""
    pa = pyarrow()
    import pyarrow.csv as csv

    options = csv.WriteOptions(include_header=False, quoting_style="needed")
    row = 0
    for batch in batches:
        columns = []
        for number, (column, name) in enumerate(zip(map(_decoded, batch.columns), names)):
            _refuse_nulls(column, name, row, rows, "node's name" if number < 2 else "weight")
            # Text is quoted, numbers are not; a view of strings is not known to the writer.
            columns.append(column.cast(pa.string()) if number < 2 else column)
        row += batch.num_rows
        sink = io.BytesIO()
        csv.write_csv(pa.record_batch(columns, names=[str(i) for i in range(len(columns))]), sink, options)
        yield sink.getvalue()
