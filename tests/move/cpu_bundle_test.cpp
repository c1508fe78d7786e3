// Records that go to different places, bundled: as their boxes are defined, on every instruction set, streamed or not, in any number of
// parts, between pages that may not be touched.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cpu/bundle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

#include "cpu/walls.hpp"
#include "form/check.hpp"
#include "move/cpu/move.hpp"
#include "move/reference.hpp"
#include "plan/pass.hpp"
#include "support/draw.hpp"
#include "support/drawn.hpp"
#include "support/threads.hpp"

namespace crinkle::cpu_bundle_test {
namespace {

struct Place {
  std::int64_t begin = 0, stride = 0;
};

// Fields of so many bytes in groups of some, gaps of some bytes between them; groups follow each other, some bytes apart.
std::vector<Place> places_of(const std::vector<std::int64_t>& bytes, std::int64_t n, Draw& draw, std::int64_t widest_gap,
                             bool is_taken_apart, bool is_together, std::int64_t gap_unit = 1) {
  std::vector<Place> places;
  std::int64_t begin = draw.pick(0, 2) * draw.pick(0, 70);
  const auto n_fields = static_cast<std::int64_t>(bytes.size());  // and the most and the fewest of a group:
  const std::int64_t most = is_taken_apart && !is_together ? 1 : draw.chance(3) && !is_taken_apart ? 1 : n_fields;
  const std::int64_t least = is_taken_apart || draw.chance(2) ? most : 1;
  for (std::size_t first = 0, last; first < bytes.size(); first = last) {
    last = std::min(bytes.size(), first + static_cast<std::size_t>(draw.pick(least, most)));
    std::int64_t at = 0;
    for (std::size_t f = first; f < last; ++f) {
      places.push_back({begin + at, 0});
      at += bytes[f] + gap_unit * draw.pick(0, widest_gap);
    }
    for (std::size_t f = first; f < last; ++f) places[f].stride = at;
    begin += n * at + draw.pick(0, 1) * draw.pick(0, 100);
  }
  return places;
}

Boxes boxes_of(Draw& draw) {
  const bool is_short = draw.chance(4);  // records of less than 16 bytes, in whole lines: what is read behind them is seen
  const std::int64_t n = is_short ? 64 * draw.pick(16, 40) : draw.pick(1024, draw.chance(4) ? 5000 : 1400);
  const std::int64_t n_fields = draw.pick(2, is_short ? 3 : 20), some = std::int64_t{1} << draw.pick(is_short ? 2 : 0, is_short ? 2 : 3);
  const bool is_even = is_short || draw.chance(2);
  const bool is_padded = is_even && !is_short && draw.chance(2);  // by whole units, and the padding is written
  std::vector<std::int64_t> bytes;
  for (std::int64_t f = 0; f < n_fields; ++f) bytes.push_back(is_even ? some : std::int64_t{1} << draw.pick(0, 4));
  const std::int64_t from_gap = draw.chance(2) ? 0 : draw.pick(0, 5), to_gap = draw.chance(2) ? 0 : draw.pick(0, 5);
  const std::vector<Place> from = places_of(bytes, n, draw, is_short ? 0 : from_gap, is_short, true),
                           to = is_padded ? places_of(bytes, n, draw, 1, false, false, some)
                                          : places_of(bytes, n, draw, to_gap, is_short, false);
  Boxes boxes;
  for (std::size_t f = 0; f < bytes.size(); ++f) {
    Box box;
    box.unit = static_cast<std::int32_t>(bytes[f]);
    box.src_offset = from[f].begin;
    box.dst_offset = to[f].begin;
    box.axes = {{n, from[f].stride, to[f].stride}};
    boxes.push_back(box);
    const std::int64_t end = to[f].begin + bytes[f],
                       gap = f + 1 < bytes.size() && to[f + 1].stride == to[f].stride ? to[f + 1].begin - end : 0;
    if (gap <= 0 || gap > 8 || (!is_padded && draw.chance(2))) continue;
    Box zeros;
    zeros.is_fill = true;
    zeros.dst_offset = end;
    zeros.axes = {{n, 0, to[f].stride}, {gap, 0, 1}};
    boxes.push_back(zeros);
  }
  return boxes;
}

TEST(cpu_bundle, records_move_as_defined_on_every_instruction_set) {
  Draw draw{std::mt19937_64(20261123)};
  const std::vector<const simd::Kernels*> all = simd::all_kernels();
  int n_bundled = 0, n_woven = 0, n_families = 0, n_of_arrays = 0, n_padded = 0;
  for (int k = 0; k < testing::drawn(900) && !::testing::Test::HasFailure(); ++k) {
    const Boxes boxes = boxes_of(draw);
    const auto tile = planning::tile_of(boxes, 16, Machine::this_cpu());
    if (!tile) continue;
    const simd::Kernels& kernels = *all[draw.chance(2) ? 0 : static_cast<std::size_t>(k / 2) % all.size()];
    const ByteSpan from = spans_of(boxes, Side::source, 1)[0], to = spans_of(boxes, Side::destination, 1)[0];
    const auto n_from = static_cast<std::size_t>(from.last - from.first), n_to = static_cast<std::size_t>(to.last - to.first);
    simd::Walled src_memory(from.last - from.first), dst_memory(to.last - to.first + 64);
    std::byte* const source = draw.chance(2) ? src_memory.last() - n_from : src_memory.first();
    std::byte* const destination = draw.chance(2) ? dst_memory.last() - n_to : dst_memory.first() + draw.pick(0, 64);
    for (std::size_t i = 0; i < n_from; ++i) source[i] = static_cast<std::byte>(draw.pick(0, 255));
    std::memset(destination, 0xA5, n_to);
    std::vector<std::byte> expected(n_to, std::byte{0xA5});
    const std::byte* in = source - from.first;
    std::byte* wanted = expected.data() - to.first;
    std::byte* out = destination - to.first;
    run_reference(boxes, {&in, 1}, {&wanted, 1});
    CpuStep step;
    step.add(cpu_bundle(*tile, kernels));
    const CpuLimits limits{draw.chance(2) ? 1 : 1 << 30, draw.chance(3) ? 1 << 30 : 0};
    Threads threads(static_cast<int>(draw.pick(1, 4)));
    run_cpu(step, {&in, 1}, {&out, 1}, threads, kernels, limits);
    const auto differs = std::mismatch(expected.begin(), expected.end(), destination);
    EXPECT_TRUE(differs.first == expected.end())
        << "case " << k << ", " << kernels.target << ", first wrong byte " << differs.first - expected.begin() << " of " << n_to;
    ++n_bundled;
    for (const CpuBundle::Region& r : step.bundles[0].regions) {
      n_woven += r.weave.is_for(kernels) ? 1 : 0;
      n_of_arrays += r.unit != 0 && r.stride >= 16 ? 1 : 0;
      n_padded += r.unit != 0 && simd::FewFields::has(r.stride / r.unit, r.unit) &&
                          std::any_of(r.fields.begin(), r.fields.end(), [](const auto& f) { return f.is_zero; })
                      ? 1
                      : 0;
    }
    n_families += static_cast<int>(step.bundles[0].families.size());
  }
  EXPECT_GT(n_bundled, testing::drawn(400));
  EXPECT_GT(n_of_arrays, 0);
  EXPECT_GT(n_padded, 0);
  EXPECT_TRUE(n_families > testing::drawn(50) || simd::kernels().apart_stream[2] == nullptr);
  EXPECT_TRUE(n_woven > testing::drawn(200) || simd::kernels().weave_width == 16);
}

}  // namespace
}  // namespace crinkle::cpu_bundle_test
