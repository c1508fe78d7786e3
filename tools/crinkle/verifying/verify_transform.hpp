// Checks that a transform was right: its inverse brings back what it was made of.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "crinkle/fft.hpp"

namespace crinkle::tool {

/// Transforms `out` back and compares with the input, as cropped or padded as the transform took it; of a half spectrum with its part that
/// belongs to real numbers. Throws bad_file, naming `path` and both numbers, where they are farther apart than rounding explains. Cost: a
/// transform, and an array of the input's extents in memory. False, and nothing is compared, where the input is not finite throughout.
bool verify_transform(const FftRequest& request, ConstBuffer in, ConstBuffer out, const std::string& path, Executor& executor);

}  // namespace crinkle::tool
