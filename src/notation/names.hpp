// The names of a spec before any extent is known: which digit stands where, the sizes written in the text or given beside it,
// and what is wrong with names that stand on one side only.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "notation/bind.hpp"
#include "notation/spec.hpp"

namespace crinkle {

/// Names and integers above 1 stand for digits; `1` for none, a group for its items, `...` for its axes.
bool is_named(const Item& item);

/// A name, or an integer's text. Requires is_named(item).
std::string digit_name(const Item& item);

/// The named items of an item, itself or those in its parentheses, slowest first.
std::vector<const Item*> digits_of(const Item& item);

class Names {
 public:
  /// Throws bad_notation for sizes that contradict each other, unknown names, names on the right without a size and names on the
  /// left that nothing fixes; bad_shape for a negative size.
  Names(const Spec& spec, const Sizes& sizes, const std::set<std::string>& fixed_names);

  /// The size written or given for a digit.
  std::optional<std::int64_t> size_of(const Item& digit) const;

 private:
  using Side = std::map<std::string, const Item*>;  // digits by name

  void collect_written_sizes();
  void collect_given_sizes(const Sizes& sizes);
  void check_fixed(const std::set<std::string>& fixed_names) const;
  void check_left_only(const std::set<std::string>& fixed_names) const;
  void check_right_only() const;
  Error unknown_name(const std::string& message, const std::string& name) const;
  Error bad(const Item& item, const std::string& message) const;

  const Spec& spec_;
  std::vector<const Item*> left_digits_, right_digits_;  // in the order of the text
  Side left_, right_;
  std::map<std::string, std::int64_t> sizes_;
};

}  // namespace crinkle
