# SPDX-License-Identifier: MIT
"""Graph questions on edge files larger than memory: every command of the program emgraph as a function.

    import emgraph
    r = emgraph.cc("edges.parquet", memory="4G")
    r.labels      # numpy array: a read-only map of the result
    r.summary     # the dictionary of --json

Every call runs the program as a process of its own: the memory limit holds, and Ctrl-C ends it and leaves nothing.
"""
from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any, Callable

from ._call import Call, check_keywords
from ._description import Command, docstring, keywords, load
from ._edges import Edges
from ._errors import DataError, EmgraphWarning, EnvironmentError, Error, InternalError, Stopped, UsageError
from ._process import program
from ._results import Result

__version__, _commands = load(Path(__file__).with_name("commands.json"))


def _function(command: Command) -> Callable[..., Result]:
    first = [inspect.Parameter(option.name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for option in command.positionals]
    others = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None)
        for name in keywords(command)
        if name not in [parameter.name for parameter in first]
    ]
    binder = inspect.Signature(first)
    result = type("".join(map(str.capitalize, command.words)) + "Result", (Result,), {"__doc__": Result.__doc__})

    def call(*arguments: Any, **given: Any) -> Result:
        check_keywords(command, given)
        named = {option.name: given.pop(option.name) for option in command.positionals if option.name in given}
        try:
            named.update(binder.bind_partial(*arguments).arguments if not named else binder.bind(*arguments, **named).arguments)
        except TypeError as error:
            raise TypeError(f"{command.name}() {error}") from None
        missing = [parameter.name for parameter in first if parameter.name not in named]
        if missing:
            raise TypeError(f"{command.name}() missing argument: {', '.join(missing)}")
        return Call(command, result, {**named, **given}).run()

    call.__name__ = call.__qualname__ = command.name
    call.__doc__ = docstring(command)
    call.__signature__ = inspect.Signature(first + others, return_annotation=result)  # type: ignore[attr-defined]
    return call


for _command in _commands.values():
    globals()[_command.name] = _function(_command)

__all__ = [
    *_commands,
    "DataError", "Edges", "EmgraphWarning", "EnvironmentError", "Error", "InternalError", "Result", "Stopped", "UsageError",
    "program",
]
