// Segments are appended fused, so that a map stays as short as it can. Composing walks the data of the outer map and cuts a run wherever
// it enters another segment of the inner one.
// SPDX-License-Identifier: BSD-3-Clause
#include "form/map.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "base/checked.hpp"

namespace crinkle {
namespace {

bool is_plain(const Segment& s) { return s.every == 1; }
bool is_fill(const Segment& s) { return s.every == 0; }
// The number of data indices of a segment.
std::int64_t n_data(const Segment& s) {
  if (s.every == 0 || s.count <= s.phase) return 0;
  return (s.count - s.phase - 1) / s.every + 1;
}

// The m in [0, n) with a·m ≡ b (mod n), a prime to n: Euclid's algorithm, products in 128 bits.
std::int64_t solve(std::int64_t a, std::int64_t b, std::int64_t n) {
  std::int64_t r0 = n, r1 = modulo(a, n), x0 = 0, x1 = 1;
  while (r1 > 1) {
    const std::int64_t k = r0 / r1;
    r0 = std::exchange(r1, r0 - k * r1);
    x0 = std::exchange(x1, x0 - k * x1);
  }
  return n == 1 ? 0 : multiply_modulo(modulo(b, n), modulo(x1, n), n);
}

// The run of a plain-or-dilated outer segment that lands in one inner segment: data indices m0 … m1−1 of `outer` read inner indices
// u0 + (m−m0)·outer.step of `inner`. `lead` and `span` are the run's current indices before its first datum and in all.
void append_composed(Map& map, const Segment& outer, const Segment& inner, std::int64_t u0, std::int64_t m_count, std::int64_t lead,
                     std::int64_t span, const JoinFills& join) {
  const std::int64_t q = outer.step;
  const auto explicit_run = [&](const auto& value_of) {  // every index on its own
    if (lead > 0) append(map, filling(lead, outer.fill));
    for (std::int64_t m = 0, t = lead; m < m_count; ++m) {
      append(map, value_of(m));
      const std::int64_t gap = (m + 1 < m_count ? outer.every : span - t) - 1;
      if (gap > 0) append(map, filling(gap, outer.fill));
      t += outer.every;
    }
  };
  if (is_fill(inner)) {
    if (outer.every == 1) return append(map, filling(span, inner.fill));
    const std::int32_t joined = join(outer.fill, inner.fill);
    if (joined >= 0) return append(map, filling(span, joined));
    return explicit_run([&](std::int64_t) { return filling(1, inner.fill); });
  }
  // m = m* + r·(E/g) are data, where g = gcd(q, E)
  const std::int64_t every = inner.every;
  const std::int64_t g = q == 0 ? every : std::gcd(q < 0 ? -q : q, every);
  const std::int64_t hop = every / g;  // outer data indices from one datum to the next
  std::int64_t m_first = -1;
  if (modulo(inner.phase - u0, g) == 0) m_first = solve(q / g, (inner.phase - u0) / g, hop);
  const auto start_of = [&](std::int64_t m) { return inner.start + (u0 + m * q - inner.phase) / every * inner.step; };
  if (every == 1) {
    return append(map, {span, start_of(0), m_count == 1 ? 0 : q * inner.step, outer.every, lead, outer.every == 1 ? -1 : outer.fill});
  }
  if (m_first < 0 || m_first >= m_count) {
    if (outer.every == 1) return append(map, filling(span, inner.fill));
    const std::int32_t joined = join(outer.fill, inner.fill);
    if (joined >= 0) return append(map, filling(span, joined));
    return explicit_run([&](std::int64_t) { return filling(1, inner.fill); });
  }
  const std::int32_t gap_fill = outer.every == 1 ? inner.fill : hop == 1 ? outer.fill : join(outer.fill, inner.fill);
  if (gap_fill < 0) {
    return explicit_run([&](std::int64_t m) { return m % hop == m_first ? data(1, start_of(m), 0) : filling(1, inner.fill); });
  }
  std::int64_t first = lead + m_first * outer.every;
  const std::int64_t pitch = multiply(hop, outer.every);
  if (first >= pitch) {  // keep phase < every
    append(map, filling(first / pitch * pitch, gap_fill));
    span -= first / pitch * pitch;
    first %= pitch;
  }
  append(map, {span, start_of(m_first), hop * q / every * inner.step, pitch, first, pitch == 1 ? -1 : gap_fill});
}

}  // namespace

void append(Map& map, Segment s) {
  if (s.count == 0) return;
  if (!map.empty()) {
    Segment& last = map.back();
    if (is_fill(last) && is_fill(s) && last.fill == s.fill) {
      last.count = add(last.count, s.count);
      return;
    }
    if (is_plain(last) && is_plain(s)) {
      const std::int64_t hop = s.start - (last.start + (last.count - 1) * last.step);
      if ((last.count == 1 || hop == last.step) && (s.count == 1 || hop == s.step)) {
        last.step = hop;
        last.count += s.count;
        return;
      }
    }
  }
  map.push_back(s);
}

std::int64_t extent_of(const Map& map) {
  std::int64_t n = 0;
  for (const Segment& s : map) n = add(n, s.count);
  return n;
}

bool is_identity(const Map& map, std::int64_t n) {
  if (n == 0) return map.empty();
  return map.size() == 1 && is_plain(map[0]) && map[0].start == 0 && map[0].count == n && (n == 1 || map[0].step == 1);
}

bool is_permutation(const Map& map, std::int64_t n) {
  if (extent_of(map) != n) return false;
  std::vector<Segment> left;  // ascending segments by start
  for (Segment s : map) {
    if (is_fill(s) || s.every != 1 || (s.count > 1 && s.step == 0)) return false;
    if (s.step < 0) s = data(s.count, s.start + (s.count - 1) * s.step, -s.step);
    left.push_back(s);
  }
  const bool are_plain = std::all_of(left.begin(), left.end(), [](const Segment& s) { return s.count == 1 || s.step == 1; });
  if (are_plain) {
    std::sort(left.begin(), left.end(), [](const Segment& a, const Segment& b) { return a.start < b.start; });
    std::int64_t next = 0;
    for (const Segment& s : left) {
      if (s.start != next) return false;
      next += s.count;
    }
    return true;
  }
  if (n > (std::int64_t{1} << 32)) return false;  // strided pieces of an enormous axis: not worth 2^32 bits
  std::vector<bool> is_seen(static_cast<std::size_t>(n));
  for (const Segment& s : left) {
    for (std::int64_t t = 0; t < s.count; ++t) {
      const auto i = static_cast<std::size_t>(s.start + t * s.step);
      if (is_seen[i]) return false;
      is_seen[i] = true;
    }
  }
  return true;
}

Map compose(const Map& outer, const Map& inner, const JoinFills& join) {
  std::vector<std::int64_t> ends;  // of the inner segments
  ends.reserve(inner.size());
  for (const Segment& s : inner) ends.push_back(add(ends.empty() ? 0 : ends.back(), s.count));
  Map map;
  for (const Segment& o : outer) {
    const std::int64_t m_all = n_data(o);
    if (m_all == 0) {
      append(map, filling(o.count, o.fill));
      continue;
    }
    std::int64_t m = 0, t = 0;  // data index and current index reached
    while (m < m_all) {
      const std::int64_t index = o.start + m * o.step;
      const auto k = static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), index) - ends.begin());
      const std::int64_t lo = k == 0 ? 0 : ends[k - 1], hi = ends[k];
      std::int64_t n = m_all - m;  // data indices that stay in this inner segment
      if (o.step > 0) n = std::min(n, (hi - 1 - index) / o.step + 1);
      if (o.step < 0)
        n = std::min(n, static_cast<std::int64_t>(static_cast<std::uint64_t>(index - lo) / (0 - static_cast<std::uint64_t>(o.step))) + 1);
      const std::int64_t first = o.phase + m * o.every;
      const std::int64_t end = m + n == m_all ? o.count : o.phase + (m + n) * o.every;
      append_composed(map, o, inner[k], index - lo, n, first - t, end - t, join);
      m += n;
      t = end;
    }
  }
  return map;
}

