// What tests on a real GPU share: they are skipped where there is none, and moves are compared with their definition, guard zones included.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>
#include <malloc.h>

#include <bit>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "crinkle/crinkle.hpp"
#include "form/check.hpp"
#include "move/cuda/move.hpp"
#include "move/reference.hpp"
#include "support/parts.hpp"

namespace crinkle::testing {

/// How many cases: CRINKLE_CASES in the environment, so that a sanitizer's run takes fewer.
inline int n_cases(int usual) {
  const char* wanted = std::getenv("CRINKLE_CASES");
  return wanted == nullptr ? usual : std::min(usual, std::atoi(wanted));
}

/// Memory of the device, not initialised, that cases hand on: freeing it would wait for the device each time. A sanitizer's run
/// (CRINKLE_CASES) allocates each, and so finds what is read anywhere beside it.
class Lent {
 public:
  explicit Lent(std::int64_t bytes) : bytes_(bytes) {
    const bool is_kept = bytes > 0 && bytes <= most_kept && std::getenv("CRINKLE_CASES") == nullptr;
    const std::int64_t room = is_kept ? static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(bytes))) : bytes;
    if (is_kept) idle_ = &idle_of()[room];
    if (!is_kept || idle_->empty()) {
      memory_ = DeviceMemory(cuda(), room);
    } else {
      memory_ = idle_->back();
      idle_->pop_back();
    }
  }
  ~Lent() {
    if (idle_ != nullptr && memory_.data() != nullptr) idle_->push_back(memory_);
  }
  Lent(Lent&&) noexcept = default;
  static void free_all() { idle_of().clear(); }

  void* data() const { return memory_.data(); }
  std::int64_t bytes() const { return bytes_; }
  operator Buffer() const { return {data(), bytes_}; }       // NOLINT: it is one
  operator ConstBuffer() const { return {data(), bytes_}; }  // NOLINT

 private:
  static constexpr std::int64_t most_kept = 64 << 20;
  using Idle = std::vector<DeviceMemory>;
  static std::map<std::int64_t, Idle>& idle_of() {  // by their bytes
    static std::map<std::int64_t, Idle> idle;
    return idle;
  }

  std::int64_t bytes_;
  Idle* idle_ = nullptr;  // where it goes back to
  DeviceMemory memory_;
};

class OnGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (count_cuda_devices() == 0) GTEST_SKIP() << "no GPU on this machine";
  }
  // Large arrays come from the heap and stay in it: two thirds of the time of large triangles went into fresh pages.
  static void SetUpTestSuite() {
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
  }
  static void TearDownTestSuite() { Lent::free_all(); }  // nothing is lent between tests
};

/// Where two arrays of as many bytes differ first; their size if they do not.
inline std::size_t first_difference(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  if (std::memcmp(a.data(), b.data(), a.size()) == 0) return a.size();
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
}

/// A buffer of the device whose layout begins at byte 0 of a span; so many bytes past an aligned address, guarded on both sides.
class Guarded {
 public:
  static constexpr std::int64_t guard = 64;  // bytes

  Guarded(const ByteSpan& span, std::int64_t shift)
      : span_(span),
        shift_(shift),
        host_(static_cast<std::size_t>(span.last - span.first + 2 * guard + shift), std::byte{0xA5}),
        memory_(std::ssize(host_)) {}

  std::byte* host() { return host_.data() + guard + shift_ - span_.first; }
  std::byte* device() { return static_cast<std::byte*>(memory_.data()) + guard + shift_ - span_.first; }
  void fill_random(std::uint64_t seed) {
    constexpr std::int64_t block = 1 << 20;  // bytes
    const std::int64_t n = std::ssize(host_);
    in_parts_of(1, (n + block - 1) / block, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t b = begin; b < end; ++b) {
        std::mt19937_64 random(seed + static_cast<std::uint64_t>(b) * 0x9E3779B97F4A7C15u);
        for (std::int64_t i = b * block; i < std::min(n, (b + 1) * block); i += 8) {
          const std::uint64_t bytes = random();
          std::memcpy(host_.data() + i, &bytes, static_cast<std::size_t>(std::min<std::int64_t>(8, n - i)));
        }
      }
    });
  }
  void upload() { copy_bytes({host_.data(), std::ssize(host_)}, memory_); }
  std::vector<std::byte> download() const {
    std::vector<std::byte> bytes(host_.size());
    copy_bytes(memory_, {bytes.data(), std::ssize(bytes)});
    return bytes;
  }
  bool is_as_on_host() const { return first_difference(download(), host_) == host_.size(); }
  const std::vector<std::byte>& host_bytes() const { return host_; }
  std::byte* host_begin() { return host_.data(); }  // of the guard before it
  std::int64_t offset_of(std::size_t i) const { return static_cast<std::int64_t>(i) - guard - shift_ + span_.first; }

 private:
  ByteSpan span_;
  std::int64_t shift_;
  std::vector<std::byte> host_;
  Lent memory_;
};

/// Runs boxes on the GPU and as they are defined; every byte of the destinations' memory is compared.
inline void expect_as_defined(const Boxes& boxes, const Machine& machine, std::int64_t src_shift, std::int64_t dst_shift,
                              const std::string& what, decltype(&cuda_step) make_step = cuda_step_of_tiles) {
  const auto from_spans = spans_of(boxes, Side::source, count_slots(boxes, Side::source)),
             to_spans = spans_of(boxes, Side::destination, count_slots(boxes, Side::destination));
  std::vector<Guarded> from, to;
  std::vector<const std::byte*> in, on_device;
  std::vector<std::byte*> out, to_device;
  for (const ByteSpan& s : from_spans) {
    from.emplace_back(s, src_shift);
    from.back().fill_random(from.size() * 31 + boxes.size());
    from.back().upload();
  }
  for (const ByteSpan& s : to_spans) {
    to.emplace_back(s, dst_shift);
    to.back().upload();
  }
  for (Guarded& g : from) {
    in.push_back(g.host());
    on_device.push_back(g.device());
  }
  for (Guarded& g : to) {
    out.push_back(g.host());
    to_device.push_back(g.device());
  }
  const planning::Pass pass = planning::plan_pass(boxes, machine);
  const CudaStep step = make_step(pass, machine, std::ssize(from), std::ssize(to), 0);
  const Stream stream;
  run_cuda(step, on_device, to_device, stream.get(), what.c_str());
  stream.synchronize();
  run_reference(boxes, in, out);
  for (std::size_t s = 0; s < to.size(); ++s) {
    const std::vector<std::byte> have = to[s].download();
    const std::size_t at = first_difference(have, to[s].host_bytes());
    if (at == have.size()) continue;
    std::string kinds;
    for (std::size_t e = 0; e < pass.entries.size(); ++e) {
      kinds += std::string(tile::name_of(pass.variants.back().choices[e].shape.kind)) + " of " +
               std::to_string(pass.variants.back().choices[e].unit) + " ";
    }
    ADD_FAILURE() << what << "\n"
                  << kinds << ", shifts " << src_shift << " and " << dst_shift << ": buffer " << s << ", byte " << to[s].offset_of(at)
                  << " is wrong, of " << to_spans[s].first << " to " << to_spans[s].last;
  }
}

}  // namespace crinkle::testing
