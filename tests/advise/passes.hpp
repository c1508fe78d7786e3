// Records with known contents, what a pass should make of them, and patterns drawn at random.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "advise/pass.hpp"
#include "support/generators.hpp"
#include "support/records.hpp"

namespace crinkle::testing {

constexpr std::byte between{0x5C};  // padding, and what lies between arrays

/// Memory for the arrays of a layout, from a multiple of 256 on, and at most 255 bytes more.
class PassMemory {
 public:
  PassMemory(const RecordLayout& layout, const Fields& fields, std::int64_t n)
      : arrays_(advising::arrays_of(layout, n)), lines_(static_cast<std::size_t>(arrays_.end / 256 + 1)) {
    std::fill(data(), data() + arrays_.end, between);
    const std::vector<Bytes> groups = written_apart(layout, fields, n, between);
    for (std::size_t g = 0; g < groups.size(); ++g) std::copy(groups[g].begin(), groups[g].end(), data() + arrays_.begin[g]);
  }
  std::byte* data() { return lines_[0].bytes; }
  const advising::Arrays& arrays() const { return arrays_; }
  Bytes used() { return {data(), data() + arrays_.end}; }

 private:
  struct alignas(256) Line {
    std::byte bytes[256];
  };
  advising::Arrays arrays_;
  std::vector<Line> lines_;
};

/// What the memory should hold after a pass.
inline Bytes expected_after(const advising::Pass& pass, PassMemory memory) {
  for (std::int64_t i = 0; i < pass.n(); ++i)
    advising::visit_as_defined(pass.layout, pass.pattern, i,
                               [&](const RecordLayout::Place& place) { return memory.data() + pass.address(place, i); });
  return memory.used();
}

/// Whether two memories hold the same fields; padding, which a pass may write, is not looked at.
inline bool have_equal_fields(const advising::Pass& pass, const Bytes& a, const Bytes& b) {
  for (const RecordLayout::Place& place : pass.layout.places())
    for (std::int64_t i = 0; i < pass.n(); ++i) {
      const auto at = static_cast<std::ptrdiff_t>(pass.address(place, i));
      if (!std::equal(a.begin() + at, a.begin() + at + place.field.bytes(), b.begin() + at)) return false;
    }
  return true;
}

struct PassCase {
  Fields fields;
  std::string layout;
  AccessPattern pattern;
  std::int64_t n = 1;

  std::string print() const {
    std::string text = std::to_string(n) + " of " + print_fields(fields) + " as " + layout + ", " + pattern.order.print() + ", read";
    for (const std::string& f : pattern.reads) text += ' ' + f;
    text += ", write";
    for (const std::string& f : pattern.writes) text += ' ' + f;
    return text;
  }
};

/// Any fields, layout, pattern and order.
inline PassCase any_pass() {
  PassCase c;
  const std::int64_t n_fields = pick(1, 7);
  const bool is_even = chance(2);  // all of one type, so that bundles and words have several
  const std::vector<std::string> types = {"f4", "u1", "i2", "f8", "c16", "S3", "f4[3]", "u1[7]", "f16", "f8[3]", "u2[2]"};
  const std::string type = one_of(types);
  std::string text;
  for (std::int64_t f = 0; f < n_fields; ++f) text += " f" + std::to_string(f) + ':' + (is_even ? type : one_of(types));
  c.fields = parse_fields(text);
  c.layout = one_of(layouts_of(c.fields));
  const auto some = [&] {
    std::vector<std::string> names;
    for (const Field& f : c.fields)
      if (chance(2)) names.push_back(f.name);
    if (chance(2)) std::reverse(names.begin(), names.end());
    return names;
  };
  c.pattern.reads = some();
  c.pattern.writes = some();
  if (c.pattern.reads.empty() && c.pattern.writes.empty()) c.pattern.reads = {c.fields[0].name};
  c.pattern.order = one_of<AccessOrder>({{},
                                         {AccessOrder::Kind::random},
                                         {AccessOrder::Kind::strided, 1},
                                         {AccessOrder::Kind::strided, 5},
                                         {AccessOrder::Kind::strided, 100}});
  c.n = one_of<std::int64_t>({1, 2, 3, 8, 15, 33, 100, 255, 256, 257, 600, 1031});
  return c;
}

}  // namespace crinkle::testing
