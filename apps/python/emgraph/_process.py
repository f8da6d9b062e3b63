# SPDX-License-Identifier: MIT
"""Runs the program once: feeds its standard input, listens to its progress, and leaves no process behind."""
from __future__ import annotations

import fcntl
import json
import os
import selectors
import shutil
import signal
import subprocess
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Callable, Iterator, List, NamedTuple, Optional, Sequence

from ._errors import EnvironmentError, system_errors

# A pipe as large as Linux allows without privileges: fewer switches between the two processes.
_PIPE_BYTES = 1 << 20
_F_SETPIPE_SZ = 1031
# How long an interrupted program may take to clean up before it is killed.
_PATIENCE_SECONDS = 10

#: What the handler of a signal has raised. Code of other libraries may swallow it: pyarrow does while it imports pandas.
raised: Optional[BaseException] = None


def raise_again() -> None:
    """Raises what a handler has raised and other code has swallowed."""
    if raised is not None:
        raise raised


def program() -> str:
    """The path of the program: $EMGRAPH_PROGRAM, else the one that the package carries."""
    named = os.environ.get("EMGRAPH_PROGRAM")
    return named or str(Path(__file__).with_name("bin") / "emgraph")


@contextmanager
def private_directory() -> Iterator[str]:
    """A temporary directory that is gone at the end, also if a signal comes while it is removed."""
    try:
        path = tempfile.mkdtemp(prefix="emgraph-")
    except OSError as error:
        folder = os.path.dirname(error.filename) if error.filename else "the temporary directory"
        raise EnvironmentError(f"{folder}: cannot create files there: {error.strerror}") from None
    try:
        yield path
    finally:
        try:
            shutil.rmtree(path, ignore_errors=True)
        except BaseException:
            shutil.rmtree(path, ignore_errors=True)
            raise


@contextmanager
def call_directory(checkpoint: Any, ending: str = ".results") -> Iterator[str]:
    """The private directory of a call. With a checkpoint it stands beside that and stays as long as that does.

    So a call that was stopped finds its files under the same names when it goes on.
    """
    if not checkpoint or not isinstance(checkpoint, (str, os.PathLike)):
        with private_directory() as path:
            yield path
        return
    with system_errors(f"{os.fspath(checkpoint)}: cannot find the working directory"):
        kept = os.path.abspath(checkpoint)
    path = kept + ending
    is_new = not os.path.exists(path)
    restore_directory(path)
    try:
        yield path
    except BaseException:
        if not os.path.exists(kept):
            shutil.rmtree(path, ignore_errors=True)
        elif is_new:  # another call may use the one that was there
            with suppress(OSError):  # it holds something
                os.rmdir(path)
        raise
    shutil.rmtree(path, ignore_errors=True)


def restore_directory(path: str) -> None:
    """Makes a private directory again that a program removed because it was ended and the directory was empty."""
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        if os.lstat(path).st_uid == os.getuid():
            return
        raise EnvironmentError(f"{path}: another user has made this directory meanwhile") from None
    except OSError as error:
        raise EnvironmentError(f"{os.path.dirname(path)}: cannot create files there: {error.strerror}") from None


class Completed(NamedTuple):
    """What a run left: its exit code (negative: a signal), standard output, and the lines of messages."""

    exit_code: int
    output: bytes
    messages: List[str]


