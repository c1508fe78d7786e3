// A pass on a CPU: pieces of some hundred positions, and in a piece field by field, as a loop over arrays that a compiler has made vectors
// of does it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "advise/pass.hpp"
#include "crinkle/executor.hpp"

namespace crinkle::advising {

/// Up to four fields of as many bytes whose records step alike, so that one loop serves them.
struct Bundle {
  static constexpr std::size_t most = 4;
  struct Field {
    std::int64_t begin = 0;   // bytes from the memory's first to the group
    std::int64_t offset = 0;  // o
    std::uint32_t add = 0;    // of one that is written
  };

  std::int64_t bytes = 0;         // e, of each
  std::int64_t block = 1;         // B
  std::int64_t record_bytes = 0;  // S
  std::size_t n_fields = 0;
  std::array<Field, most> fields;

  bool is_like(const Bundle& o) const { return bytes == o.bytes && block == o.block && record_bytes == o.record_bytes; }
};

struct CpuPass {
  std::vector<Bundle> reads, writes;
  Visit visit;
};

CpuPass cpu_pass(const Pass& pass);

/// Requires memory of arrays.end bytes. Partition by positions; the outcome does not depend on the number of threads.
void run_pass(const CpuPass& pass, std::byte* memory, Executor& executor);

}  // namespace crinkle::advising
