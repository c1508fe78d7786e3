// Records in your own loops and kernels: x, y and z of record i, wherever a layout has put them.
//
//     struct Particle { float x, y, z, p; };
//     using Particles = crinkle::Record<Particle, &Particle::x, &Particle::y, &Particle::z, &Particle::p>;
//     constexpr crinkle::field<&Particle::x> x;
//
//     template <class View>                                   // RecordView<Particles, Soa>, RecordView<Particles, Aos<16>> …
//     __global__ void move(View view, float by) {
//       const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
//       if (i < view.size()) view.get(x, i) += by;            // or: Particle one = view.load(i); … view.store(i, one);
//     }
//
// Layouts are types: AosOf<Particle> (an array of the type itself, padding included), Aos<> (its fields packed), Aos<16> (AoaS), Soa,
// Aosoa<8>, Groups<Members<&Particle::x, &Particle::y>::Aligned<16>, …>, each but the first also Apart<…>, and RunTime, whose numbers come
// from places_of(RecordLayout, n) or from anywhere. Field f of record i lies where record_layout.hpp says,
//     base + b·B·S + r·o_f + (i − b·B)·e_f,        b = ⌊i / B⌋,  r = min(B, n − b·B),
// items being aligned to alignof, at most 16. A view is a plain value: pass it to a kernel by value. Nothing here throws or allocates.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/hd.hpp"
#include "crinkle/detail/record_form.hpp"
#include "crinkle/detail/record_place.hpp"
#include "crinkle/detail/record_type.hpp"
#include "crinkle/detail/record_words.hpp"
#include "crinkle/detail/run_time_view.hpp"
#include "crinkle/detail/struct_view.hpp"

namespace crinkle {

/// n records of the type R, a Record or a const one, in the layout L. Every i is in [0, n).
template <class R, class L>
class RecordView {
  using Pointers = detail::Pointers<R>;
  using Described = typename Pointers::Record;
  using Counted = detail::Counted<Described, L>;
  using Byte = typename Pointers::Byte;
  using Void = typename Pointers::Void;
  template <class Q, class M>
  friend class RecordView;

 public:
  using Type = typename Described::Type;
  static constexpr int n_groups = Counted::n_groups;

  constexpr RecordView() = default;

  /// An array of structures is AosOf its type: this layout has other bytes. For records that lie so all the same, give a void*.
  template <class U, typename detail::If<!detail::MayBeGivenAs<Described, U>::value()>::Type = 0>
  RecordView(U* base, std::int64_t n) = delete;
  /// All groups in one allocation of bytes(n). Requires: base is a multiple of alignment(0); 0 ≤ n.
  CRINKLE_HD RecordView(Void* base, std::int64_t n) : n_(n) {
    static_assert(!Counted::form.is_apart, "every group of an Apart layout has its own array: give an Array of pointers");
    for (int g = 0; g < n_groups; ++g) base_[g] = static_cast<Byte*>(base) + group_begin(g, n);
  }
  /// Group g in an array of group_bytes(g, n). Requires: groups[g] is a multiple of alignment(g); 0 ≤ n.
  CRINKLE_HD RecordView(const Array<Void*, n_groups>& groups, std::int64_t n) : n_(n) {
    static_assert(Counted::form.is_apart, "the groups of this layout share one allocation: give one pointer, or say Apart<…>");
    for (int g = 0; g < n_groups; ++g) base_[g] = static_cast<Byte*>(groups[g]);
  }
  /// The same records, to be read only.
  template <class Q, typename detail::If<detail::Same<R, const Q>::value>::Type = 0>
  CRINKLE_HD RecordView(const RecordView<Q, L>& other) : n_(other.n_) {
    for (int g = 0; g < n_groups; ++g) base_[g] = other.base_[g];
  }

  CRINKLE_HD constexpr std::int64_t size() const { return n_; }

