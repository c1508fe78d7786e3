// Binding: one input axis per source axis (step one, where the sizes that are not written are found), one output axis per right item
// (step two), then the legality of ragged axes. The names have been checked before (names.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include "notation/bind.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "notation/names.hpp"

namespace crinkle {
namespace {

using Kind = Item::Kind;

class Binder {
 public:
  Binder(const Spec& spec, const Extents& source, Tail tail, Names names)
      : spec_(spec), source_(source), tail_(tail), names_(std::move(names)) {}

  Binding bind(const std::set<std::string>& fixed_names) {
    bind_inputs();
    bind_outputs();
    for (const std::string& name : fixed_names) {
      if (const auto place = terms_.find(name); place != terms_.end()) binding_.fixed.push_back(place->second);
    }
    for (const Ragged& ragged : ragged_) check_ragged(ragged);
    return std::move(binding_);
  }

 private:
  /// An input axis whose factor does not divide it, under Tail::ragged.
  struct Ragged {
    int input = 0;
    std::int64_t factor = 1;
    const Item* item = nullptr;
  };

  Error error(ErrorCode code, const Item& item, const std::string& message) const {
    return caret_error(code, spec_.text, item.column, item.length, message);
  }

  void bind_inputs() {
    const auto is_ellipsis = [](const Item& item) { return item.kind == Kind::ellipsis; };
    const bool has_ellipsis = std::any_of(spec_.left.begin(), spec_.left.end(), is_ellipsis);
    const std::size_t n_named = spec_.left.size() - (has_ellipsis ? 1 : 0);
    if (has_ellipsis ? source_.size() < n_named : source_.size() != n_named) throw wrong_rank(n_named, has_ellipsis);

    std::size_t axis = 0;
    for (const Item& item : spec_.left) {
      if (!is_ellipsis(item)) {
        binding_.inputs.push_back(split_axis(item, axis++));
        continue;
      }
      for (std::size_t k = 0; k < source_.size() - n_named; ++k, ++axis) {
        unnamed_.push_back({static_cast<int>(axis), 0, 1});
        binding_.inputs.push_back({source_[axis], source_[axis], false, 0, {{"", source_[axis]}}});
      }
    }
  }

  Error wrong_rank(std::size_t n_named, bool has_ellipsis) const {
    const std::size_t begin = spec_.left.empty() ? 0 : spec_.left.front().column;
    const std::size_t end = spec_.left.empty() ? 1 : spec_.left.back().column + spec_.left.back().length;
    const std::string named = (has_ellipsis ? "at least " : "") + std::to_string(n_named);
    const std::string advice = has_ellipsis               ? ""
                               : n_named < source_.size() ? "; '...' on both sides stands for the axes you do not name"
                                                          : "; `(a b)` splits one axis into two, and `1` on the right side alone adds one";
    return caret_error(ErrorCode::bad_shape, spec_.text, begin, end - begin,
                       "the source " + print_shape(source_) + " has " + std::to_string(source_.size()) +
                           (source_.size() == 1 ? " axis" : " axes") + ", the left side names " + named + advice);
  }

  /// "axis 2 `(x 2)`"
  static std::string axis_text(const Item& item, std::size_t axis) {
    return "axis " + std::to_string(axis) + " `" + shown(print(item)) + "`";
  }

  InputAxis split_axis(const Item& item, std::size_t axis) {
    InputAxis input;
    input.extent = input.padded_extent = source_[axis];
    std::int64_t factor = 1;  // product of the known digits
    const std::vector<const Item*> digits = digits_of(item);
    std::vector<std::size_t> unknown;
    const bool has_zero = std::any_of(digits.begin(), digits.end(), [&](const Item* digit) { return names_.size_of(*digit) == 0; });
    for (std::size_t k = 0; k < digits.size(); ++k) {
      const std::optional<std::int64_t> size = names_.size_of(*digits[k]);
      if (!size) unknown.push_back(k);
      if (size) factor = has_zero ? 0 : times(factor, *size, item);
      terms_[digit_name(*digits[k])] = {static_cast<int>(axis), static_cast<int>(k), 1};
      input.digits.push_back({digit_name(*digits[k]), size.value_or(0)});
    }
    if (unknown.size() > 1) throw two_unknowns(item, axis, unknown);
    if (unknown.empty() && factor != input.extent) throw wrong_extent(item, axis, factor);
    if (!unknown.empty()) infer(input, unknown.front(), factor, item, axis);
    return input;
  }

  std::int64_t times(std::int64_t a, std::int64_t b, const Item& item) const {
    std::int64_t product = 0;
    if (!__builtin_mul_overflow(a, b, &product)) return product;
    throw error(ErrorCode::too_large, item, "the sizes of `" + shown(print(item)) + "` multiply to more than 63 bits hold");
  }

  Error two_unknowns(const Item& item, std::size_t axis, const std::vector<std::size_t>& unknown) const {
    std::string names;
    const std::vector<const Item*> digits = digits_of(item);
    for (std::size_t k = 0; k < unknown.size(); ++k) {
      names += (k == 0 ? "`" : k + 1 < unknown.size() ? ", `" : " and `") + shown(digits[unknown[k]]->name) + "`";
    }
    const std::string last = shown(digits[unknown.back()]->name);
    return error(ErrorCode::bad_notation, item,
                 axis_text(item, axis) + " of extent " + std::to_string(source_[axis]) + " leaves " + names +
                     " open: give all sizes but one, as `" + last + ":2` or a size `" + last + "=2`");
  }

