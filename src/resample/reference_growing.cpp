// The definition of kernels that grow, in plain loops: Σ over the last axis of w · (Σ over the one before of w · (…)), and the commonest
// value. What counts and with what weight is said here anew; only the formula of a coordinate is shared.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "base/number_lines.hpp"
#include "resample/places.hpp"
#include "resample/reference_growing.hpp"

namespace crinkle::resampling {
namespace {

using Shares = std::vector<std::pair<std::int64_t, double>>;  // of elements that count

double kernel(ResampleBy by, double x) {
  if (by == ResampleBy::linear) return x < 1 ? 1 - x : 0;
  if (by == ResampleBy::cubic) return x <= 1 ? (1.5 * x - 2.5) * x * x + 1 : x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0;
  const auto sinc = [](double y) { return y == 0 ? 1 : std::sin(std::numbers::pi * y) / (std::numbers::pi * y); };
  return x < 3 ? sinc(x) * sinc(x / 3) : 0;
}

// Of index i of the result along an axis.
Shares shares_of(const Resampling& r, const Form& form, int a, std::int64_t i) {
  const FormAxis& axis = form.in[slots - form.map.n_in + a];
  const bool covers = r.by == ResampleBy::area || r.by == ResampleBy::mode, is_periodic = axis.low == Bound::periodic;
  const double step = form.map.matrix[a][a], scale = std::abs(step), part = step * index_of(form.map, a, i);
  const double size = std::max(form.map.size[a], std::abs(part)), q = settled(part + form.map.offset[a], size);
  const auto n = static_cast<double>(axis.extent);
  if (!covers && !is_periodic && (q < -0.5 || q > n - 0.5)) return {};
  const auto edge = [&](double x) { return settled(x, std::max(size, std::abs(x))); };
  const double low = edge(q + 0.5 - scale / 2), high = edge(q + 0.5 + scale / 2), far = 4 * std::max(1.0, scale);
  Shares shares;
  for (double k = is_periodic ? std::floor(q - far) : std::max(0.0, std::floor(q - far));
       k <= (is_periodic ? q + far : std::min(n - 1, q + far)); ++k) {
    const double share = covers ? std::min(k + 1, high) - std::max(k, low) : kernel(r.by, std::abs(k - q) / std::max(1.0, scale));
    const auto whole = static_cast<std::int64_t>(k);
    if (share > 0 || (share < 0 && !covers)) shares.emplace_back(is_periodic ? element_of(axis, whole) : whole, share);
  }
  return shares;
}

template <class T>
T sum_along(int a, const std::vector<Shares>& shares, Extents& index, const auto& element) {
  const Shares& along = shares[static_cast<std::size_t>(a)];
  double total = 0;
  for (const auto& [i, share] : along) total += share;
  T sum = -T{0};
  for (const auto& [i, share] : along) {
    const T weight = static_cast<T>(share / total);
    if (weight == 0) continue;
    index[static_cast<std::size_t>(a)] = i;
    sum += weight * (a == 0 ? element(index) : sum_along<T>(a - 1, shares, index, element));
  }
  return sum;
}

template <class T>
void count(std::size_t a, const std::vector<Shares>& shares, Extents& index, double share, const auto& element,
           std::map<T, double>& counts) {
  if (a == shares.size()) {
    if (const T value = element(index); !std::isnan(value)) counts[value] += share;
    return;
  }
  for (const auto& [i, its] : shares[a]) {
    index[a] = i;
    count<T>(a + 1, shares, index, share * its, element, counts);
  }
}

template <class T>
T value_of(const Resampling& r, const std::vector<Shares>& shares, const auto& element) {
  for (const Shares& along : shares)
    if (along.empty()) return static_cast<T>(r.nodata);
  Extents index(shares.size());
  if (r.by != ResampleBy::mode) return sum_along<T>(static_cast<int>(shares.size()) - 1, shares, index, element);
  std::map<T, double> counts;
  count<T>(0, shares, index, 1, element, counts);
  auto most = counts.begin();
  for (auto i = counts.begin(); i != counts.end(); ++i)
    if (i->second > most->second) most = i;
  return most == counts.end() ? std::numeric_limits<T>::quiet_NaN() : most->first;
}

}  // namespace

template <class T>
T growing_value(const Resampling& r, const Form& form, const std::int64_t* p, const std::function<T(const Extents&)>& element) {
  std::vector<Shares> shares;
  for (int a = 0; a < form.map.n_in; ++a) shares.push_back(shares_of(r, form, a, p[a]));
  return value_of<T>(r, shares, element);
}

template float growing_value<float>(const Resampling&, const Form&, const std::int64_t*, const std::function<float(const Extents&)>&);
template double growing_value<double>(const Resampling&, const Form&, const std::int64_t*, const std::function<double(const Extents&)>&);

}  // namespace crinkle::resampling
