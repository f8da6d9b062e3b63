// SPDX-License-Identifier: MIT
// Converts raw u32 pairs to the formats of the peers: peer_edges both-ways|x-stream|el|u32w IN.u32 OUT
//
// - both-ways: u32 pairs, every edge in both directions (GridGraph treats edges as directed). OUT.nodes holds
//   the largest id + 1.
// - x-stream: the same with a float weight after each pair (X-Stream's type 1), which is the weight of
//   `emgraph mst --weights hash`; OUT.ini names OUT without its directory.
// - el: a line of text per edge, for GAPBS's converter.
// - u32w: each pair with the weight of `emgraph sssp --weights hash` as a third u32.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using std::uint32_t;
using std::uint64_t;

constexpr size_t piece_bytes = 1 << 20;

struct Pair {
  uint32_t source, target;
};

/// Collects bytes and writes them in large pieces.
class Output {
 public:
  explicit Output(const std::string& path) : path_(path), file_(path, std::ios::binary) {}
  template <class T>
  void add(const T& value) {
    const char* bytes = reinterpret_cast<const char*>(&value);
    buffer_.insert(buffer_.end(), bytes, bytes + sizeof value);
  }
  void add_number(uint32_t value, char end) {
    char text[11];
    char* last = std::to_chars(text, text + 10, value).ptr;
    *last++ = end;
    buffer_.insert(buffer_.end(), text, last);
  }
  void flush(size_t at_least) {
    if (buffer_.size() < at_least) return;
    file_.write(buffer_.data(), std::streamsize(buffer_.size()));
    buffer_.clear();
  }
  void close() {
    flush(0);
    file_.close();
    if (!file_) throw std::runtime_error("cannot write " + path_);
  }

 private:
  std::string path_;
  std::ofstream file_;
  std::vector<char> buffer_;
};

uint32_t hash_weight(const Pair& e) {
  const uint64_t low = std::min(e.source, e.target), high = std::max(e.source, e.target);
  return uint32_t((low * 2654435761 ^ high * 40503) % 1000 + 1);
}

struct Counts {
  uint64_t edges = 0;
  uint64_t nodes = 0;  // largest id + 1
};

/// Calls `take` for every pair of the file.
Counts for_each_pair(const std::string& path, const std::function<void(const Pair&)>& take) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<Pair> pairs(1 << 17);
  Counts counts;
  do {
    file.read(reinterpret_cast<char*>(pairs.data()), std::streamsize(pairs.size() * sizeof(Pair)));
    const size_t here = size_t(file.gcount()) / sizeof(Pair);
    for (size_t i = 0; i < here; ++i) {
      take(pairs[i]);
      counts.nodes = std::max(counts.nodes, uint64_t(std::max(pairs[i].source, pairs[i].target)) + 1);
    }
    counts.edges += here;
  } while (file);
  return counts;
}

void write_text(const std::string& path, const std::string& text) {
  if (!(std::ofstream(path) << text).flush()) throw std::runtime_error("cannot write " + path);
}

void write_both_ways(const std::string& input, const std::string& path, bool weights) {
  Output out(path);
  const Counts counts = for_each_pair(input, [&](const Pair& e) {
    out.add(e);
    if (weights) out.add(float(hash_weight(e)));
    out.add(Pair{e.target, e.source});
    if (weights) out.add(float(hash_weight(e)));
    out.flush(piece_bytes);
  });
  out.close();
  const std::string nodes = std::to_string(counts.nodes);
  if (weights) {
    const std::string name = path.substr(path.rfind('/') + 1), edges = std::to_string(2 * counts.edges);
    write_text(path + ".ini",
               "[graph]\nname=" + name + "\ntype=1\nvertices=" + nodes + "\nedges=" + edges + "\n");
  } else {
    write_text(path + ".nodes", nodes + "\n");
  }
}

void write_weighted(const std::string& input, const std::string& path) {
  Output out(path);
  for_each_pair(input, [&](const Pair& e) {
    out.add(e);
    out.add(hash_weight(e));
    out.flush(piece_bytes);
  });
  out.close();
}

void write_lines(const std::string& input, const std::string& path) {
  Output out(path);
  for_each_pair(input, [&](const Pair& e) {
    out.add_number(e.source, ' ');
    out.add_number(e.target, '\n');
    out.flush(piece_bytes);
  });
  out.close();
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string format = argc == 4 ? argv[1] : "";
  if (format == "el") {
    write_lines(argv[2], argv[3]);
  } else if (format == "u32w") {
    write_weighted(argv[2], argv[3]);
  } else if (format == "both-ways" || format == "x-stream") {
    write_both_ways(argv[2], argv[3], format == "x-stream");
  } else {
    std::cerr << "usage: peer_edges both-ways|x-stream|el|u32w IN.u32 OUT\n";
    return 2;
  }
  return 0;
} catch (const std::exception& error) {
  std::cerr << "peer_edges: " << error.what() << "\n";
  return 1;
}
