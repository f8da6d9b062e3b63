// SPDX-License-Identifier: MIT
// The paper's jobs on STXXL 1.4.1, pipelined: the peer of emgraph's measurements.
//
// - random: generate, orient, sort, unique, maximal independent set; no intermediate file.
// - file: unsorted raw u32 pairs to sorted, unique raw u32 pairs.
// - queue: the messages of a sorted, oriented, unique file through the priority queue alone.
//
// The set is the lexicographically first one, computed by time-forward processing: a node in the set sends a
// message to each larger neighbour through the priority queue; a node is in the set if it gets no message.
// (Dementiev, Kettner, Sanders: STXXL: standard template library for XXL data sets. Software: Practice and
// Experience 38(6), 2008.)
//
// Tuned for STXXL: a key is one 64-bit integer. The run creator takes all memory; later the merger and the
// queue share it. All cores sort runs. --queue-threads is the number of OpenMP threads for merging and the
// queue. On two idle cores two threads are faster than one (whole job 10.4 s and 12.4 s). If other programs
// run, two threads spin and are slower (57 s and more, one thread 23 s). So the default is one; bench_main.py
// tries both.
#include <omp.h>
#include <unistd.h>

#include <cstdint>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

#include <stxxl/io>
#include <stxxl/sorter>
#include <stxxl/stats>
#include <stxxl/vector>

#include "scripts/peers/stxxl_options.hpp"
#include "scripts/peers/stxxl_session.hpp"
#include "scripts/peers/stxxl_time_forward.hpp"

