// SPDX-License-Identifier: BSD-3-Clause
#include "running/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/checked.hpp"
#include "form/slabs.hpp"
#include "formats/listener.hpp"
#include "move/reference.hpp"
#include "operations/bit_planes.hpp"
#include "plan/describe.hpp"
#include "running/progress.hpp"

namespace crinkle::tool {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The offset of the first unit of a step's destination that does not hold its source, or −1.
std::int64_t compare(const Step& step, const std::byte* src, const std::byte* dst) {
  std::int64_t first = -1;
  for_each_unit(step, [&](const Box& box, UnitPlace from, UnitPlace to) {
    const std::byte* want = box.is_fill ? box.pattern.data() : src + from.bytes;
    if (std::memcmp(dst + to.bytes, want, static_cast<std::size_t>(box.unit)) != 0 && (first < 0 || to.bytes < first)) first = to.bytes;
  });
  return first;
}

// The planes of elements first … against all planes: the lowest byte that differs, or −1.
std::int64_t compare_planes(std::span<const std::byte> elements, std::int64_t first, std::int64_t n, std::int64_t element_bytes,
                            std::span<const std::byte> all) {
  const std::int64_t count = std::ssize(elements) / element_bytes, plane = ceil_divide(count, 8), whole_plane = ceil_divide(n, 8);
  std::vector<std::byte> planes(static_cast<std::size_t>(bit_planes_bytes(count, element_bytes)));
  bit_planes_reference(elements, planes, count, element_bytes, {0, count});
  for (std::int64_t b = 0; b < 8 * element_bytes; ++b) {
    const auto expected = planes.begin() + b * plane;
    const std::byte* have = all.data() + b * whole_plane + first / 8;
    const std::int64_t same = std::mismatch(expected, expected + plane, have).first - expected;
    if (same < plane) return b * whole_plane + first / 8 + same;
  }
  return -1;
}

// The bytes of a part of one pass: some 32 parts where a program listens, so that it hears of them, but no tiny ones.
std::int64_t told_bytes(const Rearrangement& r, std::int64_t limit) {
  constexpr std::int64_t n_parts = 32, least = std::int64_t{1} << 20;
  if (Listener::present() == nullptr || r.steps().steps.size() != 1) return limit;
  return std::min(limit, std::max(least, r.destination().n_bytes() / n_parts));
}

}  // namespace

std::int64_t slab_bytes() {
  constexpr std::int64_t usual = 64 << 20;
  constexpr std::string_view word = "slab_bytes=";
  const char* forced = std::getenv("CRINKLE_FORCE");
  if (forced == nullptr || !std::string_view(forced).starts_with(word)) return usual;
  return std::max<std::int64_t>(1, std::strtoll(forced + word.size(), nullptr, 10));
}

bool is_for_slabs(const Rearrangement& r, Form src_form, Form dst_form, std::int64_t limit) {
  constexpr std::int64_t shown_from = 8;  // slabs: a move that long shows how far it is
  return src_form != Form::elements || dst_form != Form::elements || r.destination().n_bytes() / shown_from > limit;
}

double move_bytes(const Rearrangement& r, std::span<const std::byte> src, Form src_form, std::span<std::byte> dst, Form dst_form,
                  Executor& executor, const std::function<Plan()>& make_plan, std::int64_t limit) {
  const std::int64_t n_bytes = r.destination().n_bytes();
  const std::int64_t src_element = r.source().element_bytes, dst_element = r.destination().element_bytes;
  const ConstBuffer from{src.data(), std::ssize(src)};
  const Buffer to{dst.data(), std::ssize(dst)};
  if (Listener::present() == nullptr && n_bytes > 0 && !is_for_slabs(r, src_form, dst_form, limit)) {
    const Plan plan = make_plan();
    const auto start = std::chrono::steady_clock::now();
    if (plan.workspace_bytes() <= limit) {
      plan.run({&from, 1}, {&to, 1}, executor);
      return seconds_since(start);
    }
  }
  Progress progress(n_bytes);
  if (n_bytes == 0) return 0;
  SlabOptions options;
  options.workspace_bytes = told_bytes(r, limit);
  options.read_multiple = multiply(8, src_element);
  options.take_multiple = multiply(8, dst_element);
  options.moved = [&](std::int64_t n) { progress.advance(n); };
  if (src_form == Form::bit_planes) {
    options.read = [&](std::int64_t first, std::span<std::byte> slab) {
      from_bit_planes(src, slab, r.source().n_elements(), src_element, {first / src_element, std::ssize(slab) / src_element}, executor);
    };
  }
  if (dst_form == Form::bit_planes) {
    options.take = [&](std::int64_t first, std::span<const std::byte> slab) {
      bit_planes(slab, dst, r.destination().n_elements(), dst_element, {first / dst_element, std::ssize(slab) / dst_element}, executor);
      progress.advance(std::ssize(slab));
    };
  }
  const std::size_t n_from = options.read ? 0 : 1, n_to = options.take ? 0 : 1;
  const auto start = std::chrono::steady_clock::now();
  run_in_slabs(r, {&from, n_from}, {&to, n_to}, executor, options);
  return seconds_since(start);
}

