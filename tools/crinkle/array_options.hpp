// How the arrays of interlace and deinterlace are given, and what both check.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "formats/facts.hpp"
#include "formats/source.hpp"
#include "several.hpp"

namespace crinkle::tool {

struct ArrayOptions {
  std::string shape, dtype;  // of raw inputs
  std::int64_t offset = 0;
  std::int64_t axis = -1;
  Running running;

  void add_to(CLI::App& command);
  std::unique_ptr<Source> open(const std::string& path) const;
};

/// Checks names and options before anything is opened.
void check_arrays(const ArrayOptions& o, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);

/// "a.npy [4][5] float32".
std::string described(const std::string& path, const Extents& extents, const ElementType& type);

/// Calls body(i, at) for every element i = 0, 1, … of an array in C order, which lies at byte `at`.
void for_each_element(const Layout& layout, const std::function<void(std::int64_t i, std::int64_t at)>& body);

}  // namespace crinkle::tool
