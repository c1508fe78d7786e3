// Boxes of elements between two memories, and between a memory and a file, in runs that lie dense in both.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/reused_memory.hpp"
#include "crinkle/layout.hpp"

namespace crinkle::tool {

/// Two places for the elements of a box: element i lies Σ i_a · strides[a] bytes behind where each begins. Axes of one element are left
/// out, and the last ones that lie dense in both are one run.
struct BoxRuns {
  Extents extents, from, to;   // of the axes outside of a run
  std::int64_t run_bytes = 0;  // 0: the box is empty

  BoxRuns(const Extents& extents, std::int64_t element_bytes, const Extents& from_strides, const Extents& to_strides);

  /// run(from, to): the bytes at which each run begins, the last axis fastest. False where `run` returns false, which ends it.
  template <class Run>
  bool each(Run&& run) const {
    return run_bytes == 0 || along(0, 0, 0, run);
  }

 private:
  template <class Run>
  bool along(std::size_t axis, std::int64_t a, std::int64_t b, Run& run) const {
    if (axis == extents.size()) return run(a, b);
    for (std::int64_t i = 0; i < extents[axis]; ++i)
      if (!along(axis + 1, a + i * from[axis], b + i * to[axis], run)) return false;
    return true;
  }
};

/// Copies the elements of a box between two memories.
void copy_box(const Extents& extents, std::int64_t element_bytes, const std::byte* from, const Extents& from_strides, std::byte* to,
              const Extents& to_strides);

/// A file that boxes are read from or written to, from a byte of it on.
struct FilePlace {
  int descriptor = -1;
  std::int64_t at = 0;
  const std::string& path;
};

/// Reads a box without what lies around it, straight into place where runs are long; else all from its first element to its last comes into
/// `room`. Throws bad_file, for a file that ends before, too. Requires strides of the file that are not negative.
void read_file_box(const FilePlace& from, const Extents& extents, std::int64_t element_bytes, const Extents& file_strides, std::byte* into,
                   const Extents& strides, ReusedMemory& room);
/// Writes one; what lies between its elements in the file stays.
void write_file_box(const FilePlace& to, const Extents& extents, std::int64_t element_bytes, const Extents& file_strides,
                    const std::byte* from, const Extents& strides, ReusedMemory& room);

}  // namespace crinkle::tool
