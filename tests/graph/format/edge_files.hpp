// SPDX-License-Identifier: MIT
// What the tests of edge formats share: edges of every kind, files and pipes to send them through.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "graph/format/table/open.hpp"
#include "tests/oracle/ascending.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/record.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tiny_environment.hpp"
#include "tests/support/whole_file.hpp"

namespace emgraph::tests {

using namespace emgraph::graph;          // NOLINT: test code
using namespace emgraph::graph::format;  // NOLINT: test code
using core::KiB;
using core::MiB;

inline void spit(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

inline EdgeFacts facts_of(const EdgeLayout& layout) {
  EdgeFacts facts;
  facts.layout = layout;
  return facts;
}

inline EdgeFacts sorted_facts(bool unique = false) {
  EdgeFacts facts;
  facts.order = EdgeOrder::source_target;
  facts.unique = unique;
  return facts;
}

template <class R>
bool same_record(const R& a, const R& b) {
  if (a.source != b.source || a.target != b.target) return false;
  if constexpr (R::attachment_bytes != 0) return a.attachment == b.attachment;
  return true;
}

template <class R>
bool same_records(const std::vector<R>& a, const std::vector<R>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_record<R>);
}

template <class R>
bool before(const R& a, const R& b) {
  return a.source != b.source ? a.source < b.source : a.target < b.target;
}

/// Random edges with ids below `nodes`; attachments filled for `used` bytes.
template <class R>
std::vector<R> random_records(std::size_t count, std::uint64_t nodes, std::size_t used, bool sorted,
                              std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  std::vector<R> records(count);
  for (R& record : records) {
    record = R{};
    record.source = static_cast<typename R::id_type>(random() % nodes);
    record.target = static_cast<typename R::id_type>(random() % nodes);
    if constexpr (R::attachment_bytes != 0) {
      // Small values, so that they are numbers for every weight type.
      for (std::size_t i = 0; i < used; i += 4) record.attachment[i] = std::byte(random() % 100);
    }
  }
  if (!sorted) return records;
  std::vector<std::uint64_t> ends;
  ends.reserve(2 * records.size());
  for (const R& record : records) {
    ends.push_back(record.source);
    ends.push_back(record.target);
  }
  return in_order_of(records, ends, 2);
}

template <class R>
void write_edges(core::Environment& environment, const std::string& path, const EdgeFacts& facts,
                 const CreateOptions& options, const std::vector<R>& records, std::size_t batch = 1000) {
  const auto writer = create_edges(environment, path, facts, options);
  for (std::size_t i = 0; i < records.size(); i += batch) {
    append(*writer, std::span<const R>(records).subspan(i, std::min(batch, records.size() - i)));
  }
  writer->finish();
  REQUIRE(writer->edges() == records.size());
}

/// Reads with as many threads as lanes and puts the batches in order by first_edge().
template <class R>
std::vector<R> drain(TypedSource<R>& source, unsigned lanes) {
  std::map<std::uint64_t, std::vector<R>> batches;
  std::mutex mutex;
  std::exception_ptr error;
  const auto work = [&] {
    try {
      const auto lane = source.lane();
      for (auto batch = lane->next(); !batch.empty(); batch = lane->next()) {
        const std::lock_guard lock(mutex);
        batches.emplace(lane->first_edge(), std::vector<R>(batch.begin(), batch.end()));
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      error = std::current_exception();
    }
  };
  if (lanes == 1) {
    work();
  } else {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < lanes; ++i) threads.emplace_back(work);
  }
  if (error) std::rethrow_exception(error);
  std::vector<R> all;
  for (const auto& [first, batch] : batches) {
    REQUIRE(first == all.size());
    all.insert(all.end(), batch.begin(), batch.end());
  }
  return all;
}

template <class R>
std::vector<R> read_edges(core::Environment& environment, const std::string& path, OpenOptions options = {},
                          unsigned lanes = 1) {
  options.max_lanes = lanes;
  return drain(*typed_source<R>(*open_edges(environment, path, options)), lanes);
}

/// A named pipe through which a thread sends `content` once.
class Pipe {
 public:
  Pipe(const TemporaryDirectory& directory, std::string content)
      : path_(directory.file("pipe" + std::to_string(counter_++))), content_(std::move(content)) {
    std::signal(SIGPIPE, SIG_IGN);
    REQUIRE(mkfifo(path_.c_str(), 0600) == 0);
    thread_ = std::jthread([this] {
      const int descriptor = open(path_.c_str(), O_WRONLY);
      for (std::size_t done = 0; done < content_.size();) {
        const ssize_t bytes = write(descriptor, content_.data() + done, content_.size() - done);
        if (bytes <= 0) break;
        done += static_cast<std::size_t>(bytes);
      }
      close(descriptor);
      done_ = true;
    });
  }
  ~Pipe() {
    // The thread may wait for a reader. One that comes and goes ends its open() or its write().
    while (!done_) {
      close(open(path_.c_str(), O_RDONLY | O_NONBLOCK));
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    thread_.join();
    unlink(path_.c_str());
  }
  const std::string& path() const { return path_; }

 private:
  inline static std::atomic<int> counter_{0};
  std::string path_;
  const std::string content_;
  std::atomic<bool> done_{false};
  std::jthread thread_;
};

}  // namespace emgraph::tests
