// Times small moves from C++, as a module of drive.py: one plan, run as often as asked.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <cstdint>

#include "crinkle/crinkle.hpp"

extern "C" {

/// A plan for a dense array of float32. It is kept for ever.
const void* calls_prepare(const char* spec, int rank, const std::int64_t* extents) {
  return new crinkle::Plan(crinkle::parse(spec, crinkle::Layout::dense({extents, extents + rank}, 4)));
}

void calls_run(const void* plan, const std::byte* src, std::byte* dst, std::int64_t bytes, std::int64_t n) {
  const auto& p = *static_cast<const crinkle::Plan*>(plan);
  for (std::int64_t k = 0; k < n; ++k) p.run({src, bytes}, {dst, bytes});
}
}