  /// The field itself, to read and to assign; of the type of the member, an array too. Does not compile where some address of the layout is
  /// none that this type may have: load and store go by bytes there.
  template <auto M>
  CRINKLE_HD typename Pointers::template Member<typename detail::MemberOf<decltype(M)>::Type>& get(field<M>, std::int64_t i) const {
    static_assert(is_aligned(field<M>()),
                  "this field may lie at an address that its type does not allow; align its group, put larger fields first, have groups "
                  "Apart, or use load() and store()");
    using Member = typename Pointers::template Member<typename detail::MemberOf<decltype(M)>::Type>;
    return *reinterpret_cast<Member*>(at<index_of<M>()>(i));
  }

  /// Record i, fields that are not described empty. Reads blocks of one record in words as wide as their alignment allows, up to 16 bytes,
  /// padding included; longer blocks field by field.
  CRINKLE_HD Type load(std::int64_t i) const {
    Type record{};
    load_groups(record, i, typename detail::CountTo<n_groups>::Type());
    return record;
  }

  /// Writes the described fields of record i, by the same words; padding that a word covers becomes zero.
  CRINKLE_HD void store(std::int64_t i, const Type& record) const { store_groups(record, i, typename detail::CountTo<n_groups>::Type()); }

  /// One field of record i by value, at any address. Requires: it is no array.
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

  /// Whether get() of this field compiles.
  template <auto M>
  CRINKLE_HD static constexpr bool is_aligned(field<M>) {
    constexpr int k = index_of<M>();
    return Counted::numbers.field_power[k] >= Counted::fields[k].alignment;
  }
  /// Bytes from the group's first to the field of record i of n.
  template <auto M>
  CRINKLE_HD static constexpr std::int64_t offset(field<M>, std::int64_t i, std::int64_t n) {
    return offset_of<index_of<M>()>(i, n);
  }
  template <auto M>
  CRINKLE_HD static constexpr int group(field<M>) {
    return Counted::numbers.group[index_of<M>()];
  }

  /// S, padding included.
  CRINKLE_HD static constexpr std::int64_t record_bytes(int g) { return Counted::record_bytes(g); }
  CRINKLE_HD static constexpr std::int64_t group_bytes(int g, std::int64_t n) { return n * record_bytes(g); }
  /// The bytes before group g where groups share an allocation.
  CRINKLE_HD static constexpr std::int64_t group_begin(int g, std::int64_t n) {
    std::int64_t begin = 0;
    for (int k = 1; k <= g; ++k) begin = detail::up_to_multiple(begin + group_bytes(k - 1, n), Counted::alignment(k));
    return begin;
  }
  /// The bytes of all groups in one allocation.
  CRINKLE_HD static constexpr std::int64_t bytes(std::int64_t n) { return group_begin(n_groups - 1, n) + group_bytes(n_groups - 1, n); }
  /// The first byte of a group has to be a multiple of this; 1 where groups share an allocation and it is not the first.
  CRINKLE_HD static constexpr std::int64_t alignment(int g) {
    return g == 0 || Counted::form.is_apart ? Counted::numbers.base_power[g] : 1;
  }

 private:
  template <auto M>
  CRINKLE_HD static constexpr int index_of() {
    static_assert(Described::template index_of<M>() >= 0, "this member is no field of the record");
    return Described::template index_of<M>();
  }

  template <int K>
  CRINKLE_HD static constexpr std::int64_t offset_of(std::int64_t i, std::int64_t n) {
    constexpr int g = Counted::numbers.group[K];
    constexpr std::int64_t block = Counted::form.block[g], record = Counted::numbers.record_bytes[g], offset = Counted::numbers.offset[K],
                           field_bytes = Counted::fields[K].bytes;
    if constexpr (block == 1) return i * record + offset;
    return detail::offset_in_group(i, n, detail::KnownDivisor<block>(), record, offset, field_bytes);
  }

  template <int K>
  CRINKLE_HD Byte* at(std::int64_t i) const {
    constexpr int g = Counted::numbers.group[K];
    return base_[g] + offset_of<K>(i, n_);
  }

