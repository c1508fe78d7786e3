// The loop of far_kernels.hpp, compiled once for every instruction set.
// SPDX-License-Identifier: BSD-3-Clause
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "interpolate/cpu/far_kernels.cpp"
#include "cpu/targets-inl.hpp"

#include <cstddef>
#include <cstdint>

#include "interpolate/cpu/far_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using FarTag = hn::CappedTag<double, static_cast<std::size_t>(FarCells::together)>;
inline constexpr std::int64_t far_lanes = static_cast<std::int64_t>(hn::MaxLanes(FarTag()));

/// to[k · far_lanes]: k! b_k of far_lanes cells from `cell` on.
HWY_INLINE void derive(const FarCells& cells, std::int64_t cell, double* to) {
  const FarTag d;
  const interpolation::Monomials& monomials = *cells.monomials;
  const std::int64_t n = monomials.n();
  const bool is_deep = monomials.n_dimensions() == 3;
  const auto x = hn::LoadU(d, cells.away[0] + cell), y = hn::LoadU(d, cells.away[1] + cell), z = hn::LoadU(d, cells.away[2] + cell);
  const auto inverse = hn::LoadU(d, cells.inverse + cell);
  const auto b = [&](std::uint16_t k) { return hn::Load(d, to + static_cast<std::int64_t>(k) * far_lanes); };
  hn::Store(hn::Zero(d), d, to + n * far_lanes);
  hn::Store(hn::LoadU(d, cells.weight + cell), d, to);
  for (std::int64_t k = 1; k < n; ++k) {
    const interpolation::Monomials::Step& step = monomials.step(k);
    auto once = hn::MulAdd(x, b(step.lower[0]), hn::Mul(y, b(step.lower[1])));
    auto twice = hn::Add(b(step.lower_twice[0]), b(step.lower_twice[1]));
    if (is_deep) {
      once = hn::MulAdd(z, b(step.lower[2]), once);
      twice = hn::Add(twice, b(step.lower_twice[2]));
    }
    const auto sum = hn::MulAdd(hn::Set(d, step.first), once, hn::Mul(hn::Set(d, step.second), twice));
    hn::Store(hn::Mul(inverse, sum), d, to + k * far_lanes);
  }
  for (std::int64_t k = 1; k < n; ++k)
    hn::Store(hn::Mul(hn::Load(d, to + k * far_lanes), hn::Set(d, monomials.step(k).factorial)), d, to + k * far_lanes);
}

inline void add_far_cells(const FarCells& cells) {
  const FarTag d;
  const hn::RebindToSigned<FarTag> of_places;
  const interpolation::Monomials& monomials = *cells.monomials;
  const std::int64_t n = monomials.n();
  constexpr std::size_t most = static_cast<std::size_t>((interpolation::Monomials::most + 1) * far_lanes);
  HWY_ALIGN double derivatives[most], moments[most];
  for (std::int64_t cell = 0; cell < cells.n_cells; cell += far_lanes) {
    derive(cells, cell, derivatives);
    const auto first = hn::LoadU(of_places, cells.first + cell);
    for (std::int64_t s = 0; s < cells.n_sums; ++s) {
      for (std::int64_t k = 0; k < n; ++k) hn::Store(hn::GatherIndex(d, cells.moments + s * n + k, first), d, moments + k * far_lanes);
      for (std::int64_t k = 0; k < n; ++k) {
        double* const to = cells.sums + (s * n + k) * FarCells::together;
        const std::uint16_t* const products = monomials.products(k);
        const std::int64_t n_here = monomials.n_up_to(monomials.degree() - monomials.degree_of(k));
        auto sum = hn::LoadU(d, to);
        for (std::int64_t j = 0; j < n_here; ++j) {
          const auto derivative = hn::Load(d, derivatives + static_cast<std::int64_t>(products[j]) * far_lanes);
          sum = hn::MulAdd(derivative, hn::Load(d, moments + j * far_lanes), sum);
        }
        hn::StoreU(sum, d, to);
      }
    }
  }
}

inline const FarKernels* far_table() {
  static const FarKernels kernels{hwy::TargetName(HWY_TARGET), add_far_cells};
  return &kernels;
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crinkle::simd {

HWY_EXPORT(far_table);
const FarKernels& FarKernels::best() { return best_table(HWY_DISPATCH_TABLE(far_table)); }
std::vector<const FarKernels*> FarKernels::all() { return all_tables(HWY_DISPATCH_TABLE(far_table)); }

}  // namespace crinkle::simd
#endif
