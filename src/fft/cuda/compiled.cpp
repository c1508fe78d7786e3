// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cuda/compiled.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/checked.hpp"
#include "cuda/entry.hpp"
#include "cuda/grids.hpp"
#include "cuda/runtime.hpp"
#include "fft/at.hpp"
#include "move/planned.hpp"

namespace crinkle::fft {
namespace {

constexpr double compile_seconds = 0.5;
constexpr double share_of_fixed = 0.45, share_of_compiled = 0.85;  // of a copy: docs/tuning.md

template <class T>
constexpr const char* name_of_real = sizeof(T) == 4 ? "float" : "double";

// A constant of the source that has the same bits.
template <class T>
std::string exact(T value) {
  return fmt::format("{:a}{}", static_cast<double>(value), sizeof(T) == 4 ? "f" : "");
}

template <class T>
bool are_plain_in(const CudaEnds<T>& e) {
  return e.in_kind == CudaIn::numbers && e.in_unit == static_cast<int>(2 * sizeof(T)) && e.in_part == static_cast<int>(sizeof(T)) &&
         e.n_in == e.n && e.in_shift == 0;
}
template <class T>
bool are_plain_out(const CudaEnds<T>& e) {
  return e.out_kind == CudaOut::numbers && e.out_unit == static_cast<int>(2 * sizeof(T)) && e.out_part == static_cast<int>(sizeof(T)) &&
         e.n_out == e.n && e.out_shift == 0;
}

template <class T>
std::string constants_of(const CudaEnds<T>& e, bool has_chirp_in, bool has_chirp_out) {
  return fmt::format("{{CudaIn({}), CudaOut({}), {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, lines.ends.fold, {}, {}}}",
                     static_cast<int>(e.in_kind), static_cast<int>(e.out_kind), e.in_unit, e.out_unit, e.in_part, e.out_part, e.n, e.n_in,
                     e.n_out, e.in, e.out, e.in_shift, e.out_shift, exact(e.im_in), exact(e.re), exact(e.im),
                     has_chirp_in ? "lines.ends.chirp_in" : "nullptr", has_chirp_out ? "lines.ends.chirp_out" : "nullptr");
}

// One behind the other, in memory.
template <class T>
bool are_dense_rows(const CudaLines<T>& lines, const LinesWanted& wanted) {
  const CudaEnds<T>& e = lines.ends;
  const std::int64_t line = wanted.n * wanted.number;
  return !wanted.has_chirp && !wanted.are_convolved && are_plain_in(e) && are_plain_out(e) && e.in == wanted.number &&
         e.out == wanted.number && lines.lane.in == line && lines.lane.out == line && lines.loops.n == 0 && lines.twist_loop < 0;
}

}  // namespace

template <class T>
std::string plan_text(const std::string& name, const CudaLines<T>& lines, const LinesWanted& wanted, const LinesShape& shape,
                      const std::string& more) {
  const CudaEnds<T>& e = lines.ends;
  const auto texts_of = [](const std::vector<KnownPlaces>& places) {
    std::vector<std::string> texts;
    for (const KnownPlaces& at : places) texts.push_back(fmt::format("{{{}, {}, {}}}", at.pad, at.by, at.stride));
    return texts;
  };
  const bool goes_back = !shape.places_back.empty();
  // Of narrow pieces of rows what lies beside them comes too.
  const bool is_folded = lines.folds_in || lines.folds_out;
  const bool is_narrow = lines.lanes_first_in && (is_folded ? shape.lanes / 2 : shape.lanes) * wanted.number < 128;
  return fmt::format(
      R"(struct {name} {{
  using T = {T};
  static constexpr KnownRadices radices{{{n_radices}, {{{radices}}}}};
  static constexpr std::uint32_t n = {n}, n_out = {n_out}, lanes = {lanes}, threads = {threads}, group = {group}, cluster = 1;
  static constexpr KnownPlaces all_places[] = {{{places}}};
  static constexpr KnownPlaces places(int i) {{ return all_places[i]; }}
{back}  static constexpr int n_blocks = {n_blocks}, n_loops = {n_loops}, fetched = {fetched}, firsts = {firsts};
  static constexpr int in_part = {in_part}, out_part = {out_part};
  static constexpr bool are_columns = {are_columns}, are_apart = {are_apart}, reads = {reads}, writes = {writes};
  static constexpr bool goes_back = {goes_back}, are_convolved = {are_convolved}, are_ordered = {are_ordered}, may_be_twisted = {is_twisted};
  static constexpr bool are_numbers_in = {are_numbers_in}, are_numbers_out = {are_numbers_out};
  static constexpr int landing = {landing};
{are_parts}{more}  __device__ static CudaEnds<T> ends(const CudaLines<T>& lines) {{ return {ends}; }}
  __device__ static CudaLoop lane(const CudaLines<T>& lines) {{ return {{lines.lane.extent, {lane_in}, {lane_out}}}; }}
  __device__ static bool lanes_first_in(const CudaLines<T>&) {{ return {first_in}; }}
  __device__ static bool lanes_first_out(const CudaLines<T>&) {{ return {first_out}; }}
}};
)",
      fmt::arg("name", name), fmt::arg("more", more), fmt::arg("goes_back", goes_back),
      fmt::arg("back", !goes_back ? ""
                                  : fmt::format(R"(  static constexpr KnownPlaces all_places_back[] = {{{}}};
  static constexpr KnownPlaces places_back(int i) {{ return all_places_back[i]; }}
)",
                                                fmt::join(texts_of(shape.places_back), ", "))),
      fmt::arg("landing", shape.landing), fmt::arg("T", name_of_real<T>), fmt::arg("n_radices", wanted.radices.size()),
      fmt::arg("radices", fmt::join(wanted.radices, ", ")), fmt::arg("n", wanted.n), fmt::arg("n_out", e.n_out),
      fmt::arg("lanes", shape.lanes), fmt::arg("threads", shape.threads), fmt::arg("group", shape.group),
      fmt::arg("places", fmt::join(texts_of(shape.places), ", ")), fmt::arg("n_blocks", shape.n_blocks), fmt::arg("n_loops", lines.loops.n),
      fmt::arg("fetched", is_narrow && wanted.reads ? 128 : 0), fmt::arg("are_columns", wanted.are_columns),
      fmt::arg("are_apart", shape.are_apart), fmt::arg("reads", wanted.reads || shape.landing >= 0),
      fmt::arg("writes", wanted.writes || shape.landing >= 0), fmt::arg("are_convolved", wanted.are_convolved),
      fmt::arg("are_ordered", wanted.are_ordered), fmt::arg("firsts", shape.firsts), fmt::arg("in_part", e.in_part),
      fmt::arg("out_part", e.out_part), fmt::arg("is_twisted", lines.is_twisted()),
      fmt::arg("are_numbers_in", are_plain_in(e) && lines.part_in == 0),
      fmt::arg("are_numbers_out", are_plain_out(e) && lines.part_out == 0),
      fmt::arg("are_parts", lines.part_in > 0 || lines.part_out > 0 ? "  static constexpr bool are_parts = true;\n" : ""),
      fmt::arg("ends", constants_of(e, wanted.has_chirp && (lines.part_in > 0 || lines.part_out == 0),
                                    wanted.has_chirp && (lines.part_out > 0 || lines.part_in == 0))),
      fmt::arg("lane_in", lines.lane.in), fmt::arg("lane_out", lines.lane.out), fmt::arg("first_in", lines.lanes_first_in),
      fmt::arg("first_out", lines.lanes_first_out));
}

