// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/resample.hpp"

#include <fmt/format.h>

#include "base/checked.hpp"
#include "cuda/device_buffers.hpp"
#include "resample/check.hpp"
#include "resample/cpu/resample.hpp"
#include "resample/cuda/form.hpp"
#include "resample/prepare.hpp"

namespace crinkle {
namespace resampling {
namespace {

template <class T>
void run(const Resampling& r, const std::byte* source, std::byte* out, Executor& executor) {
  if (r.by != ResampleBy::spline && is_read_directly<T>(r.source_type))
    return run_on_cpu<T>(form_of(r), source + r.source.offset, r.source_type.number, out, r.destination_type, executor);
  const Prepared<T> made = prepared<T>(r, source, executor);
  run_on_cpu<T>(made.form, reinterpret_cast<const std::byte*>(made.numbers.get()), sizeof(T) == 4 ? Number::float32 : Number::float64, out,
                r.destination_type, executor);
}

void check_for_cuda(const Resampling& r) {
  if (r.by == ResampleBy::spline)
    throw Error(ErrorCode::unsupported, "splines are resampled on CPUs alone; on a GPU use cubic, or the CPU");
  const NumberType type = r.source_type;
  if (r.destination_type == type && (is_read_directly<float>(type) || is_read_directly<double>(type))) return;
  const auto told = [](NumberType t) { return std::string(name_of(t.number)) + (t.is_swapped ? " in the other byte order" : ""); };
  throw Error(
      ErrorCode::unsupported,
      fmt::format("resampling from {} to {} on a GPU; there it is of uint8, uint16, int16, float32 or float64 on both sides, in the "
                  "machine's byte order: use the CPU, or convert first",
                  told(type), told(r.destination_type)));
}

bool are_multiples(const void* address, const Extents& strides, std::int64_t size) {
  bool are = reinterpret_cast<std::uintptr_t>(address) % static_cast<std::uintptr_t>(size) == 0;
  for (const std::int64_t bytes : strides) are = are && bytes % size == 0;
  return are;
}

CudaForm cuda_form_of(const Resampling& r, const std::byte* in, const std::byte* out) {
  CudaForm made;
  made.form = form_of(r);
  made.n_elements = r.destination.n_elements();
  const std::int64_t size = r.source.element_bytes;
  made.form.is_aligned = are_multiples(in, r.source.strides, size) && are_multiples(out, r.destination.strides, size);
  if (const auto* field = std::get_if<CoordinateField>(&r.map))
    made.form.map.is_aligned = are_multiples(made.form.map.field, field->layout.strides, bytes_of(field->type));
  const auto set = [](const FormLoop* loops, int n, Divisor<std::uint64_t>* divisors) {
    for (int b = 0; b < n; ++b) divisors[b] = Divisor<std::uint64_t>(static_cast<std::uint64_t>(loops[b].extent));
  };
  set(made.form.outer, made.form.n_outer, made.outer);
  set(made.form.out, made.form.map.n_out, made.out);
  set(made.form.near, made.form.n_near, made.near);
  return made;
}

void launch(const Resampling& r, const std::byte* in, std::byte* out, CUstream_st* stream) {
  const CudaForm form = cuda_form_of(r, in, out);
  switch (r.source_type.number) {
    case Number::uint8: return gpu::entry<&launch_resample<std::uint8_t>>(form, in, out, stream);
    case Number::uint16: return gpu::entry<&launch_resample<std::uint16_t>>(form, in, out, stream);
    case Number::int16: return gpu::entry<&launch_resample<std::int16_t>>(form, in, out, stream);
    case Number::float32: return gpu::entry<&launch_resample<float>>(form, in, out, stream);
    default: return gpu::entry<&launch_resample<double>>(form, in, out, stream);
  }
}

}  // namespace
}  // namespace resampling

void resample(const Resampling& resampling, ConstBuffer source, Buffer destination, Executor& executor) {
  const Resampling r = resampling::checked(resampling);
  resampling::check_buffers(r, source, destination);
  if (r.destination.n_elements() == 0) return;
  const auto* const in = static_cast<const std::byte*>(source.data);
  std::byte* const out = static_cast<std::byte*>(destination.data) + r.destination.offset;
  if (resampling::is_float32(r)) resampling::run<float>(r, in, out, executor);
  else resampling::run<double>(r, in, out, executor);
}

void resample(const Resampling& resampling, ConstBuffer source, Buffer destination, Device device, const Stream& stream) {
  const int index = gpu::cuda_index(device, "resampling");
  const Resampling r = resampling::checked(resampling);
  resampling::check_for_cuda(r);
  resampling::check_buffers(r, source, destination);
  if (r.destination.n_elements() == 0) return;
  const gpu::OnDevice on(index);
  gpu::check_device_buffers({{source.data, "the source"}, {destination.data, "the destination"}}, index, stream);
  if (const auto* field = std::get_if<CoordinateField>(&r.map))
    gpu::check_device_buffers({{field->data.data, "the array of coordinates"}}, index, stream);
  resampling::launch(r, static_cast<const std::byte*>(source.data) + r.source.offset,
                     static_cast<std::byte*>(destination.data) + r.destination.offset, stream.get());
}

}  // namespace crinkle
