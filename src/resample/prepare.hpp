// A copy of the source as the numbers that are computed with, for elements that no kernel reads, and for splines their coefficients.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "crinkle/executor.hpp"
#include "crinkle/resample.hpp"
#include "resample/form.hpp"

namespace crinkle::resampling {

template <class T>
struct Prepared {
  Form form;  // of the copy
  std::unique_ptr<T[]> numbers;
};

/// Requires a checked resampling. Throws too_large, out_of_memory.
template <class T>
Prepared<T> prepared(const Resampling& resampling, const std::byte* source, Executor& executor);

}  // namespace crinkle::resampling
