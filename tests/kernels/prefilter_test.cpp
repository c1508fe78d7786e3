// The kernel of a spline's coefficients, walked through on a CPU thread by thread: those of the CPU bit for bit, of every type and face,
// along rows and columns, lines shorter and longer than segments, strides with gaps, and addresses at no multiple of an element's size.
// Shared memory is defined in resample_test.cpp.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/kernel_walk.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <span>
#include <vector>

#include "resample/check.hpp"
#include "resample/prepare.hpp"
#include "resample/resamplings.hpp"
#include "support/loop_executor.hpp"
#pragma GCC diagnostic push  // of headers that nvcc compiles elsewhere
#pragma GCC diagnostic ignored "-Wsign-conversion"
#include "resample/cuda/prefilter.cuh"
#pragma GCC diagnostic pop
#include "resample/cuda/prefilter.hpp"
#include "resample/place.hpp"

namespace crinkle::resampling::walked_prefilter_test {
namespace {

namespace walk = crinkle::testing::walk;

template <class E>
void walk_pass(PrefilterPass pass, double* kept, const std::byte* in, std::byte* out, unsigned long long* n_not_finite = nullptr) {
  pass.kept = kept;
  pass.n_not_finite = n_not_finite;
  constexpr std::int64_t n = prefilter_segment;
  walk::launch(static_cast<std::uint32_t>((pass.n_lines + n - 1) / n), n,
               [&] { kernel::prefilter_lines<E>(pass, 0, reinterpret_cast<const char*>(in), reinterpret_cast<char*>(out)); });
}

std::vector<double> kept_of(const CudaPrefilter& made) {
  return std::vector<double>(static_cast<std::size_t>((made.workspace_bytes - made.own_bytes - alignment) / 8));
}

// By passes with arrays of their own, as launch() gives them to a stream.
template <class E, class T>
void expect_as_on_the_cpu(const Resampling& request, bool is_aligned = true) {
  const Resampling r = checked(request);
  const Bytes source = numbers_for(r.source, r.source_type, 1);
  Guarded src(span_of(r.source), source);
  const auto n = static_cast<std::size_t>(Layout::dense(coefficient_extents(r), sizeof(T)).n_bytes());
  std::vector<std::byte> want(n), cpu_own(static_cast<std::size_t>(prefilter_bytes(r)) + 8);
  testing::LoopExecutor executor(1);
  prefilter<T>(r, src.origin(), want.data(), cpu_own.data(), executor);

  const CudaPrefilter made = cuda_prefilter_of(r);
  std::vector<double> kept = kept_of(made);
  std::vector<std::byte> in;
  for (std::size_t k = 0; k < made.passes.size(); ++k) {
    PrefilterPass pass = made.passes[k];
    const Extents extents = filtered_extents(r, k + 1);
    const std::size_t gap = is_aligned ? 0 : 1;
    std::vector<std::byte> out(static_cast<std::size_t>(Layout::dense(extents, sizeof(T)).n_bytes()) + gap);
    pass.is_aligned = pass.is_aligned && is_aligned;
    pass.is_made_aligned = is_aligned;
    if (k == 0) walk_pass<E>(pass, kept.data(), src.origin() + r.source.offset, out.data() + gap);
    else walk_pass<T>(pass, kept.data(), in.data() + gap, out.data() + gap);
    in = std::move(out);
  }
  in.erase(in.begin(), in.end() - static_cast<std::ptrdiff_t>(n));
  EXPECT_TRUE(in == want) << told(r);
}
void expect_as_on_the_cpu(const Resampling& r, bool is_aligned = true) {
  switch (r.source_type.number) {
    case Number::uint8: return expect_as_on_the_cpu<std::uint8_t, float>(r, is_aligned);
    case Number::uint16: return expect_as_on_the_cpu<std::uint16_t, float>(r, is_aligned);
    case Number::int16: return expect_as_on_the_cpu<std::int16_t, float>(r, is_aligned);
    case Number::float32: return expect_as_on_the_cpu<float, float>(r, is_aligned);
    default: return expect_as_on_the_cpu<double, double>(r, is_aligned);
  }
}

Resampling spline_of(const Extents& extents, Number type, const Faces& faces) {
  Resampling r = resampling_of(zoom_map(extents, extents), extents, extents, {type}, {faces});
  r.by = ResampleBy::spline;
  return r;
}

TEST(WalkedPrefilter, of_every_type_face_and_rank) {
  constexpr Number types[] = {Number::float32, Number::uint8, Number::float64, Number::int16, Number::uint16};
  std::size_t n = 0;
  for (const Faces& faces : all_faces)
    for (const Extents& extents : {Extents{1}, Extents{70}, Extents{5, 33}})
      expect_as_on_the_cpu(spline_of(extents, types[n++ % 5], faces));
  for (const Extents& extents : {Extents{41, 2}, Extents{3, 37, 2}})
    expect_as_on_the_cpu(spline_of(extents, types[n++ % 5], Faces({Bound::constant, -1}, {Bound::symmetric})));
}

TEST(WalkedPrefilter, of_strides_axes_beside_and_any_address) {
  for (const Layout& source : layouts_of_6_by_37()) {
    Resampling r = spline_of({6, 37}, Number::float32, Faces(Bound::reflect));
    r.source = source;
    expect_as_on_the_cpu(r);
    expect_as_on_the_cpu(r, false);
  }
  Resampling stack = spline_of({9, 34}, Number::uint8, Faces(Bound::edge));
  stack.source = stack.destination = Layout::dense({2, 9, 34, 3}, 1);
  for (const std::vector<int>& axes : {std::vector<int>{1, 2}, std::vector<int>{2, 1}}) {
    stack.axes = axes;
    stack.map = zoom_map({1, 1}, {1, 1});
    expect_as_on_the_cpu(stack);
  }
}

// Each once, whatever the boundary repeats of them, and the constants beyond faces not at all.
TEST(WalkedPrefilter, counts_elements_that_are_not_finite) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const Faces& faces : all_faces) {
    for (const std::vector<int>& axes : {std::vector<int>{0, 1}, std::vector<int>{1, 0}}) {
      for (const Extents& extents : {Extents{3, 70}, Extents{45, 34}, Extents{1, 1}}) {
        Resampling r = spline_of(extents, Number::float64, faces);
        r.axes = axes;
        r = checked(r);
        const CudaPrefilter made = cuda_prefilter_of(r);
        std::vector<double> kept = kept_of(made), numbers(static_cast<std::size_t>(r.source.n_elements()), 1.5);
        std::vector<double> out(static_cast<std::size_t>(Layout::dense(filtered_extents(r, 1), 8).n_elements()));
        for (const unsigned long long wanted : {0ull, 1ull, 3ull}) {
          if (wanted > numbers.size()) continue;
          for (std::size_t k = 0; k < wanted; ++k) numbers[k * (numbers.size() - 1) / 2] = k == 1 ? -infinity : k == 2 ? infinity : nan;
          unsigned long long n_found = 0;
          walk_pass<double>(made.passes[0], kept.data(), std::as_bytes(std::span(numbers)).data(),
                            std::as_writable_bytes(std::span(out)).data(), &n_found);
          EXPECT_EQ(n_found, wanted) << told(r);
        }
      }
    }
  }
}

}  // namespace
}  // namespace crinkle::resampling::walked_prefilter_test
