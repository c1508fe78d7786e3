// The named form: construction, destination extents, and how a verb finds its axis.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/rearrangement.hpp"

#include <algorithm>
#include <charconv>

#include "base/checked.hpp"
#include "base/held_bytes.hpp"
#include "form/check.hpp"
#include "form/map.hpp"

namespace crinkle {

Rearrangement::Rearrangement(const Layout& source, const std::vector<std::string>& names) {
  source.check();
  std::vector<Group> groups;
  std::vector<Output> outputs;
  for (std::size_t a = 0; a < source.extents.size(); ++a) {
    const std::int64_t n = source.extents[a];
    const std::string name = a < names.size() ? names[a] : "";
    groups.push_back({n, source.strides[a], Counts::bytes, {}, {ElementaryAxis{name, n, identity_map(n)}}});
    outputs.push_back({{OutputTerm{static_cast<int>(a), 0, 1}}});
  }
  *this = Rearrangement(source.element_bytes, source.offset, std::move(groups), std::move(outputs));
}

Rearrangement::Rearrangement(std::int64_t element_bytes, std::int64_t src_offset, std::vector<Group> groups, std::vector<Output> outputs)
    : element_bytes_(element_bytes), src_offset_(src_offset), groups_(std::move(groups)), outputs_(std::move(outputs)) {
  source_ = {{}, {}, src_offset, element_bytes};
  for (const Output& output : outputs_)
    for (const OutputTerm& t : output.terms)
      if (t.group >= std::ssize(groups_) ||
          (t.group >= 0 && (t.digit < 0 || t.digit >= std::ssize(groups_[static_cast<std::size_t>(t.group)].digits))))
        throw Error(ErrorCode::bad_shape,
                    "an output of digit " + std::to_string(t.digit) + " of group " + std::to_string(t.group) + ", which is not there");
  for (Group& g : groups_) {
    if (g.digits.size() > 1 && g.whole.empty()) g.whole = identity_map(g.extent);
    if (g.counts == Counts::buffers) {
      n_sources_ = g.extent;
    } else {
      source_.extents.push_back(g.extent);
      source_.strides.push_back(g.stride);
    }
  }
  source_.check();
  recompute_destination();
}

Rearrangement::Rearrangement(Layout source, Layout destination, Steps steps)
    : has_names_(false),
      element_bytes_(source.element_bytes),
      source_(std::move(source)),
      destination_(std::move(destination)),
      steps_(std::move(steps)) {
  source_.check();
  destination_.check();
  for (const Step& step : steps_.steps) check_boxes(step.boxes);
  n_sources_ = count_slots(steps_.steps.empty() ? Boxes{} : steps_.steps.front().boxes, Side::source);
  n_destinations_ = count_slots(steps_.steps.empty() ? Boxes{} : steps_.steps.back().boxes, Side::destination);
}

// The extents of the output axes after all verbs; the destination is dense until into() says otherwise.
void Rearrangement::recompute_destination() {
  Extents extents;
  n_destinations_ = 1;
  for (const Output& output : outputs_) {
    std::int64_t n = 1;
    for (std::size_t k = 0; k < output.terms.size(); ++k) {
      const OutputTerm& t = output.terms[k];
      if (t.group < 0) {
        n = multiply(n, t.repeat);
        continue;
      }
      const Group& g = groups_[static_cast<std::size_t>(t.group)];
      if (g.ragged_phases == 0) n = multiply(n, extent_of(g.digits[static_cast<std::size_t>(t.digit)].map));
      if (g.ragged_phases > 0 && t.digit == g.phase_digit) n = multiply(n, g.extent);  // the phase stands for both
    }
    if (output.counts == Counts::buffers) {
      n_destinations_ = n;
    } else {
      extents.push_back(n);
    }
  }
  if (has_given_destination_ && extents == destination_.extents) return;
  if (has_given_destination_) {
    throw Error(ErrorCode::bad_shape, "the destination " + print_shape(destination_.extents) + " is given already and would become " +
                                          print_shape(extents) + "; give it after the verbs");
  }
  destination_ = Layout::dense(std::move(extents), element_bytes_);
}

namespace {

struct AxisPlace {
  std::size_t group = 0;
  std::size_t digit = 0;
  bool is_whole = false;  // the input axis before it is split
};

std::string list_axes(const std::vector<Group>& groups) {
  std::string text;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::string whole = groups[g].digits.size() == 1 ? "@" + std::to_string(g) : "(unnamed)";
    for (const ElementaryAxis& d : groups[g].digits) text += (text.empty() ? "" : ", ") + (d.name.empty() ? whole : d.name);
  }
  return text.empty() ? "none" : text;
}

AxisPlace find_axis(const std::vector<Group>& groups, std::string_view axis) {
  if (!axis.empty() && axis[0] == '@') {
    std::int64_t k = 0;
    const auto [end, code] = std::from_chars(axis.data() + 1, axis.data() + axis.size(), k);
    const auto n = static_cast<std::int64_t>(groups.size());
    if (code != std::errc() || end != axis.data() + axis.size() || k < -n || k >= n) {
      throw Error(ErrorCode::bad_shape, "there is no input axis \"" + std::string(axis) + "\": the source has " + std::to_string(n) +
                                            " axes, @0 to @" + std::to_string(n - 1) + " or counted from the end");
    }
    const auto g = static_cast<std::size_t>(k < 0 ? k + n : k);
    return {g, 0, groups[g].digits.size() != 1};
  }
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (std::size_t d = 0; d < groups[g].digits.size(); ++d) {
      if (!axis.empty() && groups[g].digits[d].name == axis) return {g, d, false};
    }
  }
  throw Error(ErrorCode::bad_shape, "there is no axis \"" + std::string(axis) + "\" in the source; its axes are " + list_axes(groups) +
                                        ", and @0 is the first input axis");
}

}  // namespace

