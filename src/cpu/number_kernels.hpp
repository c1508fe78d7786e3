// Elements of 8 and 16 bits side by side, from and to numbers of float32 as base/number_element.hpp says, one table of functions per
// instruction set (cpu/targets-inl.hpp). SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "crinkle/number.hpp"

namespace crinkle::simd {

using LoadNumbers = void (*)(const std::byte* from, std::int64_t n, float* to);
using StoreNumbers = void (*)(const float* from, std::int64_t n, std::byte* to);

struct NumberKernels {
  struct Element {
    Number number;
    LoadNumbers load;
    StoreNumbers store;
  };
  const char* target;
  Element elements[3];

  /// nullptr where there is none for the type.
  const Element* of(NumberType type) const {
    for (const Element& element : elements)
      if (element.number == type.number && !type.is_swapped) return &element;
    return nullptr;
  }

  /// The table of the best instruction set that this machine has; all of them, best first, the last one plain C++.
  static const NumberKernels& best();
  static std::vector<const NumberKernels*> all();
};

}  // namespace crinkle::simd
