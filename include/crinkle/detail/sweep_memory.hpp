// What blocks of a sweep (sweep_block.hpp) write to, and copies into their shared memory that they do not wait for.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/stencil_fields.hpp"

// Before a loop of which a kernel shall have four turns one after the other, or one.
#if defined(__CUDA_ARCH__)
#define CRINKLE_UNROLL_4 _Pragma("unroll 4")
#define CRINKLE_UNROLL_1 _Pragma("unroll 1")
#else
#define CRINKLE_UNROLL_4
#define CRINKLE_UNROLL_1
#endif

namespace crinkle::detail {

/// Fields to be written, of any types.
template <int rank, class... T>
struct Outputs;
template <int rank>
struct Outputs<rank> {};
template <int rank, class T, class... Rest>
struct Outputs<rank, T, Rest...> {
  StencilField<T, rank> field;
  Outputs<rank, Rest...> rest;
};
template <int rank>
CRINKLE_HD constexpr Outputs<rank> outputs_of() {
  return {};
}
template <int rank, class T, class... Rest>
CRINKLE_HD constexpr Outputs<rank, T, Rest...> outputs_of(const StencilField<T, rank>& first, const StencilField<Rest, rank>&... rest) {
  return {first, outputs_of<rank>(rest...)};
}
/// The same from another cell on.
template <int rank>
CRINKLE_HD constexpr Outputs<rank> moved(const Outputs<rank>& outs, const Array<std::int64_t, rank>&) {
  return outs;
}
template <int rank, class T, class... Rest>
CRINKLE_HD constexpr Outputs<rank, T, Rest...> moved(const Outputs<rank, T, Rest...>& outs, const Array<std::int64_t, rank>& index) {
  return {{outs.field.at(index), outs.field.extents, outs.field.strides}, moved(outs.rest, index)};
}
/// The values of a cell so many along an axis, one a field; `values` itself where it is one.
template <bool is_several, int k, int rank, class Values>
CRINKLE_HD void put_cell(const Outputs<rank>&, int, int, const Values&) {
  if constexpr (is_several) static_assert(k == Values::size(), "the stencil has another number of results than there are fields for them");
}
template <bool is_several, int k = 0, int rank, class T, class... Rest, class Values>
CRINKLE_HD void put_cell(const Outputs<rank, T, Rest...>& outs, int axis, int along, const Values& values) {
  T& to = outs.field.data[along * outs.field.strides[axis]];
  if constexpr (is_several) to = static_cast<T>(values[k]);
  else to = static_cast<T>(values);
  put_cell<is_several, k + 1>(outs.rest, axis, along, values);
}

/// Copies n bytes into shared memory, at the latest when all that was asked for is waited for. Both lie at multiples of `alignment`.
template <int n, int alignment>
CRINKLE_HD void copy_ahead(unsigned char* to, const unsigned char* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if constexpr (n == 16 && alignment == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))), "l"(from)
                 : "memory");
    return;
  } else if constexpr (n == alignment && (n == 4 || n == 8)) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))), "l"(from), "n"(n)
                 : "memory");
    return;
  }
#endif
  struct alignas(alignment) Bytes {
    unsigned char all[static_cast<std::size_t>(n)];
  };
  *reinterpret_cast<Bytes*>(to) = *reinterpret_cast<const Bytes*>(from);
}

}  // namespace crinkle::detail
