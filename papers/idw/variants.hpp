// What the suite `idw` sums, and how: paper 4 (Mei and Tian, "Impact of data layouts on the efficiency of GPU-accelerated IDW
// interpolation", 2016), equation 1 in two dimensions, over all samples,
//     z(q) = Σ w_i z_i / Σ w_i,   w_i = 1 / |q − x_i|^p,
// in every one of its forms, record layouts and types. Samples and targets are records of x, y and z in the same layout, which this
// library's views read (crinkle/records.hpp), so that a form is one template; z of the targets is the result. Weights and sums are of the
// records' type and run over all samples, as the paper's do.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <type_traits>

#include "crinkle/executor.hpp"
#include "crinkle/real.hpp"
#include "crinkle/records.hpp"

struct CUstream_st;

namespace crinkle::bench::idw_paper {

enum class Form : std::uint8_t {
  naive,             // a thread a target, which reads all samples where they lie
  tiled,             // the same; the samples of a tile are first brought to shared memory (on a CPU into the cache), in their layout
  original,          // a child grid a target, which a kernel launches: a thread a sample, blocks reduced and added by atomics
  improved,          // a child grid of one block a target: a thread several samples, and no atomics
  original_in_grid,  // the blocks of all child grids in one grid that the host launches
  improved_in_grid
};
constexpr bool has_atomics(Form form) { return form == Form::original || form == Form::original_in_grid; }
constexpr bool is_launched_by_kernel(Form form) { return form == Form::original || form == Form::improved; }

enum class PointLayout : std::uint8_t {
  soa,      // x|y|z
  aos,      // (x y z)
  aoas,     // (x y z)@16
  soaos,    // (x y)@16|z@16, of float32 (x y)@8|z@8
  hybrid,   // (x y)@16|z, of float32 (x y)@8|z
  vector4,  // as AoaS lies, by CUDA's float4 and double4
  vector2   // as Hybrid lies, by CUDA's float2 and double2, and plain numbers beside them
};
inline constexpr int n_layouts = 7, n_plain_layouts = 5;  // of views alone: the first ones

enum class Rule : std::uint8_t {
  two,         // p = 2: 1 / d²
  three,       // p = 3.0: pow(d², −1.5)
  reciprocal2  // p = 2 by the GPU's approximate reciprocal, float32 alone
};
inline constexpr int n_rules = 3;

/// One of the paper's kernels.
struct Variant {
  Form form = Form::naive;
  PointLayout layout = PointLayout::soa;
  Rule rule = Rule::two;
  Real type = Real::float32;
};
const char* name_of(Form form);
const char* name_of(PointLayout layout, Real type);  // "AoaS", "float4"
/// In the notation of record layouts; of vectors as they lie.
const char* text_of(PointLayout layout, Real type);

template <class T>
struct Point {
  T x, y, z;
};
template <class T>
using PointRecord = Record<Point<T>, &Point<T>::x, &Point<T>::y, &Point<T>::z>;

/// Where the fields lie, as views have it.
template <class T, PointLayout layout>
struct LayoutOf {
  static constexpr std::int64_t pair_bytes = 2 * static_cast<std::int64_t>(sizeof(T));
  using Pair = typename Members<&Point<T>::x, &Point<T>::y>::template Aligned<pair_bytes>;
  using Value = Members<&Point<T>::z>;
  static auto chosen() {
    using enum PointLayout;
    if constexpr (layout == soa) return Soa();
    else if constexpr (layout == aos) return Aos<>();
    else if constexpr (layout == aoas || layout == vector4) return Aos<16>();
    else if constexpr (layout == soaos) return Groups<Pair, typename Value::template Aligned<pair_bytes>>();
    else return Groups<Pair, Value>();
  }
  using Type = decltype(chosen());
};
template <class T, PointLayout layout>
using PointView = RecordView<PointRecord<T>, typename LayoutOf<T, layout>::Type>;

template <Rule rule, class T>
CRINKLE_HD inline T weight(T square) {
  using std::pow;
  if constexpr (rule == Rule::three) {
    return pow(square, static_cast<T>(-1.5));
#if defined(__CUDA_ARCH__)
  } else if constexpr (rule == Rule::reciprocal2) {
    T r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(square));
    return r;
#endif
  } else {
    return 1 / square;
  }
}

/// Σ w and Σ w z of one target.
template <Rule rule, class T>
struct Sums {
  T weights = 0, values = 0;

  CRINKLE_HD void add(const Point<T>& sample, T x, T y) {
    const T dx = sample.x - x, dy = sample.y - y, w = weight<rule>(dx * dx + dy * dy);
    weights += w;
    values += w * sample.z;
  }
  CRINKLE_HD T mean() const { return values / weights; }
};

/// f(a constant whose value is v), v being one of n.
template <class E, int n, class F>
decltype(auto) with_constant(E v, F&& f) {
  const auto of = [&]<int k>(auto&& self, std::integral_constant<int, k>) -> decltype(auto) {
    if constexpr (k + 1 < n) {
      if (static_cast<int>(v) != k) return self(self, std::integral_constant<int, k + 1>{});
    }
    return f(std::integral_constant<E, static_cast<E>(k)>{});
  };
  return of(of, std::integral_constant<int, 0>{});
}
/// f(T{}, rule, layout), the two as constants.
template <int n, class F>
decltype(auto) with_constants(const Variant& v, F&& f) {
  return with_constant<PointLayout, n>(v.layout, [&](auto layout) -> decltype(auto) {
    return with_constant<Rule, n_rules>(v.rule, [&](auto rule) -> decltype(auto) {
      if constexpr (rule() == Rule::reciprocal2) return f(float(), rule, layout);
      else return v.type == Real::float32 ? f(float(), rule, layout) : f(double(), rule, layout);
    });
  });
}

/// The points of a run: records in the variant's layout.
struct PointArrays {
  std::byte *samples = nullptr, *targets = nullptr;
  std::int64_t n_samples = 0, n_targets = 0;
  std::byte* sums = nullptr;  // [2][n_targets] of the type, where the form has atomics
};

/// On a CPU's workers. Requires naive or tiled, and none of the layouts of vectors. The executor must outlive the result.
std::function<void()> sum_in_loops(const Variant& v, const PointArrays& points, Executor& executor);
/// The same by kernels, given to the stream.
std::function<void()> sum_on_gpu(const Variant& v, const PointArrays& points, CUstream_st* stream);
/// Forms whose child grids a kernel launches.
std::function<void()> sum_by_child_grids(const Variant& v, const PointArrays& points, CUstream_st* stream);

}  // namespace crinkle::bench::idw_paper
