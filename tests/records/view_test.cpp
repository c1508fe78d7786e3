// Views of records in layouts that the compiler knows: every address is the layout's, and what is loaded and stored is what stands in files
// written by hand.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <vector>

#include "records/views.hpp"

namespace crinkle::testing::view_test {
namespace {

constexpr field<&Particle::x> x;
constexpr field<&Particle::p> p;

using Pairs = Groups<Members<&Particle::x, &Particle::y>::Aligned<16>, Members<&Particle::z, &Particle::p>::Aligned<16>>;
using Hybrid = Groups<Members<&Particle::z, &Particle::x>::Blocks<3>, Members<&Particle::p>, Members<&Particle::y>::Aligned<32>>;
using Sorted = Groups<Members<&Mixed::b, &Mixed::e>::Aligned<8>, Members<&Mixed::d>::Blocks<5>, Members<&Mixed::c, &Mixed::a>>;
using Short = Groups<Members<&Wide::m, &Wide::a>::Blocks<4>::Aligned<2>, Members<&Wide::q>>;

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
  const RecordView<Mixeds, AosOf<Mixed>> of_records(records, 5);
  of_records.get(field<&Mixed::d>(), 4)[2] = 8;
  of_records.store(field<&Mixed::c>(), 2, std::int16_t{-3});
  EXPECT_EQ(records[4].d[2], 8);
  EXPECT_EQ(records[2].c, -3);
}

}  // namespace
}  // namespace crinkle::testing::view_test
