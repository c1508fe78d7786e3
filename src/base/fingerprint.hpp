// A number that tells requests apart, the same in every process: ranks compare what they were asked for by it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "crinkle/detail/request_key.hpp"

namespace crinkle {

/// Everything that was taken, in its order. Unlike things have the same number once in 2^64 times.
class Fingerprint {
 public:
  /// Requests, as they are in the keys of kept plans.
  template <class... T>
  Fingerprint& of(const T&... requests) {
    for (const std::int64_t x : detail::key_of(requests...)) take(x);
    return *this;
  }
  Fingerprint& bytes(const void* data, std::int64_t n) {
    take(n);
    for (std::int64_t at = 0; at < n; at += 8) {
      std::int64_t x = 0;
      std::memcpy(&x, static_cast<const std::byte*>(data) + at, static_cast<std::size_t>(n - at < 8 ? n - at : 8));
      take(x);
    }
    return *this;
  }
  template <class T>
  Fingerprint& numbers(std::span<const T> list) {
    return bytes(list.data(), static_cast<std::int64_t>(list.size_bytes()));
  }
  std::uint64_t number() const noexcept { return h_; }

 private:
  void take(std::int64_t x) {
    h_ = (h_ ^ static_cast<std::uint64_t>(x)) * 0xD6E8FEB86659FD93u;
    h_ ^= h_ >> 32;
    h_ = (h_ ^ 0x9E3779B97F4A7C15u) * 0xD6E8FEB86659FD93u;
    h_ ^= h_ >> 29;
  }
  std::uint64_t h_ = 0x9E3779B97F4A7C15u;
};

}  // namespace crinkle
