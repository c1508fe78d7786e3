// SPDX-License-Identifier: BSD-3-Clause
#include "resample/cpu/growing.hpp"

#include "resample/cpu/growing_rows.hpp"

namespace crinkle::resampling {
namespace {

// So many columns that the rows they are made of fit a second cache; one where a single one is longer.
std::int64_t columns_of_a_block(const GrowingAxis& axis, double scale, std::int64_t columns, std::int64_t width) {
  const double most = static_cast<double>(longest_line) / static_cast<double>(width) - 2 * axis.reach();
  return static_cast<std::int64_t>(
      std::clamp(most / std::max(1.0, scale), 1.0, static_cast<double>(std::clamp<std::int64_t>(columns, 1, longest_line))));
}

}  // namespace

template <class T>
void run_growing(const Form& form, const std::byte* in, NumberType in_type, std::byte* out, NumberType out_type, Executor& executor,
                 const simd::LineKernels& kernels) {
  if (form.growing == Growing::mode) return run_mode<T>(form, in, in_type, out, out_type, executor);
  Blocks blocks(form);
  const int last = form.map.n_in - 1;
  const double scale = std::abs(form.map.matrix[last][last]);
  blocks.set_columns(form.out[last].extent, columns_of_a_block(GrowingAxis(form, last), scale, form.out[last].extent, blocks.width));
  double numbers = static_cast<double>(blocks.n_units()) * static_cast<double>(blocks.n_columns * blocks.width);
  for (int a = 0; a <= last; ++a) numbers *= std::max(1.0, std::abs(form.map.matrix[a][a]));
  in_chunks(blocks.n_units(), numbers, executor, [&](std::int64_t first, std::int64_t end) {
    thread_local WindowColumns<T> columns;  // kept from one run to the next
    GrowingRows<T>(form, blocks, in, in_type, out, out_type, kernels, columns).run(first, end);
  });
}

template void run_growing<float>(const Form&, const std::byte*, NumberType, std::byte*, NumberType, Executor&, const simd::LineKernels&);
template void run_growing<double>(const Form&, const std::byte*, NumberType, std::byte*, NumberType, Executor&, const simd::LineKernels&);

}  // namespace crinkle::resampling
