# SPDX-License-Identifier: MIT
"""Nodes as the user calls them: by original ids, names, or objects of networkx."""
from __future__ import annotations

from collections import Counter
from typing import Any, Iterable, Iterator, List

import numpy as np

from ._errors import UsageError

# Options whose arrays and lists hold nodes, as the user calls them.
NODE_LISTS = ("nodes_in", "sources")
# Roots stand in the names of files: longer ones do not fit.
_LONGEST_ROOT = 200


def positions(option: str, nodes: List[Any], ids: np.ndarray) -> List[int]:
    """The numbers of nodes that are called `ids`."""
    try:
        if ids.dtype == object:
            by_name = {node: number for number, node in enumerate(ids)}
            found = [by_name.get(node, -1) for node in nodes]
            if len(by_name) < len(ids):
                _refuse_shared_names(option, nodes, ids)
        else:
            largest = np.iinfo(ids.dtype).max
            wanted = [int(node) if _is_id(node) and node <= largest else -1 for node in nodes]
            if len(wanted) == 1:
                found = np.flatnonzero(ids == wanted[0])[:1].tolist() or [-1]
            else:
                by_id = dict.fromkeys(wanted, -1)
                which = np.flatnonzero(np.isin(ids, np.array([node for node in by_id if node >= 0], ids.dtype)))
                by_id.update(zip(ids[which].tolist(), which.tolist()))
                found = [by_id[node] for node in wanted]
    except TypeError as error:  # a list cannot be a node
        raise UsageError(f"{option}: {error}") from None
    if -1 in found:
        raise UsageError(f"{option}: the graph has no node {nodes[found.index(-1)]!r}")
    return found


def _refuse_shared_names(option: str, nodes: List[Any], ids: np.ndarray) -> None:
    """In graphs of igraph several nodes may have one name."""
    counts = Counter(ids)
    for node in nodes:
        if counts[node] > 1:
            raise UsageError(f"{option}: {counts[node]} nodes of the graph have the name {node!r}, expected one")


def _is_id(node: Any) -> bool:
    return isinstance(node, (int, np.integer)) and not isinstance(node, bool) and 0 <= node < 1 << 64


def node_ids(option: str, nodes: Any) -> np.ndarray:
    """Nodes that are called by numbers."""
    if isinstance(nodes, np.ndarray) and nodes.dtype.kind in "iu" and (nodes >= 0).all():
        return nodes
    for position, node in enumerate(nodes.tolist() if isinstance(nodes, np.ndarray) else nodes):
        if not _is_id(node):
            found = "null" if node is None else repr(node)
            raise UsageError(f"{option}: item {position} is {found}, expected a node id")
    return np.array([int(node) for node in nodes], np.uint64)


def _label(option: str, node: Any) -> str:
    """The name of a node on a line of text."""
    text = node.decode("utf-8", "surrogateescape") if isinstance(node, bytes) else str(node)
    is_name = isinstance(node, (str, bytes, int, np.integer)) and not isinstance(node, bool)
    if not is_name or not text or "\n" in text:
        raise UsageError(f"{option}: found {node!r}, expected a node's name")
    return text


def name_lines(option: str, nodes: Iterable[Any], labelled: bool) -> Iterator[bytes]:
    """What --labels (`labelled`) or --relabel call the nodes, a line each."""
    yield b"\n"  # the first line is a blank one: no name loses a byte order mark
    for node in nodes:
        text = _label(option, node) if labelled else str(node)
        yield (text + "\n").encode("utf-8", "surrogateescape")


def is_list(value: Any) -> bool:
    """Whether several values are given."""
    return isinstance(value, (list, tuple, np.ndarray))


def check_roots_in_names(roots: Any) -> None:
    """The program names a file by each of several roots."""
    for root in roots if is_list(roots) else []:
        if "/" in str(root) or len(str(root).encode("utf-8", "surrogateescape")) > _LONGEST_ROOT:
            raise UsageError(f"root: several roots stand in names of files, which cannot hold {root!r}; call once for each root")
