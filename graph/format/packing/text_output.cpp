// SPDX-License-Identifier: MIT
// Plain files, and packed files with a ring of blocks that are filled, packed by threads, and written.
#include "graph/format/packing/text_output.hpp"

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/format/packing/block_packer.hpp"
#include "graph/format/table/extension.hpp"
#include "graph/format/table/format.hpp"

namespace emgraph::graph::format {

/// Method: the text is cut into blocks of 512 KiB, independent of the sizes of appends. Threads pack the
/// blocks in parallel into gzip members, zstd frames, xz or bzip2 streams, which follow each other in the
/// file; gzip(1), zstd(1), xz(1) and bzip2(1) can read it. The bytes of the file do not depend on threads or
/// memory. Memory: per thread a block, its packed form and the tables of the library, and one more such pair;
/// beyond one thread's at most a quarter of the free memory. Threads: those of the environment, fewer with
/// little memory; one thread at a time may call append() and finish().
class PackedOutput final : public TextOutput {
 public:
  PackedOutput(core::Environment& environment, std::unique_ptr<core::OutputFile> output, Packing packing,
               int level);

  void append(std::span<const std::byte> text) override;
  void finish() override;
  std::uint64_t size() const override { return output_->size(); }

 private:
  struct Slot {
    core::Buffer text;
    core::Buffer packed;
    std::size_t text_bytes = 0;
    std::size_t packed_bytes = 0;
    bool done = false;
  };
  Slot& slot(std::uint64_t block) { return slots_[block % slots_.size()]; }
  void submit();
  void write_oldest();
  void pack_blocks(BlockPacker& packer, const std::stop_token& stop);

  core::Trace* const trace_;
  std::unique_ptr<core::OutputFile> output_;
  core::Reservation tables_;
  std::vector<Slot> slots_;
  std::size_t filled_ = 0;     // bytes of text in the slot of block submitted_
  std::uint64_t written_ = 0;  // number of written blocks
  std::mutex mutex_;           // guards the members below, and Slot::done
  std::condition_variable_any changed_;
  std::uint64_t submitted_ = 0;
  std::uint64_t taken_ = 0;
  std::exception_ptr error_;
  std::unique_ptr<BlockPacker> callers_packer_;  // only if there are no threads
  std::vector<std::jthread> threads_;  // last member: stopped and joined before the others are destroyed
};

namespace {

constexpr std::size_t block_bytes = 512 * core::KiB;

}  // namespace

PackedOutput::PackedOutput(core::Environment& environment, std::unique_ptr<core::OutputFile> output,
                           Packing packing, int level)
    : trace_(environment.io.trace()), output_(std::move(output)) {
  const std::size_t packed_bytes = packed_bound(packing, block_bytes);
  const std::size_t table_bytes = block_packer_bytes(packing, level, block_bytes);
  const std::size_t per_thread = block_bytes + packed_bytes + table_bytes;
  const std::size_t affordable = std::max<std::size_t>(1, environment.memory.available() / 4 / per_thread);
  const std::size_t threads = std::min<std::size_t>(environment.threads, affordable);
  tables_ = environment.memory.reserve(threads * table_bytes, "packing text");
  slots_.resize(threads + 1);
  for (Slot& slot : slots_) {
    slot.text = core::Buffer(environment.memory, block_bytes, "text to be packed");
    slot.packed = core::Buffer(environment.memory, packed_bytes, "packed text");
  }
  std::vector<std::unique_ptr<BlockPacker>> packers;
  for (std::size_t i = 0; i < threads; ++i) packers.push_back(make_block_packer(packing, level));
  try {
    for (std::unique_ptr<BlockPacker>& packer : packers) {
      threads_.emplace_back(
          [this, own = std::move(packer)](const std::stop_token& stop) { pack_blocks(*own, stop); });
    }
  } catch (const std::system_error&) {  // a limit on threads: with none, the caller packs
    if (threads_.empty()) callers_packer_ = make_block_packer(packing, level);
  }
}

void PackedOutput::append(std::span<const std::byte> text) {
  while (!text.empty()) {
    const std::size_t piece = std::min(text.size(), block_bytes - filled_);
    std::memcpy(slot(submitted_).text.data() + filled_, text.data(), piece);
    text = text.subspan(piece);
    filled_ += piece;
    if (filled_ == block_bytes) submit();
  }
}

void PackedOutput::finish() {
  // An empty text has a block, too, because an empty file is not valid gzip or zstd.
  if (filled_ != 0 || submitted_ == 0) submit();
  while (written_ < submitted_) write_oldest();
  output_->finish();
}

void PackedOutput::submit() {
  Slot& filled = slot(submitted_);
  filled.text_bytes = std::exchange(filled_, 0);
  if (callers_packer_ != nullptr) {
    filled.packed_bytes =
        callers_packer_->pack(filled.text.bytes().first(filled.text_bytes), filled.packed.bytes());
    filled.done = true;
  }
  {
    const std::lock_guard lock(mutex_);
    ++submitted_;
  }
  changed_.notify_all();
  if (submitted_ - written_ == slots_.size()) write_oldest();
}

void PackedOutput::write_oldest() {
  Slot& oldest = slot(written_);
  {
    std::unique_lock lock(mutex_);
    core::wait_for_thread(
        changed_, lock, [&] { return oldest.done || error_ != nullptr; }, "wait for packer");
    if (error_ != nullptr) std::rethrow_exception(error_);
    oldest.done = false;
  }
  output_->append(oldest.packed.bytes().first(oldest.packed_bytes));
  ++written_;
}

void PackedOutput::pack_blocks(BlockPacker& packer, const std::stop_token& stop) {
  while (true) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait(lock, stop, [&] { return taken_ < submitted_; })) return;
    Slot& mine = slot(taken_++);
    lock.unlock();
    try {
      const core::TraceSpan packing(trace_, core::TraceKind::work, "pack block");
      mine.packed_bytes = packer.pack(mine.text.bytes().first(mine.text_bytes), mine.packed.bytes());
    } catch (...) {
      lock.lock();
      error_ = std::current_exception();
      lock.unlock();
      changed_.notify_all();
      return;
    }
    lock.lock();
    mine.done = true;
    lock.unlock();
    changed_.notify_all();
  }
}

