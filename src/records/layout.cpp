// Defines a record layout and the arithmetic of its bytes. Its text is read in text.cpp.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/record_layout.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "base/caret.hpp"
#include "base/checked.hpp"
#include "records/does_not_fit.hpp"

namespace crinkle {
namespace {

// Sums of sizes, exact: each of them is below 2^127.
Int128 up_to_multiple(Int128 n, std::int64_t of) { return (n + of - 1) / of * of; }
bool fits(Int128 n) { return n <= std::numeric_limits<std::int64_t>::max(); }

std::string names_of(const Fields& fields) {
  std::string text;
  for (const Field& f : fields) text += (text.empty() ? "" : ", ") + print_field_name(f.name);
  return text;
}

std::string text_of(const FieldGroup& group) {
  std::string text;
  const auto gap = [&](std::size_t k) {
    if (k < group.gaps.size() && group.gaps[k] > 0) text += (text.empty() ? "" : " ") + std::to_string(group.gaps[k]);
  };
  for (std::size_t k = 0; k < group.fields.size(); ++k) {
    gap(k);
    text += (text.empty() ? "" : " ") + print_field_name(group.fields[k]);
  }
  gap(group.fields.size());
  if (group.fields.size() != 1 || !group.gaps.empty()) text = '(' + text + ')';
  if (group.block != 1) text += '*' + std::to_string(group.block);
  if (group.alignment != 1) text += '@' + std::to_string(group.alignment);
  return text;
}

std::string counted(std::int64_t n, const char* what) { return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s"); }

// The first place behind `at` where a group may begin.
std::int64_t begin_behind(std::int64_t at, std::size_t g, const FieldGroup& group) {
  const Int128 begin = up_to_multiple(at, group.alignment);
  if (fits(begin)) return static_cast<std::int64_t>(begin);
  throw records::DoesNotFit(g, {},
                            "group " + shown(text_of(group)) + " lies behind " + counted(at, "byte") +
                                ", and no multiple of its alignment behind them fits 64 bits");
}

// The end of a group of n records that begins there; throws if it does not fit.
std::int64_t checked_end(std::int64_t begin, std::size_t g, const FieldGroup& group, std::int64_t n, std::int64_t record_bytes) {
  const Int128 end = begin + static_cast<Int128>(n) * record_bytes;
  if (fits(end)) return static_cast<std::int64_t>(end);
  throw records::DoesNotFit(g, {},
                            "group " + shown(text_of(group)) + " of " + counted(n, "record") + " of " + counted(record_bytes, "byte") +
                                (begin > 0 ? ", from byte " + std::to_string(begin) + " on," : "") + " does not fit 64 bits");
}

}  // namespace

std::int64_t Field::bytes() const { return multiply(item_bytes, n_items); }

std::int64_t Field::alignment() const {
  constexpr int most = 4;  // 2^4
  return std::int64_t{1} << std::min(most, std::countr_zero(static_cast<std::uint64_t>(item_bytes)));
}

RecordLayout::RecordLayout(const Fields& fields, std::vector<FieldGroup> groups) : groups_(std::move(groups)) {
  const auto refuse = [](const std::string& text) { throw Error(ErrorCode::bad_notation, text); };
  if (groups_.empty()) refuse("a record layout has one group of fields or more");
  std::set<std::string> seen;
  std::map<std::string_view, const Field*> by_name;
  for (const Field& field : fields) by_name.emplace(field.name, &field);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    FieldGroup& group = groups_[g];
    if (group.fields.empty()) refuse("group " + std::to_string(g) + " has no fields");
    if (group.block < 1) refuse("blocks of " + std::to_string(group.block) + " records; give 1 or more");
    if (!std::has_single_bit(static_cast<std::uint64_t>(group.alignment)) || group.alignment < 1)
      refuse("the alignment " + std::to_string(group.alignment) + " is no power of two");
    if (!group.gaps.empty() && group.gaps.size() != group.fields.size() + 1)
      refuse(std::to_string(group.gaps.size()) + " gaps for " + counted(std::ssize(group.fields), "field") +
             "; give one in front of each, and one behind");
    for (const std::int64_t gap : group.gaps)
      if (gap < 0) refuse("a gap of " + std::to_string(gap) + " bytes; give 0 or more");
    if (std::all_of(group.gaps.begin(), group.gaps.end(), [](std::int64_t gap) { return gap == 0; })) group.gaps.clear();
    const auto gap = [&](std::size_t k) { return group.gaps.empty() ? 0 : group.gaps[k]; };
    Int128 at = 0;
    for (std::size_t k = 0; k < group.fields.size(); ++k) {
      const std::string& name = group.fields[k];
      const auto known = by_name.find(name);
      if (known == by_name.end()) refuse("there is no field '" + shown(name) + "'; the fields are " + names_of(fields));
      const Field& field = *known->second;
      if (!seen.insert(name).second) refuse("field '" + shown(name) + "' stands twice");
      if (field.item_bytes < 1 || field.n_items < 1) refuse("field '" + shown(name) + "' has no bytes");
      const Int128 behind = at, bytes = static_cast<Int128>(field.item_bytes) * field.n_items;
      at = up_to_multiple(at + gap(k), std::min(group.alignment, field.alignment()));
      if (!fits(bytes) || !fits(at + bytes)) {
        throw records::DoesNotFit(g, k,
                                  "field '" + shown(name) + "' of " + counted(field.n_items, "item") + " of " +
                                      counted(field.item_bytes, "byte") + ", behind " + counted(static_cast<std::int64_t>(behind), "byte") +
                                      " of its record, does not fit 64 bits");
      }
      places_.push_back({g, static_cast<std::int64_t>(at), field});
      at += bytes;
    }
    const Int128 record = up_to_multiple(at + gap(group.fields.size()), group.alignment);
    if (!fits(record)) {
      throw records::DoesNotFit(g, {},
                                "a record of " + shown(text_of(group)) + " has " + counted(static_cast<std::int64_t>(at), "byte") +
                                    " of fields, and no multiple of " + std::to_string(group.alignment) + " that holds them fits 64 bits");
    }
    record_bytes_.push_back(static_cast<std::int64_t>(record));
  }
  bytes(1);  // throws where a record does not fit
  by_name_.resize(places_.size());
  std::iota(by_name_.begin(), by_name_.end(), std::size_t{0});
  std::sort(by_name_.begin(), by_name_.end(), [&](std::size_t a, std::size_t b) { return places_[a].field.name < places_[b].field.name; });
}

RecordLayout detail::layout_of_members(const Fields& fields, std::span<const MemberPlace> places, std::int64_t bytes,
                                       std::int64_t alignment) {
  if (fields.size() != places.size()) {
    throw Error(ErrorCode::bad_shape, counted(std::ssize(fields), "field") + " for " + counted(std::ssize(places), "member") +
                                          " of a structure: give one for each, in the order of the record's members");
  }
  std::vector<std::size_t> order(fields.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return places[a].offset < places[b].offset; });
  FieldGroup plain{{}, 1, alignment}, exact{{}, 1, 1};
  std::int64_t at = 0;
  for (const std::size_t k : order) {
    if (fields[k].bytes() != places[k].bytes) {
      throw Error(ErrorCode::bad_shape, "field '" + shown(fields[k].name) + "' has " + counted(fields[k].bytes(), "byte") +
                                            " and its member has " + std::to_string(places[k].bytes));
    }
    plain.fields.push_back(fields[k].name);
    exact.fields.push_back(fields[k].name);
    exact.gaps.push_back(places[k].offset - at);
    at = places[k].offset + places[k].bytes;
  }
  exact.gaps.push_back(bytes - at);
  // In the usual words, (x y)@8, where they say the same.
  RecordLayout usual(fields, {plain}), of_type(fields, {std::move(exact)});
  bool are_same = usual.record_bytes() == bytes;
  for (std::size_t p = 0; p < usual.places().size(); ++p) are_same = are_same && usual.places()[p].offset == of_type.places()[p].offset;
  return are_same ? usual : of_type;
}

