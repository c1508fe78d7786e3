// SPDX-License-Identifier: BSD-3-Clause
#include "resample/cuda/prefilter.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/checked.hpp"
#include "cuda/entry.hpp"
#include "cuda/runtime.hpp"
#include "resample/check.hpp"
#include "resample/place.hpp"
#include "resample/prepare.hpp"

namespace crinkle::resampling {
namespace {

std::int64_t number_bytes(const Resampling& r) { return is_float32(r) ? 4 : 8; }

// From the array that the first n_filtered axes gave (at first the source) along the next one.
PrefilterPass pass_of(const Resampling& r, std::size_t n_filtered) {
  const std::int64_t size = number_bytes(r);
  const Layout in = n_filtered == 0 ? r.source : Layout::dense(filtered_extents(r, n_filtered), size),
               out = Layout::dense(filtered_extents(r, n_filtered + 1), size);
  const auto along = static_cast<std::size_t>(r.axes[n_filtered]);
  const Faces& faces = r.boundary[n_filtered];
  PrefilterPass pass;
  for (std::size_t a = 0; a < in.extents.size(); ++a) {
    if (a == along) continue;
    pass.loops[pass.n_loops++] = {in.extents[a], in.strides[a], out.strides[a]};
    pass.n_lines = multiply(pass.n_lines, in.extents[a]);
  }
  pass.in = in.strides[along];
  pass.out = out.strides[along];
  pass.axis = {.extent = in.extents[along],
               .low = faces.low.bound,
               .high = faces.high.bound,
               .low_value = faces.low.value,
               .high_value = faces.high.value};
  pass.before = kept_beside(faces.low.bound);
  pass.behind = kept_beside(faces.high.bound);
  const Loop& last = pass.loops[std::max(pass.n_loops - 1, 0)];  // lines side by side
  pass.are_rows_in = pass.n_lines == 1 || std::abs(pass.in) < std::abs(last.in);
  pass.are_rows_out = pass.n_lines == 1 || pass.out < last.out;
  const auto is_multiple = [&](std::int64_t stride) { return stride % in.element_bytes == 0; };
  pass.is_aligned = std::all_of(in.strides.begin(), in.strides.end(), is_multiple);
  return pass;
}

}  // namespace

CudaPrefilter cuda_prefilter_of(const Resampling& r) {
  CudaPrefilter made;
  std::int64_t kept = 0;
  for (std::size_t a = 0; a < r.axes.size(); ++a) {
    const PrefilterPass& pass = made.passes.emplace_back(pass_of(r, a));
    const std::int64_t length = add(pass.axis.extent, 2 * spline_run_up);
    kept = std::max(kept, multiply(multiply(ceil_divide(length, prefilter_segment), pass.n_lines), 8));
  }
  made.own_bytes = aligned(prefilter_bytes(r));
  made.workspace_bytes = add(add(made.own_bytes, alignment), kept);
  return made;
}

void launch(const Resampling& r, const CudaPrefilter& prefilter, const std::byte* source, std::byte* to, std::byte* own,
            CUstream_st* stream) {
  const std::size_t n = prefilter.passes.size();
  const bool are_floats = r.source_type.number == Number::float32 || r.source_type.number == Number::float64;
  const bool is_checked = are_floats && r.source.n_elements() > 0 && !gpu::is_capturing(stream);
  std::byte* const count = own + prefilter.own_bytes;
  if (is_checked) gpu::clear(count, sizeof(std::uint64_t), stream);
  const auto array = [&](std::size_t k) { return (n - k) % 2 == 0 ? to : own; };  // after k axes: they take turns
  for (std::size_t k = 0; k < n; ++k) {
    PrefilterPass pass = prefilter.passes[k];
    if (pass.n_lines == 0 || pass.axis.extent == 0) return;
    pass.kept = reinterpret_cast<double*>(count + alignment);
    if (k == 0 && is_checked) pass.n_not_finite = reinterpret_cast<unsigned long long*>(count);
    const std::byte* const in = k == 0 ? source + r.source.offset : array(k);
    const Number number = k == 0 ? r.source_type.number : is_float32(r) ? Number::float32 : Number::float64;
    pass.is_aligned = pass.is_aligned && is_at_multiple(in, crinkle::bytes_of(number));
    pass.is_made_aligned = is_at_multiple(array(k + 1), number_bytes(r));
    switch (number) {
      case Number::uint8: gpu::entry<&launch_prefilter<std::uint8_t>>(pass, in, array(k + 1), stream); break;
      case Number::uint16: gpu::entry<&launch_prefilter<std::uint16_t>>(pass, in, array(k + 1), stream); break;
      case Number::int16: gpu::entry<&launch_prefilter<std::int16_t>>(pass, in, array(k + 1), stream); break;
      case Number::float32: gpu::entry<&launch_prefilter<float>>(pass, in, array(k + 1), stream); break;
      default: gpu::entry<&launch_prefilter<double>>(pass, in, array(k + 1), stream);
    }
  }
  if (!is_checked) return;
  std::uint64_t n_not_finite = 0;
  gpu::fetch(count, &n_not_finite, sizeof n_not_finite, stream);
  refuse_not_finite(r.source.n_elements(), static_cast<std::int64_t>(n_not_finite));
}

}  // namespace crinkle::resampling
