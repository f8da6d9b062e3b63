#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures reading and writing text edge lists of 1 GB against GAPBS, NetworKit and DuckDB (pip install networkit duckdb)."""
import sys

from bench_graphs import graphs_of, in_python
from measure import Job, Program, main

DUCKDB = """
import duckdb, json
rows = "read_csv('{path}', delim=' ', header=false, auto_detect=false, columns={{'a': 'UINTEGER', 'b': 'UINTEGER'}})"
"""
COUNT = DUCKDB + """
print(json.dumps({{"edges": duckdb.sql("select count(*), sum(a), sum(b) from " + rows).fetchall()[0][0]}}))
"""
TO_PARQUET = DUCKDB + """
duckdb.sql("copy (select * from " + rows + ") to '{out}' (format parquet)")
"""
TO_CSV = """
import duckdb
duckdb.sql("copy (select * from read_parquet('{path}')) to '{out}' (format csv, delimiter ' ', header false)")
"""
NETWORKIT = """
import networkit
networkit.graphio.EdgeListReader(" ", 0, "#", True, directed=True).read("{path}")
"""


def jobs(a):
    graph = graphs_of(a)["kron22"]
    text, out, parquet = graph.file(".el"), graph.file(".out"), graph.file(".parquet")
    plain = graph.generate() | {text: [str(a.emgraph), "convert", graph.raw, "-o", text]}
    written = plain | {parquet: [sys.executable, "-c", TO_PARQUET.format(path=text, out=parquet)]}
    temporary = ["-T", str(a.dir)]

    def ours(label, prepare, *arguments, output=None):
        to = ["-o", output] if output else []
        return Program(label, [str(a.emgraph), *arguments, *to, *temporary, "--json"], prepare=prepare,
                       removes=[output] if output else [])

    gapbs = a.peers / "gapbs" / "cc"
    read = [
        Program("GAPBS, to its graph, components", [str(gapbs), "-f", text, "-n", "1"], peer=True, needs=(gapbs,), prepare=plain,
                reads={"load_seconds": r"Read Time:\s+([\d.]+)", "build_seconds": r"Build Time:\s+([\d.]+)"}),
        *in_python("DuckDB, count and sums", "duckdb", COUNT, plain, path=text),
        *in_python("DuckDB, to Parquet", "duckdb", TO_PARQUET, plain, [out], path=text, out=out),
        *in_python("NetworKit, to its graph", "networkit", NETWORKIT, plain, path=text),
        ours("emgraph convert, to pairs", plain, "convert", text, output=out + ".u32"),
        ours("emgraph cc", plain, "cc", text)]
    made = [Job("read", "text of kron22", "", graph.edges, read, answer=("edges",), input="kron22", warm=True)]
    for suffix in (".zst", ".gz"):
        packed = plain | {text + suffix: [str(a.emgraph), "convert", text, "-o", text + suffix]}
        made.append(Job("read" + suffix.replace(".", "-"), "packed text of kron22", "", graph.edges, [
            *in_python("DuckDB, count and sums", "duckdb", COUNT, packed, path=text + suffix),
            ours("emgraph cc", packed, "cc", text + suffix)], answer=("edges",), input="kron22", warm=True))
        made.append(Job("write" + suffix.replace(".", "-"), "packed text of kron22", "", graph.edges, [
            ours("emgraph convert", graph.generate(), "convert", graph.raw, output=out + ".el" + suffix)],
                        answer=("edges",), input="kron22", warm=True))
    made.append(Job("write", "text of kron22", "", graph.edges, [
        *in_python("DuckDB, from Parquet", "duckdb", TO_CSV, written, [out], path=parquet, out=out),
        ours("emgraph convert, from pairs", graph.generate(), "convert", graph.raw, output=out + ".el")],
                    answer=("edges",), input="kron22", warm=True))
    return made


if __name__ == "__main__":
    sys.exit(main(__doc__, jobs))
