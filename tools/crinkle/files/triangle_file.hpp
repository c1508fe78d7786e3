// Triangles in files: what layout an array has, by its words and its shape.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "crinkle/triangle.hpp"
#include "formats/source.hpp"

namespace crinkle::tool {

/// n such that `words` keeps so many elements; of none condensed 1, which has no pairs, otherwise 0. Throws bad_shape, naming the two
/// nearest numbers that are right.
std::int64_t rows_of(const TriangleLayout& words, std::int64_t n_elements, const std::string& path);

struct TriangleFile {
  std::unique_ptr<Source> source;
  TriangleLayout layout;
  ConstBuffer data;
};

/// Opens an input. A file that says itself what it holds is [n][n] for full and symmetric, whose order is then the file's, else a vector; a
/// raw one needs `n` ≥ 0 and `dtype`. Throws what Source::open() throws, bad_notation for words that contradict the file, bad_shape.
TriangleFile open_triangle(const std::string& path, const std::string& words, std::int64_t n, const std::string& dtype);

/// The layout of an output, likewise: of a matrix in a file that says itself what it holds the rows lie contiguous.
TriangleLayout output_layout(const std::string& path, const std::string& words, const TriangleLayout& input);

bool is_matrix(const TriangleLayout& layout);

}  // namespace crinkle::tool
