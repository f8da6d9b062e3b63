# SPDX-License-Identifier: MIT
"""Counts triangles by colours of nodes.

Each set of one, two or three colours gets the edges between nodes of its colours, and their triangles are counted. A
triangle of three colours is in one set of three. One of two colours is in k - 2 sets of three and in one of two; one of
one colour in (k-1)(k-2)/2 sets of three, in k - 1 of two and in one of one. So with k colours the number is
    sum over sets of three - (k - 3) sum over sets of two + (k - 2)(k - 3)/2 sum over sets of one,
in which every triangle counts once. After Suri, Vassilvitskii (2011), doi 10.1145/1963405.1963491.
"""
from __future__ import annotations

import itertools
from typing import Any, Iterator, List, Tuple

from ._blocks import Blocks, partition_keys
from ._frames import on_partitions
from ._kernels import Triangles


def colour_sets(colours: int) -> List[Tuple[int, ...]]:
    """The sets that are counted."""
    return [one for size in (1, 2, 3) for one in itertools.combinations(range(colours), size)]


def factor(colours: int, size: int) -> int:
    """How often the triangles of a set of `size` colours count."""
    return {3: 1, 2: -(colours - 3), 1: (colours - 2) * (colours - 3) // 2}[size]


def colours_of(nodes: Any, colours: int) -> Any:
    """A colour for each node: the end of a hash (SplitMix64, Steele, Lea, Flood 2014)."""
    import numpy as np

    mixed = nodes.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (mixed ^ (mixed >> np.uint64(31))) % np.uint64(colours)


class _Copies:
    """Copies each edge to all sets that have its colours. `keys`: by set, what Spark hashes to its partition."""

    def __init__(self, colours: int, keys: List[int], blocks: Blocks) -> None:
        self.colours = colours
        self.keys = keys
        self.blocks = blocks

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        import numpy as np

        sets = colour_sets(self.colours)
        for batch in batches:
            source = batch.column("source").to_numpy()
            target = batch.column("target").to_numpy()
            of_source = colours_of(source, self.colours)
            of_target = colours_of(target, self.colours)
            for key, members in zip(self.keys, sets):
                chosen = np.isin(of_source, members) & np.isin(of_target, members) & (source != target)
                if chosen.any():
                    yield self.blocks.packed([source[chosen], target[chosen]], key)


class _Counted:
    """The triangles of a set, with its key."""

    def __init__(self, memory: str, threads: int, blocks: Blocks) -> None:
        self.kernel = Triangles(memory, threads)
        self.blocks = blocks

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        keys = []

        def edges() -> Iterator[Any]:
            for batch in batches:
                if batch.num_rows:
                    keys[:] = [batch.column("part")[0].as_py()]
                    yield self.blocks.unpacked(batch)

        for batch in self.kernel(edges()):
            yield pa.record_batch([pa.array(keys, pa.int64()), batch.column(0)], names=["key", "triangles"])


def count_triangles(edges: Any, colours: int, memory: str, threads: int) -> int:
    if colours < 1:
        raise ValueError(f"colours: {colours} is less than 1")
    if colours < 3:
        colours = 1  # one task counts all
    sets = colour_sets(colours)
    if colours == 1:
        rows = on_partitions(edges.repartition(1), Triangles(memory, threads)).collect()
        return sum(row["triangles"] for row in rows)
    keys = partition_keys(len(sets))
    blocks = Blocks.of("source long, target long")
    copies = edges.mapInArrow(_Copies(colours, keys, blocks), blocks.schema)
    counted = copies.repartition(len(sets), "part").mapInArrow(_Counted(memory, threads, blocks), "key long, triangles long")
    sizes = {key: len(members) for key, members in zip(keys, sets)}
    return sum(row["triangles"] * factor(colours, sizes[row["key"]]) for row in counted.collect())
