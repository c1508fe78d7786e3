// Kernels that grow, walked through on a CPU thread by thread: the definition's bits of every kind, type and rank, larger and smaller
// results, round periodic axes, beyond the array, channels, strides with gaps and addresses at no multiple of an element's size; parts read
// within what they need. Shared memory is defined in resample_test.cpp. SPDX-License-Identifier: BSD-3-Clause
#include "support/kernel_walk.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "resample/check.hpp"
#include "resample/reach.hpp"
#include "resample/resamplings.hpp"
#pragma GCC diagnostic push  // of headers that nvcc compiles elsewhere
#pragma GCC diagnostic ignored "-Wsign-conversion"
#include "resample/cuda/growing.cuh"
#pragma GCC diagnostic pop
#include "resample/cuda/growing.hpp"
#include "resample/place.hpp"

namespace crinkle::resampling::walked_growing_test {
namespace {

namespace walk = crinkle::testing::walk;

struct Kind {
  ResampleBy by;
  bool is_antialiased = false;
};
constexpr Kind kinds[] = {
    {ResampleBy::area}, {ResampleBy::mode}, {ResampleBy::lanczos}, {ResampleBy::linear, true}, {ResampleBy::cubic, true}};
constexpr Number types[] = {Number::float32, Number::uint8, Number::float64, Number::int16, Number::uint16};

template <class E>
void walk_pass(bool is_mode, const GrowingPass& pass, const std::byte* from, std::byte* to) {
  const auto* const in = reinterpret_cast<const char*>(from);
  auto* const out = reinterpret_cast<char*>(to);
  constexpr std::int64_t threads = cuda_growing_threads;
  if (is_mode) {
    const auto blocks = static_cast<std::uint32_t>((pass.n_elements + threads / 32 - 1) / (threads / 32));
    return walk::launch(blocks, threads, [&] { kernel::growing_mode<E>(pass, 0, in, out); });
  }
  const auto blocks = static_cast<std::uint32_t>((pass.n_elements + threads - 1) / threads);
  for (walk::block = {}; walk::block.x < blocks; ++walk::block.x)  // no thread waits for another
    for (walk::thread = {}; walk::thread.x < threads; ++walk::thread.x) kernel::growing_sums<E>(pass, 0, in, out);
}

void walk_steps(const CudaGrowing& growing, const std::byte* in, std::byte* out, bool is_aligned) {
  std::vector<std::byte> workspace(static_cast<std::size_t>(growing.workspace_bytes) + alignment);
  for (const CudaGrowing::Step& step : growing.steps) {
    const std::byte* const from = (step.is_first ? in : aligned(workspace.data())) + step.from;
    std::byte* const to = step.pass.is_last ? out : aligned(workspace.data()) + step.to;
    GrowingPass pass = step.pass;
    if (step.is_first) pass.is_aligned_in = pass.is_aligned_in && is_aligned;
    if (pass.is_last) pass.is_aligned_out = pass.is_aligned_out && is_aligned;
    switch (step.in) {
      case Number::uint8: walk_pass<std::uint8_t>(growing.is_mode, pass, from, to); break;
      case Number::uint16: walk_pass<std::uint16_t>(growing.is_mode, pass, from, to); break;
      case Number::int16: walk_pass<std::int16_t>(growing.is_mode, pass, from, to); break;
      case Number::float32: walk_pass<float>(growing.is_mode, pass, from, to); break;
      default: walk_pass<double>(growing.is_mode, pass, from, to);
    }
  }
}

void expect_as_walked(const Resampling& request, bool is_aligned = true) {
  const Resampling r = checked(request);
  const Form form = form_of(r);
  check_growing(r, form);
  CudaGrowing growing = growing_steps_of(r, form);
  const std::vector<std::byte> tables = std::move(growing.tables);
  set_tables(growing, tables.data());
  const Bytes source = numbers_for(r.source, r.source_type, 1);
  Guarded src(span_of(r.source), source), want(span_of(r.destination)), got(span_of(r.destination));
  resample_reference(r, src.origin(), want.origin());
  walk_steps(growing, src.origin() + r.source.offset, got.origin() + r.destination.offset, is_aligned);
  EXPECT_TRUE(got.is_intact());
  const Bytes wanted = want.content(), made = got.content();
  const auto differs = std::mismatch(wanted.begin(), wanted.end(), made.begin()).first - wanted.begin();
  EXPECT_TRUE(wanted == made) << told(r) << (r.is_antialiased ? " antialiased" : "") << ": byte " << differs << " of " << wanted.size();
}

Resampling grown(const Kind& kind, const CoordinateMap& map, const Extents& in, const Extents& out, Number type,
                 const std::vector<Faces>& faces = {}) {
  Resampling r = resampling_of(map, in, out, {type}, faces);
  r.by = kind.by;
  r.is_antialiased = kind.is_antialiased;
  return r;
}

const std::pair<Extents, Extents> shapes[] = {{{41}, {13}},           {{7}, {19}},           {{23, 17}, {3, 5}}, {{9, 8}, {3, 4}},
                                              {{6, 7, 9}, {3, 2, 3}}, {{1, 5, 4}, {2, 1, 7}}};

TEST(WalkedGrowing, of_every_kind_type_and_rank) {
  std::size_t n = 0;
  for (const Kind& kind : kinds)
    for (const auto& [in, out] : shapes)  // of mode once: its threads wait for each other, which is slow here
      for (int i = 0; i < (kind.by == ResampleBy::mode ? 1 : 3); ++i)
        expect_as_walked(grown(kind, zoom_map(in, out), in, out, types[n++ % 5]));
}

// Windows that go round an end, several times too; places beyond an edge; turned round; nothing inside at all.
TEST(WalkedGrowing, round_ends_and_beyond_them) {
  std::size_t n = 0;
  for (const Kind& kind : kinds) {
    for (const Bound bound : {Bound::periodic, Bound::edge}) {
      for (const double offset : {-3.3, 0.25, 17.5, 400.0}) {
        if (kind.by == ResampleBy::mode && offset < 0.5) continue;
        AffineMap map = zoom_map({12, 15}, {5, 4});
        map.offset = {offset, 0.3 - offset, 0};
        Resampling r = grown(kind, map, {12, 15}, {5, 4}, types[n++ % 5], {Faces(bound), Faces(Bound::edge)});
        r.nodata = 7;
        expect_as_walked(r);
        map.matrix[0][0] = -40;
        map.matrix[1][1] = 0.4;
        r.map = map;
        expect_as_walked(r);
      }
    }
  }
}

TEST(WalkedGrowing, channels_strides_and_addresses) {
  for (const Kind& kind : kinds) {
    Resampling picture = grown(kind, zoom_map({10, 13}, {3, 4}), {10, 13, 3}, {3, 4, 3}, Number::uint8);
    picture.axes = {0, 1};
    expect_as_walked(picture);
    Resampling stack = grown(kind, zoom_map({9, 8}, {3, 2}), {2, 8, 1, 9, 2}, {2, 2, 1, 3, 2}, Number::float32);
    stack.axes = {3, 1};
    expect_as_walked(stack);
    expect_as_walked(stack, false);
    Resampling any = grown(kind, zoom_map({6, 37}, {2, 5}), {6, 37}, {2, 5}, Number::float32);
    any.destination = {{2, 5}, {-56, 5}, 56 * 3, 4};
    for (const Layout& source : layouts_of_6_by_37()) {
      any.source = source;
      if (kind.by == ResampleBy::mode && source.offset % 4 == 0) continue;
      expect_as_walked(any, false);
    }
  }
}

TEST(WalkedGrowing, nan_spreads_to_what_it_counts_for_and_zeros_have_signs) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Kind& kind : kinds) {
    const Resampling r = checked(grown(kind, zoom_map({12}, {4}), {12}, {4}, Number::float64));
    for (const std::vector<double>& numbers :
         {std::vector<double>{nan, nan, nan, 1, nan, 1, 0.0, -0.0, 3, -0.0, 0.0, -0.0}, std::vector<double>(12, -0.0)}) {
      CudaGrowing growing = growing_steps_of(r, form_of(r));
      set_tables(growing, growing.tables.data());
      std::vector<double> want(4), got(4);
      resample_reference(r, reinterpret_cast<const std::byte*>(numbers.data()), reinterpret_cast<std::byte*>(want.data()));
      walk_steps(growing, reinterpret_cast<const std::byte*>(numbers.data()), reinterpret_cast<std::byte*>(got.data()), true);
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_TRUE(std::isnan(want[i]) ? std::isnan(got[i]) : std::memcmp(&want[i], &got[i], 8) == 0) << told(r) << i;
    }
  }
}

// What a part's tables ask for lies in the range that the part needs.
TEST(WalkedGrowing, parts_read_within_their_needs) {
  for (const Kind& kind : kinds) {
    for (const Bound bound : {Bound::edge, Bound::periodic}) {
      const Resampling r = checked(grown(kind, zoom_map({50}, {21}), {50}, {21}, Number::float32, {Faces(bound)}));
      const Form whole = form_of(r);
      for (std::int64_t first = 0; first < 21; ++first) {
        for (std::int64_t n = 1; first + n <= 21; n += 3) {
          Form part = whole;
          part.map.begin[0] = first;
          part.out[0].extent = n;
          const CountedTable table = counted_table(GrowingAxis(part, 0), n, true, false);
          const Range reach = reach_of(whole, {{first, n}}, Given::unseen)[0];
          EXPECT_GE(table.low, reach.first);
          EXPECT_LE(table.high, reach.first + reach.n);
        }
      }
    }
  }
}

}  // namespace
}  // namespace crinkle::resampling::walked_growing_test