namespace {

Slabs slabs_of(const Rearrangement& r, Form src_form, Form dst_form, std::int64_t limit) {
  Slabs::Actions actions;
  if (src_form == Form::bit_planes) actions.read = [](ByteSpan, std::int64_t) {};
  if (dst_form == Form::bit_planes) actions.take = [](ByteSpan, std::int64_t) {};
  actions.read_multiple = multiply(8, r.source().element_bytes);
  actions.take_multiple = multiply(8, r.destination().element_bytes);
  return Slabs(r, limit, std::move(actions));
}

}  // namespace

void note_large_slabs(const Rearrangement& r, Form src_form, Form dst_form, std::int64_t limit) {
  if (const std::int64_t least = slabs_of(r, src_form, dst_form, limit).workspace_bytes(); least > limit)
    fmt::print(stderr, "crinkle: note: --memory {}: the smallest slabs of this move take {}\n", limit,
               planning::print_bytes(static_cast<double>(least)));
}

std::string describe_slabs(const Rearrangement& r, Form src_form, Form dst_form, std::int64_t limit) {
  const std::int64_t n = slabs_of(r, src_form, dst_form, limit).most_makings();
  std::string text;
  if (Plan(r).workspace_bytes() > limit)
    text += fmt::format("moved in slabs of the workspace, {} in memory at a time\n", planning::print_bytes(static_cast<double>(limit)));
  if (n > 1) {
    text += fmt::format(
        "slabs of the first steps are made again for those of later ones, up to {} times: two moves with a file between them "
        "may be faster\n",
        n);
  }
  return text;
}

bool streams_well(const Rearrangement& r) { return r.steps().steps.size() == 1; }

void stream_bytes(const Rearrangement& r, std::span<const std::byte> src, const std::function<void(std::span<const std::byte>)>& write,
                  Executor& executor, std::int64_t limit) {
  Progress progress(r.destination().n_bytes());
  SlabOptions options;
  options.workspace_bytes = limit;
  options.take = [&](std::int64_t, std::span<const std::byte> slab) {
    write(slab);
    progress.advance(std::ssize(slab));
  };
  const ConstBuffer from{src.data(), std::ssize(src)};
  run_in_slabs(r, {&from, 1}, {}, executor, options);
}

std::int64_t first_difference(const Rearrangement& r, std::span<const std::byte> src, Form src_form, std::span<const std::byte> dst,
                              Form dst_form) {
  const std::int64_t src_element = r.source().element_bytes, dst_element = r.destination().element_bytes;
  std::int64_t first = -1;
  std::vector<std::byte> workspace;
  const auto note = [&first](std::int64_t at) {
    if (at >= 0 && (first < 0 || at < first)) first = at;
  };
  Slabs::Actions actions;
  actions.read_multiple = multiply(8, src_element);
  actions.take_multiple = multiply(8, dst_element);
  actions.run = [&](const Step& step, crinkle::Place from, crinkle::Place to) {
    const std::byte* in = (from.array == crinkle::Place::In::source ? src.data() : workspace.data()) + from.at;
    if (to.array == crinkle::Place::In::workspace) {
      std::byte* out = workspace.data() + to.at;
      return run_reference(step, {&in, 1}, {&out, 1});
    }
    const std::int64_t at = compare(step, in, dst.data() + to.at);
    note(at < 0 ? at : (to.at + at) / dst_element);
  };
  const auto in_workspace = [&](ByteSpan slab, std::int64_t at) {
    return std::span(workspace).subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(slab.last - slab.first));
  };
  if (src_form == Form::bit_planes) {
    actions.read = [&](ByteSpan slab, std::int64_t at) {
      from_bit_planes_reference(src, in_workspace(slab, at), r.source().n_elements(), src_element,
                                {slab.first / src_element, (slab.last - slab.first) / src_element});
    };
  }
  if (dst_form == Form::bit_planes) {
    actions.take = [&](ByteSpan slab, std::int64_t at) {
      note(compare_planes(in_workspace(slab, at), slab.first / dst_element, r.destination().n_elements(), dst_element, dst));
    };
  }
  const std::int64_t limit = dst_form == Form::bit_planes ? slab_bytes() / 2 : slab_bytes();  // the other half holds a slab's planes
  Slabs slabs(r, limit, std::move(actions));
  workspace.resize(static_cast<std::size_t>(slabs.workspace_bytes()));
  slabs.run();
  return first;
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

void print_report(std::int64_t moved, double seconds, std::FILE* to, Executor& executor) {
  constexpr double shortest = 1e-9;  // what the clock can tell
  constexpr std::int64_t least = std::int64_t{4} << 20;
  if (moved < least) return fmt::print(to, "{} bytes  {:.6f} s\n", moved, seconds);
  const double time = std::max(seconds, shortest), copy = std::max(copy_seconds(ceil_divide(moved, 2), executor), shortest);
  fmt::print(to, "{} bytes  {:.6f} s  {:.2f} GB/s  {:.0f} % of a plain copy\n", moved, seconds, static_cast<double>(moved) / time * 1e-9,
             100 * copy / time);
}

}  // namespace crinkle::tool
