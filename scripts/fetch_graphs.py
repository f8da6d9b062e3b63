#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fetches large public graphs named in datasets/public_graphs.tsv.

    scripts/fetch_graphs.py                       # prints the list
    scripts/fetch_graphs.py web-Google in-2004 -o ~/graphs
    scripts/fetch_graphs.py web-Google --count    # also compares the number of edges with the publisher's

A file is downloaded as NAME.part, continues an earlier partial download, and is renamed when complete. It is complete if gzip
unpacks it without error and if it has the checksum in the publisher's .md5sums. Complete files are not downloaded again. Exit
code 1: a file could not be fetched or is damaged.
"""
import argparse
import csv
import hashlib
import http.client
import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHUNK_BYTES = 1 << 20


class FetchError(Exception):
    pass


def read_list(path):
    """Returns name -> row of the table: nodes, lines, what, urls."""
    graphs = {}
    with open(path, newline="") as table:
        lines = (line for line in table if line.strip() and not line.startswith("#"))
        for name, nodes, edge_lines, what, files in csv.reader(lines, delimiter="\t"):
            graphs[name] = {"nodes": nodes, "lines": edge_lines, "what": what, "urls": expand(files)}
    return graphs


def expand(url):
    """Expands base{.a,.b} as the shell does."""
    braces = re.fullmatch(r"(.*)\{(.*)\}(.*)", url)
    if not braces:
        return [url]
    return [braces[1] + middle + braces[3] for middle in braces[2].split(",")]


def fetch(url, target):
    """Downloads one file; continues a partial download."""
    part = target.with_name(target.name + ".part")
    have = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"} if have else {})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            continued = have > 0 and getattr(answer, "status", None) == 206
            done = have if continued else 0
            rest = answer.headers.get("Content-Length")
            whole = done + int(rest) if rest else None
            with open(part, "ab" if continued else "wb") as out:
                while chunk := answer.read(CHUNK_BYTES):
                    out.write(chunk)
                    done += len(chunk)
                    show(f"{target.name}: {done / 1e6:,.0f} MB" + (f" of {whole / 1e6:,.0f}" if whole else ""))
    except urllib.error.HTTPError as error:
        if error.code != 416:  # 416: nothing is left to fetch, the part is whole
            raise FetchError(f"{url}: {error}") from error
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise FetchError(f"{url}: {str(error).strip()}; what was fetched stays in {part}") from error
    else:
        if whole is not None and done != whole:
            raise FetchError(f"{url}: the connection ended after {done} of {whole} bytes; call again to go on")
    if target.suffix == ".gz":
        check_gzip(part)
    part.rename(target)
    show("")


def check_gzip(path):
    """Unpacks the file without storing the result, to detect damage."""
    unpacker = None
    with open(path, "rb") as packed:
        while data := packed.read(CHUNK_BYTES):
            while data:
                unpacker = unpacker or zlib.decompressobj(wbits=31)
                try:
                    unpacker.decompress(data)
                except zlib.error as error:
                    path.unlink()
                    raise FetchError(f"{path.name} is no whole gzip file ({error}); removed") from error
                data = unpacker.unused_data
                if unpacker.eof:
                    unpacker = None
    if unpacker is not None:
        path.unlink()
        raise FetchError(f"{path.name}: the gzip file ends too early; removed")


def check_sums(sums):
    """Compares the downloaded files with the publisher's md5 sums."""
    for line in sums.read_text().splitlines():
        words = line.split()
        if len(words) != 2:
            continue
        path = sums.parent / words[1].lstrip("*")
        if not path.exists():
            continue
        digest = hashlib.md5()
        with open(path, "rb") as data:
            while chunk := data.read(CHUNK_BYTES):
                digest.update(chunk)
        if digest.hexdigest() != words[0]:
            raise FetchError(f"{path}: md5 is {digest.hexdigest()}, {sums.name} says {words[0]}; remove it and call again")


def count(emgraph, path, graph):
    """Compares the number of edges in the file with the publisher's."""
    try:
        run = subprocess.run([emgraph, "stats", "--json", "-q", path], capture_output=True, text=True)
    except OSError as error:
        raise FetchError(f"{emgraph}: {error.strerror}; scripts/build.sh makes it, --emgraph says where it is") from error
    if run.returncode != 0:
        raise FetchError(run.stderr.strip())
    edges = json.loads(run.stdout)["edges"]
    known = graph["lines"] != "-"
    if known and edges != int(graph["lines"]):
        raise FetchError(f"{path}: {edges} edges, expected {graph['lines']}")
    print(f"{path}: {edges:,} edges" + (", as expected" if known else "; the table does not say how many"))


def show(text):
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("-o", "--directory", type=Path, default=Path("."))
    parser.add_argument("--list", type=Path, default=ROOT / "datasets" / "public_graphs.tsv", help="the table")
    parser.add_argument("--count", action="store_true", help="count the edges with emgraph stats")
    parser.add_argument("--emgraph", default=str(ROOT / "build" / "emgraph"), help="the program, for --count")
    options = parser.parse_args()

    graphs = read_list(options.list)
    if not options.names:
        for name, graph in graphs.items():
            print(f"{name:18} {graph['nodes']:>12} nodes {graph['lines']:>12} lines  {graph['what']}")
        return 0
    status = 0
    for name in options.names:
        try:
            if name not in graphs:
                raise FetchError(f"no graph {name}; without names the script lists them")
            options.directory.mkdir(parents=True, exist_ok=True)
            targets = [options.directory / url.rsplit("/", 1)[1] for url in graphs[name]["urls"]]
            for url, target in zip(graphs[name]["urls"], targets):
                if not target.exists():
                    fetch(url, target)
            for target in targets:
                if target.suffix == ".md5sums":
                    check_sums(target)
            print(targets[0])
            if options.count:
                count(options.emgraph, str(targets[0]), graphs[name])
        except FetchError as error:
            print(f"fetch_graphs.py: {error}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
