// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/cpu/rounded_rows.hpp"

#include "cpu/number_kernels.hpp"
#include "stencil/cpu/byte_rows.hpp"

namespace crinkle {

void run_rounded(const SweepPlan& plan, const std::byte* source, std::byte* destination, Executor& executor,
                 const simd::RoundedKernels& kernels) {
  const RoundedSweep& sweep = *plan.rounded;
  const auto sum_to = plan.passes[0].destination.type.number == Number::uint8 ? kernels.sum_uint8 : kernels.sum_int16;
  const auto widen = simd::NumberKernels::best().of<float>({Number::uint8})->load;
  using Rows = ByteRows<float>;
  std::vector<float*> none;
  const Rows all(plan, sweep.reach, source, destination, widen, none);
  for_byte_rows(all.n_units(), all.elements_of_a_unit(), executor, [&](std::int64_t first, std::int64_t end) {
    thread_local std::vector<float*> space;  // kept from one run to the next, as the others
    thread_local std::vector<const float*> down, from;
    thread_local std::vector<double> exact;
    Rows rows(plan, sweep.reach, source, destination, widen, space);
    down.resize(static_cast<std::size_t>(sweep.down.n_points()));
    from.resize(static_cast<std::size_t>(sweep.across.n_points()));
    exact.resize(static_cast<std::size_t>(rows.elements_beside() + simd::rounded_padding));
    rows.run(first, end, [&](std::int64_t y, std::int64_t n, std::byte* to) {
      for (std::size_t k = 0; k < down.size(); ++k) down[k] = rows.row(y + sweep.down.rows[k]);
      for (std::size_t k = 0; k < from.size(); ++k)
        from[k] = (down.empty() ? rows.row(y + sweep.across.rows[k]) : rows.sums()) + rows.place_of(sweep.across.columns[k]);
      sum_to({.rows = down.data(),
              .row_weights = sweep.down.weights.data(),
              .exact_row_weights = sweep.down.exact.data(),
              .n_rows = sweep.down.n_points(),
              .n_sums = n + rows.elements_beside(),
              .sums = rows.sums(),
              .exact_sums = exact.data(),
              .from = from.data(),
              .weights = sweep.across.weights.data(),
              .exact_weights = sweep.across.exact.data(),
              .n_points = sweep.across.n_points(),
              .n = n,
              .certain = sweep.certain},
             to);
    });
  });
}

}  // namespace crinkle
