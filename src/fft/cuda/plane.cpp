// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cuda/plane.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "base/checked.hpp"
#include "cuda/entry.hpp"
#include "cuda/runtime.hpp"
#include "fft/at.hpp"
#include "fft/cuda/compiled.hpp"
#include "fft/cuda/pass.hpp"
#include "move/planned.hpp"

namespace crinkle::fft {
namespace {

constexpr double share_of_pass = 0.85, share_of_plane = 0.6, plane_seconds = 0.8;  // of a copy; to compile: docs/tuning.md
constexpr std::int64_t plane_kept_bytes = 2 << 10;                                 // of a block's shared memory, for the runtime
constexpr std::int64_t most_together = 8;                                          // blocks of a cluster on any card that has them

// Whole numbers that butterflies read, of all that the line has; pairs of real ones that follow each other are numbers.
template <class T>
bool are_read_whole(CudaEnds<T>& e) {
  if (e.in_unit != 2 * e.in_part || e.in_shift != 0) return false;
  if (e.in_kind == CudaIn::numbers) return e.n_in == e.n;
  if (e.in_kind == CudaIn::folded) return e.n_in == e.n + 1;
  if (e.in_kind != CudaIn::pairs || e.n_in != 2 * e.n || e.in != e.in_part) return false;
  e.in *= 2;
  e.n_in = e.n;
  return true;
}
template <class T>
bool are_written_whole(CudaEnds<T>& e) {
  if (e.out_unit != 2 * e.out_part || e.out_shift != 0) return false;
  if (e.out_kind == CudaOut::numbers) return e.n_out == e.n;
  if (e.out_kind == CudaOut::folded) return e.n_out == e.n + 1;
  if (e.out_kind != CudaOut::pairs || e.n_out != 2 * e.n || e.out != e.out_part) return false;
  e.out *= 2;
  e.n_out = e.n;
  return true;
}

template <class T>
LinesWanted wanted_of(const PlaneAxis<T>& axis, bool are_columns, bool reads) {
  LinesWanted wanted;
  wanted.radices = axis.radices;
  wanted.n = axis.lines.n;
  wanted.n_lines = axis.lines.lane.extent;
  wanted.number = static_cast<std::int64_t>(sizeof(Number<T>));
  wanted.are_columns = are_columns;
  wanted.reads = reads;
  wanted.writes = !reads;
  return wanted;
}

// Both axes as passes of their own, for numbers at any address, and the kernel for the others.
template <class T>
class CudaPlane final : public Pass {
 public:
  CudaPlane(const AxisPair& pair, Device device)
      : first_(pair.first, device, CudaPass<T>::Addresses::any),
        second_(pair.second, device, CudaPass<T>::Addresses::any),
        device_(device) {
    const DeviceFacts facts = facts_of(device);
    std::optional<PlaneAxis<T>> first = first_.plane_axis(), second = second_.plane_axis();
    if (!first || !second) return;
    const auto lane_of = [](const Loop& loop) { return CudaLoop{loop.extent, loop.in, loop.out}; };
    first->lines.lane = lane_of(pair.of_first);
    second->lines.lane = lane_of(pair.of_second);
    std::optional<CompiledPlane<T>> plane =
        plane_to_compile(*std::move(first), *std::move(second), pair.loops, facts.shared_bytes_block - plane_kept_bytes,
                         facts.shared_bytes_worker, facts.compute_major >= 9);
    if (!plane || plane->lines.n_blocks == 0) return;
    plane_ = *std::move(plane);
    const double bytes = static_cast<double>(plane_.lines.n_blocks) * static_cast<double>(pair.first.n * pair.second.n) *
                         static_cast<double>(2 * sizeof(Number<T>));
    const double measured = machine_of(device).copy_gb_per_s(static_cast<std::int64_t>(bytes / 2)),
                 copy = 1e9 * (measured > 0 ? measured : 1000);
    kernel_ = gpu::compiled(plane_.source, device, {2 * bytes / copy / share_of_pass, bytes / copy / share_of_plane, plane_seconds});
    if (!kernel_) return;
    const gpu::OnDevice on(device.index);
    gpu::entry<&gpu::allow_shared_bytes>(kernel_->get(), plane_.shape.shared_bytes, device.index);
  }

