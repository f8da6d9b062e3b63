# SPDX-License-Identifier: MIT
"""DataFrames that are nothing but a scan of Parquet files: tasks read such files themselves, as those given by their paths."""
from __future__ import annotations

import os
import urllib.parse
from typing import Any, List, Optional, Sequence, Tuple

from pyspark.sql import DataFrame

from ._files import schema_of

_LOCAL = "file:"


def scanned(edges: DataFrame, columns: Sequence[str]) -> Optional[List[Tuple[str, int]]]:
    """The files with their bytes, if all rows of `edges` are all rows of Parquet files on file systems that are mounted on
    the machines, and the columns are the files' own; otherwise None. Object stores and HDFS are left to Spark, which has
    the user's keys for them."""
    plan = edges._jdf.queryExecution().optimizedPlan()
    if _class(plan) == "Project":
        if any(_class(column) != "AttributeReference" for column in _items(plan.projectList())):
            return None
        plan = plan.child()
    if _class(plan) != "LogicalRelation" or _class(plan.relation()) != "HadoopFsRelation":
        return None
    relation = plan.relation()
    own = set(relation.dataSchema().fieldNames()) - set(relation.partitionSchema().fieldNames())
    if _class(relation.fileFormat()) != "ParquetFileFormat" or not own.issuperset(columns):
        return None
    addresses = list(relation.location().inputFiles())
    if not addresses or not all(address.startswith(_LOCAL) for address in addresses):
        return None
    paths = sorted(urllib.parse.unquote(urllib.parse.urlparse(address).path) for address in addresses)
    if not all(map(os.path.isfile, paths)) or not set(columns) <= set(schema_of(paths[0]).names):
        return None
    return [(path, os.path.getsize(path)) for path in paths]


def _class(of: Any) -> str:
    return str(of.getClass().getSimpleName())


def _items(sequence: Any) -> List[Any]:
    return [sequence.apply(i) for i in range(sequence.size())]
