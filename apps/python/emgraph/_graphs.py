# SPDX-License-Identifier: MIT
"""Graph objects of other libraries: matrices of scipy.sparse, graphs of networkx and igraph."""
from __future__ import annotations

import itertools
from typing import Any, Iterator, Optional, Sequence, Tuple

import numpy as np

from ._errors import DataError, UsageError
from ._rows import PIECE_ROWS, Batch, Table, weight_kind


def matrix_table(matrix: Any) -> Table:
    """A matrix of scipy.sparse: an edge per stored element. Of CSR and CSC, pieces are made on the way."""
    if len(matrix.shape) != 2:
        raise UsageError(f"a sparse array of edges has 2 dimensions, not {len(matrix.shape)}")
    rows, cols = matrix.shape
    kind = matrix.dtype if matrix.dtype.kind in "iuf" else None
    if matrix.format in ("csr", "csc"):
        def batches() -> Iterator[Batch]:
            ends = matrix.indptr
            for begin in range(0, int(ends[-1]), PIECE_ROWS):
                end = min(begin + PIECE_ROWS, int(ends[-1]))
                low = int(np.searchsorted(ends, begin, "right")) - 1
                high = int(np.searchsorted(ends, end, "left"))
                counts = np.diff(np.clip(ends[low : high + 1], begin, end))
                major = np.repeat(np.arange(low, high), counts)
                minor = matrix.indices[begin:end]
                pair = (major, minor) if matrix.format == "csr" else (minor, major)
                yield pair if kind is None else (*pair, matrix.data[begin:end])
    else:
        coordinates = matrix.tocoo()

        def batches() -> Iterator[Batch]:
            pair = (coordinates.row, coordinates.col)
            yield pair if kind is None else (*pair, coordinates.data)

    nodes = max(rows, cols)
    id_type = np.dtype(np.int64)
    return Table(("row", "column", "data"), batches, [id_type, id_type], kind, max(nodes - 1, 0), nodes=nodes)


def _numbers(count: int, nodes: Sequence[Any]) -> Tuple[Optional[dict], Optional[np.ndarray]]:
    """Numbers for nodes of any kind, and their names; none if they are 0 … n-1 already."""
    if all(type(node) is int for node in nodes) and set(nodes) == set(range(count)):
        return None, None
    names = np.empty(count, object)
    names[:] = nodes
    return {node: number for number, node in enumerate(nodes)}, names


def networkx_table(graph: Any, weights: bool) -> Table:
    count = graph.number_of_nodes()
    number, names = _numbers(count, list(graph.nodes))
    missing = [(u, v) for u, v, d in graph.edges(data=True) if "weight" not in d] if weights else []
    kind = None
    if weights and (not missing or len(missing) < graph.number_of_edges()):  # a graph without edges counts as weighted
        if missing:
            raise DataError(f"edge {missing[0]}: found no attribute 'weight', which other edges have")
        held = (d["weight"] for _, _, d in graph.edges(data=True))
        kind = weight_kind(held, lambda n: f"edge {next(itertools.islice(graph.edges(), n, None))}")

    def batches() -> Iterator[Batch]:
        edges = iter(graph.edges(data=True))
        while True:
            part = list(itertools.islice(edges, PIECE_ROWS))
            if not part:
                return
            if number is None:
                ends = np.array([(u, v) for u, v, _ in part], np.int64)
            else:
                ends = np.array([(number[u], number[v]) for u, v, _ in part], np.int64)
            pair = (ends[:, 0], ends[:, 1])
            yield (*pair, np.array([d["weight"] for _, _, d in part], kind)) if kind is not None else pair

    id_type = np.dtype(np.int64)
    return Table(("source", "target", "weight"), batches, [id_type, id_type], kind, max(count - 1, 0), nodes=count,
                 ids=names, directed=graph.is_directed())


def igraph_table(graph: Any, weights: bool) -> Table:
    count = graph.vcount()
    names = None
    if "name" in graph.vs.attributes():
        names = np.empty(count, object)
        names[:] = graph.vs["name"]
    kind = None
    if weights and ("weight" in graph.es.attributes() or graph.ecount() == 0):
        held = graph.es["weight"] if graph.ecount() > 0 else []
        kind = weight_kind(held, lambda n: f"edge {graph.es[n].tuple}")

    def batches() -> Iterator[Batch]:
        for begin in range(0, graph.ecount(), PIECE_ROWS):
            part = graph.es[begin : min(begin + PIECE_ROWS, graph.ecount())]
            ends = np.array([edge.tuple for edge in part], np.int64)
            pair = (ends[:, 0], ends[:, 1])
            yield pair if kind is None else (*pair, np.array(part["weight"], kind))

    id_type = np.dtype(np.int64)
    return Table(("source", "target", "weight"), batches, [id_type, id_type], kind, max(count - 1, 0), nodes=count,
                 ids=names, directed=graph.is_directed())
