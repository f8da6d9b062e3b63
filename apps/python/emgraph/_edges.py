# SPDX-License-Identifier: MIT
"""Edges of a result: a map of an emgraph container (graph/format/container/CONTAINER.md) without codec."""
from __future__ import annotations

import mmap
from typing import Any, Iterator, List, Optional, Tuple

import numpy as np

from ._errors import UsageError
from ._unnamed import Descriptor, unnamed_file

_HEADER_MAGIC = b"\x89EMG\r\n\x1a\n"
_HEADER = np.dtype([("magic", "S8"), ("major", "<u2"), ("minor", "<u2"), ("header_bytes", "<u4"), ("id_bytes", "u1"),
                    ("weight", "u1"), ("order", "u1"), ("codec", "u1"), ("payload_bytes", "<u4"),
                    ("required_flags", "<u8")])
_FOOTER = np.dtype([("magic", "S8"), ("index_offset", "<u8"), ("index_checksum", "<u8"), ("blocks", "<u8"),
                    ("nodes", "<u8"), ("edges", "<u8")])
_FOOTER_BYTES = 96
_ENTRY = np.dtype([("offset", "<u8"), ("first_edge", "<u8"), ("keys", "<u8", 4), ("block_bytes", "<u4"), ("edges", "<u4")])
_HEAD_BYTES = 64  # of a block
_WEIGHTS = {1: "<u4", 2: "<i8", 3: "<f4", 4: "<f8"}
# Rows of a batch for Arrow and Parquet.
_BATCH_ROWS = 1 << 20


