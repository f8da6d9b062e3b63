# SPDX-License-Identifier: MIT
"""python -m emgraph: the program's command line, which reads and writes Parquet files as well."""
from __future__ import annotations

import errno
import json
import os
import signal
import sys
import traceback
import warnings
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Dict, Iterator, List, NoReturn, Optional, Tuple

from . import _process
from ._call import Call
from ._description import EDGE_RESULTS, TEXT_RESULTS, Command, Option, load
from ._errors import DataError, EnvironmentError, Error, UsageError
from ._inputs import has_parquet_name, is_parquet, parquet_files
from ._results import Result
from ._tables import NewFile, copy, is_special, keep_all, refuse_place, write_batches


class _Ended(BaseException):
    """SIGTERM or SIGHUP came."""


def _find(commands: Dict[str, Command], arguments: List[str]) -> Optional[Tuple[Command, List[str]]]:
    for command in commands.values():
        if arguments[: len(command.words)] == command.words:
            return command, arguments[len(command.words) :]
    return None


def _parse(command: Command, arguments: List[str]) -> Tuple[Dict[str, Any], List[str]]:
    """Options by keyword, and positionals, as the program reads them."""
    options = {**command.options, **command.ours}
    flags = {option.flag: option for option in options.values()}
    letters = {option.letter: option for option in options.values() if option.letter}
    typed: Dict[str, List[str]] = {}
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
        if value is None and not option.is_flag:
            if not rest:
                raise UsageError(f"{option.flag} requires an argument")
            value = rest.pop(0)
        typed.setdefault(option.name, []).append("true" if value is None else value)
    return {name: _value(command, options[name], values) for name, values in typed.items()}, positionals


def _value(command: Command, option: Option, values: List[str]) -> Any:
    """What all values of an option on the command line say together."""
    if "" in values:
        raise UsageError(f"{option.flag}: the value is empty; is a variable of the shell not set?")
    if option.is_flag:
        numbers = [_truth(command, option, value) for value in values]
        return sum(numbers) if option.counter else numbers[-1] > 0
    if option.list:
        return values
    if len(values) > 1:
        raise UsageError(f"{option.flag} is given {len(values)} times, and takes one value")
    return values[0]


def _truth(command: Command, option: Option, value: str) -> int:
    """The value of a flag, which is true from 1 on: in the words and numbers that the program takes."""
    if value.lower() in ("true", "on", "yes", "enable", "t", "y", "+"):
        return 1
    if value.lower() in ("false", "off", "no", "disable", "f", "n", "-"):
        return -1
    try:
        return int(value)
    except ValueError:
        words = " ".join(command.words)
        raise UsageError(f"Could not convert: {option.flag} = {value}; see `emgraph {words} --help`") from None


class _Number(int):
    """A column by its number from 0. Messages have it from 1, as it was written."""

    def __repr__(self) -> str:
        return str(self + 1)


def _columns(text: str) -> List[Any]:
    """--cols of a Parquet file: names, or numbers from 1."""
    return [_Number(int(part) - 1) if part.isdecimal() else part for part in text.split(",")]


def _write_place(path: str, inputs: List[str], force: bool) -> None:
    """Refuses, before the run, a place where no Parquet file can be written."""
    refuse_place(path)
    folder = os.path.dirname(os.path.realpath(path))
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