namespace {

class PlainOutput final : public TextOutput {
 public:
  explicit PlainOutput(std::unique_ptr<core::OutputFile> output) : output_(std::move(output)) {}
  void append(std::span<const std::byte> text) override { output_->append(text); }
  void finish() override { output_->finish(); }
  core::OutputFile* plain_file() override { return output_.get(); }
  std::uint64_t size() const override { return output_->size(); }

 private:
  std::unique_ptr<core::OutputFile> output_;
};

}  // namespace

Packing packing_of_name(const std::string& path) {
  const std::string extension = extension_of(path);
  if (extension == "gz") return Packing::gzip;
  if (extension == "zst") return Packing::zstd;
  if (extension == "xz") return Packing::xz;
  return extension == "bz2" ? Packing::bzip2 : Packing::none;
}

std::string unpacked_name(const std::string& path) {
  if (packing_of_name(path) == Packing::none) return path;
  return path.substr(0, path.rfind('.'));
}

std::optional<int> parse_packing_level(Packing packing, const std::string& text) {
  const std::string name(packing_name(packing));
  const int most = most_packing_level(packing);
  const std::string expected = "expected " + name + " or " + name + ":LEVEL, 1 to " + std::to_string(most);
  const std::string_view all = text;
  if (!all.starts_with(name)) throw core::UsageError("'" + text + "' cannot pack this output, " + expected);
  const std::string_view rest = all.substr(name.size());
  if (rest.empty()) return std::nullopt;
  int level = 0;
  const auto [stop, error] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), level);
  if (rest[0] != ':' || error != std::errc() || stop != rest.data() + rest.size() || level < 1 ||
      level > most) {
    throw core::UsageError("'" + text + "' is not a packing, " + expected);
  }
  return level;
}

std::unique_ptr<TextOutput> open_text_output(const Creation& creation) {
  const Packing packing = packing_of_name(creation.path);
  auto output = creation.open_output();
  if (packing == Packing::none) return std::make_unique<PlainOutput>(std::move(output));
  const int level = creation.options.level.value_or(default_packing_level(packing));
  return std::make_unique<PackedOutput>(creation.environment, std::move(output), packing, level);
}

}  // namespace emgraph::graph::format
