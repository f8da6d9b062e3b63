# SPDX-License-Identifier: MIT
"""What the program reads on standard input: the table of the call, and the options that describe it."""
from __future__ import annotations

import re
from itertools import chain
from typing import Any, Dict, Iterator, List, Optional

from ._description import ARCS_ONLY, Command
from ._errors import UsageError
from ._rows import LabelTable, Table, raw_format, raw_pieces, weight_name


def widths(source: Any, relabel: bool) -> List[bool]:
    """Whether ids take 8 bytes: first 4 are tried if the ids may fit and the table can be read again."""
    if not isinstance(source, Table):
        return [True]
    if source.largest is not None and all(kind.kind in "iu" for kind in source.id_types):
        return [source.largest >> 32 > 0]
    if all(kind.itemsize <= 4 for kind in source.id_types):
        return [False]
    # To be relabelled, ids are probably wide.
    return [False, True] if source.repeatable and not relabel else [True]


def feed(command: Command, given: Dict[str, Any], source: Any, wide: bool, weights: bool) -> "tuple[List[str], Optional[Iterator[memoryview]]]":
    """The options that say what standard input holds, and its bytes."""
    if isinstance(source, LabelTable):
        # With a line of names the program does not suspect one in the first edge.
        told = ["--input-format=text", "--separator=,", "--header"]
        header = b"source,target\n"
        if source.weight_type is not None:
            told += ["--cols=1,2,3", f"--weight-type={given.get('weight_type') or source.weight_type}"]
            header = b"source,target,weight\n"
        if not given.get("labels"):
            told.append("--labels")
        return told, map(memoryview, chain([header], source.lines()))
    if not isinstance(source, Table):
        return [], None
    if given.get("labels"):
        raise UsageError("labels: the columns hold numbers")
    weight = None
    if weights and source.weight_type is not None:
        weight = given.get("weight_type") or weight_name(source.weight_type, source.names[2])
        if weight not in ("u32", "i64", "f32", "f64"):
            raise UsageError(f"weight_type: {weight!r} is not one of u32, i64, f32, f64")
    elif source.weight_type is not None:
        whole = source
        source = source._replace(batches=lambda: (batch[:2] for batch in whole.batches()))
    form = raw_format(wide, weight)
    told = [f"--input-format={form}"]
    if source.nodes is not None and "nodes" in command.options and not given.get("relabel"):
        if given.get("nodes") is None:
            told.append(f"--nodes={source.nodes}")
    return told, raw_pieces(source, form)


def with_rows(command: Command, given: Dict[str, Any], source: Any, message: str) -> str:
    """A message of the program, in which lines and edges of standard input are rows of the table."""
    if isinstance(source, LabelTable):
        rows = source.rows
        return re.sub(r"standard input: line (\d+)", lambda found: rows.place(int(found[1]) - 2), message)
    filters = ("min_weight", "max_weight", "nodes_in", "sample", "largest_component")
    filtered = any(given.get(name) not in (None, False) for name in filters)
    if isinstance(source, Table) and not filtered and command.name not in ARCS_ONLY:  # edges are counted as given
        rows = source.rows
        return re.sub(r"standard input: edge (\d+)", lambda found: rows.place(int(found[1])), message)
    return message
