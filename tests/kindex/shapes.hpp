// Calls a check for every form, integer and small shape: extents 1, primes and powers of two on 1, 2, 3 and 5 axes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>

#include "kindex/reference.hpp"

namespace crinkle {

template <class Index, class Check>
void on_form(const typename Index::Extents& extents, Check check) {
  if (!Index::fits(extents)) return;
  reference::Cell plain;
  for (const std::uint64_t extent : extents) plain.push_back(static_cast<std::int64_t>(extent));
  ::testing::ScopedTrace trace(__FILE__, __LINE__, ::testing::PrintToString(plain));
  check(Index(extents), plain);
}

template <int N, class Check>
void on_shapes(std::initializer_list<Array<std::uint64_t, N>> shapes, Check check) {
  for (const auto& extents : shapes) {
    on_form<PowerOfTwoIndex<N, std::uint32_t>>(extents, check);
    on_form<PowerOfTwoIndex<N, std::uint64_t>>(extents, check);
    on_form<AnyIndex<N, std::uint32_t>>(extents, check);
    on_form<AnyIndex<N, std::uint64_t>>(extents, check);
  }
}

/// check(index, extents) with extents as a reference::Cell.
template <class Check>
void on_every_index(Check check) {
  on_shapes<1>({{1}, {2}, {3}, {5}, {6}, {8}, {16}, {17}}, check);
  on_shapes<2>({{4, 4}, {1, 5}, {5, 1}, {3, 7}, {8, 2}, {1, 8}, {9, 6}}, check);
  on_shapes<3>({{1, 1, 1}, {4, 5, 3}, {2, 1, 4}, {4, 2, 8}, {7, 2, 5}, {8, 8, 1}}, check);
  on_shapes<5>({{2, 3, 1, 4, 2}, {2, 2, 4, 1, 2}, {3, 2, 2, 2, 3}}, check);
}

template <class Index>
constexpr std::int64_t plain(const Index&, typename Index::Integer k) {
  return k == Index::outside ? -1 : static_cast<std::int64_t>(k);
}

}  // namespace crinkle
