// SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/cuda/points.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "crinkle/error.hpp"
#include "cuda/device_buffers.hpp"
#include "cuda/entry.hpp"
#include "interpolate/kd_tree.hpp"

namespace crinkle::interpolation {
namespace {

constexpr std::int64_t leaf_samples = KdTree<2>::leaf_samples;

[[noreturn]] void refuse_sample(const std::string& text) { throw Error(ErrorCode::bad_shape, text); }

void check_sizes(const DeviceSamples& s) {
  const auto n_dimensions = std::ssize(s.places);
  if (n_dimensions != 2 && n_dimensions != 3)
    refuse_sample(fmt::format("samples of {} dimensions; interpolation is in 2 or 3", n_dimensions));
  if (s.n < 0) refuse_sample(fmt::format("{} samples; give 1 or more", s.n));
  if (s.n == 0) refuse_sample("there are no samples to interpolate");
  if (s.values.empty()) refuse_sample("0 columns of values; give 1 or more");
  constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
  if (s.n >= most)
    throw Error(ErrorCode::too_large,
                fmt::format("{} samples in a GPU's memory; fewer than {} are taken there: give them on the CPU", s.n, most));
}

}  // namespace

tree_steps::Numbers numbers_of(const RecordNumbers& numbers, std::int64_t n, const char* what) {
  const PlainPlace& p = numbers.place;
  if (p.block < 1) refuse_sample(fmt::format("{} in blocks of {} records; give 1 or more", what, p.block));
  if (numbers.base == nullptr) refuse_sample(fmt::format("{} of {} samples lie at no address", what, n));
  const auto* const base = static_cast<const unsigned char*>(numbers.base) + p.begin;
  const std::int64_t bytes = bytes_of(numbers.type), of_base = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(base) % 16);
  bool is_aligned = true;  // in whole blocks, and in a last one of fewer records
  for (const std::int64_t step : {of_base, p.block * p.record_bytes, p.block * p.offset, n % p.block * p.offset})
    is_aligned = is_aligned && step % bytes == 0;
  return {.base = base,
          .block = Divisor<std::uint64_t>(static_cast<std::uint64_t>(p.block)),
          .record_bytes = p.record_bytes,
          .offset = p.offset,
          .n = n,
          .is_float = numbers.type == Real::float32,
          .is_aligned = is_aligned};
}

tree_steps::Numbers CudaPoints::checked(const RecordNumbers& numbers, const char* what) const {
  const tree_steps::Numbers column = numbers_of(numbers, given_.n, what);
  gpu::check_pointer(column.base, device_.index, what);
  return column;
}

CudaPoints::CudaPoints(const DeviceSamples& samples, const Interpolation& how, Device device, const Stream& stream)
    : device_(device), stream_(stream) {
  check_sizes(samples);
  planes_.n_dimensions = given_.n_dimensions = static_cast<int>(std::ssize(samples.places));
  check(how, planes_);
  const gpu::OnDevice on(device.index);
  gpu::check_stream(stream.get(), device.index);
  given_.n = samples.n;
  given_.n_columns = std::ssize(samples.values);
  given_.has_weights = samples.weights.has_value();
  given_.most_of_place = how.neighbours;
  for (std::size_t a = 0; a < samples.places.size(); ++a) given_.places[a] = checked(samples.places[a], "places");
  for (const RecordNumbers& numbers : samples.values) values_.push_back(checked(numbers, "values"));
  if (samples.weights) given_.weights = checked(*samples.weights, "weights");
  Frame(how.anisotropy, std::array<double, 2>{}).tell(given_.frame);
  temporary_bytes_ = gpu::entry<&tree_temporary_bytes>(given_.n, given_.n_dimensions);
  scratch_ = DeviceMemory(device, TreeScratch(given_, temporary_bytes_).bytes);
  gpu::entry<&check_points>(given_, values_, scratch(), stream.get());
  stream.synchronize();
  copy_bytes({scratch().facts, sizeof facts_}, {&facts_, sizeof facts_});
  refuse_bad();
  are_for_a_tree_ = how.is_local() || n_counted() < how.least_neighbours;
  if (are_for_a_tree_) {
    gpu::entry<&order_points>(given_, scratch(), temporary_bytes_, stream.get());
    stream.synchronize();
    copy_bytes({scratch().facts, sizeof facts_}, {&facts_, sizeof facts_});
  }
  planes_.n = are_for_a_tree_ ? static_cast<std::int64_t>(facts_.n_kept) : n_counted();
  std::vector<std::uint64_t> extremes(index(2 * (given_.n_columns + tree_steps::more_extremes)));
  const std::int64_t bytes = std::ssize(extremes) * std::int64_t{sizeof(std::uint64_t)};
  copy_bytes({scratch().extremes, bytes}, {extremes.data(), bytes});
  const auto extreme = [&](std::int64_t k) { return tree_steps::from_ordered(extremes[index(k)]); };
  for (std::int64_t c = 0; c < given_.n_columns; ++c) {
    planes_.least.push_back(extreme(2 * c));
    planes_.most.push_back(extreme(2 * c + 1));
  }
  for (std::int64_t a = 0; a < given_.n_dimensions; ++a)
    for (std::int64_t k = 0; k < 2; ++k) box_.box[index(k)][index(a)] = extreme(2 * (given_.n_columns + a) + k);
  box_.most_weight = extreme(2 * (given_.n_columns + 3) + 1);
  planes_.values.resize(index(given_.n_columns));
  std::array<double, 2> origin{};
  for (std::size_t a = 0; a < 2; ++a) origin[a] = number_there(given_.places[a], static_cast<std::int64_t>(facts_.first));
  frame_ = Frame(how.anisotropy, origin);
  planes_.scale = frame_.scale();
  planes_.size = frame_.size();
}

