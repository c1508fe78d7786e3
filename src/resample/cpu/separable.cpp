// SPDX-License-Identifier: BSD-3-Clause
#include "resample/cpu/separable.hpp"

#include "resample/cpu/separable_rows.hpp"

namespace crinkle::resampling {
template <class T>
void run_separable(const Form& form, const std::byte* in, NumberType in_type, std::byte* out, NumberType out_type, Executor& executor,
                   const simd::LineKernels& kernels) {
  const Blocks blocks(form);
  const std::int64_t n_units = blocks.n_units();
  const double numbers = static_cast<double>(n_units) * static_cast<double>(blocks.n_columns * blocks.width);
  in_chunks(n_units, numbers, executor, [&](std::int64_t first, std::int64_t end) {
    thread_local Columns<T> columns;  // kept from one run to the next
    Separable<T>(form, blocks, in, in_type, out, out_type, kernels, columns).run(first, end);
  });
}

template void run_separable<float>(const Form&, const std::byte*, NumberType, std::byte*, NumberType, Executor&, const simd::LineKernels&);
template void run_separable<double>(const Form&, const std::byte*, NumberType, std::byte*, NumberType, Executor&, const simd::LineKernels&);

}  // namespace crinkle::resampling