  bool has_kernel() const { return kernel_.has_value(); }
  std::int64_t workspace_bytes() const override { return std::max(first_.workspace_bytes(), second_.workspace_bytes()); }

  void run(const std::byte* in, std::byte* out, std::byte* workspace, const Worker& by) const override {
    const auto is_multiple = [](const std::byte* p, int of) {
      return reinterpret_cast<std::uintptr_t>(p) % static_cast<std::uintptr_t>(of) == 0;
    };
    if (is_multiple(in, plane_.lines.ends.in_unit) && is_multiple(out, plane_.lines.ends.out_unit)) {
      launch_compiled(plane_.lines, *kernel_, plane_.shape, in, out, device_, by.stream);
      return;
    }
    first_.run(in, by.between, workspace, by);
    second_.run(by.between, out, workspace, by);
  }

  std::string describe() const override {
    return fmt::format("both axes in one pass, {} bytes of a block of {} threads, by a kernel compiled for it, {}\n    {}\n    {}",
                       plane_.shape.shared_bytes, plane_.shape.threads, kernel_->name(), first_.describe(), second_.describe());
  }

 private:
  CudaPass<T> first_, second_;
  Device device_;
  CompiledPlane<T> plane_;
  std::optional<gpu::Kernel> kernel_;
};

template <class T>
std::unique_ptr<Pass> plane_of(const AxisPair& pair, Device device) {
  auto plane = std::make_unique<CudaPlane<T>>(pair, device);
  return plane->has_kernel() ? std::move(plane) : nullptr;
}

}  // namespace

template <class T>
std::optional<CompiledPlane<T>> plane_to_compile(PlaneAxis<T> first, PlaneAxis<T> second, const std::vector<Loop>& loops,
                                                 std::int64_t shared_bytes, std::int64_t shared_bytes_worker, bool has_clusters) {
  CudaLines<T>&a = first.lines, &b = second.lines;
  if (!are_in_registers(first.radices) || !are_in_registers(second.radices)) return {};
  if (!are_read_whole(a.ends) || !are_written_whole(b.ends)) return {};
  // What lies between them is in shared memory: whole numbers, or folded ones.
  const bool is_from_real = a.ends.out_kind == CudaOut::folded, is_to_real = b.ends.in_kind == CudaIn::folded;
  if (!(a.ends.out_kind == CudaOut::numbers ? a.ends.n_out == a.ends.n : is_from_real && a.ends.n_out == a.ends.n + 1) ||
      a.ends.out_shift != 0)
    return {};
  if (!(b.ends.in_kind == CudaIn::numbers ? b.ends.n_in == b.ends.n : is_to_real && b.ends.n_in == b.ends.n + 1) || b.ends.in_shift != 0)
    return {};
  if (a.ends.in_kind == CudaIn::folded || b.ends.out_kind == CudaOut::folded || (is_from_real && is_to_real)) return {};
  // Whole sectors are read and written along the fast axis.
  const auto is_fast = [](std::int64_t stride, std::int64_t lane, int part) {
    return std::min(std::abs(stride), std::abs(lane)) == 2 * part;
  };
  if (!is_fast(a.ends.in, a.lane.in, a.ends.in_part) || !is_fast(b.ends.out, b.lane.out, b.ends.out_part)) return {};
  a.lanes_first_in = std::abs(a.lane.in) < std::abs(a.ends.in);
  b.lanes_first_out = std::abs(b.lane.out) < std::abs(b.ends.out);
  const bool is_first_rows = !a.lanes_first_in;
  if ((is_from_real && !is_first_rows) || (is_to_real && is_first_rows)) return {};  // what is folded are rows
  a.lanes_first_out = !is_first_rows;
  b.lanes_first_in = is_first_rows;
  a.loops.n = b.loops.n = 0;
  a.twist_loop = b.twist_loop = -1;
  if (loops.size() > most_cuda_loops) return {};
  for (const Loop& loop : loops)
    if (loop.extent != 1) a.loops.loops[a.loops.n++] = b.loops.loops[b.loops.n++] = {loop.extent, loop.in, loop.out};
  const PlaneWanted wanted{{first.radices, a.n, a.lane.extent},
                           {second.radices, b.n, b.lane.extent},
                           is_first_rows,
                           static_cast<std::int64_t>(sizeof(Number<T>)),
                           shared_bytes,
                           shared_bytes_worker,
                           has_clusters};
  if (a.n * a.lane.extent * wanted.number > most_together * shared_bytes) return {};
  const PlaneShape shape = plane_shape(wanted);
  if (shape.first.lanes == 0) return {};

  CompiledPlane<T> plane;
  const auto text_of = [&](const char* name, const PlaneAxis<T>& axis, const LinesShape& of, bool is_second, bool is_folded) {
    const std::string more = fmt::format(
        "  static constexpr std::uint32_t n_lines = {}, n_own = {}, together = {};\n"
        "  static constexpr bool is_second = {}, is_folded = {};\n",
        axis.lines.lane.extent, is_second == is_first_rows ? shape.own_columns : shape.own_rows, of.together, is_second, is_folded);
    LinesWanted lines = wanted_of(axis, is_second == is_first_rows, !is_second);
    return plan_text(name, axis.lines, lines, of, more);
  };
  plane.source.name = fmt::format("planes of {}x{} complex{}", b.n, a.n, sizeof(T) * 16);
  plane.source.text = fmt::format(
      R"(#include "fft/cuda/known_plane.cuh"
using namespace crinkle::fft;
{}{}extern "C" __global__ void __launch_bounds__(First::threads, First::n_blocks) CRINKLE_CLUSTER(First::together)
    kernel(const __grid_constant__ CudaLines<First::T> lines, std::int64_t first, const char* in, char* out) {{
  kernel::transform_plane<First, Second>(lines, first, in, out);
}}
)",
      text_of("First", first, shape.first, false, is_from_real), text_of("Second", second, shape.second, true, is_to_real));
  plane.shape = shape.first;
  plane.shape.shared_bytes = shape.shared_bytes;
  CudaLines<T>& lines = plane.lines = a;
  lines.second_tables = b.tables;
  if (is_to_real) lines.ends.fold = b.ends.fold;
  lines.ends.out_unit = b.ends.out_unit;
  lines.lane = {1, 0, 0};
  lines.n_lanes = 1;
  lines.threads = static_cast<std::int32_t>(shape.first.threads);
  count_blocks(lines);
  return plane;
}

