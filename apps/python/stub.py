# SPDX-License-Identifier: MIT
"""Prints the stub of the package (__init__.pyi): a typed signature for every command, from commands.json.

stub.py PACKAGE COMMANDS: the directory of the package's sources, and the file that `emgraph --generate json` made.
"""
from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, List

HEAD = '''# Made by stub.py from the program's description of its commands.
import os
from typing import Any, Callable, Dict, List, Literal, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from ._edges import Edges as Edges
from ._errors import DataError as DataError
from ._errors import EmgraphWarning as EmgraphWarning
from ._errors import EnvironmentError as EnvironmentError
from ._errors import Error as Error
from ._errors import InternalError as InternalError
from ._errors import Stopped as Stopped
from ._errors import UsageError as UsageError
from ._process import program as program
from ._results import Result as Result

__version__: str

_Path = Union[str, "os.PathLike[str]"]
_Output = Union[None, bool, str, "os.PathLike[str]"]
_Progress = Union[None, bool, Callable[[str, Optional[float]], Any]]
_Value = Union[str, int, float, "np.integer[Any]", "np.floating[Any]"]
'''


def description(package: Path) -> ModuleType:
    """The module _description without the package around it, which needs NumPy and the program."""
    spec = importlib.util.spec_from_file_location("_description", package / "_description.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def type_of(option: Any, outputs: Any) -> str:
    if option.name in outputs:
        return "_Output"
    if option.counter:
        return "Union[None, bool, int]"
    if option.is_flag:
        return "Optional[bool]"
    if option.only_words:
        return "Optional[Literal[" + ", ".join(f'"{word}"' for word in option.words) + "]]"
    kind = {"FILE": "Any" if not option.output else "_Path", "DIR": "_Path"}.get(option.type, "_Value")
    if option.name == "cols":
        kind = "Union[str, Sequence[Union[int, str]]]"
    if option.list and kind == "_Value":
        return "Union[None, _Value, Sequence[_Value], NDArray[Any]]"
    return f"Union[None, {kind}, Sequence[{kind}]]" if option.list else f"Optional[{kind}]"


def _function(command: Any, parameters: List[str], result: str) -> List[str]:
    return [f"\ndef {command.name}(", *parameters, f") -> {result}:", f'    """{command.sentence}"""', "    ..."]


def stub(package: Path, commands: Path) -> str:
    words = description(package)
    text = [HEAD]
    for command in words.load(commands)[1].values():
        result = "".join(map(str.capitalize, command.words)) + "Result"
        text.append(f"\nclass {result}(Result):")
        attributes: List[str] = []
        for attribute in command.outputs.values():
            kind = "NDArray[Any]"
            if attribute in words.EDGE_RESULTS:
                kind = "Edges"
            elif attribute in words.TEXT_RESULTS:
                kind = "str"
            elif "root" in command.options:
                kind = "Any"  # several roots: a dictionary of arrays
            attributes.append(f"    {attribute}: {kind}")
        text += attributes or ["    ..."]
        if command.name == "plan":  # its arguments are those of another command
            given = ["    command: str,", "    /,", "    *arguments: Any,", "    **options: Any,"]
            text += _function(command, given, result)
            continue
        parameters = [f"    {option.name}: Any," for option in command.positionals] + ["    *,"]
        for name in words.keywords(command):
            option = command.options.get(name)
            if name == "columns":
                parameters.append("    columns: Optional[Sequence[Union[str, int]]] = None,")
            elif name == "progress":
                parameters.append("    progress: _Progress = None,")
            elif option is not None:
                parameters.append(f"    {name}: {type_of(option, command.outputs)} = None,")
                if option.list:
                    parameters.append(f"    {name}s: {type_of(option, command.outputs)} = None,")
        text += _function(command, parameters, result)
    return "\n".join(text) + "\n"


if __name__ == "__main__":
    print(stub(Path(sys.argv[1]), Path(sys.argv[2])), end="")
