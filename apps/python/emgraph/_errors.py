# SPDX-License-Identifier: MIT
"""The exceptions that stand for the exit codes of the program."""
from __future__ import annotations

import re
from contextlib import contextmanager
from typing import Iterator, Optional, Sequence


class Error(Exception):
    """A run of emgraph failed. The text is the program's own message."""

    def __init__(self, message: str, exit_code: Optional[int] = None, command: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.message = message
        #: Exit code of the program; None if it was not started or was ended by a signal.
        self.exit_code = exit_code
        #: The command line that was run.
        self.command = list(command)


class UsageError(Error, ValueError):
    """Wrong usage (exit code 2): an option, or an output that exists already."""


class DataError(Error):
    """Bad input data (exit code 3): the message says where, what was found and what was expected."""


class EnvironmentError(Error):  # noqa: A001  (the contract's name; it stands in a module of its own)
    """The environment failed (exit code 4): missing file, full disk, memory limit too small."""

    @property
    def least_memory(self) -> Optional[int]:
        """The least `memory` in bytes that would do, where the message names it."""
        found = re.findall(r"(?:-M|least that works is) (\d+)([KMGT]?)\b(?= is the least|;| to|$)", self.message)
        if not found:
            return None
        number, unit = found[-1]
        return int(number) << {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}[unit]


class InternalError(Error):
    """A fault of emgraph itself (exit code 70). Please report it."""


class Stopped(Error):
    """The run was stopped and can be resumed (exit code 75, with `checkpoint`)."""


class EmgraphWarning(UserWarning):
    """A warning of the program."""


@contextmanager
def system_errors(what: str) -> Iterator[None]:
    """Makes errors of the system those of the package. `what` names the file and what failed."""
    try:
        yield
    except OSError as error:
        raise EnvironmentError(f"{what}: {error.strerror or error}") from None


def failure(exit_code: int, message: str, command: Sequence[str]) -> Error:
    """The exception for an exit code other than 0 and 1; negative: the number of the signal."""
    if exit_code < 0:
        text = f"emgraph was ended by signal {-exit_code}"
        if exit_code == -9:
            text += "; the system does so when memory runs out"
        return EnvironmentError(text + (f": {message}" if message else ""), None, command)
    kinds = {2: UsageError, 3: DataError, 4: EnvironmentError, 75: Stopped}
    return kinds.get(exit_code, InternalError)(message or f"exit code {exit_code}", exit_code, command)
