// How far the paper's own roots hold: i = ⌊√(2w + 1/4) + ε − 1/2⌋ in float32, with ε = 0 or 10^−4 and nothing that corrects it, as its
// section 4.1 has λ_X, λ_N and λ_R. (simplex.hpp's are exact for every w; see detail/simplex_roots.hpp.)
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace crinkle::bench {

struct EpsilonRange {
  std::string map;  // lambda_x, lambda_n, lambda_r
  float epsilon = 0;
  std::int64_t rows = 0;         // before the first that has a wrong cell; all that were tried where none has
  std::int64_t first_wrong = 0;  // the number w of a cell in that row, −1 where none is wrong
};

/// The row that such a root gives cell w.
std::int64_t paper_row(const std::string& map, float epsilon, std::uint64_t w);

/// Of λ_X, λ_N and λ_R with either ε, over the first and last two cells of rows 0 … most_rows − 1, where a floor goes wrong first.
/// The reciprocal root of λ_R is rounded to nearest here, a GPU's is off by another unit or two.
std::vector<EpsilonRange> epsilon_ranges(std::int64_t most_rows);

}  // namespace crinkle::bench
