#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs `emgraph plan` and then the command, over graphs and memory limits; prints what was foreseen divided by what came true.

    scripts/bench_plan.py --dir DIR [--edges 20M] [--memory 64M,512M] [--commands bfs,mst] [--emgraph build/emgraph]

The files are made in DIR and stay there. Times mean something on a quiet machine only; the other figures always.
"""
import argparse
import json
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = (
    ("sort", ["-o", "sorted.bin", "-f"]),
    ("dedup", ["-o", "sorted.bin", "-f"]),
    ("sort", ["--symmetrize", "-u", "-o", "sorted.bin", "-f"]),
    ("convert", ["-o", "copy.bin", "-f"]),
    ("cc", ["-o", "labels.npy", "-f"]),
    ("cc", ["--model", "external"]),
    ("mis", ["-o", "set.npy", "-f"]),
    ("mis", ["--single-pass"]),
    ("mis", ["--queue", "ranges"]),
    ("bfs", []),
    ("bfs", ["-o", "levels.npy", "--parents", "parents.npy", "-f"]),
    ("bfs", ["--model", "internal"]),
    ("bfs", ["--model", "external", "-o", "levels.npy", "-f"]),
    ("bfs", ["--directed"]),
    ("sssp", ["--root", "5", "--weights", "hash", "-o", "distances.npy", "-f"]),
    ("sssp", ["--root", "5", "--weights", "hash", "--model", "semi-external", "-o", "distances.npy", "--parents", "parents.npy", "-f"]),
    ("sssp", ["--root", "5", "--weights", "hash", "--model", "external", "-o", "distances.npy", "-f"]),
    ("mst", ["--weights", "hash", "-o", "forest.bin", "-f"]),
    ("mst", ["--weights", "hash", "--model", "semi-external"]),
    ("mst", ["--weights", "hash", "--model", "external"]),
    ("triangles", []),
    ("triangles", ["--per-node", "counts.npy", "-f"]),
    ("triangles", ["--model", "semi-external"]),
    ("triangles", ["--model", "external"]),
    ("pagerank", ["-o", "ranks.npy", "-f"]),
    ("pagerank", ["--undirected", "--iterations", "10"]),
    ("pagerank", ["--iterations", "10", "--model", "semi-external"]),
    ("pagerank", ["--iterations", "10", "--model", "external"]),
    ("cdlp", ["-o", "labels.npy", "-f"]),
    ("cdlp", ["--directed", "--model", "semi-external"]),
    ("cdlp", ["--iterations", "3", "--model", "external"]),
    ("kcore", ["-o", "cores.npy", "-f"]),
    ("kcore", ["--model", "semi-external"]),
    ("kcore", ["--model", "external"]),
    ("lcc", ["-o", "coefficients.npy", "-f"]),
    ("lcc", ["--directed"]),
    ("lcc", ["--model", "external"]),
    ("scc", ["-o", "labels.npy", "-f"]),
    ("scc", ["--model", "semi-external"]),
    ("scc", ["--model", "external"]),
    ("stats", ["-o", "degrees.npy", "-f"]),
    ("stats", ["--directed"]),
    ("stats", ["--model", "external"]),
    ("stats", ["--model", "external", "--directed", "--html", "page.html", "-f"]),
    ("filter", ["--sample", "0.5", "-o", "part.bin", "-f"]),
    ("convert", ["-o", "made.adj", "-f"]),
    ("convert", ["-o", "made.sg", "-f"]),
    ("convert", ["--directed", "-o", "made.sg", "-f"]),
    ("convert", ["-o", "made.graph", "-f"]),
    ("cc", ["--forest", "forest.bin", "-f"]),
    ("cc", ["--sizes", "sizes.npy", "--groups", "groups.npy", "-f"]),
    ("scc", ["--condensation", "arcs.bin", "-f"]),
    ("sssp", ["--root", "5", "--to", "77", "--weights", "hash"]),
)
# On an adjacency file of the graph.
SEARCHES = (
    ("bfs", []),
    ("bfs", ["-o", "levels.npy", "--parents", "parents.npy", "-f"]),
    ("bfs", ["--model", "external", "-o", "levels.npy", "-f"]),
    ("bfs", ["--model", "internal", "--root", "5"]),
)


def adjacency_of(emgraph, directory, name):
    """Made beside the file unless it is there."""
    made = f"{name}.adj"
    if not (directory / made).exists():
        subprocess.run([emgraph, "convert", name, "-o", made, "-q"], cwd=directory, check=True)
    return made


def summary(a, line):
    ended = subprocess.run([a.emgraph, *line, "--json"], cwd=a.dir, capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        return {"error": ended.stderr.strip()}
    return json.loads(ended.stdout)


def ratio(foreseen, true):
    if foreseen is None:
        return "unknown"
    if true == 0:
        return "0" if foreseen == 0 else f"{foreseen / 2**20:.1f} MiB / 0"
    return f"{foreseen / true:.2f}"


def compare(a, line):
    plan, run = summary(a, ["plan", *line]), summary(a, line)
    if "error" in plan or "error" in run:
        same = plan.get("error") == run.get("error")
        return f"{'same error' if same else 'OTHER ERROR: ' + str(plan.get('error')) + ' / ' + str(run.get('error'))} | | | | | |"
    cells = [ratio(plan["memory_peak_bytes"], run["memory_peak_bytes"]),
             ratio(plan["temp_bytes_peak"], run["temp_bytes_peak"]),
             ratio(plan["temp_bytes_expected"], run["temp_bytes_peak"]),
             f"{plan['passes']} / {run.get('passes', 1)}",
             ratio(plan["cpu_seconds"], run["cpu_seconds"]),
             ratio(plan["seconds"], run["seconds"])]
    if plan["model"] != run["model"]:
        cells[0] += f" (model {plan['model']}, was {run['model']})"
    return " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dir", type=Path, required=True)
    parser.add_argument("--edges", default="20M")
    parser.add_argument("--memory", default="64M,512M")
    parser.add_argument("--commands", help="these alone")
    parser.add_argument("--scale", default="20", help="of the Kronecker graph")
    parser.add_argument("--emgraph", type=os.path.abspath, default=str(ROOT / "build" / "emgraph"))
    a = parser.parse_args()
    a.dir.mkdir(parents=True, exist_ok=True)
    print(json.dumps(summary(a, ["gen", "--edges", a.edges, "-o", "random.bin", "-f"])["edges"]), "random edges")
    kron = summary(a, ["gen", "--model", "kron", "--scale", a.scale, "--edge-factor", "16", "-o", "kron.bin", "-f"])
    print(kron["edges"], "Kronecker edges; foreseen / true:\n")
    print("| command | memory | most temporary | expected | passes | CPU | seconds |\n|---|---|---|---|---|---|---|")
    wanted = a.commands.split(",") if a.commands else ["gen"] + [name for name, _ in COMMANDS]
    for graph in ("random.bin", "kron.bin"):
        for memory in a.memory.split(","):
            if "gen" in wanted:
                print(f"| gen, -M {memory} |", compare(a, ["gen", "--edges", a.edges, "-o", "made.bin", "-f", "-M", memory]))
            for name, options in [each for each in COMMANDS if each[0] in wanted]:
                line = [name, graph, "-M", memory, *options]
                print(f"| {' '.join(line)} |", compare(a, line), flush=True)
            for name, options in [each for each in SEARCHES if each[0] in wanted]:
                line = [name, adjacency_of(a.emgraph, a.dir, graph), "-M", memory, *options]
                print(f"| {' '.join(line)} |", compare(a, line), flush=True)


if __name__ == "__main__":
    main()
