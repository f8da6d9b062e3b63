#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures kcore, lcc, cdlp and scc of a Kronecker graph, from the raw file to the answer, against NetworKit, igraph and SciPy in memory
(pip install networkit igraph scipy). Each runs at 1 GiB, too, without a peer."""
import sys

from bench_graphs import BESIDES_MEMORY, graphs_of, in_python
from measure import Job, Program, main

PAIRS = """
import numpy as np
pairs = np.fromfile("{path}", np.uint32).reshape(-1, 2)
"""
NETWORKIT = "import networkit" + PAIRS + """
graph = networkit.graph.GraphFromCoo((pairs[:, 0], pairs[:, 1]), n={nodes}, directed={directed})
del pairs
"""
SIMPLE = """
graph.removeSelfLoops()
graph.removeMultiEdges()
"""
CORES = NETWORKIT + SIMPLE + """
cores = networkit.centrality.CoreDecomposition(graph).run()
print("degeneracy", int(cores.maxCoreNumber()))
"""
COEFFICIENTS = NETWORKIT + SIMPLE + """
networkit.centrality.LocalClusteringCoefficient(graph, turbo=True).run()
"""
LABELS = NETWORKIT + SIMPLE + """
networkit.community.PLP(graph, maxIterations=10).run()
"""
STRONG = NETWORKIT + """
found = networkit.components.StronglyConnectedComponents(graph).run()
print("components", found.numberOfComponents())
"""
IGRAPH = "import igraph" + PAIRS + """
graph = igraph.Graph(n={nodes}, edges=pairs, directed={directed})
del pairs
"""
IGRAPH_LABELS = IGRAPH + """
graph.simplify()
graph.community_label_propagation()
"""
IGRAPH_CORES = IGRAPH + """
graph.simplify()
print("degeneracy", max(graph.coreness()))
"""
IGRAPH_STRONG = IGRAPH + """
print("components", len(graph.connected_components(mode="strong")))
"""
SCIPY_STRONG = PAIRS + """
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
arcs = coo_array((np.ones(len(pairs), np.int8), (pairs[:, 0], pairs[:, 1])), ({nodes}, {nodes}))
print("components", connected_components(arcs, connection="strong")[0])
"""


def jobs(a):
    graph = graphs_of(a)["kron22"]

    def peer(label, module, code, key="", directed=False):
        reads = {key: key + r" (\d+)"} if key else {}
        return in_python(label, module, code, graph.generate(), reads=reads, path=graph.raw, nodes=graph.nodes, directed=directed)

    def both(command, what, peers, answer, *options):
        # The peers count the isolated nodes behind the last edge, too.
        ours = [str(a.emgraph), command, graph.raw, "--nodes", str(graph.nodes), *options, "-T", str(a.dir), "--json"]
        tight = [*ours, "-M", f"{1024 - (BESIDES_MEMORY >> 20)}M"]
        return [Job(f"{command}-whole", what, "", graph.edges, [*peers, Program("emgraph", ours, prepare=graph.generate())],
                    answer=answer, input=command, warm=True),
                Job(f"{command}-1G", what, "1G", graph.edges, [Program("emgraph", tight, prepare=graph.generate())],
                    answer=answer, input=command)]

    return [
        *both("kcore", "core numbers", [*peer("NetworKit", "networkit", CORES, "degeneracy"),
                                        *peer("igraph", "igraph", IGRAPH_CORES, "degeneracy")], ("degeneracy",)),
        *both("lcc", "local clustering coefficients", peer("NetworKit", "networkit", COEFFICIENTS), ("mean_lcc",)),
        # The peers' labels depend on chance; a run of igraph goes on until nothing changes.
        *both("cdlp", "label propagation, 10 rounds", [*peer("NetworKit PLP", "networkit", LABELS),
                                                       *peer("igraph, to the end", "igraph", IGRAPH_LABELS)],
              ("communities",), "--iterations", "10"),
        *both("scc", "strong components", [*peer("NetworKit", "networkit", STRONG, "components", directed=True),
                                           *peer("igraph", "igraph", IGRAPH_STRONG, "components", directed=True),
                                           *peer("SciPy", "scipy", SCIPY_STRONG, "components")], ("components",)),
    ]


if __name__ == "__main__":
    sys.exit(main(__doc__, jobs))
