// Elements of 1, 2 and 4 bits on a GPU move as on the CPU, the last byte's unused bits too; nothing beside them is written.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/packed.hpp"

#include "crinkle/notation.hpp"
#include "gpu/on_gpu.hpp"

namespace crinkle::packed_gpu_test {
namespace {

using Gpu = testing::OnGpu;

void expect_move(const Rearrangement& r, int bits) {
  std::mt19937_64 random(static_cast<std::uint64_t>(r.source().n_elements() * bits));
  std::vector<std::byte> src(static_cast<std::size_t>(packed_bytes(r.source().n_elements(), bits))),
      want(static_cast<std::size_t>(packed_bytes(r.destination().n_elements(), bits)));
  for (std::byte& b : src) b = static_cast<std::byte>(random());
  move_packed(r, bits, {src.data(), std::ssize(src)}, {want.data(), std::ssize(want)});
  constexpr std::int64_t guard = 64;
  std::vector<std::byte> have(want.size() + guard, std::byte{0xA5});
  const DeviceMemory from(cuda(), std::ssize(src)), to(cuda(), std::ssize(have));
  copy_bytes({src.data(), std::ssize(src)}, from);
  copy_bytes({have.data(), std::ssize(have)}, to);
  const PackedMove move(r, bits, cuda());
  const DeviceMemory workspace(cuda(), move.workspace_bytes());
  const Stream stream(cuda());
  move.run(from, {to.data(), std::ssize(want)}, stream, workspace);
  stream.synchronize();
  copy_bytes(to, {have.data(), std::ssize(have)});
  EXPECT_TRUE(std::equal(want.begin(), want.end(), have.begin())) << bits << " bits, " << r.source().n_elements() << " elements";
  EXPECT_TRUE(std::all_of(have.end() - guard, have.end(), [](std::byte b) { return b == std::byte{0xA5}; }));
  EXPECT_THROW(move.run(from, to, stream, workspace), Error) << "the destination is longer";
  EXPECT_THROW(move.run(from, {to.data(), std::ssize(want)}, stream, {workspace.data(), workspace.bytes() - 1}), Error);
}

TEST_F(Gpu, packed_elements_move_as_on_the_cpu) {
  const Layout cube = Layout::dense({12, 10, 14}, 1), odd = Layout::dense({5, 7, 9}, 1), large = Layout::dense({300, 511, 33}, 1);
  const std::byte one[] = {std::byte{1}};
  for (const int bits : {1, 2, 4}) {
    expect_move(parse("z y x -> x y z", cube), bits);
    expect_move(parse("z y x -> x z y", odd), bits);
    expect_move(parse("z (y 2) x -> 2 z x y", cube), bits);
    expect_move(parse("z y x -> z y x", odd).flip("x").roll("y", 3), bits);
    expect_move(parse("z y x -> z y x", odd).pad("x", 2, 1, PadMode::constant, one), bits);
    expect_move(parse("z y x -> y x z", large), bits);
  }
}

}  // namespace
}  // namespace crinkle::packed_gpu_test
