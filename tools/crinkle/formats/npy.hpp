// NumPy's .npy files, versions 1 to 3: "\x93NUMPY", version, header length, then a Python dictionary with exactly the keys descr,
// fortran_order and shape, then the elements. The format is described in numpy/lib/format.py.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "formats/facts.hpp"

namespace crinkle::tool {

bool begins_like_npy(std::span<const std::byte> file);

/// The facts that the header says, held against the bytes that are there. Throws bad_file, unsupported for elements without bytes.
ArrayFacts read_npy(std::span<const std::byte> file, const std::string& path);

/// Everything in front of the elements of a C-order array, a multiple of 64 bytes: what numpy.save would write.
std::string npy_header(const Extents& extents, const std::string& descr);

}  // namespace crinkle::tool
