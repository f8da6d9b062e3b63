# SPDX-License-Identifier: MIT
"""Graph questions on edge files larger than memory: every command of the program emgraph as a function.

    import emgraph
    r = emgraph.cc("edges.parquet", memory="4G")
    r.labels      # numpy array: a read-only map of the result
    r.summary     # the dictionary of --json

Every call runs the program as a process of its own: the memory limit holds, and Ctrl-C ends it and leaves nothing.
"""
from __future__ import annotations

from . import _interrupt  # noqa: F401, I001  (before all that takes time)
import inspect
from pathlib import Path
from typing import Any, Callable, Dict, Sequence

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
    result = type("".join(map(str.capitalize, command.words)) + "Result", (Result,), {"__doc__": Result.__doc__})
    globals()[result.__name__] = result

    def call(*arguments: Any, **given: Any) -> Result:
        return Call(command, result, _bound(command, arguments, given)).run()

    def plan(name: str, /, *arguments: Any, **given: Any) -> Result:
        planned = _commands.get(name.replace(" ", "_")) if isinstance(name, str) else None
        if planned is None:
            raise UsageError(f"plan: found {name!r}, expected the name of a command, such as 'cc'")
        return Call(planned, result, _bound(planned, arguments, given), plan=True).run()

    if command.name == "plan":  # its arguments are those of another command
        call = plan
        first = [first[0].replace(kind=inspect.Parameter.POSITIONAL_ONLY)]
        first += [inspect.Parameter("arguments", inspect.Parameter.VAR_POSITIONAL)]
        others += [inspect.Parameter("options", inspect.Parameter.VAR_KEYWORD)]
    call.__name__ = call.__qualname__ = command.name
    call.__doc__ = docstring(command)
    call.__signature__ = inspect.Signature(first + others, return_annotation=result)  # type: ignore[attr-defined]
    return call


def _bound(command: Command, arguments: Sequence[Any], given: Dict[str, Any]) -> Dict[str, Any]:
    """All arguments by name."""
    check_keywords(command, given)
    names = [option.name for option in command.positionals]
    binder = inspect.Signature([inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in names])
    named = {name: given[name] for name in names if name in given}
    try:
        named.update(binder.bind_partial(*arguments).arguments if not named else binder.bind(*arguments, **named).arguments)
    except TypeError as error:
        raise TypeError(f"{command.name}() {error}") from None
    missing = [name for name in names if name not in named]
    if missing:
        raise TypeError(f"{command.name}() missing argument: {', '.join(missing)}")
    return {**given, **named}


for _command in _commands.values():
    globals()[_command.name] = _function(_command)

__all__ = [
    *_commands,
    "DataError", "Edges", "EmgraphWarning", "EnvironmentError", "Error", "InternalError", "Result", "Stopped", "UsageError",
    "program",
]
