// A case of the suite `stencil`: a list of points, an array, its boundary, and how many steps. The suites of papers have more of them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "crinkle/sweeper.hpp"
#include "harness/contest.hpp"

namespace crinkle::bench {

struct StencilCase {
  LinearStencil stencil;
  Extents extents;
  Bound bound = Bound::reflect;
  std::int64_t steps = 1;
  Number number = Number::float32;

  Sweep sweep() const {
    Sweep s;
    s.stencil = stencil;
    s.source = s.destination = Layout::dense(extents, bytes_of(number));
    s.source_type = s.destination_type = {number};
    for (int a = 0; a < stencil.rank; ++a) s.axes.push_back(a);
    s.boundary = {{bound}};
    s.steps = steps;
    return s;
  }
};

Contest contest_of(const std::string& name, const StencilCase& of, Site& site, std::uint64_t seed);

}  // namespace crinkle::bench
