// A map as a picture that a person can look at.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "command_line/options.hpp"
#include "formats/sink.hpp"

namespace crinkle::tool {

struct PreviewOptions {
  std::string path, window;

  /// `what` is drawn: "the first column".
  void add_to(Command& c, const std::string& what);
  /// Refuses the name of a preview, if there is one, before anything is computed: unsupported for one that does not end in .png, and what
  /// Sink::check refuses; bad_notation for a window without a preview, or that is none.
  void check(Overwrite overwrite) const;
  bool is_asked() const { return !path.empty(); }
};

/// An RGBA picture, ready to commit, of a map of n_rows × n_columns cells: dark blue is the least value, yellow the greatest, or
/// the ends of the window; what
/// is_nodata says is transparent. At most 2048 cells an axis are drawn: every second one, or third, … of larger maps. Requires
/// check(). Throws what Sink::create throws.
std::unique_ptr<Sink> draw_preview(const PreviewOptions& options, std::int64_t n_rows, std::int64_t n_columns,
                                   const std::function<double(std::int64_t row, std::int64_t column)>& value,
                                   const std::function<bool(double)>& is_nodata, Overwrite overwrite);

}  // namespace crinkle::tool
