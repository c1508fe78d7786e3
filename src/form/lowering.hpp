// The boxes of one rearrangement share this while they are made. lower.cpp makes one step, two_steps.cpp two.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "crinkle/rearrangement.hpp"
#include "form/pieces.hpp"

namespace crinkle {

class Lowering {
 public:
  explicit Lowering(const Rearrangement& r) : r_(r) {}
  Steps lower() const;

 private:
  void check_axes() const;                   // throws bad_shape where an axis that is not in the destination has several indices
  DigitStrides destination_strides() const;  // where one index of a digit goes: bytes of the destination, or buffers
  void add_repeats(std::vector<Factor>& factors) const;
  GatherAxis gather_of(const Factor& factor) const;
  std::optional<Step> one_step(std::vector<Factor> factors) const;  // nothing where it would take more than 4096 boxes
  // The same, axes of more than so many runs gathered, the one with the most runs first, until the boxes are few enough.
  std::optional<Step> one_step_gathering(std::vector<Factor>& factors, std::size_t few_runs) const;
  Steps two_steps(const std::vector<Factor>& factors) const;
  std::optional<Boxes> boxes_of(const std::vector<Factor>& factors, std::int32_t fill) const;
  void emit(Boxes& boxes, const Piece& p) const;
  void emit_fill(Boxes& boxes, Box box, const Fill& fill) const;

  static constexpr std::size_t max_boxes = 4096;

  const Rearrangement& r_;
};

}  // namespace crinkle
