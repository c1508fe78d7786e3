// The view of records whose layout is known when the program runs: plain numbers for every field instead of constants.
// (See records.hpp, the header to include.)
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/hd.hpp"
#include "crinkle/detail/record_form.hpp"
#include "crinkle/detail/record_place.hpp"
#include "crinkle/detail/record_type.hpp"
#include "crinkle/detail/record_words.hpp"

namespace crinkle {

template <class R, class L>
class RecordView;

/// n records of the type R, each field where its PlainPlace says. Records that lie as Aos<16>, Aos<8> or Aos<4> would have them, from an
/// address so aligned on, are read and written in words of so many bytes; all others field by field.
template <class R>
class RecordView<R, RunTime> {
  using Pointers = detail::Pointers<R>;
  using Described = typename Pointers::Record;
  using Byte = typename Pointers::Byte;
  using Void = typename Pointers::Void;
  static constexpr int n_fields = Described::n_fields;
  static_assert(n_fields <= 64, "a layout chosen at run time holds up to 64 fields");
  template <class Q, class M>
  friend class RecordView;

 public:
  using Type = typename Described::Type;

  constexpr RecordView() = default;

  /// Deleted: it is not known whether the layout is that of an array of structures, so give a void*.
  template <class U, typename detail::If<!detail::MayBeGivenAs<Described, U>::value()>::Type = 0>
  RecordView(U* base, const PlainPlace* places, std::int64_t n) = delete;
  /// All groups in one allocation; places[k] is that of field k. Requires: 0 ≤ n; what places name lies in the allocation.
  CRINKLE_HD RecordView(Void* base, const PlainPlace* places, std::int64_t n) : n_(n) {
    for (int k = 0; k < n_fields; ++k) place(k, static_cast<Byte*>(base) + places[k].begin, places[k]);
    choose_words(places);
  }
  /// Every group in an array of its own, groups[place.group].
  CRINKLE_HD RecordView(Void* const* groups, const PlainPlace* places, std::int64_t n) : n_(n) {
    for (int k = 0; k < n_fields; ++k) place(k, static_cast<Byte*>(groups[places[k].group]), places[k]);
    choose_words(places);
  }
  template <class Q, typename detail::If<detail::Same<R, const Q>::value>::Type = 0>
  CRINKLE_HD RecordView(const RecordView<Q, RunTime>& other) : aligned_(other.aligned_), word_(other.word_), n_(other.n_) {
    for (int k = 0; k < n_fields; ++k) {
      const auto& lane = other.lanes_[k];
      lanes_[k] = {lane.base, lane.block, lane.record_bytes, lane.offset};
    }
  }

  CRINKLE_HD constexpr std::int64_t size() const { return n_; }

  /// The field itself. Requires: is_aligned(field).
  template <auto M>
  CRINKLE_HD typename Pointers::template Member<typename detail::MemberOf<decltype(M)>::Type>& get(field<M>, std::int64_t i) const {
    using Member = typename Pointers::template Member<typename detail::MemberOf<decltype(M)>::Type>;
    return *reinterpret_cast<Member*>(at<index_of<M>()>(i));
  }
  /// Whether this field lies, in every record, at a multiple of its type's alignment.
  template <auto M>
  CRINKLE_HD constexpr bool is_aligned(field<M>) const {
    return (aligned_ >> index_of<M>() & 1) != 0;
  }

  CRINKLE_HD Type load(std::int64_t i) const {
    if (word_ == 16) return load_words<16>(i);
    if (word_ == 8) return load_words<8>(i);
    if (word_ == 4) return load_words<4>(i);
    Type record{};
    Described::for_each(record, FromMemory{this, i});
    return record;
  }
  CRINKLE_HD void store(std::int64_t i, const Type& record) const {
    if (word_ == 16) return store_words<16>(record, i);
    if (word_ == 8) return store_words<8>(record, i);
    if (word_ == 4) return store_words<4>(record, i);
    Described::for_each(record, IntoMemory{this, i});
  }

  template <auto M>
  CRINKLE_HD typename detail::MemberOf<decltype(M)>::Type load(field<M>, std::int64_t i) const {
    typename detail::MemberOf<decltype(M)>::Type value;
    load_field<index_of<M>()>(value, i);
    return value;
  }
  template <auto M>
  CRINKLE_HD void store(field<M>, std::int64_t i, const typename detail::MemberOf<decltype(M)>::Type& value) const {
    store_field<index_of<M>()>(value, i);
  }

 private:
  struct Lane {
    Byte* base;  // of the group's first byte
    Divisor<std::uint64_t> block;
    std::int64_t record_bytes;
    std::int64_t offset;
  };

  template <auto M>
  CRINKLE_HD static constexpr int index_of() {
    static_assert(Described::template index_of<M>() >= 0, "this member is no field of the record");
    return Described::template index_of<M>();
  }

