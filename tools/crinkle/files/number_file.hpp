// Files of real and complex numbers as fft takes them, and spectra as pictures.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "crinkle/fft.hpp"
#include "formats/facts.hpp"
#include "formats/sink.hpp"
#include "formats/source.hpp"

namespace crinkle::tool {

struct NumberFile {
  std::unique_ptr<Source> source;
  ArrayFacts facts;  // the source's; of pairs without their axis, of a grey picture [y][x]
  bool is_complex = false;
  FftReal real = FftReal::float32;  // that it is read as; float16 as float32 where it is not taken as it is
};

/// A file's last axis is an axis, or re and im of complex numbers.
enum class LastAxis : std::uint8_t { is_an_axis, is_pairs };

/// The numbers of a source. `dtype`: "", float32 or float64. Real numbers of a NIfTI volume are the values that they mean, and a note says
/// so. Throws unsupported for types that are neither float16, float32, float64, complex64 nor complex128 where no dtype is given, and for
/// those that are no numbers at all; bad_shape for pairs that do not lie together.
NumberFile open_numbers(std::unique_ptr<Source> source, const std::string& dtype, LastAxis last = LastAxis::is_an_axis);

enum class NumbersAre : std::uint8_t { real, complex };
struct Numbers {
  struct View {
    const std::byte* data;
    std::int64_t bytes;
  };
  View data;
  Layout layout;
  FftReal real = FftReal::float32;
  bool is_converted = false, has_rounded = false;  // has_rounded: integers that float64 does not hold as they are
  std::vector<std::byte> own;
};

/// What numbers_of() gives, without the numbers: nothing is read.
Numbers kind_of_numbers(const NumberFile& file, NumbersAre are);
/// The file's own bytes where they are these numbers in this machine's order; else a dense copy.
Numbers numbers_of(const NumberFile& file, NumbersAre are);

/// Numbers of `in`, with so many parts an element, of which a part is infinite or none.
std::int64_t count_not_finite(const Numbers& in, std::int64_t parts);

/// Throws too_large where numbers of `result`, dense float16, are infinite, and none of `in`, with so many parts an element, is.
void check_range(const std::vector<std::byte>& result, const Numbers& in, std::int64_t parts);

/// The values that a file's real numbers mean (NIfTI's slope times number plus intercept, computed in float64), in memory as `type`,
/// float32 or float64; integers that float64 rounds are noted. Throws unsupported for what holds no real numbers, out_of_memory.
std::unique_ptr<Source> values_of(const Source& source, const std::string& type);

/// The facts of an output of numbers that were transformed along some axes of a file: axis by axis as they lie there, so that a volume
/// keeps its place, but without its slope and intercept, and without what is said of the numbers and of the axes that are transformed.
class TransformFacts {
 public:
  TransformFacts(const Extents& extents, const ElementType& type, const ArrayFacts& from, const std::vector<std::int64_t>& axes,
                 const DatasetWish* stored);
  TransformFacts(const TransformFacts&) = delete;
  TransformFacts& operator=(const TransformFacts&) = delete;
  const OutputFacts& output() const noexcept { return output_; }

 private:
  ArrayFacts unscaled_;
  SpatialChange change_;
  OutputFacts output_;
};

/// log(1 + |X|) of dense complex numbers.
std::vector<float> log_magnitudes(const std::vector<std::byte>& numbers, FftReal real);

/// Under a name that ends in .png levels, black for the least and white for the greatest and for what is not finite, and of a picture with
/// alpha opaque; else float32. Returns what there is to say of it. Throws as Sink::create does.
std::vector<std::string> write_spectrum(const std::vector<float>& logarithms, const OutputFacts& output, const ArrayFacts& facts,
                                        const std::string& path, Overwrite overwrite);

}  // namespace crinkle::tool