double CudaPoints::number_there(const tree_steps::Numbers& numbers, std::int64_t i) const {
  const std::int64_t bytes = numbers.is_float ? 4 : 8;
  const unsigned char* const at =
      numbers.base + detail::offset_in_group(i, numbers.n, numbers.block, numbers.record_bytes, numbers.offset, bytes);
  float narrow = 0;
  double wide = 0;
  copy_bytes({at, bytes}, {numbers.is_float ? static_cast<void*>(&narrow) : static_cast<void*>(&wide), bytes});
  return numbers.is_float ? static_cast<double>(narrow) : wide;
}

void CudaPoints::refuse_bad() const {
  const auto is_there = [](std::uint64_t number) { return number != tree_steps::none; };
  if (is_there(facts_.bad_place)) {
    const auto number = static_cast<std::int64_t>(facts_.bad_place), i = number / given_.n_dimensions, a = number % given_.n_dimensions;
    refuse_sample(fmt::format("sample {} has {} = {}, which is no place within ±{}", i, "xyz"[a], number_there(given_.places[a], i),
                              tree_steps::farthest));
  }
  if (is_there(facts_.bad_weight)) {
    const auto i = static_cast<std::int64_t>(facts_.bad_weight);
    refuse_sample(fmt::format("sample {} has weight {}; weights are 0 or more", i, number_there(given_.weights, i)));
  }
  if (facts_.n_counted == 0) refuse_sample(fmt::format("all {} samples have weight 0", given_.n));
  if (is_there(facts_.bad_value)) {
    const auto number = static_cast<std::int64_t>(facts_.bad_value), c = number / given_.n, i = number % given_.n;
    refuse_sample(fmt::format("sample {} has value {} in column {}; leave out what is missing", i, number_there(values_[index(c)], i), c));
  }
}

TreeArrays CudaPoints::arrays(void* memory) const { return {given_, planes_.n, leaf_samples, memory}; }

void CudaPoints::make(const TreeArrays& tree) const {
  gpu::entry<&build_tree>(given_, values_, facts_, scratch(), temporary_bytes_, tree, stream_.get());
  stream_.synchronize();
}

void CudaPoints::make(const SumArrays& sums, const Scale (&scales)[2]) const {
  gpu::entry<&build_sums>(given_, values_, box_, scales, scratch(), temporary_bytes_, sums, stream_.get());
  stream_.synchronize();
}

const double* CudaPoints::plane(int axis) const { return scratch().planes + axis * given_.n; }

void CudaPoints::put_column(std::int64_t column, double* to, CUstream_st* stream) const {
  gpu::entry<&put_numbers>(values_[index(column)], to, stream);
}

}  // namespace crinkle::interpolation
