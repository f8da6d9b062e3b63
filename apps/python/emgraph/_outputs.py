# SPDX-License-Identifier: MIT
"""Where a call has its outputs written, and what it opens of them."""
from __future__ import annotations

import os
from typing import Any, Dict, List, Optional, Tuple

from ._description import EDGE_RESULTS, TEXT_RESULTS, Command
from ._nodes import check_roots_in_names, is_list
from ._results import Result, array, names, open_results


class Outputs:
    """The files of the outputs of one call. Those that the user has not named are in the directory `scratch`."""

    def __init__(self, command: Command, given: Dict[str, Any], scratch: str) -> None:
        self._command = command
        self._given = given
        self._scratch = scratch
        # Attribute -> its file, and whether the user has named it.
        self._files: Dict[str, Tuple[str, bool]] = {}
        self._map = ""

    def file(self, option: str) -> str:
        """The file of an output that is given as a name or as True."""
        attribute = self._command.outputs[option]
        value = self._given[option]
        if value is not True:
            path = os.fspath(value)
            self._files[attribute] = (path, True)
            return path
        if attribute in EDGE_RESULTS:
            name = f"{attribute}.emg"
        elif attribute in TEXT_RESULTS:
            name = f"{attribute}.txt" if attribute != "html" else "page.html"
        elif self._answers_pairs():
            name = f"{attribute}.csv"
        elif self._several_roots():
            check_roots_in_names(self._given.get("root"))
            name = f"{attribute}-{{root}}.npy"
        else:
            name = f"{attribute}.npy"
        path = os.path.join(self._scratch, name)
        self._files[attribute] = (path, False)
        return path

    def map_file(self, labelled: bool) -> Optional[str]:
        """The file of the map from nodes to what the input calls them; None: the user has named it."""
        if self._given.get("map"):
            self._map = os.fspath(self._given["map"])
            return None
        self._map = os.path.join(self._scratch, "map.txt" if labelled else "map.npy")
        return self._map

    def open(self, result: Result, labelled: bool) -> None:
        """Opens the outputs. `result.ids`, what the nodes of the input are called, becomes what those of the result are."""
        ids = result.ids
        if self._map:
            own = names(self._map) if labelled else array(self._map) if self._map.endswith(".npy") else None
            result.ids = own if ids is None or own is None else ids[own]
        by_number = self._given.get("ids") == "numbers"
        ids = None if labelled or by_number else ids

        def node(text: str) -> Any:
            """The node that the text of a result names, as the user calls it."""
            if labelled and not by_number:
                return text
            return int(text) if ids is None else ids[int(text) : int(text) + 1].tolist()[0]

        open_results(result, self._files, self._roots(result.summary), node, ids)

    def _answers_pairs(self) -> bool:
        queries = self._given.get("queries")
        return self._given.get("to") is not None or (queries is not None and not str(queries).endswith(".ss"))

    def _several_roots(self) -> bool:
        root = self._given.get("root", self._given.get("roots"))
        many = is_list(root) and len(root) > 1
        return "root" in self._command.options and (many or str(self._given.get("queries", "")).endswith(".ss"))

    def _roots(self, summary: Dict[str, Any]) -> List[str]:
        """The roots in the names of files."""
        root = self._given.get("root")
        if root is None:  # they are in a file of queries
            searches = summary.get("searches") or [summary] * (summary.get("root") is not None)
            return [str(search.get("root_id", search["root"])) for search in searches]
        return [str(each) for each in (root if is_list(root) else [root])]
