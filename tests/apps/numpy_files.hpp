// SPDX-License-Identifier: MIT
// Arrays as NumPy and SciPy write them.
#pragma once

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

template <class T>
std::string bytes_of(const std::vector<T>& items) {
  std::string bytes(items.size() * sizeof(T), '\0');
  if (!items.empty()) std::memcpy(bytes.data(), items.data(), bytes.size());
  return bytes;
}

inline std::string npy(const std::string& type, const std::string& shape, const std::string& data,
                       bool fortran = false) {
  std::string dict = "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") +
                     ", 'shape': " + shape + ", }";
  dict.resize(118 - 1, ' ');
  dict += '\n';
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(dict.size()) + '\0' + dict + data;
}

/// Writes the members as an archive with zipfile of Python, as numpy.savez does.
inline void write_npz(const Workplace& here, const std::string& name,
                      const std::vector<std::pair<std::string, std::string>>& members, bool deflated) {
  std::string script = "import zipfile\nz = zipfile.ZipFile('" + name + "', 'w', zipfile." +
                       (deflated ? "ZIP_DEFLATED" : "ZIP_STORED") + ")\n";
  for (const auto& [member, content] : members) {
    here.write(member, content);
    script += "with z.open('" + member + "', 'w', force_zip64=True) as f: f.write(open('" + member +
              "', 'rb').read())\n";
  }
  here.write("make.py", script + "z.close()\n");
  here.succeed("python3 make.py");
}

}  // namespace emgraph::tests
