// Numbers that the type of an output does not hold: floats beyond it, which are written as infinite, and where integers are written, what
// is beyond these, and NaN. What is lost is said in one line. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "crinkle/executor.hpp"
#include "crinkle/sweeper.hpp"
#include "formats/source.hpp"

namespace crinkle::tool {

/// How many numbers of this type, real or complex, have an infinite part; 0 of integers.
std::int64_t count_infinite(std::span<const std::byte> numbers, const ElementType& type, Executor& executor);
/// The same of those that are infinite or NaN.
std::int64_t count_not_finite(std::span<const std::byte> numbers, const ElementType& type, Executor& executor);
std::int64_t count_not_finite(const Source& source, Executor& executor);
/// Whether a number of an array is infinite.
bool has_infinite(const Source& source, Executor& executor);

/// Throws bad_notation where a constant beyond an array is none that elements of these integers are.
void check_constants(const std::vector<Faces>& boundary, const ElementType& type, const std::string& path);

/// Says how many numbers of an output are infinite. `were_infinite`, asked if any is, says whether numbers of the input were: then it says
/// nothing. `instead`: the way out, where there is one.
void note_beyond(const std::string& output, std::span<const std::byte> numbers, const ElementType& type,
                 const std::function<bool()>& were_infinite, const std::string& instead, Executor& executor);
/// Whether an integer of 64 bits is one that float64, which is computed with, does not hold as it is.
bool is_beyond_float64(const std::byte* number, NumberType type);
/// Whether such integers are among numbers of a type, of an array.
bool has_beyond_float64(std::span<const std::byte> numbers, const ElementType& type, Executor& executor);
bool has_beyond_float64(const Source& source, Executor& executor);
/// "there are numbers of int64 beyond 2^53, which are rounded to float64", as Python says it.
std::string beyond_float64(const std::string& type, const std::string& becomes = "float64");

/// Says, where numbers become integers of another type, how many of the input are NaN, which become 0, and how many are beyond the type,
/// of which its least and greatest are left.
void note_made_integers(const Source& source, const ElementType& type, Executor& executor);
/// The same of plain numbers, where NaN says that there are no data.
template <class T>
void note_made_integers(const std::string& path, std::span<const T> numbers, const ElementType& type, Executor& executor);

}  // namespace crinkle::tool
