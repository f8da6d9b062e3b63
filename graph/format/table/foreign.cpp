// SPDX-License-Identifier: MIT
// The table of foreign formats. Magic numbers: the file(1) database and the formats' specifications.
#include "graph/format/table/foreign.hpp"

#include <algorithm>
#include <array>

namespace emgraph::graph::format {
namespace {

/// True if `text` begins with `word`, in capitals or not, after blanks and line breaks.
bool first_word(std::string_view text, std::string_view word) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text.size() >= word.size() && std::equal(word.begin(), word.end(), text.begin(), [](char a, char b) {
           return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b - 'A' + 'a') : b);
         });
}

/// True for "graph [" of GML, with any blanks between.
bool is_gml(const FileStart& start) {
  const std::size_t word = start.text().find("graph");
  if (word == std::string_view::npos) return false;
  const std::string_view before = start.text().substr(0, word);
  if (!before.empty() && !first_word(before, "creator") && !first_word(before, "comment") &&
      before.find_first_not_of(" \t\r\n") != std::string_view::npos) {
    return false;
  }
  const std::string_view rest = start.text().substr(word + 5);
  const std::size_t next = rest.find_first_not_of(" \t\r\n");
  return next != std::string_view::npos && next > 0 && rest[next] == '[';
}

/// True for an entry of a tar archive. Archives before POSIX have no mark: their name tells.
bool is_tar(const FileStart& start) {
  constexpr std::size_t mark = 257;
  return start.text().size() > mark && start.text().substr(mark).starts_with("ustar");
}

