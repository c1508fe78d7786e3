// Distances of all pairs on one thread and on all, beside writing as many bytes. A line of standard input
//     METRIC FORM TYPE N FEATURES POINTS RESULT          as in "euclidean condensed float32 1024 4 points.raw distances.raw"
// names what is computed, a file of points to read and one for the distances, - for none. It is answered by one line of JSON;
// bench/pairs_scipy.py asks, and measures SciPy in turns with it. Build: cmake -DCRINKLE_BENCH=ON.
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/mman.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "api/timing.hpp"
#include "cpu/kernels.hpp"
#include "crinkle/crinkle.hpp"
#include "crinkle/pairs.hpp"

namespace {

using namespace crinkle;

/// Memory as NumPy's arrays have it: large ones on large pages, where the system has such.
class Output {
 public:
  explicit Output(std::int64_t bytes)
      : bytes_(static_cast<std::size_t>(std::max<std::int64_t>(1, bytes))), data_(::operator new(bytes_, page)) {
#ifdef MADV_HUGEPAGE
    madvise(data_, bytes_, MADV_HUGEPAGE);
#endif
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output() { ::operator delete(data_, page); }
  std::byte* data() const { return static_cast<std::byte*>(data_); }

 private:
  static constexpr std::align_val_t page{std::size_t{2} << 20};
  std::size_t bytes_;
  void* data_;
};

/// out[…] = something, past the caches: what a machine writes at most.
void write_all(std::byte* out, std::int64_t bytes, Executor& executor) {
  alignas(64) static const std::byte block[4096] = {};
  const std::int64_t n_parts = executor.n_workers(), n_blocks = bytes / std::ssize(block);
  executor.parallel_for(n_parts, [&](std::int64_t part) {
    const simd::Kernels& kernels = simd::kernels();
    for (std::int64_t b = n_blocks * part / n_parts; b < n_blocks * (part + 1) / n_parts; ++b)
      kernels.stream_from(block, out + b * std::ssize(block), std::ssize(block), 0);
    kernels.fence();
  });
}

struct Question {
  std::string metric, form, type, points, result;
  std::int64_t n = 0, n_features = 0;
};

nlohmann::ordered_json measured(const Question& q) {
  const Metric metric = parse_metric(q.metric);
  const PairForm form = parse_pair_form(q.form);
  const Real type = q.type == "float32" ? Real::float32 : Real::float64;
  std::vector<char> x(static_cast<std::size_t>(q.n * q.n_features * bytes_of(type)));
  std::ifstream file(q.points, std::ios::binary);
  if (!file.read(x.data(), std::ssize(x))) throw Error(ErrorCode::bad_file, q.points + ": has too few bytes");
  const Points points{{x.data(), std::ssize(x)}, type, q.n, q.n_features};
  const std::int64_t bytes = distance_bytes(q.n, form, type);
  const Output out(bytes);
  const auto one = make_executor(1);
  Executor& all = default_executor();
  std::vector<Contender> contenders = {{"crinkle_1", [&] { distances(points, metric, form, {out.data(), bytes}, *one); }},
                                       {"crinkle_all", [&] { distances(points, metric, form, {out.data(), bytes}, all); }},
                                       {"write_1", [&] { write_all(out.data(), bytes, *one); }},
                                       {"write_all", [&] { write_all(out.data(), bytes, all); }}};
  contenders[1].run();
  if (q.result != "-") std::ofstream(q.result, std::ios::binary).write(reinterpret_cast<const char*>(out.data()), bytes);
  for (Contender& c : contenders) c.is_warmed = true;  // as runs that follow each other
  take_turns(contenders, 9, 2);
  nlohmann::ordered_json answer{{"bytes", bytes}};
  for (const Contender& c : contenders)
    answer[c.name] = {{"seconds", median(c.seconds)}, {"iqr", interquartile_range(c.seconds)}, {"least", quantile(c.seconds, 0)}};
  return answer;
}

}  // namespace

int main() {
  try {
    Question q;
    while (std::cin >> q.metric >> q.form >> q.type >> q.n >> q.n_features >> q.points >> q.result)
      std::cout << measured(q).dump() << std::endl;
    return 0;
  } catch (const std::exception& e) {
    std::cerr << "bench_pairs: " << e.what() << '\n';
    return 1;
  }
}
