// SPDX-License-Identifier: MIT
// `gen:` text to ModelSpec: NAME,key=value,...
#include "graph/generate/model_text.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace emgraph::graph::generate {
namespace {

/// Removes and returns the front of `text` up to the next `separator`; all of it if there is none.
std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t length = std::min(text.find(separator), text.size());
  const std::string_view head = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return head;
}

[[noreturn]] void fail(std::string_view found, const char* expected) {
  throw std::invalid_argument("found '" + std::string(found) + "', expected " + expected);
}

void set_key(ModelSpec& spec, std::string_view item, std::string_view key, std::string_view value) {
  if (key == "nodes") {
    spec.nodes = core::parse_count(value);
  } else if (key == "edges") {
    spec.edges = core::parse_count(value);
  } else if (key == "scale") {
    spec.scale = core::parse_count(value);
  } else if (key == "edge-factor") {
    spec.edge_factor = core::parse_count(value);
  } else if (key == "dims") {
    spec.dims = parse_dims(value);
  } else if (key == "seed") {
    spec.seed = core::parse_count(value);
  } else if (key == "weights") {
    parse_weights(value, spec.attachments);
  } else if (key == "payload") {
    spec.attachments.payload_bytes = core::parse_size(value);
  } else {
    fail(item, "nodes= edges= scale= edge-factor= dims= torus seed= weights= or payload=");
  }
}

}  // namespace

std::vector<std::uint64_t> parse_dims(std::string_view text) {
  const std::string all(text);
  std::vector<std::uint64_t> dims;
  for (bool more = true; more;) {
    more = text.find('x') != text.npos;
    try {
      dims.push_back(core::parse_count(take_until(text, 'x')));
    } catch (const core::UsageError& error) {
      throw core::UsageError("found dims '" + all + "', expected AxBx...: " + error.what());
    }
  }
  return dims;
}

void parse_weights(std::string_view text, AttachmentSpec& attachments) {
  if (text == "float") {
    attachments.model_weights = true;
    return;
  }
  if (text.find(':') == text.npos) {
    throw std::invalid_argument("found weights '" + std::string(text) + "', expected LO:HI or float");
  }
  const std::string all(text);
  try {
    const std::string_view low = take_until(text, ':');
    attachments.weights = WeightRange{core::parse_count(low), core::parse_count(text)};
  } catch (const core::UsageError& error) {
    throw core::UsageError("found weights '" + all +
                           "', expected LO:HI, whole numbers, or float: " + error.what());
  }
}

ModelSpec parse_model_text(std::string_view text) {
  ModelSpec spec;
  std::vector<std::string_view> seen;
  std::string_view rest = text;
  for (bool first = true; first || !rest.empty(); first = false) {
    const std::string_view item = take_until(rest, ',');
    std::string_view value = item;
    const bool has_value = item.find('=') != item.npos;
    const std::string_view key = take_until(value, '=');
    if (first && !has_value) {
      if (!item.empty()) spec.name = item;
      continue;
    }
    if (std::find(seen.begin(), seen.end(), key) != seen.end()) fail(item, "each key once");
    seen.push_back(key);
    if (key == "torus" && !has_value) {
      spec.torus = true;
    } else if (!has_value) {
      fail(item, "key=value or torus");
    } else {
      set_key(spec, item, key, value);
    }
  }
  return spec;
}

}  // namespace emgraph::graph::generate
