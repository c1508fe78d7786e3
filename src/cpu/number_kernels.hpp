// Elements of 8 and 16 bits side by side, from and to numbers as base/number_element.hpp says, one table of functions per
// instruction set (cpu/targets-inl.hpp). SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "crinkle/number.hpp"

namespace crinkle::simd {

template <class T>
struct NumbersOf {
  void (*load)(const std::byte* from, std::int64_t n, T* to);
  void (*store)(const T* from, std::int64_t n, std::byte* to);
};

struct NumberKernels {
  struct Element {
    Number number;
    NumbersOf<float> float32;
    NumbersOf<double> float64;
  };
  const char* target;
  Element elements[3];

  /// nullptr where there are none for the type. T: float or double.
  template <class T>
  const NumbersOf<T>* of(NumberType type) const {
    for (const Element& element : elements) {
      if (element.number != type.number || type.is_swapped) continue;
      if constexpr (sizeof(T) == 4) return &element.float32;
      else return &element.float64;
    }
    return nullptr;
  }

  /// The table of the best instruction set that this machine has; all of them, best first, the last one plain C++.
  static const NumberKernels& best();
  static std::vector<const NumberKernels*> all();
};

}  // namespace crinkle::simd
