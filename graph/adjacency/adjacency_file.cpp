// SPDX-License-Identifier: MIT
// Opens an adjacency file from both its ends; its pages become edges for lanes.
#include "graph/adjacency/adjacency_file.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include "core/io/checksum.hpp"
#include "graph/adjacency/build_pages.hpp"
#include "graph/format/container_layout.hpp"
#include "graph/format/sampling.hpp"

namespace emgraph::graph::adjacency {
namespace {

constexpr std::uint64_t sample_pages = 128;

/// Smaller than for a search: several lanes read.
std::size_t lane_chunk_bytes(const core::Environment& environment, std::size_t page_bytes) {
  return std::min<std::size_t>(256 * core::KiB, scan_chunk_bytes(environment.memory.available(), page_bytes));
}

}  // namespace

FileEnds read_ends(core::InputFile& input) {
  if (!input.seekable()) {
    throw core::UsageError(input.name() +
                           ": an adjacency is read from its end and from many places; give a regular file, "
                           "not a pipe");
  }
  FileEnds ends;
  std::array<std::byte, sizeof(FileHeader)> start;
  ends.header = read_header(input.name(), std::span(start).first(input.read_at(0, start)));
  std::vector<std::byte> metadata(ends.header.data_offset - sizeof(FileHeader));
  metadata.resize(input.read_at(sizeof(FileHeader), metadata));
  ends.metadata = read_metadata(input.name(), ends.header, metadata);

  std::array<std::byte, sizeof(FileFooter)> end;
  const std::uint64_t size = input.size();
  if (size < ends.header.data_offset + sizeof(FileIndexHead) + end.size()) {
    throw core::DataError::at_offset(input.name(), size, "truncated: the end of the adjacency is missing");
  }
  if (input.read_at(size - end.size(), end) != end.size()) {
    throw core::DataError::at_offset(input.name(), size, "truncated while it was being read");
  }
  ends.footer = read_footer(input.name(), size - end.size(), ends.header, end);
  return ends;
}

template <class Id>
PageIndex<Id> read_index(core::Environment& environment, core::InputFile& input, const FileEnds& ends) {
  const FileFooter& footer = ends.footer;
  const std::uint64_t pages = footer.pages;
  const std::uint64_t bits_offset =
      footer.index_offset + sizeof(FileIndexHead) + core::round_up(pages * sizeof(Id), 8);
  const auto refuse = [&](std::uint64_t offset, const std::string& what) {
    throw core::DataError::at_offset(input.name(), offset, what);
  };
  core::ChecksumStream sum;
  const auto read = [&](std::uint64_t offset, std::span<std::byte> bytes) {
    if (input.read_at(offset, bytes) != bytes.size()) refuse(offset, "truncated while it was being read");
  };
  FileIndexHead head;
  read(footer.index_offset, std::as_writable_bytes(std::span<FileIndexHead, 1>(&head, 1)));
  sum.append(format::bytes_of(head));
  if (head.magic != FileIndexHead{}.magic || head.pages != pages) {
    refuse(footer.index_offset, "no index here, expected one of " + std::to_string(pages) + " pages");
  }
  // The bits of a window of pages are read beside its first nodes; the sums are over one after the other.
  constexpr std::size_t window_pages = 8192;
  const core::Array<Id> first(environment.memory, window_pages, "reading the index of an adjacency");
  const core::Array<std::uint64_t> bits(environment.memory, window_pages / 64,
                                        "reading the index of an adjacency");
  PageIndex<Id> index(environment.memory);
  index.reserve(pages);
  const auto window = [&](std::uint64_t page) {
    return static_cast<std::size_t>(std::min<std::uint64_t>(window_pages, pages - page));
  };
  for (std::uint64_t page = 0; page < pages; page += window_pages) {
    const std::size_t here = window(page);
    const std::uint64_t offset = footer.index_offset + sizeof(head) + page * sizeof(Id);
    // With the padding at the end of all first nodes.
    const std::size_t bytes = static_cast<std::size_t>(core::round_up(here * sizeof(Id), 8));
    read(offset, std::as_writable_bytes(first.span()).first(bytes));
    sum.append(std::as_bytes(first.span()).first(bytes));
    read(bits_offset + page / 8, std::as_writable_bytes(bits.span()).first((here + 63) / 64 * 8));
    for (std::size_t i = 0; i < here; ++i) {
      const bool continues = (bits[i / 64] >> (i % 64) & 1) != 0;
      const std::uint64_t number = page + i;
      // A page that continues a list begins with the last node of the page before it.
      const Id before = number == 0 ? Id{0} : index.first_node(number - 1);
      const bool ordered = number == 0 ? !continues : first[i] > before || (continues && first[i] == before);
      if (!ordered || first[i] >= footer.nodes) {
        refuse(offset + i * sizeof(Id), "the index is damaged: nodes out of order");
      }
      index.add(first[i], continues);
    }
  }
  for (std::uint64_t page = 0; page < pages; page += window_pages) {
    const std::size_t bytes = (window(page) + 63) / 64 * 8;
    read(bits_offset + page / 8, std::as_writable_bytes(bits.span()).first(bytes));
    sum.append(std::as_bytes(bits.span()).first(bytes));
  }
  if (sum.value() != footer.index_checksum) {
    refuse(footer.index_offset, "the index is damaged: its checksum does not match");
  }
  return index;
}

template PageIndex<std::uint32_t> read_index(core::Environment&, core::InputFile&, const FileEnds&);
template PageIndex<std::uint64_t> read_index(core::Environment&, core::InputFile&, const FileEnds&);

namespace {

template <class Id>
std::unique_ptr<PagedAdjacency<Id>> make_adjacency(core::Environment& environment,
                                                   std::shared_ptr<core::InputFile> input,
                                                   const FileEnds& ends, std::size_t chunk_bytes) {
  PageIndex<Id> index = read_index<Id>(environment, *input, ends);
  const AdjacencyFacts facts{.nodes = ends.footer.nodes,
                             .entries = ends.footer.entries,
                             .directed = (ends.header.required_flags & flag_directed) != 0,
                             .largest_degree_node = ends.footer.largest_degree_node,
                             .largest_degree = ends.footer.largest_degree};
  const std::string name = input->name();
  auto store = std::make_unique<PageStore>(environment, std::move(input), ends.header.data_offset,
                                           ends.header.page_bytes, chunk_bytes, ends.footer.pages);
  return std::make_unique<PagedAdjacency<Id>>(environment, facts, name, ends.header.data_offset,
                                              std::move(index), std::move(store));
}

}  // namespace

template <class Id>
std::unique_ptr<PagedAdjacency<Id>> open_adjacency(core::Environment& environment, const std::string& path) {
  auto input = std::make_shared<core::InputFile>(path, environment.io);
  const FileEnds ends = read_ends(*input);
  if (ends.header.id_bytes != sizeof(Id)) {
    throw std::logic_error(path + ": ids of another width than asked for");
  }
  const std::size_t chunk = scan_chunk_bytes(environment.memory.available(), ends.header.page_bytes);
  return make_adjacency<Id>(environment, std::move(input), ends, chunk);
}

template std::unique_ptr<PagedAdjacency<std::uint32_t>> open_adjacency(core::Environment&,
                                                                       const std::string&);
template std::unique_ptr<PagedAdjacency<std::uint64_t>> open_adjacency(core::Environment&,
                                                                       const std::string&);

/// The lanes' side of the two id widths.
class AdjacencyFile::PagesBase {
 public:
  virtual ~PagesBase() = default;
  virtual std::unique_ptr<format::RecordLane> lane(format::LanePlaces::Place place,
                                                   const core::PairShape& shape) = 0;
  virtual void rewind() = 0;
  virtual void sample(std::uint64_t page, const core::PairShape& shape, std::size_t count,
                      std::vector<std::byte>& out) = 0;
};

template <class Id>
class AdjacencyFile::Pages final : public AdjacencyFile::PagesBase {
 public:
  Pages(core::Environment& environment, const std::shared_ptr<core::InputFile>& input, const FileEnds& ends,
        std::size_t chunk_bytes, unsigned lanes)
      : environment_(environment),
        adjacency_(make_adjacency<Id>(environment, input, ends, chunk_bytes)),
        lanes_(lanes),
        first_entries_(static_cast<std::size_t>(adjacency_->store().chunks()) + 1, unknown) {
    first_entries_.front() = 0;
    first_entries_.back() = ends.footer.entries;
  }