const RecordLayout::Place* RecordLayout::find(std::string_view field) const noexcept {
  const auto place = std::lower_bound(by_name_.begin(), by_name_.end(), field,
                                      [&](std::size_t p, std::string_view name) { return places_[p].field.name < name; });
  return place == by_name_.end() || places_[*place].field.name != field ? nullptr : &places_[*place];
}

std::int64_t RecordLayout::record_bytes() const {
  std::int64_t sum = 0;
  for (const std::int64_t bytes : record_bytes_) sum = add(sum, bytes);
  return sum;
}

std::int64_t RecordLayout::useful_bytes() const {
  std::int64_t sum = 0;
  for (const Place& p : places_) sum = add(sum, p.field.bytes());
  return sum;
}

std::int64_t RecordLayout::group_bytes(std::size_t group, std::int64_t n) const {
  return checked_end(0, group, groups_[group], n, record_bytes_[group]);
}

std::int64_t RecordLayout::group_begin(std::size_t group, std::int64_t n) const {
  std::int64_t at = 0;
  for (std::size_t g = 0; g < group; ++g) at = checked_end(begin_behind(at, g, groups_[g]), g, groups_[g], n, record_bytes_[g]);
  return begin_behind(at, group, groups_[group]);
}

std::int64_t RecordLayout::bytes(std::int64_t n) const {
  const std::size_t last = groups_.size() - 1;
  return checked_end(group_begin(last, n), last, groups_[last], n, record_bytes_[last]);
}