std::int64_t Rearrangement::extent(std::string_view axis) const {
  const AxisPlace at = find_axis(groups_, axis);
  const Group& g = groups_[at.group];
  if (!at.is_whole && !g.digits[at.digit].is_bit) return extent_of(g.digits[at.digit].map);
  if (at.is_whole) return g.digits.empty() ? 1 : extent_of(g.whole);
  return std::int64_t{1} << std::count_if(g.digits.begin(), g.digits.end(),
                                          [&](const ElementaryAxis& d) { return d.is_bit && d.name == axis; });
}

std::pair<int, int> Rearrangement::find_digit(std::string_view axis) const {
  const AxisPlace at = find_axis(groups_, axis);
  if (at.is_whole) {
    throw Error(ErrorCode::unsupported, "\"" + std::string(axis) + "\" is split by the specification; name the part that is meant: " +
                                            list_axes({groups_[at.group]}));
  }
  return {static_cast<int>(at.group), static_cast<int>(at.digit)};
}

Rearrangement Rearrangement::with_map(std::string_view axis, const char* verb, const MapMaker& map_of) const {
  if (!has_names_) {
    throw Error(ErrorCode::unsupported,
                std::string("cannot ") + verb + " \"" + std::string(axis) +
                    "\": after then, inverse, checkerboard or morton the axes have no names; apply the verbs first");
  }
  Rearrangement r = *this;
  const AxisPlace at = find_axis(r.groups_, axis);
  Group& g = r.groups_[at.group];
  const std::string what = std::string("cannot ") + verb + " \"" + std::string(axis) + "\": ";
  if (g.ragged_phases > 0) {
    throw Error(ErrorCode::unsupported, what + "extent " + std::to_string(g.extent) + " in " + std::to_string(g.ragged_phases) +
                                            " ragged phases takes no verb; apply the verb to the whole axis in a move of its own");
  }
  if (at.is_whole ? std::any_of(g.digits.begin(), g.digits.end(), [](const ElementaryAxis& d) { return d.is_bit; })
                  : g.digits[at.digit].is_bit) {
    throw Error(ErrorCode::unsupported, what + "it is bit-reversed already; apply the verb before, or in a move of its own");
  }
  const JoinFills join = [&](std::int32_t a, std::int32_t b) {
    const bool is_one = std::all_of(r.fills_.begin(), r.fills_.end(), [&](const Fill& f) { return f == r.fills_[0]; });
    return is_one ? std::max(a, b) : -1;
  };
  try {
    if (!at.is_whole) {
      ElementaryAxis& d = g.digits[at.digit];
      d.map = compose(map_of(r, extent_of(d.map)), d.map, join);
    } else if (g.digits.empty()) {  // an axis of extent 1 that the specification drops
      const Map map = map_of(r, 1);
      if (!is_identity(map, 1)) throw Error(ErrorCode::unsupported, "the specification drops this axis of extent 1; give it a name first");
    } else {
      for (const ElementaryAxis& d : g.digits) {
        if (!is_identity(d.map, d.radix))
          throw Error(ErrorCode::unsupported, "a part of it, \"" + d.name + "\", has a verb already; verbs on the whole come first");
      }
      const std::int64_t n = extent_of(g.whole);
      const Map map = map_of(r, n);
      if (extent_of(map) != n) {
        throw Error(ErrorCode::unsupported, "the axis is split already and its extent would change from " + std::to_string(n) + " to " +
                                                std::to_string(extent_of(map)) +
                                                "; give the verb together with the specification, or move twice");
      }
      g.whole = compose(map, g.whole, join);
    }
  } catch (const Error& e) { throw Error(e.code(), what + e.what()); }
  r.recompute_destination();
  return r;
}

