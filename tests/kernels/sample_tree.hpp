// Trees over samples made by the steps that a GPU takes (interpolate/cuda/make_tree.hpp), taken by a CPU, from records in any layout.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "crinkle/record_layout.hpp"
#include "interpolate/cuda/near.hpp"
#include "interpolate/cuda/points.hpp"
#include "interpolate/kd_tree.hpp"
#include "interpolate/support.hpp"

namespace crinkle::testing::sample_tree {

using interpolation::tree_steps::Position;

struct OnCpu {
  template <class Step>
  void each(std::int64_t n, const Step& step) const {
    for (std::int64_t i = 0; i < n; ++i) step(i);
  }
  void sort(const std::uint64_t* keys, std::uint64_t* sorted, const Position* from, Position* to, std::int64_t n) const {
    std::vector<std::int64_t> by(interpolation::index(n));
    std::iota(by.begin(), by.end(), 0);
    std::sort(by.begin(), by.end(), [&](std::int64_t i, std::int64_t j) { return keys[i] != keys[j] ? keys[i] < keys[j] : i < j; });
    for (std::int64_t i = 0; i < n; ++i) {
      sorted[i] = keys[by[interpolation::index(i)]];
      to[i] = from[by[interpolation::index(i)]];
    }
  }
  template <class Flag>
  void scan(const Flag& flag, Position* ranks, std::int64_t n) const {
    Position sum = 0;
    for (std::int64_t i = 0; i < n; sum += flag(i++)) ranks[i] = sum;
  }
};

/// Fields x, y, z, v0 … and w of a cloud's samples in a layout, one of whose letters is each of them.
class Records {
 public:
  Records(const Cloud& c, const std::string& layout, Real type) : n_(c.n()) {
    std::string fields;
    for (int a = 0; a < c.n_dimensions; ++a) names_.push_back(std::string(1, "xyz"[a]));
    for (std::int64_t k = 0; k < c.n_columns; ++k) names_.push_back("v" + std::to_string(k));
    if (!c.weights.empty()) names_.emplace_back("w");
    for (const std::string& name : names_) fields += name + (type == Real::float32 ? ":f4 " : ":f8 ");
    const RecordLayout parsed = RecordLayout::parse(layout, parse_fields(fields));
    places_ = places_of(parsed, n_, names_);
    bytes_.resize(interpolation::index(n_ * (parsed.record_bytes() + 16) + 64));
    for (std::size_t f = 0; f < names_.size(); ++f) columns_.push_back({bytes_.data(), places_[f], type});
    for (std::int64_t i = 0; i < n_; ++i)
      for (std::size_t f = 0; f < names_.size(); ++f) put(f, i, number(c, f, i), type);
  }
  DeviceSamples samples(const Cloud& c) const {
    DeviceSamples s{.n = n_};
    const auto first = columns_.begin() + c.n_dimensions, last = first + c.n_columns;
    s.places.assign(columns_.begin(), first);
    s.values.assign(first, last);
    if (last != columns_.end()) s.weights = *last;
    return s;
  }

 private:
  double number(const Cloud& c, std::size_t f, std::int64_t i) const {
    if (f < interpolation::index(c.n_dimensions)) return c.places[interpolation::index(i * c.n_dimensions) + f];
    const std::size_t k = f - interpolation::index(c.n_dimensions);
    return k < interpolation::index(c.n_columns) ? c.values[interpolation::index(i * c.n_columns) + k] : c.weights[interpolation::index(i)];
  }
  void put(std::size_t f, std::int64_t i, double x, Real type) {
    const PlainPlace& p = places_[f];
    const std::int64_t b = i / p.block, r = std::min(p.block, n_ - b * p.block), e = bytes_of(type);
    std::byte* const at = bytes_.data() + p.begin + b * p.block * p.record_bytes + r * p.offset + (i - b * p.block) * e;
    const auto narrow = static_cast<float>(x);
    std::memcpy(at, type == Real::float32 ? static_cast<const void*>(&narrow) : &x, interpolation::index(e));
  }

