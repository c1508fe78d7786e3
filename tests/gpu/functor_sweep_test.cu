// Stencils of the user's own on a GPU: the bits of the same sweep in a loop, at every boundary, of any extents, strides and types, of
// several fields and results, and of 1 to 6 axes.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "crinkle/half.hpp"
#include "crinkle/stencil_loops.cuh"
#include "support/loop_executor.hpp"

namespace crinkle::functor_sweep_test {
namespace {

/// Every cell between two faces of the box within the radius that differs from 0 along one axis, and two corners.
template <int... r>
struct Points {
  using Radius = crinkle::Radius<r...>;
  static constexpr int rank = sizeof...(r);
  float weight;

  template <int axis, int step, class At, int... a>
  CRINKLE_HD static float far(const At& at, std::integer_sequence<int, a...>) {
    return static_cast<float>(at(Offset<(a == axis ? step * r : 0)...>{}));
  }
  template <class At, int... a>
  CRINKLE_HD double sum(const At& at, std::integer_sequence<int, a...> all) const {
    float total = static_cast<float>(at(Offset<(0 * r)...>{}));
    ((total = total * weight + far<a, -1>(at, all), total = total * 0.75f - far<a, 1>(at, all)), ...);
    std::int64_t place = 0;
    for (int k = 0; k < rank; ++k) place = place * at.extent(k) + at.index(k);
    return static_cast<double>(total) + static_cast<double>(at(Offset<r...>{}, input<1>)) * 0.5 -
           static_cast<double>(at(Offset<-r...>{}, input<1>)) + static_cast<double>(place % 1000);
  }
  template <class At>
  CRINKLE_HD double operator()(const At& at) const {
    return sum(at, std::make_integer_sequence<int, rank>());
  }
};
/// The same, its negative and a neighbour as three results; what lies beyond faces of Bound::function.
template <int... r>
struct Several {
  using Radius = crinkle::Radius<r...>;
  Points<r...> points;
  template <class At>
  CRINKLE_HD Array<double, 3> operator()(const At& at) const {
    const double value = points(at);
    return {{value, -value, static_cast<double>(at(Offset<(0 * r)...>{}, input<1>))}};
  }
  template <class Cells, int i>
  CRINKLE_HD float beyond(const Cells& cells, Input<i>) const {
    return -2 * static_cast<float>(cells(cells.nearest(), input<1 - i>)) + static_cast<float>(cells.index(0) - cells.extent(0));
  }
};

template <class T, int rank>
class OnBoth {  // a field on the host and on the device, its cells as far apart as strides say
 public:
  OnBoth(const Array<std::int64_t, rank>& extents, const Array<std::int64_t, rank>& strides, std::int64_t shift, std::mt19937& random)
      : extents_(extents), strides_(strides), n_(1), shift_(shift) {
    for (int a = 0; a < rank; ++a) n_ += (extents[a] - 1) * (strides[a] < 0 ? -strides[a] : strides[a]);
    n_ += shift;
    for (int a = 0; a < rank; ++a) first_ += strides[a] < 0 ? -strides[a] * (extents[a] - 1) : 0;
    for (std::int64_t i = 0; i < n_; ++i) host_.push_back(static_cast<T>(static_cast<float>(random() % 255) * 0.5f - 60));
    EXPECT_EQ(cudaMalloc(&device_, bytes()), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(device_, host_.data(), bytes(), cudaMemcpyHostToDevice), cudaSuccess);
  }
  OnBoth(const OnBoth&) = delete;
  ~OnBoth() { cudaFree(device_); }

  StencilField<T, rank> on_host() { return {host_.data() + first_ + shift_, extents_, strides_}; }
  StencilField<T, rank> on_device() { return {device_ + first_ + shift_, extents_, strides_}; }
  bool is_same() const {  // every byte, those between the cells, too
    std::vector<T> have(host_.size());
    EXPECT_EQ(cudaMemcpy(have.data(), device_, bytes(), cudaMemcpyDeviceToHost), cudaSuccess);
    return std::memcmp(have.data(), host_.data(), bytes()) == 0;
  }