  std::unique_ptr<format::RecordLane> lane(format::LanePlaces::Place place,
                                           const core::PairShape& shape) override {
    if (!scan_) scan_.emplace(environment_, adjacency_->store(), lanes_, 0);
    return std::make_unique<Lane>(*this, std::move(place), shape);
  }

  void rewind() override {
    for (Lane* lane : held_by_) lane->release();
    if (scan_) scan_->rewind();
  }

  void sample(std::uint64_t page, const core::PairShape& shape, std::size_t count,
              std::vector<std::byte>& out) override {
    const core::Buffer buffer(environment_.memory, adjacency_->context().page_bytes, "sampling");
    adjacency_->store().read(page, {buffer.bytes()})->wait();
    adjacency_->verify(page, buffer.data());
    Rows rows(environment_.memory, shape, most_entries(adjacency_->context().page_bytes));
    rows.add(adjacency_->context(), page, buffer.data());
    format::take_sample(rows.batch(), shape, count, out);
  }

 private:
  /// No entry takes less than a byte and a quarter.
  static std::size_t most_entries(std::size_t page_bytes) { return page_bytes; }

  /// Edges of pages in the asked shape.
  class Rows {
   public:
    Rows(core::MemoryBudget& budget, const core::PairShape& shape, std::size_t capacity)
        : shape_(shape),
          capacity_(capacity),
          rows_(budget, capacity * shape.row_bytes, "edges of an adjacency") {}

