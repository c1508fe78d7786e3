// One cache a process keeps what is planned once. Keys are numbers: a kind (kind_of_key), and all that the plan depends on.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace crinkle {

/// Empty where nothing is kept under this key.
std::shared_ptr<const void> find_kept(std::span<const std::int64_t> key);
/// Keeps a value of so many bytes, and returns what is kept: another thread's where that was first. What goes for it is destroyed by the
/// calling thread.
std::shared_ptr<const void> keep(std::span<const std::int64_t> key, std::shared_ptr<const void> value, std::int64_t bytes);
void clear_kept();

/// The entry under the key, or else what make() returns, a shared pointer to a T with held_bytes().
template <class T, class Make>
std::shared_ptr<const T> kept(std::span<const std::int64_t> key, const Make& make) {
  if (auto found = find_kept(key)) return std::static_pointer_cast<const T>(std::move(found));
  std::shared_ptr<const T> made = make();
  const std::int64_t bytes = made->held_bytes();
  return std::static_pointer_cast<const T>(keep(key, std::move(made), bytes));
}

}  // namespace crinkle
