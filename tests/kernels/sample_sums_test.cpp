// Samples in a GPU's memory as sums over all of them read them, their steps taken by a CPU: the bits of samples of the host, from every
// layout of records, in every spread, weighted, in columns and in an ellipse. What bin() reads of them likewise.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "interpolate/cuda/make_sums.hpp"
#include "kernels/sample_tree.hpp"

namespace crinkle::interpolation::sample_sums_test {
namespace {

using namespace crinkle::testing;
using namespace crinkle::testing::sample_tree;

template <class T>
void expect_equal(const T* want, const T* got, std::int64_t n, const std::string& what) {
  std::int64_t n_wrong = 0;
  for (std::int64_t i = 0; i < n; ++i) n_wrong += want[i] == got[i] ? 0 : 1;  // 0 is −0
  EXPECT_EQ(n_wrong, 0) << what << ", of " << n;
}

template <class T>
void expect_scaled(const SamplePlanes& planes, const Interpolation& how, const ScaledArrays<T>& got, const std::string& what) {
  const ScaledSamples<T> scaled(planes, how, {planes.place(0), planes.place(0)});
  const simd::WeightRange<T> want = scaled.range();
  const std::int64_t n_runs = ceil_divide(planes.n, run_samples);
  for (int a = 0; a < planes.n_dimensions; ++a) {
    expect_equal(want.place[a], got.places.high[a], planes.n, what + ": places");
    if (sizeof(T) == 8) continue;
    expect_equal(want.low[a], got.places.low[a], planes.n, what + ": second halves");
    expect_equal(want.origin[a], got.places.origin[a], n_runs, what + ": origins");
    expect_equal(want.origin_low[a], got.places.origin_low[a], n_runs, what + ": origins' second halves");
  }
  if (sizeof(T) == 4) expect_equal(want.square_radius, got.places.square_radius, n_runs, what + ": radii");
  for (std::int64_t c = 0; c < planes.n_columns(); ++c)
    expect_equal(scaled.column(c), got.values + c * planes.n, planes.n, what + ": values");
  const std::vector<T> ones(index(planes.n), 1);
  if (scaled.has_weights() || planes.n_columns() > 1)
    expect_equal(scaled.has_weights() ? scaled.column(planes.n_columns()) : ones.data(), got.weights, planes.n, what + ": weights");
}

/// What CudaPoints tells of the extremes.
SampleBox box_of(const TreeScratch& scratch, const tree_steps::Given& given, SamplePlanes& planes) {
  const auto extreme = [&](std::int64_t k) { return tree_steps::from_ordered(scratch.extremes[k]); };
  SampleBox box;
  for (std::int64_t a = 0; a < given.n_dimensions; ++a)
    for (std::int64_t k = 0; k < 2; ++k) box.box[index(k)][index(a)] = extreme(2 * (given.n_columns + a) + k);
  box.most_weight = extreme(2 * (given.n_columns + 3) + 1);
  for (std::int64_t c = 0; c < given.n_columns; ++c) {
    planes.least.push_back(extreme(2 * c));
    planes.most.push_back(extreme(2 * c + 1));
  }
  return box;
}

void expect_sums(const Cloud& c, const std::string& layout, Real type, const Interpolation& how, std::string what) {
  what += ", " + layout;
  const Records records(c, layout, type);
  Seen seen(records.samples(c), how);
  SamplePlanes told;
  const SampleBox box = box_of(seen.scratch(), seen.given, told);
  const auto scale = [&](Real of) { return Scale(of, c.n_dimensions, box.box, how.smoothing, told.least, told.most); };
  const Scale scales[] = {scale(Real::float32), scale(Real::float64)};
  const auto n = static_cast<std::int64_t>(seen.facts.n_counted);
  std::vector<std::uint64_t> memory(index(SumArrays(seen.given, n).bytes / 8), 0xA5A5A5A5A5A5A5A5);
  const SumArrays made(seen.given, n, memory.data());
  tree_steps::build_sums(seen.work, seen.given, seen.values.data(), box, scales, seen.scratch(), made);

  SamplePlanes planes = c.planes();
  planes = along_curve(Frame(how.anisotropy, planes).of(std::move(planes)), default_executor());
  ASSERT_EQ(planes.n, n) << what;
  EXPECT_EQ(planes.least, told.least) << what;
  EXPECT_EQ(planes.most, told.most) << what;
  for (int a = 0; a < c.n_dimensions; ++a) expect_equal(planes.places[index(a)].data(), made.places[a], n, what + ": places");
  for (std::int64_t k = 0; k < c.n_columns; ++k) expect_equal(planes.values[index(k)].data(), made.values + k * n, n, what + ": values");
  if (!c.weights.empty()) expect_equal(planes.weights.data(), made.weights, n, what + ": weights");
  expect_scaled(planes, how, made.float32, what + ", float32");
  expect_scaled(planes, how, made.float64, what + ", float64");
}

TEST(SampleSums, have_the_bits_of_samples_of_the_host) {
  for (const int d : {2, 3})
    for (const Spread spread : spreads)
      for (const std::int64_t n : {1, 2, 63, 64, 65, 1000, 3001}) {
        const std::string what = std::to_string(n) + " samples, spread " + std::to_string(static_cast<int>(spread));
        expect_sums(cloud(n, d, spread), d == 2 ? "x|y|v0" : "x|y|z|v0", Real::float64, {}, what);
        expect_sums(cloud(n, d, spread, 3, 8, 5e6, 100), d == 2 ? "(x y v0 v1 v2)" : "(x y z v0 v1 v2)", Real::float64, {.smoothing = 0.5},
                    what + ", far away");
      }
}

TEST(SampleSums, of_records_weighted_and_in_an_ellipse) {
  for (const int d : {2, 3})
    for (const std::int64_t n_columns : {1, 2}) {
      Cloud c = cloud(501, d, Spread::clustered, n_columns);
      Random random(3);
      for (std::int64_t i = 0; i < c.n(); ++i) c.weights.push_back(i < 2 || i % 11 == 4 ? 0 : 5 * random() + 1e-3);
      for (std::vector<double>* numbers : {&c.places, &c.values, &c.weights})
        for (double& x : *numbers) x = static_cast<double>(static_cast<float>(x));
      const std::string fields = std::string(d == 2 ? "x y" : "x y z") + (n_columns == 1 ? " v0 w" : " v0 v1 w");
      for (const std::string& layout : {"(" + fields + ")", "(" + fields + ")@16", "(" + fields + ")*8", "(3 " + fields + ")"})
        for (const Real type : {Real::float32, Real::float64}) {
          expect_sums(c, layout, type, {}, "weighted");
          if (d == 2) expect_sums(c, layout, type, {.anisotropy = {3, 30}}, "an ellipse");
        }
    }
}

TEST(SampleSums, columns_are_read_in_their_order_for_bins) {
  const Cloud c = cloud(203, 2, Spread::uniform, 2);
  const Records records(c, "(x y v0 v1)*8", Real::float64);
  Seen seen(records.samples(c), {});
  for (std::int64_t k = 0; k < 2; ++k) {
    std::vector<double> column(203);
    seen.work.each(203, tree_steps::PutNumbers{seen.values[index(k)], nullptr, column.data()});
    for (std::int64_t i = 0; i < 203; ++i) ASSERT_EQ(column[index(i)], c.values[index(2 * i + k)]);
    for (std::int64_t i = 0; i < 203; ++i) ASSERT_EQ(seen.scratch().planes[k * 203 + i], c.places[index(2 * i + k)]);
  }
}

}  // namespace
}  // namespace crinkle::interpolation::sample_sums_test
