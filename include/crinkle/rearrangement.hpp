// The central type: what goes where.
//
// A rearrangement says, for every element of a destination array, which element of a source array it is, or which fill.
// Everything that moves data is, in the end, a list of boxes (axis.hpp): reversal is a negative source stride, a slice an
// offset and a shorter extent, a repeat a zero source stride, a cyclic shift two boxes per rolled axis, a crinkle whose step
// does not divide the extent exactly two boxes, a checkerboard 2^N boxes, padding boxes plus fill boxes, interlacing n arrays
// one box with a slot axis, bit reversal one box whose axes all have extent 2. No executor ever sees a mask, a modulo or a flag.
//
// Before the boxes there are names. A source array is a list of groups, one per input axis (two or more where a size splits it
// without an offset); a group has elementary axes, its digits, and every digit carries a one-dimensional map: a list of segments
// {count, start, step} or fill. flip, roll, slice, pad, dilate, at and take compose on those maps, so a chain of verbs never
// multiplies boxes: roll after roll is one roll, a slice cancels a pad. The boxes are the product of the segments, made last.
//
// Limits. At most 48 axes a box and 4096 boxes a step; a map beyond that is made in two steps through a workspace, or, where a
// single axis is scattered over more segments than that (an index array), by a gather along that axis. Rearrangements that do not fuse
// follow one another, in as many steps as it takes (then). Values are never looked at: NaN payloads and padding bits survive. A map that is
// quadratic (packed triangles) or combines elements (stencils) is not a rearrangement. einops, NumPy views and CuTe layouts are subsets:
// none of them rolls or pads, and none composes when divisibility fails; here composition is total.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crinkle/axis.hpp"
#include "crinkle/device.hpp"
#include "crinkle/layout.hpp"
#include "crinkle/modes.hpp"

namespace crinkle {

/// A run of consecutive indices t = 0 … count−1 of an axis. Data lies at t = phase + m·every and is source index start + m·step;
/// everything else in the run is the fill. every = 0: no data at all. every = 1: nothing but data.
struct Segment {
  std::int64_t count = 0;
  std::int64_t start = 0;
  std::int64_t step = 0;
  std::int64_t every = 1;
  std::int64_t phase = 0;  // 0 ≤ phase < every
  std::int32_t fill = -1;  // which of the rearrangement's fills; -1 where there is none

  friend bool operator==(const Segment&, const Segment&) = default;
};
using Map = std::vector<Segment>;

/// A fill writes this: the bytes of one element as they lie in the destination.
struct Fill {
  std::vector<std::byte> pattern;  // element_bytes long, or empty for zeros
  friend bool operator==(const Fill&, const Fill&) = default;
};

/// An elementary axis: a digit of an input axis. Its map leads from the current index to the digit's value in [0, radix).
struct ElementaryAxis {
  std::string name;
  std::int64_t radix = 1;
  Map map;
  bool is_bit = false;  // one of the bits of a bit-reversed axis of this name
};

/// An input axis. With one digit that digit's map is all there is; with more, the mixed-radix number of the digits' values is the
/// index into `whole`, which leads to the source index. A ragged group is a crinkle by `phases` that does not divide `extent`.
struct Group {
  std::int64_t extent = 1;
  std::int64_t stride = 0;  // of the source, in `counts`
  Counts counts = Counts::bytes;
  Map whole;
  std::vector<ElementaryAxis> digits;  // slowest first
  std::int64_t ragged_phases = 0;      // 0: not ragged; otherwise two digits, the phase and the index within it
  int phase_digit = 0;                 // of a ragged group: 1 as it is crinkled, 0 as it is uncrinkled
};

/// A part of an output axis: a digit, or a repeat of this extent.
struct OutputTerm {
  int group = -1;
  int digit = -1;
  std::int64_t repeat = 1;
};
struct Output {
  std::vector<OutputTerm> terms;  // slowest first; none: extent 1
  Counts counts = Counts::bytes;
};

/// A piece of every element that keeps its bytes or reverses them: `count` items of `item_bytes` from `offset`.
struct ElementPart {
  std::int64_t offset = 0;
  std::int64_t item_bytes = 1;
  std::int64_t count = 1;
  bool is_swapped = false;
};

/// The bytes that a box list touches in one buffer, relative to its origin: [first, last).
struct ByteSpan {
  std::int64_t first = 0;
  std::int64_t last = 0;
  friend bool operator==(const ByteSpan&, const ByteSpan&) = default;
};

/// An axis given by tables: entry j is read at src_offsets[j] and written at dst_offsets[j], or is one of the fills.
struct GatherAxis {
  std::vector<std::int64_t> src_offsets;  // bytes, one per entry; unused where the entry is fill
  std::vector<std::int64_t> dst_offsets;  // bytes, one per entry
  std::vector<std::int32_t> fills;        // empty when no entry is fill; otherwise one per entry, -1 for data

