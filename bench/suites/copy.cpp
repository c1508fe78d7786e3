// SPDX-License-Identifier: BSD-3-Clause
#include "suites/copy.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "cpu/copy.hpp"
#include "suites/buffers.hpp"

namespace crinkle::bench {

std::string short_bytes(std::int64_t n) {
  const char* const units[] = {"B", "KiB", "MiB", "GiB"};
  std::size_t u = 0;
  for (; u < 3 && n % 1024 == 0 && n > 0; ++u) n /= 1024;
  return std::to_string(n) + units[u];
}

void add_copies(const std::vector<Contender>& copies, std::int64_t n_bytes, int threads, const std::string& checked, Report& report) {
  for (const Contender& c : copies) {
    Row row;
    row.name = c.name + "_" + short_bytes(n_bytes);
    row.bytes = 2 * n_bytes;
    row.set_times({&c, 1});
    row.set_copies(copies);
    row.threads = threads;
    row.checked = checked;
    report.add(std::move(row));
  }
}

std::vector<Contender> plain_copies(std::byte* dst, const std::byte* src, std::int64_t n_bytes, Executor& executor) {
  std::vector<Contender> all;
  for (const CopyKind kind : copy_kinds) all.push_back({name_of(kind), [=, &executor] { copy_plain(kind, dst, src, n_bytes, executor); }});
  if (executor.n_workers() > 1) all.push_back({"memcpy_1_thread", [=] { copy_plain(CopyKind::memcpy, dst, src, n_bytes); }});
  return all;
}

void run_copy(const std::vector<std::int64_t>& n_bytes, const Effort& effort, std::uint64_t seed, Executor& executor, Report& report) {
  const std::int64_t capacity = *std::max_element(n_bytes.begin(), n_bytes.end());
  Region source(capacity, executor), destination(capacity, executor);
  source.fill_random(capacity, seed, executor);
  Evictor evictor(executor);
  for (const std::int64_t n : n_bytes) {
    std::vector<Contender> contenders = plain_copies(destination.data(), source.data(), n, executor);
    for (const Contender& c : contenders) {
      destination.poison(n, executor);
      c.run();
      if (std::memcmp(destination.data(), source.data(), static_cast<std::size_t>(n)) != 0 || !destination.is_guard_whole(n))
        throw std::runtime_error(c.name + " of " + short_bytes(n) + ": the copy differs, seed " + std::to_string(seed));
    }
    take_hot_and_cold(contenders, effort, evictor.clock());
    add_copies(contenders, n, executor.n_workers(), "memcmp", report);
  }
}

}  // namespace crinkle::bench
