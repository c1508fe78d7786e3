// The inner part is found by trying: from one cell in the middle on it grows, along one cut after another, as far as the operation needs
// no more than the rank holds. The rims are what is left, two a cut, each with the corners that those before it have left.
// SPDX-License-Identifier: BSD-3-Clause
#include "distribute/rims.hpp"

#include <algorithm>
#include <optional>

#include "base/checked.hpp"
#include "crinkle/operation.hpp"

namespace crinkle::distributed {
namespace {

Ranges all_of(const Extents& extents) {
  Ranges all;
  for (const std::int64_t n : extents) all.push_back({0, n});
  return all;
}

// What a rank holds of every input, as boxes; nothing where that is none.
std::optional<std::vector<Ranges>> boxes_of(const std::vector<Distribution>& from, std::int64_t rank) {
  std::vector<Ranges> all;
  for (const Distribution& d : from) {
    Ranges& box = all.emplace_back();
    for (std::size_t a = 0; a < d.extents().size(); ++a) {
      const std::vector<Range> held = d.held(rank, a);
      if (held.size() != 1 || held[0].n == 0) return std::nullopt;
      box.push_back(held[0]);
    }
  }
  return all;
}

bool are_within(const std::vector<Ranges>& needed, const std::vector<Ranges>& held) {
  for (std::size_t k = 0; k < needed.size(); ++k)
    for (std::size_t a = 0; a < needed[k].size(); ++a)
      if (needed[k][a].first < held[k][a].first || needed[k][a].first + needed[k][a].n > held[k][a].first + held[k][a].n) return false;
  return true;
}

// The most of a part that needs only what is held; no ranges where there is none, or where that does not lie there in a row.
Ranges inner_of(const Operation& op, const Ranges& part, const std::vector<Ranges>& held) {
  Ranges inner;
  for (const Range& range : part) inner.push_back({range.first + range.n / 2, 1});
  const auto fits = [&](const Ranges& tried) { return are_within(op.needs(tried), held); };
  if (!fits(inner)) return {};
  for (std::size_t c = 0; c < part.size(); ++c) {
    Ranges tried = inner;
    tried[c] = part[c];  // round the ends of a periodic axis, too
    if (fits(tried)) {
      inner = tried;
      continue;
    }
    // The most cells that it can go up, then down.
    const auto most = [&](std::int64_t room, const auto& grow) {
      std::int64_t low = 0, high = room;
      while (low < high) {
        const std::int64_t by = low + (high - low + 1) / 2;
        tried[c] = grow(by);
        if (fits(tried)) low = by;
        else high = by - 1;
      }
      inner[c] = tried[c] = grow(low);
    };
    const Range middle = inner[c];
    most(part[c].first + part[c].n - middle.first - 1, [&](std::int64_t by) { return Range{middle.first, 1 + by}; });
    const Range up = inner[c];
    most(middle.first - part[c].first, [&](std::int64_t by) { return Range{up.first - by, up.n + by}; });
  }
  const std::vector<Ranges> needed = op.needs(inner);
  for (std::size_t k = 0; k < needed.size(); ++k)
    if (place_in(held[k], needed[k]) < 0) return {};
  return inner;
}

std::int64_t elements_in(const std::vector<Ranges>& boxes) {
  std::int64_t n = 0;
  for (const Ranges& box : boxes) {
    std::int64_t of_box = 1;
    for (const Range& range : box) of_box = multiply(of_box, range.n);
    n = add(n, of_box);
  }
  return n;
}

// What fetching costs: a byte that is sent about as much as one that is put into its window.
std::int64_t cost_of(const std::vector<Redistribution>& fetch) {
  std::int64_t n = 0;
  for (const Redistribution& r : fetch) {
    n = add_product(n, r.traffic().sent, r.element_bytes());
    for (std::int64_t rank = 0; rank < r.n_ranks(); ++rank) {
      std::int64_t of_rank = r.element_bytes();
      for (const std::int64_t extent : r.to().local_extents(rank)) of_rank = multiply(of_rank, extent);
      n = add(n, of_rank);
    }
  }
  return n;
}

}  // namespace

bool is_empty(const Ranges& part) {
  return std::any_of(part.begin(), part.end(), [](const Range& r) { return r.n == 0; });
}

std::int64_t place_in(const Ranges& box, const Ranges& part) {
  std::int64_t place = 0;
  bool is_one_row = true;  // all axes before this one have one index in the part
  for (std::size_t a = 0; a < box.size(); ++a) {
    if (part[a].first < box[a].first || part[a].first + part[a].n > box[a].first + box[a].n) return -1;
    if (part[a].n != box[a].n && !is_one_row) return -1;
    is_one_row = is_one_row && part[a].n <= 1;
    place = place * box[a].n + part[a].first - box[a].first;
  }
  return place;
}

std::vector<Ranges> slices_of(const Operation& op, const Ranges& inner, const std::vector<Ranges>& held, std::int64_t most,
                              std::int64_t bytes) {
  const std::vector<Ranges> gives{op.gives(inner)[0]};
  // The cut along the slowest axis of the output that has several indices.
  std::size_t cut = inner.size();
  for (std::size_t a = 0; a < gives[0].size() && cut == inner.size(); ++a) {
    if (gives[0][a].n <= 1) continue;
    for (std::size_t c = 0; c < inner.size(); ++c)
      if (!op.cuts()[c].outputs.empty() && op.cuts()[c].outputs[0] == static_cast<int>(a)) cut = c;
    if (cut == inner.size()) return {inner};
  }
  if (cut == inner.size()) return {inner};
  const std::int64_t whole = elements_in(op.needs(inner));
  std::int64_t n = std::min({most, inner[cut].n, multiply(elements_in(gives), op.outputs()[0].layout.element_bytes) / bytes});
  for (; n > 1; n /= 2) {
    std::vector<Ranges> slices;
    std::int64_t all = 0;
    bool is_in_rows = true;
    for (std::int64_t s = 0; s < n; ++s) {
      Ranges& slice = slices.emplace_back(inner);
      const std::int64_t begin = inner[cut].n * s / n, end = inner[cut].n * (s + 1) / n;
      slice[cut] = {inner[cut].first + begin, end - begin};
      const std::vector<Ranges> needed = op.needs(slice);
      for (std::size_t k = 0; k < needed.size(); ++k) is_in_rows = is_in_rows && place_in(held[k], needed[k]) >= 0;
      all = add(all, elements_in(needed));
    }
    if (!is_in_rows) return {inner};
    if (all <= whole + whole / 8) return slices;
  }
  return {inner};
}

Redistribution fetch_of(const Operation& op, const std::vector<Ranges>& parts, const Distribution& from, std::size_t input) {
  const Layout& layout = op.inputs()[input].layout;
  std::vector<Ranges> windows;
  for (const Ranges& part : parts) {
    if (part.empty()) windows.push_back(all_of(layout.extents));
    else windows.push_back(is_empty(part) ? Ranges(layout.extents.size()) : op.needs(part)[input]);
  }
  for (Ranges& window : windows)
    if (is_empty(window)) window.assign(layout.extents.size(), Range{});
  return Redistribution(from, Distribution::windows(layout.extents, std::move(windows)), layout.element_bytes);
}

void add_rims(DistributedOperation::Step& step, const std::vector<Distribution>& from) {
  const Operation& op = step.operation;
  const std::size_t n_cuts = op.cuts().size();
  const bool is_all_there = std::all_of(step.is_there.begin(), step.is_there.end(), [](bool is) { return is; });
  if (n_cuts == 0 || is_all_there || op.can_run_in_place()) return;
  std::vector<Ranges> inner;
  std::vector<DistributedOperation::Rim> rims(2 * n_cuts);
  for (std::size_t r = 0; r < step.parts.size(); ++r) {
    const Ranges& part = step.parts[r];
    const auto held = boxes_of(from, static_cast<std::int64_t>(r));
    const Ranges found = is_empty(part) || !held ? Ranges{} : inner_of(op, part, *held);
    const Ranges nothing(n_cuts);
    inner.push_back(found.empty() ? nothing : found);
    Ranges left = part;
    for (std::size_t c = 0; c < n_cuts; ++c)
      for (const bool is_high : {false, true}) {
        Ranges& rim = rims[2 * c + (is_high ? 1 : 0)].parts.emplace_back(nothing);
        if (found.empty()) {  // all of it, once
          if (c == 0 && !is_high && !is_empty(part)) rim = part;
          continue;
        }
        const std::int64_t end = found[c].first + found[c].n;
        rim = left;
        rim[c] = is_high ? Range{end, left[c].first + left[c].n - end} : Range{left[c].first, found[c].first - left[c].first};
        if (is_empty(rim)) rim = nothing;
        if (is_high) left[c] = found[c];
      }
  }
  std::erase_if(rims, [](const DistributedOperation::Rim& rim) { return std::all_of(rim.parts.begin(), rim.parts.end(), is_empty); });
  std::int64_t together = 0;
  for (DistributedOperation::Rim& rim : rims) {
    for (std::size_t k = 0; k < from.size(); ++k) rim.fetch.push_back(fetch_of(op, rim.parts, from[k], k));
    together = add(together, cost_of(rim.fetch));
  }
  std::int64_t whole = 0;
  for (std::size_t k = 0; k < step.fetch.size(); ++k)
    if (!step.is_there[k]) whole = add(whole, cost_of({step.fetch[k]}));
  if (together >= whole) return;
  step.inner = std::move(inner);
  step.rims = std::move(rims);
}

}  // namespace crinkle::distributed