template std::optional<CompiledPlane<float>> plane_to_compile(PlaneAxis<float>, PlaneAxis<float>, const std::vector<Loop>&, std::int64_t,
                                                              std::int64_t, bool);
template std::optional<CompiledPlane<double>> plane_to_compile(PlaneAxis<double>, PlaneAxis<double>, const std::vector<Loop>&, std::int64_t,
                                                               std::int64_t, bool);

std::unique_ptr<Pass> make_cuda_plane(const AxisPair& pair, FftReal real, Device device) {
  const std::int64_t number = real == FftReal::float64 ? 16 : 8, n = pair.first.n, m = pair.second.n;
  if (kernel_options().effort == KernelEffort::library || std::min(n, m) < 2 || std::max(n, m) > 32768) return nullptr;
  if (std::min(std::abs(pair.first.in), std::abs(pair.of_first.in)) > number ||
      std::min(std::abs(pair.second.out), std::abs(pair.of_second.out)) > number)
    return nullptr;
  const std::int64_t half = pair.first.kind == FftKind::complex_to_complex && pair.second.kind == FftKind::complex_to_complex ? 1 : 2;
  if (n * m / half * number > most_together * facts_of(device).shared_bytes_block) return nullptr;
  if (real == FftReal::float64) return plane_of<double>(pair, device);
  return plane_of<float>(pair, device);
}

}  // namespace crinkle::fft
