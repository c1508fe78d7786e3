// Plans by measurement. Every step is tried alone, in buffers of its own, in all ways that tunings_to_try() names: few rounds of all, then
// many of the best beside the estimate, which stays unless it is beaten clearly. The planner is as it was: this calls it and runs the plan.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "api/hasher.hpp"
#include "api/plan_data.hpp"
#include "api/tuning_file.hpp"
#include "base/checked.hpp"
#include "base/timing.hpp"
#include "crinkle/error.hpp"
#include "plan/describe.hpp"

namespace crinkle {
namespace {

constexpr int rounds_of_all = 2, rounds_of_two = 9;

void take(Hasher& hasher, const Boxes& boxes) {
  for (const Box& b : boxes) {
    for (const std::int64_t x : {b.src_offset, b.dst_offset, std::int64_t{b.src_slot}, std::int64_t{b.dst_slot}}) hasher.take(x);
    hasher.take(b.unit + (b.is_fill ? 64 : 0));
    for (const Axis& a : b.axes) {
      for (const std::int64_t x : {a.extent, a.src_stride, a.dst_stride}) hasher.take(x);
      hasher.take((a.src_counts == Counts::bytes ? 0 : 1) + (a.dst_counts == Counts::bytes ? 0 : 2));
    }
  }
}

std::uint64_t hash_of(const PlannedStep& step) {
  Hasher hasher;
  for (const tile::Rows& rows : step.pass.entries) take(hasher, boxes_of(rows));
  for (const Boxes& bundle : step.pass.bundles) take(hasher, bundle);
  for (const EntryTable& t : step.gathers()) {
    for (std::int64_t j = 0; j < t.n_entries; ++j) {
      for (const std::int64_t x : {t.src[j], t.dst[j], std::int64_t{t.fill(j)}}) hasher.take(x);
    }
  }
  return hasher.h;
}

// Memory for the bytes [first, last) of a buffer, its origin at the beginning of a page.
class Room {
 public:
  explicit Room(ByteSpan span) : span_(span), memory_(static_cast<std::byte*>(::operator new(n_mapped(), page))) {}
  Room(Room&& other) noexcept : span_(other.span_), memory_(std::exchange(other.memory_, nullptr)) {}
  Room& operator=(Room&&) = delete;
  ~Room() { ::operator delete(memory_, page); }

  std::byte* origin() const { return memory_ + span_.first % page_bytes - span_.first; }
  void fill_random(std::uint64_t state) {
    for (std::size_t at = 0; at < n_mapped(); at += 8) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const std::uint64_t word = state ^ (state >> 29);
      std::memcpy(memory_ + at, &word, std::min<std::size_t>(8, n_mapped() - at));
    }
  }

 private:
  static constexpr std::int64_t page_bytes = 4096;
  static constexpr std::align_val_t page{page_bytes};
  std::size_t n_mapped() const { return static_cast<std::size_t>(span_.last - span_.first + span_.first % page_bytes + 1); }

  ByteSpan span_;
  std::byte* memory_;
};

std::vector<Room> rooms_of(const std::vector<ByteSpan>& spans, std::uint64_t seed) {
  std::vector<Room> rooms;
  for (const ByteSpan& span : spans) {
    rooms.emplace_back(span.first == span.last ? ByteSpan{} : span);
    rooms.back().fill_random(seed + rooms.size());
  }
  return rooms;
}

std::int64_t n_bytes_of(const std::vector<ByteSpan>& spans) {
  std::int64_t n = 0;
  for (const ByteSpan& span : spans) n = add(n, subtract(span.last, span.first));
  return n;
}

template <class T>
std::vector<T> origins_of(const std::vector<Room>& rooms) {
  std::vector<T> origins;
  for (const Room& room : rooms) origins.push_back(room.origin());
  return origins;
}

// The best way to run one step, the estimate where none is better.
Tuning fastest(const CpuStep& step, Sources src, Destinations dst, Executor& executor, double most_seconds) {
  std::vector<Tuning> tunings = tunings_to_try(step, executor.n_workers());
  const auto contender = [&](const Tuning& tuning) {
    Contender c;
    c.run = [=, &step, &executor, limits = limits_of(step, tuning)] { run_cpu(step, src, dst, executor, simd::kernels(), limits); };
    c.is_warmed = true;
    return c;
  };
  std::vector<Contender> all;
  for (const Tuning& tuning : tunings) all.push_back(contender(tuning));
  take_turns(all, rounds_of_all, most_seconds);
  const auto best = std::min_element(
      all.begin() + 1, all.end(), [](const Contender& a, const Contender& b) { return quantile(a.seconds, 0) < quantile(b.seconds, 0); });
  if (best == all.end()) return tunings[0];
  Tuning chosen = tunings[static_cast<std::size_t>(best - all.begin())];
  std::vector<Contender> two{contender(tunings[0]), contender(chosen)};
  take_turns(two, rounds_of_two, most_seconds);
  chosen.gain = median(two[0].seconds) / median(two[1].seconds);
  return is_faster(two[1].seconds, two[0].seconds) && chosen.gain > 1 ? chosen : tunings[0];
}

}  // namespace

