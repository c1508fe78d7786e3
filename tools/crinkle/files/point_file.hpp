// Points, and spheres, from files: arrays of float32 or float64 of one or two axes, in any byte order and memory order.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "crinkle/pairs.hpp"
#include "formats/source.hpp"

namespace crinkle::tool {

/// An array [n][n_columns], row by row, in this machine's byte order: the file's own bytes where they lie so. One axis is one column.
struct PointFile {
  std::unique_ptr<Source> source;
  std::vector<std::byte> own;
  ConstBuffer data;
  Real type = Real::float32;
  std::int64_t n = 0, n_columns = 0;

  Points points() const { return {data, type, n, n_columns}; }
};

/// The points of an open source. Throws unsupported for other types and numbers of axes.
PointFile points_of(std::unique_ptr<Source> source);

/// Columns [first, first + n_columns) of the array.
std::vector<std::byte> columns_of(const PointFile& file, std::int64_t first, std::int64_t n_columns);

}  // namespace crinkle::tool
