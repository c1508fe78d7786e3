// Plans by timing: some shapes of a plan's lines (shapes_of), each run a few times in memory of its own, in turns. Their results are the
// same in every bit, so that what is chosen, which the card's mood may change, is never seen but by a clock. It is remembered for the
// process, and kept beside the kernels for others.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/checked.hpp"
#include "base/per_process.hpp"
#include "crinkle/cuda.hpp"
#include "crinkle/error.hpp"
#include "cuda/entry.hpp"
#include "cuda/runtime.hpp"
#include "fft/cuda/compiled.hpp"

namespace crinkle::fft {
namespace {

constexpr std::int64_t most_bytes = std::int64_t{512} << 20;  // of the arrays that they are tried on: 0.2 ms of an H200
constexpr int n_rounds = 5;
constexpr double clearly = 1.02;  // times as fast as the first

// Bytes of an array from its lowest place to its highest, and how far before the first place the lowest one lies.
struct Extent {
  std::int64_t before = 0, behind = 0;
  void add(std::int64_t count, std::int64_t stride) {
    const std::int64_t reach = multiply(std::max<std::int64_t>(count, 1) - 1, stride);
    (reach < 0 ? before : behind) = crinkle::add(reach < 0 ? before : behind, std::abs(reach));
  }
  std::int64_t bytes() const { return crinkle::add(before, behind); }
};
using Reach = std::vector<CudaLoop>;
template <class T>
std::pair<Extent, Extent> extents_of(const CudaLines<T>& lines, const Reach& reach) {
  Extent in, out;
  constexpr std::int64_t number = sizeof(Number<T>);
  const auto add_loop = [&](const CudaLoop& loop) {
    in.add(loop.extent, loop.in);
    out.add(loop.extent, loop.out);
  };
  for (const CudaLoop& loop : reach) add_loop(loop);
  add_loop(lines.lane);
  for (int i = 0; i < lines.loops.n; ++i) add_loop(lines.loops.loops[i]);
  in.behind = add(in.behind, 2 * number);
  out.behind = add(out.behind, 2 * number);
  return {in, out};
}

// So many of the lines that memory for them is not too much.
template <class T>
CudaLines<T> some_of(CudaLines<T> lines, const Reach& reach) {
  for (;;) {
    const auto [in, out] = extents_of(lines, reach);
    if (add(in.bytes(), out.bytes()) <= most_bytes) break;
    CudaLoop* most = &lines.lane;
    for (int i = 0; i < lines.loops.n; ++i)
      if (lines.loops.loops[i].extent > most->extent) most = &lines.loops.loops[i];
    if (most->extent == 1) break;
    most->extent = ceil_divide(most->extent, 2);
  }
  count_blocks(lines);
  return lines;
}

// The place among the shapes of the fastest one.
template <class T>
std::size_t fastest(const std::vector<CompiledLines<T>>& all, const Reach& reach, Device device) {
  constexpr std::int64_t aligned = 256;
  const auto [in, out] = extents_of(some_of(all.front().lines, reach), reach);
  const DeviceMemory from(device, add(in.bytes(), aligned)), to(device, add(out.bytes(), aligned));
  const std::byte* const source = static_cast<const std::byte*>(from.data()) + ceil_divide(in.before, aligned) * aligned;
  std::byte* const result = static_cast<std::byte*>(to.data()) + ceil_divide(out.before, aligned) * aligned;
  const Stream stream(device);
  const std::int64_t multiprocessors = facts_of(device).multiprocessors;
  gpu::Timer timer(device.index);
  std::vector<double> least(all.size(), 1e30);
  for (int round = -1; round < n_rounds; ++round) {  // the first one warms
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!all[i].kernel) continue;
      const CudaLines<T> lines = some_of(all[i].lines, reach);
      timer.begin(stream.get());
      launch_compiled(lines, *all[i].kernel, all[i].shape, source, result, multiprocessors, stream.get());
      timer.end(stream.get());
      const double seconds = timer.seconds();
      if (round >= 0) least[i] = std::min(least[i], seconds);
    }
  }
  const auto best = static_cast<std::size_t>(std::min_element(least.begin(), least.end()) - least.begin());
  return least[0] > clearly * least[best] ? best : 0;
}

