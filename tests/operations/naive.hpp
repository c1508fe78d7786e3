// The oracle of these tests: arrays as index -> bytes, a map as a function from a destination index to a source index, and a runner that
// puts a rearrangement's steps through the reference executor into a poisoned destination. Buffers are exactly as long as they must be,
// so AddressSanitizer is the guard zone.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "crinkle/error.hpp"
#include "crinkle/rearrangement.hpp"
#include "move/reference.hpp"

namespace crinkle::testing {

using Index = std::vector<std::int64_t>;
using Bytes = std::vector<std::byte>;

inline constexpr std::byte poison{0xA5};

/// Calls f(index) for every index below the extents, in C order.
template <class F>
void for_each_index(const Extents& extents, const F& f) {
  for (const std::int64_t n : extents) {
    if (n == 0) return;
  }
  Index index(extents.size(), 0);
  while (true) {
    f(static_cast<const Index&>(index));
    std::size_t a = extents.size();
    while (a > 0 && ++index[a - 1] == extents[a - 1]) index[--a] = 0;
    if (a == 0) return;
  }
}

/// A dense C-order array.
struct Array {
  Extents extents;
  std::int64_t element_bytes = 1;
  Bytes bytes;

  friend bool operator==(const Array&, const Array&) = default;

  std::size_t at(const Index& index) const {
    std::int64_t k = 0;
    for (std::size_t a = 0; a < extents.size(); ++a) k = k * extents[a] + index[a];
    return static_cast<std::size_t>(k * element_bytes);
  }
  Bytes element(const Index& index) const {
    const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(at(index));
    return Bytes(from, from + element_bytes);
  }
  void set(const Index& index, const Bytes& value) {
    std::copy(value.begin(), value.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at(index)));
  }
};

inline Array filled(const Extents& extents, std::int64_t element_bytes, std::byte value) {
  const auto n = static_cast<std::size_t>(Layout::dense(extents, element_bytes).n_bytes());
  return {extents, element_bytes, Bytes(n, value)};
}

/// Every byte is hashed from its place and `seed`, so that no two elements of more than a byte are likely to agree.
inline Array numbered(const Extents& extents, std::int64_t element_bytes, std::uint64_t seed = 0) {
  Array array = filled(extents, element_bytes, std::byte{0});
  std::uint64_t k = seed << 32;
  for (std::byte& b : array.bytes) {
    std::uint64_t x = ++k * 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    b = static_cast<std::byte>(x >> 37);
  }
  return array;
}

/// How a source lies in memory: dense, first axis fastest, with gaps and an offset, or with every stride negative.
enum class Lie { c_order, fortran, gaps, backwards };
inline constexpr Lie all_lies[] = {Lie::c_order, Lie::fortran, Lie::gaps, Lie::backwards};

struct Source {
  Layout layout;
  Bytes buffer;
};

inline Source laid(const Array& array, Lie lie) {
  const std::int64_t e = array.element_bytes;
  Layout layout = lie == Lie::fortran ? Layout::dense_fortran(array.extents, e) : Layout::dense(array.extents, e);
  if (lie == Lie::gaps) {
    std::int64_t stride = e + 1;
    layout.offset = 5;
    for (std::size_t a = array.extents.size(); a-- > 0;) {
      layout.strides[a] = stride;
      stride = stride * array.extents[a] + 3;
    }
  } else if (lie == Lie::backwards) {
    for (std::size_t a = 0; a < array.extents.size(); ++a) {
      if (array.extents[a] > 0) layout.offset += (array.extents[a] - 1) * layout.strides[a];
      layout.strides[a] = -layout.strides[a];
    }
  }
  std::int64_t last = 0;
  const auto address = [&](const Index& index) {
    std::int64_t at = layout.offset;
    for (std::size_t a = 0; a < index.size(); ++a) at += index[a] * layout.strides[a];
    return at;
  };
  for_each_index(array.extents, [&](const Index& index) { last = std::max(last, address(index) + e); });
  Bytes buffer(static_cast<std::size_t>(last), std::byte{0xEE});
  for_each_index(array.extents, [&](const Index& index) {
    const Bytes value = array.element(index);
    std::copy(value.begin(), value.end(), buffer.begin() + address(index));
  });
  return {layout, buffer};
}

/// Runs all steps. The destinations' buffers hold `before`, each of `n_bytes`.
inline std::vector<Bytes> run(const Rearrangement& r, const std::vector<Bytes>& sources, std::int64_t n_bytes, std::byte before = poison) {
  std::vector<Bytes> destinations(static_cast<std::size_t>(r.n_destinations()), Bytes(static_cast<std::size_t>(n_bytes), before));
  std::vector<const std::byte*> src;
  std::vector<std::byte*> dst;
  for (const Bytes& s : sources) src.push_back(s.data());
  for (Bytes& d : destinations) dst.push_back(d.data());
  const Steps all = r.steps();
  Bytes workspace(static_cast<std::size_t>(all.workspace_bytes), poison);
  run_reference(all, src, dst, workspace.data());
  return destinations;
}

/// One array into one dense array.
inline Array moved(const Rearrangement& r, const Source& source, std::byte before = poison) {
  EXPECT_EQ(r.n_sources(), 1);
  EXPECT_EQ(r.n_destinations(), 1);
  EXPECT_TRUE(r.destination().is_dense());
  const std::vector<Bytes> result = run(r, {source.buffer}, r.destination().n_bytes(), before);
  return {r.destination().extents, r.destination().element_bytes, result[0]};
}
inline Array moved(const Rearrangement& r, const Array& source) { return moved(r, Source{{}, source.bytes}); }

/// dst[i] = src[where(i)], or `fill` (zeros when empty) where there is no such index.
using Where = std::function<std::optional<Index>(const Index&)>;
inline Array naive(const Array& src, const Extents& extents, const Where& where, const Bytes& fill = {}) {
  Array dst = filled(extents, src.element_bytes, std::byte{0});
  for_each_index(extents, [&](const Index& i) {
    const std::optional<Index> from = where(i);
    if (from) dst.set(i, src.element(*from));
    if (!from && !fill.empty()) dst.set(i, fill);
  });
  return dst;
}

/// Calls f(array, source) for arrays of rank 0 to 5, odd, even, prime, 1 and 0 extents, five element sizes, four ways to lie.
template <class F>
void for_each_source(const F& f, const std::vector<Extents>& shapes = {
                                     {}, {1}, {0}, {7}, {8}, {3, 5}, {1, 6}, {4, 0}, {2, 3, 4}, {3, 1, 5}, {2, 3, 1, 4}, {2, 1, 3, 2, 2}}) {
  for (const Extents& extents : shapes) {
    for (const std::int64_t e : {1, 3, 4, 12, 16}) {
      const Array array = numbered(extents, e);
      for (const Lie lie : all_lies) {
        SCOPED_TRACE(print_shape(extents) + ", elements of " + std::to_string(e) + " bytes, lie " + std::to_string(static_cast<int>(lie)));
        f(array, laid(array, lie));
      }
    }
  }
}

/// The text of the error that `act` throws; fails unless it has this code and names every one of `values`.
template <class Act>
void expect_error(ErrorCode code, const std::vector<std::string>& values, const Act& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_STREQ(name_of(error.code()), name_of(code)) << error.what();
    for (const std::string& value : values) {
      EXPECT_NE(std::string(error.what()).find(value), std::string::npos) << "\"" << value << "\" is not named in: " << error.what();
    }
    return;
  }
  ADD_FAILURE() << "expected the error " << name_of(code);
}

}  // namespace crinkle::testing
