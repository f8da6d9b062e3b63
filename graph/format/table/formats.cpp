// SPDX-License-Identifier: MIT
// The table of formats. A format is a row here, and a folder or a few files.
#include "graph/format/table/format.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/base/error.hpp"
#include "graph/format/adjacency/adjacency_edges.hpp"
#include "graph/format/arrays/npy_edges.hpp"
#include "graph/format/arrays/npz.hpp"
#include "graph/format/container/container.hpp"
#include "graph/format/csr/galois.hpp"
#include "graph/format/csr/gapbs.hpp"
#include "graph/format/graph500/graph500.hpp"
#include "graph/format/packing/text_output.hpp"
#include "graph/format/raw/raw.hpp"
#include "graph/format/table/extension.hpp"
#include "graph/format/table/foreign.hpp"
#include "graph/format/text/dimacs.hpp"
#include "graph/format/text/edge_list.hpp"
#include "graph/format/text/konect.hpp"
#include "graph/format/text/matrix_market.hpp"
#include "graph/format/text/metis.hpp"
#include "graph/format/webgraph/webgraph.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::array table = {
    Format{.name = "emg",
           .aliases = "bin emgraph",
           .recognizes = is_container,
           .open = open_container,
           .create = create_container},
    Format{.name = "adj",
           .recognizes = adjacency::is_adjacency,
           .open = adjacency::open_adjacency,
           .create = adjacency::create_adjacency,
           .wants = WantedEdges::weighted_adjacency},
    Format{
        .name = "npy", .recognizes = is_npy_file, .open = open_npy, .create = create_npy, .weightless = true},
    Format{.name = "npz", .recognizes = is_npz, .open = open_npz},
    Format{.name = "parquet",
           .recognizes = [](const FileStart& start) { return start.starts_with("PAR1"); },
           .advice = "is a Parquet file: `python3 -m emgraph COMMAND FILE` reads it (the Python package, "
                     "apps/python)"},
    Format{.name = "nkb",
           .recognizes = [](const FileStart& start) { return start.starts_with("nkbg00"); },
           .advice = "is a NetworKit binary graph: export it as an edge list"},
    Format{.name = "ligra",
           .recognizes =
               [](const FileStart& start) {
                 return start.starts_with("AdjacencyGraph") || start.starts_with("WeightedAdjacencyGraph");
               },
           .advice = "is a Ligra adjacency graph: export it as an edge list"},
    Format{.name = "mtx",
           .aliases = "mm",
           .recognizes = is_matrix_market,
           .open = open_matrix_market,
           .create = create_matrix_market,
           .text = true,
           .id_base = true,
           .bipartite = true,
           .advice = "a list of edges numbered from 1 is read by --input-format text --id-base 1"},
    Format{.name = "galois", .aliases = "vgr", .recognizes = is_galois, .open = open_galois},
    Format{.name = "webgraph", .aliases = "bvgraph", .recognizes = is_webgraph, .open = open_webgraph},
    Format{.name = "graph",
           .aliases = "metis",
           .open = open_metis,
           .create = create_metis,
           .wants = WantedEdges::weighted_adjacency,
           .text = true,
           .id_base = true,
           .undirected = true},
    Format{.name = "gr",
           .aliases = "dimacs col",
           .recognizes = is_dimacs,
           .open = open_dimacs,
           .create = create_dimacs,
           .text = true,
           .id_base = true,
           .arcs = true,
           .advice = "expected a line 'p sp NODES ARCS' before the arcs"},
    Format{.name = "sg",
           .open = open_gapbs,
           .create = create_gapbs,
           .wants = WantedEdges::adjacency,
           .weightless = true},
    Format{
        .name = "wsg", .open = open_gapbs, .create = create_gapbs, .wants = WantedEdges::weighted_adjacency},
    Format{.name = "sg-unsorted", .open = open_gapbs},
    Format{.name = "wsg-unsorted", .open = open_gapbs},
    Format{.name = "u32", .open = open_raw, .create = create_raw, .headerless = true, .weightless = true},
    Format{.name = "u64", .open = open_raw, .create = create_raw, .headerless = true, .weightless = true},
    Format{.name = "u32w", .open = open_raw, .create = create_raw, .headerless = true},
    Format{.name = "u64w", .open = open_raw, .create = create_raw, .headerless = true},
    Format{.name = "f32w", .open = open_raw, .create = create_raw, .headerless = true},
    Format{.name = "f64w", .open = open_raw, .create = create_raw, .headerless = true},
    Format{.name = "graph500",
           .open = open_graph500,
           .create = create_graph500,
           .headerless = true,
           .weightless = true},
    Format{.name = "konect", .recognizes = is_konect, .open = open_konect, .text = true},
    Format{.name = "jlg",
           .aliases = "lg",
           .open = open_graphs_jl,
           .text = true,
           .columns = true,
           .id_base = true},
    Format{.name = "text",
           .aliases = "txt tsv csv el edges snap e",
           .open = open_text,
           .create = create_text,
           .text = true,
           .columns = true,
           .id_base = true,
           .packs = true},
    Format{.name = "wel",
           .open = open_text,
           .create = create_text,
           .text = true,
           .columns = true,
           .id_base = true,
           .packs = true},
    Format{.name = "text-u32w", .open = open_text, .text = true, .columns = true, .id_base = true},
    Format{.name = "text-i64w", .open = open_text, .text = true, .columns = true, .id_base = true},
    Format{.name = "text-f32w", .open = open_text, .text = true, .columns = true, .id_base = true},
    Format{.name = "text-f64w", .open = open_text, .text = true, .columns = true, .id_base = true},
};