  friend bool operator==(const GatherAxis&, const GatherAxis&) = default;
};

/// One pass over the data: boxes, repeated for every entry of the gathered axes (usually none).
struct Step {
  Boxes boxes;
  std::vector<GatherAxis> gathers;
  std::vector<Boxes> fill_boxes;  // per fill: what is written where the highest fill of the gathered entries is this one
};

/// A rearrangement as passes: usually one. The first reads the source and the last writes the destination; what step k of more writes for
/// step k+1 to read lies in the workspace from written_at(k) on, apart from what step k itself reads.
struct Steps {
  std::vector<Step> steps;
  std::int64_t workspace_bytes = 0;  // for all that lies between the steps
  std::string why;                   // why there is more than one
  std::int64_t odd_at = 0;           // where in the workspace steps 1, 3, … write; steps 0, 2, … write at its start

  std::int64_t written_at(std::size_t k) const noexcept { return k % 2 == 0 ? 0 : odd_at; }
};

using ValueForms = detail::SmallVector<ValueForm, 4>;

class Rearrangement {
 public:
  /// The identity of `source`: every axis is one digit named names[a] ("" for none), the destination dense in C order.
  explicit Rearrangement(const Layout& source, const std::vector<std::string>& names = {});
  /// A rearrangement in its named form.
  Rearrangement(std::int64_t element_bytes, std::int64_t src_offset, std::vector<Group> groups, std::vector<Output> outputs);
  /// A rearrangement given by its boxes; the names are gone. `source` and `destination` are what describe() prints.
  Rearrangement(Layout source, Layout destination, Steps steps);

  // Verbs: each acts on one elementary axis of the source, by name, or "@k" / "@-k" for the k-th input axis.
  // dst[…, i, …] = src[…, f(i), …] with the f stated. All throw bad_shape for an unknown axis and unsupported on a rearrangement
  // that has no names any more (after then, inverse, checkerboard, morton). Cost: time in the number of segments, no data touched.

  Rearrangement flip(std::string_view axis) const;                         ///< f(i) = n−1−i
  Rearrangement roll(std::string_view axis, std::int64_t distance) const;  ///< f(i) = (i−distance) mod n; any distance
  /// NumPy's slice(start, stop, step): negative and clamped bounds, any step but 0; may be empty.
  Rearrangement slice(std::string_view axis, std::optional<std::int64_t> start, std::optional<std::int64_t> stop,
                      std::optional<std::int64_t> step = {}) const;
  /// numpy.pad on one axis: `before` and `after` new elements. `value` is one element's bytes (empty: zeros) for constant.
  Rearrangement pad(std::string_view axis, std::int64_t before, std::int64_t after, PadMode mode = PadMode::constant,
                    std::span<const std::byte> value = {}) const;
  Rearrangement dilate(std::string_view axis, std::int64_t step) const;  ///< zeros between: element i goes to step·i; extent (n−1)·step+1
  Rearrangement at(std::string_view axis, std::int64_t index) const;     ///< f = index (negative from the end); the axis is gone
  Rearrangement take(std::string_view axis,
                     std::span<const std::int64_t> indices) const;  ///< f(i) = indices[i], negative from the end; all are checked
  Rearrangement bit_reverse(std::string_view axis) const;           ///< f(i) = the bits of i reversed; needs a power of two

