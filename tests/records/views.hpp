// Record types for the tests of views, each record as files written by hand have it, and the comparison of what a view loads and stores
// with such a file.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "crinkle/record_layout.hpp"
#include "crinkle/records.hpp"
#include "support/records.hpp"

namespace crinkle::testing {

inline constexpr std::byte padding{0x5C}, other_padding{0xA3}, untouched{0xA5};

struct Particle {
  float x, y, z, p;
};
struct Three {
  float x, y, z;
};
struct Complex {
  float re, im;
};
struct Mixed {
  std::uint8_t a;
  double b;
  std::int16_t c;
  float d[3];
  Complex e;
};
struct alignas(16) Quad {
  float of[4];
};
struct Wide {
  std::uint8_t a;
  Quad q;
  std::uint16_t m[2][3];
};

using Particles = Record<Particle, &Particle::x, &Particle::y, &Particle::z, &Particle::p>;
using Threes = Record<Three, &Three::x, &Three::y, &Three::z>;
using Mixeds = Record<Mixed, &Mixed::a, &Mixed::b, &Mixed::c, &Mixed::d, &Mixed::e>;
using Wides = Record<Wide, &Wide::a, &Wide::q, &Wide::m>;
inline constexpr const char* particles = "x:f4 y:f4 z:f4 p:f4";
inline constexpr const char* threes = "x:f4 y:f4 z:f4";
inline constexpr const char* mixed = "a:u1 b:f8 c:i2 d:f4[3] e:c8";
inline constexpr const char* wide = "a:u1 q:f16 m:u2[2,3]";

struct Fill {
  const Fields* fields;
  std::int64_t i;
  template <int K, class M>
  void visit(M& member) const {
    std::byte bytes[sizeof(M)];
    for (std::size_t k = 0; k < sizeof(M); ++k) bytes[k] = value_of((*fields)[K].name, i, static_cast<std::int64_t>(k));
    std::memcpy(static_cast<void*>(&member), bytes, sizeof(M));
  }
};
struct Compare {
  const Fields* fields;
  std::int64_t i;
  bool* is_equal;
  template <int K, class M>
  void visit(const M& member) const {
    std::byte bytes[sizeof(M)];
    std::memcpy(bytes, static_cast<const void*>(&member), sizeof(M));
    for (std::size_t k = 0; k < sizeof(M); ++k)
      *is_equal = *is_equal && bytes[k] == value_of((*fields)[K].name, i, static_cast<std::int64_t>(k));
  }
};

template <class R>
typename R::Type made(const Fields& fields, std::int64_t i) {
  typename R::Type record{};
  R::for_each(record, Fill{&fields, i});
  return record;
}
template <class R>
bool is_made(const typename R::Type& record, const Fields& fields, std::int64_t i) {
  bool is_equal = true;
  R::for_each(record, Compare{&fields, i, &is_equal});
  return is_equal;
}

/// Bytes that begin `past` bytes behind a multiple of 64, guards before and behind.
struct Placed {
  std::vector<std::byte> all;
  std::size_t begin = 64, n;
  Placed(const Bytes& bytes, std::size_t past) : all(bytes.size() + 256, untouched), n(bytes.size()) {
    while (reinterpret_cast<std::uintptr_t>(all.data() + begin) % 64 != past) ++begin;
    std::copy(bytes.begin(), bytes.end(), data());
  }
  std::byte* data() { return all.data() + begin; }
  bool is_guarded() const {
    const auto is_untouched = [](std::byte b) { return b == untouched; };
    return std::all_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(begin), is_untouched) &&
           std::all_of(all.begin() + static_cast<std::ptrdiff_t>(begin + n), all.end(), is_untouched);
  }
};

/// What was stored: all bytes of fields as the file has them; `other` is that file with other bytes between.
inline void expect_stored(Placed& stored, const Bytes& file, const Bytes& other, const std::string& what) {
  ASSERT_TRUE(stored.is_guarded()) << what;
  for (std::size_t k = 0; k < file.size(); ++k) ASSERT_TRUE(file[k] != other[k] || stored.data()[k] == file[k]) << what << ", byte " << k;
}

template <class R, class View>
void expect_loaded_and_stored(const View& of_file, const View& of_empty, const Fields& fields, const std::string& what) {
  for (std::int64_t i = 0; i < of_file.size(); ++i) {
    ASSERT_TRUE(is_made<R>(of_file.load(i), fields, i)) << what << ", record " << i;
    of_empty.store(i, made<R>(fields, i));
  }
}

}  // namespace crinkle::testing
