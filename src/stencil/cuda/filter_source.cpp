// The source of a filter's kernel. SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "stencil/cuda/filters.hpp"

namespace crinkle {
namespace {

const char* word_of(Number number) {
  switch (number) {
    case Number::float64: return "double";
    case Number::uint8: return "std::uint8_t";
    case Number::int16: return "std::int16_t";
    default: return "float";
  }
}

// Constants that have the same bits.
std::string exact(const std::vector<double>& weights, bool are_float32) {
  std::vector<std::string> words;
  for (const double w : weights)
    words.push_back(are_float32 ? fmt::format("{:a}f", static_cast<double>(static_cast<float>(w))) : fmt::format("{:a}", w));
  return fmt::format("{}", fmt::join(words, ", "));
}
std::string table(const std::string& type, const std::string& name, const std::vector<double>& weights) {
  if (weights.empty()) return "";
  return fmt::format("__constant__ {} {}[] = {{{}}};\n", type, name, exact(weights, type == "float"));
}

}  // namespace

std::string name_of(const Filter& filter) {
  return filter.is_grid() ? fmt::format("a filter of {} x {} weights", filter.n_down(), filter.n_across())
                          : fmt::format("a filter of {} weights down and {} across", filter.n_down(), filter.n_across());
}

gpu::KernelSource source_of(const Filter& filter, const ShapedSweep& shaped, const FilterTypes& types, const FilterTile& tile) {
  const std::vector<SweepAxis>& axes = shaped.shape.axes;
  const SweepAxis &rows = axes[filter.rows], &line = axes.back();
  const std::string sum = types.is_float64() ? "double" : "float";
  const auto of = [&](const std::vector<double>& weights, const char* name, const char* index) {
    return weights.empty() ? "0" : fmt::format("{}[{}]", name, index);
  };
  const auto bound = [](const Face& face) { return fmt::format("Bound({})", static_cast<int>(face.bound)); };
  std::string tables = table(sum, "down_weights", filter.down) + table(sum, "across_weights", filter.across), exact_weights;
  if (types.certain) {
    tables += table("double", "exact_down_weights", filter.down) + table("double", "exact_across_weights", filter.across);
    const std::string across = of(filter.across, "exact_across_weights", "k");
    exact_weights = fmt::format(R"(  __device__ static double exact_down(int k) {{ return exact_down_weights[k]; }}
  __device__ static double exact_across(int k) {{ return {0}; }}
  __device__ static double exact_grid(int k) {{ return {0}; }}
)",
                                across);
  }
  gpu::KernelSource source;
  source.name = name_of(filter);
  source.text = fmt::format(
      R"(#include "stencil/cuda/filter.cuh"
using namespace crinkle;
{tables}struct P {{
  using In = {in};
  using Out = {out};
  using T = {sum};
  static constexpr int threads = {threads}, lanes = {lanes}, width = {width}, rim = {rim}, ahead = {ahead};
  static constexpr int n_down = {n_down}, first_down = {first_down}, n_across = {n_across}, first_across = {first_across};
  static constexpr bool is_grid = {is_grid}, is_rounded = {is_rounded}, line_wins = {line_wins};
  static constexpr float certain = {certain:a}f;
  static constexpr Bound rows_low = {rows_low}, rows_high = {rows_high}, line_low = {line_low}, line_high = {line_high};
  static constexpr bool line_is_constant = line_low == Bound::constant || line_high == Bound::constant;
  static constexpr bool has_marks = is_rounded && certain < 0.5f, is_padded = false;
  static constexpr int n_unused = 0, begin_across = 0, end_across = n_across;
  __device__ static T down(int k) {{ return {down}; }}
  __device__ static T across(int k) {{ return {across}; }}
  __device__ static T grid(int j, int k) {{ return {grid}; }}
{exact_weights}}};
extern "C" __global__ void __launch_bounds__(P::threads, {blocks})
    kernel(const __grid_constant__ FilterTask task, std::int64_t first, const char* in, char* out) {{
  kernel::filter(P(), task, first, in, out);
}}
)",
      fmt::arg("tables", tables), fmt::arg("in", word_of(types.in)), fmt::arg("out", word_of(types.out)), fmt::arg("sum", sum),
      fmt::arg("threads", tile.threads), fmt::arg("blocks", tile.blocks), fmt::arg("lanes", tile.lanes),
      fmt::arg("width", shaped.shape.width), fmt::arg("rim", tile.rim), fmt::arg("ahead", tile.ahead), fmt::arg("n_down", filter.n_down()),
      fmt::arg("first_down", filter.first_down), fmt::arg("n_across", filter.n_across()), fmt::arg("first_across", filter.first_across),
      fmt::arg("is_grid", filter.is_grid()), fmt::arg("is_rounded", types.certain.has_value()),
      fmt::arg("line_wins", line.array_axis > rows.array_axis), fmt::arg("certain", types.certain.value_or(0.5)),
      fmt::arg("rows_low", bound(rows.faces.low)), fmt::arg("rows_high", bound(rows.faces.high)),
      fmt::arg("line_low", bound(line.faces.low)), fmt::arg("line_high", bound(line.faces.high)),
      fmt::arg("down", of(filter.down, "down_weights", "k")), fmt::arg("across", of(filter.across, "across_weights", "k")),
      fmt::arg("grid", of(filter.across, "across_weights", "j * n_across + k")), fmt::arg("exact_weights", exact_weights));
  return source;
}

}  // namespace crinkle
