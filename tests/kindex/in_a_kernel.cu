// Every call of kindex.hpp from inside a kernel, for both forms and both integers: plain nvcc, without flags, must compile this file.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/kindex.hpp"

namespace {

using namespace crinkle;

template <class Index>
__global__ void call_everything(Index index, typename Index::Flip flip, typename Index::Shift shift, typename Index::Crinkle crinkle,
                                Grid<3> grid, typename Index::Integer* seen, typename Index::Integer* table) {
  using K = typename Index::Integer;
  const K k = static_cast<K>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k >= index.total()) return;
  K sum = index.compose(index.decompose(k)) + index.index(k, 1) + index.unit(2) + index.extent(0);
  sum += index.neighbour(k, 1, -1) + index.neighbour(k, 2, 5, Boundary::reflecting) + index.neighbour(k, {1, -1, 0}, Boundary::open);
  sum += index.flip(k, flip) + index.flip(k, 1) + index.shift(k, shift);
  sum += index.crinkle(k, crinkle) + index.uncrinkle(k, crinkle) + grid.nearest(index, grid.position(index, k));
  sum += index.run(k, flip).to + index.run(k, shift).count + index.run(k, crinkle).stride;
  for_each_move(index, crinkle, k, k + 1, [&sum](K from, K to) { sum += from ^ to; });
  seen[k] = sum == Index::outside ? 0 : sum;
  fill_neighbours_of(k, index, nearest_distances<3>(), Boundary::periodic, TableOrder::by_slot, table);
}

template <class Index>
void launch(const Index& index, typename Index::Integer* seen, typename Index::Integer* table) {
  call_everything<<<1, 512>>>(index, index.make_flip({true, false, true}), index.make_shift({-1, 2, 3}), index.make_crinkle(0, 2),
                              Grid<3>{{0, 0, 0}, {1, 1, 1}}, seen, table);
}

}  // namespace

void launch_what_suits(std::uint64_t extent, std::uint32_t* seen, std::uint32_t* table) {
  with_index<std::uint32_t>(Array<std::uint64_t, 3>{extent, 8, 8}, [=](const auto& index) { launch(index, seen, table); });
}

void launch_every_form(std::uint32_t* seen32, std::uint32_t* table32, std::uint64_t* seen64, std::uint64_t* table64) {
  launch(PowerOfTwoIndex<3, std::uint32_t>({8, 8, 8}), seen32, table32);
  launch(AnyIndex<3, std::uint32_t>({5, 7, 9}), seen32, table32);
  launch(PowerOfTwoIndex<3>({8, 8, 8}), seen64, table64);
  launch(AnyIndex<3>({5, 7, 9}), seen64, table64);
}