Plan measured_plan(const Rearrangement& r, Executor& executor, const MeasureOptions& options) {
  const Plan estimate(r);
  auto data = std::make_shared<Plan::Data>(*estimate.data_);
  TuningFile file(options.cache_file);
  std::vector<std::pair<TunedFor, Tuning>> made;
  std::vector<Room> sources, destinations, workspace;  // made when the first step is to be tried
  const std::int64_t touched = add(add(n_bytes_of(data->source_spans), n_bytes_of(data->destination_spans)), data->workspace_bytes);
  const std::size_t n_steps = data->steps.size();

  const auto tried = [&](std::size_t k) -> std::optional<Tuning> {
    try {
      if (destinations.empty()) {
        workspace = rooms_of({{0, data->workspace_bytes}}, 1);
        sources = rooms_of(data->source_spans, 2);
        destinations = rooms_of(data->destination_spans, 3);
      }
    } catch (const std::bad_alloc&) { return {}; }
    std::vector<const std::byte*> in = origins_of<const std::byte*>(sources);
    std::vector<std::byte*> out = origins_of<std::byte*>(destinations);
    if (k > 0) in = {workspace[0].origin() + data->written_at(k - 1)};
    if (k + 1 < n_steps) out = {workspace[0].origin() + data->written_at(k)};
    return fastest(data->steps[k].on_cpu, in, out, executor, options.most_seconds);
  };

  for (std::size_t k = 0; k < n_steps; ++k) {
    PlannedStep& step = data->steps[k];
    const int n_workers = executor.n_workers();
    const std::vector<Tuning> known = tunings_to_try(step.on_cpu, n_workers);
    const TunedFor key{hash_of(step), n_workers};
    std::optional<Tuning> tuning = file.find(key, known);
    const char* from = tuning ? "as chosen before, from the cache file" : "as measured now";
    if (!tuning && touched > options.most_bytes) {
      step.chosen = fmt::format("as estimated: to try it takes {}, more than {}", planning::print_bytes(static_cast<double>(touched)),
                                planning::print_bytes(static_cast<double>(options.most_bytes)));
      continue;
    }
    if (!tuning) {
      tuning = tried(k);
      if (!tuning) {
        step.chosen = fmt::format("as estimated: there is no memory to try it in, {}", planning::print_bytes(static_cast<double>(touched)));
        continue;
      }
      made.emplace_back(key, *tuning);
    }
    const bool is_estimate = *tuning == known[0];
    step.chosen = fmt::format("{}: {}, {}", from, print(*tuning, n_workers),
                              is_estimate ? "which is the estimate" : fmt::format("{:.2f} times as fast as the estimate", tuning->gain));
    if (!is_estimate) step.on_cpu.limits = limits_of(step.on_cpu, *tuning);
  }
  const std::string why_not = file.add(made);
  if (!why_not.empty() && options.note) options.note(options.cache_file + ": what was measured could not be kept: " + why_not);
  return Plan(std::move(data));
}

}  // namespace crinkle