// The place of a shape that was chosen before, by its kernel's source.
template <class T>
std::optional<std::size_t> place_in(const std::optional<std::string>& chosen, const std::vector<CompiledLines<T>>& all) {
  if (!chosen) return {};
  const auto found = std::find_if(all.begin(), all.end(), [&](const CompiledLines<T>& one) { return one.source.text == *chosen; });
  return found == all.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - all.begin()));
}

// Places of the fastest shapes, by what is asked for. Thread-safe.
struct Chosen {
  std::optional<std::size_t> find(const std::string& key) {
    const std::scoped_lock lock(mutex);
    const auto found = places.find(key);
    return found == places.end() ? std::nullopt : std::optional(found->second);
  }
  void remember(const std::string& key, std::size_t place) {
    constexpr std::size_t most_kept = 1024;
    const std::scoped_lock lock(mutex);
    if (places.size() >= most_kept) places.clear();
    places.emplace(key, place);
  }

  std::mutex mutex;
  std::map<std::string, std::size_t> places;
};
constinit PerProcess<Chosen> all_chosen;

}  // namespace

template <class T>
std::optional<CompiledLines<T>> quickest_of(std::vector<CompiledLines<T>> all, const std::vector<CudaLoop>& reach, Device device) {
  if (all.size() < 2) return {};
  const CudaLines<T>& lines = all.front().lines;
  std::string key = facts_of(device).name + ' ' + std::to_string(lines.lane.extent) + ' ';
  for (int i = 0; i < lines.loops.n; ++i) key += std::to_string(lines.loops.loops[i].extent) + ' ';
  key += all[0].source.text;
  Chosen& chosen = all_chosen.get();
  std::optional<std::size_t> place = chosen.find(key);
  if (!place) {
    place = place_in(gpu::kept_finding(key), all);
    if (place) chosen.remember(key, *place);
  }
  const auto compile = [&](CompiledLines<T>& one) {
    one.kernel = gpu::compiled(one.source, device, {});
    if (one.kernel) gpu::entry<&gpu::allow_shared_bytes>(one.kernel->get(), one.shape.shared_bytes, device.index);
  };
  if (!place) {
    const gpu::OnDevice on(device.index);
    for (CompiledLines<T>& one : all) compile(one);
    if (!all.front().kernel) return {};
    try {
      place = fastest(all, reach, device);
    } catch (const Error& e) {
      if (e.code() != ErrorCode::out_of_memory) throw;
      return {};
    }
    chosen.remember(key, *place);
    gpu::keep_finding(key, all[*place].source.text);
  }
  if (!all[*place].kernel) compile(all[*place]);
  if (!all[*place].kernel) return {};
  return std::move(all[*place]);
}

template <class T>
std::optional<CompiledLines<T>> quickest_lines(const CudaLines<T>& lines, const LinesWanted& wanted, Device device) {
  std::vector<CompiledLines<T>> all = lines_to_compile(lines, wanted, most_shapes);
  if (all.empty()) return {};
  const CudaEnds<T>& e = all.front().lines.ends;
  return quickest_of(std::move(all), {{e.n_in + 1, e.in, 0}, {e.n_out + 1, 0, e.out}}, device);
}

template std::optional<CompiledLines<float>> quickest_of(std::vector<CompiledLines<float>>, const std::vector<CudaLoop>&, Device);
template std::optional<CompiledLines<double>> quickest_of(std::vector<CompiledLines<double>>, const std::vector<CudaLoop>&, Device);
template std::optional<CompiledLines<float>> quickest_lines(const CudaLines<float>&, const LinesWanted&, Device);
template std::optional<CompiledLines<double>> quickest_lines(const CudaLines<double>&, const LinesWanted&, Device);

}  // namespace crinkle::fft
