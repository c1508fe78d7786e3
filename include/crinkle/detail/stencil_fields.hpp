// Fields that a stencil reads and writes, and the two ways in which it sees them from a cell: away from the faces by adding to a pointer,
// beside them by asking for every cell what lies there.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/hd.hpp"
#include "crinkle/detail/stencil_boundary.hpp"

namespace crinkle {

/// A neighbour, slowest axis first: at(offset<-1, 0>) is the cell above.
template <int... o>
struct Offset {};
template <int... o>
inline constexpr Offset<o...> offset{};

/// One of several fields that are read: at(offset<0, 1>, input<1>).
template <int i>
struct Input {};
template <int i>
inline constexpr Input<i> input{};

/// How far a stencil reaches along every axis.
template <int... r>
struct Radius {
  static constexpr int rank = sizeof...(r);
  static_assert(rank >= 1 && rank <= 6 && ((r >= 0) && ...), "a stencil has 1 to 6 axes, and reaches 0 or more cells along each");

  CRINKLE_HD static constexpr int along(int axis) {
    const int all[] = {r...};
    return all[axis];
  }
  template <int... o>
  CRINKLE_HD static constexpr bool holds(Offset<o...>) {
    if constexpr (sizeof...(o) == sizeof...(r)) return ((o <= r && -o <= r) && ...);
    else return false;
  }
};

/// Cell (i_0, …) is data[Σ i_a · strides[a]]; strides, in elements, may be negative or, where it is read, 0.
template <class T, int rank>
struct StencilField {
  T* data = nullptr;
  Array<std::int64_t, rank> extents = {};
  Array<std::int64_t, rank> strides = {};

  CRINKLE_HD constexpr T* at(const Array<std::int64_t, rank>& index) const {
    std::int64_t place = 0;
    for (int a = 0; a < rank; ++a) place += index[a] * strides[a];
    return data + place;
  }
};

namespace detail {

/// The cell itself, Offset<0, …>.
template <class R>
struct NoOffsetOf;
template <int... r>
struct NoOffsetOf<Radius<r...>> {
  using Type = Offset<0 * r...>;
};
template <class R>
using NoOffset = typename NoOffsetOf<R>::Type;

template <class T>
struct WithoutConst {
  using Type = T;
};
template <class T>
struct WithoutConst<const T> {
  using Type = T;
};

template <class P>
struct PointedTo;
template <class T>
struct PointedTo<T*> {
  using Type = T;
};

/// Fields to be read, of any types.
template <int rank, class... S>
struct Inputs;
template <int rank>
struct Inputs<rank> {
  CRINKLE_HD constexpr Inputs moved(const Array<std::int64_t, rank>&) const { return {}; }
};
template <int rank, class S, class... Rest>
struct Inputs<rank, S, Rest...> {
  StencilField<const S, rank> field;
  Inputs<rank, Rest...> rest;

  /// The same from another cell on.
  CRINKLE_HD constexpr Inputs moved(const Array<std::int64_t, rank>& index) const {
    Inputs result = *this;
    result.field.data = field.at(index);
    result.rest = rest.moved(index);
    return result;
  }
  template <int i>
  CRINKLE_HD constexpr const auto& get() const {
    if constexpr (i == 0) return field;
    else return rest.template get<i - 1>();
  }
};

template <int rank>
CRINKLE_HD constexpr Inputs<rank> inputs_of() {
  return {};
}
template <int rank, class S, class... Rest>
CRINKLE_HD constexpr auto inputs_of(const StencilField<S, rank>& first, const StencilField<Rest, rank>&... rest) {
  return Inputs<rank, typename WithoutConst<S>::Type, typename WithoutConst<Rest>::Type...>{{first.data, first.extents, first.strides},
                                                                                            inputs_of<rank>(rest...)};
}

/// Cell begin + (0, …, 0, x), all of whose neighbours are inside. is_unit: the last axis of all fields has stride 1.
template <class R, bool is_unit, class... S>
class InsideCell {
 public:
  static constexpr int rank = R::rank;
  CRINKLE_HD constexpr InsideCell(const Inputs<rank, S...>& from_begin, const Array<std::int64_t, rank>& begin,
                                  const Array<std::int64_t, rank>& extents, std::int64_t x)
      : from_begin_(from_begin), begin_(begin), extents_(extents), x_(x) {}

