# SPDX-License-Identifier: MIT
"""python -m emgraph: the program's command line, which reads and writes Parquet files as well."""
from __future__ import annotations

import errno
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

from . import _process
from ._call import Call
from ._description import TEXT_RESULTS, Command, Option, load
from ._errors import DataError, EnvironmentError, Error, UsageError
from ._inputs import is_parquet, parquet_files
from ._results import Result
from ._tables import write_parquet


def _find(commands: Dict[str, Command], arguments: List[str]) -> Optional[Tuple[Command, List[str]]]:
    for command in commands.values():
        if arguments[: len(command.words)] == command.words:
            return command, arguments[len(command.words) :]
    return None


def _is_parquet(name: str) -> bool:
    return name.endswith((".parquet", ".pq"))


def _parse(command: Command, arguments: List[str]) -> Tuple[Dict[str, Any], List[str]]:
    """Options by keyword, and positionals, as the program reads them."""
    options = {**command.options, **command.ours}
    flags = {option.flag: option for option in options.values()}
    letters = {option.letter: option for option in options.values() if option.letter}
    given: Dict[str, Any] = {}
    positionals: List[str] = []
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        value: Optional[str] = None
        if word == "--":
            positionals += rest
            break
        if word == "-" or not word.startswith("-"):
            positionals.append(word)
            continue
        if word.startswith("--"):
            name, equals, after = word.partition("=")
            option = flags.get(name)
            value = after if equals else None
        else:
            option = letters.get(word[:2])
            if option is not None and option.is_flag and len(word) > 2:
                rest.insert(0, "-" + word[2:])
            elif len(word) > 2:
                value = word[2:].removeprefix("=") if hasattr(str, "removeprefix") else word[2:]
        if option is None:
            raise UsageError(f"unknown option '{word}'")
        _take(option, value, rest, given)
    return given, positionals


def _take(option: Option, value: Optional[str], rest: List[str], given: Dict[str, Any]) -> None:
    if option.counter:
        given[option.name] = given.get(option.name, 0) + 1
    elif option.is_flag:
        given[option.name] = True
    else:
        if value is None:
            if not rest:
                raise UsageError(f"{option.flag} requires an argument")
            value = rest.pop(0)
        if option.list:
            given.setdefault(option.name, []).append(value)
        else:
            given[option.name] = value


def _columns(text: str) -> List[Any]:
    """--cols of a Parquet file: names, or numbers from 1."""
    return [int(part) - 1 if part.isdigit() else part for part in text.split(",")]


def _write_place(path: str, inputs: List[str], force: bool) -> None:
    """Refuses, before the run, a place where no Parquet file can be written."""
    folder = os.path.dirname(path) or "."
    if os.path.isdir(path):
        raise UsageError(f"{path}: the output is a directory")
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK):
        reason = os.strerror(errno.EACCES if os.path.isdir(folder) else errno.ENOENT)
        raise EnvironmentError(f"{path}: cannot create in this directory: {reason}")
    if not os.path.exists(path):
        return
    if any(os.path.samefile(path, name) for name in inputs):
        raise UsageError(f"{path}: the output is the input; write to another name")
    if not force:
        raise UsageError(f"{path}: exists already; use -f to replace it")


def _paths(path: str, given: Dict[str, Any]) -> List[str]:
    """The files of an output: one for each root if its name has {root} in it."""
    roots = given["root"] if isinstance(given.get("root"), list) else []
    if "{root}" in path:
        return [path.replace("{root}", root) for root in roots] or [path]
    if len(roots) > 1 or given.get("queries", "").endswith(".ss"):
        raise UsageError(f"{path}: several roots need a name with {{root}} in it, like levels-{{root}}.parquet")
    return [path]