gpu::KernelSource transform_source(std::string name, const char* header, const std::string& plans, const std::string& first_plan,
                                   const std::string& call, std::int64_t together) {
  return {.name = std::move(name),
          .text = fmt::format(R"(#include "fft/cuda/{}"
using namespace crinkle::fft;
{}extern "C" __global__ void __launch_bounds__({plan}::threads, {plan}::n_blocks) {}
    kernel(const __grid_constant__ CudaLines<{plan}::T> lines, std::int64_t first, const char* in, char* out) {{
  kernel::{}(lines, first, in, out);
}}
)",
                              header, plans, together > 1 ? fmt::format("CRINKLE_CLUSTER({})", together) : "", call,
                              fmt::arg("plan", first_plan))};
}

template <class T>
gpu::KernelSource source_of(const CudaLines<T>& lines, const LinesWanted& wanted, const LinesShape& shape) {
  const bool is_ahead = shape.landing >= 0;
  const char* const folds = lines.folds_in    ? "  static constexpr bool folds_in = true;\n"
                            : lines.folds_out ? "  static constexpr bool folds_out = true;\n"
                                              : "";
  return transform_source(fmt::format("lines of {} complex{}", wanted.n, sizeof(T) * 16), is_ahead ? "known_ahead.cuh" : "known.cuh",
                          plan_text("P", lines, wanted, shape, folds), "P", is_ahead ? "transform_lines_ahead<P>" : "transform_lines<P>",
                          1);
}

