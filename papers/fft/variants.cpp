// SPDX-License-Identifier: BSD-3-Clause
#include "papers/fft/variants.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace crinkle::bench::fft_paper {
namespace {

Pass reversal_of(const Form& form, int n) {
  return {.kind = Pass::Kind::reversal, .reversal = {.n = n, .c = std::min(5, n / 2), .is_padded = form.is_padded}};
}

}  // namespace

std::vector<Pass> passes_of(const Form& form, int n, int log_batch, const Chunks& chunks) {
  const int m = form.stages > 0 || form.order == Order::stockham ? n : std::min(chunks.c + chunks.k, n + log_batch);
  if (n <= m) return {{.launch = {.m = m, .k = n, .is_reversed = form.is_reversed}}};
  std::vector<Pass> passes;
  if (form.is_reversed) passes.push_back(reversal_of(form, n));
  passes.push_back({.launch = {.m = m, .k = m}});
  for (int done = m; done < n; done += chunks.k) {
    const int k = std::min(chunks.k, n - done), c = m - k;
    passes.push_back({.launch = {.m = m, .c = c, .k = k, .s = done - c}});
  }
  return passes;
}

std::vector<Pass> passes_of(Variant v, int n, int log_batch, const Chunks& chunks) {
  const Form form = named(v).form;
  if (v != Variant::global) return passes_of(form, n, log_batch, chunks);
  std::vector<Pass> passes = {reversal_of(form, n)};
  for (int stage = 0; stage < n; ++stage) passes.push_back({.kind = Pass::Kind::stage, .stage = stage});
  return passes;
}

std::vector<Size> figure5_sizes(bool is_on_gpu) {
  std::vector<Size> sizes;
  const int most = is_on_gpu ? 26 : 18;
  for (const int log_batch : {0, 1, 2, 3, 4, 5, 6, 7, 15})
    for (int n = 8; n + log_batch <= most; ++n)
      if (is_on_gpu || log_batch % 3 == 0) sizes.push_back({log_batch, n});
  return sizes;
}

std::vector<Sample> make_roots() {
  std::vector<Sample> all;
  const auto add = [&](int stages, int shift) {
    all.push_back({1, 0});  // index 0 is no stage's
    for (int i = 0; i <= stages; ++i)
      for (std::int64_t b = 0; b < std::int64_t{1} << i; ++b) {
        const double angle = -2 * std::numbers::pi * std::ldexp(static_cast<double>(b), -(i + shift + 1));
        all.push_back({static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))});
      }
  };
  add(Roots::coarse_stages, 0);
  add(Roots::fine_stages, Roots::coarse_stages);
  return all;
}

Roots roots_in(const Sample* tables) { return {tables, tables + (std::int64_t{2} << Roots::coarse_stages)}; }

}  // namespace crinkle::bench::fft_paper
