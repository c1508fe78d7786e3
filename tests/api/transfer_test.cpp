// Transfers where there is no GPU: one clear error, and nothing is done by the CPU instead. What they do on one:
// tests/gpu/transfer_test.cpp.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/transfer.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "crinkle/notation.hpp"
#include "crinkle/operations.hpp"
#include "crinkle/plan.hpp"
#include "support/guard.hpp"

namespace crinkle::transfer_test {
namespace {

TEST(Transfers, without_a_gpu_are_refused_and_nothing_is_moved) {
  if (count_cuda_devices() > 0) GTEST_SKIP() << "there is a GPU";
  const Rearrangement r = parse("y x -> x y", Layout::dense({3, 5}, 4));
  const Bytes source = noise(60);
  Bytes result(60, poison);
  const ConstBuffer from{source.data(), 60};
  const Buffer to{result.data(), 60};
  const Device gpu{Device::Kind::cuda, 0};
  for (const auto& transfer :
       {std::function<void()>([&] { upload(r, from, to, gpu); }), std::function<void()>([&] { download(r, from, to, gpu); }),
        std::function<void()>([&] { move_through(r, from, to, gpu); }), std::function<void()>([&] { move_through(r, from, to, cpu()); })}) {
    try {
      transfer();
      ADD_FAILURE() << "nothing was refused";
    } catch (const Error& e) { EXPECT_TRUE(e.code() == ErrorCode::device || e.code() == ErrorCode::unsupported) << e.what(); }
  }
  EXPECT_EQ(result, Bytes(60, poison));
}

}  // namespace
}  // namespace crinkle::transfer_test