  Error wrong_extent(const Item& item, std::size_t axis, std::int64_t product) const {
    const std::string extent =
        "axis " + std::to_string(axis) + " of the source " + print_shape(source_) + " has extent " + std::to_string(source_[axis]);
    const std::string found = extent + ", but `" + shown(print(item)) + "` has " + std::to_string(product);
    if (digits_of(item).empty()) {
      return error(ErrorCode::bad_shape, item, found + ": name the axis, and take one index of it with `at NAME=0`");
    }
    const bool could_infer = item.kind == Kind::group && tail_ != Tail::error;
    return error(ErrorCode::bad_shape, item, found + (could_infer ? ": leave one size out for the tail to act on it" : ""));
  }

  /// The one unknown digit of an axis: extent / factor, or what the tail makes of a remainder.
  void infer(InputAxis& input, std::size_t unknown, std::int64_t factor, const Item& item, std::size_t axis) {
    Digit& digit = input.digits[unknown];
    if (factor == 0 && input.extent == 0) {
      throw error(ErrorCode::bad_notation, item,
                  axis_text(item, axis) + " of extent 0 leaves `" + shown(digit.name) + "` open, as 0 times any size is 0: write `" +
                      shown(digit.name) + ":1` or another size");
    }
    if (factor == 0) throw wrong_extent(item, axis, 0);
    digit.extent = input.extent / factor;
    if (input.extent % factor == 0) return;
    switch (tail_) {
      case Tail::drop: input.padded_extent = digit.extent * factor; break;
      case Tail::pad: input.padded_extent = times(++digit.extent, factor, item); break;
      case Tail::error:  // refused once it is known whether it could be ragged
      case Tail::ragged:
        ++digit.extent;
        input.is_ragged = true;
        input.factor_digit = unknown == 0 ? 1 : 0;
        ragged_.push_back({static_cast<int>(axis), factor, &item});
        break;
    }
  }

  Error not_divisible(const Item& item, std::size_t axis, std::int64_t factor, const std::string& way_out) const {
    const std::int64_t below = source_[axis] / factor * factor;
    std::int64_t above = 0;
    const bool fits = !__builtin_add_overflow(below, factor, &above);
    const std::string nearest = fits ? std::to_string(below) + " or " + std::to_string(above) : std::to_string(below);
    return error(ErrorCode::not_divisible, item,
                 axis_text(item, axis) + " has extent " + std::to_string(source_[axis]) + ", which the factor " + std::to_string(factor) +
                     " does not divide: an extent of " + nearest + " would do" + way_out);
  }

  void bind_outputs() {
    for (const Item& item : spec_.right) {
      if (item.kind == Kind::ellipsis) {
        for (const Term& term : unnamed_) binding_.outputs.push_back({{term}, false});
      } else {
        OutputAxis output;
        add_terms(item, output.terms);
        binding_.outputs.push_back(std::move(output));
      }
    }
  }

  void add_terms(const Item& item, std::vector<Term>& terms) const {
    if (item.kind == Kind::ellipsis) terms.insert(terms.end(), unnamed_.begin(), unnamed_.end());
    for (const Item& inner : item.items) add_terms(inner, terms);
    if (!is_named(item)) return;
    const auto digit = terms_.find(digit_name(item));
    terms.push_back(digit == terms_.end() ? Term{-1, -1, *names_.size_of(item)} : digit->second);
  }

  /// Whether an axis can be ragged; marks its output then. A ragged axis is exactly a factor and its axis on the left, and both again, side
  /// by side, in one composite on the right; on one side at least the factor is the slower of the two.
  bool can_be_ragged(const Ragged& ragged) {
    const InputAxis& input = binding_.inputs[static_cast<std::size_t>(ragged.input)];
    for (OutputAxis& output : binding_.outputs) {
      for (std::size_t t = 0; input.digits.size() == 2 && t + 1 < output.terms.size(); ++t) {
        const Term& slower = output.terms[t];
        const Term& faster = output.terms[t + 1];
        const bool is_pair = slower.input == ragged.input && faster.input == ragged.input;
        const bool has_slow_factor = input.factor_digit == 0 || slower.digit == input.factor_digit;
        if (!is_pair || !has_slow_factor) continue;
        output.is_ragged = true;
        return true;
      }
    }
    return false;
  }

  void check_ragged(const Ragged& ragged) {
    const bool can_be = can_be_ragged(ragged);
    if (can_be && tail_ == Tail::ragged) return;
    const std::string tails = can_be ? "`ragged`, `pad` or `drop`" : "`pad` or `drop`";
    if (tail_ == Tail::error)
      throw not_divisible(*ragged.item, static_cast<std::size_t>(ragged.input), ragged.factor, ", or choose a tail: " + tails);
    throw not_divisible(*ragged.item, static_cast<std::size_t>(ragged.input), ragged.factor,
                        "; a ragged axis is a factor and its axis that end in one composite with the factor slower, "
                        "`y (x 2) -> y (2 x)`, or come from one, `y (2 x) -> y (x 2)`");
  }

  const Spec& spec_;
  const Extents& source_;
  const Tail tail_;
  const Names names_;
  std::map<std::string, Term> terms_;  // where a name's digit is
  std::vector<Term> unnamed_;          // the axes of `...`
  std::vector<Ragged> ragged_;
  Binding binding_;
};

}  // namespace

Binding bind(const Spec& spec, const Extents& source, const Sizes& sizes, Tail tail, const std::set<std::string>& fixed_names) {
  return Binder(spec, source, tail, Names(spec, sizes, fixed_names)).bind(fixed_names);
}

}  // namespace crinkle
