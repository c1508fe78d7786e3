// Conversions of triangles on a CPU, in turns with plain copies of as many bytes:
//     bench_triangle [N [THREADS [WHICH]]]      rows, 8192 by default; 0 threads: all; WHICH: a part of the names
// A table on standard error, JSON on standard output. Every result is compared with its definition before it is timed.
// Build: cmake -DCRINKLE_BENCH=ON.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>

#include "api/timing.hpp"
#include "cpu/copy.hpp"
#include "crinkle/triangle.hpp"
#include "simplex/triangle.hpp"
#include "suites/buffers.hpp"
#include "suites/effort.hpp"
#include "suites/report.hpp"
#include "suites/triangles.hpp"

namespace crinkle::bench {
namespace {

constexpr std::uint64_t seed = 1;

void check(const TriangleCase& c, Region& source, Region& destination, Executor& executor) {
  Region wanted(c.to.bytes(), executor);
  wanted.poison(c.to.bytes(), executor);
  destination.poison(c.to.bytes(), executor);
  convert_reference(c.from, c.to, source.data(), wanted.data());
  convert_triangle(c.from, c.to, {source.data(), c.from.bytes()}, {destination.data(), c.to.bytes()}, executor);
  if (std::memcmp(wanted.data(), destination.data(), static_cast<std::size_t>(c.to.bytes())) != 0 ||
      !destination.is_guard_whole(c.to.bytes()))
    throw std::runtime_error(c.name + " is not as defined");
}

Row timed(const TriangleCase& c, Region& source, Region& destination, Executor& executor, const Clock& cold) {
  const std::int64_t copied = c.moved_bytes() / 2;
  std::vector<Contender> contenders = {
      {c.name, [&] { convert_triangle(c.from, c.to, {source.data(), c.from.bytes()}, {destination.data(), c.to.bytes()}, executor); }}};
  for (const CopyKind kind : copy_kinds)
    contenders.push_back({name_of(kind), [&, kind] { copy_plain(kind, destination.data(), source.data(), copied, executor); }});
  take_hot_and_cold(contenders, {.n_samples = 15}, cold);
  Row row;
  row.name = c.name;
  row.element_bytes = c.to.element_bytes;
  row.bytes = c.moved_bytes();
  row.set_times({contenders.data(), 1});
  row.set_copies(std::span(contenders).subspan(1));
  row.threads = executor.n_workers();
  row.checked = "definition";
  return row;
}

void run(std::int64_t n, int threads, const std::string& which) {
  const auto executor = make_executor(threads);
  Evictor evictor(*executor);
  Report report({"triangle", executor->n_workers(), seed, CRINKLE_COMMIT}, stderr);
  for (const TriangleCase& c : triangle_cases(n)) {
    if (c.name.find(which) == std::string::npos) continue;
    const std::int64_t capacity = std::max({c.from.bytes(), c.to.bytes(), c.moved_bytes() / 2});
    Region source(capacity, *executor), destination(capacity, *executor);
    source.fill_random(capacity, seed, *executor);
    check(c, source, destination, *executor);
    report.add(timed(c, source, destination, *executor, evictor.clock()));
  }
  report.print_summary();
  std::fputs(report.json().c_str(), stdout);
}

}  // namespace
}  // namespace crinkle::bench

int main(int argc, char** argv) {
  try {
    crinkle::bench::run(argc > 1 ? std::stoll(argv[1]) : 8192, argc > 2 ? std::stoi(argv[2]) : 0, argc > 3 ? argv[3] : "");
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_triangle: %s\n", e.what());
    return 1;
  }
}
