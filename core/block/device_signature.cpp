// SPDX-License-Identifier: MIT
// A table of magic numbers. Their places are those of the formats' own documents: the ext4, btrfs and XFS
// disk format pages of the kernel, the LUKS2, md and LVM2 on-disk formats, UEFI 2.10 section 5.3 (GPT).
#include "core/block/device_signature.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::core {
namespace {

using namespace std::string_view_literals;

struct Magic {
  std::uint64_t offset;
  std::string_view bytes;
  const char* name;
};

constexpr std::string_view md_magic = "\xfc\x4e\x2b\xa9"sv;
constexpr std::string_view gpt_magic = "EFI PART"sv;

constexpr std::array table = {
    Magic{1080, "\x53\xef"sv, "an ext2, ext3 or ext4 file system"},
    Magic{0, "XFSB"sv, "an XFS file system"},
    Magic{65600, "_BHRfS_M"sv, "a btrfs file system"},
    Magic{1024, "\x10\x20\xf5\xf2"sv, "an F2FS file system"},
    Magic{1024, "\xe2\xe1\xf5\xe0"sv, "an EROFS file system"},
    Magic{4120, "\xc6\x85\x73\xf6\x4e\x1a\x45\xca\x82\x65\xf5\x7f\x48\xba\x6d\x81"sv, "bcache or bcachefs"},
    Magic{65588, "ReIsEr"sv, "a ReiserFS file system"},
    Magic{32768, "JFS1"sv, "a JFS file system"},
    Magic{1030, "\x34\x34"sv, "a NILFS2 file system"},
    Magic{0, "hsqs"sv, "a SquashFS file system"},
    Magic{3, "NTFS    "sv, "an NTFS file system"},
    Magic{3, "EXFAT   "sv, "an exFAT file system"},
    Magic{3, "-FVE-FS-"sv, "a BitLocker volume"},
    Magic{54, "FAT1"sv, "a FAT file system"},
    Magic{82, "FAT32"sv, "a FAT file system"},
    Magic{32, "NXSB"sv, "an APFS container"},
    Magic{1024, "H+\0\x04"sv, "an HFS+ file system"},
    Magic{32769, "CD001"sv, "an ISO 9660 file system"},
    Magic{4086, "SWAPSPACE2"sv, "swap space"},
    Magic{4086, "SWAP-SPACE"sv, "swap space"},
    Magic{65526, "SWAPSPACE2"sv, "swap space"},
    Magic{0, "LUKS\xba\xbe"sv, "a LUKS volume"},
    Magic{16384, "SKUL\xba\xbe"sv, "a LUKS volume"},
    Magic{0, "bluestore block device"sv, "a Ceph volume"},
    Magic{32, "ORCLDISK"sv, "an Oracle ASM disk"},
    Magic{0, md_magic, "a RAID member (md)"},
    Magic{4096, md_magic, "a RAID member (md)"},
    Magic{512, gpt_magic, "a GPT partition table"},
    Magic{4096, gpt_magic, "a GPT partition table"},
};

/// Bytes of the device; shorter at its end or where it cannot be read.
std::string piece(const File& device, std::uint64_t offset, std::size_t bytes) {
  // Direct I/O needs whole pages in aligned memory.
  const std::uint64_t begin = round_down(offset, page_bytes);
  const std::size_t whole = round_up(static_cast<std::size_t>(offset - begin) + bytes, page_bytes);
  std::vector<char> memory(whole + page_bytes);
  void* aligned = memory.data();
  std::size_t room = memory.size();
  std::align(page_bytes, whole, aligned, room);
  const ssize_t got = pread(device.descriptor(), aligned, whole, static_cast<off_t>(begin));
  const auto skipped = static_cast<std::size_t>(offset - begin);
  if (got <= static_cast<ssize_t>(skipped)) return {};
  return {static_cast<const char*>(aligned) + skipped,
          std::min(bytes, static_cast<std::size_t>(got) - skipped)};
}

bool holds(const std::string& start, const Magic& magic) {
  return start.size() >= magic.offset + magic.bytes.size() &&
         std::string_view(start).substr(magic.offset, magic.bytes.size()) == magic.bytes;
}

/// The label of a physical volume is in one of the first four sectors.
bool holds_lvm(std::string_view start) {
  for (std::size_t sector = 0; sector < 4; ++sector) {
    const std::size_t at = sector * 512;
    if (start.size() >= at + 32 && start.substr(at, 8) == "LABELONE" && start.substr(at + 24, 4) == "LVM2")
      return true;
  }
  return false;
}

/// Any two bytes are 55 AA now and then; a partition table also has entries that make sense.
bool holds_mbr(std::string_view start) {
  if (start.size() < 512 || start.substr(510, 2) != "\x55\xaa"sv) return false;
  bool any = false;
  for (std::size_t entry = 446; entry < 510; entry += 16) {
    const auto status = static_cast<unsigned char>(start[entry]);
    if (status != 0 && status != 0x80) return false;
    any = any || start[entry + 4] != 0;
  }
  return any;
}

/// The ring of uberblocks takes the second half of a label of 256 KiB; an uberblock begins with its magic.
bool holds_zfs(std::string_view start) {
  constexpr std::size_t ring = 128 * KiB;
  for (std::size_t at = ring; at + 8 <= start.size() && at < 2 * ring; at += KiB) {
    const std::string_view magic = start.substr(at, 8);
    if (magic == "\x0c\xb1\xba\0\0\0\0\0"sv || magic == "\0\0\0\0\0\xba\xb1\x0c"sv) return true;
  }
  return false;
}

/// md 0.90 and 1.0 and the second GPT header are at the end.
std::optional<std::string> signature_at_end(const File& device, std::uint64_t bytes) {
  constexpr std::uint64_t md_old = 64 * KiB;
  if (bytes < 2 * md_old) return std::nullopt;
  const std::uint64_t sectors = bytes / 512;
  const std::uint64_t md_new = round_down(sectors - 16, std::uint64_t{8}) * 512;
  for (const std::uint64_t offset : {round_down(bytes, md_old) - md_old, md_new}) {
    if (piece(device, offset, md_magic.size()) == md_magic) return "a RAID member (md)";
  }
  if (piece(device, bytes - 512, gpt_magic.size()) == gpt_magic) return "a GPT partition table (its copy)";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> device_signature(const File& device, std::uint64_t bytes) {
  const std::string start = piece(device, 0, 256 * KiB);
  for (const Magic& magic : table) {
    if (holds(start, magic)) return magic.name;
  }
  if (holds_lvm(start)) return "an LVM physical volume";
  if (holds_zfs(start)) return "a ZFS pool member";
  if (holds_mbr(start)) return "a partition table";
  return signature_at_end(device, bytes);
}

}  // namespace emgraph::core
