// SPDX-License-Identifier: BSD-3-Clause
#include "resample/cuda/growing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "cuda/entry.hpp"
#include "cuda/runtime.hpp"
#include "resample/check.hpp"
#include "resample/place.hpp"
#include "resample/places.hpp"

namespace crinkle::resampling {
namespace {

constexpr std::int64_t most_weights = std::int64_t{1} << 27;  // of an axis: 1 GiB of the host while they are computed

std::int64_t number_size(const Resampling& r) { return is_float32(r) ? 4 : 8; }

// Tables behind each other, as bytes.
class Tables {
 public:
  explicit Tables(std::vector<std::byte>& bytes) : bytes_(bytes) {}
  template <class T, class Numbers>
  const T* add(const Numbers& numbers) {
    const std::size_t begin = static_cast<std::size_t>(aligned(std::ssize(bytes_)));
    bytes_.resize(begin + numbers.size() * sizeof(T));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const T number = static_cast<T>(numbers[i]);
      std::memcpy(&bytes_[begin + i * sizeof(T)], &number, sizeof(T));
    }
    return reinterpret_cast<const T*>(begin);
  }

 private:
  std::vector<std::byte>& bytes_;
};

// Loops of a pass, one after the other, and whether elements lie at multiples of their size.
struct PassLoops {
  GrowingPass& pass;
  bool are_in_aligned = true, are_out_aligned = true;

  void add(const Loop& loop, std::int64_t in_size, std::int64_t out_size) {
    pass.extents[pass.n_loops] = Divisor<std::uint64_t>(static_cast<std::uint64_t>(loop.extent));
    pass.loops[pass.n_loops++] = loop;
    pass.n_elements = multiply(pass.n_elements, loop.extent);
    if (loop.extent == 1) return;
    are_in_aligned = are_in_aligned && loop.in % in_size == 0;
    are_out_aligned = are_out_aligned && loop.out % out_size == 0;
  }
};

}  // namespace

CountedTable counted_table(const GrowingAxis& axis, std::int64_t n, bool is_float32, bool is_mode) {
  CountedTable table;
  std::vector<Window> windows;
  std::int64_t most = 0;
  table.low = axis.axis().extent;
  bool goes_round = false;
  for (std::int64_t i = 0; i < n; ++i) {
    const Window window = windows.emplace_back(axis.window(i));
    const std::int64_t count = window.is_empty() ? 0 : window.end - window.first;
    most = std::max(most, count);
    if (multiply(most, n) > most_weights)
      throw Error(ErrorCode::too_large,
                  fmt::format("weights of {} elements for each of {} along an axis, for a GPU; there may be {} in all: use the CPU", most,
                              n, most_weights));
    const std::int64_t first = count == 0 ? 0 : element_of(axis.axis(), window.first);
    table.first.push_back(first);
    table.count.push_back(static_cast<std::int32_t>(count));
    if (count == 0) continue;
    goes_round = goes_round || first + count > axis.axis().extent;
    table.low = std::min(table.low, first);
    table.high = std::max(table.high, first + count);
  }
  if (goes_round) table.low = 0, table.high = axis.axis().extent;
  if (table.high == 0) table.low = 0;
  table.weights.resize(static_cast<std::size_t>(most * n));
  for (std::int64_t i = 0; i < n; ++i) {
    const Window& window = windows[static_cast<std::size_t>(i)];
    for (std::int64_t k = 0; k < table.count[static_cast<std::size_t>(i)]; ++k) {
      double& weight = table.weights[static_cast<std::size_t>(k * n + i)];
      if (is_mode) weight = axis.share(window, window.first + k);
      else weight = is_float32 ? axis.weight<float>(window, window.first + k) : axis.weight<double>(window, window.first + k);
    }
  }
  return table;
}

