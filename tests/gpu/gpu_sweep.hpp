// A sweep on a GPU beside the same on the CPU, bit for bit. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "stencil/stencils.hpp"

#include <string>
#include <vector>

#include "graph.hpp"
#include "notation/expect_error.hpp"
#include "on_gpu.hpp"

namespace crinkle::testing::stencil_test {

using Gpu = OnGpu;

// A sweep's arrays on the device, the source filled and the destination's every byte known.
class GpuSweep {
 public:
  explicit GpuSweep(const Sweep& sweep, std::int64_t src_shift = 0, std::int64_t dst_shift = 0)
      : sweep_(sweep),
        sweeper_(sweep, cuda()),
        content_(numbers_for(sweep.source, sweep.source_type)),
        src_(span_of(sweep.source), src_shift),
        dst_(span_of(sweep.destination), dst_shift) {
    const ByteSpan from = span_of(sweep.source);
    std::copy(content_.begin(), content_.end(), src_.host() + from.first);
    src_.upload();
    dst_.upload();
  }
  void give(const Stream& stream) {
    const ByteSpan from = span_of(sweep_.source), to = span_of(sweep_.destination);
    sweeper_.run({src_.device(), from.last}, {dst_.device(), to.last}, stream);
  }
  void poison() { dst_.upload(); }
  // The destination is what the CPU makes of the same, between bytes that are as they were.
  void expect_as_on_the_cpu(const char* what = "") {
    EXPECT_TRUE(src_.is_as_on_host()) << "the source was changed";
    std::vector<std::byte> want = dst_.host_bytes();
    const ByteSpan from = span_of(sweep_.source), to = span_of(sweep_.destination);
    std::byte* const begin = want.data() + (dst_.host() - dst_.host_begin());
    Sweeper(sweep_).run({src_.host(), from.last}, {begin, to.last});
    const std::vector<std::byte> have = dst_.download();
    const std::size_t at = first_difference(have, want);
    EXPECT_EQ(at, have.size()) << what << told(sweep_) << ": byte " << dst_.offset_of(at) << " of " << to.first << " to " << to.last << "\n"
                               << sweeper_.describe();
  }

 private:
  Sweep sweep_;
  Sweeper sweeper_;
  Bytes content_;
  Guarded src_, dst_;
};

inline void expect_as_on_the_cpu(const Sweep& sweep, std::int64_t src_shift = 0, std::int64_t dst_shift = 0) {
  GpuSweep run(sweep, src_shift, dst_shift);
  const Stream stream(cuda());
  run.give(stream);
  stream.synchronize();
  run.expect_as_on_the_cpu();
}

inline std::vector<int> axes_of(std::size_t n) {
  std::vector<int> axes(n);
  for (std::size_t a = 0; a < n; ++a) axes[a] = static_cast<int>(a);
  return axes;
}

}  // namespace crinkle::testing::stencil_test