 private:
  std::size_t bytes() const { return static_cast<std::size_t>(n_) * sizeof(T); }
  Array<std::int64_t, rank> extents_, strides_;
  std::int64_t n_, first_ = 0, shift_;
  std::vector<T> host_;
  T* device_ = nullptr;
};

bool has_gpu() {
  int n = 0;
  return cudaGetDeviceCount(&n) == cudaSuccess && n > 0;
}

template <class A, class B, class C, int... r>
void expect_same_bits(int n_cases, bool has_functions) {
  constexpr int rank = sizeof...(r);
  std::mt19937 random(rank * 7 + (r + ...));
  const auto below = [&](std::int64_t n) { return static_cast<std::int64_t>(random() % static_cast<std::uint32_t>(n)); };
  for (int k = 0; k < n_cases; ++k) {
    Array<std::int64_t, rank> extents{};
    for (int a = 0; a < rank; ++a) {
      const bool is_line = a == rank - 1;
      extents[a] = below(4) == 0 ? 1 + below(5)
                                 : 1 + below(rank == 1   ? 5000
                                             : is_line   ? (rank < 4 ? 600 : 90)
                                             : rank == 2 ? 90
                                             : rank == 3 ? 50
                                             : rank == 4 ? 12
                                                         : 6);
      if (is_line && below(2) == 0) extents[a] = (extents[a] + 15) / 16 * 16;
    }
    const auto strides = [&] {
      Array<std::int64_t, rank> result{};
      std::int64_t stride = below(4) == 0 ? 2 : 1;
      for (int i = 0; i < rank; ++i) {
        const int a = rank - 1 - i;
        result[a] = below(8) == 0 ? -stride : stride;
        stride *= extents[a] + (below(4) == 0 ? below(5) : 0);
      }
      return result;
    };
    OnBoth<A, rank> u(extents, strides(), below(3), random);
    OnBoth<B, rank> v(extents, strides(), 0, random);
    OnBoth<C, rank> one(extents, strides(), below(2), random), other(extents, strides(), 0, random);
    OnBoth<float, rank> third(extents, strides(), 0, random);
    Array<Faces, rank> faces{};
    for (Faces& f : faces) {
      const auto face = [&] {
        const Bound bounds[] = {Bound::edge, Bound::reflect, Bound::symmetric, Bound::constant, Bound::function};
        return Face{bounds[below(has_functions ? 5 : 4)], static_cast<double>(below(9))};
      };
      f = below(4) == 0 ? Faces(Bound::periodic) : Faces(face(), face());
    }
    testing::LoopExecutor loop(1);
    if (has_functions) {
      const Several<r...> function{{0.5f}};
      sweep(stencil(function, faces, u.on_host(), v.on_host()), std::tuple(one.on_host(), other.on_host(), third.on_host()), loop);
      sweep(stencil(function, faces, u.on_device(), v.on_device()), std::tuple(one.on_device(), other.on_device(), third.on_device()),
            cudaStream_t{});
    } else {
      const Points<r...> function{0.5f};
      sweep(stencil(function, faces, u.on_host(), v.on_host()), one.on_host(), loop);
      sweep(stencil(function, faces, u.on_device(), v.on_device()), one.on_device(), cudaStream_t{});
    }
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    std::string told;
    for (int a = 0; a < rank; ++a)
      told += std::to_string(extents[a]) + " (" + std::to_string(static_cast<int>(faces[a].low.bound)) + ", " +
              std::to_string(static_cast<int>(faces[a].high.bound)) + ") ";
    ASSERT_TRUE(one.is_same() && other.is_same() && third.is_same() && u.is_same() && v.is_same()) << "case " << k << ": " << told;
  }
}

#define CRINKLE_SKIP_WITHOUT_GPU \
  if (!has_gpu()) GTEST_SKIP() << "no GPU on this machine"

TEST(FunctorSweep, lines) {
  CRINKLE_SKIP_WITHOUT_GPU;
  expect_same_bits<float, double, float, 1>(60, false);
  expect_same_bits<Half, std::int16_t, Half, 5>(60, true);
}
TEST(FunctorSweep, planes) {
  CRINKLE_SKIP_WITHOUT_GPU;
  expect_same_bits<float, float, float, 1, 1>(100, false);
  expect_same_bits<double, float, double, 2, 3>(60, true);
  expect_same_bits<std::int8_t, Half, double, 4, 4>(60, true);
  expect_same_bits<float, std::int8_t, Half, 0, 0>(30, false);
}
TEST(FunctorSweep, volumes) {
  CRINKLE_SKIP_WITHOUT_GPU;
  expect_same_bits<float, float, float, 1, 1, 1>(60, false);
  expect_same_bits<double, float, float, 2, 0, 3>(40, true);
  expect_same_bits<double, double, double, 4, 4, 4>(30, false);
}
TEST(FunctorSweep, four_axes_and_more) {
  CRINKLE_SKIP_WITHOUT_GPU;
  expect_same_bits<float, float, float, 1, 1, 1, 1>(40, true);
  expect_same_bits<double, Half, float, 2, 0, 1, 2>(40, false);
  expect_same_bits<float, float, float, 1, 1, 1, 1, 1>(20, false);
  expect_same_bits<float, float, float, 1, 1, 1, 1, 1, 1>(20, false);
}
TEST(FunctorSweep, tiles_that_do_not_fit) {
  CRINKLE_SKIP_WITHOUT_GPU;
  using Wide = Points<12, 12, 12>;
  static_assert(detail::SweepTileOf<Wide::Radius, double, double>::Type::n_bytes > (227 << 10), "a tile that no GPU has memory for");
  expect_same_bits<double, double, double, 12, 12, 12>(10, false);
}
TEST(FunctorSweep, refuses_what_threads_refuse) {
  CRINKLE_SKIP_WITHOUT_GPU;
  std::vector<float> cells(64);  // refused before anything is launched: host memory will do
  const Array<std::int64_t, 2> n{4, 8}, fewer{4, 7};
  const auto code_of = [&](const Array<Faces, 2>& faces, const StencilField<float, 2>& out) {
    const auto in = dense_field(cells.data(), n);
    try {
      sweep(stencil(Points<1, 1>{1}, faces, in, in), out, cudaStream_t{});
    } catch (const Error& e) { return e.code(); }
    return ErrorCode::exists;
  };
  const auto all = filled<2>(Faces(Bound::edge));
  EXPECT_EQ(code_of(all, dense_field(cells.data() + 31, n)), ErrorCode::overlap);
  EXPECT_EQ(code_of(all, dense_field(cells.data() + 32, fewer)), ErrorCode::bad_shape);
  EXPECT_EQ(code_of({Faces({Bound::periodic}, {Bound::edge}), Faces(Bound::edge)}, dense_field(cells.data() + 32, n)),
            ErrorCode::bad_shape);
  EXPECT_EQ(code_of(filled<2>(Faces(Bound::function)), dense_field(cells.data() + 32, n)), ErrorCode::bad_shape);
}
TEST(FunctorSweep, of_no_cells_launches_nothing) {
  CRINKLE_SKIP_WITHOUT_GPU;
  const Array<std::int64_t, 2> n{0, 8};
  const StencilField<float, 2> none{nullptr, n, {8, 1}};
  sweep(stencil(Points<1, 1>{1}, filled<2>(Faces(Bound::edge)), none, none), none, cudaStream_t{});
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

}  // namespace
}  // namespace crinkle::functor_sweep_test
