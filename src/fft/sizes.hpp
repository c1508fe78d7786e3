// Checks the sizes of a request for a transform, and derives what follows from them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "crinkle/fft.hpp"

namespace crinkle::fft {

inline constexpr std::int64_t workspace_alignment = 64;  // bytes
/// So many bytes or a few more, after which another part of a workspace is aligned.
std::int64_t aligned_bytes(std::int64_t bytes);

const char* name_of(FftReal real);

inline bool is_real_to_real(FftKind kind) { return kind == FftKind::cosine || kind == FftKind::sine; }

struct Sizes {
  std::vector<std::size_t> axes;  // in the request's order
  std::vector<std::int64_t> n;    // N of each
  bool is_half_in = false;        // the last axis of the input has N/2 + 1 numbers
  Extents between;                // the output's; of complex_to_real before the last axis: all others have their N
  double product = 1;             // Π N
  std::int64_t n_points = 0;      // Π N · lines
  /// How many numbers of axis i are read at most.
  std::int64_t n_in(std::size_t i) const { return is_half_in && i + 1 == n.size() ? n[i] / 2 + 1 : n[i]; }
};

/// Throws out_of_memory where lines of n numbers of an axis need more bytes than a machine has.
void check_memory(int axis, std::int64_t n, std::int64_t needed, std::int64_t memory);

/// Throws what FftPlan's constructor throws.
Sizes check_request(const FftRequest& request);

}  // namespace crinkle::fft
