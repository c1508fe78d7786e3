// Fields are looked up once; then pieces of records that a cache holds are walked field by field.
// SPDX-License-Identifier: BSD-3-Clause
#include "verifying/verify_records.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>
#include <vector>

#include "base/checked.hpp"

namespace crinkle::tool {
namespace {

constexpr std::int64_t piece_bytes = 1 << 18;  // of both sides: within the second cache of what crinkle runs on

/// A field of n records in memory.
class FieldSpan {
 public:
  FieldSpan(const RecordSpans& of, const PlainPlace& place, const Field& field) : place_(place), n_(of.n), bytes_(field.bytes()) {
    const bool is_apart = of.storage == Storage::apart;
    begin_ = of.spans[is_apart ? static_cast<std::size_t>(place.group) : 0].data() + (is_apart ? 0 : place.begin);
  }
  const std::byte* at(std::int64_t i) const {
    const std::int64_t first = i / place_.block * place_.block, in_block = std::min(place_.block, n_ - first);
    return begin_ + first * place_.record_bytes + in_block * place_.offset + (i - first) * bytes_;
  }

 private:
  PlainPlace place_;
  std::int64_t n_;
  std::int64_t bytes_;
  const std::byte* begin_ = nullptr;
};

struct Comparison {
  FieldSpan wanted, found;
  std::int64_t item_bytes, n_items;
  bool is_swapped;    // one side is big-endian, the other is not
  std::size_t place;  // of out's layout
  bool is_same(std::int64_t i) const {
    const std::byte *a = wanted.at(i), *b = found.at(i);
    if (!is_swapped) return std::memcmp(a, b, static_cast<std::size_t>(item_bytes * n_items)) == 0;
    for (std::int64_t k = 0; k < n_items; ++k, a += item_bytes, b += item_bytes)
      if (!std::equal(a, a + item_bytes, std::make_reverse_iterator(b + item_bytes))) return false;
    return true;
  }
};

std::vector<Comparison> comparisons_of(const RecordSpans& in, const RecordSpans* before, const RecordSpans& out) {
  std::vector<Comparison> all;
  const std::vector<PlainPlace> of_in = places_of(in.layout, in.n), of_out = places_of(out.layout, out.n);
  const std::vector<PlainPlace> of_before = before == nullptr ? std::vector<PlainPlace>() : places_of(before->layout, before->n);
  for (std::size_t k = 0; k < of_out.size(); ++k) {
    const Field& field = out.layout.places()[k].field;
    const RecordLayout::Place* there = in.layout.find(field.name);
    const bool is_moved = there != nullptr;
    if (!is_moved && before != nullptr) there = before->layout.find(field.name);
    if (there == nullptr) continue;
    const RecordSpans& source = is_moved ? in : *before;
    const auto at = static_cast<std::size_t>(there - source.layout.places().data());
    all.push_back({{source, (is_moved ? of_in : of_before)[at], there->field},
                   {out, of_out[k], field},
                   field.item_bytes,
                   field.n_items,
                   there->field.is_big_endian != field.is_big_endian && field.item_bytes > 1,
                   k});
  }
  return all;
}

/// Among records first … last; `record` is `last` where all are right.
struct Wrong {
  std::int64_t record;
  std::size_t place;
};

Wrong first_wrong_of(const std::vector<Comparison>& comparisons, std::int64_t first, std::int64_t last) {
  Wrong wrong{last, 0};
  for (const Comparison& c : comparisons) {
    std::int64_t i = first;
    while (i < wrong.record && c.is_same(i)) ++i;
    if (i < wrong.record) wrong = {i, c.place};
  }
  return wrong;
}

}  // namespace

std::optional<WrongField> first_wrong(const RecordSpans& in, const RecordSpans* before, const RecordSpans& out, Executor& executor) {
  const std::vector<Comparison> comparisons = comparisons_of(in, before, out);
  const std::int64_t of_both = std::max<std::int64_t>(1, add(in.layout.useful_bytes(), out.layout.useful_bytes()));
  const std::int64_t records_a_piece = std::max<std::int64_t>(1, piece_bytes / of_both);
  std::atomic<std::int64_t> first = out.n;
  executor.parallel_for(ceil_divide(out.n, records_a_piece), [&](std::int64_t piece) {
    const std::int64_t begin = piece * records_a_piece, end = std::min(begin + std::min(records_a_piece, out.n - begin), first.load());
    if (begin >= end) return;
    const std::int64_t i = first_wrong_of(comparisons, begin, end).record;
    for (std::int64_t lowest = first; i < end && i < lowest && !first.compare_exchange_weak(lowest, i);) continue;
  });
  if (first == out.n) return {};
  return WrongField{first, out.layout.places()[first_wrong_of(comparisons, first, first + 1).place]};
}

}  // namespace crinkle::tool
