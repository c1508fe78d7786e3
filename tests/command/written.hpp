// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "support/walked.hpp"

namespace crinkle::testing {

/// Destination bytes that were written, in stretches. Two that overlap are a byte written twice.
struct Written {
  std::vector<Span> spans;

  void append(std::int64_t begin, std::int64_t end) {
    if (!spans.empty() && spans.back().end == begin) spans.back().end = end;
    else spans.push_back({begin, end});
  }
  Fault twice() {
    std::sort(spans.begin(), spans.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    for (std::size_t s = 1; s < spans.size(); ++s)
      if (spans[s].begin < spans[s - 1].end) return "destination " + std::to_string(spans[s].begin) + " is written twice";
    return {};
  }
};

}  // namespace crinkle::testing