def run(
    arguments: Sequence[str],
    feed: Optional[Iterator[memoryview]] = None,
    on_progress: Optional[Callable[[dict], None]] = None,
    scratch: Optional[str] = None,
    pass_fds: Sequence[int] = (),
    inherit: Sequence[str] = (),
) -> Completed:
    """Runs the program with `arguments`. `feed` yields what it reads from its standard input.

    `inherit` names the streams of the caller that the program uses itself: "stdin", "stdout", "stderr".
    `on_progress` gets each line of --progress json. The caller's thread does all the work, so that Ctrl-C and
    exceptions of `feed` and `on_progress` arrive here; they end the program first.
    """
    if signal.getsignal(signal.SIGCHLD) == signal.SIG_IGN:
        raise EnvironmentError("SIGCHLD is ignored here, so the system keeps no exit codes: "
                               "call signal.signal(signal.SIGCHLD, signal.SIG_DFL) first")
    environment = dict(os.environ, EMGRAPH_PARENT=str(os.getpid()))
    environment.pop("EMGRAPH_SCRATCH", None)
    # In an MPI job a call is a process of its own, no rank of the job.
    for size in ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE"):
        environment.pop(size, None)
    # With it the program ends when nobody reads its standard output, as after the end of its parent.
    if scratch is not None and "stdout" not in inherit:
        environment["EMGRAPH_SCRATCH"] = scratch
    try:
        process = subprocess.Popen(
            [program(), *arguments],
            stdin=subprocess.PIPE if feed is not None else None if "stdin" in inherit else subprocess.DEVNULL,
            stdout=None if "stdout" in inherit else subprocess.PIPE,
            stderr=None if "stderr" in inherit else subprocess.PIPE,
            env=environment,
            pass_fds=pass_fds,
            bufsize=0,
            # SIGXFSZ stays ignored, as Python has it: a file size limit is then an error with a message.
            restore_signals=False,
        )
    except FileNotFoundError as error:
        raise ImportError(f"the program emgraph is missing: {error.filename}") from None
    except OSError as error:
        raise EnvironmentError(f"{program()}: cannot run: {error.strerror}") from None
    try:
        with _without_sigpipe():
            output, messages = _serve(process, feed, on_progress)
        done = Completed(process.wait(), output, messages)
    except KeyboardInterrupt:
        _end(process, signal.SIGINT)
        raise
    except BaseException:
        _end(process, signal.SIGTERM)
        raise
    finally:
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()
    # A shell reports the signal of its child so. The program itself ends by the signal.
    if done.exit_code == 128 + signal.SIGTERM and os.environ.get("EMGRAPH_PROGRAM"):
        raise EnvironmentError(f"$EMGRAPH_PROGRAM: {program()} must be the program itself, or a script that ends with exec: "
                               "the program ends when its parent is not the caller")
    return done


@contextmanager
def _without_sigpipe() -> Iterator[None]:
    """A program that stops reading is an exception, also where the caller has SIGPIPE end the interpreter."""
    if signal.getsignal(signal.SIGPIPE) != signal.SIG_DFL:
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGPIPE])
    try:
        yield
    finally:
        signal.sigtimedwait([signal.SIGPIPE], 0)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end(process: subprocess.Popen, how: int) -> None:
    """Ends the process and waits for it. It cleans up after `how`; SIGKILL is the last resort."""
    try:
        # An interpreter that ignores SIGINT (a job in the background of a shell) has children that do so, too.
        for number in (how, signal.SIGTERM):
            process.send_signal(number)
            try:
                process.wait(_PATIENCE_SECONDS)
                return
            except subprocess.TimeoutExpired:
                continue
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def _serve(
    process: subprocess.Popen,
    feed: Optional[Iterator[memoryview]],
    on_progress: Optional[Callable[[dict], None]],
) -> "tuple[bytes, List[str]]":
    output: List[bytes] = []
    lines = _Lines(on_progress)
    pending: Optional[memoryview] = memoryview(b"")
    with selectors.DefaultSelector() as selector:
        if process.stdout is not None:
            selector.register(process.stdout, selectors.EVENT_READ, output.append)
        if process.stderr is not None:
            selector.register(process.stderr, selectors.EVENT_READ, lines.add)
        if feed is not None:
            assert process.stdin is not None
            feed = filter(len, feed)  # an empty piece is not the end
            try:
                fcntl.fcntl(process.stdin, _F_SETPIPE_SZ, _PIPE_BYTES)
            except OSError:
                pass  # the user's pipes hold all that they may
            os.set_blocking(process.stdin.fileno(), False)
            selector.register(process.stdin, selectors.EVENT_WRITE, None)
        while selector.get_map():
            raise_again()
            for key, _ in selector.select():
                if key.data is not None:
                    data = os.read(key.fd, 1 << 16)
                    if data:
                        key.data(data)
                    else:
                        selector.unregister(key.fileobj)
                    continue
                assert feed is not None and process.stdin is not None
                if not pending:
                    pending = next(feed, None)
                try:
                    if pending is not None:
                        pending = pending[os.write(key.fd, pending) :]
                        continue
                except BlockingIOError:
                    continue
                except BrokenPipeError:
                    pass  # the program has stopped reading: its exit code says why
                selector.unregister(key.fileobj)
                process.stdin.close()
    lines.add(b"\n")
    return b"".join(output), lines.messages


class _Lines:
    """Splits standard error into lines: progress and messages."""

    def __init__(self, on_progress: Optional[Callable[[dict], None]]) -> None:
        self.messages: List[str] = []
        self._on_progress = on_progress
        self._rest = b""

    def add(self, data: bytes) -> None:
        *whole, self._rest = (self._rest + data).split(b"\n")
        for line in whole:
            if line.startswith(b'{"phase"'):
                if self._on_progress is not None:
                    self._on_progress(json.loads(line))
            elif line:
                self.messages.append(line.decode("utf-8", "replace"))
