// What the papers' suites ask of a GPU, in a build without CUDA: there is none, which is said before any of this is called.
// SPDX-License-Identifier: BSD-3-Clause
#include "papers/fft/variants.hpp"
#include "papers/hypercubic/transform.hpp"
#include "papers/idw/variants.hpp"
#include "papers/simplex/simplex.hpp"
#include "papers/suites.hpp"

namespace crinkle::bench {
namespace {

[[noreturn]] void refuse() { throw Error(ErrorCode::device, "this build has no CUDA; build with CRINKLE_CUDA=ON, or use --device cpu"); }

}  // namespace

std::function<void()> kernel_of(const Transform&, Version, const float*, float*, CUstream_st*) { refuse(); }
std::unique_ptr<SimplexBackend> simplex_on_gpu(const SimplexSizes&, std::uint64_t, Site&) { refuse(); }
std::function<void()> fft_paper::transform_on_gpu(Variant, std::vector<Pass>, std::int64_t, const Sample*, Sample*, const Sample*,
                                                  CUstream_st*) {
  refuse();
}
std::function<void()> idw_paper::sum_on_gpu(const Variant&, const PointArrays&, CUstream_st*) { refuse(); }
std::vector<Entry> advice_entries(const Request&) { refuse(); }
std::vector<Entry> vectors_entries(const Request&) { refuse(); }
std::vector<Entry> versions_entries(const Request&) { refuse(); }
std::vector<Entry> textures_entries(const Request&) { refuse(); }

}  // namespace crinkle::bench
