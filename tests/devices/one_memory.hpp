// Operations over logical devices of the CPU, against the same in one memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include "devices/cases.hpp"

namespace crinkle::spread {

inline std::vector<ConstBuffer> read(const Parts& parts) { return {parts.begin(), parts.end()}; }
inline std::vector<Buffer> written(Parts& parts) { return {parts.begin(), parts.end()}; }

/// `words`: what the plan says of itself, too.
inline void expect_the_bits_of_one_memory(const Case& of, std::int64_t n, Draw& draw, std::int64_t slab_bytes = 1,
                                          const std::string& words = "") {
  const Operation whole = of.make(cpu());
  std::vector<std::vector<std::byte>> inputs;
  std::vector<Parts> parts;
  std::vector<ConstBuffer> in, from;
  for (std::size_t k = 0; k < of.in.size(); ++k) {
    inputs.push_back(numbers(whole.inputs()[k], draw));
    parts.push_back(taken_apart(of.in[k], inputs[k], n, whole.inputs()[k].layout.element_bytes));
  }
  for (const auto& input : inputs) in.emplace_back(input);
  for (const Parts& some : parts) from.insert(from.end(), some.begin(), some.end());
  std::vector<std::byte> made(static_cast<std::size_t>(whole.outputs()[0].layout.n_bytes()));
  whole.run(in, std::vector<Buffer>{made});
  const std::int64_t bytes = whole.outputs()[0].layout.element_bytes;
  const Parts right = taken_apart(of.out, made, n, bytes);
  for (const bool is_staged : {false, true}) {
    const DevicesPlan planned =
        plan(of.make, of.in, of.out, Devices::logical(cpu(), n), {.is_staged = is_staged, .slab_bytes = slab_bytes});
    if (!is_staged) { ASSERT_NE(planned.describe().find(words), std::string::npos) << words << "\n" << planned.describe(); }
    for (int time = 0; time < 2; ++time) {
      Parts have = poisoned(of.out, n, bytes);
      planned.run(from, written(have));
      for (std::size_t k = 0; k < have.size(); ++k)
        ASSERT_EQ(have[k], right[k]) << of.name << (is_staged ? ", staged" : "") << ", device " << k << "\n" << planned.describe();
    }
  }
}

}  // namespace crinkle::spread
