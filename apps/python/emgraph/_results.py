# SPDX-License-Identifier: MIT
"""Results: arrays that map the files which the program has written."""
from __future__ import annotations

import csv
import os
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np

from ._description import EDGE_RESULTS, TEXT_RESULTS, Command
from ._edges import Edges, is_container
from ._errors import UsageError


# Attributes with a value per node: the name of their column.
_SINGULAR = {"labels": "label", "levels": "level", "parents": "parent", "distances": "distance",
             "per_node": "triangles", "degrees": "degree", "ranks": "rank", "coefficients": "coefficient", "cores": "core",
             "values": "value"}
# Attributes with rows of another kind: their columns, and which of these are nodes.
_COLUMNS = {"list": (("a", "b", "c"), ("a", "b", "c")), "sizes": (("component", "size"), ("component",)),
            "groups": (("component", "node"), ("component", "node"))}
_UNREACHED = (1 << 64) - 1


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
        held = [name for name in self._command.outputs.values() if isinstance(self.__dict__.get(name), (np.ndarray, Edges, list))]
        if not held:
            raise AttributeError("this result has no arrays")
        per_node = [name for name in held if name in _SINGULAR]
        return self.reader_of(*(per_node if held[0] in _SINGULAR else held[:1]))

    def reader_of(self, *attributes: str) -> Any:
        """A pyarrow.RecordBatchReader of edges, of a list, or of a row per node."""
        from ._tables import values_reader

        values = [getattr(self, attribute) for attribute in attributes]
        if isinstance(values[0], Edges):
            return values[0]._reader()
        if isinstance(values[0], list):  # of sssp for pairs
            source, target = (_objects([row[i] for row in values[0]]) for i in range(2))
            distance = _distances([row[2] for row in values[0]])
            return values_reader([source, target, distance], ["source", "target", "distance"], None, [])
        if not isinstance(values[0], np.ndarray):
            raise UsageError(f"{attributes[0]} is no table: found {type(values[0]).__name__}")
        if attributes[0] in EDGE_RESULTS:
            return values_reader(list(values[0].T), ["source", "target"], self.ids, ["source", "target"])
        if attributes[0] in _COLUMNS:
            names, nodes = _COLUMNS[attributes[0]]
            return values_reader([values[0][:, i] for i in range(len(names))], names, self.ids, nodes)
        if attributes[0] == "nodes":
            return values_reader(values, ["node"], self.ids, ["node"])
        return self._per_node(dict(zip(attributes, values)))

    def reader_of_root(self, attribute: str, root: Any) -> Any:
        """A pyarrow.RecordBatchReader of a row per node, for one of several roots."""
        return self._per_node({attribute: getattr(self, attribute)[root]})

    def _per_node(self, arrays: Dict[str, np.ndarray]) -> Any:
        from ._tables import values_reader

        values = list(arrays.values())
        nodes = np.arange(len(values[0]), dtype=values[0].dtype if values[0].dtype.kind == "u" else np.uint64)
        names = ["node"] + [_SINGULAR[attribute] for attribute in arrays]
        return values_reader([nodes, *values], names, self.ids, ["node", "label", "parent"])


def _distances(values: List[Any]) -> np.ndarray:
    """Distances of pairs in the type of arrays of distances: of integers uint64, where all ones are unreached."""
    if not any(isinstance(value, int) for value in values):
        return np.array(values, np.float64)
    return np.array([value if isinstance(value, int) else _UNREACHED for value in values], np.uint64)


def _objects(values: List[Any]) -> np.ndarray:
    held = np.empty(len(values), object)
    held[:] = values
    return held


def open_results(
    result: Result, files: Dict[str, Tuple[str, bool]], roots: List[str], node: Callable[[str], Any], ids: Any
) -> None:
    """Opens the files of the attributes: their paths, and whether the user has named them.

    `roots`: as they stand in the names of files. `node` makes nodes of them. `ids`: of the numbers in text; None: they are the ids.
    """
    for option, attribute in result._command.outputs.items():
        if attribute not in files:
            result._missing[attribute] = f"{attribute} was not asked for: {result._command.name}(…, {option}=True)"
            continue
        path, named = files[attribute]
        value: Any = None
        if roots and "{root}" in path:
            paths = {root: path.replace("{root}", root) for root in roots}
            if all(_is_npy(each) for each in paths.values()):
                value = {node(root): array(each) for root, each in paths.items()}
        else:
            value = _opened(attribute, path, named, result, node, ids)
        if value is None:
            result._missing[attribute] = f"{attribute} is not mapped: it is in {path}"
        else:
            result.__dict__[attribute] = value


def _is_npy(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(6) == b"\x93NUMPY"


def _opened(attribute: str, path: str, named: bool, result: Result, node: Callable[[str], Any], ids: Any) -> Any:
    """The value of an attribute; None: it stays in its file."""
    if _is_npy(path):
        return array(path)
    if attribute in EDGE_RESULTS and is_container(path):
        try:
            return Edges(path, result.ids)
        except UsageError:
            return None  # coded blocks
    if named and attribute not in TEXT_RESULTS:
        return None
    if attribute in TEXT_RESULTS:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            text = file.read()
        return text if named or attribute != "paths" or ids is None else _named_paths(text, ids)
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as rows:
        # The text 2 may be a floating-point number; the summary tells it from an integer.
        floating = any(isinstance(query["distance"], float) for query in result.summary["queries"])
        return [(node(source), node(target), float(distance) if floating or distance == "inf" else int(distance))
                for source, target, distance in csv.reader(rows)]


def _named_paths(text: str, ids: Any) -> str:
    """Lines of numbers of nodes as lines of their names."""
    between = " " if ids.dtype.kind in "iu" else "\t"
    lines = [np.array(line.split(), np.int64) for line in text.split("\n")[:-1]]
    return "".join(between.join(map(str, ids[line].tolist())) + "\n" for line in lines)


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
        return _objects(file.read().split("\n")[:-1])