  template <int K>
  static constexpr std::int64_t word_of_field = detail::least(Counted::numbers.field_power[K], detail::widest_word);
  template <int K, class M>
  CRINKLE_HD void load_field(M& member, std::int64_t i) const {
    alignas(16) unsigned char words[sizeof(M)];
    detail::load_bytes<static_cast<std::int64_t>(sizeof(M)), word_of_field<K>>(words, at<K>(i));
    __builtin_memcpy(&member, words, sizeof(M));
  }
  template <int K, class M>
  CRINKLE_HD void store_field(const M& member, std::int64_t i) const {
    alignas(16) unsigned char words[sizeof(M)];
    __builtin_memcpy(words, &member, sizeof(M));
    detail::store_bytes<static_cast<std::int64_t>(sizeof(M)), word_of_field<K>>(at<K>(i), words);
  }

  // A block of one record of group G: S a multiple of the word, and so the words that hold a field are within the record.
  template <int G>
  static constexpr bool is_in_words = Counted::form.block[G] == 1;
  template <int G>
  static constexpr std::int64_t word = detail::least(
      detail::widest_word, detail::least(Counted::numbers.group_power[G], detail::power_in(Counted::numbers.record_bytes[G])));
  template <int G>
  static constexpr std::int64_t span = detail::up_to_multiple(Counted::numbers.end[G], word<G>);  // bytes

  template <int G>
  struct FromWords {
    const unsigned char* words;  // [span<G>] bytes
    const RecordView* view;
    std::int64_t i;
    template <int K, class M>
    CRINKLE_HD void visit(M& member) const {
      constexpr int g = Counted::numbers.group[K];
      constexpr std::int64_t offset = Counted::numbers.offset[K];
      if constexpr (g == G && is_in_words<G>) __builtin_memcpy(&member, words + offset, sizeof(M));
      if constexpr (g == G && !is_in_words<G>) view->template load_field<K>(member, i);
    }
  };
  template <int G>
  struct IntoWords {
    unsigned char* words;  // [span<G>] bytes
    const RecordView* view;
    std::int64_t i;
    template <int K, class M>
    CRINKLE_HD void visit(const M& member) const {
      constexpr int g = Counted::numbers.group[K];
      constexpr std::int64_t offset = Counted::numbers.offset[K];
      if constexpr (g == G && is_in_words<G>) __builtin_memcpy(words + offset, &member, sizeof(M));
      if constexpr (g == G && !is_in_words<G>) view->template store_field<K>(member, i);
    }
  };

  template <int G>
  CRINKLE_HD void load_group(Type& record, std::int64_t i) const {
    if constexpr (is_in_words<G>) {
      alignas(16) unsigned char words[span<G>];
      detail::load_bytes<span<G>, word<G>>(words, base_[G] + i * Counted::numbers.record_bytes[G]);
      Described::for_each(record, FromWords<G>{words, this, i});
    } else {
      Described::for_each(record, FromWords<G>{nullptr, this, i});
    }
  }
  template <int G>
  CRINKLE_HD void store_group(const Type& record, std::int64_t i) const {
    if constexpr (is_in_words<G>) {
      alignas(16) unsigned char words[span<G>] = {};
      Described::for_each(record, IntoWords<G>{words, this, i});
      detail::store_bytes<span<G>, word<G>>(base_[G] + i * Counted::numbers.record_bytes[G], words);
    } else {
      Described::for_each(record, IntoWords<G>{nullptr, this, i});
    }
  }
  template <int... G>
  CRINKLE_HD void load_groups(Type& record, std::int64_t i, detail::Numbers<G...>) const {
    (load_group<G>(record, i), ...);
  }
  template <int... G>
  CRINKLE_HD void store_groups(const Type& record, std::int64_t i, detail::Numbers<G...>) const {
    (store_group<G>(record, i), ...);
  }

  Array<Byte*, n_groups> base_{};  // of each group's first byte
  std::int64_t n_ = 0;
};

}  // namespace crinkle
