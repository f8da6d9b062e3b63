#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs graph500 over two network namespaces that stand for two hosts, joined by a link of a given rate, TCP only.

    graph500_hosts.py EMGRAPH [--scale 16] [--roots 8] [--rate 1gbit] [--launcher mpirun]

Prints for each kernel the bytes sent per edge, the measured time of a search, and the time that the model of
graph/graph500/distributed/README.md gives: compute time without the link (two processes on one host) plus bytes over
bandwidth plus rounds times latency. The latency of a round is measured over the link on a graph so small that
its searches do nothing else. Needs root, ip, tc, unshare and Open MPI; says SKIPPED without them.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

NAMES = [f"emgraph-{os.getpid()}-{number}" for number in (1, 2)]
NETWORK = "10.77.31"
LATENCY_SCALE = 6  # 64 nodes: a search is its rounds
UNITS = {"kbit": 1e3, "mbit": 1e6, "gbit": 1e9}


def quiet(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def missing(launcher):
    """What keeps the script from running, or None."""
    if os.geteuid() != 0:
        return "not root"
    for tool in ("ip", "tc", "unshare", launcher):
        if shutil.which(tool) is None:
            return f"no {tool}"
    version = subprocess.run([launcher, "--version"], capture_output=True, text=True, check=False).stdout
    if "Open MPI" not in version and "OpenRTE" not in version:  # mpiexec says the latter
        return f"{launcher} is not Open MPI's"
    probe = subprocess.run(["ip", "netns", "add", NAMES[0] + "-probe"], capture_output=True, check=False)
    if probe.returncode != 0:
        return "no network namespaces"
    quiet("ip", "netns", "delete", NAMES[0] + "-probe")
    return None


def rate_of_link(text):
    if not re.fullmatch(r"\d+(\.\d+)?(kbit|mbit|gbit)", text):
        raise argparse.ArgumentTypeError(f"{text!r}: expected a rate such as 100mbit or 1gbit")
    return text


def make_hosts(rate):
    for name in NAMES:
        quiet("ip", "netns", "add", name)
        quiet("ip", "-n", name, "link", "set", "lo", "up")
    quiet("ip", "link", "add", "link0", "netns", NAMES[0], "type", "veth", "peer", "name", "link0", "netns", NAMES[1])
    for number, name in enumerate(NAMES, 1):
        quiet("ip", "-n", name, "address", "add", f"{NETWORK}.{number}/24", "dev", "link0")
        quiet("ip", "-n", name, "link", "set", "link0", "up")
        quiet("ip", "netns", "exec", name, "tc", "qdisc", "add", "dev", "link0", "root", "tbf", "rate", rate,
              "burst", "256k", "latency", "50ms")


def remove_hosts():
    for name in NAMES:
        subprocess.run(["ip", "netns", "delete", name], capture_output=True, check=False)


def run(command, directory):
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", TMPDIR=directory,
                       OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1")
    result = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=500)
    if result.returncode != 0:
        sys.exit(f"graph500_hosts.py: exit code {result.returncode}: {result.stderr}")
    return json.loads(result.stdout)


def mean_seconds(summary, kernel):
    searches = summary[kernel + "_searches"]
    return sum(search["seconds"] for search in searches) / len(searches)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("emgraph", type=Path)
    parser.add_argument("--scale", type=int, default=16)
    parser.add_argument("--roots", type=int, default=8)
    parser.add_argument("--rate", type=rate_of_link, default="1gbit", help="of the link, as tc writes it: 100mbit, 1gbit")
    parser.add_argument("--launcher", default="mpirun", help="mpirun of the MPI that EMGRAPH was built with")
    arguments = parser.parse_args()
    if reason := missing(arguments.launcher):
        print(f"SKIPPED: {reason}")
        return

    def command(scale):
        return [str(arguments.emgraph.resolve()), "graph500", "--scale", str(scale), "--roots", str(arguments.roots), "-j", "1",
                "--json"]

    with tempfile.TemporaryDirectory(prefix="graph500-hosts-") as directory:
        agent = Path(directory) / "agent.sh"
        # Called as agent.sh HOST COMMAND…, for the second host only: mpirun runs in the first one.
        agent.write_text(f'#!/bin/sh\nshift\nexec ip netns exec {NAMES[1]} unshare --uts sh -c '
                         f'"hostname {NAMES[1]}; $*"\n')
        agent.chmod(0o755)
        try:
            make_hosts(arguments.rate)
            near = run([arguments.launcher, "-n", "2", *command(arguments.scale)], directory)
            hosts = f"{NETWORK}.1:1,{NETWORK}.2:1"
            over_link = ["ip", "netns", "exec", NAMES[0], "unshare", "--uts", "sh", "-c",
                         f'hostname {NAMES[0]}; exec "$@"', "sh", arguments.launcher, "--mca", "plm_rsh_agent", str(agent),
                         "--mca", "pml", "ob1", "--mca", "btl", "tcp,self",
                         "--mca", "btl_tcp_if_include", f"{NETWORK}.0/24",
                         "--mca", "oob_tcp_if_include", f"{NETWORK}.0/24",
                         "--bind-to", "none",  # both hosts count the same cores
                         "--host", hosts, "-n", "2"]
            small = run([*over_link, *command(LATENCY_SCALE)], directory)
            far = run([*over_link, *command(arguments.scale)], directory)
        finally:
            remove_hosts()
    bytes_per_second = float(arguments.rate[:-4]) * UNITS[arguments.rate[-4:]] / 8
    if far["num_mpi_processes"] != 2:
        sys.exit("graph500_hosts.py: the two hosts have not joined one job")
    for kernel in ("bfs", "sssp"):
        if near[kernel + "_checksums"] != far[kernel + "_checksums"]:
            sys.exit(f"graph500_hosts.py: {kernel}: the answers over the link differ")
        traffic = far[kernel + "_traffic"]
        # Both directions of the link work at once: half of the bytes, each way.
        link = traffic["sent_bytes"] / arguments.roots / 2 / bytes_per_second
        latency = mean_seconds(small, kernel) / small[kernel + "_traffic"]["rounds"]
        model = mean_seconds(near, kernel) + link + traffic["rounds"] * latency
        print(f"{kernel}: {traffic['sent_bytes_per_edge']:.3f} bytes per edge and search, "
              f"{traffic['rounds']:.1f} rounds; {mean_seconds(far, kernel):.4f} s a search over the link, "
              f"model {model:.4f} s ({mean_seconds(near, kernel):.4f} s without the link, "
              f"{latency * 1e6:.0f} µs a round)")


if __name__ == "__main__":
    main()
