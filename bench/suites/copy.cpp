// The suite `copy`: what the plain copies reach at a few sizes, the ceilings of every other suite; a row a size and kind,
// "interleaved_64MiB".
// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>

#include "suites/suites.hpp"

namespace crinkle::bench {
namespace {

constexpr std::int64_t smallest_bytes = 1 << 20;

Contest contest_of(std::int64_t n, Site& site, std::uint64_t seed) {
  Contest c;
  c.bytes = 2 * n;
  c.rows = Contest::Rows::all;
  c.are_ceilings = true;
  const std::vector<Contender> copies = site.copies(n);
  for (const Contender& copy : copies) c.ways.emplace_back(copy.name + "_" + short_bytes(n), copy.run);
  c.checked = site.is_gpu() ? "definition" : "memcmp";
  Box all;
  all.axes.push_back({n, 1, 1});
  c.check = [=, &site] {
    for (const Contender& copy : copies)
      site.check(copy.name + " of " + short_bytes(n), {n, n}, seed, copy.run, [&] { return site.first_wrong({all}); });
  };
  return c;
}

}  // namespace

std::vector<Entry> copy_entries(const Request& r) {
  std::vector<std::int64_t> sizes = {r.bytes.value_or(smallest_bytes)};
  const std::int64_t most = r.bytes ? 0 : r.effort.memory_bytes / 2;
  while (sizes.back() <= most / 4) sizes.push_back(4 * sizes.back());
  std::vector<Entry> entries;
  for (const std::int64_t n : sizes) {
    if (r.site.is_gpu() && n % 16 != 0)
      throw Error(ErrorCode::bad_shape, std::to_string(n) + " bytes: copies on a GPU are timed for multiples of 16");
    entries.push_back({short_bytes(n), {n, n}, [n](Site& site, std::uint64_t seed) { return contest_of(n, site, seed); }});
  }
  return entries;
}

}  // namespace crinkle::bench
