// SPDX-License-Identifier: BSD-3-Clause
#include "resample/cuda/launch.hpp"

#include <fmt/format.h>

#include <string>

#include "crinkle/error.hpp"
#include "cuda/entry.hpp"
#include "resample/prepare.hpp"

namespace crinkle::resampling {
namespace {

bool are_multiples(const void* address, const Extents& strides, std::int64_t size) {
  bool are = reinterpret_cast<std::uintptr_t>(address) % static_cast<std::uintptr_t>(size) == 0;
  for (const std::int64_t bytes : strides) are = are && bytes % size == 0;
  return are;
}

}  // namespace

void check_for_cuda(const Resampling& r) {
  if (r.by == ResampleBy::spline)
    throw Error(ErrorCode::unsupported, "splines are resampled on CPUs alone; on a GPU use cubic, or the CPU");
  if (r.is_antialiased || r.by > ResampleBy::spline)
    throw Error(ErrorCode::unsupported, fmt::format("{}{} is made on CPUs alone; use the CPU (--device cpu)",
                                                    r.is_antialiased ? "antialiased " : "", name_of(r.by)));
  const NumberType type = r.source_type;
  if (r.destination_type == type && (is_read_directly<float>(type) || is_read_directly<double>(type))) return;
  const auto told = [](NumberType t) { return std::string(name_of(t.number)) + (t.is_swapped ? " in the other byte order" : ""); };
  throw Error(
      ErrorCode::unsupported,
      fmt::format("resampling from {} to {} on a GPU; there it is of uint8, uint16, int16, float32 or float64 on both sides, in the "
                  "machine's byte order: use the CPU, or convert first",
                  told(type), told(r.destination_type)));
}

CudaForm cuda_form_of(const Resampling& r, const Form& form) {
  CudaForm made;
  made.form = form;
  made.n_elements = r.destination.n_elements();
  if (const auto* field = std::get_if<CoordinateField>(&r.map))
    made.form.map.is_aligned = are_multiples(form.map.field, field->layout.strides, bytes_of(field->type));
  const auto set = [](const Loop* loops, int n, Divisor<std::uint64_t>* divisors) {
    for (int b = 0; b < n; ++b) divisors[b] = Divisor<std::uint64_t>(static_cast<std::uint64_t>(loops[b].extent));
  };
  if (made.n_elements == 0) return made;
  set(made.form.outer, made.form.n_outer, made.outer);
  set(made.form.out, made.form.map.n_out, made.out);
  set(made.form.near, made.form.n_near, made.near);
  return made;
}

void launch(const Resampling& r, const CudaForm& of, const std::byte* in, std::byte* out, CUstream_st* stream) {
  CudaForm form = of;
  const std::int64_t size = r.source.element_bytes;
  form.form.is_aligned = are_multiples(in, r.source.strides, size) && are_multiples(out, r.destination.strides, size);
  switch (r.source_type.number) {
    case Number::uint8: return gpu::entry<&launch_resample<std::uint8_t>>(form, in, out, stream);
    case Number::uint16: return gpu::entry<&launch_resample<std::uint16_t>>(form, in, out, stream);
    case Number::int16: return gpu::entry<&launch_resample<std::int16_t>>(form, in, out, stream);
    case Number::float32: return gpu::entry<&launch_resample<float>>(form, in, out, stream);
    default: return gpu::entry<&launch_resample<double>>(form, in, out, stream);
  }
}

}  // namespace crinkle::resampling
