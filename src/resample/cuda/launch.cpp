// SPDX-License-Identifier: BSD-3-Clause
#include "resample/cuda/launch.hpp"

#include <fmt/format.h>

#include <string>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "cuda/entry.hpp"
#include "resample/cuda/compiled.hpp"
#include "resample/cuda/launch_ways.hpp"
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
  const NumberType type = r.source_type;
  if (r.destination_type == type && (is_read_directly<float>(type) || is_read_directly<double>(type))) return;
  const auto told = [](NumberType t) { return std::string(name_of(t.number)) + (t.is_swapped ? " in the other byte order" : ""); };
  throw Error(
      ErrorCode::unsupported,
      fmt::format("resampling from {} to {} on a GPU; there it is of uint8, uint16, int16, float32 or float64 on both sides, in the "
                  "machine's byte order: use the CPU, or convert first",
                  told(type), told(r.destination_type)));
}

namespace {

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

template <class E>
void launch_ahead(const CudaPlan& plan, const Form& form, const std::byte* in, std::byte* out, CUstream_st* stream) {
  if (plan.shape.way == CudaWay::scales) return gpu::entry<&launch_scales<E>>(plan.shape, form, in, out, stream);
  gpu::entry<&launch_gathers<E>>(plan.shape, form, in, out, stream);
}

}  // namespace

CudaPlan cuda_plan_of(const Resampling& r, const Form& form, Device device, Compiled compiled) {
  CudaPlan plan;
  plan.form = cuda_form_of(r, form);
  plan.types = {r.source_type.number, r.destination_type.number};
  // Where the first elements lie is known when it runs.
  plan.are_multiples = are_multiples(nullptr, r.source.strides, r.source.element_bytes) &&
                       are_multiples(nullptr, r.destination.strides, r.destination.element_bytes);
  if (!plan.are_multiples || r.destination.n_elements() == 0) return plan;
  plan.shape = cuda_shape_of(form, r.destination.element_bytes);
  if (plan.shape.way == CudaWay::elements || compiled == Compiled::never) return plan;
  const std::int64_t bytes = add(r.source.n_bytes(), r.destination.n_bytes());
  plan.compiled = compiled_for(plan.shape, form, plan.types, bytes, device);
  return plan;
}

void launch(const CudaPlan& plan, const std::byte* in, std::byte* out, CUstream_st* stream) {
  CudaForm form = plan.form;
  form.form.is_aligned =
      plan.are_multiples && are_multiples(in, {}, bytes_of(plan.types.in)) && are_multiples(out, {}, bytes_of(plan.types.out));
  if (form.form.is_aligned && plan.compiled) return launch_compiled(*plan.compiled, plan.shape, in, out, stream);
  if (form.form.is_aligned && is_ahead(plan.shape, plan.types)) {
    if (plan.types.in == Number::uint8) return launch_ahead<std::uint8_t>(plan, form.form, in, out, stream);
    return launch_ahead<float>(plan, form.form, in, out, stream);
  }
  const auto launch_by = [&]<class E, class Out>(E, Out) { gpu::entry<&launch_resample<E, Out>>(form, in, out, stream); };
  const auto launch_short = [&](auto made) {
    if (plan.types.in == Number::float32) launch_by(float{}, made);
    else launch_by(made, made);
  };
  switch (plan.types.out) {
    case Number::uint8: return launch_short(std::uint8_t{});
    case Number::uint16: return launch_short(std::uint16_t{});
    case Number::int16: return launch_short(std::int16_t{});
    case Number::float32: return launch_by(float{}, float{});
    default: return launch_by(double{}, double{});
  }
}

std::string described(const CudaPlan& plan) {
  if (!plan.compiled && !is_ahead(plan.shape, plan.types)) return "a thread an element\n";
  const char* const way = plan.shape.way == CudaWay::scales ? "axis by axis: a thread walks along the slowest one and keeps sums of rows"
                                                            : "patches of neighbours";
  return fmt::format("{}, {} blocks of {} threads{}\n", way, plan.shape.n_blocks, plan.shape.threads,
                     plan.compiled ? ", by a kernel compiled for it" : "");
}

}  // namespace crinkle::resampling
