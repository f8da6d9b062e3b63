# SPDX-License-Identifier: MIT
"""Calls of commands: keywords to arguments, a private directory for results, exit codes to exceptions."""
from __future__ import annotations

import difflib
import json
import os
import shutil
import tempfile
import warnings
from typing import Any, Dict, Iterator, List, Optional, Tuple

import numpy as np

from . import _process
from ._description import (ALONG_ARCS, DIRECTED, EDGE_RESULTS, ON_REQUEST, TEXT_RESULTS, WITHOUT_WEIGHTS, Command, Option, keywords)
from ._edges import Edges
from ._errors import EmgraphWarning, UsageError, failure
from ._inputs import resolve
from ._progress import Display
from ._results import Result, array, names
from ._rows import LabelTable, Table, TooWide, raw_format, raw_pieces, weight_name


class Call:
    """One call of a command: collects its arguments, runs it, and opens its results."""

    def __init__(self, command: Command, result: type, given: Dict[str, Any]) -> None:
        self.command = command
        self.result = result
        self.given = given
        self.progress = given.pop("progress", None)
        self.columns = given.pop("columns", None)
        self.descriptors: List[int] = []
        self.scratch = ""
        #: Attribute -> its file, and whether the user has named it.
        self.files: Dict[str, Tuple[str, bool]] = {}
        self.source: Any = None
        self.map = ""
        #: Of `python -m emgraph`: the value of --progress; the program talks to the terminal itself.
        self.terminal: Optional[str] = None

    def run(self) -> Result:
        self.scratch = tempfile.mkdtemp(prefix="emgraph-")
        try:
            return self._run()
        finally:
            shutil.rmtree(self.scratch, ignore_errors=True)

    def _run(self) -> Result:
        weights = self.command.name not in WITHOUT_WEIGHTS or bool(self.given.get("weighted"))
        positionals = self._positionals(weights)
        if isinstance(self.source, Table):
            if self.source.directed and self.command.name in DIRECTED and not self.given.get("undirected"):
                self.given.setdefault("directed", True)
            if self.source.directed is False and self.command.name in ALONG_ARCS:
                self.given.setdefault("undirected", True)
        self._number_nodes()
        arguments = self._options()
        display = Display(self.progress)
        how = self.terminal or ("json" if display.wanted else "never")
        inherit = (["stdin"] if "-" in positionals and self.source is None else []) + (["stderr"] if self.terminal else [])
        shown = display.show if display.wanted else None
        try:
            for wide in self._widths():
                told, feed = self._input(wide, weights)
                line = [*self.command.words, *arguments, *told, "--json", f"--progress={how}", *positionals]
                try:
                    done = _process.run(line, feed, shown, self.scratch, self.descriptors, inherit)
                except TooWide:
                    continue
                return self._finish(done, line)
        finally:
            display.close()
        raise UsageError("node ids of 2^32 or more in a stream that can be read only once")  # _widths() prevents it

    # ---- arguments

    def _positionals(self, weights: bool) -> List[str]:
        arguments: List[str] = []
        for number, option in enumerate(self.command.positionals):
            value = self.given.pop(option.name)
            if number > 0:
                arguments.append(self._file(option, value))
                continue
            source = resolve(value, self.columns, weights)
            if isinstance(source, Edges):
                arguments.append(self._descriptor(source))
            elif isinstance(source, list):
                if len(source) > 1 and not option.list:
                    raise UsageError(f"{self.command.name} reads one input; only Parquet files may be several")
                arguments += ["./" + name if name.startswith("-") and name != "-" else name for name in source]
            else:
                self.source = source
                arguments.append("-")
        return arguments

    def _number_nodes(self) -> None:
        """Replaces names of nodes of a graph object (root="a") by their numbers."""
        ids = self.source.ids if isinstance(self.source, Table) else None
        if ids is None:
            return
        numbers: Optional[Dict[Any, int]] = None
        for name in ("root", "roots", "to"):
            value = self.given.get(name)
            if value is None:
                continue
            numbers = numbers or {node: number for number, node in enumerate(ids)}
            several = value if isinstance(value, (list, np.ndarray)) else [value]
            for node in several:
                if node not in numbers:
                    raise UsageError(f"{name}: the graph has no node {node!r}")
            self.given[name] = [numbers[node] for node in several] if several is value else numbers[value]

    def _descriptor(self, edges: Edges) -> str:
        self.descriptors.append(edges.descriptor())
        return f"/dev/fd/{edges.descriptor()}"

    def _file(self, option: Option, value: Any) -> str:
        """The name of a file that holds `value`, which is a name or an array."""
        if isinstance(value, (str, os.PathLike)):
            name = os.fspath(value)
            return "./" + name if option.positional and name.startswith("-") else name
        if isinstance(value, Result) and "edges" in value.__dict__:
            value = value.edges
        if isinstance(value, Edges):
            return self._descriptor(value)
        path = os.path.join(self.scratch, f"given-{option.name}.npy")
        np.save(path, np.asarray(value))
        return path

    def _options(self) -> List[str]:
        arguments: List[str] = []
        options = self.command.options
        for name in list(self.given):
            if name not in options and name.endswith("s") and name[:-1] in options and options[name[:-1]].list:
                self.given.setdefault(name[:-1], self.given.pop(name))  # temp_dirs for temp_dir
        if "output" in options and "output" not in self.given and self.command.name not in ON_REQUEST and self.command.outputs:
            self.given["output"] = True
        kept = [self.given.get(name) for name in self.command.outputs]
        if not any(isinstance(name, (str, os.PathLike)) for name in kept):
            for name in ("codec", "output_format"):
                if self.given.get(name) is not None:
                    raise UsageError(f"{name}: arrays map plain files; name a file: output=...")
        for name, value in self.given.items():
            option = options[name]
            if value is None or value is False:
                continue
            if name in self.command.outputs:
                arguments.append(f"{option.flag}={self._output(name, value)}")
            elif option.counter:
                arguments += [option.flag] * int(value)
            elif option.is_flag:
                if value is not True:
                    raise UsageError(f"{name}: True or False, not {value!r}")
                arguments.append(option.flag)
            elif option.list:
                several = [value] if isinstance(value, (str, os.PathLike, int, np.integer)) else value
                arguments += [f"{option.flag}={os.fspath(v) if isinstance(v, os.PathLike) else v}" for v in several]
            elif name == "weight_type" and isinstance(self.source, Table):
                continue  # _input() chooses the format by it
            elif name == "cols" and not isinstance(value, str):
                arguments.append(f"{option.flag}={','.join(map(str, value))}")
            elif option.type == "FILE" and not option.output and not isinstance(value, (str, os.PathLike)):
                arguments.append(f"{option.flag}={self._file(option, value)}")
            elif isinstance(value, bool):
                raise UsageError(f"{name}: {option.type or 'a value'}, not {value!r}")
            else:
                arguments.append(f"{option.flag}={os.fspath(value) if isinstance(value, os.PathLike) else value}")
        if (self.given.get("relabel") or self.given.get("labels") or isinstance(self.source, LabelTable)) and "map" in options:
            if self.given.get("map"):
                self.map = os.fspath(self.given["map"])
            else:
                labels = self.given.get("labels") or isinstance(self.source, LabelTable)
                self.map = os.path.join(self.scratch, "map.txt" if labels else "map.npy")
                arguments.append(f"--map={self.map}")
        return arguments

    def _output(self, option: str, value: Any) -> str:
        """The file of an output. Its attribute of the result is opened from there."""
        attribute = self.command.outputs[option]
        if value is not True:
            path = os.fspath(value)
            if path == "-":
                raise UsageError(f"{option}: a file name; standard output belongs to the caller")
            self.files[attribute] = (path, True)
            return path
        if attribute in EDGE_RESULTS:
            name = f"{attribute}.emg"
        elif attribute in TEXT_RESULTS or self._answers_pairs():
            name = f"{attribute}.txt" if attribute != "html" else "page.html"
        else:
            name = f"{attribute}-{{root}}.npy" if self._several_roots() else f"{attribute}.npy"
        path = os.path.join(self.scratch, name)
        self.files[attribute] = (path, False)
        return path

    def _answers_pairs(self) -> bool:
        queries = self.given.get("queries")
        return self.given.get("to") is not None or (queries is not None and not str(queries).endswith(".ss"))

    def _several_roots(self) -> bool:
        root = self.given.get("root", self.given.get("roots"))
        many = isinstance(root, (list, tuple, np.ndarray)) and len(root) > 1
        return "root" in self.command.options and (many or str(self.given.get("queries", "")).endswith(".ss"))

    # ---- input

    def _widths(self) -> List[bool]:
        """Whether ids take 8 bytes: first 4 are tried if the ids may fit and the table can be read again."""
        source = self.source
        if not isinstance(source, Table):
            return [True]
        if source.largest is not None and all(kind.kind in "iu" for kind in source.id_types):
            return [source.largest >> 32 > 0]
        if all(kind.itemsize <= 4 for kind in source.id_types):
            return [False]
        # To be relabelled, ids are probably wide.
        return [False, True] if source.repeatable and not self.given.get("relabel") else [True]

    def _input(self, wide: bool, weights: bool) -> "tuple[List[str], Optional[Iterator[memoryview]]]":
        """The options that say what standard input holds, and its bytes."""
        source = self.source
        if isinstance(source, LabelTable):
            told = ["--labels", "--input-format=text", "--separator=,"]
            if source.weight_type is not None:
                told += ["--cols=1,2,3", f"--weight-type={source.weight_type}"]
            if self.given.get("labels"):
                told = told[1:]
            return told, map(memoryview, source.lines())
        if not isinstance(source, Table):
            return [], None
        if self.given.get("labels"):
            raise UsageError("labels: the columns hold numbers")
        weight = None
        if weights and source.weight_type is not None:
            weight = self.given.get("weight_type") or weight_name(source.weight_type, source.names[2])
            if weight not in ("u32", "i64", "f32", "f64"):
                raise UsageError(f"weight_type: {weight!r} is not one of u32, i64, f32, f64")
        elif source.weight_type is not None:
            whole = source
            source = source._replace(batches=lambda: (batch[:2] for batch in whole.batches()))
        form = raw_format(wide, weight)
        told = [f"--input-format={form}"]
        if source.nodes is not None and "nodes" in self.command.options and not self.given.get("relabel"):
            if self.given.get("nodes") is None:
                told.append(f"--nodes={source.nodes}")
        return told, raw_pieces(source, form)

    # ---- results

    def _finish(self, done: _process.Completed, line: List[str]) -> Result:
        if done.exit_code not in (0, 1):
            raise failure(done.exit_code, "\n".join(done.messages), ["emgraph", *line])
        for message in done.messages:
            if done.exit_code == 0 and not self.given.get("verbose"):
                warnings.warn(message, EmgraphWarning, stacklevel=4)
        summary = json.loads(done.output) if done.output.strip() else {}
        for key in [key for key, value in summary.items() if isinstance(value, str) and value.startswith(self.scratch)]:
            del summary[key]  # a name that is gone when the caller sees it
        ok = None
        if self.command.words[0] == "check":
            ok = done.exit_code == 0
        result = self.result(self.command, summary, ok)
        result.messages = done.messages
        if self.map:
            labels = self.given.get("labels") or isinstance(self.source, LabelTable)
            result.ids = names(self.map) if labels else array(self.map) if self.map.endswith(".npy") else None
        elif isinstance(self.source, Table):
            result.ids = self.source.ids
        self._open_results(result)
        return result

    def _open_results(self, result: Result) -> None:
        for option, attribute in self.command.outputs.items():
            if attribute not in self.files:
                result._missing[attribute] = f"{attribute} was not asked for: {self.command.name}(…, {option}=True)"
                continue
            path, named = self.files[attribute]
            if "{root}" in path:
                before, after = path.split("{root}")
                folder = os.path.dirname(before) or "."
                found = sorted(os.path.join(folder, name) for name in os.listdir(folder))
                parts = {p[len(before):len(p) - len(after)]: p for p in found if p.startswith(before) and p.endswith(after)}
                value: Any = {int(root) if root.isdigit() else root: array(file) for root, file in parts.items()}
            else:
                value = self._opened(attribute, path, named, result)
            if value is None:
                result._missing[attribute] = f"{attribute} is not mapped: it is in {path}"
            else:
                result.__dict__[attribute] = value

    def _opened(self, attribute: str, path: str, named: bool, result: Result) -> Any:
        with open(path, "rb") as file:
            start = file.read(8)
        if start.startswith(b"\x93NUMPY"):
            return array(path)
        if start == b"\x89EMG\r\n\x1a\n" and attribute in EDGE_RESULTS:
            try:
                return Edges(path, result.ids)
            except UsageError:
                return None  # coded blocks
        if named and attribute not in TEXT_RESULTS:
            return None
        with open(path, encoding="utf-8", errors="surrogateescape") as text:
            return text.read() if attribute in TEXT_RESULTS else [_answer(line) for line in text]


def _answer(line: str) -> Tuple[Any, ...]:
    """A line of sssp --to or --queries: source, target and distance."""
    source, target, distance = line.rstrip("\n").split("\t")
    length: Any = int(distance) if distance.isdigit() else float(distance)
    return (*(int(end) if end.isdigit() else end for end in (source, target)), length)


def check_keywords(command: Command, given: Dict[str, Any]) -> None:
    """Raises TypeError for keywords that the command does not have, with the nearest it has."""
    known = list(keywords(command))
    plurals = [name + "s" for name, option in command.options.items() if option.list]
    for name in given:
        if name in known or name in plurals:
            continue
        near = difflib.get_close_matches(name, known, 1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise TypeError(f"{command.name}() got an unexpected keyword argument {name!r}{hint}")
