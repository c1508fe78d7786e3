// Functions that only a build with CUDA has: themselves there, and elsewhere refused with the way out.
// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/entry.hpp"

#include <gtest/gtest.h>

#include <string>

#include "crinkle/pairs.hpp"
#include "crinkle/transfer.hpp"
#include "crinkle/triangle.hpp"
#include "cuda/device_buffers.hpp"

namespace crinkle {

std::int64_t only_on_a_gpu(std::int64_t a, const std::string& b);  // defined in no build

namespace {

double doubled(double x) { return 2 * x; }

constexpr Device gpu_0{Device::Kind::cuda, 0};

template <class Work>
void expect_refused(const Work& work) {
  try {
    work();
    ADD_FAILURE() << "this build has no CUDA";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::unsupported) << e.what();
    EXPECT_NE(std::string(e.what()).find("has no CUDA executor; use the CPU"), std::string::npos) << e.what();
  }
}

TEST(Entry, is_the_function_of_a_build_with_cuda) {
  EXPECT_EQ(has_cuda(), gpu::is_built);
  if (!gpu::is_built) GTEST_SKIP() << "this build has no CUDA";
  EXPECT_EQ(gpu::entry<doubled>(4), 8);
  EXPECT_NO_THROW(gpu::check_built(gpu_0));
}

TEST(Entry, refuses_in_a_build_without_cuda) {
  if constexpr (gpu::is_built) {
    GTEST_SKIP() << "this build has CUDA";
  } else {
    expect_refused([] { gpu::entry<doubled>(4); });
    expect_refused([] { gpu::entry<only_on_a_gpu>(1, "a name that no build has a function of"); });
    expect_refused([] { gpu::check_built(gpu_0); });
    expect_refused([] { gpu::cuda_index(cpu(), "work"); });
    expect_refused([] { cuda(3); });
  }
}

TEST(Entry, refuses_every_public_function_before_anything_else_is_said) {
  if (gpu::is_built) GTEST_SKIP() << "this build has CUDA";
  const Points wrong{.n = -1};
  expect_refused([&] { distances(wrong, Metric::euclidean, PairForm::condensed, {}, gpu_0, Stream()); });
  expect_refused([&] { count_collisions({wrong, {}}, gpu_0); });
  expect_refused([&] { find_collisions({wrong, {}}, Buffer{}, gpu_0); });
  expect_refused([&] { triplet_energy(wrong, gpu_0); });
  expect_refused([] { convert_triangle({}, {}, {}, {}, gpu_0, Stream()); });
  expect_refused([] { upload(Rearrangement(Layout::dense({4}, 1)), ConstBuffer{}, Buffer{}, cpu(), {}); });
}

}  // namespace
}  // namespace crinkle
