// SPDX-License-Identifier: BSD-3-Clause
#include "fft/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>

#include "cpu/copy.hpp"
#include "fft/cpu/odd_line.hpp"
#include "fft/radices.hpp"
#include "move/planned.hpp"

namespace crinkle::fft {
namespace {

constexpr double gflop_per_s = 15;  // a thread, in float32, of 5 N log₂ N; half of it in float64: docs/tuning.md

// (bytes read + bytes written) / time.
double measured_copy(Executor& executor) {
  constexpr std::int64_t n = 16 << 20;
  std::vector<std::byte> from(n), to(n);
  double best = 0;
  for (int i = 0; i < 4; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    copy_plain(CopyKind::interleaved, to.data(), from.data(), n, executor);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    best = std::max(best, 2.0 * n / std::max(took.count(), 1e-9));
  }
  return best * 1e-9;
}

}  // namespace

double operations_of(const Axis& axis, std::int64_t n_lines) {
  const auto n = static_cast<double>(axis.n);
  const bool is_half = axis.kind != FftKind::complex_to_complex && (axis.n % 2 == 0 || odd_factor(axis.n) > 0);
  return static_cast<double>(n_lines) * 5 * n * std::log2(n) * (is_half ? 0.5 : 1) * (has_radices(axis.n) ? 1 : 4);
}

std::string predicted(const std::vector<Cost>& costs, FftReal real, Device device) {
  std::int64_t bytes = 0;
  double operations = 0;
  for (const Cost& cost : costs) {
    bytes += cost.bytes;
    operations += cost.operations;
  }
  if (device.kind == Device::Kind::cuda) {
    const double copy = machine_of(device).copy_gb_per_s(bytes / 2);
    if (copy == 0) return "predicted: nothing, as no copy was measured on such a card";
    return fmt::format("predicted: at least {:.3g} ms, {} bytes at {:.0f} GB/s of a copy", static_cast<double>(bytes) / copy * 1e-6, bytes,
                       copy);
  }
  Executor& executor = default_executor();
  static std::atomic<double> kept{0};  // without a lock, which a thread might hold while another forks
  if (kept == 0) kept = measured_copy(executor);
  const double copy = kept;
  const double rate = gflop_per_s * executor.n_workers() / (real == FftReal::float64 ? 2 : 1);
  double seconds = 0;
  for (const Cost& cost : costs) seconds += 1e-9 * std::max(static_cast<double>(cost.bytes) / copy, cost.operations / rate);
  return fmt::format("predicted: {:.3g} ms on {} threads, by {:.3g} GB/s of a copy and {:.3g} GFLOP/s ({:.3g} operations)", 1e3 * seconds,
                     executor.n_workers(), copy, rate, operations);
}

}  // namespace crinkle::fft