constexpr std::array foreign_table = {
    ForeignFormat{.name = "a spreadsheet",
                  .extensions = "xlsx xls ods",
                  .recognizes =
                      [](const FileStart& start) {
                        return start.extension == "xlsx" || start.extension == "xls" ||
                               start.extension == "ods";
                      },
                  .advice = "save it as .csv"},
    ForeignFormat{.name = "a tar archive",
                  .extensions = "tar tgz",
                  .recognizes = is_tar,
                  .advice = "tar -xOf FILE unpacks it to a pipe"},
    ForeignFormat{.name = "a RAR archive",
                  .extensions = "rar",
                  .recognizes = [](const FileStart& start) { return start.starts_with("Rar!"); },
                  .advice = "unrar p -inul FILE unpacks it to a pipe"},
    ForeignFormat{.name = "packed by compress",
                  .extensions = "z",
                  .recognizes = [](const FileStart& start) { return start.starts_with("\x1f\x9d"); },
                  .advice = "zcat FILE unpacks it to a pipe"},
    ForeignFormat{.name = "a PDF",
                  .extensions = "pdf",
                  .recognizes = [](const FileStart& start) { return start.starts_with("%PDF-"); },
                  .advice = "no tool makes edges of it: look for its data"},
    ForeignFormat{.name = "a zip archive",
                  .extensions = "zip",
                  .recognizes = [](const FileStart& start) { return start.starts_with("PK\x03\x04"); },
                  .advice = "unzip -p FILE unpacks it to a pipe"},
    ForeignFormat{
        .name = "a 7z archive",
        .extensions = "7z",
        .recognizes = [](const FileStart& start) { return start.starts_with("7z\xbc\xaf\x27\x1c"); },
        .advice = "7z e -so FILE unpacks it to a pipe"},
    ForeignFormat{.name = "packed by lz4",
                  .extensions = "lz4",
                  .recognizes = [](const FileStart& start) { return start.starts_with("\x04\x22\x4d\x18"); },
                  .advice = "lz4 -dc FILE unpacks it to a pipe"},
    ForeignFormat{
        .name = "a Feather (Arrow) file",
        .extensions = "feather arrow",
        .recognizes =
            [](const FileStart& start) { return start.starts_with("ARROW1") || start.starts_with("FEA1"); },
        .advice = "pandas.read_feather(FILE)[[SOURCE, TARGET]].to_csv('edges.csv', index=False) makes "
                  "text of it"},
    ForeignFormat{.name = "an ORC file",
                  .extensions = "orc",
                  .recognizes = [](const FileStart& start) { return start.starts_with("ORC"); },
                  .advice =
                      "pandas.read_orc(FILE)[[SOURCE, TARGET]].to_csv('edges.csv', index=False) makes text "
                      "of it"},
    ForeignFormat{.name = "an HDF5 file",
                  .extensions = "h5 hdf5",
                  .recognizes = [](const FileStart& start) { return start.starts_with("\x89HDF"); },
                  .advice = "h5py reads it, and numpy.save of an m x 2 array makes an .npy file"},
    ForeignFormat{.name = "an SQLite database",
                  .extensions = "sqlite db",
                  .recognizes = [](const FileStart& start) { return start.starts_with("SQLite format 3"); },
                  .advice = "sqlite3 -csv FILE 'SELECT source, target FROM ...' prints edges"},
    ForeignFormat{
        .name = "GEXF",
        .extensions = "gexf",
        .recognizes =
            [](const FileStart& start) {
              return first_word(start.text(), "<") && start.text().find("<gexf") != std::string_view::npos;
            },
        .advice = "NetworkX reads it: networkx.write_edgelist(networkx.read_gexf(FILE), 'edges.txt', "
                  "data=False)"},
    ForeignFormat{.name = "GraphML",
                  .extensions = "graphml",
                  .recognizes =
                      [](const FileStart& start) {
                        return first_word(start.text(), "<") &&
                               start.text().find("<graphml") != std::string_view::npos;
                      },
                  .advice = "NetworkX reads it: networkx.write_edgelist(networkx.read_graphml(FILE), "
                            "'edges.txt', data=False)"},
    ForeignFormat{.name = "XML",
                  .extensions = "xml",
                  .recognizes = [](const FileStart& start) { return first_word(start.text(), "<?xml"); },
                  .advice = "make a list of edges of it"},
    ForeignFormat{.name = "GML",
                  .extensions = "gml",
                  .recognizes = is_gml,
                  .advice =
                      "NetworkX reads it: networkx.write_edgelist(networkx.read_gml(FILE), 'edges.txt', "
                      "data=False)"},
    ForeignFormat{.name = "a Pajek network",
                  .extensions = "net paj",
                  .recognizes =
                      [](const FileStart& start) {
                        return first_word(start.text(), "*vertices") || first_word(start.text(), "*network");
                      },
                  .advice =
                      "NetworkX reads it: networkx.write_edgelist(networkx.read_pajek(FILE), 'edges.txt', "
                      "data=False)"},
    ForeignFormat{.name = "sparse6",
                  .extensions = "s6",
                  .recognizes = [](const FileStart& start) { return start.starts_with(">>sparse6<<"); },
                  .mark_optional = true,
                  .advice = "NetworkX reads it: networkx.write_edgelist(networkx.read_sparse6(FILE), "
                            "'edges.txt', data=False)"},
    ForeignFormat{.name = "graph6",
                  .extensions = "g6",
                  .recognizes = [](const FileStart& start) { return start.starts_with(">>graph6<<"); },
                  .mark_optional = true,
                  .advice =
                      "NetworkX reads it: networkx.write_edgelist(networkx.read_graph6(FILE), 'edges.txt', "
                      "data=False)"},
    ForeignFormat{
        .name = "JSON",
        .extensions = "json jsonl ndjson",
        .recognizes =
            [](const FileStart& start) {
              return first_word(start.text(), "{\"") ||
                     (start.extension == "json" &&
                      (first_word(start.text(), "[") || first_word(start.text(), "{")));
            },
        .advice = "jq -r '.[] | [.source, .target] | @tsv' FILE prints edges of an array of objects"},
    ForeignFormat{
        .name = "an SQL dump",
        .extensions = "",
        .recognizes =
            [](const FileStart& start) {
              constexpr std::string_view starts[] = {"insert into",         "create table",
                                                     "pragma foreign_keys", "-- postgresql database dump",
                                                     "-- mysql dump",       "-- mariadb dump"};
              const std::string_view text = start.text();
              return std::ranges::any_of(starts,
                                         [&](std::string_view word) { return first_word(text, word); }) ||
                     (first_word(text, "copy ") &&
                      text.substr(0, text.find('\n')).find(" FROM stdin;") != std::string_view::npos);
            },
        .advice = "export the table as CSV instead: psql -c '\\copy (SELECT source, target FROM ...) TO "
                  "STDOUT CSV', mysql --batch -N -e, sqlite3 -csv or duckdb -csv print edges"},
    ForeignFormat{.name = "a pickle of Python",
                  .extensions = "pkl pickle gpickle",
                  .advice = "numpy.save of an m x 2 array makes an .npy file"},
};

bool has_extension(const ForeignFormat& format, std::string_view extension) {
  for (std::string_view rest = format.extensions; !rest.empty() && !extension.empty();) {
    const std::size_t length = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, length) == extension) return true;
    rest.remove_prefix(std::min(length + 1, rest.size()));
  }
  return false;
}

}  // namespace

const ForeignFormat* foreign_format(std::string_view extension) {
  const auto found =
      std::find_if(foreign_table.begin(), foreign_table.end(),
                   [&](const ForeignFormat& format) { return has_extension(format, extension); });
  return found == foreign_table.end() ? nullptr : &*found;
}

const ForeignFormat* foreign_format(const FileStart& start) {
  const auto found = std::find_if(
      foreign_table.begin(), foreign_table.end(),
      [&](const ForeignFormat& format) { return format.recognizes != nullptr && format.recognizes(start); });
  if (found != foreign_table.end()) return &*found;
  const ForeignFormat* const named = foreign_format(start.extension);
  const bool text_alone = named != nullptr && (named->mark_optional || named->recognizes == nullptr);
  return text_alone && !start.bytes.empty() ? named : nullptr;
}

}  // namespace emgraph::graph::format
