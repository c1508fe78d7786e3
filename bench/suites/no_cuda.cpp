// Suites ask this of a GPU in a build without CUDA: there is none, which is said before any of it is called.
// SPDX-License-Identifier: BSD-3-Clause
#include "harness/gpu_kernels.hpp"
#include "harness/site.hpp"
#include "suites/stencil_examples.hpp"
#include "suites/stencil_own.hpp"
#include "suites/suites.hpp"
#include "suites/triangle_check.hpp"

namespace crinkle::bench {
namespace {

[[noreturn]] void refuse() { throw Error(ErrorCode::device, "this build has no CUDA; build with CRINKLE_CUDA=ON, or use --device cpu"); }

}  // namespace

std::unique_ptr<Site> gpu_site(Device) { refuse(); }
void index_on_gpu(const IndexLoop&, const void*, void*, CUstream_st*) { refuse(); }
std::int64_t first_wrong_of_triangle(const TriangleLayout&, const TriangleLayout&, const std::byte*, const std::byte*, const Stream&) {
  refuse();
}
void flip_on_gpu(ising::Lattice<1, 1>&, double, CUstream_st*) { refuse(); }
void step_on_gpu(cavity::Fields&, CUstream_st*) { refuse(); }
bool own_on_gpu(const Sweep&, const std::byte*, std::byte*, CUstream_st*) { refuse(); }
std::vector<Entry> batches_entries(const Request&) { refuse(); }

}  // namespace crinkle::bench
