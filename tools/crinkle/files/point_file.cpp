// SPDX-License-Identifier: BSD-3-Clause
#include "files/point_file.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/checked.hpp"
#include "files/arrays.hpp"

namespace crinkle::tool {

PointFile points_of(std::unique_ptr<Source> source) {
  PointFile file;
  file.source = std::move(source);
  const ArrayFacts& facts = file.source->facts();
  const std::string what = described(facts.path, facts.layout.extents, facts.type);
  if (facts.type.name != "float32" && facts.type.name != "float64")
    throw Error(ErrorCode::unsupported, what + ": points are of float32 and float64; convert it first, as by a.astype('f8') in NumPy");
  const std::size_t n_axes = facts.layout.extents.size();
  if (n_axes != 1 && n_axes != 2)
    throw Error(ErrorCode::unsupported, what + ": points are an array of two axes, [points][features], or of one");
  file.type = facts.type.name == "float32" ? Real::float32 : Real::float64;
  file.n = facts.layout.extents[0];
  file.n_columns = n_axes == 2 ? facts.layout.extents[1] : 1;
  Layout from_origin = facts.layout;
  from_origin.offset = 0;
  const std::byte* bytes = file.source->bytes().data();
  const bool is_swapped = facts.type.descr.starts_with('>');
  const std::int64_t n_bytes = facts.layout.n_bytes();
  file.data = {bytes + facts.layout.offset, n_bytes};
  if (from_origin.is_dense() && !is_swapped) return file;
  const auto element = static_cast<std::size_t>(facts.type.bytes);
  file.own.resize(static_cast<std::size_t>(n_bytes));
  for_each_element(facts.layout, [&](std::int64_t i, std::int64_t at) {
    std::byte* to = file.own.data() + static_cast<std::size_t>(i) * element;
    std::memcpy(to, bytes + at, element);
    if (is_swapped) std::reverse(to, to + element);
  });
  file.data = {file.own.data(), n_bytes};
  return file;
}

std::vector<std::byte> columns_of(const PointFile& file, std::int64_t first, std::int64_t n_columns) {
  const std::int64_t element = bytes_of(file.type), row = n_columns * element;
  std::vector<std::byte> columns(static_cast<std::size_t>(multiply(file.n, row)));
  const auto* from = static_cast<const std::byte*>(file.data.data) + first * element;
  for (std::int64_t i = 0; i < file.n && row > 0; ++i)
    std::memcpy(columns.data() + i * row, from + i * file.n_columns * element, static_cast<std::size_t>(row));
  return columns;
}

}  // namespace crinkle::tool
