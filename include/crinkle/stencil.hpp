// Stencils of your own, for loops on a CPU and for kernels:
//
//     struct Heat {
//       using Radius = crinkle::Radius<1, 1>;                       // how far it looks along every axis, 1 to 6 of them
//       float k;
//       template <class At>
//       CRINKLE_HD float operator()(const At& at) const {
//         using crinkle::offset;
//         return at(offset<0, 0>) + k * (at(offset<-1, 0>) + at(offset<1, 0>) + at(offset<0, -1>) + at(offset<0, 1>) - 4 * at(offset<0,
//         0>));
//       }
//     };
//     const auto heat = crinkle::stencil(Heat{0.2f}, crinkle::filled<2>(crinkle::Faces(crinkle::Bound::periodic)), field);
//     sweep(heat, next);                                         // stencil_loops.hpp: all cells, on the threads of an executor
//     next.at(index)[0] = heat.cell(index);                      // one cell, in a kernel or a loop of your own
//
// at(offset<…>) is that neighbour's value, at(offset<…>, input<1>) that of the second field, at.index(axis) where the cell is. Offsets are
// known when it is compiled, and one beyond the radius does not compile. The function sees the same values in the same order wherever it
// runs, so results are equal bit for bit if it is compiled without contraction of products and sums (-ffp-contract=off, nvcc -fmad=false)
// or writes fma itself. Beyond the faces lies what detail/stencil_boundary.hpp says; where several axes are outside and constant, the last
// of them gives the value. On a face of Bound::function the stencil's own member says what lies there, asking for cells inside:
//
//     template <class Cells, int i>
//     CRINKLE_HD float beyond(const Cells& cells, crinkle::Input<i>) const { return -cells(cells.nearest(), crinkle::input<i>); }
//
// cells.index(axis) is the place outside (axes of other faces already inside), cells.extent(axis) the field's extent. A stencil is a plain
// value: pass it to a kernel as `const __grid_constant__`, which keeps it out of local memory. Nothing here throws or allocates.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/stencil_fields.hpp"

namespace crinkle {

/// out[i] = function(what is around cell i of the fields S…). All fields have the same extents.
template <class F, class... S>
class Stencil {
 public:
  using Radius = typename F::Radius;
  static constexpr int rank = Radius::rank;
  using Index = Array<std::int64_t, rank>;
  using Inputs = detail::Inputs<rank, S...>;

  CRINKLE_HD constexpr Stencil(const F& function, const Array<Faces, rank>& faces, const Inputs& inputs)
      : function_(function), faces_(faces), extents_(inputs.field.extents), inputs_(inputs) {}

  CRINKLE_HD constexpr const Index& extents() const { return extents_; }
  CRINKLE_HD constexpr const Array<Faces, rank>& faces() const { return faces_; }
  CRINKLE_HD constexpr const Inputs& inputs() const { return inputs_; }

  /// Cells [first_inside(a), last_inside(a)) of an axis see no face of it.
  CRINKLE_HD constexpr std::int64_t first_inside(int axis) const {
    const std::int64_t r = Radius::along(axis);
    return r < extents_[axis] ? r : extents_[axis];
  }
  CRINKLE_HD constexpr std::int64_t last_inside(int axis) const {
    const std::int64_t last = extents_[axis] - Radius::along(axis), first = first_inside(axis);
    return last > first ? last : first;
  }
  CRINKLE_HD constexpr bool is_inside(const Index& index) const {
    for (int a = 0; a < rank; ++a)
      if (index[a] < first_inside(a) || index[a] >= last_inside(a)) return false;
    return true;
  }

  /// The value of any cell of the array.
  CRINKLE_HD constexpr auto cell(const Index& index) const {
    if (is_inside(index)) return cell_inside<false>(inputs_.moved(index), index, 0);
    return cell_at_faces(index);
  }
  /// The value of any cell; it asks for every neighbour where that lies.
  CRINKLE_HD constexpr auto cell_at_faces(const Index& index) const {
    return function_(detail::FaceCell<F, S...>(function_, inputs_, faces_, extents_, index));
  }
  /// The value of cell begin + (0, …, 0, x), which is_inside. Requires from_begin = inputs().moved(begin); is_unit: the last axis has
  /// stride 1 in all.
  template <bool is_unit>
  CRINKLE_HD constexpr auto cell_inside(const Inputs& from_begin, const Index& begin, std::int64_t x) const {
    return function_(detail::InsideCell<Radius, is_unit, S...>(from_begin, begin, extents_, x));
  }
  /// What lies at a place, inside or beyond the faces, in field i.
  template <int i>
  CRINKLE_HD constexpr auto value_at(const Index& place) const {
    return detail::FaceCell<F, S...>(function_, inputs_, faces_, extents_, place)(detail::NoOffset<Radius>(), Input<i>{});
  }
  /// The function of what a view of its own shows: at(offset, input), index, extent.
  template <class At>
  CRINKLE_HD constexpr auto seen_by(const At& at) const {
    return function_(at);
  }

 private:
  F function_;
  Array<Faces, rank> faces_;
  Index extents_;
  Inputs inputs_;
};

/// The function over these fields, one or several.
template <class F, class... S>
CRINKLE_HD constexpr auto stencil(const F& function, const Array<Faces, F::Radius::rank>& faces,
                                  const StencilField<S, F::Radius::rank>&... fields) {
  static_assert(sizeof...(S) >= 1, "a stencil reads one field or several");
  return Stencil<F, typename detail::WithoutConst<S>::Type...>(function, faces, detail::inputs_of<F::Radius::rank>(fields...));
}

}  // namespace crinkle
