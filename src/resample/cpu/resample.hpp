// Resampling on a CPU. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/executor.hpp"
#include "crinkle/number.hpp"
#include "resample/form.hpp"

namespace crinkle::resampling {

/// Elements that the kernels read as they lie, T being float or double: uint8, uint16, int16 and float32; float64.
template <class T>
bool is_read_directly(NumberType type) {
  if (type.is_swapped) return false;
  if constexpr (sizeof(T) == 8) return type.number == Number::float64;
  return type.number == Number::float32 || type.number == Number::uint8 || type.number == Number::uint16 || type.number == Number::int16;
}

/// `in` and `out` are where elements [0, 0, …] lie, those of `in` read directly.
template <class T>
void run_on_cpu(const Form& form, const std::byte* in, Number in_type, std::byte* out, NumberType out_type, Executor& executor);

}  // namespace crinkle::resampling
