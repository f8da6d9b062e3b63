# SPDX-License-Identifier: MIT
"""Files without names, which the program reads by their descriptors: nothing of them is left, whatever ends the two."""
from __future__ import annotations

import fcntl
import os
import tempfile
from contextlib import contextmanager
from typing import Any, Iterable, Iterator

import numpy as np

from ._errors import system_errors


class Descriptor:
    """An open file. It is closed with the last reference."""

    def __init__(self, fd: int) -> None:
        # 0, 1 and 2 are the standard streams of the program that reads it.
        self.number = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 3)

    @property
    def path(self) -> str:
        """The name of the file for a program that inherits the descriptor."""
        return f"/dev/fd/{self.number}"

    def __del__(self) -> None:
        if hasattr(self, "number"):
            os.close(self.number)


@contextmanager
def unnamed_file(what: str) -> Iterator[Any]:
    """A new file in the temporary directory, to be written. `what` it holds stands in messages."""
    folder = tempfile.gettempdir()
    with system_errors(f"{folder}: cannot write {what}"), tempfile.TemporaryFile(prefix="emgraph-") as file:
        yield file


def array_file(name: str, array: np.ndarray) -> Descriptor:
    """A .npy file of a type that the program reads."""
    kind = array.dtype.kind if array.dtype.kind in "iuf" else "u"
    held = np.ascontiguousarray(array, f"<{kind}{min(max(array.dtype.itemsize, 4), 8)}")
    with unnamed_file(f"the array {name}") as file:
        np.lib.format.write_array_header_1_0(file, np.lib.format.header_data_from_array_1_0(held))
        file.write(held.data)  # np.save() does not say why it fails
        file.flush()
        return Descriptor(file.fileno())


def text_file(name: str, lines: Iterable[bytes]) -> Descriptor:
    with unnamed_file(f"the list {name}") as file:
        file.writelines(lines)
        file.flush()
        return Descriptor(file.fileno())
