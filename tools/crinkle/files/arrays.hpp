// Arrays in files, for a person and element by element.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "crinkle/executor.hpp"
#include "crinkle/number.hpp"
#include "formats/facts.hpp"
#include "formats/source.hpp"

namespace crinkle::tool {

/// "a.npy [4][5] float32".
std::string described(const std::string& path, const Extents& extents, const ElementType& type);

/// The numbers that a file's elements are computed with as; those of a file that is read may be bool, which are 0 and 1. Throw unsupported,
/// naming the file.
NumberType number_written(const ElementType& type, const std::string& path);
NumberType number_read(const ElementType& type, const std::string& path);

/// Calls body(i, at) for every element i = 0, 1, … of an array in C order, which lies at byte `at`.
void for_each_element(const Layout& layout, const std::function<void(std::int64_t i, std::int64_t at)>& body);

/// The array of a file with its elements in C order: the source itself, or a copy in memory, whose data then begin its bytes. Throws
/// out_of_memory, and bad_file where the copy is verified and not what the definition says.
std::unique_ptr<Source> in_c_order(std::unique_ptr<Source> source, Executor& executor, bool is_verified);

}  // namespace crinkle::tool
