// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "suites/hypercubic_transform.hpp"

namespace crinkle::bench {

/// A transform in one of the versions, from n × n floats to as many, on all workers. Everything that can be prepared is prepared here. The
/// executor must outlive the result. Throws bad_shape for version B unless n is a power of two.
std::function<void(const float* src, float* dst)> loop_of(const Transform& t, Version version, Executor& executor);

}  // namespace crinkle::bench