CudaGrowing growing_steps_of(const Resampling& r, const Form& form) {
  CudaGrowing made;
  made.is_mode = form.growing == Growing::mode;
  const int n_in = form.map.n_in;
  const bool are_float32 = is_float32(r);
  const Number number = are_float32 ? Number::float32 : Number::float64;
  const std::int64_t size = number_size(r);
  std::vector<CountedTable> tables;
  CountedAxis axes[slots];
  Tables all(made.tables);
  for (int a = 0; a < n_in; ++a) {
    const CountedTable& table = tables.emplace_back(counted_table(GrowingAxis(form, a), form.out[a].extent, are_float32, made.is_mode));
    CountedAxis& axis = axes[a];
    axis.n = form.out[a].extent;
    axis.extent = form.in[slots - n_in + a].extent;
    axis.first = all.add<std::int64_t>(table.first);
    axis.count = all.add<std::int32_t>(table.count);
    if (made.is_mode || !are_float32) axis.weights = all.add<double>(table.weights);
    else axis.weights = all.add<float>(table.weights);
  }
  const int n_steps = made.is_mode ? 1 : n_in;
  Loop beside[most_form_axes];  // outer ones, then near ones: strides of what is read
  int n_beside = 0;
  for (int b = 0; b < form.n_outer; ++b) beside[n_beside++] = form.outer[b];
  for (int b = 0; b < form.n_near; ++b) beside[n_beside++] = form.near[b];
  std::int64_t strides[slots], begins[slots] = {};  // of what is read: bytes; the element it begins with
  for (int a = 0; a < n_in; ++a) strides[a] = form.in[slots - n_in + a].stride;
  for (int s = 0; s < n_steps; ++s) {
    CudaGrowing::Step step;
    step.is_first = s == 0;
    step.in = s == 0 ? r.source_type.number : number;
    GrowingPass& pass = step.pass;
    pass.is_last = s + 1 == n_steps;
    pass.out = pass.is_last ? r.destination_type.number : number;
    pass.nodata = form.nodata;
    pass.n_elements = 1;
    const std::int64_t in_size = crinkle::bytes_of(step.in), out_size = crinkle::bytes_of(pass.out);
    // The extents and places of what is made: axes up to s as the result has them, those behind it as far as they count.
    std::int64_t extents[slots], out_strides[slots] = {}, n_made = 1;
    for (int a = 0; a < n_in; ++a)
      extents[a] = a <= s || made.is_mode ? axes[a].n : tables[static_cast<std::size_t>(a)].high - tables[static_cast<std::size_t>(a)].low;
    Loop made_beside[most_form_axes];
    std::copy_n(beside, n_beside, made_beside);
    if (!pass.is_last) {
      std::int64_t stride = out_size;
      const auto next = [&](std::int64_t extent) {
        n_made = multiply(n_made, extent);
        return std::exchange(stride, multiply(stride, std::max<std::int64_t>(extent, 1)));
      };
      for (int b = n_beside - 1; b >= form.n_outer; --b) made_beside[b].out = next(beside[b].extent);
      for (int a = n_in - 1; a >= 0; --a) out_strides[a] = next(extents[a]);
      for (int b = form.n_outer - 1; b >= 0; --b) made_beside[b].out = next(beside[b].extent);
    } else {
      for (int a = 0; a < n_in; ++a) out_strides[a] = form.out[a].out;
    }
    PassLoops loops{pass};
    const auto add_axis = [&](CountedAxis axis, std::int64_t stride) {
      axis.stride = stride;
      pass.axes[pass.n_axes++] = axis;
    };
    for (int b = 0; b < form.n_outer; ++b) loops.add(made_beside[b], in_size, out_size);
    const int first_axis = pass.n_loops;
    for (int a = 0; a < n_in; ++a) {
      axes[a].loop = first_axis + a;
      const bool is_summed = made.is_mode || a == s;
      const std::int64_t begin = is_summed || a < s ? 0 : tables[static_cast<std::size_t>(a)].low;
      loops.add({extents[a], is_summed ? 0 : strides[a], out_strides[a]}, in_size, out_size);
      loops.are_in_aligned = loops.are_in_aligned && strides[a] % in_size == 0;
      // Element 0 of the axis, from what is read: behind its first pass an axis begins with the first element that counts.
      step.from += (begin - begins[a]) * strides[a];
      begins[a] = a <= s ? 0 : tables[static_cast<std::size_t>(a)].low;
    }
    for (int b = form.n_outer; b < n_beside; ++b) loops.add(made_beside[b], in_size, out_size);
    if (!made.is_mode) add_axis(axes[s], strides[s]);
    for (int a = 0; a < n_in; ++a)
      if (made.is_mode || (pass.is_last && a != s)) add_axis(axes[a], strides[a]);
    pass.is_aligned_in = loops.are_in_aligned;
    pass.is_aligned_out = loops.are_out_aligned;
    if (!pass.is_last) {
      step.to = made.workspace_bytes;
      made.workspace_bytes = add(made.workspace_bytes, aligned(multiply(n_made, size)));
      std::copy_n(out_strides, n_in, strides);
      for (int b = 0; b < n_beside; ++b) beside[b] = {beside[b].extent, made_beside[b].out, beside[b].out};
    }
    made.steps.push_back(step);
  }
  for (std::size_t s = 1; s < made.steps.size(); ++s) made.steps[s].from += made.steps[s - 1].to;
  return made;
}

