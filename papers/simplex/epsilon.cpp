// SPDX-License-Identifier: BSD-3-Clause
#include "papers/simplex/epsilon.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "crinkle/simplex.hpp"

namespace crinkle::bench {
namespace {

template <class Root>
std::int64_t row_of(float epsilon, std::uint64_t w) {
  return static_cast<std::int64_t>(std::floor(Root::root(0.25F + 2.0F * static_cast<float>(w)) + epsilon - 0.5F));
}

}  // namespace

std::int64_t paper_row(const std::string& map, float epsilon, std::uint64_t w) {
  if (map == SquareRoot::name) return row_of<SquareRoot>(epsilon, w);
  if (map == NewtonRoot::name) return row_of<NewtonRoot>(epsilon, w);
  if (map == ReciprocalRoot::name) return row_of<ReciprocalRoot>(epsilon, w);
  throw std::logic_error("no root of the paper: " + map);
}

std::vector<EpsilonRange> epsilon_ranges(std::int64_t most_rows) {
  std::vector<EpsilonRange> all;
  for (const char* map : {SquareRoot::name, NewtonRoot::name, ReciprocalRoot::name}) {
    for (const float epsilon : {0.0F, 1e-4F}) {
      EpsilonRange range{map, epsilon, most_rows, -1};
      for (std::int64_t row = 0; row < most_rows && range.first_wrong < 0; ++row) {
        const std::int64_t first = row * (row + 1) / 2, last = first + row;
        for (const std::int64_t w : {first, std::min(first + 1, last), std::max(first, last - 1), last}) {
          if (paper_row(map, epsilon, static_cast<std::uint64_t>(w)) == row) continue;
          range.rows = row;
          range.first_wrong = w;
          break;
        }
      }
      all.push_back(range);
    }
  }
  return all;
}

}  // namespace crinkle::bench
