// SPDX-License-Identifier: MIT
// From a layout known at run time to a Record type known at compile time, once per run.
#pragma once

#include <cstdint>
#include <utility>

#include "graph/edge_facts.hpp"
#include "graph/types.hpp"

namespace emgraph::apps {

/// Calls `work.template operator()<Id>()` with the Id of `id_bytes` (4 or 8).
template <class Work>
decltype(auto) with_id_type(std::size_t id_bytes, Work&& work) {
  if (id_bytes == 4) return work.template operator()<std::uint32_t>();
  return work.template operator()<std::uint64_t>();
}

/// The attachment sizes a command is compiled for, ascending.
template <std::size_t... A>
struct Attachments {};
using AllAttachments = Attachments<0, 4, 8, 16, 32, 64>;
using NoAttachments = Attachments<0>;

/// Calls `work.template operator()<R>()` with the smallest Record of the list that holds edges of `layout`,
/// or the largest there is: readers then drop what does not fit.
template <std::size_t A, std::size_t... Larger, class Work>
decltype(auto) with_record_type(const graph::EdgeLayout& layout, Attachments<A, Larger...>, Work&& work) {
  if constexpr (sizeof...(Larger) > 0) {
    if (layout.attachment_bytes() > A) return with_record_type(layout, Attachments<Larger...>(), work);
  }
  return with_id_type(layout.id_bytes, [&]<class Id>() -> decltype(auto) {
    return work.template operator()<graph::Record<Id, A>>();
  });
}

}  // namespace emgraph::apps
