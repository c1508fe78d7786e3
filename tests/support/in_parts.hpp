// Operations run in parts of little memory have the bits of one run.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/operations.hpp"

namespace crinkle::testing {

inline void expect_same_in_parts(const Operation& operation, const Buffers& in, std::int64_t memory_bytes, const std::string& what) {
  EXPECT_GT(parts_of(operation, memory_bytes).size(), 1U) << what;
  const Buffers before = untouched_outputs(operation), whole = run_whole(operation, in, before);
  Buffers made = before;
  std::vector<ConstBuffer> from;
  std::vector<Buffer> to;
  for (const Bytes& bytes : in) from.emplace_back(bytes);
  for (Bytes& bytes : made) to.emplace_back(bytes);
  run_in_parts(operation, from, to, default_executor(), {.memory_bytes = memory_bytes});
  for (std::size_t o = 0; o < made.size(); ++o) {
    EXPECT_EQ(difference(operation.outputs()[o], whole[o], made[o]).n, 0) << what;
    EXPECT_EQ(made[o], whole[o]) << what;  // places that are left as they were, too
  }
}

}  // namespace crinkle::testing
