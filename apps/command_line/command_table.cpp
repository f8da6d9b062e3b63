// SPDX-License-Identifier: MIT
// The table of commands.
#include "apps/command_line/command.hpp"

namespace emgraph::apps {

namespace {

constexpr CommandEntry table[] = {
    {"Create", "gen", "generates a random graph of any size, the same for a seed on any machine",
     "emgraph gen --edges 100M", make_gen},
    {"Prepare", "sort", "sorts an edge file; removes duplicates and loops, orients, symmetrizes",
     "emgraph sort -u edges.bin -o sorted.bin", make_sort},
    {"Prepare", "dedup", "removes duplicates and loops, without sorting again what is declared sorted",
     "emgraph dedup edges.bin -o simple.bin", make_dedup},
    {"Prepare", "convert", "writes edges in another format",
     "emgraph convert hits.tsv.gz --labels --header --map names.txt -o hits.bin", make_convert},
    {"Prepare", "filter",
     "writes the edges between some nodes, of some weights, of the largest component, or a sample",
     "emgraph filter edges.bin --largest-component --relabel --map ids.npy -o largest.bin", make_filter},
    {"Solve", "mis", "finds a maximal independent set: the lexicographically first one",
     "emgraph mis edges.bin -o mis.npy", make_mis},
    {"Solve", "cc", "finds the connected components",
     "emgraph cc people.csv --labels --header --map names.txt -o labels.npy", make_cc},
    {"Solve", "triangles", "counts triangles, in all and at each node, and lists them on request",
     "emgraph triangles edges.bin", make_triangles},
    {"Solve", "bfs", "searches breadth-first from a node: levels and parents",
     "emgraph bfs accounts.csv --relabel --map ids.npy --root 99999999999 -o levels.npy", make_bfs},
    {"Solve", "sssp", "finds shortest paths from a node, or between pairs of nodes",
     "emgraph sssp --root 5 roads.gr -o distances.npy", make_sssp},
    {"Solve", "mst", "finds a minimum spanning forest",
     "emgraph mst roads.txt --cols 1,2,3 --weight-type f64 -o forest.csv", make_mst},
    {"Solve", "pagerank", "ranks the nodes by the edges that lead to them: PageRank",
     "emgraph pagerank links.tsv.gz --tolerance 1e-6 -o ranks.npy", make_pagerank},
    {"Solve", "cdlp", "finds communities: nodes take the most frequent label among their neighbours",
     "emgraph cdlp edges.bin --iterations 10 -o labels.npy", make_cdlp},
    {"Solve", "kcore", "finds the core number of each node: the largest k of a k-core with it",
     "emgraph kcore edges.bin -o cores.npy", make_kcore},
    {"Solve", "lcc",
     "finds the local clustering coefficient of each node: the share of the pairs of its neighbours that are "
     "joined by an edge",
     "emgraph lcc edges.bin -o coefficients.npy", make_lcc},
    {"Solve", "scc", "finds the strongly connected components, and their graph on request",
     "emgraph scc links.tsv.gz --condensation dag.bin -o labels.npy", make_scc},
    {"Look", "info", "shows what files declare, without reading them all",
     "emgraph info --head 5 hits.tsv.gz", make_info},
    {"Look", "stats", "scans all edges: loops, duplicates, degrees, hubs, wedges; a page with plots",
     "emgraph stats edges.bin --html edges.html", make_stats},
    {"Look", "cat", "prints edges or node values as text",
     "emgraph cat labels.npy --map names.txt --as labels --head 10", make_cat},
    {"Look", "plan", "foresees what a command would need and do: model, memory, temporary space, time",
     "emgraph plan cc edges.bin -M 512M", make_plan},
    {"Check", "check mis", "checks that RESULT is the lexicographically first independent set of GRAPH",
     "emgraph check mis edges.bin mis.npy", make_check_mis},
    {"Check", "check cc", "checks that LABELS are the components of GRAPH",
     "emgraph check cc edges.bin labels.npy", make_check_cc},
    {"Check", "check triangles", "checks that PER_NODE (and --list) are the triangles of GRAPH",
     "emgraph check triangles edges.bin counts.npy", make_check_triangles},
    {"Check", "check bfs", "checks that LEVELS (and --parents) are those of a breadth-first search of GRAPH",
     "emgraph check bfs edges.bin levels.npy", make_check_bfs},
    {"Check", "check mst", "checks that FOREST is the minimum spanning forest of GRAPH",
     "emgraph check mst roads.txt forest.csv --cols 1,2,3 --weight-type f64", make_check_mst},
    {"Check", "check sssp", "checks that DISTANCES (and --parents) are those of shortest paths in GRAPH",
     "emgraph check sssp --root 5 roads.gr distances.npy", make_check_sssp},
    {"Check", "check pagerank",
     "checks that RANKS are the PageRank of GRAPH: a further round changes them by at most --tolerance",
     "emgraph check pagerank links.tsv.gz ranks.npy", make_check_pagerank},
    {"Check", "check kcore", "checks that CORES are the core numbers of GRAPH",
     "emgraph check kcore edges.bin cores.npy", make_check_kcore},
    {"Check", "check cdlp", "checks that LABELS are those of label propagation in GRAPH",
     "emgraph check cdlp edges.bin labels.npy --iterations 10", make_check_cdlp},
    {"Check", "check lcc", "checks that COEFFICIENTS are the local clustering coefficients of GRAPH",
     "emgraph check lcc edges.bin coefficients.npy", make_check_lcc},
    {"Check", "check scc", "checks that LABELS are the strongly connected components of GRAPH",
     "emgraph check scc edges.bin labels.npy", make_check_scc},
    {"Check", "check sorted", "checks that a file is sorted (and unique)",
     "emgraph check sorted --unique sorted.bin", make_check_sorted},
    {"Measure", "bench disks", "measures the disks, one by one and together",
     "emgraph bench disks -T disk1 -T disk2", make_bench_disks},
    {"Measure", "bench sort", "measures sorting: in memory, from file to file and in a pipeline",
     "emgraph bench sort --record u32-pair --size 4G -M 512M", make_bench_sort},
    {"Measure", "bench queue", "measures the external priority queue", "emgraph bench queue -M 64M",
     make_bench_queue},
    {"Measure", "bench mis", "measures the STXXL paper's job: random edges, sorted, to an independent set",
     "emgraph bench mis --scale 2 -M 512M", make_bench_mis},
    {"Measure", "graph500", "runs the Graph500 benchmark: breadth-first search and shortest paths, validated",
     "emgraph graph500 --scale 18", make_graph500},
    {"Measure", "graphalytics", "runs LDBC Graphalytics on a data set: six algorithms, validated",
     "emgraph graphalytics datagen-7_5-fb", make_graphalytics},
};

}  // namespace

std::span<const CommandEntry> all_commands() {
  return table;
}

}  // namespace emgraph::apps
