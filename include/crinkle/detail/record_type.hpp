// A record type in a compiler's terms: which members of a plain aggregate are its fields, and how many bytes and what alignment each has.
// (See records.hpp, the header to include.)
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/hd.hpp"

namespace crinkle {

/// Names a field: constexpr field<&Particle::x> x;
template <auto Member>
struct field {
  CRINKLE_HD constexpr field() {}
};

namespace detail {

template <int... I>
struct Numbers {};
template <int N, int... I>
struct CountTo : CountTo<N - 1, N - 1, I...> {};
template <int... I>
struct CountTo<0, I...> {
  using Type = Numbers<I...>;  // 0 … N − 1
};

template <bool>
struct If {};
template <>
struct If<true> {
  using Type = int;
};

template <class Pointer>
struct MemberOf;
template <class T, class M>
struct MemberOf<M T::*> {
  using Type = M;
  using Of = T;
};

/// Bytes and alignment of one field: e_f, and what its items are aligned to.
struct FieldForm {
  std::int64_t bytes;
  std::int64_t alignment;
};

}  // namespace detail

/// Some or all members of the aggregate T, in this order: struct Particle { float x, y, z, p; } is described by
/// Record<Particle, &Particle::x, &Particle::y, &Particle::z, &Particle::p>. Members may be of any trivially copyable types, arrays too.
template <class T, auto... Member>
struct Record {
  using Type = T;
  static constexpr int n_fields = static_cast<int>(sizeof...(Member));
  static_assert(n_fields >= 1, "a record has one field or more");
  static_assert(__is_trivially_copyable(T), "a record is copied as bytes, so its type is trivially copyable");
  static_assert((detail::Same<typename detail::MemberOf<decltype(Member)>::Of, T>::value && ...), "every field is a member of T itself");

  /// Which field a member is; −1: none.
  template <auto M>
  CRINKLE_HD static constexpr int index_of() {
    const bool is_it[] = {detail::Same<field<M>, field<Member>>::value...};
    for (int k = 0; k < n_fields; ++k)
      if (is_it[k]) return k;
    return -1;
  }

  CRINKLE_HD static constexpr Array<detail::FieldForm, n_fields> forms() {
    return {{{static_cast<std::int64_t>(sizeof(typename detail::MemberOf<decltype(Member)>::Type)),
              static_cast<std::int64_t>(alignof(typename detail::MemberOf<decltype(Member)>::Type))}...}};
  }

  /// each.visit<k>(field k of r) for every field.
  template <class R, class Each>
  CRINKLE_HD static constexpr void for_each(R& r, const Each& each) {
    for_each(r, each, typename detail::CountTo<n_fields>::Type());
  }

 private:
  template <class R, class Each, int... K>
  CRINKLE_HD static constexpr void for_each(R& r, const Each& each, detail::Numbers<K...>) {
    (each.template visit<K>(r.*Member), ...);
  }
};

namespace detail {

/// Pointers of a view: to const for a const record.
template <class R>
struct Pointers {
  using Record = R;
  using Void = void;
  using Byte = unsigned char;
  template <class M>
  using Member = M;
};
template <class R>
struct Pointers<const R> {
  using Record = R;
  using Void = const void;
  using Byte = const unsigned char;
  template <class M>
  using Member = const M;
};

}  // namespace detail

}  // namespace crinkle
