// The checks of names, in this order: a size said twice must be the same, a size given beside the text must belong to a name, and a name
// on one side only is refused with what to write instead, unless `at` fixes it or a size says how often it repeats.
// SPDX-License-Identifier: BSD-3-Clause
#include "notation/names.hpp"

#include <algorithm>

namespace crinkle {
namespace {

void add_digits(const Item& item, std::vector<const Item*>& digits) {
  if (is_named(item)) digits.push_back(&item);
  for (const Item& inner : item.items) add_digits(inner, digits);
}

// For zyx -> xzy, where every letter was meant as a name.
std::string letters_of(std::string name) {
  std::sort(name.begin(), name.end());
  return name;
}
std::string apart(const std::string& name) {
  std::string text;
  for (const char c : name) text += (text.empty() ? "" : " ") + std::string(1, c);
  return text;
}

std::vector<std::string> words(const std::map<std::string, const Item*>& side) {
  std::vector<std::string> names;
  for (const auto& [name, item] : side) names.push_back(name);
  return names;
}

std::string did_you_mean(const std::string& nearest) { return nearest.empty() ? "" : "; or did you mean `" + shown(nearest) + "`?"; }

}  // namespace

bool is_named(const Item& item) { return item.kind == Item::Kind::name || (item.kind == Item::Kind::integer && item.extent != 1); }

std::string digit_name(const Item& item) { return item.kind == Item::Kind::name ? item.name : std::to_string(item.extent); }

std::vector<const Item*> digits_of(const Item& item) {
  std::vector<const Item*> digits;
  add_digits(item, digits);
  return digits;
}

Names::Names(const Spec& spec, const Sizes& sizes, const std::set<std::string>& fixed_names) : spec_(spec) {
  for (const Item& item : spec.left) add_digits(item, left_digits_);
  for (const Item& item : spec.right) add_digits(item, right_digits_);
  for (const Item* item : left_digits_) left_[digit_name(*item)] = item;
  for (const Item* item : right_digits_) right_[digit_name(*item)] = item;
  collect_written_sizes();
  collect_given_sizes(sizes);
  check_fixed(fixed_names);
  check_left_only(fixed_names);
  check_right_only();
}

std::optional<std::int64_t> Names::size_of(const Item& digit) const {
  const auto known = sizes_.find(digit_name(digit));
  return known == sizes_.end() ? std::nullopt : std::optional(known->second);
}

Error Names::bad(const Item& item, const std::string& message) const {
  return notation_error(spec_.text, item.column, item.length, message);
}

void Names::collect_written_sizes() {
  for (const Item* item : left_digits_) {
    if (item->extent >= 0) sizes_[digit_name(*item)] = item->extent;
  }
  for (const Item* item : right_digits_) {
    if (item->extent < 0) continue;
    const auto [known, is_new] = sizes_.emplace(digit_name(*item), item->extent);
    if (is_new || known->second == item->extent) continue;
    throw bad(*item, "`" + shown(item->name) + "` is " + std::to_string(item->extent) + " here and " + std::to_string(known->second) +
                         " on the left side: give it one size");
  }
}

void Names::collect_given_sizes(const Sizes& sizes) {
  for (const auto& [name, size] : sizes) {
    const std::string given = "the size " + shown(name) + "=" + std::to_string(size);
    if (size < 0) throw Error(ErrorCode::bad_shape, given + " is negative: a size is 0 or more");
    if (!left_.contains(name) && !right_.contains(name)) throw unknown_name(given + " names no axis of the spec", name);
    const auto [known, is_new] = sizes_.emplace(name, size);
    if (is_new || known->second == size) continue;
    const Item* written = left_.contains(name) && left_.at(name)->extent >= 0 ? left_.at(name) : right_.at(name);
    throw bad(*written, "`" + shown(name) + "` is " + std::to_string(known->second) + " here and " + std::to_string(size) +
                            " beside the text: give it one size");
  }
}

Error Names::unknown_name(const std::string& message, const std::string& name) const {
  std::vector<std::string> known = words(left_);
  for (const std::string& word : words(right_)) known.push_back(word);
  const std::string nearest = nearest_of(name, known);
  if (nearest.empty()) return notation_error(spec_.text, 0, spec_.text.size(), message);
  return bad(left_.contains(nearest) ? *left_.at(nearest) : *right_.at(nearest), message + "; did you mean `" + shown(nearest) + "`?");
}

void Names::check_fixed(const std::set<std::string>& fixed_names) const {
  for (const std::string& name : fixed_names) {
    if (name.starts_with('@')) continue;  // a whole input axis, gone before the spec is bound
    const std::string quoted = "`" + shown(name) + "`";
    if (right_.contains(name)) throw bad(*right_.at(name), quoted + " is fixed by at, which removes the axis: take it off the right side");
    if (!left_.contains(name)) throw unknown_name("at fixes " + quoted + ", which names no axis of the spec", name);
  }
}

void Names::check_left_only(const std::set<std::string>& fixed_names) const {
  for (const Item* item : left_digits_) {
    const std::string name = digit_name(*item);
    if (right_.contains(name) || fixed_names.contains(name)) continue;
    std::string nearest = nearest_of(name, words(right_));
    if (left_.contains(nearest)) nearest.clear();
    if (left_.size() == 1 && right_.size() == 1 && letters_of(name) == letters_of(right_.begin()->first))
      nearest = apart(name) + " -> " + apart(right_.begin()->first);
    throw bad(*item, "`" + shown(name) + "` is not on the right side, and crinkle never reduces: take one index of it with `at " +
                         shown(name) + "=0`" + did_you_mean(nearest));
  }
}

void Names::check_right_only() const {
  for (const Item* item : right_digits_) {
    const std::string name = digit_name(*item);
    if (left_.contains(name) || sizes_.contains(name)) continue;
    throw bad(*item, "`" + shown(name) + "` is only on the right side, where it repeats the data and needs a size: `" + shown(name) +
                         ":2` or a size `" + shown(name) + "=2`" + did_you_mean(nearest_of(name, words(left_))));
  }
}

}  // namespace crinkle
