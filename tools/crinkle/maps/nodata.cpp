// SPDX-License-Identifier: BSD-3-Clause
#include "maps/nodata.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/checked.hpp"
#include "base/number_lines.hpp"
#include "files/arrays.hpp"

namespace crinkle::tool {
namespace {

bool is_float(const ElementType& type) { return type.name.starts_with("float"); }

double least_normal(std::int64_t bytes) { return bytes == 8 ? 0x1p-1022 : bytes == 4 ? 0x1p-126 : 0x1p-14; }

}  // namespace

std::optional<double> as_held(double number, const ElementType& type, const std::string& path) {
  double held = number;
  settle_line(&held, 1, number_written(type, path));
  const bool is_same = is_float(type) ? std::isfinite(held) == std::isfinite(number) : held == number;
  return is_same ? std::optional(held) : std::nullopt;
}

template <class T>
BesideNodata<T>::BesideNodata(T nodata, const ElementType& type) : nodata_(nodata), is_float_(is_float(type)) {
  if (!is_float_) {
    for (const auto& [number, to] : {std::pair(nodata - 1, &lowest_), std::pair(nodata + 1, &greatest_)}) {
      *to = number;
      settle_line(to, 1, number_written(type, ""));
    }
    return;
  }
  apart_ = std::abs(nodata) * static_cast<T>(type.bytes >= 4 ? 0x1p-20 : 0x1p-10);
  least_ = static_cast<T>(least_normal(type.bytes));
}

template <class T>
T BesideNodata<T>::operator()(T number, T written) const {
  if (!is_float_) {
    if (written != nodata_) return written;
    const bool is_below = (number < nodata_ && lowest_ != nodata_) || greatest_ == nodata_;
    return is_below ? lowest_ : greatest_;
  }
  if (written == nodata_ && (nodata_ == 0 || std::isinf(nodata_)))
    return nodata_ == 0 ? least_ : std::copysign(std::numeric_limits<T>::max(), nodata_);
  constexpr T taken_for_it = static_cast<T>(0.75);
  if (!(std::abs(written - nodata_) < apart_ * taken_for_it)) return written;
  return nodata_ + std::copysign(apart_, std::abs(written) > std::abs(nodata_) ? nodata_ : -nodata_);
}
template class BesideNodata<float>;
template class BesideNodata<double>;

void note_beside(std::int64_t n, std::int64_t n_cells, double nodata, const ElementType& type) {
  if (n == 0) return;
  fmt::print(stderr,
             "crinkle: note: {} of {} cells came to {}, which says that there are no data, and are written as {}; --nodata V marks cells "
             "without data by another number\n",
             n, n_cells, type.bytes == 4 ? fmt::format("{}", static_cast<float>(nodata)) : fmt::format("{}", nodata),
             nodata == 0 && is_float(type) ? fmt::format("{:.8g}", least_normal(type.bytes)) : "a number beside it");
}

std::int64_t put_nodata(std::span<std::byte> numbers, const ElementType& type, double nodata, Executor& executor) {
  if (std::isnan(nodata)) return 0;
  constexpr std::int64_t part = 1 << 13;
  const NumberType number_type = number_written(type, "");
  double held = nodata;
  settle_line(&held, 1, number_type);
  const BesideNodata<double> beside_nodata(held, type);
  const std::int64_t n = std::ssize(numbers) / type.bytes;
  std::atomic<std::int64_t> n_beside = 0;
  executor.parallel_for(ceil_divide(n, part), [&](std::int64_t chunk) {
    const std::int64_t begin = chunk * part, n_here = std::min(n, begin + part) - begin;
    std::byte* const at = numbers.data() + begin * type.bytes;
    std::vector<double> line(static_cast<std::size_t>(n_here));
    load_line(line.data(), 1, at, type.bytes, n_here, number_type);
    std::int64_t n_changed = 0, n_missing = 0;
    for (double& number : line) {
      const double becomes = std::isnan(number) ? held : beside_nodata(number, number);
      (std::isnan(number) ? n_missing : n_changed) += becomes != number ? 1 : 0;
      number = becomes;
    }
    if (n_changed + n_missing > 0) store_line(at, type.bytes, line.data(), 1, n_here, number_type);
    n_beside += n_changed;
  });
  return n_beside;
}

}  // namespace crinkle::tool