def _tables(command: Command, given: Dict[str, Any], inputs: List[str], folder: str) -> Tuple[Dict[str, str], Dict[str, str]]:
    """The outputs that are Parquet files, attribute -> path, and the others beside them, file in `folder` -> path.

    The call makes arrays of the first. The others get their names when these are complete.
    """
    tables: Dict[str, str] = {}
    others: Dict[str, str] = {}
    if not any(has_parquet_name(given.get(name) or "") for name in command.outputs):
        for name in command.outputs:
            given.setdefault(name, False)
        return tables, others
    edges = [name for name, attribute in command.outputs.items() if attribute in EDGE_RESULTS]
    for name, its in (("codec", edges), ("output_format", ["output"])):
        paths = [given[output] for output in its if given.get(output)]
        if given.get(name) and (not paths or any(map(has_parquet_name, paths))):
            path = next(path for path in map(given.get, command.outputs) if has_parquet_name(path or ""))
            raise UsageError(f"{command.options[name].flag}: it says how other files are written, and {path} is a Parquet file")
    places: Dict[str, str] = {}
    for name in [*command.outputs, *(["map"] if "map" in given else [])]:
        path = given.get(name)
        if path is None:
            given[name] = False
            continue
        option, attribute = command.options[name], command.outputs.get(name, name)
        if path == "-":
            raise UsageError(f"{option.flag} -: with Parquet outputs standard output has the summary; name a file")
        if has_parquet_name(path) and (attribute in TEXT_RESULTS or name == "map"):
            raise UsageError(f"{path}: {option.flag} is text, which is not written as Parquet")
        for file in _paths(path, given):
            _write_place(file, inputs, given.get("force", False))
            before = places.setdefault(os.path.realpath(file), option.flag)
            if before != option.flag:
                raise UsageError(f"{before} and {option.flag} both go to {file}; give them different names")
        if has_parquet_name(path):
            tables[attribute] = path
            given[name] = True
        else:
            own = os.path.basename(path)
            given[name] = os.path.join(folder, name, own if "{root}" in own or "{root}" not in path else "{root}" + own)
            os.makedirs(os.path.dirname(given[name]), exist_ok=True)  # that of a checkpoint may be there
            others[given[name]] = path
    return tables, others


def _prints_summary(command: Command, given: Dict[str, Any]) -> bool:
    """Whether standard output gets the summary. If results go there, the program writes the summary beside its messages."""
    paths = [given[name] for name in [*command.outputs, "map"] if given.get(name)]
    is_text = command.name == "cat" or bool(given.get("to") or given.get("queries"))
    return not is_text and not any(path == "-" or is_special(path) for path in paths)


def _print(text: str) -> None:
    """Prints to standard output. That nobody reads it any more is no error."""
    try:
        print(text, flush=True)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left would fail at the end again
        if not isinstance(error, BrokenPipeError):
            raise EnvironmentError(f"standard output: cannot write: {error.strerror}") from None


def _new_files(result: Result, tables: Dict[str, str], others: Dict[str, str], files: ExitStack) -> List[NewFile]:
    """All outputs, complete, without their names."""
    complete: List[NewFile] = []

    def add(path: str) -> NewFile:
        complete.append(files.enter_context(NewFile(path)))
        return complete[-1]

    for attribute, path in tables.items():
        value = getattr(result, attribute)
        if not isinstance(value, dict):
            write_batches(add(path.replace("{root}", str(result.summary.get("root")))), result.reader_of(attribute))
            continue
        for root in value:
            write_batches(add(path.replace("{root}", str(root))), result.reader_of_root(attribute, root))
    for held, path in others.items():
        before, mark, after = held.partition("{root}")
        for name in sorted(os.listdir(os.path.dirname(held))):
            file = os.path.join(os.path.dirname(held), name)
            root = file[len(before) : len(file) - len(after)]
            copy(file, add(path.replace(mark, root) if mark else path))
    return complete


def _run(command: Command, given: Dict[str, Any], positionals: List[str]) -> int:
    if len(positionals) < len(command.positionals):
        raise UsageError(f"{command.usage}: {command.positionals[len(positionals)].flag} is required")
    named: Dict[str, Any] = {}
    for number, option in enumerate(command.positionals):
        several = number == 0 and len(command.positionals) == 1 and len(positionals) > 1
        named[option.name] = positionals if several else positionals[number]
    if len(command.positionals) > 1 and len(positionals) > len(command.positionals):
        raise UsageError(f"unexpected argument '{positionals[len(command.positionals)]}'")
    inputs = [file for name in positionals if is_parquet(name) for file in parquet_files(name) or []]
    cols = given.pop("cols") if inputs and "cols" in given else None
    ours = {name: given.pop(name) for name in list(given) if name in command.ours}
    inputs += [name for name in positionals if os.path.isfile(name)]
    with ExitStack() as held:
        folder = held.enter_context(_process.call_directory(given.get("checkpoint"), ".outputs"))
        tables, others = _tables(command, given, inputs, folder)
        call = Call(command, Result, {**named, **given, "columns": None if cols is None else _columns(cols)})
        call.report = [f"--progress={ours.get('progress', 'auto')}"] + ["--quiet"] * bool(ours.get("quiet"))
        call.report += ["--json"] * bool(tables or ours.get("json"))
        call.opens = bool(tables)
        takes_summary = bool(tables) or ours.get("json") and _prints_summary(command, given)
        call.inherit = ["stderr"] if takes_summary else ["stderr", "stdout"]
        try:
            result = call.run()
        except UsageError as error:
            if cols is None or not error.message.startswith("columns: "):
                raise
            raise UsageError(error.message.replace("columns", f"--cols {cols}", 1)) from None
        if not tables:
            if takes_summary:
                _print(json.dumps(result.summary, indent=2))
            return 0 if result.ok is not False else 1
        files = _new_files(result, tables, others, held)
        for file in files:  # the roots in a file of queries are known only now
            _write_place(file.given, inputs, given.get("force", False))
        _process.raise_again()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
        try:
            keep_all(files)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    first = next(iter(command.outputs.values()))
    for attribute, path in tables.items():
        result.summary["output" if attribute == first else attribute] = path
    result.summary.update({key: others[value] for key, value in result.summary.items() if isinstance(value, str) and value in others})
    if ours.get("json"):
        _print(json.dumps(result.summary, indent=2))
    elif not ours.get("quiet"):
        _print("\n".join(_lines(result.summary)))
    return 0