template <class T>
std::vector<CompiledLines<T>> lines_to_compile(const CudaLines<T>& lines, LinesWanted wanted, std::size_t most) {
  CudaLines<T> taken = lines;
  CudaEnds<T>& e = taken.ends;
  bool &reads = wanted.reads, &writes = wanted.writes;
  if (!are_in_registers(wanted.radices) || lines.first_stage_m > 0 || lines.twist_bits > 16) return {};
  // Butterflies take whole lines of numbers; pairs of real ones that follow each other are numbers.
  const std::int64_t n_in = lines.part_out > 0 ? lines.n : e.in_kind == CudaIn::pairs ? 2 * e.n : e.n;
  reads = reads && e.in_shift == 0 && e.n_in == n_in;
  writes = writes && e.out_shift == 0;
  if ((lines.folds_in || lines.folds_out) && !(reads && writes)) return {};
  // What is twisted in shared memory is in the same order where the last butterflies are (twisted, twiddles.cuh).
  if (lines.is_twisted() && !writes && !(wanted.are_convolved && !has_sums(wanted.radices.back()))) return {};
  if (reads && e.in_kind == CudaIn::pairs) e.in *= 2, e.n_in = e.n;
  if (writes && e.out_kind == CudaOut::pairs) e.out *= 2;
  wanted.n = lines.n;
  wanted.n_lines = lines.lane.extent;
  wanted.number = static_cast<std::int64_t>(sizeof(Number<T>));
  wanted.are_columns = lines.lanes_first_in || lines.lanes_first_out;
  wanted.may_come_ahead = are_dense_rows(taken, wanted);
  std::vector<CompiledLines<T>> all;
  for (const LinesShape& shape : shapes_of(wanted, most)) {
    taken.n_lanes = static_cast<std::int32_t>(shape.lanes);
    taken.threads = static_cast<std::int32_t>(shape.threads);
    count_blocks(taken);
    all.push_back({taken, shape, source_of(taken, wanted, shape), {}});
  }
  return all;
}

template <class T>
CompiledLines<T> compiled_lines(const CudaLines<T>& lines, const LinesWanted& wanted, Device device) {
  if (kernel_options().effort == KernelEffort::library) return {};
  std::vector<CompiledLines<T>> all = lines_to_compile(lines, wanted, 1);
  if (all.empty()) return {};
  const std::int64_t n_lines = lines.lane.extent * (lines.n_blocks / std::max<std::int64_t>(1, lines.n_groups));
  const double bytes = static_cast<double>(n_lines) * static_cast<double>(lines.n) * static_cast<double>(2 * sizeof(Number<T>));
  const double measured = machine_of(device).copy_gb_per_s(static_cast<std::int64_t>(bytes / 2)),
               copy = 1e9 * (measured > 0 ? measured : 1000);
  const gpu::Worth worth{bytes / copy / share_of_fixed, bytes / copy / share_of_compiled, compile_seconds};
  all.front().kernel = gpu::compiled(all.front().source, device, worth);
  return std::move(all.front());
}

template <class T>
void launch_compiled(const CudaLines<T>& lines, const gpu::Kernel& kernel, const LinesShape& shape, const std::byte* in, std::byte* out,
                     std::int64_t multiprocessors, CUstream_st* stream) {
  const std::int64_t most_ahead = shape.n_blocks * multiprocessors;
  const auto together = static_cast<std::uint32_t>(shape.together);
  gpu::for_each_grid(
      shape.landing < 0 ? lines.n_blocks : std::min(lines.n_blocks, most_ahead),
      [&](std::int64_t first, std::uint32_t n_blocks) {
        void* arguments[] = {const_cast<CudaLines<T>*>(&lines), &first, &in, &out};
        const gpu::Grid grid{n_blocks * together, static_cast<std::uint32_t>(lines.threads), shape.shared_bytes};
        gpu::entry<&gpu::launch>(kernel.get(), grid, arguments, stream, "a Fourier transform");
      },
      gpu::most_blocks / together);
}

template std::string plan_text(const std::string&, const CudaLines<float>&, const LinesWanted&, const LinesShape&, const std::string&);
template std::string plan_text(const std::string&, const CudaLines<double>&, const LinesWanted&, const LinesShape&, const std::string&);
template gpu::KernelSource source_of(const CudaLines<float>&, const LinesWanted&, const LinesShape&);
template gpu::KernelSource source_of(const CudaLines<double>&, const LinesWanted&, const LinesShape&);
template std::vector<CompiledLines<float>> lines_to_compile(const CudaLines<float>&, LinesWanted, std::size_t);
template std::vector<CompiledLines<double>> lines_to_compile(const CudaLines<double>&, LinesWanted, std::size_t);
template CompiledLines<float> compiled_lines(const CudaLines<float>&, const LinesWanted&, Device);
template CompiledLines<double> compiled_lines(const CudaLines<double>&, const LinesWanted&, Device);
template void launch_compiled(const CudaLines<float>&, const gpu::Kernel&, const LinesShape&, const std::byte*, std::byte*, std::int64_t,
                              CUstream_st*);
template void launch_compiled(const CudaLines<double>&, const gpu::Kernel&, const LinesShape&, const std::byte*, std::byte*, std::int64_t,
                              CUstream_st*);

}  // namespace crinkle::fft
