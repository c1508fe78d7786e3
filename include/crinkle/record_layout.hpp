// Records as layouts: which fields lie together, how groups of them are aligned, and in blocks of how many records they lie.
//
//     layout := group ('|' group)*        group := (name | '(' (name | bytes)+ ')') ['*' block] ['@' alignment]        name := x | 'a name'
//
//     (x y z p)                one array of structures, AoS           x|y|z|p     a structure of arrays, SoA
//     (x y z p)@16             the same, aligned, AoaS                (x y z)*8   an array of structures of arrays of 8, AoSoA
//     (x y)@16|(z p)@16        arrays of aligned structures, SoAoS    (x y)@16|z  some of each, hybrid
//     (8 x y 4 id 3)           a structure with bytes between its fields that are none of these
//
// A group of fields of e_f bytes is a record of S bytes: the fields in their order, each at the next multiple of min(A, what its items are
// aligned to), S a multiple of A, as `#pragma pack(A)` lays a structure out; A is 1 where no '@' is written, so then nothing lies between.
// Field f of record i lies, with o_f its offset in the record, in blocks of B records, n of them in all, at
//
//     base + b·B·S + r·o_f + (i − b·B)·e_f,        b = ⌊i / B⌋,  r = min(B, n − b·B),
//
// so a ragged last block of r records has runs of r, and a group takes n·S bytes. Groups that share an allocation follow each other, each
// beginning at the next multiple of its A. (Mei and Tian, "Impact of data layouts on the efficiency of GPU-accelerated IDW interpolation",
// 2016, compare five of these.)
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crinkle/detail/hd.hpp"
#include "crinkle/detail/record_place.hpp"
#include "crinkle/device.hpp"
#include "crinkle/rearrangement.hpp"

namespace crinkle {

/// n_items items of item_bytes each, one behind the other: a number is one, a complex number two, an array as many as it has.
struct Field {
  std::string name{};
  std::string type{};  // as written: "f4", ">i2", "f4[3]"; "" where nobody said
  std::int64_t item_bytes = 1;
  std::int64_t n_items = 1;
  bool is_big_endian = false;  // as its type says: ">f4"

  std::int64_t bytes() const;      // throws too_large
  std::int64_t alignment() const;  // of its items: the highest power of two that divides item_bytes, at most 16

  friend bool operator==(const Field&, const Field&) = default;
};
using Fields = std::vector<Field>;

/// "x:f4 y:float32 id:>u8 v:f4[3] 'a name':f4": names and NumPy's types, '[…]' behind a type for an array of it. A name is letters, digits,
/// '_' and everything beyond ASCII, no digit first, or anything between quotes, of which each inside stands twice: 'it''s'. Throws
/// bad_notation, with a caret, for what is none or stands twice; too_large.
Fields parse_fields(std::string_view text);
std::string print_fields(const Fields& fields);

/// A field's name as layouts and fields write it: x, 'a name'.
std::string print_field_name(std::string_view name);

/// "x y z": names of some of the fields. Throws bad_notation, with a caret, for what is none or stands twice.
std::vector<std::string> parse_field_names(std::string_view text, const Fields& fields);

struct FieldGroup {
  std::vector<std::string> fields{};
  std::int64_t block = 1;      // records a block
  std::int64_t alignment = 1;  // of every record, and of the group behind another one: a power of two
  /// Bytes of no field in front of each of the fields, and behind the last one: so many as fields, and one; none where this is empty.
  std::vector<std::int64_t> gaps = {};

  friend bool operator==(const FieldGroup&, const FieldGroup&) = default;
};

class RecordLayout {
 public:
  /// A layout of those fields that `groups` name. Throws bad_notation for a name that is no field or stands twice, a group without
  /// fields, a block below 1, an alignment that is no power of two; too_large.
  RecordLayout(const Fields& fields, std::vector<FieldGroup> groups);
  /// The same from text; every error has a caret under its place.
  static RecordLayout parse(std::string_view text, const Fields& fields);

  std::string print() const;  // as parse() reads it
  const std::vector<FieldGroup>& groups() const noexcept { return groups_; }
  std::size_t n_groups() const noexcept { return groups_.size(); }

  /// The group of a field, and its offset there.
  struct Place {
    std::size_t group = 0;
    std::int64_t offset = 0;  // o_f
    Field field;

    friend bool operator==(const Place&, const Place&) = default;
  };
  const std::vector<Place>& places() const noexcept { return places_; }  // in the order of the groups, and of the fields in them
  const Place* find(std::string_view field) const noexcept;              // nullptr: it is not in this layout

  std::int64_t record_bytes(std::size_t group) const { return record_bytes_[group]; }  // S, padding included
  std::int64_t record_bytes() const;                                                   // of all groups
  std::int64_t useful_bytes() const;                                                   // without padding
  std::int64_t group_bytes(std::size_t group, std::int64_t n) const;                   // n·S; throws too_large
  std::int64_t group_begin(std::size_t group, std::int64_t n) const;                   // where groups share an allocation
  std::int64_t bytes(std::int64_t n) const;                                            // of all groups in one allocation

