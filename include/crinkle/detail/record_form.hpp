// Record layouts as types, and their arithmetic at compile time: record_layout.hpp's equation, and what every address is a multiple of.
// (See records.hpp, the header to include.)
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/hd.hpp"
#include "crinkle/detail/record_type.hpp"

namespace crinkle {

/// (x y z p)@A: an array of structures of the described members alone, in the order of the Record, aligned where A is more than 1 (AoaS).
template <std::int64_t A = 1>
struct Aos {};

/// T t[n] as the compiler lays it out, with its padding and the members that are not described.
template <class T>
struct AosOf {};

/// x|y|z|p: a structure of arrays.
struct Soa {};

/// (x y z p)*B@A: an array of structures of arrays of B.
template <std::int64_t B, std::int64_t A = 1>
struct Aosoa {};

/// One group of members, (x y)*B@A, of Groups: Members<&Particle::x, &Particle::y>::Blocks<B>::Aligned<A>.
template <std::int64_t B, std::int64_t A, auto... Member>
struct MemberGroup {
  template <std::int64_t NewA>
  using Aligned = MemberGroup<B, NewA, Member...>;
  template <std::int64_t NewB>
  using Blocks = MemberGroup<NewB, A, Member...>;
};
template <auto... Member>
using Members = MemberGroup<1, 1, Member...>;

/// Any groups, as SoAoS and hybrids have them: Groups<Members<&Particle::x, &Particle::y>::Aligned<16>, Members<&Particle::z>>.
template <class... Group>
struct Groups {};

/// The same layout with every group in an array of its own.
template <class Layout>
struct Apart {};

/// A layout that is known when the program runs.
struct RunTime {};

namespace detail {

constexpr std::int64_t widest_word = 16;  // bytes that one instruction of a GPU loads

CRINKLE_HD constexpr std::int64_t least(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
CRINKLE_HD constexpr std::int64_t greatest(std::int64_t a, std::int64_t b) { return a < b ? b : a; }
CRINKLE_HD constexpr std::int64_t up_to_multiple(std::int64_t n, std::int64_t of) { return (n + of - 1) / of * of; }
/// The highest power of two that divides n; 0 is divided by all.
CRINKLE_HD constexpr std::int64_t power_in(std::int64_t n) { return n == 0 ? std::int64_t{1} << 62 : n & -n; }

/// base + b·B·S + r·o + (i − b·B)·e with base = 0; `block` divides by B.
template <class Block>
CRINKLE_HD constexpr std::int64_t offset_in_group(std::int64_t i, std::int64_t n, const Block& block, std::int64_t record_bytes,
                                                  std::int64_t offset, std::int64_t field_bytes) {
  const std::int64_t in_all = static_cast<std::int64_t>(block.value());
  const std::int64_t first = static_cast<std::int64_t>(block.quotient(static_cast<std::uint64_t>(i))) * in_all;
  return first * record_bytes + least(in_all, n - first) * offset + (i - first) * field_bytes;
}

/// A divisor that the compiler knows.
template <std::int64_t D>
struct KnownDivisor {
  CRINKLE_HD static constexpr std::int64_t value() { return D; }
  CRINKLE_HD static constexpr std::uint64_t quotient(std::uint64_t n) { return n / static_cast<std::uint64_t>(D); }
};

/// N fields in G groups: what a layout says before bytes are counted.
template <int N, int G>
struct LayoutForm {
  Array<int, N> order;               // fields as they follow each other
  Array<int, N> group;               // of order[k]
  Array<std::int64_t, G> block;      // B
  Array<std::int64_t, G> alignment;  // A
  int n_places;                      // of fields in groups: N where every field stands once
  bool is_apart;
};

template <class Layout, class R>
struct FormOf;

template <std::int64_t A, class R>
struct FormOf<Aos<A>, R> : FormOf<Aosoa<1, A>, R> {};

template <std::int64_t B, std::int64_t A, class R>
struct FormOf<Aosoa<B, A>, R> {
  static constexpr int n_groups = 1;
  CRINKLE_HD static constexpr LayoutForm<R::n_fields, 1> get() {
    LayoutForm<R::n_fields, 1> form{};
    for (int k = 0; k < R::n_fields; ++k) form.order[k] = k;
    form.block[0] = B;
    form.alignment[0] = A;
    form.n_places = R::n_fields;
    return form;
  }
};

template <class R>
struct FormOf<Soa, R> {
  static constexpr int n_groups = R::n_fields;
  CRINKLE_HD static constexpr LayoutForm<R::n_fields, R::n_fields> get() {
    LayoutForm<R::n_fields, R::n_fields> form{};
    for (int k = 0; k < R::n_fields; ++k) {
      form.order[k] = form.group[k] = k;
      form.block[k] = form.alignment[k] = 1;
    }
    form.n_places = R::n_fields;
    return form;
  }
};

template <class... Group, class R>
struct FormOf<Groups<Group...>, R> {
  static constexpr int n_groups = static_cast<int>(sizeof...(Group));
  static_assert(n_groups >= 1, "a record layout has one group of members or more");
  CRINKLE_HD static constexpr LayoutForm<R::n_fields, n_groups> get() {
    LayoutForm<R::n_fields, n_groups> form{};
    int g = 0;
    (place(form, g, Group()), ...);
    return form;
  }

 private:
  template <std::int64_t B, std::int64_t A, auto... Member>
  CRINKLE_HD static constexpr void place(LayoutForm<R::n_fields, n_groups>& form, int& g, MemberGroup<B, A, Member...>) {
    static_assert(sizeof...(Member) >= 1, "a group has one member or more");
    static_assert(((R::template index_of<Member>() >= 0) && ...), "a group names a member that is no field of the record");
    const int fields[] = {R::template index_of<Member>()...};
    for (const int k : fields) {
      if (form.n_places < R::n_fields) {
        form.order[form.n_places] = k;
        form.group[form.n_places] = g;
      }
      ++form.n_places;
    }
    form.block[g] = B;
    form.alignment[g++] = A;
  }
};

template <class Layout, class R>
struct FormOf<Apart<Layout>, R> {
  static constexpr int n_groups = FormOf<Layout, R>::n_groups;
  CRINKLE_HD static constexpr LayoutForm<R::n_fields, n_groups> get() {
    LayoutForm<R::n_fields, n_groups> form = FormOf<Layout, R>::get();
    form.is_apart = true;
    return form;
  }
};

/// A layout with its bytes counted. Powers of two: what a record's address, a group's and a field's are multiples of, whatever n and i.
template <int N, int G>
struct LayoutNumbers {
  Array<int, N> group;                  // of field k
  Array<std::int64_t, N> offset;        // o of field k
  Array<std::int64_t, N> field_power;   // of its address
  Array<std::int64_t, G> record_bytes;  // S
  Array<std::int64_t, G> end;           // of the last field in a record of S bytes
  Array<std::int64_t, G> group_power;   // of the group's first byte
  Array<std::int64_t, G> base_power;    // what the user has to align that byte to
  bool names_every_field_once;
};

template <int N, int G>
CRINKLE_HD constexpr LayoutNumbers<N, G> count_bytes(const LayoutForm<N, G>& form, const Array<FieldForm, N>& fields) {
  LayoutNumbers<N, G> result{};
  Array<int, N> n_places{};
  for (int p = 0; p < N; ++p) {
    const int k = form.order[p], g = form.group[p];
    ++n_places[k];
    result.group[k] = g;
    result.offset[k] = up_to_multiple(result.end[g], least(form.alignment[g], least(fields[k].alignment, widest_word)));
    result.end[g] = result.offset[k] + fields[k].bytes;
  }
  result.names_every_field_once = form.n_places == N;
  for (int k = 0; k < N; ++k) result.names_every_field_once = result.names_every_field_once && n_places[k] == 1;

  // A field's power, were the group's first byte a multiple of everything; the ones that are enough for the field's type set what is asked
  // of that byte.
  std::int64_t of_all = 1;
  for (int g = 0; g < G; ++g) {
    result.record_bytes[g] = up_to_multiple(result.end[g], form.alignment[g]);
    result.base_power[g] = form.alignment[g];
  }
  for (int k = 0; k < N; ++k) {
    const int g = result.group[k];
    result.field_power[k] = least(power_in(form.block[g] * result.record_bytes[g]), power_in(result.offset[k]));
    if (form.block[g] > 1) result.field_power[k] = least(result.field_power[k], power_in(fields[k].bytes));
    if (result.field_power[k] >= fields[k].alignment) result.base_power[g] = greatest(result.base_power[g], fields[k].alignment);
  }
  for (int g = 0; g < G; ++g) of_all = greatest(of_all, result.base_power[g]);
  for (int g = 0; g < G; ++g) {
    result.group_power[g] = form.is_apart ? result.base_power[g]
                            : g == 0      ? of_all
                                     : greatest(form.alignment[g], least(result.group_power[g - 1], power_in(result.record_bytes[g - 1])));
  }
  for (int k = 0; k < N; ++k) result.field_power[k] = least(result.field_power[k], result.group_power[result.group[k]]);
  if (!form.is_apart) result.base_power[0] = of_all;
  return result;
}

/// Whether memory may be given to a view as U*: as bytes, or as numbers if all fields have their size. An array of structures takes the
/// layout AosOf.
template <class R, class U>
struct MayBeGivenAs {
  CRINKLE_HD static constexpr bool value() {
    if (__is_class(U) || __is_union(U)) return false;
    const Array<FieldForm, R::n_fields> fields = R::forms();
    for (int k = 0; k < R::n_fields; ++k)
      if (sizeof(U) != 1 && fields[k].alignment != static_cast<std::int64_t>(sizeof(U))) return false;
    return true;
  }
};
struct Always {
  CRINKLE_HD static constexpr bool value() { return true; }
};
template <class R>
struct MayBeGivenAs<R, void> : Always {};
template <class R>
struct MayBeGivenAs<R, const void> : Always {};
template <class R, class U>
struct MayBeGivenAs<R, U*> : Always {};  // an array of groups
template <class R, class U>
struct MayBeGivenAs<R, U* const> : Always {};

/// A layout of a record type, its numbers as constants.
template <class R, class Layout>
struct Counted {
  static constexpr int n_fields = R::n_fields;
  static constexpr int n_groups = FormOf<Layout, R>::n_groups;
  static constexpr LayoutForm<n_fields, n_groups> form = FormOf<Layout, R>::get();
  static constexpr Array<FieldForm, n_fields> fields = R::forms();
  CRINKLE_HD static constexpr bool is_sound() {
    for (int g = 0; g < n_groups; ++g)
      if (form.block[g] < 1 || form.alignment[g] < 1 || power_in(form.alignment[g]) != form.alignment[g]) return false;
    return true;
  }
  static_assert(is_sound(), "a block has one record or more, and an alignment is a power of two");
  static constexpr LayoutNumbers<n_fields, n_groups> numbers = count_bytes(form, fields);
  // At an index that is not constant a device has the numbers only where a function holds them itself.
  CRINKLE_HD static constexpr std::int64_t record_bytes(int g) {
    constexpr LayoutNumbers<n_fields, n_groups> counted = count_bytes(FormOf<Layout, R>::get(), R::forms());
    return counted.record_bytes[g];
  }
  CRINKLE_HD static constexpr std::int64_t alignment(int g) {
    constexpr LayoutForm<n_fields, n_groups> of_layout = FormOf<Layout, R>::get();
    return of_layout.alignment[g];
  }
  static_assert(numbers.names_every_field_once, "every field of the record stands in one group, once");
};

}  // namespace detail
}  // namespace crinkle