def _tables(command: Command, given: Dict[str, Any], inputs: List[str]) -> Dict[str, str]:
    """The outputs that are Parquet files: attribute -> path. The call makes arrays of them."""
    tables: Dict[str, str] = {}
    for name, attribute in command.outputs.items():
        path = given.get(name)
        if path is None:
            given[name] = False
        elif _is_parquet(path):
            if attribute in TEXT_RESULTS:
                raise UsageError(f"{path}: --{name} is text, which is not written as Parquet")
            for file in _paths(path, given):
                _write_place(file, inputs, given.get("force", False))
            tables[attribute] = path
            given[name] = True
    return tables


def _write(result: Result, attribute: str, path: str) -> None:
    value = getattr(result, attribute)
    if not isinstance(value, dict):
        write_parquet(path.replace("{root}", str(result.summary.get("root"))), result.reader_of(attribute))
        return
    for root in value:
        write_parquet(path.replace("{root}", str(root)), result.reader_of_root(attribute, root))


def _run(command: Command, given: Dict[str, Any], positionals: List[str]) -> int:
    if len(positionals) < len(command.positionals):
        raise UsageError(f"{command.usage}: {command.positionals[len(positionals)].flag} is required")
    named: Dict[str, Any] = {}
    for number, option in enumerate(command.positionals):
        several = number == 0 and len(command.positionals) == 1 and len(positionals) > 1
        named[option.name] = positionals if several else positionals[number]
    if len(command.positionals) > 1 and len(positionals) > len(command.positionals):
        raise UsageError(f"unexpected argument '{positionals[len(command.positionals)]}'")
    files = [file for name in positionals if is_parquet(name) for file in parquet_files(name) or []]
    columns = _columns(given.pop("cols")) if files and "cols" in given else None
    ours = {name: given.pop(name) for name in list(given) if name in command.ours}
    tables = _tables(command, given, files)
    call = Call(command, Result, {**named, **given, "columns": columns})
    call.report = [f"--progress={ours.get('progress', 'auto')}"] + ["--quiet"] * bool(ours.get("quiet"))
    call.report += ["--json"] * bool(tables or ours.get("json"))
    call.inherit = ["stderr"] if tables else ["stderr", "stdout"]
    result = call.run()
    if not tables:
        return 0 if result.ok is not False else 1
    for attribute, path in tables.items():
        _write(result, attribute, path)
        result.summary["output" if attribute == list(command.outputs.values())[0] else attribute] = path
    if ours.get("json"):
        print(json.dumps(result.summary, indent=2))
    elif not ours.get("quiet"):
        for key, value in result.summary.items():
            if isinstance(value, int) and not isinstance(value, bool):
                value = f"{value:,}"
            if not isinstance(value, (list, dict)):
                print(f"{key.replace('_', ' '):<20}{value}")
    return 0


def main() -> int:
    """Hands over to the program itself unless a Parquet file is named."""
    arguments = sys.argv[1:]
    _, commands = load(Path(__file__).with_name("commands.json"))
    found = _find(commands, arguments)
    words = [word.partition("=")[2] if word.startswith("-") and "=" in word else word for word in arguments]
    tables = [word for word in words if _is_parquet(word) or is_parquet(word)]
    if found is None or not tables:
        os.execv(_process.program(), ["emgraph", *arguments])
    command, rest = found
    if "--help" in rest or "--help-all" in rest or "-h" in rest:
        os.execv(_process.program(), ["emgraph", *arguments])
    try:
        if command.name == "plan":
            raise UsageError(f"{tables[0]}: plan reads no Parquet files, only those that the program itself reads")
        return _run(command, *_parse(command, rest))
    except Error as error:
        if error.exit_code is None or not error.command:  # else the program has said it
            print(f"emgraph {' '.join(command.words)}: {error}", file=sys.stderr)
        return error.exit_code or (2 if isinstance(error, UsageError) else 3 if isinstance(error, DataError) else 4)
    except (OSError, ImportError) as error:
        print(f"emgraph {' '.join(command.words)}: {error}", file=sys.stderr)
        return 4
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
        return 130


if __name__ == "__main__":
    sys.exit(main())
