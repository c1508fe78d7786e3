// A shape becomes the tile of its kind.
// SPDX-License-Identifier: BSD-3-Clause
#include "tile/shape.hpp"

#include "tile/build.hpp"

namespace crinkle::tile {

const char* name_of(Kind kind) noexcept {
  switch (kind) {
    case Kind::rows: return "rows";
    case Kind::transposed: return "transposed";
    case Kind::gathered: return "gathered";
    case Kind::segmented: return "segmented";
    case Kind::records: return "records";
  }
  return "";
}

Tile build(const Box& box, const Shape& shape) {
  if (shape.kind == Kind::rows || shape.kind == Kind::segmented) return build(rows_of(box), shape);
  if (shape.kind == Kind::transposed) return build_transposed(box, shape);
  return build_gathered(box, shape);
}

Tile build(const Rows& rows, const Shape& shape) {
  if (shape.kind == Kind::segmented) return build_segmented(rows, shape);
  return build_rows(rows, shape);
}

const Frame& frame_of(const Tile& tile) {
  return std::visit([](const auto& t) -> const Frame& { return t.frame; }, tile);
}

std::int32_t threads_of(const Tile& tile) {
  return std::visit([](const auto& t) { return t.threads; }, tile);
}

std::int32_t shared_bytes_of(const Tile& tile) {
  return std::visit([](const auto& t) { return t.shared_bytes(); }, tile);
}

}  // namespace crinkle::tile
