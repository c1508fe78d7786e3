// The commonest value: elements that count are looked at one by one, bytes in a table of all values, others in one of those that there are.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <vector>

#include "base/number_lines.hpp"
#include "resample/cpu/blocks.hpp"
#include "resample/cpu/growing.hpp"
#include "resample/growing.hpp"
#include "resample/places.hpp"

namespace crinkle::resampling {
namespace {

template <class T>
struct Commonest {
  T value = std::numeric_limits<T>::quiet_NaN();
  double share = 0;

  void take(T other, double its) {
    if (its < share || (its == share && !(other < value))) return;
    value = other;
    share = its;
  }
};

// Of 8 bits: value v at v − low.
template <class T>
class ByteCounts {
 public:
  explicit ByteCounts(T low) : low_(low) {}
  void add(T value, double share) { shares_[static_cast<std::size_t>(value - low_)] += share; }
  T take() {
    Commonest<T> most;
    for (std::size_t v = 0; v < shares_.size(); ++v)
      if (shares_[v] > 0) most.take(low_ + static_cast<T>(v), shares_[v]);
    shares_.fill(0);
    return most.value;
  }

 private:
  T low_;
  std::array<double, 256> shares_ = {};
};

template <class T>
class Counts {
 public:
  void add(T value, double share) {
    if (!std::isnan(value)) shares_[value] += share;
  }
  T take() {
    Commonest<T> most;
    for (const auto& [value, share] : shares_) most.take(value, share);
    shares_.clear();
    return most.value;
  }

 private:
  std::unordered_map<T, double> shares_;
};

template <class T, class Shares>
class ModeRows {
 public:
  ModeRows(const Form& form, const std::byte* in, NumberType in_type, std::byte* out, NumberType out_type, const Shares& shares)
      : form_(form), in_(in), out_(out), in_type_(in_type), out_type_(out_type), n_in_(form.map.n_in), shares_(shares) {
    for (int a = 0; a < n_in_; ++a) axes_[to_size(a)] = GrowingAxis(form, a);
    const Loop& loop = form.out[n_in_ - 1];
    for (std::int64_t x = 0; x < loop.extent; ++x) columns_.push_back(axes_[to_size(n_in_ - 1)].window(x));
  }

  void make_row(std::int64_t row, std::int64_t in, std::int64_t out) {
    const auto n_rows_axes = to_size(n_in_ - 1);
    bool is_empty = false;
    split_index(
        row, n_rows_axes, [&](std::size_t b) { return form_.out[b].extent; },
        [&](std::size_t b, std::int64_t i) {
          windows_[b] = axes_[b].window(i);
          is_empty = is_empty || windows_[b].is_empty();
          out += i * form_.out[b].out;
        });
    made_.clear();
    for (const Window& window : columns_) {
      windows_[n_rows_axes] = window;
      if (is_empty || window.is_empty()) {
        made_.push_back(static_cast<T>(form_.nodata));
        continue;
      }
      count(0, in_ + in, 1);
      made_.push_back(shares_.take());
    }
    store_line(out_ + out, form_.out[n_in_ - 1].out, made_.data(), 1, std::ssize(made_), out_type_);
  }

 private:
  static std::size_t to_size(std::int64_t i) { return static_cast<std::size_t>(i); }

  void count(std::size_t a, const std::byte* from, double share) {
    const GrowingAxis& along = axes_[a];
    const FormAxis& axis = along.axis();
    const Window& window = windows_[a];
    if (a + 1 < to_size(n_in_)) {
      for (std::int64_t i = window.first; i < window.end; ++i)
        if (const double its = along.share(window, i); its > 0) count(a + 1, from + element_of(axis, i) * axis.stride, share * its);
      return;
    }
    constexpr std::int64_t n_at_once = 256;
    T numbers[n_at_once];  // NOLINT
    for (std::int64_t i = window.first; i < window.end;) {
      const std::int64_t element = element_of(axis, i), n = std::min({n_at_once, window.end - i, axis.extent - element});
      load_line(numbers, 1, from + element * axis.stride, axis.stride, n, in_type_);
      for (std::int64_t k = 0; k < n; ++k)
        if (const double its = along.share(window, i + k); its > 0) shares_.add(numbers[k], share * its);
      i += n;
    }
  }

  const Form& form_;
  const std::byte* in_;
  std::byte* out_;
  NumberType in_type_, out_type_;
  int n_in_;
  std::array<GrowingAxis, slots> axes_;
  std::array<Window, slots> windows_;
  std::vector<Window> columns_;
  std::vector<T> made_;
  Shares shares_;
};

template <class T, class Shares>
void run_counted(const Form& form, const std::byte* in, NumberType in_type, std::byte* out, NumberType out_type, Executor& executor,
                 const Shares& shares) {
  std::array<Loop, 2 * most_form_axes> beside = {};
  std::size_t n_beside = 0;
  for (int b = 0; b < form.n_outer; ++b) beside[n_beside++] = form.outer[b];
  for (int b = 0; b < form.n_near; ++b) beside[n_beside++] = form.near[b];
  std::int64_t n_rows = 1, n_outers = 1;
  double numbers = 1;
  for (int b = 0; b + 1 < form.map.n_out; ++b) n_rows = multiply(n_rows, form.out[b].extent);
  for (std::size_t b = 0; b < n_beside; ++b) n_outers = multiply(n_outers, beside[b].extent);
  for (int a = 0; a < form.map.n_in; ++a)
    numbers *= static_cast<double>(form.out[a].extent) * std::max(1.0, std::abs(form.map.matrix[a][a]));
  const std::int64_t n_units = form.out[form.map.n_out - 1].extent == 0 ? 0 : multiply(n_rows, n_outers);
  in_chunks(n_units, 8 * numbers * static_cast<double>(n_outers), executor, [&](std::int64_t first, std::int64_t end) {
    ModeRows<T, Shares> rows(form, in, in_type, out, out_type, shares);
    for (std::int64_t unit = first; unit < end; ++unit) {
      const LoopPlace place = place_in(beside.data(), n_beside, unit / n_rows);
      rows.make_row(unit % n_rows, place.in, place.out);
    }
  });
}

}  // namespace

template <class T>
void run_mode(const Form& form, const std::byte* in, NumberType in_type, std::byte* out, NumberType out_type, Executor& executor) {
  if (bytes_of(in_type.number) == 1)
    return run_counted<T>(form, in, in_type, out, out_type, executor, ByteCounts<T>(in_type.number == Number::int8 ? T{-128} : T{0}));
  run_counted<T>(form, in, in_type, out, out_type, executor, Counts<T>());
}

template void run_mode<float>(const Form&, const std::byte*, NumberType, std::byte*, NumberType, Executor&);
template void run_mode<double>(const Form&, const std::byte*, NumberType, std::byte*, NumberType, Executor&);

}  // namespace crinkle::resampling