    void clear() { count_ = 0; }
    bool full(std::size_t page_bytes) const { return count_ + most_entries(page_bytes) > capacity_; }
    format::RecordBatch batch() const { return {rows_.data(), count_}; }

    void add(const PageContext& context, std::uint64_t page, const std::byte* bytes) {
      if (shape_.integer_bytes == 4) {
        add_as<std::uint32_t>(context, page, bytes);
      } else {
        add_as<std::uint64_t>(context, page, bytes);
      }
    }

   private:
    template <class RowId>
    void add_as(const PageContext& context, std::uint64_t page, const std::byte* bytes) {
      PageCursor<Id> cursor(context, page, bytes);
      std::array<Id, fragment_neighbours + 3> list;
      std::size_t left = cursor.foot().entries;
      while (cursor.next()) {
        if (cursor.count() > left) break;
        left -= cursor.count();
        cursor.decode(list.data());
        std::byte* to = rows_.data() + count_ * shape_.row_bytes;
        const auto source = static_cast<RowId>(cursor.node());
        for (unsigned i = 0; i < cursor.count(); ++i, to += shape_.row_bytes) {
          const std::array<RowId, 2> row = {source, static_cast<RowId>(list[i])};
          std::memcpy(to, row.data(), sizeof(row));
        }
        count_ += cursor.count();
      }
      if (left != 0) context.refuse(page, "it counts its entries wrongly");
    }

    const core::PairShape shape_;
    const std::size_t capacity_;
    const core::Buffer rows_;  // zeros where nothing is attached
    std::size_t count_ = 0;
  };

  // Consumers put batches in order by the numbers of their edges: chunks must follow each other.
  void check_place(const PageScan::Loaded& chunk) {
    const std::size_t page_bytes = adjacency_->context().page_bytes;
    const PageFoot first = page_foot(chunk.data, page_bytes);
    const PageFoot last = page_foot(chunk.data + (chunk.pages - 1) * page_bytes, page_bytes);
    const auto number = static_cast<std::size_t>(chunk.first_page / adjacency_->store().chunk_pages());
    const std::lock_guard lock(mutex_);
    check_entry(number, first.first_entry, chunk.first_page);
    check_entry(number + 1, last.first_entry + last.entries, chunk.first_page + chunk.pages - 1);
  }
  void check_entry(std::size_t chunk, std::uint64_t entry, std::uint64_t page) {
    std::uint64_t& known = first_entries_[chunk];
    if (known != unknown && known != entry) {
      adjacency_->context().refuse(page, "its entries do not follow those before it");
    }
    known = entry;
  }

  class Lane final : public format::RecordLane {
   public:
    Lane(Pages& pages, format::LanePlaces::Place place, const core::PairShape& shape)
        : pages_(pages),
          place_(std::move(place)),
          rows_(pages.environment_.memory, shape, 4 * most_entries(page_bytes())) {
      const std::lock_guard lock(pages_.mutex_);
      pages_.held_by_.push_back(this);
    }
    ~Lane() override {
      release();
      const std::lock_guard lock(pages_.mutex_);
      std::erase(pages_.held_by_, this);
    }

