// A ceiling is what a row's time is compared with. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

namespace crinkle::bench {

/// A plain copy of as many bytes, a fill, the same work without what is measured.
struct Ceiling {
  std::string name;
  std::function<void()> run;
  double scale = 1;  // its seconds times this are those of as much work
};

}  // namespace crinkle::bench
