// How a test runs a rearrangement slab by slab: with the reference, a poisoned workspace between guard zones, and each end in memory or
// handed over in slabs.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>

#include "form/slabs.hpp"
#include "support/guard.hpp"

namespace crinkle {

enum class End { in_memory, in_slabs };

struct MovedInSlabs {
  Bytes bytes;  // of the destination's span
  std::int64_t workspace_bytes = 0;
  int n_passes = 0, n_read = 0, n_taken = 0;
};

/// The bytes of r's destination span after r in slabs of at most `limit` bytes together. Throws when anything else was touched.
inline MovedInSlabs moved_in_slabs(const Rearrangement& r, const Bytes& source, std::int64_t limit, End src_end = End::in_memory,
                                   End dst_end = End::in_memory, std::int64_t multiple = 1) {
  Guarded src(span_of(r.source()), source), dst(span_of(r.destination()));
  MovedInSlabs result;
  Guarded* between = nullptr;
  std::int64_t taken_to = 0;
  Slabs::Actions actions;
  actions.read_multiple = actions.take_multiple = multiple;
  actions.run = [&](const Step& step, Place from, Place to) {
    const std::byte* in = (from.array == Place::In::source ? src.origin() : between->origin()) + from.at;
    std::byte* out = (to.array == Place::In::destination ? dst.origin() : between->origin()) + to.at;
    run_reference(step, {&in, 1}, {&out, 1});
    ++result.n_passes;
  };
  if (src_end == End::in_slabs) {
    actions.read = [&](ByteSpan slab, std::int64_t at) {
      if (slab.first % multiple != 0) throw std::logic_error("a slab begins beside the multiples");
      std::copy(source.begin() + slab.first, source.begin() + slab.last, between->origin() + at);
      ++result.n_read;
    };
  }
  if (dst_end == End::in_slabs) {
    actions.take = [&](ByteSpan slab, std::int64_t at) {
      if (slab.first != taken_to || slab.first % multiple != 0) throw std::logic_error("slabs do not follow one another");
      std::copy(between->origin() + at, between->origin() + at + (slab.last - slab.first), dst.origin() + slab.first);
      taken_to = slab.last;
      ++result.n_taken;
    };
  }
  Slabs slabs(r, limit, std::move(actions));
  Guarded workspace({0, slabs.workspace_bytes()});
  between = &workspace;
  slabs.run();
  if (!workspace.is_intact()) throw std::logic_error("written beside the workspace");
  if (!dst.is_intact()) throw std::logic_error("written beside the destination");
  if (!src.is_intact() || src.content() != source) throw std::logic_error("the source was written");
  result.bytes = dst.content();
  result.workspace_bytes = slabs.workspace_bytes();
  return result;
}

}  // namespace crinkle
