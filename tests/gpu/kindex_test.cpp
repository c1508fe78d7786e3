// Every function of a k-index gives in a kernel what it gives on a host, where tests/kindex compares it with its definition: boundaries,
// lists of neighbours, flips, shifts, crinkles and back, and eq. 20's number of a thread.
// SPDX-License-Identifier: BSD-3-Clause
#include "kindex_on_gpu.hpp"

#include "on_gpu.hpp"

namespace crinkle::gpu_kindex_test {
namespace {

using testing::KIndexCalls;

class KIndexOnGpu : public testing::OnGpu {};

template <class K>
std::vector<K> read_back(const DeviceMemory& memory, std::size_t count) {
  std::vector<K> host(count);
  copy_bytes({memory.data(), memory.bytes()}, {host.data(), static_cast<std::int64_t>(count * sizeof(K))});
  return host;
}

template <class Index>
void expect_same(const typename Index::Extents& extents) {
  using K = typename Index::Integer;
  const Index index(extents);
  ASSERT_TRUE(index.is_valid());
  const KIndexCalls<Index> calls(index);
  const std::size_t total = static_cast<std::size_t>(index.total()), n_calls = KIndexCalls<Index>::n_calls,
                    n_slots = KIndexCalls<Index>::n_slots;
  const auto bytes = [](std::size_t count) { return static_cast<std::int64_t>(count * sizeof(K)); };
  const DeviceMemory values(cuda(), bytes(total * n_calls)), by_cell(cuda(), bytes(total * n_slots)),
      by_slot(cuda(), bytes(total * n_slots));
  ASSERT_EQ(testing::call_on_gpu<Index>(calls,
                                        {static_cast<K*>(values.data()), static_cast<K*>(by_cell.data()), static_cast<K*>(by_slot.data())}),
            0);

  const std::vector<K> have = read_back<K>(values, total * n_calls);
  for (std::size_t call = 0; call < n_calls; ++call)
    for (std::size_t k = 0; k < total; ++k)
      ASSERT_EQ(have[call * total + k], calls(static_cast<int>(call), static_cast<K>(k))) << "call " << call << ", k " << k;
  std::vector<K> table(total * n_slots);
  fill_neighbours(index, nearest_distances<Index::rank>(), Boundary::open, TableOrder::by_cell, table.data());
  EXPECT_EQ(read_back<K>(by_cell, table.size()), table);
  fill_neighbours(index, nearest_distances<Index::rank>(), Boundary::reflecting, TableOrder::by_slot, table.data());
  EXPECT_EQ(read_back<K>(by_slot, table.size()), table);
}

TEST_F(KIndexOnGpu, every_function_of_a_k_index_is_the_hosts) {
  expect_same<PowerOfTwoIndex<3, std::uint32_t>>({8, 4, 16});
  expect_same<PowerOfTwoIndex<3, std::uint64_t>>({1, 32, 8});
  expect_same<AnyIndex<3, std::uint32_t>>({5, 7, 9});
  expect_same<AnyIndex<3, std::uint64_t>>({12, 1, 35});
  expect_same<AnyIndex<5, std::uint32_t>>({3, 4, 1, 5, 6});
}

}  // namespace
}  // namespace crinkle::gpu_kindex_test
