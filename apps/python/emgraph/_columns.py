# SPDX-License-Identifier: MIT
"""Chooses the columns of source, target and weight by their names and types, for arrays and all kinds of tables."""
from __future__ import annotations

import re
from typing import Any, Collection, List, Sequence

import numpy as np

from ._errors import DataError, UsageError

_PAIRS = (("src", "dst"), ("source", "target"), ("from", "to"), ("u", "v"), ("from_id", "to_id"), ("src_id", "dst_id"))
#: What a column of weights is called.
WEIGHTS = ("weight", "weights", "w")
# What pandas calls an index without a name, which is no column of the user.
_PANDAS_INDEX = re.compile(r"__index_level_\d+__")


def kind_of_numpy(kind: Any) -> str:
    letter = getattr(kind, "kind", "O")
    return {"i": "integer", "u": "integer", "f": "real"}.get(letter, "text" if letter in "OUS" else "other")


def choose(
    names: Sequence[str], kinds: Sequence[str], columns: Any, weights: bool, where: str, keys: Collection[str] = ()
) -> List[int]:
    """The numbers of the columns of source, target and perhaps weight.

    `keys`: of directories key=value. Hive and Spark leave these columns out of the files.
    """
    chosen: List[int] = []
    if columns is not None:
        if isinstance(columns, str) or not hasattr(columns, "__len__") or len(columns) not in (2, 3):
            raise UsageError("columns: give the names of source, target and, if wanted, weight")
        for column in columns:
            if isinstance(column, (int, np.integer)) and 0 <= column < len(names):
                chosen.append(int(column))
            elif list(names).count(column) > 1:
                raise UsageError(f"columns: {where} has {list(names).count(column)} columns {column!r}, expected one")
            elif column in names:
                chosen.append(list(names).index(column))
            elif column in keys:
                raise _in_directories(where, column)
            else:
                shown = int(column) if isinstance(column, np.integer) else column
                raise UsageError(f"columns: {where} has no column {shown!r}; its columns: {', '.join(names)}")
        return chosen
    lower = [name.lower() for name in names]
    wanted = set(WEIGHTS if weights and not set(WEIGHTS).intersection(lower) else ())
    known = {name for pair in _PAIRS for name in pair} | wanted
    left = [key for key in keys if key.lower() in known and key.lower() not in lower]
    for pair in _PAIRS:
        if all(name in lower for name in pair):
            chosen = [lower.index(name) for name in pair]
            left = [key for key in left if key.lower() in wanted]
            break
    if left:
        raise _in_directories(where, left[0])
    if not chosen:
        kinds = ["index" if _PANDAS_INDEX.fullmatch(name) else kind for name, kind in zip(names, kinds)]
        for kind in ("integer", "text"):
            if kinds.count(kind) >= 2:
                chosen = [i for i, each in enumerate(kinds) if each == kind][:2]
                break
        else:
            raise UsageError(f"{where} has no two columns of integers or text; name them: columns=(source, target). "
                             f"Its columns: {', '.join(names)}")
    if weights:
        chosen.extend([i for i, name in enumerate(lower) if name in WEIGHTS and i not in chosen][:1])
    for i in chosen:
        if lower[i] in known | set(WEIGHTS) and list(names).count(names[i]) > 1:
            raise DataError(f"{where}: has {list(names).count(names[i])} columns {names[i]!r}, expected one")
    return chosen


def _in_directories(where: str, key: str) -> UsageError:
    return UsageError(f"{where}: column {key!r} is in the names of directories ({key}=…), not in the files; columns are read from files")