  template <int... o, int i = 0>
  CRINKLE_HD constexpr auto operator()(Offset<o...> to, Input<i> = {}) const {
    static_assert(R::holds(to), "the stencil looks further than its radius says, or along another number of axes");
    const int offsets[] = {o...};
    const auto& field = from_begin_.template get<i>();
    std::int64_t place = is_unit ? x_ + offsets[rank - 1] : (x_ + offsets[rank - 1]) * field.strides[rank - 1];
    for (int a = 0; a + 1 < rank; ++a) place += offsets[a] * field.strides[a];
    return field.data[place];
  }
  CRINKLE_HD constexpr std::int64_t index(int axis) const { return axis + 1 == rank ? begin_[axis] + x_ : begin_[axis]; }
  CRINKLE_HD constexpr std::int64_t extent(int axis) const { return extents_[axis]; }

 private:
  const Inputs<rank, S...>& from_begin_;
  const Array<std::int64_t, rank>& begin_;
  const Array<std::int64_t, rank>& extents_;
  std::int64_t x_;
};

/// A cell outside, as `beyond` is told of it; cells inside are asked for by their index.
template <int rank, class... S>
class Beyond {
 public:
  using Index = Array<std::int64_t, rank>;
  CRINKLE_HD constexpr Beyond(const Inputs<rank, S...>& inputs, const Index& extents, const Index& index)
      : inputs_(inputs), extents_(extents), index_(index) {}

  CRINKLE_HD constexpr std::int64_t index(int axis) const { return index_[axis]; }
  CRINKLE_HD constexpr std::int64_t extent(int axis) const { return extents_[axis]; }
  /// The nearest cell inside.
  CRINKLE_HD constexpr Index nearest() const {
    Index result = index_;
    for (int a = 0; a < rank; ++a) result[a] = index_[a] < 0 ? 0 : index_[a] < extents_[a] ? index_[a] : extents_[a] - 1;
    return result;
  }
  /// The value of a cell. Requires 0 ≤ index < extents.
  template <int i = 0>
  CRINKLE_HD constexpr auto operator()(const Index& index, Input<i> = {}) const {
    return *inputs_.template get<i>().at(index);
  }

 private:
  const Inputs<rank, S...>& inputs_;
  const Index& extents_;
  const Index& index_;
};

template <class T>
CRINKLE_HD const T& some();  // never called
template <class F, class B, int i>
struct SaysBeyond {
  template <class G>
  static constexpr bool test(decltype(some<G>().beyond(some<B>(), Input<i>{}))*) {
    return true;
  }
  template <class G>
  static constexpr bool test(...) {
    return false;
  }
  static constexpr bool value = test<F>(nullptr);
};

/// Any cell.
template <class F, class... S>
class FaceCell {
 public:
  using R = typename F::Radius;
  static constexpr int rank = R::rank;
  CRINKLE_HD constexpr FaceCell(const F& function, const Inputs<rank, S...>& inputs, const Array<Faces, rank>& faces,
                                const Array<std::int64_t, rank>& extents, const Array<std::int64_t, rank>& index)
      : function_(function), inputs_(inputs), faces_(faces), extents_(extents), index_(index) {}

  template <int... o, int i = 0>
  CRINKLE_HD constexpr auto operator()(Offset<o...> to, Input<i> = {}) const {
    static_assert(R::holds(to), "the stencil looks further than its radius says, or along another number of axes");
    const int offsets[] = {o...};
    const auto& field = inputs_.template get<i>();
    using Value = typename WithoutConst<typename PointedTo<decltype(field.data)>::Type>::Type;
    Array<std::int64_t, rank> index{};
    const Face* face = nullptr;
    for (int a = 0; a < rank; ++a) {
      const Faces& f = faces_[a];
      const std::int64_t there = index_[a] + offsets[a], at = bounded(f.low.bound, f.high.bound, there, extents_[a]);
      index[a] = at >= 0 ? at : there;
      if (at < 0) face = at == at_low_face ? &f.low : &f.high;
    }
    if (face == nullptr) return Value(*field.at(index));
    using B = Beyond<rank, S...>;
    if constexpr (SaysBeyond<F, B, i>::value) {
      if (face->bound == Bound::function) return static_cast<Value>(function_.beyond(B(inputs_, extents_, index), Input<i>{}));
    }
    return static_cast<Value>(face->value);
  }
  CRINKLE_HD constexpr std::int64_t index(int axis) const { return index_[axis]; }
  CRINKLE_HD constexpr std::int64_t extent(int axis) const { return extents_[axis]; }

 private:
  const F& function_;
  const Inputs<rank, S...>& inputs_;
  const Array<Faces, rank>& faces_;
  const Array<std::int64_t, rank>& extents_;
  const Array<std::int64_t, rank>& index_;
};

}  // namespace detail
}  // namespace crinkle
