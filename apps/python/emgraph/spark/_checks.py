# SPDX-License-Identifier: MIT
"""Refuses rows that are no edges, with the names of the user's columns: the numbers of rows say little in a partition."""
from __future__ import annotations

from typing import Any, Iterator, NamedTuple, Sequence


def check(batch: Any, columns: Sequence[str], where: str = "", named: bool = False) -> None:
    """`columns` are the user's, in the order of the batch's. `named`: the ends are numbers of names, which no user knows."""
    import pyarrow.compute as compute

    from emgraph import DataError

    for number, (column, name) in enumerate(zip(batch.columns, columns)):
        what = "weight" if number == 2 else "node's name" if named else "node id"
        wrong = ""
        if column.null_count:
            row = compute.index(compute.is_null(column), True).as_py()
            wrong = f"null where a {what} was expected"
        elif number < 2 and batch.num_rows and compute.min(column).as_py() < 0:
            row = compute.index(compute.less(column, 0), True).as_py()
            wrong = f"{column[row].as_py()} is negative; node ids are not"
        if wrong:
            others = [f"{other!r} is {batch.column(i)[row].as_py()}" for i, other in enumerate(columns) if i != number]
            beside = "" if named else "; in this row " + ", ".join(others)
            raise DataError(f"{where}column {name!r}: {wrong}{beside}")


class Checked(NamedTuple):
    """Hands the rows of a DataFrame to `reduce` when they are checked."""

    reduce: Any
    columns: Sequence[str]
    named: bool

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        return self.reduce(self.rows(batches))

    def rows(self, batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            check(batch, self.columns, named=self.named)
            yield batch
