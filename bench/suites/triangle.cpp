// The suite `triangle`: conversions between layouts of triangles, in turns with plain copies of as many bytes.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/triangle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "harness/buffers.hpp"
#include "suites/indexed.hpp"
#include "suites/suites.hpp"
#include "suites/triangle_check.hpp"
#include "triangle/triangle.hpp"

namespace crinkle::bench {
namespace {

struct Conversion {
  std::string name;
  TriangleLayout from, to;

  std::int64_t written_bytes() const {  // places that are written; a symmetric destination has each pair off the diagonal twice
    const bool is_square = to.form == TriangleLayout::Form::symmetric;
    return (is_square ? to.n * to.n : to.n_pairs()) * to.element_bytes;
  }
  std::int64_t read_bytes() const { return std::min(from.n_pairs(), to.n_pairs()) * to.element_bytes; }
  std::int64_t moved_bytes() const { return read_bytes() + written_bytes(); }
};

std::vector<Conversion> conversions(std::int64_t n) {
  struct Wish {
    const char *name, *from, *to;
    std::vector<std::int64_t> elements;
  };
  const std::vector<Wish> wishes = {{"full_to_packed", "full lower", "packed lower", {4, 8}},                         // lines are copied
                                    {"packed_lower_to_upper", "packed lower", "packed upper", {1, 2, 4, 8, 12, 16}},  // lines cross
                                    {"full_to_packed_rows", "full lower", "packed lower rows", {4, 8}},
                                    {"packed_to_rfp", "packed lower", "rfp lower", {4, 8}},  // some of each
                                    {"rfp_to_full", "rfp lower", "full lower", {4, 8}},
                                    {"condensed_to_symmetric", "condensed", "symmetric", {4, 8}}};
  std::vector<Conversion> all;
  for (const Wish& wish : wishes)
    for (const std::int64_t e : wish.elements)
      all.push_back({wish.name + std::string("_") + std::to_string(n) + "_el" + std::to_string(e), TriangleLayout::parse(wish.from, n, e),
                     TriangleLayout::parse(wish.to, n, e)});
  return all;
}

std::int64_t first_wrong_of(const Conversion& c, Site& site) {
  if (site.is_gpu()) return first_wrong_of_triangle(c.from, c.to, site.source(), site.destination(), site.stream());
  const std::shared_ptr<std::byte> wanted = site.memory(c.to.bytes());
  std::fill_n(wanted.get(), c.to.bytes(), Region::poison_byte);
  convert_reference(c.from, c.to, site.source(), wanted.get());
  return first_difference(wanted.get(), site.destination(), c.to.bytes());
}

Contest contest_of(const Conversion& of, Site& site, std::uint64_t seed) {
  site.fill(of.from.bytes(), seed);
  const auto right = [=, &site] {
    const std::int64_t at = first_wrong_of(of, site);
    if (at >= 0) throw std::runtime_error(fmt::format("{}, seed {}: byte {} of the result is not as defined", of.name, seed, at));
  };
  Contest c = contest(of.name, plan(TriangleRequest{of.from, of.to}, site.device()), site, right, "definition");
  c.bytes = of.moved_bytes();
  c.ceilings = ceilings_of(site.copies(of.moved_bytes() / 2));
  return c;
}

}  // namespace

std::vector<Entry> triangle_entries(const Request& r) {
  std::vector<Entry> entries;
  for (const Conversion& c : conversions(r.site.is_gpu() ? 30000 : 8192)) {
    const std::int64_t copied = c.moved_bytes() / 2;
    entries.push_back({c.name, {std::max(c.from.bytes(), copied), std::max(c.to.bytes(), copied)}, [c](Site& site, std::uint64_t seed) {
                         return contest_of(c, site, seed);
                       }});
  }
  return entries;
}

}  // namespace crinkle::bench
