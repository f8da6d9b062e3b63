# SPDX-License-Identifier: MIT
"""The program's own description of its commands (`emgraph --generate json`), in the words of Python."""
from __future__ import annotations

import json
import keyword
from pathlib import Path
from typing import Any, Dict, List, NamedTuple

# Options that the package sets itself.
_OURS = {"--json", "--progress", "--quiet", "--help", "--help-all"}

#: What a result calls the outputs of each command: option -> attribute. The first is written unless the user says
#: output=False; the others on request (parents=True, or a file name). "edges" is an Edges object.
RESULTS: Dict[str, Dict[str, str]] = {
    "gen": {"output": "edges"},
    "sort": {"output": "edges"},
    "dedup": {"output": "edges"},
    "convert": {"output": "edges"},
    "mst": {"output": "edges"},
    "mis": {"output": "nodes"},
    "cc": {"output": "labels", "forest": "forest", "sizes": "sizes", "groups": "groups"},
    "bfs": {"output": "levels", "parents": "parents"},
    "sssp": {"output": "distances", "parents": "parents", "path": "paths"},
    "triangles": {"per_node": "per_node", "list": "list"},
    "stats": {"output": "degrees", "html": "html"},
    "cat": {"output": "text"},
    "pagerank": {"output": "ranks"},
    "cdlp": {"output": "labels"},
    "lcc": {"output": "coefficients"},
    "scc": {"output": "labels", "condensation": "condensation"},
    "kcore": {"output": "cores"},
    "filter": {"output": "edges"},
}

#: Attributes that are Edges, and those that are text.
EDGE_RESULTS = {"edges", "forest", "condensation"}
TEXT_RESULTS = {"text", "html", "paths"}
#: Commands whose first output is large beside what most callers want: written only on request.
ON_REQUEST = {"stats", "triangles"}
#: Commands that do not look at weights, unless `weighted` is given.
WITHOUT_WEIGHTS = {"mis", "cc", "bfs", "triangles", "pagerank", "cdlp", "lcc", "scc", "kcore", "check_mis", "check_cc",
                   "check_bfs", "check_triangles", "check_pagerank", "check_cdlp", "check_lcc",
                   "check_kcore", "check_scc"}
#: Commands whose --directed says how arcs lead.
DIRECTED = {"bfs", "sssp", "cdlp", "lcc", "check_bfs", "check_sssp", "check_cdlp", "check_lcc"}

#: Commands that follow arcs unless --undirected is given.
ALONG_ARCS = {"pagerank", "check_pagerank"}

#: Commands that follow arcs always.
ARCS_ONLY = {"scc", "check_scc"}

#: Formats of convert that store an edge at its source only, if --directed is given.
ADJACENCIES = ("adj", "sg", "wsg")


class Option(NamedTuple):
    """An option or positional; `name` is its keyword in Python."""

    name: str
    flag: str  #: "--weight-type"; of a positional "INPUT"
    type: str
    help: str
    letter: str
    default: str
    words: List[str]
    only_words: bool
    list: bool
    is_flag: bool
    counter: bool
    positional: bool
    common: bool
    output: bool
    group: str


class Command(NamedTuple):
    """A command; `name` is its function in Python, `words` are the first arguments of the program."""

    name: str
    words: List[str]
    group: str
    sentence: str
    usage: str
    example: str
    positionals: List[Option]
    options: Dict[str, Option]
    ours: Dict[str, Option]  #: options that functions do not have: the package sets them

    @property
    def outputs(self) -> Dict[str, str]:
        """Option -> attribute of the result."""
        if self.name in RESULTS or "output" not in self.options:
            return RESULTS.get(self.name, {})
        return {"output": "values"}  # of a command that this package does not know


def _python_name(name: str) -> str:
    name = name.lstrip("-").replace("-", "_").lower()
    return name + "_" if keyword.iskeyword(name) else name


def _option(fields: Dict[str, Any]) -> Option:
    return Option(
        name=_python_name(fields["name"]), flag=fields["name"], type=fields["type"], help=fields["help"],
        letter=fields["letter"], default=fields["default"], words=fields["words"], only_words=fields["only_words"], list=fields["list"],
        is_flag=fields["flag"], counter=fields["counter"], positional=fields["positional"], common=fields["common"],
        output=fields["output"], group=fields["group"],
    )


def load(path: Path) -> "tuple[str, Dict[str, Command]]":
    """The version of the program and its commands by their names in Python."""
    with open(path, encoding="utf-8") as file:
        description = json.load(file)
    commands = {}
    for fields in description["commands"]:
        options = [_option(each) for each in fields["options"]]
        words = fields["name"].split()
        taken = {option.name for option in options if not option.positional}
        # LABELS of `check cc` is beside --labels.
        options = [o._replace(name="result") if o.positional and o.name in taken else o for o in options]
        command = Command(
            name="_".join(words), words=words, group=fields["group"], sentence=fields["sentence"],
            usage=fields["usage"], example=fields["example"],
            positionals=[option for option in options if option.positional],
            options={o.name: o for o in options if not o.positional and o.flag not in _OURS},
            ours={o.name: o for o in options if o.flag in _OURS},
        )
        commands[command.name] = command
    return description["version"], commands


def explained(option: Option) -> str:
    """The help of an option in one sentence, with words and default."""
    text = option.help
    if option.only_words and not all(word in text for word in option.words):
        text += ": " + ", ".join(option.words)
    return text + (f" [{option.default}]" if option.default else "")


def keywords(command: Command) -> Dict[str, str]:
    """All keywords of the function and what each means, in order."""
    outputs = command.outputs
    known = {option.name: explained(option) for option in command.positionals}
    if command.positionals and command.positionals[0].name in ("input", "graph"):
        known["columns"] = "which columns of a table or array are source, target and weight: names, or numbers from 0"
    for option in command.options.values():
        text = explained(option)
        if option.name in outputs:
            default = "True" if option.name == "output" and command.name not in ON_REQUEST else "False"
            text += f". A file name, True (`.{outputs[option.name]}` maps a file without name) or False [{default}]"
        known[option.name] = text
    known["progress"] = "True: a bar; or a function of the phase and the share done (None: unknown) [False]"
    return known


def docstring(command: Command) -> str:
    lines = [command.sentence, ""]
    for name, text in keywords(command).items():
        lines.append(f"{name}: {text}")
    lines += ["", f"On the command line: {command.example}"]
    return "\n".join(lines)
