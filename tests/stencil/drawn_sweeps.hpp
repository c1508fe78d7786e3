// Sweeps of any kind, drawn: types, layouts, axes, faces, lists of points, steps.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "crinkle/sweeper.hpp"
#include "support/operations.hpp"

namespace crinkle::drawn_sweeps {

using namespace crinkle::testing;

inline std::int64_t below(std::mt19937_64& random, std::int64_t n) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
}

inline Face random_face(std::mt19937_64& random) {
  return {static_cast<Bound>(1 + below(random, 4)), static_cast<double>(below(random, 15) - 7) / 2};
}
inline Faces random_faces(std::mt19937_64& random) {
  if (random() % 4 == 0) return Faces(Bound::periodic);
  return {random_face(random), random_face(random)};
}

inline double random_weight(std::mt19937_64& random) { return static_cast<double>(below(random, 33) - 16) / 32; }

// One to three lists, of points anywhere or along one axis each.
inline LinearStencil random_stencil(int rank, std::mt19937_64& random) {
  LinearStencil stencil{"drawn", rank, {}};
  const bool is_separable = random() % 3 == 0;
  const std::int64_t far = random() % 6 == 0 && rank < 3 ? 25 : 1 + below(random, 3);
  const std::int64_t n_passes = is_separable ? rank : 1 + below(random, 8) / 6;
  for (std::int64_t p = 0; p < n_passes; ++p) {
    PointList list;
    for (std::int64_t n = 1 + below(random, 6); n > 0; --n) {
      for (int a = 0; a < rank; ++a)
        list.offsets.push_back(is_separable && a != rank - 1 - p ? 0 : below(random, 2 * far + 1) - (random() % 5 == 0 ? 0 : far));
      list.coefficients.push_back(random_weight(random));
    }
    stencil.passes.push_back(list);
  }
  return stencil;
}

inline LinearStencil made_stencil(int rank, std::mt19937_64& random) {
  switch (random() % 5) {
    case 0: return average(rank, 1 + below(random, 2), random() % 2 == 0 ? StencilShape::box : StencilShape::star);
    case 1: return laplacian(rank, 2 + 2 * static_cast<int>(below(random, 3)));
    case 2: return gaussian(std::vector<double>(static_cast<std::size_t>(rank), 0.9), 3);
    default: return random_stencil(rank, random);
  }
}

inline NumberType random_type(std::mt19937_64& random) {
  constexpr Number floats[] = {Number::float16, Number::float32, Number::float64};
  return {random() % 2 == 0 ? floats[random() % 3] : static_cast<Number>(random() % 11), random() % 4 == 0};
}

inline Sweep random_sweep(std::mt19937_64& random) {
  Sweep sweep;
  const std::size_t rank = 1 + random() % 4;
  const Extents extents = random_extents(rank, rank == 1 ? 300 : rank == 2 ? 40 : rank == 3 ? 14 : 7, random);
  std::vector<int> axes(rank);
  for (std::size_t a = 0; a < rank; ++a) axes[a] = static_cast<int>(a);
  std::shuffle(axes.begin(), axes.end(), random);
  axes.resize(1 + random() % rank);
  sweep.axes = axes;
  sweep.stencil = made_stencil(static_cast<int>(axes.size()), random);
  for (std::size_t a = 0; a < axes.size(); ++a) sweep.boundary.push_back(random_faces(random));
  sweep.source_type = random_type(random);
  sweep.destination_type = random() % 2 == 0 ? sweep.source_type : random_type(random);
  sweep.source = random_layout(extents, bytes_of(sweep.source_type.number), random);
  sweep.destination = random_layout(extents, bytes_of(sweep.destination_type.number), random, false);
  sweep.steps = 1 + below(random, 5);
  sweep.steps_at_once = random() % 2 == 0 || axes.size() > 3 ? 0 : 1 + below(random, 4);
  return sweep;
}

inline std::string text_of(const Sweep& s) {
  std::string text = fmt::format("{} {} from {} to {} axes [{}] lists {} steps {} at once {}:", s.stencil.name,
                                 print_shape(s.source.extents), name_of(s.source_type.number), name_of(s.destination_type.number),
                                 fmt::join(s.axes, ","), s.stencil.passes.size(), s.steps, s.steps_at_once);
  for (const Faces& f : s.boundary) text += " " + print(f.low) + "|" + print(f.high);
  return text;
}

}  // namespace crinkle::drawn_sweeps
