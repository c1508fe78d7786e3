// Requests drawn at random: extents, axes, kinds, norms, sizes and layouts.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fft/arrays.hpp"

namespace crinkle::fft {

struct RandomRequest {
  FftRequest request;
  std::vector<std::size_t> axes;  // as in the request
  Extents sizes;                  // N of each
  bool is_real_in() const { return request.kind == FftKind::real_to_complex; }
  bool is_real_out() const { return request.kind == FftKind::complex_to_real; }
};

/// Of T to T, or to other numbers.
template <class T, class Out = T>
RandomRequest random_request(std::mt19937& random) {
  constexpr std::int64_t extents_tried[] = {1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 20, 31, 64, 67, 97, 128};
  const std::size_t rank = 1 + random() % 4;
  Extents extents;
  std::int64_t n = 1;
  for (std::size_t a = 0; a < rank; ++a) {
    const std::int64_t most = 6000 / n;
    std::int64_t extent = extents_tried[random() % std::size(extents_tried)];
    if (extent > most) extent = 1 + static_cast<std::int64_t>(random()) % most;
    extents.push_back(extent);
    n *= extent;
  }
  RandomRequest drawn;
  FftRequest& request = drawn.request;
  request.kind = static_cast<FftKind>(random() % 3);
  request.direction = static_cast<FftDirection>(random() % 2);
  request.norm = static_cast<FftNorm>(random() % 3);
  request.real = sizeof(Out) == 2 ? FftReal::float16 : real_of<T>;
  drawn.axes.resize(rank);
  std::iota(drawn.axes.begin(), drawn.axes.end(), std::size_t{0});
  std::shuffle(drawn.axes.begin(), drawn.axes.end(), random);
  drawn.axes.resize(1 + random() % rank);
  const bool has_sizes = random() % 3 == 0;
  for (std::size_t i = 0; i < drawn.axes.size(); ++i) {
    const std::int64_t extent = extents[drawn.axes[i]];
    const bool is_half = drawn.is_real_out() && i + 1 == drawn.axes.size();
    request.axes.push_back(static_cast<std::int64_t>(drawn.axes[i]) - (random() % 2 == 0 ? static_cast<std::int64_t>(rank) : 0));
    if (has_sizes && random() % 2 == 0) drawn.sizes.push_back(1 + static_cast<std::int64_t>(random()) % (extent + extent / 2 + 1));
    else drawn.sizes.push_back(is_half ? std::max<std::int64_t>(1, 2 * (extent - 1) + static_cast<std::int64_t>(random() % 2)) : extent);
  }
  if (has_sizes || (drawn.is_real_out() && extents[drawn.axes.back()] == 1)) request.sizes = drawn.sizes;
  Extents out = extents;
  for (std::size_t i = 0; i < drawn.axes.size(); ++i) out[drawn.axes[i]] = drawn.sizes[i];
  if (drawn.is_real_in()) out[drawn.axes.back()] = drawn.sizes.back() / 2 + 1;
  request.in = random_layout(extents, (drawn.is_real_in() ? 1 : 2) * sizeof(T), random);
  request.out = random_layout(out, (drawn.is_real_out() ? 1 : 2) * sizeof(Out), random);
  return drawn;
}

}  // namespace crinkle::fft