def is_container(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(len(_HEADER_MAGIC)) == _HEADER_MAGIC


class Edges:
    """Edges that a command has written: source, target and, if there are any, weight.

    The file stays mapped and needs no memory. It has no name any more unless the user gave one.
    `source`, `target` and `weight` are read-only arrays; of results of several blocks they map an unnamed file of
    rows that the first use makes in the temporary directory.
    """

    def __init__(self, path: str, ids: Any = None) -> None:
        with open(path, "rb") as file:
            self._file = Descriptor(file.fileno())
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        header = np.frombuffer(self._map, _HEADER, 1)[0]
        footer = np.frombuffer(self._map, _FOOTER, 1, len(self._map) - _FOOTER_BYTES)[0]
        if bytes(self._map[:8]) != _HEADER_MAGIC or header["major"] != 1 or header["codec"] != 0:
            raise UsageError(f"{path}: only containers without codec are mapped")
        fields = [("source", f"<u{header['id_bytes']}"), ("target", f"<u{header['id_bytes']}")]
        if header["weight"]:
            fields.append(("weight", _WEIGHTS[int(header["weight"])]))
        if header["payload_bytes"]:
            fields.append(("payload", f"V{header['payload_bytes']}"))
        #: Type of a row.
        self.dtype = np.dtype(fields)
        #: Number of nodes.
        self.nodes = int(footer["nodes"])
        self._count = int(footer["edges"])
        self._index = np.frombuffer(self._map, _ENTRY, int(footer["blocks"]), int(footer["index_offset"]) + 16)
        self._rows: Optional[np.ndarray] = None
        #: What the nodes are called, where the input had names or ids of its own.
        self.ids = ids

    def __copy__(self) -> "Edges":
        copied = object.__new__(type(self))
        copied.__dict__.update(self.__dict__)
        return copied

    def __reduce__(self) -> Any:
        raise TypeError("edges of a result map a file, so they cannot be pickled; take to_numpy() or to_parquet()")

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        return f"<emgraph.Edges: {self._count:,} edges of {self.nodes:,} nodes: {', '.join(self.dtype.names or ())}>"

    def blocks(self) -> Iterator[np.ndarray]:
        """The rows of each block, as structured arrays that map the file."""
        for entry in self._index:
            yield np.frombuffer(self._map, self.dtype, int(entry["edges"]), int(entry["offset"]) + _HEAD_BYTES)

    def batches(self, rows: int = _BATCH_ROWS) -> Iterator[np.ndarray]:
        """Structured arrays of about so many rows; only one is in memory at a time."""
        held: List[np.ndarray] = []
        for block in self.blocks():
            held.append(block)
            if sum(map(len, held)) >= rows:
                yield np.concatenate(held)
                held = []
        if held:
            yield np.concatenate(held)

    def to_numpy(self) -> np.ndarray:
        """All rows as one structured array. It maps a file, so it needs no memory."""
        if self._rows is None:
            blocks = list(self.blocks()) if len(self._index) < 2 else None
            if blocks is not None:
                self._rows = blocks[0] if blocks else np.empty(0, self.dtype)
            else:
                with unnamed_file("the rows of the edges") as file:
                    for block in self.blocks():
                        file.write(block.view(np.uint8).data)
                    file.flush()
                    self._rows = np.memmap(file, self.dtype, "r", shape=(self._count,))
        return self._rows

    @property
    def source(self) -> np.ndarray:
        return self.to_numpy()["source"]

    @property
    def target(self) -> np.ndarray:
        return self.to_numpy()["target"]

    @property
    def weight(self) -> np.ndarray:
        """Raises AttributeError if the edges have no weights."""
        if "weight" not in (self.dtype.names or ()):
            raise AttributeError("these edges have no weights")
        return self.to_numpy()["weight"]

    def _columns(self, batch: np.ndarray, ids: Any) -> Tuple[List[Any], List[str]]:
        names = [name for name in batch.dtype.names or () if name != "payload"]
        columns = [np.ascontiguousarray(batch[name]) for name in names]
        if ids is not None:
            columns[:2] = [ids[column] for column in columns[:2]]
        return columns, names

    def _reader(self) -> Any:
        from ._arrow import pyarrow
        from ._tables import exported

        pa = pyarrow()
        ids, kind = exported(self.ids)

        def record_batch(batch: np.ndarray) -> Any:
            columns, names = self._columns(batch, ids)
            return pa.record_batch([pa.array(column, kind if i < 2 else None) for i, column in enumerate(columns)], names=names)

        schema = record_batch(np.empty(0, self.dtype)).schema
        return pa.RecordBatchReader.from_batches(schema, map(record_batch, self.batches()))

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """A stream of record batches, with original ids or names where the input had them."""
        return self._reader().__arrow_c_stream__(requested_schema)

    def to_arrow(self) -> Any:
        """A pyarrow.Table: all rows in memory."""
        return self._reader().read_all()

    def to_parquet(self, path: Any, **options: Any) -> None:
        """Writes a Parquet file batch by batch; `options` go to pyarrow.parquet.ParquetWriter."""
        from ._tables import write_parquet

        write_parquet(path, self._reader(), **options)

    def to_scipy(self) -> Any:
        """A scipy.sparse.coo_matrix of n x n; without weights its values are 1. For graphs that fit in memory."""
        from scipy import sparse

        rows = self.to_numpy()
        values = rows["weight"] if "weight" in (rows.dtype.names or ()) else np.ones(len(rows), np.int64)
        return sparse.coo_matrix((values, (rows["source"], rows["target"])), shape=(self.nodes, self.nodes))

    def to_networkx(self, directed: bool = False) -> Any:
        """A networkx.Graph or DiGraph. For small graphs."""
        import networkx

        graph = networkx.DiGraph() if directed else networkx.Graph()
        graph.add_nodes_from(range(self.nodes) if self.ids is None else self.ids.tolist())
        for batch in self.batches():
            columns, names = self._columns(batch, self.ids)
            rows = zip(*(column.tolist() for column in columns))
            if len(names) > 2:
                graph.add_weighted_edges_from(rows)
            else:
                graph.add_edges_from(rows)
        return graph

    def descriptor(self) -> Descriptor:
        """The open file: a further command reads it by its path."""
        return self._file
