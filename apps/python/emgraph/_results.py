# SPDX-License-Identifier: MIT
"""Results: arrays that map the files which the program has written."""
from __future__ import annotations

import os
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from ._description import Command
from ._edges import Edges


# Attributes with a value per node: the name of their column.
_SINGULAR = {"labels": "label", "levels": "level", "parents": "parent", "distances": "distance",
             "per_node": "triangles", "degrees": "degree", "ranks": "rank", "coefficients": "coefficient", "cores": "core",
             "values": "value"}


class Result:
    """What a command found. `summary` is the dictionary of --json; the arrays depend on the command."""

    def __init__(self, command: Command, summary: Dict[str, Any], ok: Optional[bool]) -> None:
        self._command = command
        self._missing: Dict[str, str] = {}
        #: The object of --json.
        self.summary = summary
        #: Warnings and, with verbose, other lines of the program.
        self.messages: List[str] = []
        #: Of checks: whether the result is right. None of other commands.
        self.ok = ok
        #: What the nodes 0, 1, … are called, if the input had names or ids of its own; else None.
        self.ids: Any = None

    def __getattr__(self, name: str) -> Any:
        missing = self.__dict__.get("_missing", {})
        if name in missing:
            raise AttributeError(missing[name])
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def __repr__(self) -> str:
        facts = [f"{key}={value!r}" for key, value in list(self.summary.items())[:8]
                 if key != "command" and isinstance(value, (int, float, str))]
        return f"<emgraph.{self._command.name}: {', '.join(facts)}>"

    def __bool__(self) -> bool:
        """Of checks: ok."""
        return self.ok is not False

    def to_parquet(self, path: Any, **options: Any) -> None:
        """Writes the edges, or a row per node of all arrays, with original ids where the input had them."""
        from ._tables import write_parquet

        write_parquet(path, self._reader(), **options)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._reader().__arrow_c_stream__(requested_schema)

    def _reader(self) -> Any:
        held = [name for name in self._command.outputs.values() if isinstance(self.__dict__.get(name), (np.ndarray, Edges))]
        if not held:
            raise AttributeError("this result has no arrays")
        return self.reader_of(*(held if held[0] in _SINGULAR else held[:1]))

    def reader_of(self, *attributes: str) -> Any:
        """A pyarrow.RecordBatchReader of edges, of a list, or of a row per node."""
        from ._tables import values_reader

        values = [self.__dict__[attribute] for attribute in attributes]
        if isinstance(values[0], Edges):
            return values[0]._reader()
        if attributes[0] == "list":
            return values_reader([values[0][:, i] for i in range(3)], ["a", "b", "c"], self.ids, ["a", "b", "c"])
        if attributes[0] == "nodes":
            return values_reader(values, ["node"], self.ids, ["node"])
        if not isinstance(values[0], np.ndarray):
            raise AttributeError(f"{attributes[0]} is no array")
        nodes = np.arange(len(values[0]), dtype=values[0].dtype if values[0].dtype.kind == "u" else np.uint64)
        names = ["node"] + [_SINGULAR[attribute] for attribute in attributes]
        return values_reader([nodes, *values], names, self.ids, ["node", "label", "parent"])


def array(path: str) -> np.ndarray:
    """A read-only map of a .npy file."""
    if os.path.getsize(path) == 0 or _is_empty(path):
        values = np.load(path)
        values.flags.writeable = False
        return values
    return np.load(path, mmap_mode="r")


def _is_empty(path: str) -> bool:
    """Whether it has a header only: there is nothing to map."""
    with open(path, "rb") as file:
        version = np.lib.format.read_magic(file)
        read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape: Tuple[int, ...] = read(file)[0]
    return 0 in shape


def names(path: str) -> np.ndarray:
    """The names of nodes by --labels: a line each."""
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        lines = file.read().split("\n")[:-1]
    held = np.empty(len(lines), object)
    held[:] = lines
    return held
