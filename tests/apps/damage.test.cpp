// SPDX-License-Identifier: MIT
// Files larger than memory that are truncated, altered or extended: no wrong answer, and no file remains.
#include <catch2/catch.hpp>
#include <random>

#include "tests/apps/run_binary.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

namespace {

const std::uintmax_t edges = sized(3000000, 2200000);

/// Changes the copy "bad.bin" of "good.bin".
void alter(const Workplace& here, std::uintmax_t offset, const std::string& bytes) {
  std::fstream file(here.path("bad.bin"), std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(static_cast<std::streamoff>(offset));
  file << bytes;
}

/// Which of the commands meet which damage.
bool taken() {
  static Sample sample(2);
  return sample.takes();
}

/// From a file and from a pipe: exit code 3 and the name of the input, nothing written.
void require_noticed(const Workplace& here, const std::string& what) {
  INFO(what);
  for (const std::string command : {"mis bad.bin -M 16M -o out.npy", "sort bad.bin -M 16M -o out.bin",
                                    "convert bad.bin -M 16M -o out.bin", "check sorted bad.bin -M 16M"}) {
    INFO(command);
    if (taken()) require_failure(here.run("emgraph " + command), 3, {"bad.bin"});
  }
  if (taken())
    require_failure(here.run("cat bad.bin | emgraph mis - -M 16M -o out.npy"), 3, {"standard input"});
  if (taken())
    require_failure(here.run("cat bad.bin | emgraph sort -u - -M 16M -o out.bin"), 3, {"standard input"});
  CHECK(here.files() == std::vector<std::string>{"bad.bin", "good.bin"});
}

}  // namespace

TEST_CASE("containers larger than memory: damage is noticed") {
  Sample sample(3);
  for (const std::string codec : {"none", "delta", "delta+zstd"}) {
    INFO(codec);
    Workplace here;
    here.succeed("emgraph gen --model gnm --edges 2200K --codec " + codec + " -q -o good.bin");
    const std::uintmax_t size = std::filesystem::file_size(here.path("good.bin"));
    const auto fresh = [&] {
      std::filesystem::copy_file(here.path("good.bin"), here.path("bad.bin"),
                                 std::filesystem::copy_options::overwrite_existing);
    };
    std::mt19937_64 random(5);
    for (const std::uintmax_t kept : {size - 1, size - 96, size - 5000, size / 2, size / 3 / 4096 * 4096}) {
      if (!sample.takes()) continue;
      fresh();
      std::filesystem::resize_file(here.path("bad.bin"), kept);
      require_noticed(here, "cut to " + std::to_string(kept));
    }
    for (int i = 0; i < 4; ++i) {
      if (!sample.takes()) continue;
      fresh();
      const std::uintmax_t place = random() % size;
      const char byte = static_cast<char>(here.read("good.bin")[place] ^ (1 << random() % 8));
      alter(here, place, std::string(1, byte));
      require_noticed(here, "bit flipped at " + std::to_string(place));
      fresh();
      std::string garbage(20000, '\0');
      for (char& c : garbage) c = static_cast<char>(random());
      alter(here, random() % (size - garbage.size()), garbage);
      require_noticed(here, "garbage");
    }
    fresh();
    alter(here, size, "one more line\n");
    require_noticed(here, "continued");
    here.succeed("cat good.bin good.bin > bad.bin");
    require_noticed(here, "twice");
    // A hole: pages that never reached the disk.
    fresh();
    alter(here, size / 2, std::string(8192, '\0'));
    require_noticed(here, "zeros");
    here.succeed("emgraph mis good.bin -M 16M -q");
  }
}

TEST_CASE("raw and NumPy files larger than memory: wrong sizes are noticed") {
  Workplace here;
  const std::string gen = "emgraph gen -q --edges " + std::to_string(edges);
  here.succeed(gen + " -o good.u32 && " + gen + " -o good.npy");
  CHECK(std::filesystem::file_size(here.path("good.u32")) == edges * 8);
  for (const std::string cut : {"1", "7", "8000003"}) {
    INFO(cut);
    here.succeed("head -c -" + cut + " good.u32 > bad.u32; head -c -" + cut + " good.npy > bad.npy");
    for (const std::string file : {"bad.u32", "bad.npy"}) {
      if (taken()) require_failure(here.run("emgraph mis -M 16M -o out.npy " + file), 3, {file});
      if (taken()) require_failure(here.run("emgraph convert -M 16M -o out.bin " + file), 3, {file});
    }
    require_failure(here.run("cat bad.npy | emgraph mis -M 16M -o out.npy - --input-format npy"), 3,
                    {"standard input"});
    require_failure(here.run("cat bad.u32 | emgraph sort -M 16M -o out.bin - --input-format u32"), 3,
                    {"standard input"});
  }
  CHECK(here.files() == std::vector<std::string>{"bad.npy", "bad.u32", "good.npy", "good.u32"});
}

TEST_CASE("packed text larger than memory: damage is noticed") {
  Workplace here;
  here.succeed("emgraph gen --edges " + std::string(sized("2M", "1500K")) +
               " -o good.txt -q && gzip -1 -k good.txt && zstd -q good.txt && rm good.txt");
  std::mt19937_64 random(6);
  for (const std::string ending : {".gz", ".zst"}) {
    const std::string good = here.read("good.txt" + ending);
    const std::string name = "bad.txt" + ending;
    const auto require_refused = [&](const std::string& bytes, const std::string& what) {
      INFO(ending << " " << what);
      here.write(name, bytes);
      if (taken()) require_failure(here.run("emgraph mis -M 16M -o out.npy " + name), 3, {name});
      if (taken())
        require_failure(here.run("cat " + name + " | emgraph sort -M 16M -o out.bin -"), 3,
                        {"standard input"});
    };
    require_refused(good.substr(0, good.size() - 1), "cut by a byte");
    require_refused(good.substr(0, good.size() / 3), "cut");
    for (int i = 0; i < 3; ++i) {
      std::string bad = good;
      const std::size_t place = 100 + random() % (good.size() - 200);
      for (std::size_t k = 0; k < 64; ++k) bad[place + k] = static_cast<char>(random());
      require_refused(bad, "garbage at " + std::to_string(place));
    }
    require_refused(good + "garbage behind", "continued");
  }
  CHECK(here.files() == std::vector<std::string>{"bad.txt.gz", "bad.txt.zst", "good.txt.gz", "good.txt.zst"});
}

}  // namespace emgraph::tests
