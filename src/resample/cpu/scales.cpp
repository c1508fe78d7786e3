// What a strided plan leaves, at the borders, is made as all else is: a form of some rows or columns. SPDX-License-Identifier: BSD-3-Clause
#include "resample/cpu/scales.hpp"

#include "resample/cpu/growing.hpp"
#include "resample/cpu/separable.hpp"

namespace crinkle::resampling {
namespace {

template <class T>
void run_any(const Form& form, const std::byte* in, NumberType in_type, std::byte* out, NumberType out_type, Executor& executor) {
  if (form.growing != Growing::none) run_growing<T>(form, in, in_type, out, out_type, executor);
  else run_separable<T>(form, in, in_type, out, out_type, executor);
}

}  // namespace

template <class T>
void run_scales(const Form& form, const std::optional<StridedPlan>& strided, const std::byte* in, NumberType in_type, std::byte* out,
                NumberType out_type, Executor& executor, const simd::StridedKernels& kernels) {
  if (!strided) return run_any<T>(form, in, in_type, out, out_type, executor);
  run_strided(form, *strided, in, out, executor, kernels);
  const auto run_some = [&](const Range& rows, const Range& columns) {
    if (rows.n == 0 || columns.n == 0) return;
    Form some = form;
    std::int64_t to = 0;
    for (int a = 0; a < 2; ++a) {
      const Range& range = a == 0 ? rows : columns;
      some.out[a].extent = range.n;
      some.map.begin[a] += range.first;
      to += range.first * form.out[a].out;
    }
    run_any<T>(some, in, in_type, out + to, out_type, executor);
  };
  const Range &rows = strided->rows, &columns = strided->columns, all{0, form.out[1].extent};
  const std::int64_t below = rows.first + rows.n, right = columns.first + columns.n;
  run_some({0, rows.first}, all);
  run_some({below, form.out[0].extent - below}, all);
  if (strided->has_all_columns()) return;
  run_some(rows, {0, columns.first});
  run_some(rows, {right, all.n - right});
}

template void run_scales<float>(const Form&, const std::optional<StridedPlan>&, const std::byte*, NumberType, std::byte*, NumberType,
                                Executor&, const simd::StridedKernels&);
template void run_scales<double>(const Form&, const std::optional<StridedPlan>&, const std::byte*, NumberType, std::byte*, NumberType,
                                 Executor&, const simd::StridedKernels&);

}  // namespace crinkle::resampling
