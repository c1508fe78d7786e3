// A redistribution with all ranks in this process, by packed chunks, and its definition, element after element.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/checked.hpp"
#include "base/loops.hpp"
#include "crinkle/operation.hpp"
#include "distribute/rank_plan.hpp"

namespace crinkle {
namespace {

void check_ranks(const Redistribution& r, std::span<const ConstBuffer> src, std::span<const Buffer> dst) {
  if (std::ssize(src) != r.n_ranks() || std::ssize(dst) != r.n_ranks())
    throw Error(ErrorCode::bad_shape,
                fmt::format("{} sources and {} destinations of {} ranks: one of each a rank, empty where it holds nothing", src.size(),
                            dst.size(), r.n_ranks()));
  for (std::int64_t k = 0; k < r.n_ranks(); ++k) {
    const std::int64_t source = r.from().local(k, r.element_bytes()).n_bytes(), destination = r.to().local(k, r.element_bytes()).n_bytes();
    const auto at = static_cast<std::size_t>(k);
    if (src[at].bytes < source)
      throw Error(ErrorCode::bad_shape, fmt::format("rank {} has a source of {} bytes and holds {}", k, src[at].bytes, source));
    if (dst[at].bytes < destination)
      throw Error(ErrorCode::bad_shape,
                  fmt::format("rank {} has a destination of {} bytes and is to hold {}", k, dst[at].bytes, destination));
  }
}

// The place of an index among those that a rank holds of an axis, the first of them; −1: it does not hold it.
std::int64_t place_among(const std::vector<Range>& held, std::int64_t index) {
  std::int64_t before = 0;
  for (const Range& range : held) {
    if (index >= range.first && index < range.first + range.n) return before + index - range.first;
    before += range.n;
  }
  return -1;
}

}  // namespace

void redistribute(const Redistribution& r, std::span<const ConstBuffer> src, std::span<const Buffer> dst, Executor& executor,
                  std::int64_t piece_bytes) {
  check_ranks(r, src, dst);
  std::vector<std::byte> packed;
  std::vector<distributed::RankPlan> plans;
  for (std::int64_t k = 0; k < r.n_ranks(); ++k) plans.emplace_back(r, k, piece_bytes);
  for (const distributed::RankPlan& plan : plans) {
    const auto at = static_cast<std::size_t>(plan.rank());
    plan.fill(dst[at], executor);
    plan.keep(src[at], dst[at], executor);
    // What it receives, in order: chunk k of a message is chunk k on both sides.
    for (std::size_t c = 0; c < plan.receives().size(); ++c) {
      const distributed::Chunk& in = plan.receives()[c];
      const std::vector<distributed::Chunk>& sent = plans[static_cast<std::size_t>(in.peer)].sends();
      const auto out = std::find_if(sent.begin(), sent.end(),
                                    [&](const distributed::Chunk& s) { return s.peer == plan.rank() && s.number == in.number; });
      packed.resize(static_cast<std::size_t>(std::max(in.bytes, std::ssize(packed))));
      out->move(src[static_cast<std::size_t>(in.peer)], packed, executor);
      in.move(packed, dst[at], executor);
    }
  }
}

void define_redistribute(const Redistribution& r, std::span<const ConstBuffer> src, std::span<const Buffer> dst) {
  check_ranks(r, src, dst);
  // The move by its definition on whole arrays, put together from their owners' parts and taken apart again.
  const Operation move = plan(r.move());
  const auto each = [&](const Distribution& d, std::int64_t rank, const Layout& whole, const auto& use) {
    if (rank >= d.n_ranks()) return;
    const Layout local = d.local(rank, r.element_bytes());
    std::vector<std::vector<Range>> held;
    for (std::size_t a = 0; a < d.extents().size(); ++a) held.push_back(d.held(rank, a));
    for_each_index(d.extents(), [&](const Extents& index) {
      std::int64_t at = whole.offset, place = 0;
      for (std::size_t a = 0; a < index.size(); ++a) {
        const std::int64_t own = place_among(held[a], index[a]);
        if (own < 0) return;
        at += index[a] * whole.strides[a];
        place += own * local.strides[a];
      }
      use(at, place);
    });
  };
  const auto bytes = static_cast<std::size_t>(r.element_bytes());
  std::vector<std::byte> source(static_cast<std::size_t>(move.inputs()[0].touched.last));
  std::vector<std::byte> destination(static_cast<std::size_t>(move.outputs()[0].touched.last));
  for (std::int64_t k = 0; k < r.n_ranks(); ++k)
    each(r.from(), k, r.move().source(), [&](std::int64_t at, std::int64_t place) {
      if (at + r.element_bytes() <= std::ssize(source))
        std::memcpy(&source[static_cast<std::size_t>(at)], static_cast<const std::byte*>(src[static_cast<std::size_t>(k)].data) + place,
                    bytes);
    });
  move.define(std::vector<ConstBuffer>{source}, std::vector<Buffer>{destination});
  for (std::int64_t k = 0; k < r.n_ranks(); ++k)
    each(r.to(), k, r.move().destination(), [&](std::int64_t at, std::int64_t place) {
      std::memcpy(static_cast<std::byte*>(dst[static_cast<std::size_t>(k)].data) + place, &destination[static_cast<std::size_t>(at)],
                  bytes);
    });
}

}  // namespace crinkle
