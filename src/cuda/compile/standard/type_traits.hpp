// Stands for <type_traits> in kernels compiled at run time, where there is no standard library: what our headers use of it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace std {

template <class A, class B>
inline constexpr bool is_same_v = false;
template <class A>
inline constexpr bool is_same_v<A, A> = true;

template <bool is_first, class A, class B>
struct conditional {
  using type = A;
};
template <class A, class B>
struct conditional<false, A, B> {
  using type = B;
};
template <bool is_first, class A, class B>
using conditional_t = typename conditional<is_first, A, B>::type;

}  // namespace std