namespace peer {
namespace {

void report(const MisResult& result, const Options& o, Summary& summary) {
  summary.add("nodes", o.nodes);
  summary.add("edges_unique", result.edges);
  summary.add("messages", result.messages);
  summary.add("mis_size", o.nodes - result.excluded);
}

/// The shares of the merger and the queue in the memory, which the run creator had alone before.
struct Shares {
  uint64_t creator_bytes, merger_bytes, pool_bytes;
  explicit Shares(const Options& o) {
    if (o.memory_mebibytes < 192) throw std::runtime_error("--memory must be at least 192 (MiB)");
    creator_bytes = o.memory_mebibytes * mebibyte;
    pool_bytes = o.memory_mebibytes / 8 * mebibyte;
    merger_bytes = creator_bytes - queue_inner_mebibytes * mebibyte - pool_bytes;
  }
};

uint64_t mix(uint64_t x) {  // the finalizer of splitmix64
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

void set_payload(Edge8&, uint64_t) {}
void set_payload(Edge16& e, uint64_t value) {
  e.payload = value;
}

template <class E>
void run_random(const Options& o) {
  Summary summary(o);
  const Shares shares(o);
  const double start = now_seconds();
  using Sorter = stxxl::sorter<E, ByKey<E>>;
  Sorter sorter(ByKey<E>(), shares.creator_bytes, shares.merger_bytes);
  uint64_t loops = 0;
  for (uint64_t i = 0; i < o.edges; ++i) {
    const uint64_t bits = mix(mix(o.seed) + (i + 1) * 0x9e3779b97f4a7c15);
    const uint32_t a = uint32_t((bits >> 32) * o.nodes >> 32);
    const uint32_t b = uint32_t((bits & 0xffffffff) * o.nodes >> 32);
    if (a == b) {
      ++loops;
      continue;
    }
    E edge;
    edge.key = a < b ? edge_key(a, b) : edge_key(b, a);
    set_payload(edge, i);
    sorter.push(edge);
  }
  sorter.sort();
  const double sorted = now_seconds();
  omp_set_num_threads(int(o.queue_threads));
  Unique<Sorter, E> edges(sorter);
  const MisResult result = time_forward(edges, shares.pool_bytes);
  summary.add("edges", o.edges);
  summary.add("loops", loops);
  report(result, o, summary);
  if (o.payload_bytes) summary.add("payload_sum", edges.payload_sum());
  summary.add_seconds("run_formation_seconds", sorted - start);
  summary.add_seconds("merge_and_mis_seconds", now_seconds() - sorted);
  summary.print();
}

/// A raw u32 pair in a file: eight bytes.
struct RawPair {
  uint32_t source;
  uint32_t target;
};

using PairVector = stxxl::vector<RawPair, 4, stxxl::lru_pager<8>, 2 * mebibyte>;

/// Opens an existing file of pairs for reading with direct I/O.
std::unique_ptr<stxxl::file> open_input(const std::string& path) {
  using stxxl::file;
  return std::unique_ptr<file>(new stxxl::syscall_file(path, file::RDONLY | file::DIRECT | file::NO_LOCK));
}

void run_file(const Options& o) {
  Summary summary(o);
  const uint64_t creator_bytes = o.memory_mebibytes * mebibyte;
  const uint64_t buffers = 8;
  uint64_t read = 0, loops = 0, written = 0;
  using Sorter = stxxl::sorter<Edge8, ByKey<Edge8>>;
  Sorter sorter(ByKey<Edge8>(), creator_bytes - 2 * buffers * PairVector::block_size,
                creator_bytes - 2 * buffers * PairVector::block_size);
  {
    const auto file = open_input(o.files[0]);
    const PairVector input(file.get());
    for (PairVector::bufreader_type reader(input, buffers); !reader.empty(); ++reader) {
      RawPair pair = *reader;
      ++read;
      if (o.no_loops && pair.source == pair.target) {
        ++loops;
        continue;
      }
      if (o.orient && pair.source > pair.target) std::swap(pair.source, pair.target);
      Edge8 edge;
      edge.key = edge_key(pair.source, pair.target);
      sorter.push(edge);
    }
  }
  sorter.sort();
  {
    using stxxl::file;
    stxxl::syscall_file output_file(o.files[1], file::CREAT | file::TRUNC | file::RDWR | file::DIRECT);
    PairVector output(&output_file);
    output.resize(sorter.size());
    {
      PairVector::bufwriter_type writer(output, buffers);
      for (Unique<Sorter, Edge8> edges(sorter); !edges.empty(); ++edges) {
        RawPair pair;
        pair.source = uint32_t(edges.key() >> 32);
        pair.target = uint32_t(edges.key());
        writer << pair;
        ++written;
      }
      writer.finish();
    }
    output.resize(written, true);
  }
  if (truncate(o.files[1].c_str(), off_t(written * sizeof(RawPair))) != 0)
    throw std::runtime_error("cannot truncate " + o.files[1]);
  summary.add("edges", read);
  summary.add("loops", loops);
  summary.add("edges_unique", written);
  summary.print();
}

/// Keys of a sorted file of pairs.
class FileKeys {
 public:
  explicit FileKeys(const PairVector& input) : reader_(input, 8) {}
  bool empty() const { return reader_.empty(); }
  uint64_t key() const { return edge_key(reader_->source, reader_->target); }
  FileKeys& operator++() {
    ++reader_;
    return *this;
  }

 private:
  PairVector::bufreader_type reader_;
};

void run_queue(const Options& o) {
  Summary summary(o);
  omp_set_num_threads(int(o.queue_threads));
  const auto file = open_input(o.files[0]);
  const PairVector input(file.get());
  FileKeys edges(input);
  report(time_forward(edges, Shares(o).pool_bytes), o, summary);
  summary.print();
}

}  // namespace
}  // namespace peer

int main(int argc, char** argv) try {
  using namespace peer;
  const Options o = parse(argc, argv);
  const Scratch scratch(o);
  if (o.mode == "file") {
    run_file(o);
  } else if (o.mode == "queue") {
    run_queue(o);
  } else if (o.payload_bytes == 8) {
    run_random<Edge16>(o);
  } else {
    run_random<Edge8>(o);
  }
  return 0;
} catch (const std::exception& error) {
  std::cerr << "stxxl_mis: " << error.what() << "\n";
  return 1;
}
