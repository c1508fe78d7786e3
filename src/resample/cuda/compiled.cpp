// SPDX-License-Identifier: BSD-3-Clause
#include "resample/cuda/compiled.hpp"

#include <fmt/format.h>

#include <bit>
#include <string>
#include <string_view>

#include "cuda/entry.hpp"
#include "cuda/grids.hpp"
#include "cuda/runtime.hpp"
#include "move/planned.hpp"
#include "resample/cuda/launch_ways.hpp"

namespace crinkle::resampling {
namespace {

constexpr double compile_seconds = 0.5;
constexpr double share_of_elements = 0.06, share_of_fixed = 0.3, share_of_compiled = 0.45;  // of a copy: docs/tuning.md

const char* type_name(Number type) {
  switch (type) {
    case Number::uint8: return "std::uint8_t";
    case Number::uint16: return "std::uint16_t";
    case Number::int16: return "std::int16_t";
    case Number::float32: return "float";
    default: return "double";
  }
}

// Statements that set members of a Form f.
class Statements {
 public:
  void set(std::string_view name, std::int64_t value) { text_ += fmt::format("  f.{} = {};\n", name, value); }
  void set(std::string_view name, double value) {
    text_ += fmt::format("  f.{} = __builtin_bit_cast(double, {:#x}ULL);\n", name, std::bit_cast<std::uint64_t>(value));
  }
  void set(std::string_view name, Bound value) { text_ += fmt::format("  f.{} = crinkle::Bound({});\n", name, static_cast<int>(value)); }
  void set(std::string_view name, const Loop& loop) {
    text_ += fmt::format("  f.{} = {{{}, {}, {}}};\n", name, loop.extent, loop.in, loop.out);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string constants_of(const Form& form) {
  Statements all;
  const FormMap& map = form.map;
  all.set("map.n_in", std::int64_t{map.n_in});
  all.set("map.n_out", std::int64_t{map.n_out});
  for (int a = 0; a < map.n_in; ++a) {
    for (int b = 0; b < map.n_out; ++b) all.set(fmt::format("map.matrix[{}][{}]", a, b), map.matrix[a][b]);
    all.set(fmt::format("map.offset[{}]", a), map.offset[a]);
    all.set(fmt::format("map.size[{}]", a), map.size[a]);
  }
  for (int b = 0; b < map.n_out; ++b) {
    all.set(fmt::format("map.begin[{}]", b), map.begin[b]);
    all.set(fmt::format("out[{}]", b), form.out[b]);
  }
  for (int a = slots - map.n_in; a < slots; ++a) {
    const FormAxis& axis = form.in[a];
    const auto name = [&](const char* of) { return fmt::format("in[{}].{}", a, of); };
    all.set(name("extent"), axis.extent);
    all.set(name("stride"), axis.stride);
    all.set(name("before"), axis.before);
    all.set(name("low"), axis.low);
    all.set(name("high"), axis.high);
    all.set(name("low_value"), axis.low_value);
    all.set(name("high_value"), axis.high_value);
  }
  all.set("n_outer", std::int64_t{form.n_outer});
  all.set("n_near", std::int64_t{form.n_near});
  for (int b = 0; b < form.n_outer; ++b) all.set(fmt::format("outer[{}]", b), form.outer[b]);
  for (int b = 0; b < form.n_near; ++b) all.set(fmt::format("near[{}]", b), form.near[b]);
  all.set("n_taps", std::int64_t{form.n_taps});
  if (form.n_taps == 4)
    for (int k = 0; k < 4; ++k)
      for (int power = 0; power < 4; ++power) all.set(fmt::format("weights[{}][{}]", k, power), form.weights[k][power]);
  all.set("nodata", form.nodata);
  all.set("is_aligned", std::int64_t{1});
  return all.text();
}

}  // namespace

gpu::KernelSource source_of(const CudaShape& shape, const Form& form, CudaTypes types) {
  const bool scales = shape.way == CudaWay::scales;
  const std::string_view way = scales ? "scales" : "gathers";
  const std::string of_way = scales ? fmt::format("held = held_columns<E>;\n  static constexpr ScalesShape shape{{{}, {}, {}, {}}}",
                                                  shape.scales.lanes, shape.scales.groups, shape.scales.steps, shape.scales.has_faces)
                                    : fmt::format("held = held_neighbours<Out>, n_near = {}", shape.n_near);
  gpu::KernelSource source;
  source.name = fmt::format("{} of {} axes by {} elements of an axis", scales ? "a zoom" : "an affine map", form.map.n_in, form.n_taps);
  source.text = fmt::format(R"(#include "resample/cuda/{way}.cuh"
#include "resample/cuda/plans.hpp"
using namespace crinkle::resampling;
constexpr Form constants() {{
  Form f;
{constants}  return f;
}}
struct P {{
  using E = {in};
  using Out = {out_type};
  static constexpr int n_taps = {n_taps}, n_in = {n_in}, {of_way};
  static constexpr Form form = constants();
}};
extern "C" __global__ void __launch_bounds__({threads}) kernel(std::int64_t first, const char* in, char* out, bool is_wide) {{
  kernel::resample_{way}(P{{}}, first, in, out, is_wide);
}}
)",
                            fmt::arg("way", way), fmt::arg("in", type_name(types.in)), fmt::arg("out_type", type_name(types.out)),
                            fmt::arg("n_taps", form.n_taps), fmt::arg("n_in", form.map.n_in), fmt::arg("of_way", of_way),
                            fmt::arg("constants", constants_of(form)), fmt::arg("threads", shape.threads));
  return source;
}

std::optional<gpu::Kernel> compiled_for(const CudaShape& shape, const Form& form, CudaTypes types, std::int64_t bytes, Device device) {
  if (kernel_options().effort == KernelEffort::library) return {};
  const double measured = machine_of(device).copy_gb_per_s(bytes / 2),
               copy = static_cast<double>(bytes) / 1e9 / (measured > 0 ? measured : 1000);
  const double fixed = is_ahead(shape, types) ? share_of_fixed : share_of_elements;
  return gpu::compiled(source_of(shape, form, types), device, {copy / fixed, copy / share_of_compiled, compile_seconds});
}

void launch_compiled(const gpu::Kernel& kernel, const CudaShape& shape, const std::byte* in, std::byte* out, CUstream_st* stream) {
  bool is_wide = is_at_unit(shape, out);
  gpu::for_each_grid(shape.n_blocks, [&](std::int64_t first, std::uint32_t n) {
    void* arguments[] = {&first, &in, &out, &is_wide};
    const gpu::Grid grid{n, static_cast<std::uint32_t>(shape.threads), shape.shared_bytes};
    gpu::entry<&gpu::launch>(kernel.get(), grid, arguments, stream, "resampling");
  });
}

}  // namespace crinkle::resampling
