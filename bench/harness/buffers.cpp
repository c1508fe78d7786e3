// SPDX-License-Identifier: BSD-3-Clause
#include "harness/buffers.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>

#include "base/checked.hpp"
#include "crinkle/error.hpp"
#include "harness/random.hpp"

namespace crinkle::bench {
namespace {

constexpr std::int64_t big_page = Region::page_bytes, guard = 4096, chunk = 1 << 20;

// Calls body(first, last) for every chunk of n bytes.
template <class Body>
void for_chunks(std::int64_t n_bytes, Executor& executor, const Body& body) {
  executor.parallel_for(ceil_divide(n_bytes, chunk), [&](std::int64_t c) { body(c * chunk, std::min(n_bytes, (c + 1) * chunk)); });
}

/// 0 where the system does not say.
std::int64_t last_cache_bytes() {
#if defined(_SC_LEVEL3_CACHE_SIZE)
  return ::sysconf(_SC_LEVEL3_CACHE_SIZE);
#else
  return 0;
#endif
}

void set(std::byte* first, std::int64_t n, std::byte value) {
  std::memset(first, std::to_integer<int>(value), static_cast<std::size_t>(n));
}

}  // namespace

Region::Region(std::int64_t capacity_bytes, Executor& executor, std::int64_t behind_bytes)
    : mapped_bytes_(static_cast<std::size_t>(add(capacity_bytes, 3 * big_page))) {
  mapped_ = ::mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped_ == MAP_FAILED)
    throw Error(ErrorCode::out_of_memory, "a buffer of " + std::to_string(capacity_bytes) + " bytes; give less with --memory");
  const auto past = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(mapped_) % static_cast<std::uintptr_t>(big_page));
  data_ = static_cast<std::byte*>(mapped_) + (big_page - past) % big_page + big_page;
  ::madvise(data_ - big_page, static_cast<std::size_t>(capacity_bytes + 2 * big_page),
            MADV_HUGEPAGE);  // advice: a system without is no fault
  data_ += behind_bytes;
  poison(capacity_bytes, executor);
}

Region::~Region() { ::munmap(mapped_, mapped_bytes_); }

void Region::fill_random(std::int64_t n_bytes, std::uint64_t seed, Executor& executor) {
  for_chunks(n_bytes, executor, [&](std::int64_t first, std::int64_t last) {
    std::uint64_t state = seed ^ (static_cast<std::uint64_t>(first) * 0xD1342543DE82EF95u);
    for (std::int64_t at = first; at < last; at += 8) {
      const std::uint64_t word = next_random(state);
      std::memcpy(data_ + at, &word, static_cast<std::size_t>(std::min<std::int64_t>(8, last - at)));
    }
  });
}

void Region::poison(std::int64_t n_bytes, Executor& executor) {
  for_chunks(n_bytes, executor, [&](std::int64_t first, std::int64_t last) { set(data_ + first, last - first, poison_byte); });
  set(data_ - guard, guard, poison_byte);
  set(data_ + n_bytes, guard, poison_byte);
}

bool Region::is_guard_whole(std::int64_t n_bytes) const {
  const auto is_poison = [](std::byte b) { return b == poison_byte; };
  return std::all_of(data_ - guard, data_, is_poison) && std::all_of(data_ + n_bytes, data_ + n_bytes + guard, is_poison);
}

std::int64_t Evictor::bytes_for(std::int64_t last_cache_bytes) {
  constexpr std::int64_t least = 64 << 20, most = 512 << 20;
  return last_cache_bytes > 0 ? std::clamp(2 * last_cache_bytes, least, most) : most;
}

std::uint64_t Evictor::run() {
  const std::int64_t n_bytes = bytes_for(last_cache_bytes());
  if (!array_) {
    try {
      array_.emplace(n_bytes, executor_);
    } catch (const Error&) {
      throw Error(ErrorCode::out_of_memory,
                  "cold runs need " + std::to_string(n_bytes) + " bytes to empty the caches; leave them out with --hot");
    }
  }
  std::atomic<std::uint64_t> all = 0;  // told, so that reading is not left out
  const std::byte* const data = array_->data();
  for_chunks(n_bytes, executor_, [&](std::int64_t first, std::int64_t last) {
    constexpr std::int64_t line = 64;
    std::uint64_t sum = 0;
    for (std::int64_t at = first; at < last; at += line) sum += std::to_integer<std::uint64_t>(data[at]);
    all.fetch_add(sum, std::memory_order_relaxed);
  });
  return all;
}

Clock Evictor::clock() {
  return [this](const std::function<void()>& work) {
    run();
    return host_seconds(work);
  };
}

}  // namespace crinkle::bench
