// A row of the result is one sum of rows, or two. SPDX-License-Identifier: BSD-3-Clause
#include "stencil/cpu/integer_rows.hpp"

#include "stencil/cpu/byte_rows.hpp"

namespace crinkle {

void run_integers(const SweepPlan& plan, const std::byte* source, std::byte* destination, Executor& executor,
                  const simd::IntegerKernels& kernels) {
  const IntegerSweep& sweep = *plan.integer;
  const auto sum_to = plan.passes[0].destination.type.number == Number::uint8 ? kernels.sum_uint8 : kernels.sum_int16;
  using Rows = ByteRows<std::int16_t>;
  std::vector<std::int16_t*> none;
  const Rows all(plan, sweep.reach, source, destination, kernels.widen, none);
  for_byte_rows(all.n_units(), all.elements_of_a_unit(), executor, [&](std::int64_t first, std::int64_t end) {
    thread_local std::vector<std::int16_t*> space;  // kept from one run to the next, as the other
    thread_local std::vector<const std::int16_t*> from;
    Rows rows(plan, sweep.reach, source, destination, kernels.widen, space);
    const auto sum_of = [&](const IntegerList& list, std::int64_t n) {
      return simd::IntegerSum{from.data(), list.weights.data(), list.n_points(), n, list.are_ones};
    };
    from.resize(static_cast<std::size_t>(std::max(sweep.down.n_points(), sweep.across.n_points())));
    rows.run(first, end, [&](std::int64_t y, std::int64_t n, std::byte* to) {
      const bool has_sums = sweep.down.n_points() > 0;
      if (has_sums) {
        for (std::size_t k = 0; k < sweep.down.rows.size(); ++k) from[k] = rows.row(y + sweep.down.rows[k]);
        kernels.sum(sum_of(sweep.down, n + rows.elements_beside()), rows.sums());
      }
      for (std::size_t k = 0; k < sweep.across.rows.size(); ++k)
        from[k] = (has_sums ? rows.sums() : rows.row(y + sweep.across.rows[k])) + rows.place_of(sweep.across.columns[k]);
      sum_to(sum_of(sweep.across, n), sweep.division, to);
    });
  });
}

}  // namespace crinkle
