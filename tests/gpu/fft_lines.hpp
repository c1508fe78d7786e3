// Lines that a plan transforms on a GPU. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "fft/same_bits.hpp"
#include "on_gpu.hpp"

namespace crinkle::testing {

/// So many bytes past an aligned address.
inline fft::same_bits::Lines transformed_lines(const FftPlan& plan, const fft::same_bits::Place& place, const fft::same_bits::Lines& lines,
                                               bool is_in_place, std::int64_t shift = 0) {
  using fft::bytes_of;
  Guarded src({0, bytes_of(place.in)}, shift), dst({0, bytes_of(place.out)}, shift);
  fft::same_bits::put_lines(place.in, place.axis, lines, src.host());
  src.upload();
  dst.upload();
  const Lent workspace(plan.workspace_bytes());
  const Stream stream(cuda());
  Guarded& result = is_in_place ? src : dst;
  plan.run({src.device(), bytes_of(place.in)}, {result.device(), bytes_of(place.out)}, workspace, stream);
  stream.synchronize();
  const std::vector<std::byte> have = result.download();
  return fft::same_bits::get_lines(place.out, place.axis, have.data() + Guarded::guard + shift);
}

}  // namespace crinkle::testing
