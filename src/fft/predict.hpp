// How long a transform will take, as far as two rates tell: memory's and arithmetic's.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "fft/pass.hpp"

namespace crinkle::fft {

/// The cost of one pass.
struct Cost {
  std::int64_t bytes = 0;  // read and written
  double operations = 0;
};

/// 5 N log₂ N of every line, half of that where real lines of an even N are complex ones of N/2, four times as many for a convolution.
double operations_of(const Axis& axis, std::int64_t n_lines);

/// A line for a person: of every pass the longer of bytes at the rate of a plain copy and operations at a stated rate, added up. A CPU's
/// copy is measured, once in a process: some 10 ms; a GPU's is known or not, and its arithmetic is left out.
std::string predicted(const std::vector<Cost>& costs, FftReal real, Device device);

}  // namespace crinkle::fft