std::vector<MapRun> runs_of(const Map& map) {
  std::vector<MapRun> runs;
  std::int64_t at = 0;
  for (const Segment& s : map) {
    if (is_fill(s)) {
      runs.push_back({at, s.count, 1, 0, 0, 1, s.fill});
    } else if (is_plain(s)) {
      runs.push_back({at, s.count, 1, s.start, s.step, 1, -1});
    } else {
      const std::int64_t n = n_data(s);
      if (s.phase > 0) runs.push_back({at, s.phase, 1, 0, 0, 1, s.fill});
      if (n > 0) runs.push_back({at + s.phase, n, s.every, s.start, s.step, 1, -1});
      if (n > 1) runs.push_back({at + s.phase + 1, n - 1, s.every, 0, 0, s.every - 1, s.fill});
      const std::int64_t tail = n > 0 ? s.phase + (n - 1) * s.every + 1 : s.phase;
      if (tail < s.count) runs.push_back({at + tail, s.count - tail, 1, 0, 0, 1, s.fill});
    }
    at += s.count;
  }
  return runs;
}

std::vector<std::int64_t> table_of(const Map& map) {
  std::vector<std::int64_t> table;
  table.reserve(static_cast<std::size_t>(extent_of(map)));
  for (const Segment& s : map) {
    for (std::int64_t t = 0; t < s.count; ++t) {
      const bool is_datum = s.every > 0 && t >= s.phase && (t - s.phase) % s.every == 0;
      table.push_back(is_datum ? s.start + (t - s.phase) / s.every * s.step : -1 - std::int64_t{s.fill});
    }
  }
  return table;
}

Map in_place(const Map& map) {
  Map result;
  std::int64_t at = 0;
  for (const Segment& s : map) {
    Segment here = s;
    here.start = is_fill(s) ? 0 : at + s.phase;
    here.step = is_fill(s) || s.count == 1 ? 0 : s.every;
    append(result, here);
    at += s.count;
  }
  return result;
}

}  // namespace crinkle
