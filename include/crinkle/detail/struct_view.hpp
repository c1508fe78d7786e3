// The view of an array of the record's own type: members lie where the compiler put them.
// (See records.hpp, the header to include.)
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/hd.hpp"
#include "crinkle/detail/record_form.hpp"
#include "crinkle/detail/record_type.hpp"

namespace crinkle {

template <class R, class L>
class RecordView;

/// n records of the type T, as T t[n] has them: sizeof(T) bytes each, padding and members that R does not describe included.
template <class R, class T>
class RecordView<R, AosOf<T>> {
  using Pointers = detail::Pointers<R>;
  using Described = typename Pointers::Record;
  using Void = typename Pointers::Void;
  using Struct = typename Pointers::template Member<T>;
  static_assert(detail::Same<T, typename Described::Type>::value, "AosOf<T> is of the type that the Record describes");
  template <class Q, class M>
  friend class RecordView;

 public:
  using Type = T;
  static constexpr int n_groups = 1;

  constexpr RecordView() = default;
  /// Requires: 0 ≤ n.
  CRINKLE_HD constexpr RecordView(Struct* base, std::int64_t n) : base_(base), n_(n) {}
  CRINKLE_HD RecordView(Void* base, std::int64_t n) : base_(static_cast<Struct*>(base)), n_(n) {}
  /// All of a vector or span of T.
  template <class Values, typename detail::If<detail::Same<decltype(*static_cast<Values*>(nullptr)->data()), Struct&>::value>::Type = 0>
  constexpr RecordView(Values& values) : base_(values.data()), n_(static_cast<std::int64_t>(values.size())) {}  // NOLINT: it is one
  template <class Q, typename detail::If<detail::Same<R, const Q>::value>::Type = 0>
  CRINKLE_HD constexpr RecordView(const RecordView<Q, AosOf<T>>& other) : base_(other.base_), n_(other.n_) {}

  CRINKLE_HD constexpr std::int64_t size() const { return n_; }

  /// The member itself, to read and to assign.
  template <auto M>
  CRINKLE_HD typename Pointers::template Member<typename detail::MemberOf<decltype(M)>::Type>& get(field<M>, std::int64_t i) const {
    static_assert(Described::template index_of<M>() >= 0, "this member is no field of the record");
    return base_[i].*M;
  }
  /// All of record i, members that are not described too.
  CRINKLE_HD T load(std::int64_t i) const { return base_[i]; }
  /// Writes the described members of record i; other bytes stay.
  CRINKLE_HD void store(std::int64_t i, const T& record) const { Described::for_each(base_[i], From{&record, &base_[i]}); }

  template <auto M>
  CRINKLE_HD typename detail::MemberOf<decltype(M)>::Type load(field<M> f, std::int64_t i) const {
    return get(f, i);
  }
  template <auto M>
  CRINKLE_HD void store(field<M> f, std::int64_t i, const typename detail::MemberOf<decltype(M)>::Type& value) const {
    get(f, i) = value;
  }

  template <auto M>
  CRINKLE_HD static constexpr bool is_aligned(field<M>) {
    return true;
  }
  CRINKLE_HD static constexpr std::int64_t record_bytes(int) { return static_cast<std::int64_t>(sizeof(T)); }
  CRINKLE_HD static constexpr std::int64_t group_bytes(int g, std::int64_t n) { return n * record_bytes(g); }
  CRINKLE_HD static constexpr std::int64_t bytes(std::int64_t n) { return group_bytes(0, n); }
  CRINKLE_HD static constexpr std::int64_t alignment(int) { return static_cast<std::int64_t>(alignof(T)); }

 private:
  /// Members of `record`, found where those of `place` lie in it.
  struct From {
    const T* record;
    const T* place;
    template <int K, class M>
    CRINKLE_HD void visit(M& member) const {
      const auto offset = reinterpret_cast<const unsigned char*>(&member) - reinterpret_cast<const unsigned char*>(place);
      __builtin_memcpy(&member, reinterpret_cast<const unsigned char*>(record) + offset, sizeof(M));
    }
  };

  Struct* base_ = nullptr;
  std::int64_t n_ = 0;
};

}  // namespace crinkle
