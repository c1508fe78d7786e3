// A wish is what the command line asks for: a specification, verbs in the order they were written, sizes, a tail, and what is done to the
// whole result. The same options serve move, explain and draw.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command_line/options.hpp"
#include "crinkle/crinkle.hpp"
#include "formats/element_type.hpp"
#include "notation/verb.hpp"

namespace crinkle::tool {

struct Wish {
  std::string spec;
  std::vector<Verb> verbs;  // in the order written
  std::vector<std::string> sizes;
  std::string tail = "error";
  std::string byte_order;  // "", "little", "big"
  bool is_morton = false, is_checkerboard = false, is_shuffled = false, is_bit_planes = false;
  std::string unshuffled, from_bit_planes;  // the element type the bytes become
  std::optional<std::int64_t> count;        // elements in bit planes

  void add_to(Command& c);
  /// Throws bad_notation for a count without bit planes to count in, bad_shape for a negative one.
  void check_count() const;
  /// Throws unsupported where bit planes are asked for: they are no rearrangement of bytes and have no plan. `what` is "explain" or "draw".
  void refuse_bit_planes(const std::string& what) const;
};

/// A rearrangement of bytes, and what its elements are before and after.
struct Wanted {
  Rearrangement map;
  ElementType source_type;  // of the array the map reads
  ElementType type;         // of the result
  Extents extents;          // of the result, before bit planes
  // The same map where every pad is a fill, and that without its rolls; nothing where it is the map itself.
  std::optional<Rearrangement> with_fills, without_rolls;

  const Rearrangement& unpadded() const { return with_fills ? *with_fills : map; }
  const Rearrangement& unrolled() const { return without_rolls ? *without_rolls : unpadded(); }
};

/// Throws what the wish's parts throw. `source` is the array as it lies.
Wanted resolve(const Wish& wish, const Layout& source, const ElementType& type);

/// "64,512,512", "[64][512][512][float32]", with the type from the shape's element part, from `dtype`, or `otherwise`. Without either of
/// the latter a last number in brackets is the bits of an element, which is said on standard error.
std::pair<Layout, ElementType> array_of(const std::string& shape, std::string dtype, const std::string& otherwise = "");

}  // namespace crinkle::tool
