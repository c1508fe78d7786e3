// SPDX-License-Identifier: BSD-3-Clause
#include "run.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <vector>

#include "base/checked.hpp"
#include "move/reference.hpp"
#include "progress.hpp"

namespace crinkle::tool {
namespace {

// Slabs of at most `limit` bytes of the destination.
std::int64_t slabs_at_once(const Rearrangement& r, std::int64_t limit) {
  const std::int64_t n = r.n_slabs(), each = std::max<std::int64_t>(1, r.destination().n_bytes() / std::max<std::int64_t>(1, n));
  return std::clamp<std::int64_t>(limit / each, 1, std::max<std::int64_t>(1, n));
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::span<const std::byte* const> one(const std::byte* const& p) { return {&p, 1}; }
std::span<std::byte* const> one(std::byte* const& p) { return {&p, 1}; }

// Whether the box's destination holds its source; the offset of the first unit that does not, or −1.
std::int64_t compare(const Box& box, std::size_t a, std::int64_t from, std::int64_t to, const std::byte* src, const std::byte* dst) {
  if (a == box.axes.size()) {
    const std::byte* want = box.is_fill ? box.pattern.data() : src + from;
    return std::memcmp(dst + to, want, static_cast<std::size_t>(box.unit)) == 0 ? -1 : to;
  }
  const Axis& axis = box.axes[a];
  std::int64_t first = -1;
  for (std::int64_t i = 0; i < axis.extent; ++i) {
    const std::int64_t at = compare(box, a + 1, from + i * axis.src_stride, to + i * axis.dst_stride, src, dst);
    if (at >= 0 && (first < 0 || at < first)) first = at;
  }
  return first;
}

}  // namespace

double run_in_slabs(const Rearrangement& r, std::span<const std::byte> src, std::span<std::byte> dst, Executor& executor) {
  const std::int64_t n_bytes = r.destination().n_bytes(), n = r.n_slabs();
  if (n_bytes == 0) return 0;
  const ConstBuffer from{src.data(), static_cast<std::int64_t>(src.size())};
  Progress progress(n_bytes);
  const Plan whole(r);
  const bool is_two_steps = whole.workspace_bytes() > 0;
  std::int64_t at_once = is_two_steps || n_bytes > 8 * slab_bytes ? slabs_at_once(r, slab_bytes) : n;
  while (at_once > 1 && is_two_steps && Plan(r.slab(0, at_once)).workspace_bytes() > slab_bytes) at_once /= 2;
  if (at_once == n) {
    const Buffer to{dst.data(), n_bytes};
    const auto start = std::chrono::steady_clock::now();
    whole.run({&from, 1}, {&to, 1}, executor);
    return seconds_since(start);
  }
  const std::int64_t each = n_bytes / n;
  double seconds = 0;
  for (std::int64_t first = 0; first < n; first += at_once) {
    const std::int64_t count = std::min(at_once, n - first);
    const Buffer to{dst.data() + first * each, count * each};
    const Plan plan(r.slab(first, count));
    const auto start = std::chrono::steady_clock::now();
    plan.run({&from, 1}, {&to, 1}, executor);
    seconds += seconds_since(start);
    progress.advance(count * each);
  }
  return seconds;
}

std::int64_t first_difference(const Rearrangement& r, std::span<const std::byte> src, std::span<const std::byte> dst) {
  const std::int64_t n_bytes = r.destination().n_bytes();
  if (n_bytes == 0) return -1;
  const Steps steps = r.steps();
  std::int64_t first = -1;
  if (steps.steps.size() == 1 && steps.steps[0].gathers.empty()) {
    for (const Box& box : steps.steps[0].boxes) {
      const std::int64_t at = compare(box, 0, box.src_offset, box.dst_offset, src.data(), dst.data());
      if (at >= 0 && (first < 0 || at < first)) first = at;
    }
    return first < 0 ? -1 : first / r.element_bytes();
  }
  const std::int64_t n = r.n_slabs(), each = n_bytes / n, at_once = slabs_at_once(r, slab_bytes);
  std::vector<std::byte> expected, workspace;
  for (std::int64_t s = 0; s < n; s += at_once) {
    const std::int64_t count = std::min(at_once, n - s);
    const Steps part = r.slab(s, count).steps();
    expected.assign(static_cast<std::size_t>(count * each), std::byte{});
    workspace.resize(static_cast<std::size_t>(part.workspace_bytes));
    std::byte* out = expected.data();
    std::byte* between = workspace.data();
    const std::byte* in = src.data();
    const std::byte* again = between;
    const bool is_two_steps = part.steps.size() == 2;
    run_reference(part.steps[0], one(in), one(is_two_steps ? between : out));
    if (is_two_steps) run_reference(part.steps[1], one(again), one(out));
    const std::byte* have = dst.data() + s * each;
    const auto [differs, unused] = std::mismatch(expected.begin(), expected.end(), have);
    if (differs != expected.end()) return (s * each + (differs - expected.begin())) / r.element_bytes();
  }
  return -1;
}

double copy_seconds(std::int64_t wanted_bytes, Executor& executor) {
  if (wanted_bytes <= 0) return 0;
  const std::int64_t n_bytes = std::min<std::int64_t>(wanted_bytes, 256 << 20);
  const auto n = static_cast<std::size_t>(n_bytes);
  const std::unique_ptr<std::byte[]> from(new std::byte[n]), to(new std::byte[n]);
  std::uint64_t x = 0x9E3779B97F4A7C15u;
  for (std::size_t i = 0; i < n; ++i) {
    if (i % 8 == 0) x = x * 6364136223846793005u + 1442695040888963407u;
    from[i] = static_cast<std::byte>(x >> (8 * (i % 8)));
  }
  std::memset(to.get(), 1, n);
  const std::int64_t n_chunks = executor.n_workers();
  std::vector<double> times;
  for (int k = 0; k < 5; ++k) {
    const auto start = std::chrono::steady_clock::now();
    executor.parallel_for(n_chunks, [&](std::int64_t c) {
      const std::int64_t first = n_bytes * c / n_chunks, last = n_bytes * (c + 1) / n_chunks;
      std::memcpy(to.get() + first, from.get() + first, static_cast<std::size_t>(last - first));
    });
    times.push_back(seconds_since(start));
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2] * (static_cast<double>(wanted_bytes) / static_cast<double>(n_bytes));
}

}  // namespace crinkle::tool
