// SPDX-License-Identifier: BSD-3-Clause
#include "resample/growing.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "resample/places.hpp"

namespace crinkle::resampling {
namespace {

double sinc(double x) { return x == 0 ? 1 : std::sin(std::numbers::pi * x) / (std::numbers::pi * x); }

double keys_at(double x) {
  if (x <= 1) return (1.5 * x - 2.5) * x * x + 1;
  return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0;
}

void clip(const FormAxis& axis, Window& window) {
  if (axis.low == Bound::periodic) return;
  window.first = std::max<std::int64_t>(window.first, 0);
  window.end = std::min(window.end, axis.extent);
}

std::int64_t whole(double x) { return static_cast<std::int64_t>(std::clamp(x, -2 * farthest, 2 * farthest)); }

}  // namespace

GrowingAxis::GrowingAxis(const Form& form, int a)
    : axis_(form.in[slots - form.map.n_in + a]),
      kernel_(form.growing),
      covers_(kernel_ == Growing::area || kernel_ == Growing::mode),
      step_(form.map.matrix[a][a]),
      offset_(form.map.offset[a]),
      size_(form.map.size[a]),
      begin_(static_cast<double>(form.map.begin[a])),
      scale_(std::abs(step_)),
      grown_(std::max(1.0, scale_)),
      radius_(kernel_ == Growing::linear  ? 1
              : kernel_ == Growing::cubic ? 2
                                          : 3) {}

Window GrowingAxis::window(std::int64_t i) const {
  const double part = step_ * (begin_ + static_cast<double>(i)), size = std::max(size_, std::abs(part));
  Window window;
  window.q = settled(part + offset_, size);
  if (covers_) {
    const auto edge = [&](double x) { return settled(x, std::max(size, std::abs(x))); };
    window.low = edge(window.q + 0.5 - scale_ / 2);
    window.high = edge(window.q + 0.5 + scale_ / 2);
    window.first = whole(std::floor(window.low));
    window.end = whole(std::ceil(window.high));
  } else {
    if (axis_.low != Bound::periodic && !(window.q >= -0.5 && window.q <= static_cast<double>(axis_.extent) - 0.5)) return window;
    window.first = whole(std::ceil(window.q - radius_ * grown_));
    window.end = whole(std::floor(window.q + radius_ * grown_)) + 1;
  }
  clip(axis_, window);
  for (std::int64_t k = window.first; k < window.end; ++k) window.total += share(window, k);
  if (!(window.total > 0)) window.end = window.first;
  return window;
}

double GrowingAxis::share(const Window& window, std::int64_t i) const {
  const auto at = static_cast<double>(i);
  if (covers_) return std::max(0.0, std::min(at + 1, window.high) - std::max(at, window.low));
  const double x = std::abs(at - window.q) / grown_;
  if (kernel_ == Growing::linear) return std::max(0.0, 1 - x);
  if (kernel_ == Growing::cubic) return keys_at(x);
  return x < 3 ? sinc(x) * sinc(x / 3) : 0;
}

Window window_around(const GrowingAxis& axis, double low, double high) {
  Window window;
  window.first = whole(std::floor(low - axis.reach()) - 1);
  window.end = whole(std::ceil(high + axis.reach()) + 2);
  clip(axis.axis(), window);
  return window;
}

}  // namespace crinkle::resampling
