// One rank's chunks and moves.
// SPDX-License-Identifier: BSD-3-Clause
#include "distribute/rank_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/checked.hpp"
#include "distribute/overlay.hpp"

namespace crinkle::distributed {
namespace {

Layout checked_part(const Layout& dense, const std::optional<Layout>& given, const char* side, std::int64_t rank) {
  if (!given) return dense;
  given->check();
  if (given->extents != dense.extents || given->element_bytes != dense.element_bytes)
    throw Error(ErrorCode::bad_shape,
                fmt::format("the {} of rank {} is {} elements of {} bytes; the layout given has {} of {}", side, rank,
                            print_shape(dense.extents), dense.element_bytes, print_shape(given->extents), given->element_bytes));
  bytes_up_to(*given);
  return *given;
}

PlannedMove planned(Boxes boxes, Device device) {
  Steps steps;
  steps.steps.push_back({std::move(boxes), {}, {}});
  return PlannedMove(std::move(steps), machine_of(device), device, 1, 1);
}

// Where a chunk lies in a row in the part; −1 where it does not.
std::int64_t plain_place(const Boxes& boxes, bool of_source) {
  if (boxes.size() != 1) return -1;
  for (const Axis& a : boxes[0].axes)
    if (a.src_stride != a.dst_stride) return -1;
  return of_source ? boxes[0].src_offset : boxes[0].dst_offset;
}

}  // namespace

std::int64_t bytes_up_to(const Layout& layout) {
  std::int64_t least = layout.offset, most = layout.offset;
  for (std::size_t a = 0; a < layout.extents.size(); ++a) {
    if (layout.extents[a] == 0) return 0;
    const std::int64_t reach = multiply(layout.extents[a] - 1, layout.strides[a]);
    (reach < 0 ? least : most) = add(reach < 0 ? least : most, reach);
  }
  if (least < 0) throw Error(ErrorCode::bad_shape, fmt::format("a part's layout reaches {} bytes below its buffer", -least));
  return add(most, layout.element_bytes);
}

RankPlan::RankPlan(const Redistribution& r, std::int64_t rank, std::int64_t piece_bytes, const std::optional<Layout>& src,
                   const std::optional<Layout>& dst, const std::vector<int>& order, Device device)
    : rank_(rank),
      device_(device),
      source_(checked_part(r.from().local(rank, r.element_bytes()), src, "source", rank)),
      destination_(checked_part(r.to().local(rank, r.element_bytes()), dst, "destination", rank)) {
  if (piece_bytes < 1 || piece_bytes > INT32_MAX)
    throw Error(ErrorCode::bad_shape, fmt::format("pieces of {} bytes: give 1 to {}", piece_bytes, INT32_MAX));
  const std::int64_t bytes = r.element_bytes();
  if (bytes > INT32_MAX) throw Error(ErrorCode::too_large, fmt::format("elements of {} bytes: a piece has at most {}", bytes, INT32_MAX));
  const RankOverlay overlay(r, rank, order);
  const auto add_chunks = [&](const Message& m, bool is_sent) {
    const std::int64_t peer = is_sent ? m.to : m.from;
    std::int64_t number = 0;
    for (const std::vector<PieceBox>& chunk : chunks_of(overlay.boxes(m), bytes, piece_bytes)) {
      std::int64_t n = 0;
      for (const PieceBox& box : chunk) n += elements_of(box) * bytes;
      Boxes boxes = moves_of(chunk, overlay.links(), is_sent ? &source_ : nullptr, is_sent ? nullptr : &destination_, bytes);
      const std::int64_t plain = plain_place(boxes, is_sent);
      (is_sent ? sends_ : receives_).push_back({peer, number++, n, plain, planned(std::move(boxes), device)});
    }
  };
  for (const Message& m : overlay.sends())
    if (m.to != rank) add_chunks(m, true);
  for (const Message& m : overlay.receives()) {
    if (m.from != rank) {
      add_chunks(m, false);
      continue;
    }
    for (const std::vector<PieceBox>& chunk : chunks_of(overlay.boxes(m), bytes, piece_bytes))
      keeps_.push_back(planned(moves_of(chunk, overlay.links(), &source_, &destination_, bytes), device));
  }
  Boxes fills = fills_of(r, overlay.links(), rank, destination_);
  constexpr std::size_t together = 512;
  for (std::size_t k = 0; k < fills.size(); k += together) {
    Boxes some;
    for (std::size_t b = k; b < std::min<std::size_t>(fills.size(), k + together); ++b) some.push_back(fills[b]);
    fills_.push_back(planned(std::move(some), device));
  }
}

void RankPlan::fill(Buffer dst, const Worker& worker) const {
  for (const PlannedMove& move : fills_) Chunk::run(move, {}, dst, worker);
}

void RankPlan::keep(ConstBuffer src, Buffer dst, const Worker& worker) const {
  for (const PlannedMove& move : keeps_) Chunk::run(move, src, dst, worker);
}

}  // namespace crinkle::distributed
