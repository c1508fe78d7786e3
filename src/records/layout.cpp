// What a record layout is, and the arithmetic of its bytes. Its text is read in text.cpp.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/record_layout.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include "base/caret.hpp"
#include "base/checked.hpp"

namespace crinkle {
namespace {

std::int64_t up_to_multiple(std::int64_t n, std::int64_t of) { return multiply(ceil_divide(n, of), of); }

std::string names_of(const Fields& fields) {
  std::string text;
  for (const Field& f : fields) text += (text.empty() ? "" : ", ") + f.name;
  return text;
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
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const FieldGroup& group = groups_[g];
    if (group.fields.empty()) refuse("group " + std::to_string(g) + " has no fields");
    if (group.block < 1) refuse("blocks of " + std::to_string(group.block) + " records; give 1 or more");
    if (!std::has_single_bit(static_cast<std::uint64_t>(group.alignment)) || group.alignment < 1)
      refuse("the alignment " + std::to_string(group.alignment) + " is no power of two");
    std::int64_t at = 0;
    for (const std::string& name : group.fields) {
      const auto field = std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.name == name; });
      if (field == fields.end()) refuse("there is no field '" + shown(name) + "'; the fields are " + names_of(fields));
      if (!seen.insert(name).second) refuse("field '" + shown(name) + "' stands twice");
      if (field->item_bytes < 1 || field->n_items < 1) refuse("field '" + shown(name) + "' has no bytes");
      at = up_to_multiple(at, std::min(group.alignment, field->alignment()));
      places_.push_back({g, at, *field});
      at = add(at, field->bytes());
    }
    record_bytes_.push_back(up_to_multiple(at, group.alignment));
  }
  record_bytes();  // throws where the sum does not fit
}

const RecordLayout::Place* RecordLayout::find(std::string_view field) const noexcept {
  const auto place = std::find_if(places_.begin(), places_.end(), [&](const Place& p) { return p.field.name == field; });
  return place == places_.end() ? nullptr : &*place;
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

std::int64_t RecordLayout::group_bytes(std::size_t group, std::int64_t n) const { return multiply(n, record_bytes_[group]); }

std::int64_t RecordLayout::group_begin(std::size_t group, std::int64_t n) const {
  std::int64_t at = 0;
  for (std::size_t g = 0; g <= group; ++g) {
    at = up_to_multiple(at, groups_[g].alignment);
    if (g < group) at = add(at, group_bytes(g, n));
  }
  return at;
}

std::int64_t RecordLayout::bytes(std::int64_t n) const {
  return add(group_begin(groups_.size() - 1, n), group_bytes(groups_.size() - 1, n));
}

// What lies between groups is less than all their alignments together, so few numbers of records are possible; bytes(n) grows with n.
std::int64_t RecordLayout::count(std::int64_t bytes_there) const {
  std::int64_t low = 0, high = bytes_there / record_bytes() + 1;  // bytes(low) <= bytes_there < bytes(high)
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    bytes(middle) <= bytes_there ? low = middle : high = middle;
  }
  if (bytes(low) == bytes_there) return low;
  // Where record `low`, the first that is not whole, lies: of its fields the first that is not all there.
  const std::int64_t n = low + 1;
  const Place* first = nullptr;
  std::int64_t first_at = 0;
  for (const Place& p : places_) {
    const std::int64_t at = add(group_begin(p.group, n), address(p, low, n));
    if (add(at, p.field.bytes()) > bytes_there && (first == nullptr || at < first_at)) first = &p, first_at = at;
  }
  const std::string where = first == nullptr ? "the padding behind record " + std::to_string(low)
                                             : "field '" + first->field.name + "' of record " + std::to_string(low) +
                                                   ", which begins at byte " + std::to_string(first_at);
  throw Error(ErrorCode::bad_shape, std::to_string(bytes_there) + " bytes are no whole number of records of " +
                                        std::to_string(record_bytes()) + " bytes, " + print() + ": they end in " + where + "; " +
                                        std::to_string(low) + " records are " + std::to_string(bytes(low)) + " bytes, " +
                                        std::to_string(n) + " are " + std::to_string(bytes(n)));
}

std::int64_t RecordLayout::address(const Place& place, std::int64_t i, std::int64_t n) const {
  const std::int64_t block = groups_[place.group].block, first = i / block * block;
  const std::int64_t in_block = std::min(block, n - first);
  return add_product(add_product(multiply(first, record_bytes_[place.group]), in_block, place.offset), i - first, place.field.bytes());
}

std::string RecordLayout::print() const {
  std::string text;
  for (const FieldGroup& group : groups_) {
    if (!text.empty()) text += '|';
    std::string names;
    for (const std::string& name : group.fields) names += (names.empty() ? "" : " ") + name;
    text += group.fields.size() == 1 ? names : '(' + names + ')';
    if (group.block != 1) text += '*' + std::to_string(group.block);
    if (group.alignment != 1) text += '@' + std::to_string(group.alignment);
  }
  return text;
}

std::vector<PlainPlace> places_of(const RecordLayout& layout, std::int64_t n, const std::vector<std::string>& names) {
  std::vector<std::int64_t> useful(layout.n_groups());
  for (const RecordLayout::Place& p : layout.places()) useful[p.group] = add(useful[p.group], p.field.bytes());
  std::vector<PlainPlace> places;
  const auto put = [&](const RecordLayout::Place& p) {
    places.push_back({static_cast<std::int64_t>(p.group), layout.group_begin(p.group, n), layout.groups()[p.group].block,
                      layout.record_bytes(p.group), p.offset, useful[p.group]});
  };
  layout.bytes(n);  // throws where an address does not fit
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
