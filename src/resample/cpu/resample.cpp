// Work is cut into tiles of some rows and one segment of each, so that turned maps, which read columns, find what the row before has read.
// SPDX-License-Identifier: BSD-3-Clause
#include "resample/cpu/resample.hpp"

#include <algorithm>
#include <functional>
#include <type_traits>

#include "base/checked.hpp"
#include "base/number_lines.hpp"
#include "base/sizes.hpp"
#include "resample/cpu/segment.hpp"

namespace crinkle::resampling {
namespace {

constexpr std::int64_t rows_of_a_tile = 16, tiles_of_a_thread = 8;
constexpr std::int64_t elements_of_a_chunk = std::int64_t{1} << 13;  // some 50 µs: waking a thread takes a few

// Calls body(bytes in the source, bytes in the result) for every index of the loops.
template <class Body>
void for_each_of(const Loop* loops, int n, std::int64_t in, std::int64_t out, const Body& body) {
  if (n == 0) return body(in, out);
  for (std::int64_t i = 0; i < loops->extent; ++i) for_each_of(loops + 1, n - 1, in + i * loops->in, out + i * loops->out, body);
}

template <class E, class T, int n_taps>
class Run {
 public:
  Run(const Form& form, const PolarTable& table, const std::byte* in, std::byte* out, NumberType out_type)
      : form_(form), table_(table), in_(in), out_(out), out_type_(out_type), last_(form.map.n_out - 1) {
    for (int b = 0; b < last_; ++b) n_rows_ = multiply(n_rows_, form.out[b].extent);
    for (int b = 0; b < form.n_outer; ++b) n_outer_ = multiply(n_outer_, form.outer[b].extent);
    n_segments_ = ceil_divide(form.out[last_].extent, segment_elements);
    n_row_tiles_ = ceil_divide(n_rows_, rows_of_a_tile);
  }

  std::int64_t n_tiles() const { return multiply(multiply(n_outer_, n_segments_), n_row_tiles_); }

  void tile(std::int64_t t) {
    const std::int64_t rows = t % n_row_tiles_, segment = t / n_row_tiles_ % n_segments_;
    const LoopPlace outer = place_in(form_.outer, static_cast<std::size_t>(form_.n_outer), t / n_row_tiles_ / n_segments_);
    const std::int64_t begin = segment * segment_elements, n = std::min(segment_elements, form_.out[last_].extent - begin);
    for (std::int64_t row = rows * rows_of_a_tile; row < std::min(n_rows_, (rows + 1) * rows_of_a_tile); ++row) {
      std::int64_t p[most_form_axes] = {}, to = outer.out + begin * form_.out[last_].out;
      split_index(
          row, static_cast<std::size_t>(last_), [&](std::size_t b) { return form_.out[b].extent; },
          [&](std::size_t b, std::int64_t i) {
            p[b] = i;
            to += i * form_.out[b].out;
          });
      segment_.set(form_, table_, p, begin, n);
      places_.set(form_, segment_);
      for_each_of(form_.near, form_.n_near, outer.in, to, [&](std::int64_t from, std::int64_t at) { make(in_ + from, out_ + at); });
    }
  }

 private:
  void make(const std::byte* in, std::byte* out) {
    T values[segment_elements];  // NOLINT
    if (form_.map.n_in == 1) set<1>(in, values);
    else if (form_.map.n_in == 2) set<2>(in, values);
    else set<3>(in, values);
    store_line(out, form_.out[last_].out, values, 1, places_.n, out_type_);
  }
  template <int n_axes>
  void set(const std::byte* in, T* values) const {
    constexpr bool may_be_any = !std::is_integral_v<E> && n_taps > 1;
    constexpr int n_gathered = n_taps == 1 ? 1 : n_axes;  // one element wherever it is
    if (places_.n_inside > 0) {
      if (may_be_any && places_.has_tiny) gather_inside<E, T, n_gathered, n_taps, may_be_any>(form_, places_, in, values);
      else gather_inside<E, T, n_gathered, n_taps, false>(form_, places_, in, values);
    }
    if (places_.n_inside == places_.n) return;
    for (std::int64_t i = 0; i < places_.n; ++i) {
      if (places_.n_inside > 0 && places_.is_inside[i]) continue;
      double q[slots] = {};
      for (int a = 0; a < n_axes; ++a) q[a] = segment_.q[a][i];
      values[i] = value_at<E, T, n_taps, n_axes>(form_, q, in);
    }
  }

  const Form& form_;
  const PolarTable& table_;
  const std::byte* in_;
  std::byte* out_;
  NumberType out_type_;
  int last_;
  std::int64_t n_rows_ = 1, n_outer_ = 1, n_segments_ = 1, n_row_tiles_ = 1;
  Segment segment_;
  Places<T, n_taps> places_;
};

template <class E, class T, int n_taps>
void run_tiles(const Form& form, const PolarTable& table, const std::byte* in, std::byte* out, NumberType out_type, Executor& executor) {
  const std::int64_t n_tiles = Run<E, T, n_taps>(form, table, in, out, out_type).n_tiles();
  std::int64_t elements = segment_elements * rows_of_a_tile;
  for (int b = 0; b < form.n_near; ++b) elements *= form.near[b].extent;
  const bool is_worthwhile =
      executor.n_workers() > 1 && static_cast<double>(elements) * static_cast<double>(n_tiles) >= 2 * elements_of_a_chunk;
  const std::int64_t n_chunks = std::min(n_tiles, is_worthwhile ? executor.n_workers() * tiles_of_a_thread : std::int64_t{1});
  const auto body = [&](std::int64_t c) {
    Run<E, T, n_taps> run(form, table, in, out, out_type);
    for (std::int64_t t = part_begin(n_tiles, n_chunks, c), end = part_begin(n_tiles, n_chunks, c + 1); t < end; ++t) run.tile(t);
  };
  executor.parallel_for(n_chunks, std::cref(body));  // of one pointer: nothing is allocated
}

template <class E, class T>
void run_elements(const Form& form, const PolarTable& table, const std::byte* in, std::byte* out, NumberType out_type, Executor& executor) {
  if (form.n_taps == 1) run_tiles<E, T, 1>(form, table, in, out, out_type, executor);
  else if (form.n_taps == 2) run_tiles<E, T, 2>(form, table, in, out, out_type, executor);
  else run_tiles<E, T, 4>(form, table, in, out, out_type, executor);
}

}  // namespace

template <>
void run_on_cpu<float>(const Form& form, const PolarTable& table, const std::byte* in, Number in_type, std::byte* out, NumberType out_type,
                       Executor& executor) {
  switch (in_type) {
    case Number::uint8: return run_elements<std::uint8_t, float>(form, table, in, out, out_type, executor);
    case Number::uint16: return run_elements<std::uint16_t, float>(form, table, in, out, out_type, executor);
    case Number::int16: return run_elements<std::int16_t, float>(form, table, in, out, out_type, executor);
    default: return run_elements<float, float>(form, table, in, out, out_type, executor);
  }
}

template <>
void run_on_cpu<double>(const Form& form, const PolarTable& table, const std::byte* in, Number, std::byte* out, NumberType out_type,
                        Executor& executor) {
  run_elements<double, double>(form, table, in, out, out_type, executor);
}

}  // namespace crinkle::resampling
