// Views of records: every address is the layout's, and what is loaded and stored is what stands in files written by hand.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "crinkle/record_layout.hpp"
#include "crinkle/records.hpp"
#include "notation/expect_error.hpp"
#include "support/records.hpp"

namespace crinkle::testing {
namespace {

constexpr std::byte padding{0x5C}, other_padding{0xA3}, untouched{0xA5};

struct Particle {
  float x, y, z, p;
};
struct Three {
  float x, y, z;
};
struct Complex {
  float re, im;
};
struct Mixed {
  std::uint8_t a;
  double b;
  std::int16_t c;
  float d[3];
  Complex e;
};
struct alignas(16) Quad {
  float of[4];
};
struct Wide {
  std::uint8_t a;
  Quad q;
  std::uint16_t m[2][3];
};

using Particles = Record<Particle, &Particle::x, &Particle::y, &Particle::z, &Particle::p>;
using Threes = Record<Three, &Three::x, &Three::y, &Three::z>;
using Mixeds = Record<Mixed, &Mixed::a, &Mixed::b, &Mixed::c, &Mixed::d, &Mixed::e>;
using Wides = Record<Wide, &Wide::a, &Wide::q, &Wide::m>;
const char* const particles = "x:f4 y:f4 z:f4 p:f4";
const char* const threes = "x:f4 y:f4 z:f4";
const char* const mixed = "a:u1 b:f8 c:i2 d:f4[3] e:c8";
const char* const wide = "a:u1 q:f16 m:u2[2,3]";

constexpr field<&Particle::x> x;
constexpr field<&Particle::p> p;

using Pairs = Groups<Members<&Particle::x, &Particle::y>::Aligned<16>, Members<&Particle::z, &Particle::p>::Aligned<16>>;
using Hybrid = Groups<Members<&Particle::z, &Particle::x>::Blocks<3>, Members<&Particle::p>, Members<&Particle::y>::Aligned<32>>;
using Sorted = Groups<Members<&Mixed::b, &Mixed::e>::Aligned<8>, Members<&Mixed::d>::Blocks<5>, Members<&Mixed::c, &Mixed::a>>;
using Short = Groups<Members<&Wide::m, &Wide::a>::Blocks<4>::Aligned<2>, Members<&Wide::q>>;

// --- at compile time -------------------------------------------------------------------------------------------------
static_assert(RecordView<Particles, Aos<>>::offset(p, 7, 10) == 7 * 16 + 12);
static_assert(RecordView<Particles, Aosoa<8>>::offset(p, 9, 10) == 8 * 16 + 2 * 12 + 4);
static_assert(RecordView<Particles, Soa>::group_begin(3, 10) == 120 && RecordView<Particles, Soa>::bytes(10) == 160);
static_assert(RecordView<Particles, Pairs>::bytes(10) == 320 && RecordView<Particles, Pairs>::alignment(0) == 16);
static_assert(RecordView<Mixeds, Aos<8>>::record_bytes(0) == sizeof(Mixed) && RecordView<Mixeds, Aos<>>::record_bytes(0) == 31);
static_assert(RecordView<Mixeds, Aos<8>>::is_aligned(field<&Mixed::b>()) && !RecordView<Mixeds, Aos<4>>::is_aligned(field<&Mixed::b>()));
static_assert(!RecordView<Mixeds, Aos<>>::is_aligned(field<&Mixed::c>()) && RecordView<Mixeds, Aos<>>::is_aligned(field<&Mixed::a>()));
static_assert(!RecordView<Mixeds, Soa>::is_aligned(field<&Mixed::b>()) && RecordView<Mixeds, Apart<Soa>>::is_aligned(field<&Mixed::b>()));
static_assert(RecordView<Mixeds, Apart<Soa>>::alignment(1) == 8 && RecordView<Mixeds, Apart<Soa>>::alignment(0) == 1);
static_assert(RecordView<Wides, Aos<16>>::is_aligned(field<&Wide::q>()) && RecordView<Wides, Aos<16>>::record_bytes(0) == sizeof(Wide));

// --- one record as the hand-written files have it ---------------------------------------------------------------------
struct Fill {
  const Fields* fields;
  std::int64_t i;
  template <int K, class M>
  void visit(M& member) const {
    std::byte bytes[sizeof(M)];
    for (std::size_t k = 0; k < sizeof(M); ++k) bytes[k] = value_of((*fields)[K].name, i, static_cast<std::int64_t>(k));
    std::memcpy(static_cast<void*>(&member), bytes, sizeof(M));
  }
};
struct Compare {
  const Fields* fields;
  std::int64_t i;
  bool* is_equal;
  template <int K, class M>
  void visit(const M& member) const {
    std::byte bytes[sizeof(M)];
    std::memcpy(bytes, static_cast<const void*>(&member), sizeof(M));
    for (std::size_t k = 0; k < sizeof(M); ++k)
      *is_equal = *is_equal && bytes[k] == value_of((*fields)[K].name, i, static_cast<std::int64_t>(k));
  }
};

template <class R>
typename R::Type made(const Fields& fields, std::int64_t i) {
  typename R::Type record{};
  R::for_each(record, Fill{&fields, i});
  return record;
}
template <class R>
bool is_made(const typename R::Type& record, const Fields& fields, std::int64_t i) {
  bool is_equal = true;
  R::for_each(record, Compare{&fields, i, &is_equal});
  return is_equal;
}

/// Bytes that begin `past` bytes behind a multiple of 64, guards before and behind.
struct Placed {
  std::vector<std::byte> all;
  std::size_t begin = 64, n;
  Placed(const Bytes& bytes, std::size_t past) : all(bytes.size() + 256, untouched), n(bytes.size()) {
    while (reinterpret_cast<std::uintptr_t>(all.data() + begin) % 64 != past) ++begin;
    std::copy(bytes.begin(), bytes.end(), data());
  }
  std::byte* data() { return all.data() + begin; }
  bool is_guarded() const {
    const auto is_untouched = [](std::byte b) { return b == untouched; };
    return std::all_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(begin), is_untouched) &&
           std::all_of(all.begin() + static_cast<std::ptrdiff_t>(begin + n), all.end(), is_untouched);
  }
};

/// What was stored: all bytes of fields as the file has them; `other` is that file with other bytes between.
void expect_stored(Placed& stored, const Bytes& file, const Bytes& other, const std::string& what) {
  ASSERT_TRUE(stored.is_guarded()) << what;
  for (std::size_t k = 0; k < file.size(); ++k) ASSERT_TRUE(file[k] != other[k] || stored.data()[k] == file[k]) << what << ", byte " << k;
}

template <class R, class View>
void expect_loaded_and_stored(const View& of_file, const View& of_empty, const Fields& fields, const std::string& what) {
  for (std::int64_t i = 0; i < of_file.size(); ++i) {
    ASSERT_TRUE(is_made<R>(of_file.load(i), fields, i)) << what << ", record " << i;
    of_empty.store(i, made<R>(fields, i));
  }
}

// --- layouts that the compiler knows -----------------------------------------------------------------------------------
template <class View>
struct Addresses {
  const RecordLayout* layout;
  const Fields* fields;
  const std::string* what;
  std::int64_t n;
  template <auto M>
  void check(int k) const {
    const RecordLayout::Place* place = layout->find((*fields)[static_cast<std::size_t>(k)].name);
    ASSERT_EQ(View::group(field<M>()), static_cast<int>(place->group)) << *what;
    for (std::int64_t i = 0; i < n; ++i) ASSERT_EQ(View::offset(field<M>(), i, n), layout->address(*place, i, n)) << *what;
  }
};
template <class View, class T, auto... M>
void expect_addresses(Record<T, M...>, const Addresses<View>& addresses) {
  int k = 0;
  (addresses.template check<M>(k++), ...);
}

template <class R, class L>
void expect_layout(const char* fields_text, const char* layout_text) {
  using View = RecordView<R, L>;
  const Fields fields = parse_fields(fields_text);
  const RecordLayout layout = RecordLayout::parse(layout_text, fields);
  ASSERT_EQ(View::n_groups, static_cast<int>(layout.n_groups()));
  for (std::int64_t n = 0; n <= 50; ++n) {
    const std::string what = std::to_string(n) + " of " + layout_text;
    for (int g = 0; g < View::n_groups; ++g) ASSERT_EQ(View::group_begin(g, n), layout.group_begin(static_cast<std::size_t>(g), n)) << what;
    ASSERT_EQ(View::bytes(n), layout.bytes(n)) << what;
    expect_addresses(R(), Addresses<View>{&layout, &fields, &what, n});
    const Bytes file = joined(layout, written_apart(layout, fields, n, padding), padding);
    const Bytes other = joined(layout, written_apart(layout, fields, n, other_padding), other_padding);
    // At an address that is a multiple of no more than what is asked.
    const auto past = static_cast<std::size_t>(View::alignment(0) % 64);
    Placed from(file, past), to(Bytes(file.size(), untouched), past);
    expect_loaded_and_stored<R>(View(from.data(), n), View(to.data(), n), fields, what);
    expect_stored(to, file, other, what);
    const RecordView<const R, L> to_read = View(from.data(), n);
    for (std::int64_t i = 0; i < n; ++i) ASSERT_TRUE(is_made<R>(to_read.load(i), fields, i)) << what;

    using OfArrays = RecordView<R, Apart<L>>;
    std::vector<Placed> arrays, empty;
    Array<void*, View::n_groups> from_groups{}, to_groups{};
    const std::vector<Bytes> apart = written_apart(layout, fields, n, padding),
                             other_apart = written_apart(layout, fields, n, other_padding);
    for (int g = 0; g < View::n_groups; ++g) {
      arrays.emplace_back(apart[static_cast<std::size_t>(g)], static_cast<std::size_t>(OfArrays::alignment(g) % 64));
      empty.emplace_back(Bytes(apart[static_cast<std::size_t>(g)].size(), untouched),
                         static_cast<std::size_t>(OfArrays::alignment(g) % 64));
    }
    for (int g = 0; g < View::n_groups; ++g) {
      from_groups[g] = arrays[static_cast<std::size_t>(g)].data();
      to_groups[g] = empty[static_cast<std::size_t>(g)].data();
    }
    expect_loaded_and_stored<R>(OfArrays(from_groups, n), OfArrays(to_groups, n), fields, what + ", apart");
    for (std::size_t g = 0; g < empty.size(); ++g) expect_stored(empty[g], apart[g], other_apart[g], what + ", apart");
    if (::testing::Test::HasFatalFailure()) return;
  }
}

template <class R>
void expect_layouts(const char* fields, const std::string& all, const std::string& each) {
  expect_layout<R, Aos<>>(fields, all.c_str());
  expect_layout<R, Aos<2>>(fields, (all + "@2").c_str());
  expect_layout<R, Aos<4>>(fields, (all + "@4").c_str());
  expect_layout<R, Aos<8>>(fields, (all + "@8").c_str());
  expect_layout<R, Aos<16>>(fields, (all + "@16").c_str());
  expect_layout<R, Aos<64>>(fields, (all + "@64").c_str());
  expect_layout<R, Soa>(fields, each.c_str());
  expect_layout<R, Aosoa<8>>(fields, (all + "*8").c_str());
  expect_layout<R, Aosoa<3, 16>>(fields, (all + "*3@16").c_str());
  expect_layout<R, Aosoa<7, 8>>(fields, (all + "*7@8").c_str());
  expect_layout<R, Aosoa<1000>>(fields, (all + "*1000").c_str());
}

TEST(RecordView, has_the_addresses_and_bytes_of_every_layout) {
  expect_layouts<Particles>(particles, "(x y z p)", "x|y|z|p");
  expect_layouts<Threes>(threes, "(x y z)", "x|y|z");
  expect_layouts<Mixeds>(mixed, "(a b c d e)", "a|b|c|d|e");
  expect_layouts<Wides>(wide, "(a q m)", "a|q|m");
}

TEST(RecordView, has_the_addresses_and_bytes_of_groups) {
  expect_layout<Particles, Pairs>(particles, "(x y)@16|(z p)@16");
  expect_layout<Particles, Hybrid>(particles, "(z x)*3|p|y@32");
  expect_layout<Mixeds, Sorted>(mixed, "(b e)@8|d*5|(c a)");
  expect_layout<Wides, Short>(wide, "(m a)*4@2|q");
}

TEST(RecordView, gives_fields_to_assign) {
  alignas(16) float memory[4 * 11] = {};
  const RecordView<Particles, Soa> view(memory, 11);
  view.get(x, 3) = 5;
  view.get(p, 10) += 7;
  EXPECT_EQ(memory[3], 5);
  EXPECT_EQ(memory[43], 7);
  const RecordView<const Particles, Soa> to_read = view;
  static_assert(std::is_same_v<decltype(to_read.get(x, 3)), const float&>);
  EXPECT_EQ(&to_read.get(x, 3), memory + 3);
  EXPECT_EQ(to_read.load(x, 3), 5);

  Mixed records[5] = {};
  const RecordView<Mixeds, Aos<alignof(Mixed)>> of_records(records, 5);
  of_records.get(field<&Mixed::d>(), 4)[2] = 8;
  of_records.store(field<&Mixed::c>(), 2, std::int16_t{-3});
  EXPECT_EQ(records[4].d[2], 8);
  EXPECT_EQ(records[2].c, -3);
}

// --- layouts that are known when the program runs ----------------------------------------------------------------------
template <class R, auto Last>
void expect_at_run_time(const char* fields_text) {
  using View = RecordView<R, RunTime>;
  const Fields fields = parse_fields(fields_text);
  std::vector<std::string> names;
  for (const Field& f : fields) names.push_back(f.name);
  for (const std::string& text : layouts_of(fields)) {
    const RecordLayout layout = RecordLayout::parse(text, fields);
    const RecordLayout::Place& last = *layout.find(names.back());
    for (std::int64_t n = 0; n <= 50; ++n) {
      const std::vector<PlainPlace> places = places_of(layout, n, names);
      const std::vector<Bytes> apart = written_apart(layout, fields, n, padding);
      const Bytes file = joined(layout, apart, padding);
      const Bytes other = joined(layout, written_apart(layout, fields, n, other_padding), other_padding);
      for (const std::size_t past : {0u, 1u, 4u, 8u}) {
        const std::string what = std::to_string(n) + " of " + text + " at " + std::to_string(past);
        Placed from(file, past), to(Bytes(file.size(), untouched), past);
        const View view(from.data(), places.data(), n);
        expect_loaded_and_stored<R>(view, View(to.data(), places.data(), n), fields, what);
        expect_stored(to, file, other, what);
        bool is_aligned = true;
        const auto alignment = static_cast<std::int64_t>(alignof(typename detail::MemberOf<decltype(Last)>::Type));
        for (std::int64_t i = 0; i < n; ++i)
          is_aligned = is_aligned &&
                       (static_cast<std::int64_t>(past) + layout.group_begin(last.group, n) + layout.address(last, i, n)) % alignment == 0;
        ASSERT_EQ(view.is_aligned(field<Last>()), is_aligned) << what;
        for (std::int64_t i = 0; is_aligned && i < n; ++i)
          ASSERT_EQ(reinterpret_cast<const std::byte*>(&view.get(field<Last>(), i)) - from.data(),
                    layout.group_begin(last.group, n) + layout.address(last, i, n));
        if (::testing::Test::HasFatalFailure()) return;
      }
      std::vector<Placed> arrays;
      for (const Bytes& bytes : apart) arrays.emplace_back(bytes, 0);
      std::vector<const void*> groups;
      for (Placed& array : arrays) groups.push_back(array.data());
      const RecordView<const R, RunTime> of_arrays(groups.data(), places.data(), n);
      for (std::int64_t i = 0; i < n; ++i) ASSERT_TRUE(is_made<R>(of_arrays.load(i), fields, i)) << text << ", apart";
    }
  }
}

TEST(RecordView, of_a_layout_chosen_at_run_time_has_its_bytes) {
  expect_at_run_time<Particles, &Particle::p>(particles);
  expect_at_run_time<Threes, &Three::z>(threes);
  expect_at_run_time<Mixeds, &Mixed::e>(mixed);
  expect_at_run_time<Wides, &Wide::m>(wide);
}

TEST(RecordView, of_some_fields_leaves_the_others_alone) {
  const Fields fields = parse_fields(particles);
  const RecordLayout layout = RecordLayout::parse("(x y z p)@16", fields);
  const Bytes file = joined(layout, written_apart(layout, fields, 9, padding), padding);
  Placed memory(file, 0);
  const RecordView<Threes, RunTime> view(memory.data(), places_of(layout, 9, {"x", "y", "z"}).data(), 9);
  for (std::int64_t i = 0; i < 9; ++i) {
    const Three one = view.load(i);
    view.store(i, {});
    view.store(i, one);
  }
  EXPECT_TRUE(std::equal(file.begin(), file.end(), memory.data()));
}

TEST(RecordView, places_name_their_field) {
  const RecordLayout layout = RecordLayout::parse("(x y)*8@16|z", parse_fields(particles));
  const std::vector<PlainPlace> places = places_of(layout, 10);
  ASSERT_EQ(places.size(), 3u);
  EXPECT_EQ(places[2].begin, 160);
  EXPECT_EQ(places[1].useful_bytes, 8);
  error_of(ErrorCode::bad_notation, [&] { places_of(layout, 10, {"p"}); });
  error_of(ErrorCode::too_large, [&] { places_of(layout, INT64_MAX / 2); });
}

}  // namespace
}  // namespace crinkle::testing
