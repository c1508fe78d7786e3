// Blocks of columns are cut into ranges of rows, a thread's share in two, so that what a range makes anew at its begin is little.
// SPDX-License-Identifier: BSD-3-Clause
#include "resample/cpu/separable.hpp"

#include <algorithm>
#include <functional>

#include "resample/cpu/separable_rows.hpp"

namespace crinkle::resampling {
namespace {

constexpr std::int64_t chunks_of_a_thread = 2, least_numbers_of_a_chunk = std::int64_t{1} << 15;

}  // namespace

bool is_separable(const Form& form) {
  const FormMap& map = form.map;
  if (map.kind != MapKind::affine) return false;
  for (int a = 0; a < map.n_in; ++a) {
    for (int b = 0; b < map.n_out; ++b)
      if (a != b && map.matrix[a][b] != 0) return false;
    for (const std::int64_t i : {std::int64_t{0}, std::max<std::int64_t>(form.out[a].extent - 1, 0)}) {
      std::int64_t p[most_form_axes] = {};
      p[a] = i;
      if (!is_near(row_begin(map, a, p).at(index_of(map, map.n_out - 1, p[map.n_out - 1])))) return false;
    }
  }
  return true;
}

template <class T>
void run_separable(const Form& form, const std::byte* in, NumberType in_type, std::byte* out, NumberType out_type, Executor& executor,
                   const simd::LineKernels& kernels) {
  const Blocks blocks(form);
  const std::int64_t n_units = blocks.n_units();
  if (n_units == 0) return;
  const double numbers = static_cast<double>(n_units) * static_cast<double>(blocks.n_columns * blocks.width);
  const auto most = static_cast<std::int64_t>(std::min(numbers / static_cast<double>(least_numbers_of_a_chunk), 0x1p40)) + 1;
  const std::int64_t n_chunks = executor.n_workers() == 1 ? 1 : std::min({n_units, executor.n_workers() * chunks_of_a_thread, most});
  const auto body = [&](std::int64_t c) {
    thread_local Columns<T> columns;  // kept from one run to the next
    const std::int64_t each = n_units / n_chunks, longer = n_units % n_chunks;
    const std::int64_t first = each * c + std::min(c, longer);
    Separable<T>(form, blocks, in, in_type, out, out_type, kernels, columns).run(first, first + each + (c < longer ? 1 : 0));
  };
  executor.parallel_for(n_chunks, std::cref(body));  // of one pointer: nothing is allocated
}

template void run_separable<float>(const Form&, const std::byte*, NumberType, std::byte*, NumberType, Executor&, const simd::LineKernels&);
template void run_separable<double>(const Form&, const std::byte*, NumberType, std::byte*, NumberType, Executor&, const simd::LineKernels&);

}  // namespace crinkle::resampling
