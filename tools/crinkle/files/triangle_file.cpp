// SPDX-License-Identifier: BSD-3-Clause
#include "files/triangle_file.hpp"

#include <fmt/format.h>

#include "base/checked.hpp"
#include "files/arrays.hpp"
#include "files/file_names.hpp"

namespace crinkle::tool {
namespace {

using Order = TriangleLayout::Order;

bool says_order(const std::string& words) { return words.find("rows") != std::string::npos || words.find("columns") != std::string::npos; }

[[noreturn]] void refuse_order(const std::string& path, const std::string& words) {
  throw Error(ErrorCode::bad_notation, path + ": says itself in which order its lines lie; leave out rows and columns of '" + words + "'");
}

// The order of an array [n][n].
Order order_of(const ArrayFacts& facts) {
  const Layout& layout = facts.layout;
  return layout.extents[0] > 1 && layout.strides[0] == layout.element_bytes ? Order::columns : Order::rows;
}

std::string elements(std::int64_t n) { return fmt::format("{} element{}", n, n == 1 ? "" : "s"); }

}  // namespace

bool is_matrix(const TriangleLayout& layout) {
  return layout.form == TriangleLayout::Form::full || layout.form == TriangleLayout::Form::symmetric;
}

std::int64_t rows_of(const TriangleLayout& words, std::int64_t n_elements, const std::string& path) {
  TriangleLayout layout = words;
  const auto kept_of = [&](std::int64_t n) {
    layout.n = n;
    return layout.n_pairs();
  };
  if (n_elements == 0) return layout.has_diagonal() ? 0 : 1;
  std::int64_t low = 0, high = std::int64_t{1} << 32;  // of the largest n that keep at most so many
  while (low + 1 < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (kept_of(middle) <= n_elements) low = middle;
    else high = middle;
  }
  if (kept_of(low) == n_elements) return low;
  throw Error(ErrorCode::bad_shape, fmt::format("{}: {} are no triangle, {}; {} rows have {}, {} rows {}", path, elements(n_elements),
                                                words.print(), low, kept_of(low), low + 1, kept_of(low + 1)));
}

TriangleFile open_triangle(const std::string& path, const std::string& words, std::int64_t n, const std::string& dtype) {
  TriangleFile file;
  file.layout = TriangleLayout::parse(words, 0, 1);
  if (!dtype.empty()) {
    if (n < 0) throw Error(ErrorCode::bad_notation, "--dtype describes a raw input, whose rows --n has to say");
    const ElementType type = element_type(dtype, ErrorCode::bad_notation);
    file.layout = TriangleLayout::parse(words, n, type.bytes);
    const RawFacts raw{{file.layout.n_elements()}, type, 0};
    file.source = Source::open(path, &raw);
  } else {
    if (!is_named_as_a_format(path) && n >= 0) throw Error(ErrorCode::bad_notation, path + ": raw data need --dtype beside --n");
    file.source = Source::open(path);
    const ArrayFacts& facts = file.source->facts();
    const Extents& extents = facts.layout.extents;
    const std::string what = described(path, extents, facts.type);
    std::int64_t n_here = 0;
    if (is_matrix(file.layout)) {
      if (extents.size() != 2 || extents[0] != extents[1])
        throw Error(ErrorCode::bad_shape, what + ": is no square matrix, and " + file.layout.print() + " is one");
      if (says_order(words)) refuse_order(path, words);
      n_here = extents[0];
    } else {
      if (extents.size() != 1)
        throw Error(ErrorCode::bad_shape, what + ": is no vector, and " + file.layout.print() + " is one; matrices are full or symmetric");
      n_here = n >= 0 && extents[0] == 0 ? n : rows_of(file.layout, extents[0], path);
    }
    if (n >= 0 && n != n_here) throw Error(ErrorCode::bad_shape, fmt::format("{}: has {} rows, not --n {}", what, n_here, n));
    file.layout = TriangleLayout::parse(words, n_here, facts.type.bytes);
    if (is_matrix(file.layout)) file.layout.order = order_of(facts);
  }
  const auto bytes = file.source->bytes().subspan(static_cast<std::size_t>(file.source->facts().layout.offset));
  file.data = {bytes.data(), std::ssize(bytes)};
  return file;
}

TriangleLayout output_layout(const std::string& path, const std::string& words, const TriangleLayout& input) {
  TriangleLayout layout = TriangleLayout::parse(words, input.n, input.element_bytes);
  if (!is_matrix(layout) || !is_named_as_a_format(path)) return layout;
  if (says_order(words)) refuse_order(path, words);
  layout.order = Order::rows;
  return layout;
}

}  // namespace crinkle::tool
