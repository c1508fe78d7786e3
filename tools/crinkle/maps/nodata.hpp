// The number that says of a cell that it has no data. A number that was computed is never it: where it would be, the one beside it is
// written, and that is said. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "crinkle/executor.hpp"
#include "formats/element_type.hpp"

namespace crinkle::tool {

/// The number as an array of a type holds it; nothing where it does not. Throws as number_written() does, which `path` is for.
std::optional<double> as_held(double number, const ElementType& type, const std::string& path);

/// Numbers that have data but that readers would take for nodata are written as another one. GDAL takes floats for equal that differ by 4
/// epsilons of float32, and float64 numbers, too: they become a number beside, on their own side and, of nodata itself, towards 0; of
/// nodata 0 it is the least normal number, since readers may take lesser ones for 0. An integer becomes the next one on the side that it
/// was rounded from.
template <class T>
class BesideNodata {
 public:
  /// `nodata` as the type holds it, or NaN.
  BesideNodata(T nodata, const ElementType& type);

  /// `written`: the number as the type holds it. It stays, where it is no nodata.
  T operator()(T number, T written) const;

 private:
  T nodata_, apart_ = 0, least_ = 0, lowest_ = 0, greatest_ = 0;
  bool is_float_;
};

/// n of the n_cells cells came to `nodata` and are written as what beside_nodata() says.
void note_beside(std::int64_t n, std::int64_t n_cells, double nodata, const ElementType& type);

/// Writes computed numbers, NaN where there is no data: NaN becomes `nodata`, and a number equal to that the one beside it. Returns how
/// many of these there were.
std::int64_t put_nodata(std::span<std::byte> numbers, const ElementType& type, double nodata, Executor& executor);

}  // namespace crinkle::tool