  CRINKLE_HD void place(int k, Byte* base, const PlainPlace& p) {
    constexpr Array<detail::FieldForm, n_fields> forms = Described::forms();
    lanes_[k] = {base, Divisor<std::uint64_t>(static_cast<std::uint64_t>(p.block)), p.record_bytes, p.offset};
    // Every base + b·B·S + r·o that there is; modulo a power of two the products may overflow.
    using U = std::uint64_t;
    const U block = static_cast<U>(p.block), offset = static_cast<U>(p.offset), step = block * static_cast<U>(p.record_bytes);
    const U begin = static_cast<U>(reinterpret_cast<std::uintptr_t>(base));
    const U n_whole = static_cast<U>(n_) / block, rest = static_cast<U>(n_) % block;
    U bits = 0;
    if (n_whole >= 1) bits |= begin + block * offset;
    if (n_whole >= 2) bits |= step;
    if (rest > 0) bits |= begin + n_whole * step + rest * offset;
    if (bits % static_cast<U>(forms[k].alignment) == 0) aligned_ |= U{1} << k;
  }

  template <std::int64_t Word>
  CRINKLE_HD bool lies_as(const PlainPlace* places) const {
    constexpr detail::LayoutNumbers<n_fields, 1> numbers =
        detail::count_bytes(detail::FormOf<Aos<Word>, Described>::get(), Described::forms());
    constexpr Array<detail::FieldForm, n_fields> forms = Described::forms();
    std::int64_t useful = 0;
    for (int k = 0; k < n_fields; ++k) {
      const PlainPlace& p = places[k];
      useful += forms[k].bytes;
      if (lanes_[k].base != lanes_[0].base || p.block != 1 || p.record_bytes != numbers.record_bytes[0] || p.offset != numbers.offset[k])
        return false;
    }
    const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(lanes_[0].base));
    return places[0].useful_bytes == useful && address % static_cast<std::uint64_t>(numbers.base_power[0]) == 0;
  }
  CRINKLE_HD void choose_words(const PlainPlace* places) {
    word_ = lies_as<16>(places) ? 16 : lies_as<8>(places) ? 8 : lies_as<4>(places) ? 4 : 0;
  }

  // The records as a layout that is known has them.
  template <std::int64_t Word>
  CRINKLE_HD Type load_words(std::int64_t i) const {
    return RecordView<R, Aos<Word>>(lanes_[0].base, n_).load(i);
  }
  template <std::int64_t Word>
  CRINKLE_HD void store_words(const Type& record, std::int64_t i) const {
    RecordView<R, Aos<Word>>(lanes_[0].base, n_).store(i, record);
  }

  template <int K>
  CRINKLE_HD Byte* at(std::int64_t i) const {
    constexpr std::int64_t field_bytes = Described::forms()[K].bytes;
    const Lane& lane = lanes_[K];
    return lane.base + detail::offset_in_group(i, n_, lane.block, lane.record_bytes, lane.offset, field_bytes);
  }
  template <int K, class M>
  CRINKLE_HD void load_field(M& member, std::int64_t i) const {
    constexpr std::int64_t bytes = static_cast<std::int64_t>(sizeof(M)), word = detail::least(Described::forms()[K].alignment, 16);
    alignas(16) unsigned char words[sizeof(M)];
    if ((aligned_ >> K & 1) != 0) detail::load_bytes<bytes, word>(words, at<K>(i));
    else detail::load_bytes<bytes, 1>(words, at<K>(i));
    __builtin_memcpy(&member, words, sizeof(M));
  }
  template <int K, class M>
  CRINKLE_HD void store_field(const M& member, std::int64_t i) const {
    constexpr std::int64_t bytes = static_cast<std::int64_t>(sizeof(M)), word = detail::least(Described::forms()[K].alignment, 16);
    alignas(16) unsigned char words[sizeof(M)];
    __builtin_memcpy(words, &member, sizeof(M));
    if ((aligned_ >> K & 1) != 0) detail::store_bytes<bytes, word>(at<K>(i), words);
    else detail::store_bytes<bytes, 1>(at<K>(i), words);
  }

  struct FromMemory {
    const RecordView* view;
    std::int64_t i;
    template <int K, class M>
    CRINKLE_HD void visit(M& member) const {
      view->template load_field<K>(member, i);
    }
  };
  struct IntoMemory {
    const RecordView* view;
    std::int64_t i;
    template <int K, class M>
    CRINKLE_HD void visit(const M& member) const {
      view->template store_field<K>(member, i);
    }
  };

  Array<Lane, n_fields> lanes_{};
  std::uint64_t aligned_ = 0;  // bit k: of field k
  int word_ = 0;               // bytes; 0: field by field
  std::int64_t n_ = 0;
};

}  // namespace crinkle
