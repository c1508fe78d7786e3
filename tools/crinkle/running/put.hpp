// A result written into a part of an array file that is there. The part is what NumPy's index names: 100:200,0:64 or 5,...,::2. The file is
// copied, the part of the copy is written, and the copy takes its place: it is changed as a whole or not at all.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "formats/facts.hpp"
#include "running/several.hpp"
#include "words/wish.hpp"

namespace crinkle::tool {

/// The elements of `whole` at an index: a number takes an index of its axis, which goes; START:STOP[:STEP] is NumPy's slice; ... stands for
/// the axes that are not written, which are whole. Throws bad_notation for what is no index, bad_shape, naming the axis, for one that is
/// not there.
Layout part_of(const Layout& whole, const std::string& index, const std::string& path);

struct Put {
  std::string index, shape;  // --put, --put-shape

  void add_to(Command& c);
  bool is_asked() const { return !index.empty(); }
  /// Throws bad_notation for a shape without --put.
  void check() const;
  /// The part of the file `output` = wanted.map(source). `facts` are of the source as the map sees it. Throws bad_shape unless the part has
  /// the shape and the type of the result, and what run_several() throws.
  void run(const Wanted& wanted, const Source& source, const ArrayFacts& facts, const std::string& output, const Running& running) const;
};

}  // namespace crinkle::tool
