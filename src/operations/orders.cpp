// Orders of the whole array that are not products of maps on its axes: Morton order, the checkerboard, and scatter.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <bit>
#include <string>

#include "base/checked.hpp"
#include "crinkle/operations.hpp"
#include "operations/axes.hpp"

namespace crinkle {

Rearrangement morton(const Layout& source) {
  source.check();
  if (source.n_elements() == 0) return from_boxes(source, {}, 0);
  std::vector<int> n_bits;
  for (std::size_t a = 0; a < source.extents.size(); ++a) {
    const std::int64_t n = source.extents[a];
    if ((n & (n - 1)) != 0) {
      throw Error(ErrorCode::bad_shape, "Morton order needs extents that are powers of two; axis " + std::to_string(a) + " has " +
                                            std::to_string(n) + ": pad it to " +
                                            std::to_string(std::bit_ceil(static_cast<std::uint64_t>(n))));
    }
    n_bits.push_back(std::countr_zero(static_cast<std::uint64_t>(n)));
  }
  Box box;
  box.src_offset = source.offset;
  const int shared = n_bits.empty() ? 0 : *std::min_element(n_bits.begin(), n_bits.end());
  std::int64_t stride = source.element_bytes;
  const auto push_bit = [&](std::size_t a, int bit) {
    box.axes.push_back({2, multiply(source.strides[a], std::int64_t{1} << bit), stride});
    stride = multiply(stride, 2);
  };
  for (int bit = 0; bit < shared; ++bit) {
    for (std::size_t a = n_bits.size(); a-- > 0;) push_bit(a, bit);
  }
  for (std::size_t a = n_bits.size(); a-- > 0;) {
    for (int bit = shared; bit < n_bits[a]; ++bit) push_bit(a, bit);
  }
  push_element(box, source.element_bytes);
  if (box.axes.size() > max_axes) {
    throw Error(ErrorCode::too_large, "Morton order takes " + std::to_string(box.axes.size()) + " axes of one box here; at most " +
                                          std::to_string(max_axes) + " fit");
  }
  return from_boxes(source, {box}, source.n_elements());
}

// Axis a's index is 2·h_a + p_a. Given the parities of all axes but the colour's, everything is affine in the h_a. The place of an element
// within its colour, over axes 0 … k: with an even extent n_k every row holds n_k/2 of either colour; with an odd one a row holds ⌊n_k/2⌋,
// and one more where the row's own parity matches, which is the same question one axis up.
Rearrangement checkerboard(const Layout& source) {
  source.check();
  const std::int64_t n_all = source.n_elements();
  const std::size_t rank = source.extents.size();
  std::vector<std::size_t> wide;  // the axes of two indices or more; the parity of the others is 0
  for (std::size_t a = 0; a < rank; ++a) {
    if (source.extents[a] > 1) wide.push_back(a);
  }
  if (wide.size() > 12) {
    throw Error(ErrorCode::too_large,
                "a checkerboard over " + std::to_string(wide.size()) + " axes has more than 4096 boxes; merge axes first");
  }
  Boxes boxes;
  for (std::uint64_t choice = 0; choice < std::uint64_t{1} << wide.size() && n_all > 0; ++choice) {
    std::vector<std::int64_t> parities(rank, 0);
    for (std::size_t k = 0; k < wide.size(); ++k) parities[wide[k]] = static_cast<std::int64_t>(choice >> k & 1);
    Box box;
    box.src_offset = source.offset;
    std::int64_t colour = 0;
    for (std::size_t a = 0; a < rank; ++a) {
      colour ^= parities[a];
      box.src_offset = add_product(box.src_offset, parities[a], source.strides[a]);
    }
    // place = constant + Σ h_a · place_stride_a, of axes 0 … k; row = the C-order index over axes 0 … k
    std::vector<std::int64_t> place(rank, 0), row(rank, 0);
    std::int64_t place_at = 0, row_at = 0;
    // `place` counts what lies before among the elements of the same parity sum over axes 0 … k. With an odd extent the rows that hold
    // one more of them are those whose own parity sum is theirs: the rows like this one when its parity on axis k is even, the others
    // when it is odd.
    for (std::size_t k = 0; k < rank; ++k) {
      const std::int64_t n = source.extents[k], half = n / 2;
      if (parities[k] == 1) {
        for (std::size_t a = 0; a < k; ++a) place[a] = row[a] - place[a];
        place_at = row_at - place_at;
      }
      for (std::size_t a = 0; a < k; ++a) {
        place[a] = n % 2 == 0 ? multiply(row[a], half) : add_product(place[a], row[a], half);
        row[a] = multiply(row[a], n);
      }
      place_at = n % 2 == 0 ? multiply(row_at, half) : add_product(place_at, row_at, half);
      row_at = add_product(parities[k], row_at, n);
      place[k] = 1;  // ⌊i/2⌋ = h
      row[k] = 2;
    }
    for (const std::size_t a : wide) {
      const std::int64_t n_half = (source.extents[a] - parities[a] + 1) / 2;
      if (n_half > 1) box.axes.push_back({n_half, multiply(2, source.strides[a]), multiply(place[a], source.element_bytes)});
    }
    place_at = add(place_at, colour == 0 ? 0 : (n_all + 1) / 2);
    box.dst_offset = multiply(place_at, source.element_bytes);
    push_element(box, source.element_bytes);
    boxes.push_back(box);
  }
  return from_boxes(source, std::move(boxes), n_all);
}

Rearrangement scatter(const Layout& source, std::int64_t axis, std::span<const std::int64_t> indices, std::int64_t n) {
  source.check();
  const std::int64_t a = checked_axis(source, axis);
  const auto at = static_cast<std::size_t>(a);
  if (static_cast<std::int64_t>(indices.size()) != source.extents[at]) {
    throw Error(ErrorCode::bad_shape, std::to_string(indices.size()) + " indices for axis " + std::to_string(a) + " of extent " +
                                          std::to_string(source.extents[at]) + "; give one per element");
  }
  if (n < 0) throw Error(ErrorCode::bad_shape, "the new extent " + std::to_string(n) + " is negative");
  std::vector<std::int64_t> sorted;
  for (std::size_t j = 0; j < indices.size(); ++j) {
    if (indices[j] < -n || indices[j] >= n) {
      throw Error(ErrorCode::bad_shape, "entry " + std::to_string(j) + " of the index array, " + std::to_string(indices[j]) +
                                            ", is outside the new extent of " + std::to_string(n));
    }
    sorted.push_back(indices[j] < 0 ? indices[j] + n : indices[j]);
  }
  Extents extents = source.extents;
  extents[at] = n;
  const Layout destination = Layout::dense(std::move(extents), source.element_bytes);
  GatherAxis entries;
  for (std::size_t j = 0; j < sorted.size(); ++j) {
    entries.src_offsets.push_back(multiply(static_cast<std::int64_t>(j), source.strides[at]));
    entries.dst_offsets.push_back(multiply(sorted[j], destination.strides[at]));
  }
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end()) {
    throw Error(ErrorCode::overlap, "index " + std::to_string(*twice) + " is named twice: a scatter writes every element once");
  }
  Box box;
  box.src_offset = source.offset;
  for (std::size_t b = 0; b < source.extents.size(); ++b) {
    if (b != at) box.axes.push_back({source.extents[b], source.strides[b], destination.strides[b]});
  }
  push_element(box, source.element_bytes);
  Steps steps;
  steps.steps.push_back({});
  if (source.n_elements() > 0) steps.steps[0] = {{box}, {entries}, {}};
  return Rearrangement(source, destination, std::move(steps));
}

}  // namespace crinkle