std::int32_t Rearrangement::add_fill(std::span<const std::byte> value) {
  if (!value.empty() && static_cast<std::int64_t>(value.size()) != element_bytes_) {
    throw Error(ErrorCode::bad_shape, "a fill of " + std::to_string(value.size()) + " bytes for elements of " +
                                          std::to_string(element_bytes_) + " bytes: give one element");
  }
  const bool is_zero = std::all_of(value.begin(), value.end(), [](std::byte b) { return b == std::byte{0}; });
  fills_.push_back({is_zero ? std::vector<std::byte>{} : std::vector<std::byte>(value.begin(), value.end())});
  return static_cast<std::int32_t>(fills_.size() - 1);
}

namespace {

ValueForms of_elements(std::int64_t bytes) {
  ValueForms forms;
  forms.push_back({bytes, bytes % 2 == 0 ? bytes / 2 : 0});  // a complex number's two
  return forms;
}

}  // namespace

ValueForms Rearrangement::source_values() const { return source_values_.empty() ? of_elements(source_.element_bytes) : source_values_; }
ValueForms Rearrangement::destination_values() const {
  return destination_values_.empty() ? of_elements(destination_.element_bytes) : destination_values_;
}
Rearrangement Rearrangement::with_values(ValueForms source, ValueForms destination) const {
  Rearrangement r = *this;
  r.source_values_ = std::move(source);
  r.destination_values_ = std::move(destination);
  return r;
}

std::vector<ByteSpan> Rearrangement::source_spans() const { return spans_of(steps(), Side::source, n_sources_); }
std::vector<ByteSpan> Rearrangement::destination_spans() const { return spans_of(steps(), Side::destination, n_destinations_); }

Boxes Rearrangement::boxes() const {
  Steps all = steps();
  if (all.steps.size() != 1 || !all.steps[0].gathers.empty()) {
    throw Error(ErrorCode::unsupported, all.steps.size() == 1
                                            ? std::string("an axis is gathered by an index array: this is not a list of boxes alone")
                                            : "this takes " + std::to_string(all.steps.size()) + " steps: " + all.why);
  }
  return std::move(all.steps[0].boxes);
}

std::int64_t Rearrangement::held_bytes() const {
  return held_by(source_, destination_, groups_, outputs_, fills_, parts_, steps_, source_values_, destination_values_);
}

}  // namespace crinkle