// Gaps between groups are less than all their alignments together, so few numbers of records are possible; bytes(n) grows with n.
std::int64_t RecordLayout::count(std::int64_t bytes_there) const {
  std::int64_t low = 0, high = bytes_there / record_bytes() + 1;  // bytes(low) <= bytes_there < bytes(high)
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    bytes(middle) <= bytes_there ? low = middle : high = middle;
  }
  if (bytes(low) == bytes_there) return low;
  // If one record follows the other, names the first field of record `low` that is not all there.
  std::string where;
  if (groups_.size() == 1 && groups_[0].block == 1) {
    const Place* first = nullptr;
    for (const Place& p : places_)
      if (address(p, low, low + 1) > bytes_there - p.field.bytes() && (first == nullptr || p.offset < first->offset)) first = &p;
    where = first == nullptr ? ": they end in the padding behind record " + std::to_string(low)
                             : ": they end in field '" + shown(first->field.name) + "' of record " + std::to_string(low) +
                                   ", which begins at byte " + std::to_string(address(*first, low, low + 1));
  }
  throw Error(ErrorCode::bad_shape, counted(bytes_there, "byte") + (bytes_there == 1 ? " is" : " are") + " no whole number of records of " +
                                        counted(record_bytes(), "byte") + ", " + print() + where + "; " + counted(low, "record") +
                                        (low == 1 ? " is " : " are ") + counted(bytes(low), "byte") + ", " + std::to_string(low + 1) +
                                        " are " + std::to_string(bytes(low + 1)));
}

std::int64_t RecordLayout::address(const Place& place, std::int64_t i, std::int64_t n) const {
  const std::int64_t block = groups_[place.group].block, first = i / block * block;
  const std::int64_t in_block = std::min(block, n - first);
  return add_product(add_product(multiply(first, record_bytes_[place.group]), in_block, place.offset), i - first, place.field.bytes());
}

std::string RecordLayout::print() const {
  std::string text;
  for (const FieldGroup& group : groups_) text += (text.empty() ? "" : "|") + text_of(group);
  return text;
}

std::vector<PlainPlace> places_of(const RecordLayout& layout, std::int64_t n, const std::vector<std::string>& names) {
  layout.bytes(n);  // throws where an address does not fit
  std::vector<std::int64_t> useful(layout.n_groups());
  for (const RecordLayout::Place& p : layout.places()) useful[p.group] = add(useful[p.group], p.field.bytes());
  std::vector<std::int64_t> begins;
  for (std::size_t g = 0; g < layout.n_groups(); ++g)
    begins.push_back(begin_behind(g == 0 ? 0 : add(begins.back(), layout.group_bytes(g - 1, n)), g, layout.groups()[g]));
  std::vector<PlainPlace> places;
  const auto put = [&](const RecordLayout::Place& p) {
    places.push_back({static_cast<std::int64_t>(p.group), begins[p.group], layout.groups()[p.group].block, layout.record_bytes(p.group),
                      p.offset, useful[p.group]});
  };
  if (names.empty())
    for (const RecordLayout::Place& p : layout.places()) put(p);
  for (const std::string& name : names) {
    const RecordLayout::Place* p = layout.find(name);
    if (p == nullptr) throw Error(ErrorCode::bad_notation, "there is no field '" + shown(name) + "' in " + layout.print());
    put(*p);
  }
  return places;
}

}  // namespace crinkle
