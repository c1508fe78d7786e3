// SPDX-License-Identifier: BSD-3-Clause
#include "running/stored_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/checked.hpp"
#include "crinkle/plan.hpp"
#include "operation/model.hpp"
#include "plan/describe.hpp"

namespace crinkle::tool {
namespace {

constexpr std::size_t most_candidates = 600;
constexpr double wanted_part = 64 << 20;  // bytes, which are made while others are read and written

std::int64_t bytes_of_chunk(const Grid& grid) { return Layout::dense(grid.chunks, grid.element_bytes).n_bytes(); }

/// One way to cut a stage, and what of its neighbours matters for it.
struct Candidate {
  Extents pieces;
  Ranges needs, gives;  // of a part in the middle
  std::int64_t memory_bytes = 0;
};

struct Stage {
  const Operation* operation;
  bool is_copy;
  std::vector<Candidate> candidates;
};

Candidate candidate_of(const Operation& operation, bool is_copy, const Extents& pieces, const Grid& from, const Grid& to, int n_lanes,
                       int n_workers) {
  const Parts parts(operation, pieces);
  const Ranges part = parts.middle();
  n_lanes = static_cast<int>(std::min<std::int64_t>(n_lanes, parts.n()));
  return {pieces, operation.needs(part)[0], operation.gives(part)[0], memory_of(operation, is_copy, part, from, to, n_lanes, n_workers)};
}

/// Those that fit; the smallest where none does.
std::vector<Candidate> candidates_of(const Operation& operation, bool is_copy, const Grid& from, const Grid& to,
                                     const StoredRequest& request, int n_lanes) {
  std::vector<Candidate> all;
  std::int64_t smallest = INT64_MAX;
  for (const Extents& pieces : pieces_of_cuts(operation, unit_of_cuts(operation, to))) {
    all.push_back(candidate_of(operation, is_copy, pieces, from, to, n_lanes, request.n_workers));
    smallest = std::min(smallest, all.back().memory_bytes);
  }
  // Where none fits, those that take about as much as the smallest, which may be tiny parts of which each needs all.
  const std::int64_t most = std::max(request.memory_bytes, smallest > request.memory_bytes ? add(smallest, smallest / 8) : 0);
  std::erase_if(all, [&](const Candidate& one) { return one.memory_bytes > most; });
  return all;
}

/// Of candidates, those that no other one has in it: of several passes only large parts are of use.
std::vector<Candidate> largest_of(const std::vector<Candidate>& all) {
  std::vector<Candidate> kept;
  const auto is_in = [](const Extents& a, const Extents& b) {
    for (std::size_t c = 0; c < a.size(); ++c)
      if (a[c] > b[c]) return false;
    return a != b;
  };
  for (const Candidate& one : all)
    if (std::none_of(all.begin(), all.end(), [&](const Candidate& other) { return is_in(one.pieces, other.pieces); })) kept.push_back(one);
  return kept;
}

Pass pass_of(const Stage& stage, const Candidate& candidate, const Grid& from, const Grid& to, bool is_last) {
  const Parts parts(*stage.operation, candidate.pieces);
  return {*stage.operation,
          stage.is_copy,
          parts,
          is_last ? Extents() : to.chunks,
          candidate.memory_bytes,
          traffic_of(*stage.operation, parts, from, to)};
}

// What a store between two passes has: boxes that a part of one writes and a part of the other one reads, whichever are smaller.
Grid tiles_between(const Operation& before, const Candidate& writes, const Candidate& reads) {
  const Layout& array = before.outputs()[0].layout;
  Grid grid{array.extents, {}, array.element_bytes, true};
  for (std::size_t a = 0; a < array.extents.size(); ++a) {
    const std::int64_t part = std::max<std::int64_t>(1, writes.gives[a].n), most = std::clamp<std::int64_t>(reads.needs[a].n, 1, part);
    std::int64_t tile = most;  // whole tiles a part, where that is near
    while (tile > most / 2 && part % tile != 0) --tile;
    grid.chunks.push_back(tile > most / 2 ? tile : most);
  }
  return grid;
}

StoredPlan finished(std::vector<Pass> passes, int n_lanes, int n_workers) {
  StoredPlan plan;
  plan.n_lanes = n_lanes;
  std::int64_t before = 0;  // the store that a pass reads is there while it writes the next one
  for (const Pass& pass : passes) {
    plan.all += pass.traffic;
    plan.seconds += seconds_of(pass.traffic, pass.memory_bytes, n_workers);
    plan.memory_bytes = std::max(plan.memory_bytes, pass.memory_bytes);
    const std::int64_t made = pass.tiles.empty() ? 0 : bytes_of(pass.operation.outputs());
    plan.temporary_bytes = std::max(plan.temporary_bytes, add(before, made));
    before = made;
  }
  plan.passes = std::move(passes);
  return plan;
}

/// The best of one pass: least time, and of the same, parts of a usual size.
Pass one_pass(const Stage& stage, const Grid& from, const Grid& to, int n_workers) {
  std::optional<Pass> best;
  double least = 0, from_wanted = 0;
  for (const Candidate& candidate : stage.candidates) {
    Pass pass = pass_of(stage, candidate, from, to, true);
    const double seconds = seconds_of(pass.traffic, candidate.memory_bytes, n_workers),
                 far = std::abs(std::log2(static_cast<double>(std::max<std::int64_t>(1, candidate.memory_bytes)) / wanted_part));
    constexpr double same = 0.02;
    if (best && (seconds > least * (1 + same) || (seconds > least * (1 - same) && far >= from_wanted))) continue;
    least = best ? std::min(least, seconds) : seconds;
    from_wanted = far;
    best = std::move(pass);
  }
  return *best;
}

// Then no further pass saves anything.
bool reads_once(const StoredPlan& plan, std::int64_t memory_bytes) {
  constexpr double once = 1.02;
  return plan.memory_bytes <= memory_bytes && std::all_of(plan.passes.begin(), plan.passes.end(), [&](const Pass& pass) {
           return pass.traffic.read <= once * static_cast<double>(bytes_of(pass.operation.inputs()));
         });
}

/// Of every candidate of a stage the cheapest way to it.
struct Way {
  double seconds = 0;
  std::size_t before = 0;
};

StoredPlan several_passes(std::vector<Stage> stages, const Grid& from, const Grid& to, int n_lanes, int n_workers) {
  const std::size_t n = stages.size();
  // The grid that candidate j of stage s reads behind candidate i of the one before.
  const auto between = [&](std::size_t s, std::size_t i, std::size_t j) {
    return tiles_between(*stages[s - 1].operation, stages[s - 1].candidates[i], stages[s].candidates[j]);
  };
  std::vector<std::vector<Way>> ways(n);
  // From a part in the middle: pass_of() looks at more of them.
  const auto cost = [&](std::size_t s, std::size_t j, const Grid& read) {
    const Candidate& candidate = stages[s].candidates[j];
    const double out = static_cast<double>(bytes_of(stages[s].operation->outputs())),
                 part = static_cast<double>(bytes_of(stages[s].operation->outputs()[0].layout, candidate.gives)), n_parts = out / part;
    Traffic traffic = read.reading(candidate.needs);
    traffic.read *= n_parts;
    traffic.decoded *= n_parts;
    traffic.calls *= n_parts;
    traffic.written = out;
    traffic.parts = n_parts;
    return seconds_of(traffic, candidate.memory_bytes, n_workers);
  };
  for (std::size_t s = 0; s < n; ++s) {
    for (std::size_t j = 0; j < stages[s].candidates.size(); ++j) {
      Way best{s == 0 ? cost(0, j, from) : std::numeric_limits<double>::infinity(), 0};
      for (std::size_t i = 0; s > 0 && i < stages[s - 1].candidates.size(); ++i) {
        const Grid tiles = between(s, i, j);
        const double calls = static_cast<double>(bytes_of(stages[s - 1].operation->outputs())) / static_cast<double>(bytes_of_chunk(tiles));
        const double seconds = ways[s - 1][i].seconds + cost(s, j, tiles) + Traffic{.calls = calls}.seconds(n_workers);
        if (seconds < best.seconds) best = {seconds, i};
      }
      ways[s].push_back(best);
    }
  }
  std::vector<std::size_t> chosen(n);
  const auto least =
      std::min_element(ways[n - 1].begin(), ways[n - 1].end(), [](const Way& a, const Way& b) { return a.seconds < b.seconds; });
  chosen[n - 1] = static_cast<std::size_t>(least - ways[n - 1].begin());
  for (std::size_t s = n - 1; s > 0; --s) chosen[s - 1] = ways[s][chosen[s]].before;
  std::vector<Pass> passes;
  Grid read = from;
  for (std::size_t s = 0; s < n; ++s) {
    const Grid written = s + 1 < n ? between(s + 1, chosen[s], chosen[s + 1]) : to;
    passes.push_back(pass_of(stages[s], stages[s].candidates[chosen[s]], read, written, s + 1 == n));
    read = written;
  }
  return finished(std::move(passes), n_lanes, n_workers);
}

}  // namespace

Extents unit_of_cuts(const Operation& operation, const Grid& to) {
  Extents unit;
  for (const Cut& cut : operation.cuts())
    unit.push_back(std::max<std::int64_t>(1, std::min(cut.extent, to.chunks[static_cast<std::size_t>(cut.outputs[0])])));
  return unit;
}

std::vector<Extents> pieces_of_cuts(const Operation& operation, const Extents& unit) {
  const std::vector<Cut>& cuts = operation.cuts();
  for (std::int64_t factor = 2;; factor *= 2) {
    std::vector<std::vector<std::int64_t>> sizes;
    std::size_t n = 1;
    for (std::size_t c = 0; c < cuts.size(); ++c) {
      auto& of_cut = sizes.emplace_back();
      std::int64_t size = unit[c];
      for (; size < cuts[c].extent; size = multiply(size, factor)) of_cut.push_back(size);
      of_cut.push_back(std::max<std::int64_t>(1, multiply(ceil_divide(cuts[c].extent, unit[c]), unit[c])));
      n *= of_cut.size();
    }
    if (n > most_candidates && factor < 1 << 20) continue;
    std::vector<Extents> all;
    for (std::size_t k = 0; k < std::min(n, std::size_t{1} << 16); ++k) {
      Extents pieces;
      std::size_t rest = k;
      for (const auto& of_cut : sizes) {
        pieces.push_back(of_cut[rest % of_cut.size()]);
        rest /= of_cut.size();
      }
      all.push_back(std::move(pieces));
    }
    return all;
  }
}

std::int64_t memory_of(const Operation& operation, bool is_copy, const Ranges& part, const Grid& from, const Grid& to, int n_lanes,
                       int n_workers) {
  std::int64_t arrays = bytes_of(operation.inputs(), operation.needs(part));
  if (!is_copy) {
    arrays = add(arrays, bytes_of(operation.outputs(), operation.gives(part)));
    if (operation.workspace_bytes() > 0) arrays = add(arrays, operation.part(part).workspace_bytes());
  }
  std::int64_t packing = 0;  // a chunk, unpacked and packed, twice on the way out
  if (!from.is_in_pieces) packing = multiply(2, bytes_of_chunk(from));
  if (!to.is_in_pieces) packing = std::max(packing, multiply(2, bytes_of_chunk(to)));
  return add(multiply(n_lanes, arrays), multiply(n_workers + n_lanes - 1, packing));
}

double seconds_of(const Traffic& traffic, std::int64_t memory_bytes, int n_workers) {
  constexpr double touched_s = 3e9;  // bytes that the system gives a process for the first time
  return traffic.seconds(n_workers) + static_cast<double>(memory_bytes) / touched_s;
}

StoredPlan plan_stored(const StoredRequest& request) {
  const int w = request.n_workers;
  const Operation copy = plan(Rearrangement(Layout::dense(request.from.extents, request.from.element_bytes)), cpu());
  std::optional<StoredPlan> best;
  const auto consider = [&](StoredPlan made) {
    const bool fits = made.memory_bytes <= request.memory_bytes, best_fits = best && best->memory_bytes <= request.memory_bytes;
    constexpr double worth = 0.9;  // a pass more has to save that
    const bool is_better =
        fits ? !best_fits || made.seconds < worth * best->seconds : !best_fits && (!best || made.memory_bytes < best->memory_bytes);
    if (is_better) best = std::move(made);
  };
  for (const int n_lanes : {w == 1 ? 1 : w < 4 ? 2 : 3, 1}) {
    if (best && best->memory_bytes <= request.memory_bytes) break;
    for (int n_copies = 0; n_copies <= (request.may_be_temporary ? 2 : 0); ++n_copies) {
      if (best && n_copies > 0 && reads_once(*best, request.memory_bytes)) break;
      const std::size_t n = request.stages.size() + static_cast<std::size_t>(n_copies);
      std::vector<Stage> stages;
      for (std::size_t s = 0; s < n; ++s) {
        const bool is_copy = s < static_cast<std::size_t>(n_copies), is_last = s + 1 == n;
        const Operation& operation = is_copy ? copy : request.stages[s - static_cast<std::size_t>(n_copies)];
        Grid read = request.from, written = request.to;
        if (s > 0)
          read = {operation.inputs()[0].layout.extents, operation.inputs()[0].layout.extents, operation.inputs()[0].layout.element_bytes,
                  true};
        if (!is_last) {
          const Layout& out = operation.outputs()[0].layout;
          written = {out.extents, Extents(out.extents.size(), 1), out.element_bytes, true};
          if (s == 0 && is_copy && !request.from.is_in_pieces) written.chunks = request.from.chunks;  // each chunk is read once
        }
        stages.push_back({is_copy ? &copy : &operation, is_copy, candidates_of(operation, is_copy, read, written, request, n_lanes)});
        if (n > 1) stages.back().candidates = largest_of(stages.back().candidates);
      }
      if (n == 1) consider(finished({one_pass(stages[0], request.from, request.to, w)}, n_lanes, w));
      else consider(several_passes(std::move(stages), request.from, request.to, n_lanes, w));
    }
  }
  return *best;
}

std::string described(const StoredPlan& plan, const std::string& from, const std::string& to) {
  const auto bytes = [](double n) { return planning::print_bytes(n); };
  std::string text;
  const std::size_t n = plan.passes.size();
  for (std::size_t p = 0; p < n; ++p) {
    const Pass& pass = plan.passes[p];
    const double n_parts = pass.traffic.parts, in = static_cast<double>(bytes_of(pass.operation.inputs()));
    text += fmt::format("pass {} of {}, {}: {} part{} of at most {}, from {} to {}; what is read is read {:.2f} times\n", p + 1, n,
                        pass.is_copy ? "copies" : pass.operation.name(), n_parts, n_parts == 1 ? "" : "s",
                        bytes(static_cast<double>(pass.memory_bytes)), p == 0 ? from : "the temporary store",
                        pass.tiles.empty() ? to : "tiles " + print_shape(pass.tiles), in > 0 ? pass.traffic.read / in : 1.0);
  }
  text += fmt::format(
      "in {} pass{}: {} read, {} written, {} decoded, {} encoded; at most {} of memory and {} of temporary disk; about {:.2g} s\n", n,
      n == 1 ? "" : "es", bytes(plan.all.read), bytes(plan.all.written), bytes(plan.all.decoded), bytes(plan.all.encoded),
      bytes(static_cast<double>(plan.memory_bytes)), bytes(static_cast<double>(plan.temporary_bytes)), plan.seconds);
  return text;
}

}  // namespace crinkle::tool
