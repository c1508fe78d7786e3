// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/cuda/numbers.hpp"

#include "base/checked.hpp"

namespace crinkle {

CudaNumbers cuda_numbers(const SweepShape& shape, const SweepPlaces& places) {
  CudaNumbers numbers;
  numbers.type = places.type;
  std::int64_t extent = 1, stride = 0;  // of the axes that are walked as one
  const auto close = [&] {
    if (extent == 1 && numbers.n_axes > 0) return;
    numbers.extents[numbers.n_axes] = Divisor<std::uint64_t>(static_cast<std::uint64_t>(extent));
    numbers.strides[numbers.n_axes++] = stride;
  };
  const auto add = [&](std::int64_t n, std::int64_t step) {
    numbers.n_elements = multiply(numbers.n_elements, n);
    if (n == 1) return;
    if (extent == 1 || stride == n * step) {
      extent *= n;
    } else {
      close();
      extent = n;
    }
    stride = step;
  };
  for (std::size_t a = 0; a < shape.axes.size(); ++a) add(shape.axes[a].extent, places.strides[a]);
  add(shape.width, places.element_stride);
  close();
  return numbers;
}

}  // namespace crinkle
