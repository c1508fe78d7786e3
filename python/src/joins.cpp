// concat() of NumPy's own arrays, in one call: small ones cost less than Python's own lines about them.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <vector>

#include "computed.hpp"
#include "moves.hpp"
#include "operations.hpp"
#include "sources.hpp"

namespace crinkle::python {
namespace {

// Where a part lies in a dense array: `begin` along the axis. Of some elements.
View place_of(const View& part, const View& whole, std::size_t axis, std::int64_t begin) {
  View place = whole;
  place.data = whole.data + begin * whole.strides[axis];
  place.extents[axis] = part.extents[axis];
  place.bytes = place.element_bytes;
  for (std::size_t a = 0; a < static_cast<std::size_t>(place.rank); ++a) place.bytes += (place.extents[a] - 1) * place.strides[a];
  return place;
}

bool fit(const View& a, const View& b, std::size_t axis) {
  for (std::size_t k = 0; k < static_cast<std::size_t>(a.rank); ++k)
    if (k != axis && a.extents[k] != b.extents[k]) return false;
  return a.rank == b.rank;
}

// A new array; None where the arrays are others, of several types, or do not fit: Python knows what to do or to say.
nb::object joined(nb::handle arrays, std::int64_t axis) {
  static const auto& spec = *new nb::object(nb::str("... -> ..."));  // NOLINT: they would end after the interpreter
  static const auto& no_options = *new nb::object(nb::tuple());      // NOLINT
  if (!is_list_or_tuple(arrays) || !are_plain(arrays) || Planning::now() != nullptr) return nb::none();
  std::vector<View> parts;
  for (const nb::handle one : arrays) parts.push_back(view_of(one));
  if (axis < 0 || axis >= parts.front().rank) return nb::none();
  const auto at = static_cast<std::size_t>(axis);
  std::int64_t n = 0;
  for (const View& part : parts)
    if (!fit(part, parts.front(), at) || __builtin_add_overflow(n, part.extents[at], &n)) return nb::none();
  std::vector<std::int64_t> extents(parts.front().extents.begin(), parts.front().extents.begin() + parts.front().rank);
  extents[at] = n;
  const nb::object first = arrays[0], result = new_like(first, extents);
  const View whole = view_of(result);
  std::int64_t begin = 0;
  for (const View& part : parts) {
    if (part.bytes == 0) continue;
    const View place = place_of(part, whole, at, begin);
    kept_move({&part, 1}, spec, no_options, &place)->run_known(result, {&part, 1}, result, &place);
    begin += part.extents[at];
  }
  return result;
}

}  // namespace

void bind_joins(nb::module_& module) { module.def("joined", &joined, nb::arg("arrays").none(), nb::arg("axis")); }

}  // namespace crinkle::python
