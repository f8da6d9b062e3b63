#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the laws of the tree that a compiler does not: who may include whom, no printing below apps, names and lengths.

    layer_check.py [--root DIR]   prints violations as file:line: what; exit code 1 if there is one
    layer_check.py --self-test    plants one violation of each law in a scratch tree and demands that it is found
"""
import argparse
import re
import sys
import tempfile
from pathlib import Path

# Layers, lowest first: a file may include its own layer and lower ones.
LAYERS = ["core", "graph", "apps"]

# Rooms of a layer, lowest first: a file may include its own room and lower ones, so there is no cycle between rooms.
# What stands in core/ itself (environment.hpp: budget, disks and blocks as one) counts as block, what stands in graph/
# itself (ids, edges, facts, sinks) as types.
ROOMS = {
    "core": ["base", "memory", "io", "checkpoint", "block", "stream", "spill", "sort", "queue"],
    "graph": ["types", "mpi", "generate", "adjacency", "format", "prepare"],
}
ROOT_ROOM = {"core": "block", "graph": "types"}
# A room of graph that is not in the list is a solver: above all rooms of the list, and no solver includes another.
# Rooms above the solvers, lowest first: they may include solvers and lower ones of these; no solver includes them.
ABOVE_SOLVERS = ["lcc", "graph500", "graphalytics"]

# The one room that may include nlohmann/json; tests may, too.
JSON_ROOM = "apps/run/"
# The one user of a library in apps: everything else would compile it again, and describe an option a second time.
SOLE_USERS = {"CLI": "apps/command_line/option_set.cpp"}

# The only file that may call the compiler's prefetch: g++ drops calls of functions that do nothing else.
PREFETCH_FILE = "core/base/prefetch.hpp"

WARN_LINES, MAX_LINES = 300, 600
BANNED_WORDS = {"util", "utils", "utility", "helper", "helpers", "common", "misc", "bid", "mng", "impl"}
PRINTING = re.compile(
    r"std\s*::\s*(?:cout|cerr|clog)\b"
    r"|\bfmt\s*::\s*print\w*"
    r"|(?<![\w.>])(?:std\s*::\s*)?"
    r"(?:v?f?printf|f?puts|putchar|perror|exit|_exit|_Exit|quick_exit|abort|terminate)\s*\("
)
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# Comments, raw strings, strings and character literals; what is none of these is code.
NOT_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^()\\\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'",
    re.DOTALL,
)


def code_only(text):
    """The text with comments and literals blanked; line numbers stay."""
    return NOT_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def room_of(path):
    """The room of a path: core/io/disk.hpp -> io, core/environment.hpp -> block, graph/format/text/… -> format."""
    parts = path.split("/")
    return parts[1] if len(parts) > 2 else ROOT_ROOM[parts[0]]


def check_rooms(layer, file, target):
    """Yields what is wrong with `file` including `target`, both of one layer that has rooms."""
    rooms, own, other = ROOMS[layer], room_of(file), room_of(target)
    order = " <- ".join(rooms + (["solvers", *ABOVE_SOLVERS] if layer == "graph" else []))
    height = {room: number for number, room in enumerate(ABOVE_SOLVERS)}
    if layer == "graph" and other in height and height.get(own, -1) < height[other]:
        yield f"{target}: graph/{own} must not include graph/{other} ({order})"
    elif layer == "graph" and own in ABOVE_SOLVERS:
        return
    elif layer == "graph" and own not in rooms:
        if other not in rooms and other != own:
            yield f"{target}: no solver includes another (graph/{own} includes graph/{other})"
    elif layer == "graph" and other not in rooms:
        yield f"{target}: graph/{own} must not include the solver graph/{other} ({order})"
    elif own in rooms and other in rooms and rooms.index(other) > rooms.index(own):
        yield f"{target}: {layer}/{own} must not include {layer}/{other} ({order})"


def check_include(root, file, target, quoted):
    """Yields what is wrong with `file` including `target`."""
    layer, first = file.split("/")[0], target.split("/")[0]
    if quoted and not (root / target).exists() and (root / file).parent.joinpath(target).exists():
        yield f'"{target}": includes are written from the root of the repository'
    if first == "nlohmann" and layer in LAYERS and not file.startswith(JSON_ROOM):
        yield f"{target}: only {JSON_ROOM} knows JSON; a summary is made of SummaryValue"
    if layer == "apps" and SOLE_USERS.get(first, file) != file:
        yield f"{target}: {first} is for {SOLE_USERS[first]} alone"
    if layer not in ("core", "graph"):
        return
    if first in ("CLI", "CLI11.hpp"):
        yield f"{target}: the command line belongs to apps"
    if first == "tests":
        yield f"{target}: {layer} includes a test file"
    if first in LAYERS and LAYERS.index(first) > LAYERS.index(layer):
        yield f"{target}: {layer} must not include {first}"
    if layer == first:
        yield from check_rooms(layer, file, target)


def check_file(root, path):
    """Yields (line, message) for each violation in one file."""
    file = path.relative_to(root).as_posix()
    layer = file.split("/")[0]
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()

    banned = BANNED_WORDS & set(re.split(r"[_.]", path.name))
    if banned:
        yield 1, f"'{banned.pop()}' says nothing in a file name; name the class or the algorithm"
    if len(lines) > MAX_LINES:
        yield MAX_LINES + 1, f"{len(lines)} lines; no file is longer than {MAX_LINES}"
    if path.suffix not in (".hpp", ".cpp"):
        return
    # Highway compiles an _inl.hpp once per instruction set; its guard is a toggle.
    once = "HWY_TARGET_TOGGLE" in text if path.stem.endswith("_inl") else "#pragma once" in lines
    if path.suffix == ".hpp" and not once:
        yield 1, "no #pragma once"
    if layer == "core" and room_of(file) not in ROOMS["core"]:
        yield 1, f"core has no room '{room_of(file)}' ({', '.join(ROOMS['core'])})"
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if match:
            for message in check_include(root, file, match.group(2), match.group(1) == '"'):
                yield number, message
    if layer in ("core", "graph"):
        for number, line in enumerate(code_only(text).splitlines(), 1):
            match = PRINTING.search(line)
            if match:
                yield number, f"'{match.group().strip('( ')}': nothing below apps prints or exits"
            if "__builtin_prefetch" in line and file != PREFETCH_FILE:
                yield number, f"__builtin_prefetch: {PREFETCH_FILE} has functions that g++ does not leave out"


def check_tree(root):
    """Returns (violations, warnings) as lists of printable lines."""
    violations, warnings = [], []
    for top in LAYERS + ["tests", "scripts"]:
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in (".hpp", ".cpp", ".py", ".sh") or not path.is_file():
                continue
            file = path.relative_to(root).as_posix()
            violations += [f"{file}:{line}: {message}" for line, message in check_file(root, path)]
            length = len(path.read_text(encoding="utf-8").splitlines())
            if WARN_LINES < length <= MAX_LINES:
                warnings.append(f"{file}:{WARN_LINES + 1}: warning: {length} lines; split by idea past {WARN_LINES}")
    return violations, warnings


# file, content, line of the violation (None: the file is fine)
PLANTED = [
    ("core/base/fine.hpp", '#pragma once\n#include <vector>\n// printf( and exit( in words\nint a = 1\'000;\n', None),
    ("core/base/text.cpp", 'auto s = "std::cout";\nauto r = R"(abort())";\nvoid f(Job& j) { j.abort(); }\n', None),
    ("core/queue/heap.cpp", '#include "core/sort/loser_tree.hpp"\n#include "core/base/fine.hpp"\n', None),
    ("core/block/run.cpp", '#include "core/environment.hpp"\n', None),
    ("core/environment.hpp", '#pragma once\n#include "core/block/manager.hpp"\n', None),
    ("graph/mis/fine.cpp", '#include "core/queue/heap.hpp"\n#include "graph/types.hpp"\n', None),
    ("graph/lanes_inl.hpp", "#if defined(LANES_INL) == defined(HWY_TARGET_TOGGLE)\n#endif\n", None),
    ("graph/types.hpp", "#pragma once\n", None),
    ("graph/generate/model.hpp", '#pragma once\n#include "graph/types.hpp"\n', None),
    ("graph/format/table/open.hpp", '#pragma once\n#include "graph/generate/model.hpp"\n', None),
    ("graph/format/adjacency/writer.cpp", '#include "graph/adjacency/page.hpp"\n', None),
    ("graph/prepare/key_sort.hpp", '#pragma once\n#include "graph/format/table/open.hpp"\n', None),
    ("graph/cc/own_room.cpp", '#include "graph/cc/cc.hpp"\n#include "graph/prepare/key_sort.hpp"\n', None),
    ("graph/facts.hpp", '#pragma once\n#include "graph/format/table/open.hpp"\n', 2),
    ("graph/adjacency/page_file.cpp", '#include "graph/format/table/open.hpp"\n', 1),
    ("graph/adjacency/sorted_pages.cpp", '#include "graph/prepare/key_sort.hpp"\n', 1),
    ("graph/format/csr/sorted_rows.cpp", '\n#include "graph/prepare/key_sort.hpp"\n', 2),
    ("graph/generate/edges.cpp", '#include "graph/format/table/open.hpp"\n', 1),
    ("graph/prepare/solved.cpp", '#include "graph/mis/mis.hpp"\n', 1),
    ("graph/cc/forest.cpp", '#include "graph/mst/mst.hpp"\n', 1),
    ("graph/graph500/run.cpp", '#include "graph/mst/mst.hpp"\n', None),
    ("graph/graphalytics/run.cpp", '#include "graph/lcc/lcc.hpp"\n', None),
    ("graph/lcc/scored.cpp", '#include "graph/graphalytics/run.hpp"\n', 1),
    ("graph/mst/scored.cpp", '#include "graph/graph500/run.hpp"\n', 1),
    ("graph/prepare/scored.cpp", '#include "graph/graph500/run.hpp"\n', 1),
    ("apps/run/summary_value.cpp", "#include <nlohmann/json.hpp>\n", None),
    ("tests/apps/summary.test.cpp", "#include <nlohmann/json.hpp>\n", None),
    ("apps/look/json.cpp", "\n#include <nlohmann/json.hpp>\n", 2),
    ("graph/json.hpp", "#pragma once\n#include <nlohmann/json_fwd.hpp>\n", 2),
    ("apps/main.cpp", '#include "graph/mis/mis.hpp"\nint main() { std::cout << 1; }\n', None),
    ("apps/command_line/option_set.cpp", "#include <CLI/CLI.hpp>\n", None),
    ("apps/command_line/option_set.hpp", "#pragma once\n#include <CLI/CLI.hpp>\n", 2),
    ("apps/solve/mis.cpp", "\n#include <CLI/App.hpp>\n", 2),
    ("core/io/upward.cpp", '#include <vector>\n#include "graph/types.hpp"\n', 2),
    ("core/io/to_apps.cpp", '#include "apps/run/session.hpp"\n', 1),
    ("core/memory/later_room.cpp", '#include "core/io/disk.hpp"\n', 1),
    ("core/io/bundled.cpp", '#include "core/environment.hpp"\n', 1),
    ("core/sort/from_queue.cpp", '\n\n#include "core/queue/heap.hpp"\n', 3),
    ("core/base/beside.cpp", '#include "fine.hpp"\n', 1),
    ("core/attic/room.cpp", "\n", 1),
    ("graph/prints.cpp", "void f() {\n  std::cerr << 1;\n}\n", 2),
    ("graph/print_f.cpp", "void f() {\n  /* a\n b */ std::printf(\"x\");\n}\n", 3),
    ("graph/leaves.cpp", "void f() { std::exit(1); }\n", 1),
    ("core/base/prefetch.hpp", "#pragma once\nvoid f(int* at) { __builtin_prefetch(at); }\n", None),
    ("graph/fetches.cpp", "// __builtin_prefetch\nvoid f(int* at) { __builtin_prefetch(at); }\n", 2),
    ("core/base/aborts.cpp", "void f() { abort(); }\n", 1),
    ("graph/command_line.cpp", "#include <CLI/CLI.hpp>\n", 1),
    ("graph/tested.cpp", '#include "tests/support/zoo.hpp"\n', 1),
    ("graph/once.hpp", "int a;\n", 1),
    ("graph/once_inl.hpp", "int a;\n", 1),
    ("apps/io_util.cpp", "\n", 1),
    ("apps/long.cpp", "\n" * (MAX_LINES + 1), MAX_LINES + 1),
]


def self_test():
    with tempfile.TemporaryDirectory(prefix="layer-check-") as scratch:
        root = Path(scratch)
        for file, content, _ in PLANTED:
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            (root / file).write_text(content, encoding="utf-8")
        found = {":".join(line.split(":")[:2]) for line in check_tree(root)[0]}
    expected = {f"{file}:{line}" for file, _, line in PLANTED if line is not None}
    for place in sorted(expected - found):
        print(f"not found: {place}")
    for place in sorted(found - expected):
        print(f"found where nothing was planted: {place}")
    return found == expected


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return 0 if self_test() else 1
    violations, warnings = check_tree(arguments.root)
    print("\n".join(warnings + violations) or "no violation")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
