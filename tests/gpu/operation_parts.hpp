// Parts of operations on a real GPU: from memory that holds just what they need, with the bits of the whole.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "on_gpu.hpp"
#include "support/operations.hpp"

namespace crinkle::testing {

/// What an operation planned for the device makes of these bytes; of a place that it leaves as it was `before` has the bytes.
inline Buffers run_on_gpu(const Operation& operation, const Buffers& in, const Buffers& before) {
  std::vector<Lent> from, to;
  std::vector<ConstBuffer> sources;
  std::vector<Buffer> destinations;
  const auto lend = [](std::vector<Lent>& all, const Bytes& bytes) {
    all.emplace_back(std::ssize(bytes));
    if (!bytes.empty()) copy_bytes(ConstBuffer(bytes), all.back());
  };
  for (const Bytes& bytes : in) lend(from, bytes);
  for (const Bytes& bytes : before) lend(to, bytes);
  for (const Lent& memory : from) sources.emplace_back(memory);
  for (const Lent& memory : to) destinations.emplace_back(memory);
  const Stream stream(cuda());
  operation.run(sources, destinations, stream);
  stream.synchronize();
  Buffers out = before;
  for (std::size_t o = 0; o < out.size(); ++o)
    if (!out[o].empty()) copy_bytes(to[o], Buffer(out[o]));
  return out;
}

/// Every part of one random partition, and all of them together.
inline void expect_parts_on_gpu(const Operation& operation, const Buffers& in, std::mt19937_64& random, const std::string& what) {
  if (operation.cuts().empty()) return;
  const Buffers before = untouched_outputs(operation), whole = run_on_gpu(operation, in, before);
  Buffers made = before;
  for (const Ranges& ranges : random_parts(operation, random)) {
    const std::vector<Ranges> needs = operation.needs(ranges), gives = operation.gives(ranges);
    Buffers from, to;
    for (std::size_t i = 0; i < in.size(); ++i) from.push_back(taken(operation.inputs()[i].layout, in[i], needs[i]));
    for (std::size_t o = 0; o < made.size(); ++o) to.push_back(taken(operation.outputs()[o].layout, made[o], gives[o]));
    to = run_on_gpu(operation.part(ranges), from, to);
    for (std::size_t o = 0; o < made.size(); ++o) put_back(operation.outputs()[o].layout, made[o], gives[o], to[o]);
  }
  for (std::size_t o = 0; o < made.size(); ++o) {
    const Difference found = difference(operation.outputs()[o], whole[o], made[o]);
    EXPECT_EQ(found.n, 0) << what << ": parts, output " << o << ", first at element " << found.first << '\n' << operation.describe();
  }
}

}  // namespace crinkle::testing
