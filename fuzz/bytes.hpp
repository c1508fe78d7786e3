// A fuzzer's input as a source of small numbers; when it is used up, everything is 0.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace crinkle::fuzz {

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}

  /// One byte's worth of a number in low … high.
  std::int64_t number(std::int64_t low, std::int64_t high) {
    const std::int64_t byte = left_ > 0 ? data_[0] : 0;
    if (left_ > 0) {
      ++data_;
      --left_;
    }
    return low + byte % (high - low + 1);
  }
  bool is_used_up() const { return left_ == 0; }
  std::string rest() const { return {reinterpret_cast<const char*>(data_), left_}; }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

}  // namespace crinkle::fuzz