  std::int64_t n_;
  std::vector<std::string> names_;
  std::vector<PlainPlace> places_;
  std::vector<std::byte> bytes_;
  std::vector<RecordNumbers> columns_;
};

/// What CudaPoints sees of samples, in memory of the host.
struct Seen {
  interpolation::tree_steps::Given given;
  std::vector<interpolation::tree_steps::Numbers> values;
  std::vector<std::uint64_t> scratch_memory;
  interpolation::tree_steps::Facts facts{};
  interpolation::Frame frame;

  Seen(const DeviceSamples& samples, const Interpolation& how) {
    given.n = samples.n;
    given.n_columns = std::ssize(samples.values);
    given.n_dimensions = static_cast<int>(samples.places.size());
    given.has_weights = samples.weights.has_value();
    given.most_of_place = how.neighbours;
    for (std::size_t a = 0; a < samples.places.size(); ++a)
      given.places[a] = interpolation::numbers_of(samples.places[a], samples.n, "places");
    for (const RecordNumbers& column : samples.values) values.push_back(interpolation::numbers_of(column, samples.n, "values"));
    if (samples.weights) given.weights = interpolation::numbers_of(*samples.weights, samples.n, "weights");
    interpolation::Frame(how.anisotropy, std::array<double, 2>{}).tell(given.frame);
    scratch_memory.resize(interpolation::index(interpolation::TreeScratch(given, 0).bytes / 8), 0xA5A5A5A5A5A5A5A5);
    interpolation::tree_steps::check_samples(work, given, values.data(), scratch());
    facts = *scratch().facts;
    if (is_bad() || facts.n_counted == 0) return;
    const auto first = static_cast<std::int64_t>(facts.first);
    frame = interpolation::Frame(how.anisotropy, std::array<double, 2>{given.places[0][first], given.places[1][first]});
  }
  interpolation::TreeScratch scratch() { return {given, 0, scratch_memory.data()}; }
  bool is_bad() const {
    constexpr std::uint64_t none = interpolation::tree_steps::none;
    return facts.bad_place != none || facts.bad_weight != none || facts.bad_value != none;
  }
  OnCpu work;
};

/// What CudaPoints and CudaNear make of them.
struct Made : Seen {
  std::vector<std::uint64_t> memory;
  interpolation::CudaTree tree;
  std::int64_t n_leaves = 1;

  Made(const DeviceSamples& samples, const Interpolation& how) : Seen(samples, how) {
    if (is_bad()) return;
    interpolation::tree_steps::order_samples(work, given, scratch());
    facts = *scratch().facts;
    const auto n_kept = static_cast<std::int64_t>(facts.n_kept);
    memory.resize(interpolation::index(interpolation::TreeArrays(given, n_kept, interpolation::KdTree<2>::leaf_samples).bytes / 8),
                  0xA5A5A5A5A5A5A5A5);
    const interpolation::TreeArrays made(given, n_kept, interpolation::KdTree<2>::leaf_samples, memory.data());
    if (given.n_dimensions == 2) interpolation::tree_steps::build<2>(work, given, values.data(), facts, scratch(), made);
    else interpolation::tree_steps::build<3>(work, given, values.data(), facts, scratch(), made);
    n_leaves = made.n_leaves;
    tree.places = made.places;
    tree.boxes = made.boxes;
    tree.bounds = made.bounds;
    tree.indices = made.indices;
    tree.values = made.values;
    tree.weights = made.weights;
    tree.columns = made.columns;
    tree.n = n_kept;
    tree.n_columns = given.n_columns;
    tree.first_leaf = static_cast<std::uint32_t>(n_leaves - 1);
    tree.sectors = how.sectors;
    tree.neighbours = std::min(how.neighbours, static_cast<std::int64_t>(facts.n_counted));
    tree.least_neighbours = how.least_neighbours;
    tree.power = how.power;
    tree.smoothing = how.smoothing * how.smoothing;
    tree.nodata = how.nodata;
    const interpolation::Reach reach{
        .radius = how.radius, .scale = frame.scale(), .size = frame.size(), .most = interpolation::tree_steps::number_of(facts.most)};
    tree.reach = reach.from(0);
  }
};

}  // namespace crinkle::testing::sample_tree
