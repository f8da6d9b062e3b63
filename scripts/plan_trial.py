#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random trial of `emgraph plan`: random graphs, commands, models and memory limits; lists where the plan was wrong.

    scripts/plan_trial.py --dir DIR [--graphs 20] [--cases 6] [--seed 1] [--most-edges 10M] [--runs runs.jsonl]

Each case is planned, then run. With --runs the summaries of the runs are kept in a file: a case that is in it is planned
again, but not run again. The graphs are made in DIR and stay there. Times mean something on a quiet machine only. Memory is
touched before each run, as measure.py does.
"""
import argparse
import array
import json
import os
import math
import random
import re
import subprocess
from collections import defaultdict
from pathlib import Path

from bench_plan import COMMANDS, SEARCHES, adjacency_of
from measure import count_of, size_of, touch_memory

ROOT = Path(__file__).resolve().parent.parent
MIB = 2**20
SMALL_BYTES = 4 * MIB  # of temporary space: so much more than was used is no fault
TOO_LONG = "not waited for"
SHORT_SECONDS = 0.3  # a time below it counts as this
KINDS = ("random", "dense", "sparse", "kron", "graph500", "grid", "cube", "path", "star", "hubs", "repeated", "web")


class Trial:
    def __init__(self, a):
        self.a = a
        self.kept = {}
        if a.runs and a.runs.exists():
            lines = [json.loads(line) for line in a.runs.read_text().splitlines()]
            self.kept = {each["line"]: each["run"] for each in lines}
        self.cases = []

    def emgraph(self, *line):
        try:
            ended = subprocess.run([self.a.emgraph, *line, "--json"], cwd=self.a.dir, capture_output=True, text=True, check=False,
                                   timeout=self.a.patience)
        except subprocess.TimeoutExpired:
            return {"error": TOO_LONG}
        if ended.returncode != 0:
            return {"error": ended.stderr.strip().rsplit("\n", 1)[-1]}  # after warnings
        return json.loads(ended.stdout)

    def make(self, name, *options):
        if not (self.a.dir / name).exists():
            made = self.emgraph("gen", *options, "-o", name)
            if "error" in made:
                raise RuntimeError(made["error"])
        return name

    def raw(self, name, edges):
        if not (self.a.dir / name).exists():
            with open(self.a.dir / name, "wb") as file:
                array.array("I", edges()).tofile(file)
        return name

    def graph(self, kind, edges, draw):
        """A file of about so many edges."""
        name = f"{kind}-{edges}"
        if kind == "random":
            return self.make(f"{name}.bin", "--edges", str(edges), "--nodes", str(max(2, int(edges / draw.uniform(1.5, 32)))))
        if kind == "dense":
            return self.make(f"{name}.bin", "--edges", str(edges), "--nodes", str(max(2, int(edges / draw.uniform(64, 1000)))))
        if kind == "sparse":
            return self.make(f"{name}.bin", "--edges", str(edges), "--nodes", str(int(edges * draw.uniform(1, 8))))
        if kind in ("kron", "graph500"):
            scale = max(6, int(math.log2(edges / draw.uniform(4, 32))))
            factor = max(1, edges >> scale)
            return self.make(f"{name}.bin", "--model", kind, "--scale", str(scale), "--edge-factor", str(factor))
        if kind == "grid":
            wide = int(math.sqrt(edges / 2) * draw.uniform(0.2, 1))
            return self.make(f"{name}.bin", "--model", "grid", "--dims", f"{wide + 2}x{edges // 2 // (wide + 2) + 2}")
        if kind == "cube":
            side = int((edges / 3) ** (1 / 3)) + 2
            return self.make(f"{name}.bin", "--model", "grid", "--dims", f"{side}x{side}x{side}", "--torus")
        if kind == "path":
            return self.make(f"{name}.bin", "--model", "grid", "--dims", f"1x{edges}")
        if kind == "repeated":
            times = draw.randrange(2, 12)
            part = self.make(f"{name}.part.bin", "--edges", str(edges // times), "--nodes", str(edges // times // 4 + 2))
            whole = self.a.dir / f"{name}.u32"
            if not whole.exists():
                self.emgraph("convert", part, "-o", f"{name}.part.u32")
                rows = (self.a.dir / f"{name}.part.u32").read_bytes()
                with open(whole, "wb") as file:
                    for _ in range(times):
                        file.write(rows)
                (self.a.dir / f"{name}.part.u32").unlink()
            return whole.name
        edges = min(edges, 1_000_000)
        name = f"{kind}-{edges}.u32"
        if kind == "star":
            return self.raw(name, lambda: (end for i in range(edges) for end in (7, draw.randrange(edges))))
        if kind == "hubs":
            nodes = edges // 4 + 2
            return self.raw(name, lambda: (end for i in range(edges) for end in (draw.randrange(nodes),
                                           draw.randrange(9) if i % 2 else draw.randrange(nodes))))
        nodes = edges // 12 + 2  # web: sorted sources; targets near them, or popular

        def links():
            for i in range(edges):
                source = i * nodes // edges
                near = source + int(draw.expovariate(0.05)) * draw.choice((-1, 1))
                yield source
                yield near % nodes if draw.random() < 0.8 else int(nodes * draw.random() ** 4)
        return self.raw(name, links)

    def run(self, line):
        key = " ".join(line)
        if key not in self.kept:
            touch_memory(str(max(MIB << 7, size_of(line[line.index("-M") + 1]))))
            self.kept[key] = self.emgraph(*line)
            if self.a.runs:
                with open(self.a.runs, "a", encoding="utf-8") as file:
                    file.write(json.dumps({"line": key, "run": self.kept[key]}) + "\n")
        return self.kept[key]

    def case(self, line):
        plan = self.emgraph("plan", *line)
        run = self.run(line)
        case = {"line": " ".join(line), "command": line[0], "faults": []}
        if "error" in plan or "error" in run:
            if plan.get("error") != run.get("error") and run.get("error") != TOO_LONG:
                case["faults"].append(f"plan: {plan.get('error', 'done')[:120]}; run: {run.get('error', 'done')[:120]}")
            return case
        faults = case["faults"]
        memory, used = plan["memory_peak_bytes"], run["memory_peak_bytes"]
        case["memory"] = memory / max(used, 1)
        if memory < used:
            faults.append("memory exceeded")
        if memory > 1.5 * used + MIB:
            faults.append("memory > 1.5")
        used = run["temp_bytes_peak"]
        most, expected = plan["temp_bytes_peak"], plan["temp_bytes_expected"]
        if most is not None:
            case["space"] = (most + SMALL_BYTES) / (used + SMALL_BYTES)
            case["expected"] = (expected + SMALL_BYTES) / (used + SMALL_BYTES)
            case["bytes"] = [most, expected, used]
            if most < used:
                faults.append("space exceeded")
            if most > 1.5 * used + SMALL_BYTES:
                faults.append("space > 1.5")
            if expected > 1.5 * used + SMALL_BYTES:
                faults.append("expected > 1.5")
            if used > 1.5 * expected + SMALL_BYTES:
                faults.append("expected < 1/1.5")
        if plan["seconds"] is not None:
            for key in ("seconds", "cpu_seconds"):
                case[key] = max(plan[key], SHORT_SECONDS) / max(run[key], SHORT_SECONDS)
                case[key + "_plan_run"] = [round(plan[key], 3), round(run[key], 3)]
                if 0.5 <= case[key] <= 2:
                    continue
                # Where the time depends on the graph the plan says a range.
                part = plan[key] / plan["seconds"]
                least, most = (plan.get(f"seconds_{end}", plan["seconds"]) for end in ("least", "most"))
                true = max(run[key], SHORT_SECONDS)
                if 2 * true >= part * least and (most is None or true <= 2 * max(part * most, SHORT_SECONDS)):
                    case["open"] = True
                else:
                    faults.append(f"{key} {'> 2' if case[key] > 1 else '< 1/2'}")
        case["model"] = run["model"]
        case["phases"] = [[p["name"], round(p["cpu_seconds"], 3), round(p["seconds"], 3)] for p in plan["phases"]]
        case["run_phases"] = [[p["name"], round(p["seconds"], 3)] for p in run["phases"]]
        if plan["model"] != run["model"]:
            case["model"] = f"{plan['model']}, was {run['model']}"
        return case

    def show(self, case):
        cells = [f"{case[key]:.2f}" if key in case else "-" for key in ("memory", "space", "expected", "cpu_seconds", "seconds")]
        print(f"| {case['line']} | {case.get('model', '')} | {' | '.join(cells)} | {'; '.join(case['faults'])} |", flush=True)

    def all(self):
        a = self.a
        draw = random.Random(a.seed)
        every = [(each, False) for each in COMMANDS] + [(each, True) for each in SEARCHES]
        commands = [each for each in every if not a.commands or each[0][0] in a.commands.split(",")]
        print("| case | model | memory | space | expected | CPU | seconds | faults |\n|---|---|---|---|---|---|---|---|")
        for _ in range(a.graphs):
            kind = draw.choice(KINDS)
            edges = int(math.exp(draw.uniform(math.log(a.least_edges), math.log(a.most_edges))))
            name = self.graph(kind, edges, random.Random(draw.random()))
            for _ in range(a.cases):
                (command, options), searches = draw.choice(commands)
                graph = adjacency_of(a.emgraph, a.dir, name) if searches else name
                most = max(32 * MIB, 30 * edges)
                bits = int(math.exp(draw.uniform(math.log(15 * MIB), math.log(most))))
                codec = ["--spill-codec", "none"] if draw.random() < 0.8 else []
                line = [command, graph, "-M", str(bits), *options, *codec]
                if draw.random() < 0.15:  # as little memory as the command says
                    line[3] = "16M"
                    found = re.search(r"-M (\d+[KMG]?)", self.emgraph("plan", *line).get("error", ""))
                    line[3] = found.group(1) if found else "16M"
                case = self.case(line)
                self.cases.append(case)
                if not a.faults or case["faults"]:
                    self.show(case)
        self.sum()
        if a.cases_out:
            a.cases_out.write_text("".join(json.dumps(case) + "\n" for case in self.cases))

    def sum(self):
        faults, by_command = defaultdict(int), defaultdict(list)
        for case in self.cases:
            by_command[case["command"]].append(case)
            for fault in case["faults"]:
                faults[fault if len(fault) < 30 else "other error"] += 1
        print(f"\n{len(self.cases)} cases; {dict(sorted(faults.items()))};"
              f" time within the range only: {sum('open' in case for case in self.cases)}\n")
        print("| command | cases | memory | space | expected | CPU | seconds | faults |\n|---|---|---|---|---|---|---|---|")
        for command, cases in sorted(by_command.items()):
            cells = []
            for key in ("memory", "space", "expected", "cpu_seconds", "seconds"):
                ratios = [case[key] for case in cases if key in case]
                cells.append(f"{min(ratios):.2f}–{max(ratios):.2f}" if ratios else "-")
            print(f"| {command} | {len(cases)} | {' | '.join(cells)} | {sum(bool(case['faults']) for case in cases)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dir", type=Path, required=True)
    parser.add_argument("--graphs", type=int, default=20)
    parser.add_argument("--cases", type=int, default=6, help="of each graph")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least-edges", type=count_of, default="100k")
    parser.add_argument("--most-edges", type=count_of, default="10M")
    parser.add_argument("--commands", help="these alone")
    parser.add_argument("--faults", action="store_true", help="prints only the cases with a fault")
    parser.add_argument("--patience", type=float, default=20, help="seconds that a run may take")
    parser.add_argument("--runs", type=Path, help="keeps the summaries of the runs")
    parser.add_argument("--cases-out", type=Path, help="gets a line of JSON per case")
    parser.add_argument("--emgraph", type=os.path.abspath, default=str(ROOT / "build" / "emgraph"))
    a = parser.parse_args()
    a.dir.mkdir(parents=True, exist_ok=True)
    Trial(a).all()


if __name__ == "__main__":
    main()