/// The names of the formats for which `with` is true, for messages.
template <class With>
std::string names_of(With&& with) {
  std::string names;
  for (const Format& format : table) {
    if (with(format)) names.append(names.empty() ? "" : ", ").append(format.name);
  }
  return names;
}

std::string written_formats() {
  return names_of([](const Format& known) { return known.create != nullptr; });
}

}  // namespace

bool FileStart::starts_with(std::string_view magic) const {
  return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

bool Format::is_called(std::string_view name_or_extension) const {
  if (name_or_extension == name) return true;
  for (std::string_view rest = aliases; !rest.empty();) {
    const std::size_t length = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, length) == name_or_extension) return true;
    rest.remove_prefix(std::min(length + 1, rest.size()));
  }
  return false;
}

std::span<const Format> formats() {
  return table;
}

const Format* find_format(std::string_view name_or_extension) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const Format& format) { return format.is_called(name_or_extension); });
  return found == table.end() ? nullptr : &*found;
}

const Format& format_called(const std::string& name) {
  const Format* const format = find_format(name);
  if (format == nullptr) {
    throw core::UsageError(
        "'" + name + "' is not a format (" +
        names_of([](const Format& known) { return known.open != nullptr || known.create != nullptr; }) + ")");
  }
  if (format->open == nullptr && format->create == nullptr) {
    throw core::UsageError("format '" + name + "' is not supported: such a file " +
                           std::string(format->advice));
  }
  return *format;
}

const Format& output_format(const std::string& path, const std::optional<std::string>& name) {
  const Format* format = nullptr;
  if (name) {
    if (find_format(*name) == nullptr) {
      throw core::UsageError("'" + *name + "' is not a format that is written (" + written_formats() + ")");
    }
    format = &format_called(*name);
  } else {
    const std::string extension = extension_of(unpacked_name(path));
    format = find_format(extension);
    if (format == nullptr && foreign_format(extension) != nullptr) {
      throw core::UsageError(
          path + ": ." + extension + " is not written (formats: " + written_formats() +
          "; text also as .csv, .tsv, .txt, with .gz, .zst, .xz or .bz2); --output-format chooses one "
          "whatever the name");
    }
    if (format == nullptr) format = &format_called("emg");
  }
  if (format->create == nullptr) {
    throw core::UsageError(path + ": format '" + std::string(format->name) + "' cannot be written (" +
                           written_formats() + " can)");
  }
  if (!format->packs && packing_of_name(path) != Packing::none) {
    throw core::UsageError(path + ": format '" + std::string(format->name) + "' is not written packed (" +
                           names_of([](const Format& known) { return known.packs; }) +
                           " are); write it to - and pipe it through the packer");
  }
  return *format;
}

bool stores_weights(const std::string& path, const std::optional<std::string>& name) {
  const Format& format = output_format(path, name);
  const std::string called = name.value_or(extension_of(unpacked_name(path)));
  return !format.weightless && (format.name != "text" || called != "el");
}

std::unique_ptr<core::OutputFile> Creation::open_output() const {
  return std::make_unique<core::OutputFile>(path, options.overwrite, environment.memory, environment.io,
                                            environment.outputs);
}

}  // namespace emgraph::graph::format
