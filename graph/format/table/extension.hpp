// SPDX-License-Identifier: MIT
// File name extensions.
#pragma once

#include <algorithm>
#include <string>

namespace emgraph::graph::format {

/// The part after the last dot of the last path component, in lower case; "" if there is none.
inline std::string extension_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot == 0) return "";
  std::string extension = name.substr(dot + 1);
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return extension;
}

}  // namespace emgraph::graph::format