def _lines(summary: Dict[str, Any]) -> Iterator[str]:
    for key, value in summary.items():
        if isinstance(value, int) and not isinstance(value, bool):
            value = f"{value:,}"
        if not isinstance(value, (list, dict)):
            yield f"{key.replace('_', ' '):<20}{value}"


def _end(number: int, _: Any) -> None:
    if number == signal.SIGINT:
        _process.raised = KeyboardInterrupt()
    else:
        for each in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(each, signal.SIG_IGN)  # nothing interrupts the cleaning
        _process.raised = _Ended(number)
    raise _process.raised


def _catch_signals() -> None:
    if signal.getsignal(signal.SIGCHLD) == signal.SIG_IGN:  # inherited; exit codes would get lost
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup has it
            signal.signal(number, _end)
    if signal.getsignal(signal.SIGINT) in (signal.SIG_DFL, signal.default_int_handler):
        signal.signal(signal.SIGINT, _end)


def _die(number: int) -> int:
    """Ends as the signal ends a program."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    return 128 + number


def _hand_over(arguments: List[str]) -> NoReturn:
    program = _process.program()
    try:
        os.execv(program, ["emgraph", *arguments])
    except OSError as error:
        raise EnvironmentError(f"{program}: cannot run: {error.strerror}") from None


def _command() -> int:
    """Hands over to the program itself unless a Parquet file is named."""
    name = "emgraph"
    try:
        arguments = sys.argv[1:]
        _, commands = load(Path(__file__).with_name("commands.json"))
        found = _find(commands, arguments)
        words = [word.partition("=")[2] if word.startswith("-") and "=" in word else word for word in arguments]
        tables = [word for word in words if has_parquet_name(word) or is_parquet(word)]
        if found is None or not tables or {"--help", "--help-all", "-h"}.intersection(word.partition("=")[0] for word in arguments):
            _hand_over(arguments)
        command, rest = found
        name = f"emgraph {' '.join(command.words)}"
        if sys.stdout is not None:
            sys.stdout.reconfigure(errors="surrogateescape")  # type: ignore[union-attr]  # names of files are bytes
        warnings.showwarning = lambda message, *_, **__: print(f"emgraph: {message}", file=sys.stderr)
        if command.name == "plan":
            raise UsageError(f"{tables[0]}: plan reads no Parquet files, only those that the program itself reads")
        return _run(command, *_parse(command, rest))
    except Error as error:
        if error.exit_code is None or not error.command:  # else the program has said it
            print(f"{name}: {error}", file=sys.stderr)
        return error.exit_code or (2 if isinstance(error, UsageError) else 3 if isinstance(error, DataError) else 4)
    except (OSError, ImportError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 4
    except Exception as error:
        traceback.print_exc()
        print(f"emgraph: internal error: {type(error).__name__}: {error}; please report it", file=sys.stderr)
        return 70


def main() -> int:
    """Runs the command. Signals end it when all is cleaned."""
    try:
        _catch_signals()
        return _command()
    except KeyboardInterrupt:
        return _die(signal.SIGINT)
    except _Ended as ended:
        return _die(ended.args[0])


if __name__ == "__main__":
    sys.exit(main())
