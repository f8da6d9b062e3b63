# SPDX-License-Identifier: MIT
"""Calls of commands: keywords to arguments, a private directory for results, exit codes to exceptions."""
from __future__ import annotations

import difflib
import json
import os
import re
import warnings
from typing import Any, Dict, List, Optional

import numpy as np

from . import _process
from ._description import (ADJACENCIES, ALONG_ARCS, ARCS_ONLY, DIRECTED, ON_REQUEST, WITHOUT_WEIGHTS, Command, Option, keywords)
from ._edges import Edges
from ._errors import DataError, EmgraphWarning, UsageError, failure
from ._feed import feed, widths, with_rows
from ._inputs import array_of, file_names, has_parquet_name, is_parquet, resolve
from ._nodes import NODE_LISTS, is_list, name_lines, node_ids, positions
from ._outputs import Outputs
from ._progress import Display
from ._results import Result
from ._rows import LabelTable, Table, TooWide, both_ways
from ._unnamed import Descriptor, array_file, text_file

# Options that say how the program reads text and raw files. The package reads tables.
_OF_FILES = {"input_format", "skip", "cols", "header", "skip_lines", "separator"}
# Options whose files have formats of their own, which no array has.
_TEXT_FILES = {"config", "coordinates", "queries"}


class Call:
    """One call of a command: collects its arguments, runs it, and opens its results."""

    def __init__(self, command: Command, result: type, given: Dict[str, Any], plan: bool = False) -> None:
        self.command = command
        self.result = result
        self.given = given
        #: Ask for the plan of the call instead.
        self.plan = plan
        self.progress = given.pop("progress", None)
        self.columns = given.pop("columns", None)
        #: What the program inherits.
        self.descriptors: List[Descriptor] = []
        self.scratch = ""
        #: Paths of the arrays that the user gave -> the name of the argument.
        self.arrays: Dict[str, str] = {}
        self.source: Any = None
        #: Names of Parquet files, as the user gave them.
        self.tables: List[str] = []
        #: Of `python -m emgraph`: whether outputs are opened, options of the report, and streams that the program uses itself.
        self.opens = True
        self.report: Optional[List[str]] = None
        self.inherit: List[str] = []

    def run(self) -> Result:
        with _process.call_directory(None if self.plan else self.given.get("checkpoint")) as self.scratch:
            self.outputs = Outputs(self.command, self.given, self.scratch)
            try:
                return self._run()
            finally:
                self.descriptors.clear()

    def _run(self) -> Result:
        weights = self._uses_weights()
        positionals = self._positionals(weights)
        if isinstance(self.source, Table):
            self._direct()
        self._number_nodes()
        arguments = self._options()
        self._refuse_passing_inputs()
        display = Display(self.progress)
        report = self.report
        if report is None:
            report = ["--json", f"--progress={'json' if display.wanted else 'never'}"]
        inherit = self.inherit + (["stdin"] if "-" in positionals and self.source is None else [])
        inherited = [descriptor.number for descriptor in self.descriptors]
        shown = display.show if display.wanted else None
        words = ["plan", *self.command.words] if self.plan else self.command.words
        try:
            for wide in widths(self.source, bool(self.given.get("relabel"))):
                told, fed = feed(self.command, self.given, self.source, wide, weights)
                line = [*words, *arguments, *told, *report, *positionals]
                try:
                    done = _process.run(line, fed, shown, self.scratch, inherited, inherit)
                except TooWide:
                    _process.restore_directory(self.scratch)
                    continue
                return self._finish(done, line)
        finally:
            display.close()
        raise UsageError("node ids of 2^32 or more in a stream that can be read only once")  # widths() prevents it

    # ---- arguments

    def _uses_weights(self) -> bool:
        if self.given.get("min_weight") is not None or self.given.get("max_weight") is not None:
            return True
        if self.given.get("weights") is not None:  # they are made up
            return False
        return self.command.name not in WITHOUT_WEIGHTS or bool(self.given.get("weighted"))

    def _direct(self) -> None:
        """Has the program follow the edges of a graph object as the graph says."""
        directed, name = self.source.directed, self.command.name
        output = str(self.given.get("output_format") or self.given.get("output")).rpartition(".")[2]
        if directed and (name in DIRECTED or name == "convert" and output in ADJACENCIES) and not self.given.get("undirected"):
            self.given.setdefault("directed", True)
        if directed is False and name in ALONG_ARCS:
            self.given.setdefault("undirected", True)
        if directed is False and name in ARCS_ONLY:
            self.source = both_ways(self.source)

    def _positionals(self, weights: bool) -> List[str]:
        arguments: List[str] = []
        for number, option in enumerate(self.command.positionals):
            value = self.given.pop(option.name)
            if number > 0:
                arguments.append(self._file(option, value))
                continue
            source = resolve(value, self.columns, weights)
            if isinstance(source, Edges):
                self.source = source
                arguments.append(self._inherited(source.descriptor()))
            elif isinstance(source, list):
                for name in source:
                    if has_parquet_name(name) and os.path.isfile(name) and self.given.get("input_format") is None:
                        raise DataError(f"{name}: is no Parquet file")
                if len(source) > 1 and not option.list:
                    raise UsageError(f"{self.command.name} reads one input; only Parquet files may be several")
                arguments += ["./" + name if name.startswith("-") and name != "-" else name for name in source]
            elif self.plan:
                raise UsageError("plan: files that the program reads and generators have plans, tables and arrays do not")
            else:
                self.source = source
                self.tables = file_names(value)
                arguments.append("-")
        if isinstance(self.source, LabelTable) and "labels" not in self.command.options:
            raise UsageError(f"source and target are text; {self.command.name} reads no names, only numbers")
        return arguments

    def _refuse_passing_inputs(self) -> None:
        """A call that goes on from a checkpoint reads its inputs again: they must be files with names."""
        passing = list(self.arrays.values())
        if isinstance(self.source, (Table, LabelTable, Edges)):
            passing.insert(0, self.command.positionals[0].name)
        if self.given.get("checkpoint") and passing:
            raise UsageError(f"checkpoint: {passing[0]} is no file that the program can read again after a stop; write it to one")

    def _number_nodes(self) -> None:
        """Replaces names of nodes of a graph object or an earlier result (root="a") by their numbers."""
        for name in NODE_LISTS:
            value = self.given.get(name)
            if value is not None and not isinstance(value, (str, os.PathLike)):
                self.given[name] = self._listed(self.command.options[name], value)
        ids = self._source_ids()
        for name in ("root", "roots", "to", *NODE_LISTS):
            value = self.given.get(name)
            if ids is None or value is None or name in NODE_LISTS and isinstance(value, (str, os.PathLike)):
                continue
            if isinstance(value, (list, np.ndarray)):
                self.given[name] = positions(name, list(value), ids)
            else:
                self.given[name] = positions(name, [value], ids)[0]

    def _listed(self, option: Option, value: Any) -> Any:
        """A list or array of nodes as the user calls them."""
        if isinstance(value, Result):
            nodes = self._of_result(option, value)
            if not isinstance(nodes, np.ndarray):
                raise UsageError(f"{option.name}: found a result of {value._command.name}, expected nodes")
            return nodes if value.ids is None else value.ids[nodes]
        if isinstance(value, (list, tuple)):  # its items may be tuples: nodes of networkx
            return list(value)
        if not isinstance(value, np.ndarray) and not hasattr(value, "to_numpy"):
            raise UsageError(f"{option.name}: found {type(value).__name__}, expected the name of a file or a list of nodes")
        nodes = array_of(value, option.name)
        if nodes.ndim != 1:
            raise UsageError(f"{option.name}: found an array of {nodes.ndim} dimensions, expected a list of nodes")
        return nodes if nodes.dtype.kind in "iu" or len(nodes) == 0 else nodes.tolist()

    def _source_ids(self) -> Any:
        """What the nodes of the input are called before --relabel or --labels number them; None: as their numbers."""
        return self.source.ids if isinstance(self.source, (Table, Edges)) else None

    def _labelled(self) -> bool:
        return bool(self.given.get("labels")) or isinstance(self.source, LabelTable)

    def _inherited(self, descriptor: Descriptor, name: str = "") -> str:
        """The path of an open file for the program. Messages have the `name` of the argument in its place."""
        self.descriptors.append(descriptor)
        if name:
            self.arrays[descriptor.path] = name
        return descriptor.path

    def _file(self, option: Option, value: Any) -> str:
        """The name of a file that holds `value`, which is a name or an array."""
        if isinstance(value, (str, os.PathLike)):
            name = os.fspath(value)
            if is_parquet(name):
                found = f"{option.name}: found the Parquet file {name}"
                raise UsageError(f"{found}, expected .npy, .tsv or .bin: only graphs are read from Parquet")
            return "./" + name if option.positional and name.startswith("-") else name
        if isinstance(value, Result):
            value = self._of_result(option, value)
        if isinstance(value, Edges):
            return self._inherited(value.descriptor())
        if option.name in NODE_LISTS:
            return self._node_file(option.name, value)
        if option.name in _TEXT_FILES:
            raise UsageError(f"{option.name}: found {type(value).__name__}, expected the name of a file")
        held = None if isinstance(value, dict) or not hasattr(value, "__len__") else array_of(value, option.name)
        if held is None or held.dtype.kind not in "iuf" and held.size > 0:
            raise UsageError(f"{option.name}: found {type(value).__name__}, expected the name of a file or an array of numbers")
        return self._inherited(array_file(option.name, held), option.name)

    def _node_file(self, name: str, nodes: Any) -> str:
        """A file with a list of nodes: a text with what --labels and --relabel call them, else numbers."""
        if name == "sources" and len(nodes) == 0:
            raise UsageError(f"{name}: found no nodes, expected one or more")
        labelled = self._labelled()
        if not labelled:
            nodes = node_ids(name, nodes)
            if not self.given.get("relabel"):
                return self._inherited(array_file(name, nodes), name)
        return self._inherited(text_file(name, name_lines(name, nodes, labelled)), name)

    def _of_result(self, option: Option, result: Result) -> Any:
        """The array or edges that an earlier result has for this argument."""
        made_by, outputs = result._command.name, list(result._command.outputs.values())
        if "edges" in outputs or option.positional and self.command.name == f"check_{made_by}":
            attribute = outputs[0]
        elif option.name in outputs:
            attribute = option.name
        elif made_by == "mis" and option.name in ("nodes_in", "sources"):
            attribute = "nodes"
        else:
            raise UsageError(f"{option.name}: found a result of {made_by}; name the array that is meant: {', '.join(outputs)}")
        if attribute in result._missing:
            raise UsageError(f"{option.name}: {result._missing[attribute]}")
        return getattr(result, attribute)

    def _options(self) -> List[str]:
        arguments: List[str] = []
        options = self.command.options
        for name, option in options.items():
            if option.type == "NODE" and is_list(self.given.get(name)) and len(self.given[name]) == 0:
                raise UsageError(f"{name}: found no nodes, expected one or more")
        if isinstance(self.source, (Table, LabelTable)):
            for name in sorted(_OF_FILES.intersection(self.given)):
                if self.given[name] is not None and self.given[name] is not False:
                    raise UsageError(f"{name}: it says how to read a file, but the input is a table; columns= chooses its columns")
        for name in list(self.given):
            if name not in options and name.endswith("s") and name[:-1] in options and options[name[:-1]].list:
                if self.given.get(name[:-1]) is not None:
                    raise UsageError(f"{name}: {name[:-1]} says the same; give one of them")
                self.given[name[:-1]] = self.given.pop(name)  # temp_dirs for temp_dir
        if "output" in options and self.given.get("output") is None and self.command.name not in ON_REQUEST and self.command.outputs:
            self.given["output"] = True
        if self.command.name == "cat" and self.given.get("output") is False and self.opens:
            raise UsageError("output: cat has no other result than its text; found False, expected True or a file name")
        kept = [self.given.get(name) for name in self.command.outputs]
        if not any(isinstance(name, (str, os.PathLike)) for name in kept) and self.opens:
            for name in ("codec", "output_format"):
                if self.given.get(name) is not None:
                    raise UsageError(f"{name}: arrays map plain files; name a file: output=...")
        for name, value in self.given.items():
            option = options[name]
            if value is None or value is False:
                continue
            if name in self.command.outputs:
                if value is not True and os.fspath(value) == "-" and self.opens:
                    raise UsageError(f"{name}: a file name; standard output belongs to the caller")
                arguments.append(f"{option.flag}={self.outputs.file(name)}")
            elif option.counter:
                arguments += [option.flag] * int(value)
            elif option.is_flag:
                if value is not True:
                    raise UsageError(f"{name}: True or False, not {value!r}")
                arguments.append(option.flag)
            elif option.list:
                several = value if is_list(value) else [value]
                arguments += [f"{option.flag}={_word(option, v)}" for v in several]
            elif name == "weight_type" and isinstance(self.source, (Table, LabelTable)):
                continue  # feed() chooses the format by it
            elif name == "cols" and not isinstance(value, str):
                arguments.append(f"{option.flag}={','.join(map(str, value))}")
            elif option.type == "FILE" and not option.output:
                arguments.append(f"{option.flag}={self._file(option, value)}")
            else:
                arguments.append(f"{option.flag}={_word(option, value)}")
        if (self.given.get("relabel") or self._labelled()) and "map" in options and self.opens:
            path = self.outputs.map_file(self._labelled())
            arguments += [] if path is None else [f"--map={path}"]
        return arguments

    # ---- results

    def _finish(self, done: _process.Completed, line: List[str]) -> Result:
        for path, name in self.arrays.items():
            done = done._replace(messages=[re.sub(rf"{path}\b", name, message) for message in done.messages])
        if done.exit_code not in (0, 1):
            raise failure(done.exit_code, with_rows(self.command, self.given, self.source, "\n".join(done.messages)), ["emgraph", *line])
        for message in done.messages:
            if done.exit_code == 0 and not self.given.get("verbose"):
                warnings.warn(message, EmgraphWarning, stacklevel=5)
        summary = json.loads(done.output) if done.output.strip() else {}
        for key, value in list(summary.items()):
            if isinstance(value, str) and (value.startswith(self.scratch) or value in self.arrays):
                del summary[key]  # a name that is gone when the caller sees it
        if self.tables and "input" in summary:
            summary["input"] = ", ".join(self.tables)
        ok = None
        if self.command.words[0] == "check":
            ok = done.exit_code == 0
        result = self.result(self.command, summary, ok)
        result.messages = done.messages
        result.ids = self._source_ids()
        if not self.plan and self.opens:
            self.outputs.open(result, self._labelled())
        return result


def _word(option: Option, value: Any) -> str:
    """The value of an option on the command line."""
    if isinstance(value, bool) or not isinstance(value, (str, os.PathLike, int, float, np.integer, np.floating)):
        raise UsageError(f"{option.name}: found {value!r}, expected {option.type or 'a value'}")
    plain = value.item() if isinstance(value, np.generic) else value  # float32 writes 1e9 as 1e+09, which is no size
    word = os.fspath(plain) if isinstance(plain, os.PathLike) else str(plain)
    if "\0" in word:
        raise UsageError(f"{option.name}: found {value!r}, expected {option.type or 'a value'} without the byte 0")
    return word


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