void set_tables(CudaGrowing& growing, const std::byte* tables) {
  const auto moved = [&](auto* at) { return reinterpret_cast<decltype(at)>(tables + reinterpret_cast<std::uintptr_t>(at)); };
  for (CudaGrowing::Step& step : growing.steps) {
    for (int a = 0; a < step.pass.n_axes; ++a) {
      CountedAxis& axis = step.pass.axes[a];
      axis.first = moved(axis.first);
      axis.count = moved(axis.count);
      axis.weights = tables + reinterpret_cast<std::uintptr_t>(axis.weights);
    }
  }
}

CudaGrowing cuda_growing_of(const Resampling& r, const Form& form, Device device) {
  CudaGrowing made = growing_steps_of(r, form);
  if (!made.tables.empty()) {
    made.on_device = DeviceMemory(device, std::ssize(made.tables));
    copy_bytes({made.tables.data(), std::ssize(made.tables)}, made.on_device);
  }
  set_tables(made, static_cast<const std::byte*>(made.on_device.data()));
  made.tables = {};
  return made;
}

void launch(const CudaGrowing& growing, const std::byte* in, std::byte* out, std::byte* workspace, CUstream_st* stream) {
  for (const CudaGrowing::Step& step : growing.steps) {
    const std::byte* const from = (step.is_first ? in : workspace) + step.from;
    std::byte* const to = step.pass.is_last ? out : workspace + step.to;
    GrowingPass pass = step.pass;
    if (pass.n_elements == 0) continue;
    pass.is_aligned_in = pass.is_aligned_in && is_at_multiple(from, crinkle::bytes_of(step.in));
    pass.is_aligned_out = pass.is_aligned_out && is_at_multiple(to, crinkle::bytes_of(pass.out));
    const auto launch_of = [&]<class E>(E) {
      if (growing.is_mode) gpu::entry<&launch_mode<E>>(pass, from, to, stream);
      else gpu::entry<&launch_sums<E>>(pass, from, to, stream);
    };
    switch (step.in) {
      case Number::uint8: launch_of(std::uint8_t{}); break;
      case Number::uint16: launch_of(std::uint16_t{}); break;
      case Number::int16: launch_of(std::int16_t{}); break;
      case Number::float32: launch_of(float{}); break;
      default: launch_of(double{});
    }
  }
}

std::string described(const CudaGrowing& growing) {
  if (growing.is_mode) return "a warp an element, which counts how much has each value of its window\n";
  return fmt::format("{} pass{}, one an axis: a thread a sum, with weights from a table\n", growing.steps.size(),
                     growing.steps.size() == 1 ? "" : "es");
}

}  // namespace crinkle::resampling
