// The definition: out[i] = c_0 · in[i + o_0] + c_1 · in[i + o_1] + …, every product and every sum rounded, for every pass of every step.
// Compiled without contraction of products and sums.
// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/reference.hpp"

#include "base/loops.hpp"
#include "base/number_lines.hpp"
#include "stencil/check.hpp"

namespace crinkle {
namespace {

// Calls body(place in C order, index) for every cell.
template <class Body>
void for_each_cell(const Extents& extents, const Body& body) {
  std::int64_t i = 0;
  for_each_index(extents, [&](const Extents& index) { body(i++, index); });
}

std::int64_t place_of(const Layout& layout, const Extents& index) {
  std::int64_t at = layout.offset;
  for (std::size_t a = 0; a < index.size(); ++a) at += index[a] * layout.strides[a];
  return at;
}

// in[index + offset], whatever lies outside. The last axis that is outside and constant gives the value.
template <class T>
T value_at(const std::vector<T>& in, const Sweep& sweep, double factor, const Extents& index, const std::int64_t* offset) {
  Extents at = index;
  int constant_axis = -1;
  T value = 0;
  for (std::size_t a = 0; a < sweep.axes.size(); ++a) {
    const auto axis = static_cast<std::size_t>(sweep.axes[a]);
    const Faces& faces = sweep.boundary[a];
    at[axis] = detail::bounded(faces.low.bound, faces.high.bound, index[axis] + offset[a], sweep.source.extents[axis]);
    if (at[axis] >= 0 || sweep.axes[a] < constant_axis) continue;
    constant_axis = sweep.axes[a];
    value = static_cast<T>((at[axis] == detail::at_low_face ? faces.low : faces.high).value * factor);
  }
  if (constant_axis >= 0) return value;
  Layout dense = Layout::dense(sweep.source.extents, 1);
  return in[static_cast<std::size_t>(place_of(dense, at))];
}

template <class T>
void run(const Sweep& sweep, const std::byte* source, std::byte* destination) {
  const Extents& extents = sweep.source.extents;
  const std::vector<double> factors = factors_beyond(sweep.stencil);
  std::vector<T> in(static_cast<std::size_t>(sweep.source.n_elements())), out(in.size());
  for_each_cell(extents, [&](std::int64_t i, const Extents& index) {
    load_line(&in[static_cast<std::size_t>(i)], 1, source + place_of(sweep.source, index), 0, 1, sweep.source_type);
  });
  for (std::int64_t step = 0; step < sweep.steps; ++step) {
    for (std::size_t p = 0; p < factors.size(); ++p) {
      const PointList& pass = sweep.stencil.passes[p];
      for_each_cell(extents, [&](std::int64_t i, const Extents& index) {
        T sum = 0;
        for (std::int64_t k = 0; k < pass.n_points(); ++k) {
          const T c = static_cast<T>(pass.coefficients[static_cast<std::size_t>(k)]);
          const T x = value_at(in, sweep, factors[p], index, &pass.offsets[static_cast<std::size_t>(k * sweep.stencil.rank)]);
          sum = k == 0 ? c * x : sum + c * x;
        }
        out[static_cast<std::size_t>(i)] = sum;
      });
      in.swap(out);
    }
    settle_line(in.data(), std::ssize(in), sweep.destination_type);
  }
  for_each_cell(extents, [&](std::int64_t i, const Extents& index) {
    store_line(destination + place_of(sweep.destination, index), 0, &in[static_cast<std::size_t>(i)], 1, 1, sweep.destination_type);
  });
}

}  // namespace

void sweep_reference(const Sweep& sweep, const std::byte* source, std::byte* destination) {
  const Sweep checked_sweep = checked(sweep);
  if (sums_are_float32(sweep.source_type, sweep.destination_type)) run<float>(checked_sweep, source, destination);
  else run<double>(checked_sweep, source, destination);
}

}  // namespace crinkle
