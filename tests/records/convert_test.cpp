// Conversions between all pairs of layouts, against files written by hand: every byte, padding and what lies between included.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "crinkle/error.hpp"
#include "crinkle/plan.hpp"
#include "crinkle/record_layout.hpp"
#include "notation/expect_error.hpp"
#include "support/records.hpp"

namespace crinkle::testing::convert_test {
namespace {

constexpr std::byte padding{0x5C}, untouched{0xA5};

const std::vector<std::string>& mixes() {
  static const std::vector<std::string> all = {"x:f4 y:f4 z:f4 p:f4", "a:u1 b:f8 c:i2 d:f4[3] e:c8", "x:f4 y:f4 z:f4", "only:S3",
                                               "a:u1 b:S3 c:f12 d:f16 e:u2[2,3]"};
  return all;
}

std::string sixteen() {
  std::string text;
  for (int k = 0; k < 16; ++k) text += " f" + std::to_string(k) + ":f4";
  return text;
}

template <class B>
std::vector<B> buffers_of(std::vector<Bytes>& arrays, std::int64_t n) {
  std::vector<B> buffers;
  for (std::int64_t s = 0; s < n; ++s)
    buffers.push_back({arrays[static_cast<std::size_t>(s)].data(), std::ssize(arrays[static_cast<std::size_t>(s)])});
  return buffers;
}

/// Runs a conversion on the CPU; the destination arrays are as long as those expected, and untouched before.
void expect_converted(const Rearrangement& r, std::vector<Bytes> from, const std::vector<Bytes>& expected, const std::string& what) {
  std::vector<Bytes> to;
  for (const Bytes& e : expected) to.emplace_back(e.size(), untouched);
  const std::vector<Bytes> before = from;
  Plan(r).run(buffers_of<ConstBuffer>(from, r.n_sources()), buffers_of<Buffer>(to, r.n_destinations()), default_executor());
  ASSERT_EQ(from, before) << what;
  for (std::size_t s = 0; s < to.size(); ++s) {
    const auto at = std::mismatch(to[s].begin(), to[s].end(), expected[s].begin()).first - to[s].begin();
    ASSERT_EQ(static_cast<std::size_t>(at), to[s].size()) << what << ": array " << s << " is wrong from byte " << at << " on";
  }
}

std::vector<Bytes> one(Bytes bytes) { return {std::move(bytes)}; }

void expect_all_pairs(const std::string& text, const std::vector<std::int64_t>& counts) {
  const Fields fields = parse_fields(text);
  for (const std::string& from_text : layouts_of(fields)) {
    const RecordLayout from = RecordLayout::parse(from_text, fields);
    for (const std::string& to_text : layouts_of(fields)) {
      const RecordLayout to = RecordLayout::parse(to_text, fields);
      for (const std::int64_t n : counts) {
        const std::string what = text + ": " + std::to_string(n) + " of " + from_text + " to " + to_text;
        const auto source = written_apart(from, fields, n, padding), wanted = written_apart(to, fields, n, untouched);
        const Bytes source_file = joined(from, source, padding), wanted_file = joined(to, wanted, untouched);
        ASSERT_EQ(from.bytes(n), std::ssize(source_file)) << what;
        expect_converted(convert_records(from, to, n), one(source_file), one(wanted_file), what);
        expect_converted(convert_records(from, to, n, {Storage::apart, Storage::together}), source, one(wanted_file),
                         what + ", apart before");
        expect_converted(convert_records(from, to, n, {Storage::together, Storage::apart}), one(source_file), wanted,
                         what + ", apart after");
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(Records, every_pair_of_layouts_is_converted_exactly) {
  for (const std::string& mix : mixes()) expect_all_pairs(mix, {0, 1, 3, 50});
}

TEST(Records, many_fields_and_many_records_are_converted_exactly) {
  expect_all_pairs(sixteen(), {37});
  expect_all_pairs(mixes()[0], {2003});
  expect_all_pairs(mixes()[1], {2003});
}

TEST(Records, that_are_streamed_by_any_number_of_threads_are_converted_exactly) {
  const Fields fields = parse_fields("a:u1 b:f8 c:>i2 d:f4[3] e:S3");
  const std::int64_t n = 150001;
  for (const char* from_text : {"(a b c d e)", "a|b|c|d|e", "(a b)@8|(c d e)*16"})
    for (const char* to_text : {"(e d c b a)", "e|d|c|b|a", "(a c b)@8|(d e)", "(a b c d e)*5"})
      for (const Padding of : {Padding::keep, Padding::zero}) {
        const RecordLayout from = RecordLayout::parse(from_text, fields), to = RecordLayout::parse(to_text, fields);
        const std::byte between = of == Padding::zero ? std::byte{0} : untouched;
        const Bytes source = joined(from, written_apart(from, fields, n, padding), padding);
        const Bytes wanted = joined(to, written_apart(to, fields, n, between), between);
        const Plan plan(convert_records(from, to, n, {Storage::together, Storage::together, of}));
        for (const int threads : {1, 2, 3, 7}) {
          Bytes found(wanted.size() + 1, untouched);  // from an odd address on
          const auto executor = make_executor(threads);
          const ConstBuffer in{source.data(), std::ssize(source)};
          const Buffer out{found.data() + 1, std::ssize(wanted)};
          plan.run({&in, 1}, {&out, 1}, *executor);
          ASSERT_TRUE(std::equal(wanted.begin(), wanted.end(), found.begin() + 1)) << from_text << " to " << to_text << ", " << threads;
        }
      }
}

TEST(Records, a_round_trip_is_the_identity_and_arrays_may_lie_apart_on_both_sides) {
  for (const std::string& mix : mixes()) {
    const Fields fields = parse_fields(mix);
    for (const std::string& from_text : layouts_of(fields))
      for (const std::string& to_text : layouts_of(fields)) {
        const RecordLayout from = RecordLayout::parse(from_text, fields), to = RecordLayout::parse(to_text, fields);
        const auto source = written_apart(from, fields, 77, untouched), wanted = written_apart(to, fields, 77, untouched);
        const RecordOptions apart{Storage::apart, Storage::apart};
        expect_converted(convert_records(from, to, 77, apart), source, wanted, mix + ' ' + from_text + " to " + to_text);
        expect_converted(convert_records(to, from, 77, apart), wanted, source, mix + ' ' + to_text + " back to " + from_text);
      }
  }
}

TEST(Records, the_bytes_of_every_item_are_swapped) {
  for (const std::string& mix : mixes()) {
    const Fields fields = parse_fields(mix);
    for (const std::string& to_text : layouts_of(fields)) {
      Fields big = fields;
      for (Field& f : big) f.is_big_endian = true;
      const RecordLayout from = RecordLayout::parse(layouts_of(fields)[0], fields), to = RecordLayout::parse(to_text, big);
      const auto all = [](const Field&) { return true; };
      const Bytes source = joined(from, written_apart(from, fields, 41, padding), padding);
      const Bytes wanted = joined(to, written_apart(to, fields, 41, untouched, true, all), untouched);
      expect_converted(convert_records(from, to, 41), one(source), one(wanted), mix + " to " + to_text);
    }
  }
}

TEST(Records, some_fields_are_taken_out_or_put_in) {
  const Fields fields = parse_fields("a:u1 b:f8 c:i2 d:f4[3] e:c8");
  for (const std::string& all_text : layouts_of(fields))
    for (const std::string some_text : {"b", "(d b)", "e|a", "(c a)*4@2"}) {
      const RecordLayout all = RecordLayout::parse(all_text, fields), some = RecordLayout::parse(some_text, fields);
      const Bytes whole = joined(all, written_apart(all, fields, 29, padding), padding);
      const Bytes part = joined(some, written_apart(some, fields, 29, untouched), untouched);
      expect_converted(convert_records(all, some, 29), one(whole), one(part), all_text + " to " + some_text);
      const auto has = [&](const Field& f) { return some.find(f.name) != nullptr; };
      const Bytes partly = joined(all, written_apart(all, fields, 29, untouched, false, has), untouched);
      expect_converted(convert_records(some, all, 29), one(part), one(partly), some_text + " into " + all_text);
    }
}

TEST(Records, padding_is_zeros_where_that_is_asked) {
  for (const std::string& mix : mixes()) {
    const Fields fields = parse_fields(mix);
    for (const std::string& to_text : layouts_of(fields)) {
      const RecordLayout from = RecordLayout::parse(layouts_of(fields)[0], fields), to = RecordLayout::parse(to_text, fields);
      const auto source = written_apart(from, fields, 53, padding), wanted = written_apart(to, fields, 53, std::byte{0});
      expect_converted(convert_records(from, to, 53, {Storage::together, Storage::apart, Padding::zero}), source, wanted,
                       mix + " to " + to_text);
      expect_converted(convert_records(from, to, 53, {Storage::together, Storage::together, Padding::zero}), source,
                       one(joined(to, wanted, std::byte{0})), mix + " to " + to_text);
    }
  }
}

TEST(Records, blocks_without_a_short_common_period_go_through_a_structure_of_arrays) {
  const Fields fields = parse_fields("x:f4 y:f4 z:u1");
  const RecordLayout from = RecordLayout::parse("(x y z)*1009", fields), to = RecordLayout::parse("(z y x)*997", fields);
  const std::int64_t n = 1009 * 1000 + 5;
  const Rearrangement r = convert_records(from, to, n);
  EXPECT_EQ(r.steps().steps.size(), 2u);
  const Bytes source = joined(from, written_apart(from, fields, n, padding), padding);
  expect_converted(r, one(source), one(joined(to, written_apart(to, fields, n, untouched), untouched)), "1009 and 997");
}

TEST(Records, equal_fields_that_lie_evenly_are_one_box) {
  const Fields fields = parse_fields(sixteen());
  const RecordLayout aos = RecordLayout::parse(layouts_of(fields)[0], fields), soa = RecordLayout::parse(layouts_of(fields)[2], fields);
  EXPECT_EQ(convert_records(aos, soa, 1000).boxes().size(), 1u);
  EXPECT_EQ(convert_records(soa, aos, 1000).boxes().size(), 1u);
  EXPECT_EQ(convert_records(soa, aos, 1000, {Storage::apart, Storage::together}).boxes().size(), 1u);
  const Fields four = parse_fields("x:f4 y:f4 z:f4 p:f4");
  const RecordLayout pairs = RecordLayout::parse("(x y)@16|(z p)@16", four), records = RecordLayout::parse("(x y z p)", four);
  EXPECT_EQ(convert_records(pairs, records, 1000).boxes().size(), 1u);
  EXPECT_EQ(convert_records(RecordLayout::parse("(x y z p)*8", four), records, 1000).boxes().size(), 1u);
  EXPECT_EQ(convert_records(RecordLayout::parse("(x y z p)*8", four), records, 1001).boxes().size(), 2u);
}

TEST(Records, blocks_of_almost_all_numbers_end) {
  const Fields fields = parse_fields("x:u1");
  const RecordLayout from = RecordLayout::parse("x*4611686018427387905", fields), to = RecordLayout::parse("x*4611686018427387907", fields);
  EXPECT_EQ(convert_records(from, to, INT64_MAX).source_spans()[0].last, INT64_MAX);
}

TEST(Records, what_cannot_be_converted_is_refused) {
  const Fields fields = parse_fields("x:f4 y:f4 z:f4");
  const RecordLayout xy = RecordLayout::parse("(x y)", fields), yz = RecordLayout::parse("(y z)", fields);
  const std::string text = error_of(ErrorCode::bad_shape, [&] { convert_records(xy, yz, 3); });
  EXPECT_NE(text.find("field 'z'"), std::string::npos) << text;
  EXPECT_NE(text.find("'x'"), std::string::npos) << text;
  error_of(ErrorCode::bad_shape, [&] { convert_records(xy, xy, -1); });
  const RecordLayout wide = RecordLayout::parse("(x y)", parse_fields("x:f8 y:f4"));
  EXPECT_NE(error_of(ErrorCode::bad_shape, [&] { convert_records(xy, wide, 3); }).find("field 'x'"), std::string::npos);
  const RecordLayout apart = RecordLayout::parse("y|x@1024", fields);
  for (const Storage storage : {Storage::together, Storage::apart}) {
    const auto large = [&](const RecordLayout& to) {
      return error_of(ErrorCode::too_large, [&] { convert_records(xy, to, INT64_MAX / 4, {storage, storage}); });
    };
    EXPECT_EQ(large(xy).find("group (x y) of 2305843009213693951 records of 8 bytes"), 0u) << large(xy);
  }
  const std::string larger =
      error_of(ErrorCode::too_large, [&] { convert_records(xy, apart, INT64_MAX / 16, {Storage::apart, Storage::apart}); });
  EXPECT_EQ(larger.find("group x@1024 of 576460752303423487 records of 1024 bytes"), 0u) << larger;
}

TEST(Records, addresses_beyond_four_thousand_million_records_are_right) {
  const Fields fields = parse_fields("a:u1 b:f8");
  const std::int64_t n = (std::int64_t{1} << 32) + 5;
  const RecordLayout aos = RecordLayout::parse("(a b)@8", fields), blocks = RecordLayout::parse("(a b)*8", fields);
  EXPECT_EQ(aos.bytes(n), 16 * n);
  EXPECT_EQ(aos.address(*aos.find("b"), n - 1, n), 16 * (n - 1) + 8);
  EXPECT_EQ(blocks.address(*blocks.find("b"), n - 1, n), 9 * (n - 5) + 5 + 8 * 4);  // the ragged block has 5
  EXPECT_EQ(convert_records(aos, blocks, n).destination_spans()[0].last, 9 * n);
}

}  // namespace
}  // namespace crinkle::testing::convert_test
