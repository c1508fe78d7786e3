// The conversions of triangles that are timed, on a CPU (bench/triangle.cpp) and on a GPU (bench/gpu/triangle.cu).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crinkle/triangle.hpp"

namespace crinkle::bench {

struct TriangleCase {
  std::string name;
  TriangleLayout from, to;

  std::int64_t written_bytes() const {  // places that are written; a symmetric destination has each pair off the diagonal twice
    const bool is_square = to.form == TriangleLayout::Form::symmetric;
    return (is_square ? to.n * to.n : to.n_pairs()) * to.element_bytes;
  }
  std::int64_t read_bytes() const { return (from.n_pairs() < to.n_pairs() ? from.n_pairs() : to.n_pairs()) * to.element_bytes; }
  std::int64_t moved_bytes() const { return read_bytes() + written_bytes(); }
};

inline std::vector<TriangleCase> triangle_cases(std::int64_t n) {
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
  std::vector<TriangleCase> cases;
  for (const Wish& wish : wishes)
    for (const std::int64_t e : wish.elements) {
      cases.push_back({wish.name + std::string("_") + std::to_string(n) + "_el" + std::to_string(e), TriangleLayout::parse(wish.from, n, e),
                       TriangleLayout::parse(wish.to, n, e)});
    }
  return cases;
}

}  // namespace crinkle::bench
