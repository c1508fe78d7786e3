// What --verify finds in records: nothing where all is right, and of what is wrong the first record and its first field.
// SPDX-License-Identifier: BSD-3-Clause
#include "verifying/verify_records.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "crinkle/executor.hpp"
#include "support/records.hpp"

namespace crinkle::tool::verify_records_test {
namespace {

using namespace testing;

constexpr std::byte between{0x5C};
const auto any_field = [](const Field&) { return true; };

std::vector<std::span<const std::byte>> spans_of(const std::vector<Bytes>& arrays) { return {arrays.begin(), arrays.end()}; }

struct Owner {
  std::string field;
  std::int64_t record;
};

// Of every byte of groups that lie apart; nothing owns padding.
std::vector<std::vector<std::optional<Owner>>> owners_of(const RecordLayout& layout, std::int64_t n) {
  std::vector<std::vector<std::optional<Owner>>> owners;
  for (std::size_t g = 0; g < layout.n_groups(); ++g) owners.emplace_back(static_cast<std::size_t>(layout.group_bytes(g, n)));
  for (const RecordLayout::Place& p : layout.places())
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t k = 0; k < p.field.bytes(); ++k)
        owners[p.group][static_cast<std::size_t>(layout.address(p, i, n) + k)] = Owner{p.field.name, i};
  return owners;
}

TEST(VerifyRecords, every_wrong_byte_of_a_field_is_found_and_padding_is_none) {
  const Fields fields = parse_fields("a:u1 b:f8 c:i2 d:f4[3] e:c8");
  const std::int64_t n = 13;
  for (const std::string& from_text : {layouts_of(fields)[0], layouts_of(fields)[3]})
    for (const std::string& to_text : layouts_of(fields))
      for (const bool is_swapped : {false, true}) {
        Fields big = fields;
        for (Field& f : big) f.is_big_endian = is_swapped;
        const RecordLayout from = RecordLayout::parse(from_text, fields), to = RecordLayout::parse(to_text, big);
        const auto source = written_apart(from, fields, n, between);
        auto made = written_apart(to, big, n, between, is_swapped, any_field);
        const Bytes file = joined(from, source, between);
        const RecordSpans in{from, Storage::together, n, {file}};
        const auto owners = owners_of(to, n);
        ASSERT_FALSE(first_wrong(in, nullptr, {to, Storage::apart, n, spans_of(made)}, default_executor())) << to_text;
        for (std::size_t g = 0; g < made.size(); ++g)
          for (std::size_t at = 0; at < made[g].size(); ++at) {
            made[g][at] ^= std::byte{1};
            const auto wrong = first_wrong(in, nullptr, {to, Storage::apart, n, spans_of(made)}, default_executor());
            made[g][at] ^= std::byte{1};
            ASSERT_EQ(wrong.has_value(), owners[g][at].has_value()) << from_text << " to " << to_text << ", byte " << at << " of " << g;
            if (!wrong) continue;
            ASSERT_EQ(wrong->record, owners[g][at]->record) << to_text << ", byte " << at << " of " << g;
            ASSERT_EQ(wrong->place.field.name, owners[g][at]->field) << to_text << ", byte " << at << " of " << g;
            ASSERT_EQ(wrong->place.group, g);
          }
      }
}

TEST(VerifyRecords, the_first_record_counts_and_in_it_the_first_field_of_the_output) {
  const Fields fields = parse_fields("a:u1 b:f8 c:i2 d:f4[3]");
  const std::int64_t n = 100003;  // many pieces
  const RecordLayout from = RecordLayout::parse("(a b c d)", fields), to = RecordLayout::parse("(d c)*8|(b a)@8", fields);
  const auto source = written_apart(from, fields, n, between), right = written_apart(to, fields, n, between);
  const Bytes file = joined(to, right, between);
  const RecordSpans in{from, Storage::apart, n, spans_of(source)};
  for (const std::int64_t record : {std::int64_t{0}, std::int64_t{1}, std::int64_t{4095}, std::int64_t{50001}, n - 1})
    for (const int threads : {1, 2, 7}) {
      Bytes made = file;
      const auto spoil = [&](const char* name, std::int64_t i) {
        const RecordLayout::Place& p = *to.find(name);
        made[static_cast<std::size_t>(to.group_begin(p.group, n) + to.address(p, i, n) + p.field.bytes() - 1)] ^= std::byte{0x80};
      };
      spoil("a", record);
      spoil("c", record);
      spoil("b", record);
      if (record + 1 < n) spoil("d", record + 1);
      if (record + 1 < n) spoil("d", n - 1);
      const auto wrong = first_wrong(in, nullptr, {to, Storage::together, n, {made}}, *make_executor(threads));
      ASSERT_TRUE(wrong);
      EXPECT_EQ(wrong->record, record);
      EXPECT_EQ(wrong->place.field.name, "c");
    }
}

TEST(VerifyRecords, fields_that_are_not_moved_are_those_from_before) {
  const Fields fields = parse_fields("a:u1 b:f8 c:i2");
  const std::int64_t n = 40;
  const RecordLayout some = RecordLayout::parse("b", fields), all = RecordLayout::parse("(a b)@8|c", fields);
  const auto moved = written_apart(some, fields, n, between);
  auto made = written_apart(all, fields, n, between);
  const auto old = made;
  const RecordSpans in{some, Storage::apart, n, spans_of(moved)}, before{all, Storage::apart, n, spans_of(old)};
  EXPECT_FALSE(first_wrong(in, &before, {all, Storage::apart, n, spans_of(made)}, default_executor()));
  made[1][2 * 7] ^= std::byte{1};  // c of record 7
  EXPECT_FALSE(first_wrong(in, nullptr, {all, Storage::apart, n, spans_of(made)}, default_executor()));
  const auto wrong = first_wrong(in, &before, {all, Storage::apart, n, spans_of(made)}, default_executor());
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->record, 7);
  EXPECT_EQ(wrong->place.field.name, "c");
}

// Where every field is looked up for every record, this is millions of lookups of hundreds of steps each.
TEST(VerifyRecords, many_fields_are_compared) {
  Fields fields;
  std::vector<FieldGroup> apart;
  FieldGroup together;
  for (int k = 0; k < 600; ++k) {
    fields.push_back({"f" + std::to_string(k), "", 2, 1});
    apart.insert(apart.begin(), FieldGroup{{fields.back().name}});
    together.fields.push_back(fields.back().name);
  }
  const std::int64_t n = 1000;
  const RecordLayout from(fields, {together}), to(fields, apart);
  const auto source = written_apart(from, fields, n, between);
  auto made = written_apart(to, fields, n, between);
  const RecordSpans in{from, Storage::apart, n, spans_of(source)};
  EXPECT_FALSE(first_wrong(in, nullptr, {to, Storage::apart, n, spans_of(made)}, default_executor()));
  made[599][2 * 999] ^= std::byte{1};
  const auto wrong = first_wrong(in, nullptr, {to, Storage::apart, n, spans_of(made)}, default_executor());
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->record, 999);
  EXPECT_EQ(wrong->place.field.name, "f0");
}

}  // namespace
}  // namespace crinkle::tool::verify_records_test
