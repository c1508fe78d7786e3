// What the command line asks for: a specification, verbs in the order they were written, sizes, a tail, and what is done to the
// whole result. The same options serve move, explain and draw.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "crinkle/crinkle.hpp"
#include "formats/element_type.hpp"
#include "notation/verb.hpp"

namespace crinkle::tool {

struct Wish {
  std::string spec;
  std::vector<std::string> sizes;
  std::string tail = "error";
  std::string byte_order;  // "", "little", "big"
  bool is_morton = false, is_checkerboard = false, is_shuffled = false, is_bit_planes = false;
  std::string unshuffled, from_bit_planes;  // the element type the bytes become
  std::int64_t count = -1;                  // elements in bit planes

  void add_to(CLI::App& command);
  std::vector<Verb> verbs() const;  // in the order written

 private:
  std::map<const CLI::Option*, Verb::Kind> verb_options_;
  CLI::App* command_ = nullptr;
};

/// A rearrangement of bytes, and what its elements are before and after.
struct Wanted {
  Rearrangement map;
  ElementType source_type;  // of the array the map reads
  ElementType type;         // of the result
  Extents extents;          // of the result, before bit planes
};

/// Throws what the wish's parts throw. `source` is the array as it lies.
Wanted resolve(const Wish& wish, const Layout& source, const ElementType& type);

/// "64,512,512", "[64][512][512][float32]", with the type from the shape's element part or from `dtype`.
std::pair<Layout, ElementType> array_of(const std::string& shape, const std::string& dtype);

}  // namespace crinkle::tool
