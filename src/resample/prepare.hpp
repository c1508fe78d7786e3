// A copy of the source as the numbers that are computed with, for elements that no kernel reads, and the coefficients of splines. Arrays of
// numbers are dense and at any address. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "crinkle/executor.hpp"
#include "crinkle/resample.hpp"
#include "resample/form.hpp"

namespace crinkle::resampling {

/// Elements that the kernels read as they lie, T being float or double: uint8, uint16, int16 and float32; float64.
template <class T>
bool is_read_directly(NumberType type) {
  if (type.is_swapped) return false;
  if constexpr (sizeof(T) == 8) return type.number == Number::float64;
  return type.number == Number::float32 || type.number == Number::uint8 || type.number == Number::uint16 || type.number == Number::int16;
}

/// Throws unsupported for a face that a spline would spread.
void check_spline(const Resampling& resampling);
/// Throws unsupported where some of a spline's n numbers are not finite.
void refuse_not_finite(std::int64_t n, std::int64_t n_not_finite);
/// Coefficients of a spline that are kept in front of the one of index 0.
std::int64_t kept_in_front(const Faces& faces);
/// The same in front of and behind an axis with an end of this kind.
std::int64_t kept_beside(Bound bound);
/// The source's extents, and more in front of and behind the first n_filtered of the resampled axes, or all of them.
Extents filtered_extents(const Resampling& resampling, std::size_t n_filtered);
Extents coefficient_extents(const Resampling& resampling);
/// The bytes that prefilter() needs beside the coefficients. Throws too_large.
std::int64_t prefilter_bytes(const Resampling& resampling);

/// The source's elements as numbers.
template <class T>
void load_numbers(const Layout& source, NumberType type, const std::byte* from, std::byte* to, Executor& executor);

/// The coefficients [coefficient_extents()] of the spline through the source's elements. `from` begins at byte 0 of its layout. Throws
/// unsupported where one is not finite. Requires a checked resampling, T being what is_float32() says.
template <class T>
void prefilter(const Resampling& resampling, const std::byte* from, std::byte* to, std::byte* own, Executor& executor);

/// The coefficients of a checked resampling by splines, from "source" to "coefficients", as an operation.
Operation prefilter_of(const Resampling& resampling, Device device);

}  // namespace crinkle::resampling
