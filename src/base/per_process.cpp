// SPDX-License-Identifier: BSD-3-Clause
#include "base/per_process.hpp"

#include <pthread.h>

namespace crinkle {
namespace {

std::atomic<int> generation{0};

// A library that is unloaded takes its handler with it.
[[maybe_unused]] const int is_registered = pthread_atfork(nullptr, nullptr, [] { generation.fetch_add(1, std::memory_order_relaxed); });

}  // namespace

int fork_generation() noexcept { return generation.load(std::memory_order_relaxed); }

}  // namespace crinkle
