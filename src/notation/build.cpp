// The order of things: verbs on whole input axes that the specification splits act first, then the sizes are bound and the axes padded,
// split and merged, and the remaining verbs act on the elementary axes in the order written.
// SPDX-License-Identifier: BSD-3-Clause
#include "notation/build.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <set>

#include "base/caret.hpp"
#include "base/checked.hpp"
#include "notation/bind.hpp"
#include "notation/names.hpp"
#include "notation/spec.hpp"

namespace crinkle {
namespace {

using Kind = Item::Kind;

// The item of the left side that stands for the k-th of n source axes, or nothing when `...` does.
const Item* item_of_axis(const Spec& spec, std::int64_t k, std::int64_t n) {
  const auto ellipsis = std::find_if(spec.left.begin(), spec.left.end(), [](const Item& i) { return i.kind == Kind::ellipsis; });
  const auto before = static_cast<std::int64_t>(ellipsis - spec.left.begin());
  if (k < before) return &spec.left[static_cast<std::size_t>(k)];
  const auto from_end = n - k;
  const auto after = static_cast<std::int64_t>(spec.left.end() - ellipsis) - 1;
  return from_end <= after ? &*(spec.left.end() - from_end) : nullptr;
}

// Split into any number of digits but one; `1` and `()` have none.
bool is_split(const Item* item) { return item != nullptr && digits_of(*item).size() != 1; }

bool mentions(const std::vector<Item>& side, const std::string& name) {
  return std::any_of(side.begin(), side.end(), [&](const Item& item) {
    const std::vector<const Item*> digits = digits_of(item);
    return std::any_of(digits.begin(), digits.end(), [&](const Item* digit) { return digit_name(*digit) == name; });
  });
}

Rearrangement apply(const Rearrangement& r, const BoundVerb& v, std::string_view axis) {
  switch (v.verb.kind) {
    case Verb::Kind::flip: return r.flip(axis);
    case Verb::Kind::roll: return r.roll(axis, v.verb.distance);
    case Verb::Kind::slice: return r.slice(axis, v.verb.start, v.verb.stop, v.verb.step);
    case Verb::Kind::pad: return r.pad(axis, v.verb.before, v.verb.after, v.verb.mode, v.value);
    case Verb::Kind::dilate: return r.dilate(axis, v.verb.distance);
    case Verb::Kind::at: return r.at(axis, v.verb.distance);
    case Verb::Kind::take: return r.take(axis, v.indices);
    case Verb::Kind::bit_reverse: return r.bit_reverse(axis);
  }
  return r;
}

// The error of a verb, with a caret under what the verb was given.
Error refused(const Verb& v, const Error& e) {
  const std::string text = print(v);
  const std::size_t column = std::string_view(name_of(v.kind)).size() + 1;
  return caret_error(e.code(), text, column, text.size() - column, e.what());
}

// The verb's axis as an index of the source's axes, where it is written @k.
std::optional<std::int64_t> input_axis(const Verb& v, std::int64_t n) {
  const auto k = whole_axis(v.axis);
  if (!k) return {};
  const std::int64_t index = *k < 0 ? *k + n : *k;
  if (index < 0 || index >= n) {
    throw refused(v, Error(ErrorCode::bad_shape, "the source has " + (n == 0 ? "no axes"
                                                                             : std::to_string(n) + " axes, @0 to @" +
                                                                                   std::to_string(n - 1) + " or counted from the end")));
  }
  return index;
}

// The name of the elementary axis that a verb means, `@k` where it has none.
std::string elementary_axis(const Verb& v, const Spec& spec, std::int64_t n) {
  const auto k = input_axis(v, n);
  if (!k) return v.axis;
  const Item* item = item_of_axis(spec, *k, n);
  return item == nullptr || digits_of(*item).empty() ? "@" + std::to_string(*k) : digit_name(*digits_of(*item)[0]);
}

// Whether the specification splits an input axis into this one and others.
bool is_part(const std::string& name, const Spec& spec) {
  return std::any_of(spec.left.begin(), spec.left.end(),
                     [&](const Item& item) { return digits_of(item).size() > 1 && mentions({item}, name); });
}

// Bit reversal of [0, n) as an index array. A box of bits can be the last verb of a whole axis, and the only verb of a part of one;
// elsewhere in a chain these indices are taken.
std::vector<std::int64_t> reversed_bits(std::int64_t n) {
  std::vector<std::int64_t> indices(static_cast<std::size_t>(n), 0);
  for (std::int64_t i = 1; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    indices[at] = indices[at / 2] / 2 + (i % 2) * (n / 2);
  }
  return indices;
}

std::vector<Rearrangement::Split> splits_of(const Binding& binding) {
  std::vector<Rearrangement::Split> splits;
  for (const InputAxis& input : binding.inputs) {
    Rearrangement::Split split;
    for (const Digit& d : input.digits) split.digits.emplace_back(d.name, d.extent);
    split.is_ragged = input.is_ragged;
    split.phase_digit = input.factor_digit;
    splits.push_back(std::move(split));
  }
  return splits;
}

// A ragged axis that keeps the order of its digits is not moved at all: it stays one digit.
void keep_unmoved_ragged(std::vector<Rearrangement::Split>& splits, std::vector<Output>& outputs, const Binding& binding) {
  for (Output& output : outputs) {
    for (std::size_t k = 0; k + 1 < output.terms.size(); ++k) {
      const OutputTerm& slow = output.terms[k];
      if (slow.group < 0 || slow.digit != 0) continue;
      Rearrangement::Split& split = splits[static_cast<std::size_t>(slow.group)];
      if (!split.is_ragged || output.terms[k + 1].group != slow.group) continue;
      split = {{{"", binding.inputs[static_cast<std::size_t>(slow.group)].extent}}};
      output.terms.erase(output.terms.begin() + static_cast<std::ptrdiff_t>(k) + 1);
    }
  }
}

}  // namespace

Rearrangement build(std::string_view text, const Layout& source, const ParseOptions& options, const std::vector<BoundVerb>& verbs) {
  const Spec spec = parse_spec(text);
  const auto n = static_cast<std::int64_t>(source.extents.size());

  // Verbs on whole input axes that the specification splits come first; names that `at` fixes may be missing on the right.
  Rearrangement r(source);
  std::set<std::string> fixed;
  std::vector<std::size_t> later;
  for (std::size_t v = 0; v < verbs.size(); ++v) {
    const auto k = input_axis(verbs[v].verb, n);
    const Item* item = k ? item_of_axis(spec, *k, n) : nullptr;
    if (is_split(item)) {
      if (verbs[v].verb.kind == Verb::Kind::at || verbs[v].verb.kind == Verb::Kind::bit_reverse) {
        throw Error(ErrorCode::unsupported, "cannot " + print(verbs[v].verb) + ": the specification " +
                                                (digits_of(*item).empty() ? "drops this axis of extent 1; give it a name"
                                                                          : "splits this axis, `" + print(*item) + "`; name its parts"));
      }
      const auto covers = [&](std::size_t other) {  // a fill written before this one, which this one would have to cover
        const Verb::Kind kind = verbs[other].verb.kind;
        const bool fills = kind == Verb::Kind::dilate || (kind == Verb::Kind::pad && verbs[other].verb.mode == PadMode::constant);
        return fills && verbs[other].value != verbs[v].value;
      };
      if (verbs[v].verb.kind == Verb::Kind::pad && verbs[v].verb.mode == PadMode::constant &&
          std::any_of(later.begin(), later.end(), covers)) {
        throw Error(ErrorCode::unsupported, "cannot " + print(verbs[v].verb) +
                                                " after another fill: an axis that the specification splits is padded before the split; " +
                                                "write this verb first, or move twice");
      }
      r = apply(r, verbs[v], "@" + std::to_string(*k));
      continue;
    }
    later.push_back(v);
    if (verbs[v].verb.kind != Verb::Kind::at) continue;
    const std::string name = !k ? verbs[v].verb.axis : item != nullptr ? digit_name(*digits_of(*item)[0]) : "";
    if (!name.empty() && !mentions(spec.right, name)) fixed.insert(name);  // on the right, `at` takes it away there as well
  }

  const Binding binding = crinkle::bind(spec, r.destination().extents, options.sizes, options.tail, fixed);
  for (std::size_t a = 0; a < binding.inputs.size(); ++a) {
    const InputAxis& input = binding.inputs[a];
    const std::string axis = "@" + std::to_string(a);
    if (input.padded_extent > input.extent) r = r.pad(axis, 0, input.padded_extent - input.extent);
    if (input.padded_extent < input.extent) r = r.slice(axis, 0, input.padded_extent);
  }
  std::vector<Output> outputs;
  for (const OutputAxis& output : binding.outputs) {
    Output merged;
    for (const Term& t : output.terms) merged.terms.push_back({t.input, t.digit, t.repeat});
    outputs.push_back(std::move(merged));
  }
  std::vector<Rearrangement::Split> splits = splits_of(binding);
  keep_unmoved_ragged(splits, outputs, binding);
  r = r.split_and_merge(splits, std::move(outputs));
  for (auto v = later.begin(); v != later.end(); ++v) {
    const Verb& verb = verbs[*v].verb;
    const auto is_on_it = [&](std::size_t other) { return elementary_axis(verbs[other].verb, spec, n) == elementary_axis(verb, spec, n); };
    const bool is_last = std::none_of(v + 1, later.end(), is_on_it), is_first = std::none_of(later.begin(), v, is_on_it);
    const bool is_boxes = is_last && (is_first || !is_part(elementary_axis(verb, spec, n), spec));
    try {
      if (verb.kind == Verb::Kind::bit_reverse && !is_boxes && std::has_single_bit(static_cast<std::uint64_t>(r.extent(verb.axis)))) {
        r = r.take(verb.axis, reversed_bits(r.extent(verb.axis)));
      } else {
        r = apply(r, verbs[*v], verb.axis);
      }
    } catch (const Error& e) { throw refused(verb, e); }
  }
  return r;
}

Rearrangement parse(std::string_view spec, const Layout& source, const ParseOptions& options) { return build(spec, source, options, {}); }

Rearrangement parse(std::string_view spec, const Layout& source, const Layout& destination, const ParseOptions& options) {
  return parse(spec, source, options).into(destination);
}

std::string canonical(std::string_view spec) { return print(parse_spec(spec)); }

}  // namespace crinkle
