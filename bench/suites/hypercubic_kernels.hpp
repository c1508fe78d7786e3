// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "suites/hypercubic_transform.hpp"

struct CUstream_st;

namespace crinkle::bench {

/// A transform by a kernel in version A, B or C, from n × n floats of a device to as many, given to the stream.
/// Requires n to be a power of two from 256 on and below 2^16.
std::function<void()> kernel_of(const Transform& t, Version version, const float* src, float* dst, CUstream_st* stream);

}  // namespace crinkle::bench