  /// Reverses the bytes inside every item of every element. Parts must tile the element. Throws bad_shape otherwise.
  Rearrangement byte_swap(std::vector<ElementPart> parts) const;
  Rearrangement byte_swap() const;  ///< the element is one item

  /// Splits every input axis into named digits (slowest first; their extents multiply to the axis' current extent; none for an axis of
  /// extent 1 that goes) and lists what the output axes are made of. A ragged axis has two digits, of which the `phase_digit` counts
  /// phases; they must be each other's neighbours in one output. Requires that no axis is split yet. Throws bad_shape otherwise.
  struct Split {
    std::vector<std::pair<std::string, std::int64_t>> digits;  // name, extent
    bool is_ragged = false;
    int phase_digit = 0;
  };
  Rearrangement split_and_merge(const std::vector<Split>& splits, std::vector<Output> outputs) const;

  /// The same map into a given destination: its extents must be those of destination(). Throws bad_shape, and overlap when two
  /// elements would land on the same byte.
  Rearrangement into(const Layout& destination) const;

  /// The map backwards: (inverse of r) after r is the identity. Throws unsupported, naming the axis, unless r is a bijection.
  Rearrangement inverse() const;
  /// `next` after this one: the last step of this and the first of `next` as one where the box lists' common refinement allows it (at most
  /// 64 boxes, nothing gathered), else all steps of both. Requires destination() and next.source() to have the same bytes. Throws bad_shape
  /// otherwise, and unsupported where several buffers lie between them.
  Rearrangement then(const Rearrangement& next) const;

  // Queries.
  bool has_names() const noexcept { return has_names_; }
  std::int64_t extent(std::string_view axis) const;  // of a source axis as the verbs so far leave it
  std::int64_t element_bytes() const noexcept { return element_bytes_; }
  const Layout& source() const noexcept { return source_; }            // as given; the first slot's where there are several
  const Layout& destination() const noexcept { return destination_; }  // extents after all verbs
  std::int64_t n_sources() const noexcept { return n_sources_; }
  std::int64_t n_destinations() const noexcept { return n_destinations_; }
  const std::vector<Group>& groups() const noexcept { return groups_; }
  const std::vector<Output>& outputs() const noexcept { return outputs_; }

  /// The passes, boxes not yet simplified. Throws too_large when two steps of 4096 boxes do not suffice.
  Steps steps() const;
  /// The boxes of a rearrangement of one step without a gather. Throws unsupported otherwise.
  Boxes boxes() const;
  /// Per slot, what is read and written, relative to each buffer's origin.
  std::vector<ByteSpan> source_spans() const;
  std::vector<ByteSpan> destination_spans() const;
  /// The values that the buffer of each slot may be given as; one entry for all slots where they are elements.
  ValueForms source_values() const;
  ValueForms destination_values() const;
  /// The same rearrangement with other ones; none: elements.
  Rearrangement with_values(ValueForms source, ValueForms destination) const;
  std::int64_t held_bytes() const;  ///< memory of its own, about

 private:
  friend class Lowering;
  friend class PartOf;
  using MapMaker = std::function<Map(Rearrangement&, std::int64_t extent)>;
  void recompute_destination();
  Rearrangement with_map(std::string_view axis, const char* verb, const MapMaker& map_of) const;
  std::pair<int, int> find_digit(std::string_view axis) const;  // group and digit; throws unsupported for a split input axis
  std::int32_t add_fill(std::span<const std::byte> value);

  bool has_names_ = true;
  bool has_given_destination_ = false;
  std::int64_t element_bytes_ = 1;
  std::int64_t src_offset_ = 0;
  std::int64_t n_sources_ = 1;
  std::int64_t n_destinations_ = 1;
  Layout source_;
  Layout destination_;
  std::vector<Group> groups_;
  std::vector<Output> outputs_;
  std::vector<Fill> fills_;  // in the order their verbs were written: a later fill covers an earlier one
  std::vector<ElementPart> parts_;
  Steps steps_;                                    // of a rearrangement without names
  ValueForms source_values_, destination_values_;  // where they are not elements
};

}  // namespace crinkle
