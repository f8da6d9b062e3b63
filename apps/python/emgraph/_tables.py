# SPDX-License-Identifier: MIT
"""Writes Parquet files, which appear under their names when they are complete."""
from __future__ import annotations

import errno
import os
import shutil
import stat
import warnings
from contextlib import suppress
from typing import Any, Iterator, Sequence, Tuple

import numpy as np

from ._errors import DataError, EmgraphWarning, EnvironmentError, UsageError, system_errors

_BATCH_ROWS = 1 << 20


class NewFile:
    """A file that gets its name by keep(), when it is complete. Without that nothing is left.

    It replaces a file of its name, of which it takes the mode; of a link it replaces what the link names.
    """

    def __init__(self, path: str) -> None:
        refuse_place(path)
        self.given = path
        self.path = os.path.realpath(path)
        folder, name = os.path.split(self.path)
        self._temporary = os.path.join(folder, f"{name}.tmp.{os.getpid()}")
        self._is_named = False
        try:
            try:
                descriptor = os.open(folder, os.O_TMPFILE | os.O_RDWR, 0o666)
            except OSError as error:
                if error.errno not in (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL):
                    raise
                # The file system has no files without names.
                descriptor = os.open(self._temporary, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o666)
                self._is_named = True
        except OSError as error:
            raise EnvironmentError(f"{path}: cannot create in this directory: {error.strerror}") from None
        self.file = open(descriptor, "w+b")

    def complete(self) -> None:
        """Has the disk hold all that was written."""
        self.file.flush()
        os.fdatasync(self.file.fileno())

    def keep(self) -> None:
        """Gives the file its name."""
        with system_errors(f"{self.given}: cannot replace"):
            descriptor = self.file.fileno()
            if not self._is_named:
                source = f"/proc/self/fd/{descriptor}"
                # With a directory, which is not used, os.link() follows the link in /proc.
                try:
                    os.link(source, self.path, src_dir_fd=descriptor)
                    return
                except FileExistsError:
                    self._is_named = True
                    os.link(source, self._temporary, src_dir_fd=descriptor)
            if os.path.exists(self.path):
                os.fchmod(descriptor, stat.S_IMODE(os.stat(self.path).st_mode))
            os.replace(self._temporary, self.path)
            self._is_named = False

    def close(self) -> None:
        with suppress(OSError):  # what could not be written; the error is known
            self.file.close()
        if self._is_named:
            with suppress(FileNotFoundError):
                os.unlink(self._temporary)

    def __enter__(self) -> "NewFile":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def is_special(path: str) -> bool:
    """Whether it names a device or a pipe, such as standard output."""
    for name in (os.path.abspath(path), os.path.realpath(path)):
        special = os.path.exists(name) and not os.path.isfile(name)
        if special or name.startswith(("/dev/", "/proc/")) and not name.startswith("/dev/shm/"):
            return True
    return False


def refuse_place(path: str) -> None:
    """Refuses what no Parquet file can replace: directories, devices and pipes."""
    if os.path.isdir(path):
        raise UsageError(f"{path}: the output is a directory")
    if is_special(path):
        raise UsageError(f"{path}: the output is a device or a pipe; Parquet is written to regular files")


def keep_all(files: Sequence[NewFile]) -> None:
    """Gives complete files their names, which outlast a failure of the machine."""
    for file in files:
        file.keep()
    for folder in sorted({os.path.dirname(file.path) for file in files}):
        try:
            _synchronise(folder)
        except OSError:
            found = f"the outputs are complete, but perhaps not durable: {folder} cannot be synchronised"
            warnings.warn(found, EmgraphWarning, stacklevel=4)


def _synchronise(folder: str) -> None:
    """Has the disk hold the names in a directory. Some file systems have no such call and need none."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return  # it may not be read
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOSYS, errno.EBADF):
            raise
    finally:
        os.close(descriptor)


def write_parquet(path: Any, reader: Any, **options: Any) -> None:
    """Writes the batches of a pyarrow.RecordBatchReader to a file that appears when it is complete."""
    with NewFile(os.fspath(path)) as file:
        write_batches(file, reader, **options)
        keep_all([file])


def write_batches(file: NewFile, reader: Any, **options: Any) -> None:
    import pyarrow.parquet as parquet

    with system_errors(f"{file.given}: cannot write"):
        with parquet.ParquetWriter(file.file, reader.schema, **options) as writer:
            for batch in reader:
                writer.write_batch(batch)
        file.complete()


def copy(path: str, file: NewFile) -> None:
    with open(path, "rb") as source, system_errors(f"{file.given}: cannot write"):
        shutil.copyfileobj(source, file.file, 1 << 20)
        file.complete()


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
        for value in values:
            _refuse_other_text(value)
        return values, pa.string()
    if all(isinstance(value, (int, np.integer)) and not isinstance(value, bool) and abs(value) < 1 << 63 for value in values):
        return values, pa.int64()
    texts = np.empty(len(values), object)
    texts[:] = [str(value) for value in values]
    for value in texts:
        _refuse_other_text(value)
    return texts, pa.string()


def _refuse_other_text(name: str) -> None:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        raise DataError(f"the node's name {name!r} is not text in UTF-8, which tables need") from None


def _named(nodes: np.ndarray, ids: Any) -> np.ndarray:
    """The ids of nodes; all ones (no node: unreached) stay what they are, or None among names."""
    missing = nodes >= len(ids)
    if not missing.any():
        return ids[nodes]
    named = ids[np.where(missing, 0, nodes)]
    named[missing] = None if named.dtype == object else np.iinfo(named.dtype).max
    return named
