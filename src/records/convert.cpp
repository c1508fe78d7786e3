// Conversions as boxes. Records are cut where a block of either side begins: within a piece, each side's address of a field is affine in
// the axes of the piece. Fields that then lie evenly apart on both sides are one box.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "base/checked.hpp"
#include "crinkle/record_layout.hpp"
#include "form/line_up.hpp"

namespace crinkle {
namespace {

constexpr std::int64_t most_boxes = 4096;

/// Records first + Σ k_a · step_a: every step moves within the blocks of a side, or from block to block.
struct Piece {
  struct Part {
    std::int64_t extent = 1, step = 1;  // records
  };
  std::int64_t first = 0;
  std::vector<Part> parts;  // slowest first
};

/// Records first … last cut where blocks of `a` or of `b` begin, as pieces of `repeats` periods.
void cut(std::int64_t first, std::int64_t last, std::int64_t a, std::int64_t b, std::int64_t repeats, std::int64_t period,
         std::vector<Piece>& pieces) {
  for (std::int64_t at = first; at < last;) {
    const std::int64_t next = at + std::min({last - at, a - at % a, b - at % b});
    pieces.push_back({at, {{repeats, period}, {next - at, 1}}});
    at = next;
  }
}

/// Records first … last where blocks of `big` are whole numbers of blocks of `small`, first being a multiple of both.
void cut_nested(std::int64_t first, std::int64_t last, std::int64_t small, std::int64_t big, std::vector<Piece>& pieces) {
  const std::int64_t whole = (last - first) / big, rest = first + whole * big, in_rest = (last - rest) / small;
  if (whole > 0) pieces.push_back({first, {{whole, big}, {big / small, small}, {small, 1}}});
  if (in_rest > 0) pieces.push_back({rest, {{in_rest, small}, {small, 1}}});
  if (rest + in_rest * small < last) pieces.push_back({rest + in_rest * small, {{last - rest - in_rest * small, 1}}});
}

/// Nothing where the blocks have no common period in which they are cut into so few pieces.
std::vector<Piece> pieces_of(std::int64_t n, std::int64_t a, std::int64_t b, std::int64_t most) {
  std::vector<Piece> pieces;
  a = std::min(a, n), b = std::min(b, n);
  const std::int64_t small = std::min(a, b), big = std::max(a, b);
  if (big % small == 0) {
    cut_nested(0, n, small, big, pieces);
    return pieces;
  }
  const Int128 period = static_cast<Int128>(a) / std::gcd(a, b) * b;
  const std::int64_t one = period > n ? n : static_cast<std::int64_t>(period), whole = n / one;
  if (one / a + one / b + (n - whole * one) / small > most) return {};
  cut(0, one, a, b, whole, one, pieces);
  cut(whole * one, n, a, b, 1, one, pieces);
  return pieces;
}

/// One side's field as a piece sees it.
class Side {
 public:
  Side(const RecordLayout& layout, Storage storage, std::int64_t n) : layout_(layout), storage_(storage), n_(n) {}

  std::int64_t block(const RecordLayout::Place& place) const { return layout_.groups()[place.group].block; }
  std::int32_t slot(const RecordLayout::Place& place) const {
    return storage_ == Storage::apart ? static_cast<std::int32_t>(place.group) : 0;
  }
  std::int64_t offset(const RecordLayout::Place& place, const Piece& piece) const {
    const std::int64_t begin = storage_ == Storage::apart ? 0 : layout_.group_begin(place.group, n_);
    return add(begin, layout_.address(place, piece.first, n_));
  }
  std::int64_t stride(const RecordLayout::Place& place, std::int64_t records) const {
    const bool is_from_block_to_block = records % std::min(n_, block(place)) == 0;
    return multiply(records, is_from_block_to_block ? layout_.record_bytes(place.group) : place.field.bytes());
  }

