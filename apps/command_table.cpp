// SPDX-License-Identifier: MIT
// The table of commands.
#include "apps/command.hpp"

namespace emgraph::apps {

namespace {

constexpr CommandEntry table[] = {
    {"Create", "gen", "random graphs of any size, the same for a seed on any machine",
     "emgraph gen --edges 100M", make_gen},
    {"Prepare", "sort", "sorts an edge file; removes duplicates and loops, orients, symmetrizes",
     "emgraph sort -u edges.bin -o sorted.bin", make_sort},
    {"Prepare", "dedup", "sort -u --no-loops, without sorting again what is declared sorted",
     "emgraph dedup edges.bin -o simple.bin", make_dedup},
    {"Prepare", "convert", "between edge formats, both directions",
     "emgraph convert edges.txt.gz -o edges.bin", make_convert},
    {"Solve", "mis", "maximal independent set: the lexicographically first one",
     "emgraph mis edges.bin -o mis.npy", make_mis},
    {"Solve", "mst", "minimum spanning forest", "emgraph mst edges.bin -o forest.bin", make_mst},
    {"Look", "info", "header and cheap facts of files, without reading them all", "emgraph info edges.bin",
     make_info},
    {"Look", "cat", "edges or node values as text", "emgraph cat --head 10 edges.bin", make_cat},
    {"Check", "check mis", "is RESULT the lexicographically first independent set of GRAPH?",
     "emgraph check mis edges.bin mis.npy", make_check_mis},
    {"Check", "check mst", "is FOREST the minimum spanning forest of GRAPH?",
     "emgraph check mst edges.bin forest.bin", make_check_mst},
    {"Check", "check sorted", "is FILE sorted (and unique)?", "emgraph check sorted --unique sorted.bin",
     make_check_sorted},
};

}  // namespace

std::span<const CommandEntry> all_commands() {
  return table;
}

}  // namespace emgraph::apps
