# SPDX-License-Identifier: MIT
"""A standalone Spark cluster on this machine: a master and workers, processes of their own, with scratch of their own.

    with Cluster(directory, workers=2) as cluster:
        spark = cluster.session()
        with cluster.measured() as used: ...
        print(used.seconds, used.cpu_seconds)
"""
import collections
import contextlib
import dataclasses
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

import pyspark

import emgraph


@dataclasses.dataclass
class Used:
    """What a piece of work took, the driver included. `parts`: CPU seconds of "java", "python" and "emgraph"."""

    seconds: float = 0.0
    parts: collections.Counter = dataclasses.field(default_factory=collections.Counter)

    @property
    def cpu_seconds(self):
        return sum(self.parts.values())


def processes(roots):
    """The processes below `roots`, themselves included, with their program and CPU seconds. Those of ended children count
    as emgraph's: nothing else is started and ended by Python."""
    children, found = {}, {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            fields = pathlib.Path("/proc", name, "stat").read_text().rpartition(")")[2].split()
            program = pathlib.Path("/proc", name, "exe").resolve().name
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(name))
        own, ended = (sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK") for ticks in (fields[11:13], fields[13:15]))
        kind = next((kind for kind in ("java", "emgraph") if program == kind), "python")
        found[int(name)] = collections.Counter({kind: own}) + collections.Counter({"emgraph": ended})
    below, waiting = {}, [root for root in roots if root in found]
    while waiting:
        process = waiting.pop()
        below[process] = found[process]
        waiting += children.get(process, [])
    return below


class Cluster:
    def __init__(self, directory, workers=2, memory="2g", executor_memory="1g", environment=None):
        self.directory = pathlib.Path(directory)
        self.environment = environment or {}
        self.workers = workers
        self.memory = memory
        self.executor_memory = executor_memory
        self.processes = []
        self._ended = False

    def __enter__(self):
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that __exit__ ends the processes
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        try:
            self._start("master", "master.Master", "--host", "127.0.0.1", "--port", str(self.port), "--webui-port", "0")
            self._wait_for_port()
            for number in range(self.workers):
                self._start(f"worker-{number}", "worker.Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", self.memory,
                            "--webui-port", "0", "--work-dir", str(self.directory / f"work-{number}"),
                            f"spark://127.0.0.1:{self.port}")
        except BaseException:
            self.__exit__()
            raise
        return self

    def _start(self, name, java_class, *arguments):
        home = pathlib.Path(pyspark.__file__).parent
        scratch = self.directory / f"scratch-{name}"
        scratch.mkdir(parents=True, exist_ok=True)
        temporary = self.directory / f"temporary-{name}"
        temporary.mkdir(exist_ok=True)
        environment = dict(os.environ, SPARK_HOME=str(home), SPARK_LOCAL_DIRS=str(scratch), SPARK_DAEMON_MEMORY="256m",
                           TMPDIR=str(temporary), **self.environment)
        log = open(self.directory / f"{name}.log", "wb")
        command = [str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{java_class}", *arguments]
        self.processes.append(subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True))

    def _wait_for_port(self):
        for _ in range(300):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.2)
        raise RuntimeError(f"the master does not answer: see {self.directory}/master.log")

    def session(self, **settings):
        from pyspark.sql import SparkSession

        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        builder = (
            SparkSession.builder.master(f"spark://127.0.0.1:{self.port}")
            .config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.memory", "1g")
            .config("spark.executor.memory", self.executor_memory)
            .config("spark.executor.cores", "1")
            .config("spark.sql.execution.arrow.maxRecordsPerBatch", str(1 << 17))
            .config("spark.sql.shuffle.partitions", str(2 * self.workers))
            .config("spark.pyspark.python", sys.executable)
            # The package, wherever the session has found it: executors run in directories of their own.
            .config("spark.executorEnv.PYTHONPATH", os.path.dirname(os.path.dirname(os.path.abspath(emgraph.__file__))))
        )
        for name, value in settings.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        self.driver = session.sparkContext._gateway.proc.pid
        return session

    def roots(self):
        return [process.pid for process in self.processes] + [self.driver, os.getpid()]

    @contextlib.contextmanager
    def measured(self):
        used = Used()
        before, start = self._cpu(), time.monotonic()
        yield used
        used.seconds = time.monotonic() - start
        used.parts = self._cpu() - before

    def _cpu(self):
        return sum(processes(self.roots()).values(), collections.Counter())

    def executors(self):
        """The processes of the executors, with the executors' names."""
        found = {}
        for process in processes([process.pid for process in self.processes]):
            with contextlib.suppress(OSError):
                command = pathlib.Path("/proc", str(process), "cmdline").read_bytes().split(b"\0")
                if b"org.apache.spark.executor.CoarseGrainedExecutorBackend" in command:
                    found[process] = command[command.index(b"--executor-id") + 1].decode()
        return found

    def left_files(self, patience=20):
        """Files and directories on the scratch disks and in the directories for temporary files, after the session has ended;
        the workers need a moment to delete those of their executors. A worker's own directory, spark-*, stays until the worker
        ends; it must be empty."""
        places = ("scratch-*/*", "scratch-*/spark-*/*", "temporary-*/*")
        for _ in range(10 * patience):
            left = [str(path) for place in places for path in self.directory.glob(place)
                    if self._ended or not (place == "scratch-*/*" and path.name.startswith("spark-"))]
            if not left:
                break
            time.sleep(0.1)
        return left

    def left_processes(self, patience=10):
        """Processes of any kind that were started by this cluster and still run after its end."""
        mark = b"SPARK_LOCAL_DIRS=" + os.fsencode(self.directory)
        for _ in range(10 * patience):
            left = []
            for name in filter(str.isdigit, os.listdir("/proc")):
                with contextlib.suppress(OSError):
                    if mark in pathlib.Path("/proc", name, "environ").read_bytes():
                        left.append(pathlib.Path("/proc", name, "cmdline").read_bytes().replace(b"\0", b" ").decode())
            if not left:
                break
            time.sleep(0.1)
        return left

    def __exit__(self, *_):
        for process in self.processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
        for process in self.processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        self._ended = True
