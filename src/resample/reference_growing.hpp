// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "crinkle/resample.hpp"
#include "resample/form.hpp"

namespace crinkle::resampling {

/// The value at indices p of the result by a kernel that grows with the scale. element(index): the source's at indices of its resampled
/// axes.
template <class T>
T growing_value(const Resampling& resampling, const Form& form, const std::int64_t* p, const std::function<T(const Extents&)>& element);

}  // namespace crinkle::resampling
