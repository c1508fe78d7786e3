// Bit planes made by lines, on every instruction set and any number of threads, are those of the definition, byte for byte and between
// pages that may not be touched; so are the elements put together again.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cpu/bit_planes.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cpu/walls.hpp"
#include "operations/bit_planes.hpp"
#include "support/threads.hpp"

namespace crinkle::bit_planes_test {
namespace {

using simd::BitMatrices, simd::Place, simd::Walled, simd::at_end, simd::at_start;

constexpr Place unaligned{Place::Wall::before, 17};
const CpuLimits streaming{0, 0}, stored{0, INT64_MAX};

// Both ways for one shape: everything that a part may do wrong shows in the destination or on its two sides.
class BitPlanes : public testing::Test {
 protected:
  void expect_both_ways(const PlanesShape& shape, Place place, int n_threads, const CpuLimits& limits, const BitMatrices& matrices) {
    const std::int64_t element_bytes = shape.some.count * shape.element_bytes,
                       planes_bytes = bit_planes_bytes(shape.n, shape.element_bytes);
    ASSERT_LE(std::max(element_bytes, planes_bytes), room - 128);
    const std::string what = std::to_string(shape.some.count) + " of " + std::to_string(shape.n) + " elements of " +
                             std::to_string(shape.element_bytes) + ", " + place.name() + ", " + std::to_string(n_threads) + " threads, " +
                             matrices.target + (limits.streamed_bytes == 0 ? ", streaming" : "");
    const auto size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
    std::byte *elements = place.start(elements_, element_bytes), *planes = place.start(planes_, planes_bytes);
    const Bytes content = noise(element_bytes);
    Threads executor(n_threads);

    std::copy(content.begin(), content.end(), elements);
    std::fill(planes_.first(), planes_.last(), poison);
    Bytes want(planes_.first(), planes_.last());
    const std::span<std::byte> wanted_planes(want.data() + (planes - planes_.first()), size(planes_bytes));
    bit_planes_reference(content, wanted_planes, shape.n, shape.element_bytes, shape.some);
    run_bit_planes(shape, elements, planes, executor, matrices, limits);
    ASSERT_TRUE(std::equal(want.begin(), want.end(), planes_.first())) << "to planes: " << what;
    ASSERT_TRUE(std::equal(content.begin(), content.end(), elements)) << "the source of planes: " << what;

    std::fill(elements_.first(), elements_.last(), poison);
    want.assign(elements_.first(), elements_.last());
    std::copy(content.begin(), content.end(), want.begin() + (elements - elements_.first()));
    run_from_bit_planes(shape, planes, elements, executor, matrices, limits);
    ASSERT_TRUE(std::equal(want.begin(), want.end(), elements_.first())) << "from planes: " << what;
  }

  static constexpr std::int64_t room = 1 << 17;
  Walled elements_{room}, planes_{room};
};

TEST_F(BitPlanes, of_few_elements_are_those_of_the_definition) {
  for (const BitMatrices* matrices : simd::all_bit_matrices()) {
    for (std::int64_t e = 1; e <= 16; ++e) {
      for (std::int64_t n = 0; n <= 70; n += e > 4 ? 5 : 1) {
        expect_both_ways({n, e, {0, n}}, n % 2 == 0 ? at_end : at_start, 1, n % 4 < 2 ? streaming : stored, *matrices);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(BitPlanes, around_lines_and_chunks_are_those_of_the_definition) {
  for (const BitMatrices* matrices : simd::all_bit_matrices()) {
    for (const std::int64_t e : {1, 2, 3, 4, 8, 12}) {
      for (const std::int64_t n : {511, 512, 513, 4095, 4096, 4097, 8704}) {
        for (const CpuLimits& limits : {streaming, stored}) {
          for (const Place place : {at_end, unaligned}) {
            expect_both_ways({n, e, {0, n}}, place, 1, limits, *matrices);
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

TEST_F(BitPlanes, of_many_chunks_are_those_of_the_definition) {
  for (const BitMatrices* matrices : simd::all_bit_matrices()) {
    expect_both_ways({100003, 1, {0, 100003}}, unaligned, 1, streaming, *matrices);
    expect_both_ways({32768 + 24, 2, {0, 32768 + 24}}, unaligned, 1, streaming, *matrices);
  }
}

TEST_F(BitPlanes, around_turns_and_lanes_are_those_of_the_definition) {
  for (const BitMatrices* matrices : simd::all_bit_matrices()) {
    for (const std::int64_t e : {1, 2, 3, 7}) {
      for (const std::int64_t n : {1023, 1025, 2049, 16383, 16384, 16385, 17409}) {
        for (const CpuLimits& limits : {streaming, stored}) {
          expect_both_ways({n, e, {0, n}}, n % 2 == 0 ? at_end : unaligned, 1, limits, *matrices);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST_F(BitPlanes, of_wide_elements_are_made_band_by_band) {
  for (const BitMatrices* matrices : simd::all_bit_matrices()) {
    for (const std::int64_t e : {63, 64, 65, 130}) {
      for (const CpuLimits& limits : {streaming, stored}) expect_both_ways({777, e, {0, 777}}, unaligned, 2, limits, *matrices);
    }
  }
}

TEST_F(BitPlanes, of_many_threads_are_those_of_one) {
  for (const BitMatrices* matrices : simd::all_bit_matrices()) {
    for (const int n_threads : {1, 2, 3, 7}) {
      for (const std::int64_t e : {1, 2, 4, 8}) {
        for (const std::int64_t n : {600, 12345}) {
          for (const CpuLimits& limits : {streaming, stored}) expect_both_ways({n, e, {0, n}}, unaligned, n_threads, limits, *matrices);
        }
      }
    }
  }
}

TEST_F(BitPlanes, of_a_range_touch_its_bytes_alone) {
  constexpr std::int64_t n = 6001;
  for (const BitMatrices* matrices : simd::all_bit_matrices()) {
    for (const ElementRange some : {ElementRange{8, 3000}, ElementRange{1024, 4096}, ElementRange{2488, n - 2488}, ElementRange{6000, 1}}) {
      for (const CpuLimits& limits : {streaming, stored}) expect_both_ways({n, 4, some}, at_end, 3, limits, *matrices);
    }
  }
}

TEST_F(BitPlanes, of_the_public_functions_are_as_defined) {
  constexpr std::int64_t n = 200001, e = 4;
  const Bytes elements = noise(n * e);
  Bytes want(static_cast<std::size_t>(bit_planes_bytes(n, e))), planes(want.size(), poison), back(elements.size(), poison);
  bit_planes_reference(elements, want, n, e, {0, n});
  Threads executor(2);
  bit_planes(elements, planes, n, e, executor);
  EXPECT_EQ(planes, want);
  from_bit_planes(planes, back, n, e, executor);
  EXPECT_EQ(back, elements);
}

}  // namespace
}  // namespace crinkle::bit_planes_test