    format::RecordBatch next() override {
      const PageContext& context = pages_.adjacency_->context();
      if (!held_ || done_ == held_->pages) {
        release();
        held_ = pages_.scan_->next();
        done_ = 0;
        if (!held_) return {};
        pages_.check_place(*held_);
        next_edge_ = page_foot(held_->data, page_bytes()).first_entry;
      }
      rows_.clear();
      first_edge_ = next_edge_;
      for (; done_ < held_->pages && !rows_.full(page_bytes()); ++done_) {
        const std::byte* const page = held_->data + done_ * page_bytes();
        const std::uint64_t number = held_->first_page + done_;
        pages_.adjacency_->verify(number, page);
        const PageFoot foot = page_foot(page, page_bytes());
        if (foot.first_entry != next_edge_) {
          context.refuse(number, "its entries do not follow those before it");
        }
        next_edge_ += foot.entries;
        rows_.add(context, number, page);
      }
      return rows_.batch();
    }
    std::uint64_t first_edge() const override { return first_edge_; }

    void release() {
      if (held_) pages_.scan_->release(*held_);
      held_.reset();
    }

   private:
    std::size_t page_bytes() const { return pages_.adjacency_->context().page_bytes; }
    Pages& pages_;
    const format::LanePlaces::Place place_;
    Rows rows_;
    std::optional<PageScan::Loaded> held_;
    std::uint64_t done_ = 0;
    std::uint64_t first_edge_ = 0;
    std::uint64_t next_edge_ = 0;
  };

  static constexpr std::uint64_t unknown = ~std::uint64_t{0};
  core::Environment& environment_;
  const std::unique_ptr<PagedAdjacency<Id>> adjacency_;
  const unsigned lanes_;
  std::optional<PageScan> scan_;
  std::mutex mutex_;  // guards what follows
  std::vector<Lane*> held_by_;
  std::vector<std::uint64_t> first_entries_;  // of each chunk, as far as known, and the number of all
};

AdjacencyFile::AdjacencyFile(core::Environment& environment, core::InputFile input, unsigned max_lanes)
    : environment_(environment), input_(std::make_shared<core::InputFile>(std::move(input))) {
  ends_ = read_ends(*input_);
  const bool directed = (ends_.header.required_flags & flag_directed) != 0;
  facts_ = {.layout = {.id_bytes = ends_.header.id_bytes},
            .nodes = ends_.footer.nodes,
            .edges = ends_.footer.entries,
            .order = EdgeOrder::source_target,
            .directed = directed,
            .unique = true,
            .no_loops = true,
            .symmetric = !directed,
            .name = input_->name()};
  const std::size_t chunk = lane_chunk_bytes(environment_, ends_.header.page_bytes);
  places_.open(max_lanes, format::affordable_lanes(environment_.memory, 4 * chunk));
  if (ends_.header.id_bytes == 4) {
    pages_ = std::make_unique<Pages<std::uint32_t>>(environment_, input_, ends_, chunk, places_.working());
  } else {
    pages_ = std::make_unique<Pages<std::uint64_t>>(environment_, input_, ends_, chunk, places_.working());
  }
}

AdjacencyFile::~AdjacencyFile() = default;

std::unique_ptr<format::RecordLane> AdjacencyFile::lane(const core::PairShape& shape) {
  const std::lock_guard lock(lane_mutex_);
  format::LanePlaces::Place place = places_.take();
  if (!place.get_deleter().working) return std::make_unique<format::IdleLane>(std::move(place));
  return pages_->lane(std::move(place), shape);
}

void AdjacencyFile::rewind() {
  pages_->rewind();
}

std::vector<std::byte> AdjacencyFile::sample(const core::PairShape& shape, std::size_t count) {
  std::vector<std::byte> records;
  const auto plan = format::plan_sample(ends_.footer.pages, sample_pages, count, environment_.seed);
  for (const std::uint64_t page : plan.places) pages_->sample(page, shape, plan.records_per_place, records);
  return records;
}

}  // namespace emgraph::graph::adjacency