 private:
  const RecordLayout& layout_;
  Storage storage_;
  std::int64_t n_;
};

struct Pair {
  const RecordLayout::Place* from;
  const RecordLayout::Place* to;
};

/// The fields of both, in the order of `to`. Throws bad_shape where either has what the other lacks and lacks what it has.
std::vector<Pair> pairs_of(const RecordLayout& from, const RecordLayout& to) {
  std::vector<Pair> pairs;
  const RecordLayout::Place *only_to = nullptr, *only_from = nullptr;
  for (const RecordLayout::Place& p : to.places()) {
    const RecordLayout::Place* there = from.find(p.field.name);
    if (there == nullptr) {
      only_to = &p;
    } else if (there->field.bytes() != p.field.bytes() || there->field.item_bytes != p.field.item_bytes) {
      throw Error(ErrorCode::bad_shape, "field '" + p.field.name + "' has " + std::to_string(there->field.n_items) + " items of " +
                                            std::to_string(there->field.item_bytes) + " bytes in " + from.print() + " and " +
                                            std::to_string(p.field.n_items) + " of " + std::to_string(p.field.item_bytes) + " in " +
                                            to.print());
    } else {
      pairs.push_back({there, &p});
    }
  }
  for (const RecordLayout::Place& p : from.places())
    if (to.find(p.field.name) == nullptr) only_from = &p;
  if (only_to != nullptr && only_from != nullptr) {
    throw Error(ErrorCode::bad_shape, "field '" + only_to->field.name + "' of " + to.print() + " is not in " + from.print() + ", and '" +
                                          only_from->field.name +
                                          "' of that has nowhere to go: one of the layouts names all fields of the other");
  }
  return pairs;
}

/// The item's bytes, reversed where they are swapped, and the items of a field.
void push_field(Box& box, const Field& field, bool swaps_bytes) {
  if (swaps_bytes && field.item_bytes > 1) {
    box.unit = 1;
    box.src_offset += field.item_bytes - 1;
    if (field.n_items > 1) box.axes.push_back({field.n_items, field.item_bytes, field.item_bytes});
    box.axes.push_back({field.item_bytes, -1, 1});
    return;
  }
  const std::int64_t bytes = field.bytes();
  box.unit = static_cast<std::int32_t>(std::gcd(bytes, std::int64_t{16}));
  if (bytes > box.unit) box.axes.push_back({bytes / box.unit, box.unit, box.unit});
}

/// Fields whose groups have blocks of the same lengths, so that one cut does for all.
struct Family {
  std::int64_t from_block = 1, to_block = 1;
  std::vector<Pair> pairs;
};

std::vector<Family> families_of(const std::vector<Pair>& pairs, const Side& source, const Side& destination) {
  std::vector<Family> families;
  for (const Pair& p : pairs) {
    const std::int64_t from = source.block(*p.from), to = destination.block(*p.to);
    auto family = std::find_if(families.begin(), families.end(), [&](const Family& f) { return f.from_block == from && f.to_block == to; });
    if (family == families.end()) family = families.insert(family, Family{from, to, {}});
    family->pairs.push_back(p);
  }
  return families;
}

Boxes boxes_of(const Family& family, const std::vector<Piece>& pieces, const Side& source, const Side& destination) {
  Boxes all;
  for (const Piece& piece : pieces) {
    Boxes boxes;
    for (const Pair& p : family.pairs) {
      Box box;
      for (const Piece::Part& part : piece.parts)
        if (part.extent > 1) box.axes.push_back({part.extent, source.stride(*p.from, part.step), destination.stride(*p.to, part.step)});
      box.src_offset = source.offset(*p.from, piece);
      box.dst_offset = destination.offset(*p.to, piece);
      box.src_slot = source.slot(*p.from);
      box.dst_slot = destination.slot(*p.to);
      push_field(box, p.to->field, p.to->field.is_big_endian != p.from->field.is_big_endian);
      boxes.push_back(std::move(box));
    }
    for (Box& box : lined_up(lined_up(boxes))) all.push_back(std::move(box));
  }
  return all;
}

void append_zeros(std::int64_t at, std::int64_t bytes, std::int64_t count, std::int64_t stride, std::int32_t slot, Boxes& boxes) {
  if (bytes == 0 || count == 0) return;
  Box box;
  box.is_fill = true;
  box.dst_offset = at;
  box.dst_slot = slot;
  box.unit = static_cast<std::int32_t>(std::gcd(bytes, std::int64_t{16}));
  if (count > 1) box.axes.push_back({count, 0, stride});
  if (bytes > box.unit) box.axes.push_back({bytes / box.unit, 0, box.unit});
  boxes.push_back(std::move(box));
}

/// Zeros between the fields of every record, and between groups that share an array.
void append_padding(const RecordLayout& to, Storage storage, std::int64_t n, Boxes& boxes) {
  for (std::size_t g = 0; g < to.n_groups(); ++g) {
    const std::int64_t begin = storage == Storage::apart ? 0 : to.group_begin(g, n), record = to.record_bytes(g);
    const std::int32_t slot = storage == Storage::apart ? static_cast<std::int32_t>(g) : 0;
    const std::int64_t block = std::min(to.groups()[g].block, n), whole = n / block, rest = n % block;
    const auto zeros = [&](std::int64_t from, std::int64_t last) {  // bytes of a record
      append_zeros(add_product(begin, block, from), multiply(block, last - from), whole, multiply(block, record), slot, boxes);
      append_zeros(add(add_product(begin, whole * block, record), multiply(rest, from)), multiply(rest, last - from), 1, 0, slot, boxes);
    };
    std::int64_t at = 0;
    for (const RecordLayout::Place& p : to.places()) {
      if (p.group != g) continue;
      zeros(at, p.offset);
      at = p.offset + p.field.bytes();
    }
    zeros(at, record);
    const bool has_next = storage == Storage::together && g + 1 < to.n_groups();
    if (has_next)
      append_zeros(add(begin, to.group_bytes(g, n)), to.group_begin(g + 1, n) - begin - to.group_bytes(g, n), 1, 0, slot, boxes);
  }
}

/// Throws too_large where n records do not fit 64 bits.
void check_size(const RecordLayout& layout, Storage storage, std::int64_t n) {
  if (storage == Storage::together) layout.bytes(n);
  for (std::size_t g = 0; g < layout.n_groups(); ++g) layout.group_bytes(g, n);
}

/// The first array of a side, as bytes.
Layout layout_of(const RecordLayout& layout, Storage storage, std::int64_t n) {
  return Layout::dense({storage == Storage::apart ? layout.group_bytes(0, n) : layout.bytes(n)}, 1);
}

/// Records of a group, or of all groups that share a buffer; numbers where all items are as large.
ValueForms values_of(const RecordLayout& layout, Storage storage) {
  ValueForms forms;
  for (std::size_t g = 0; g < layout.n_groups(); ++g) {
    if (g == 0 || storage == Storage::apart) forms.push_back({0, -1});
    ValueForm& form = forms[forms.size() - 1];
    form.record = add(form.record, layout.record_bytes(g));
    for (const RecordLayout::Place& p : layout.places()) {
      if (p.group != g) continue;
      form.number = form.number == -1 || form.number == p.field.item_bytes ? p.field.item_bytes : 0;
    }
  }
  return forms;
}

RecordLayout structure_of_arrays(const std::vector<Pair>& pairs) {
  Fields fields;
  std::vector<FieldGroup> groups;
  for (const Pair& p : pairs) {
    fields.push_back(p.to->field);
    groups.push_back({{p.to->field.name}});
  }
  return {fields, std::move(groups)};
}

}  // namespace

Rearrangement convert_records(const RecordLayout& from, const RecordLayout& to, std::int64_t n, const RecordOptions& options) {
  if (n < 0) throw Error(ErrorCode::bad_shape, "there cannot be " + std::to_string(n) + " records");
  const std::vector<Pair> pairs = pairs_of(from, to);
  check_size(from, options.from, n);
  check_size(to, options.to, n);
  const Side source(from, options.from, n), destination(to, options.to, n);
  Steps steps;
  steps.steps.push_back({});
  const auto n_pairs = static_cast<std::int64_t>(std::max<std::size_t>(1, pairs.size()));
  if (n_pairs > most_boxes) throw Error(ErrorCode::too_large, std::to_string(n_pairs) + " fields; at most " + std::to_string(most_boxes));
  for (const Family& family : families_of(pairs, source, destination)) {
    if (n == 0) break;
    const std::vector<Piece> pieces = pieces_of(n, family.from_block, family.to_block, most_boxes / n_pairs);
    if (pieces.empty()) {
      const RecordLayout between = structure_of_arrays(pairs);
      RecordOptions first = options, second = options;
      first.to = second.from = Storage::together;
      first.padding = Padding::keep;
      return convert_records(from, between, n, first).then(convert_records(between, to, n, second));
    }
    for (Box& box : boxes_of(family, pieces, source, destination)) steps.steps[0].boxes.push_back(std::move(box));
  }
  if (options.padding == Padding::zero && n > 0) append_padding(to, options.to, n, steps.steps[0].boxes);
  const Rearrangement r(layout_of(from, options.from, n), layout_of(to, options.to, n), std::move(steps));
  return r.with_values(values_of(from, options.from), values_of(to, options.to));
}

}  // namespace crinkle
