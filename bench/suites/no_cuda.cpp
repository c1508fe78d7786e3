// What suites ask of a GPU, in a build without CUDA: there is none, which is said before any of this is called.
// SPDX-License-Identifier: BSD-3-Clause
#include "harness/gpu_kernels.hpp"
#include "papers/fft/variants.hpp"
#include "papers/hypercubic/transform.hpp"
#include "papers/idw/variants.hpp"
#include "papers/simplex/simplex.hpp"
#include "suites/stencil_examples.hpp"
#include "suites/triangle_check.hpp"

namespace crinkle::bench {
namespace {

[[noreturn]] void refuse() { throw Error(ErrorCode::device, "this build has no CUDA; build with CRINKLE_CUDA=ON, or use --device cpu"); }

}  // namespace

std::unique_ptr<Site> gpu_site(Device) { refuse(); }
void index_on_gpu(const IndexLoop&, const void*, void*, CUstream_st*) { refuse(); }
std::function<void()> kernel_of(const Transform&, Version, const float*, float*, CUstream_st*) { refuse(); }
std::unique_ptr<SimplexBackend> simplex_on_gpu(const SimplexSizes&, std::uint64_t, Site&) { refuse(); }
std::int64_t first_wrong_of_triangle(const TriangleLayout&, const TriangleLayout&, const std::byte*, const std::byte*, const Stream&) {
  refuse();
}
std::function<void()> fft_paper::transform_on_gpu(Variant, std::vector<Pass>, std::int64_t, const Sample*, Sample*, const Sample*,
                                                  CUstream_st*) {
  refuse();
}
std::function<void()> idw_paper::sum_on_gpu(const Variant&, const PointArrays&, CUstream_st*) { refuse(); }
void flip_on_gpu(ising::Lattice<1, 1>&, double, CUstream_st*) { refuse(); }
void step_on_gpu(cavity::Fields&, CUstream_st*) { refuse(); }
std::vector<Entry> advice_entries(const Request&) { refuse(); }
std::vector<Entry> batches_entries(const Request&) { refuse(); }
std::vector<Entry> vectors_entries(const Request&) { refuse(); }
std::vector<Entry> versions_entries(const Request&) { refuse(); }

}  // namespace crinkle::bench