  /// The number of records whose groups take so many bytes together. Throws bad_shape, naming the field and the byte where a record is not
  /// whole.
  std::int64_t count(std::int64_t bytes) const;

  /// base + b·B·S + r·o_f + (i − b·B)·e_f of the equation above, base being 0.
  std::int64_t address(const Place& place, std::int64_t i, std::int64_t n) const;

  friend bool operator==(const RecordLayout&, const RecordLayout&) = default;

 private:
  std::vector<FieldGroup> groups_;
  std::vector<Place> places_;
  std::vector<std::size_t> by_name_;  // numbers of places in the order of their fields' names
  std::vector<std::int64_t> record_bytes_;
};

/// Whether groups lie in one buffer, one behind the other, or each in a buffer of its own.
enum class Storage : std::uint8_t { together, apart };

/// Bytes of the destination that belong to no field of its layout stay as they are, or become zeros. Records without gaps between
/// what is written are faster, by up to two and a half times on a GPU.
enum class Padding : std::uint8_t { keep, zero };

struct RecordOptions {
  Storage from = Storage::together;
  Storage to = Storage::together;
  Padding padding = Padding::keep;
};

/// The places of these fields of n records, in the plain numbers that views for kernels take (records.hpp); without names, every field
/// of the layout in its order. Throws bad_notation for a name that is not in the layout; too_large.
std::vector<PlainPlace> places_of(const RecordLayout& layout, std::int64_t n, const std::vector<std::string>& names = {});

/// n records from one layout into another. Fields that both name are moved, so some may be taken out of records or put into them; padding
/// is never read, and fields that are not moved are neither read nor written. One of the layouts must name all fields of the other, with as
/// many bytes; where one of them has a field big-endian and the other has not, the bytes of its items are reversed. With storage apart,
/// group k is buffer k; buffers behind the last that is touched are not there. One pass; two through a structure of arrays where the blocks
/// of both layouts have no common period that is short. Throws bad_shape for a field that has nowhere to go, and for a negative n;
/// too_large. Cost: as Plan's for the boxes; no data is touched.
Rearrangement convert_records(const RecordLayout& from, const RecordLayout& to, std::int64_t n, const RecordOptions& options = {});

/// The same from text. Records in a vector to a vector for each field:
///     const auto r = crinkle::convert_records("x:f4 y:f4 z:f4", "(x y z)", "x|y|z", points.size(), {.to = crinkle::Storage::apart});
///     crinkle::Plan(r).run({points}, {x, y, z});
template <std::integral N>
Rearrangement convert_records(std::string_view fields, std::string_view from, std::string_view to, N n, const RecordOptions& options = {}) {
  const Fields all = parse_fields(fields);
  return convert_records(RecordLayout::parse(from, all), RecordLayout::parse(to, all), detail::checked_bytes(n, 1), options);
}

namespace detail {

struct MemberPlace {
  std::int64_t offset, bytes;
};
RecordLayout layout_of_members(const Fields& fields, std::span<const MemberPlace> places, std::int64_t bytes, std::int64_t alignment);

/// The places of an object's members in it.
template <class T>
struct MemberPlaces {
  const T* object;
  MemberPlace* places;
  template <int K, class M>
  CRINKLE_HD void visit(const M& member) const {
    places[K] = {&reinterpret_cast<const char&>(member) - reinterpret_cast<const char*>(object), static_cast<std::int64_t>(sizeof(M))};
  }
};

}  // namespace detail

/// The layout that the compiler gave a structure, padding included: R is a Record (records.hpp) of some or all members of T, and `fields`
/// name them, in R's order. A vector of T is a buffer of it:
///     struct Hit { double energy; float x, y; int id; char flag; };                       // 24 bytes, of which 21 are fields
///     using Hits = crinkle::Record<Hit, &Hit::energy, &Hit::x, &Hit::y, &Hit::id, &Hit::flag>;
///     const crinkle::Fields fields = crinkle::parse_fields("energy:f8 x:f4 y:f4 id:i4 flag:i1");
///     const auto r = crinkle::convert_records(crinkle::layout_of<Hits>(fields), crinkle::RecordLayout::parse("x|y|id", fields),
///     hits.size());
/// Throws bad_shape for another number of fields than members, and a field of another size than its member.
template <class R>
RecordLayout layout_of(const Fields& fields) {
  using T = typename R::Type;
  const T object{};
  std::array<detail::MemberPlace, static_cast<std::size_t>(R::n_fields)> places;
  R::for_each(object, detail::MemberPlaces<T>{std::addressof(object), places.data()});
  return detail::layout_of_members(fields, places, static_cast<std::int64_t>(sizeof(T)), static_cast<std::int64_t>(alignof(T)));
}

}  // namespace crinkle
