// Views of records in layouts that are chosen when the program runs, at aligned and other addresses, against files written by hand.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "notation/expect_error.hpp"
#include "records/views.hpp"

namespace crinkle::testing::run_time_view_test {
namespace {

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
}  // namespace crinkle::testing::run_time_view_test
