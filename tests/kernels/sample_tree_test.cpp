// Trees over samples in a GPU's memory, their steps taken by a CPU: the nodes of the CPU's own tree, from every layout of records, and the
// samples' values, those of one place as one. The kernel that searches them, walked through, finds the CPU's bits.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/kernel_walk.hpp"

#include <gtest/gtest.h>
#include <math.h>  // its isfinite has no namespace

#include "interpolate/shared_places.hpp"
#include "kernels/sample_tree.hpp"

namespace crinkle::interpolation::kernel {
using std::isfinite;
using std::max;
using std::min;
}  // namespace crinkle::interpolation::kernel
#pragma GCC diagnostic push  // of headers that nvcc compiles elsewhere
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#include "interpolate/cuda/near_sums.cuh"
#include "interpolate/cuda/order.cuh"
#pragma GCC diagnostic pop

namespace crinkle::interpolation::sample_tree_test {
namespace {

using namespace crinkle::testing;
using namespace crinkle::testing::sample_tree;

/// Samples on one place that differ in nothing but their number may change places.
template <int d>
void expect_tree_of(const Cloud& c, const Made& made, const Interpolation& how, bool has_ties, const std::string& what) {
  SamplePlanes planes = c.planes();
  std::vector<std::int64_t> counted;
  for (std::int64_t i = 0; i < c.n(); ++i)
    if (c.weights.empty() || c.weights[index(i)] > 0) counted.push_back(i);
  planes = Frame(how.anisotropy, planes).of(std::move(planes));
  const SharedPlaces shared(planes, default_executor(), how.neighbours);
  const SamplePlanes merged = shared.merged(planes);
  const KdTree<d> tree(merged, default_executor());
  ASSERT_EQ(made.tree.n <= merged.n, true) << what;
  std::vector<std::int64_t> own(index(c.n()), -1);  // numbers among the merged
  for (std::int64_t k = 0; k < merged.n; ++k) own[index(counted[index(shared.sample_of(k))])] = k;
  std::vector<int> seen(index(c.n()));
  for (std::int64_t p = 0; p < made.tree.n; ++p) {
    const std::int64_t i = made.tree.indices[p], k = own[index(i)];
    ASSERT_GE(k, 0) << what << ": sample " << i;
    EXPECT_EQ(seen[index(i)]++, 0) << what;
    for (int a = 0; a < d; ++a) EXPECT_EQ(made.tree.places[p * d + a], merged.places[index(a)][index(k)]) << what;
    for (std::int64_t v = 0; v < c.n_columns; ++v)
      EXPECT_EQ(made.tree.values[p * c.n_columns + v], merged.values[index(v)][index(k)]) << what << ": sample " << i;
    if (!c.weights.empty()) { EXPECT_EQ(made.tree.weights[p], merged.weight(k)) << what; }
  }
  for (std::int64_t v = 0; v < c.n_columns; ++v) {
    EXPECT_EQ(made.tree.columns[v].least, merged.least[index(v)]) << what;
    EXPECT_EQ(made.tree.columns[v].most, merged.most[index(v)]) << what;
  }
  EXPECT_EQ(made.tree.reach.outer, reach_of(how.radius, merged).outer) << what;
  for (std::int64_t leaf = 0; leaf < made.n_leaves; ++leaf) {
    const std::int64_t begin = made.tree.bounds[leaf], end = made.tree.bounds[leaf + 1];
    EXPECT_TRUE(begin < end && end - begin <= tree.leaf_samples) << what;
    // Every node above has its samples.
    for (std::int64_t node = leaf + made.n_leaves - 1;; node = (node - 1) / 2) {
      const double* const box = made.tree.boxes + node * 2 * d;
      for (std::int64_t p = begin * d; p < end * d; ++p) {
        EXPECT_LE(box[p % d], made.tree.places[p]) << what;
        EXPECT_GE(box[d + p % d], made.tree.places[p]) << what;
      }
      if (node == 0) break;
    }
  }
  if (has_ties) return;
  ASSERT_EQ(made.tree.n, merged.n) << what;
  EXPECT_TRUE(std::equal(tree.bounds().begin(), tree.bounds().end(), made.tree.bounds)) << what;
  EXPECT_EQ(std::memcmp(tree.boxes().data(), made.tree.boxes, tree.boxes().size_bytes()), 0) << what;
}

void expect_tree(const Cloud& c, const std::string& layout, Real type, const Interpolation& how, bool has_ties, const std::string& what) {
  const Records records(c, layout, type);
  const Made made(records.samples(c), how);
  if (c.n_dimensions == 2) expect_tree_of<2>(c, made, how, has_ties, what + ", " + layout);
  else expect_tree_of<3>(c, made, how, has_ties, what + ", " + layout);
}

Cloud as_float(Cloud c) {
  for (std::vector<double>* numbers : {&c.places, &c.values, &c.weights})
    for (double& x : *numbers) x = static_cast<double>(static_cast<float>(x));
  return c;
}

TEST(SampleTree, has_the_nodes_of_the_cpus_tree) {
  for (const int d : {2, 3})
    for (const Spread spread : spreads)
      for (const std::int64_t n : {1, 2, 7, 8, 9, 16, 17, 100, 1000, 3001}) {
        const bool has_ties = spread == Spread::duplicates || spread == Spread::lattice;
        expect_tree(cloud(n, d, spread), d == 2 ? "x|y|v0" : "x|y|z|v0", Real::float64, {.neighbours = 3}, has_ties,
                    std::to_string(n) + " samples, spread " + std::to_string(static_cast<int>(spread)));
      }
}

TEST(SampleTree, reads_records_of_every_layout) {
  Cloud c = as_float(cloud(203, 3, Spread::uniform, 2));
  Random random(3);
  for (std::int64_t i = 0; i < c.n(); ++i)
    c.weights.push_back(i % 11 == 4 ? 0 : static_cast<double>(static_cast<float>(5 * random() + 1e-3)));
  for (const char* layout : {"(x y z v0 v1 w)", "(x y z v0 v1 w)@16", "x|y|z|v0|v1|w", "(x y z v0 v1 w)*8", "(x y)@16|(z v0)@16|(v1 w)",
                             "(x y)@8|z|(v0 v1)*32|w", "(3 x y 1 z v0 v1 w)", "(w v1)*7|(z y x v0)*5@32"})
    for (const Real type : {Real::float32, Real::float64})
      for (const Interpolation& how : {Interpolation{.neighbours = 5}, Interpolation{.radius = 0.3}})
        expect_tree(c, layout, type, how, false, type == Real::float32 ? "float32" : "float64");
}

TEST(SampleTree, of_an_ellipse_lies_in_its_frame_from_the_first_sample_that_counts) {
  Cloud c = cloud(500, 2);
  for (std::int64_t i = 0; i < c.n(); ++i) c.weights.push_back(i < 3 ? 0 : 1);
  expect_tree(c, "(x y v0 w)", Real::float64, {.neighbours = 5, .anisotropy = {3, 30}}, false, "an ellipse");
}

TEST(SampleTree, merges_samples_of_one_place_and_keeps_as_many_as_can_count) {
  for (const int d : {2, 3})
    for (const std::int64_t k : {0, 1, 2, 5}) {
      Cloud c = cloud(700, d, Spread::duplicates, 3);
      Random random(5);
      for (std::int64_t i = 0; i < c.n(); ++i) c.weights.push_back(i % 7 == 2 ? 0 : random() + 0.1);
      const Interpolation how = k == 0 ? Interpolation{.radius = 0.3} : Interpolation{.neighbours = k};
      expect_tree(c, d == 2 ? "(x y v0 v1 v2 w)" : "(x y z v0 v1 v2 w)", Real::float64, how, true, std::to_string(k) + " neighbours");
    }
  Cloud one{2, 1, {}, {}, {}};
  for (int i = 0; i < 100; ++i) {
    one.places.insert(one.places.end(), {i % 2 == 0 ? 0.0 : -0.0, 0.5});
    one.values.push_back(i);
  }
  const Records records(one, "(x y v0)", Real::float64);
  EXPECT_EQ(Made(records.samples(one), {.neighbours = 3}).tree.n, 3);
  EXPECT_EQ(Made(records.samples(one), {.radius = 3}).tree.n, 100);
}

TEST(SampleTree, says_which_sample_is_bad_first) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto facts_of = [](const Cloud& c) {
    const Records records(c, c.weights.empty() ? "(x y v0 v1)" : "(x y v0 v1 w)", Real::float64);
    return Made(records.samples(c), {.neighbours = 3}).facts;
  };
  const Cloud good = cloud(300, 2, Spread::uniform, 2);
  EXPECT_EQ(facts_of(good).bad_place, tree_steps::none);
  Cloud bad = good;
  bad.places[2 * 70 + 1] = nan;
  bad.places[2 * 71] = bad.places[2 * 250] = 2e150;
  bad.values[2 * 80 + 1] = nan;
  bad.values[2 * 200] = tree_steps::infinity;
  EXPECT_EQ(facts_of(bad).bad_place, 2 * 70 + 1);
  EXPECT_EQ(facts_of(bad).bad_value, 200);
  bad.weights.assign(300, 1);
  bad.weights[200] = 0;
  EXPECT_EQ(facts_of(bad).bad_value, 300 + 80);
  bad.weights[7] = -1;
  bad.weights[9] = tree_steps::infinity;
  EXPECT_EQ(facts_of(bad).bad_weight, 7);
  bad.weights.assign(300, 0);
  EXPECT_EQ(facts_of(bad).n_counted, 0);
}

template <int d, int n>
std::vector<double> walked(const Cloud& c, const std::vector<double>& places, const Interpolation& how, bool is_ordered) {
  const Records records(c, "(" + std::string(d == 2 ? "x y" : "x y z") + " v0)@8", Real::float64);
  const Made made(records.samples(c), how);
  const std::int64_t n_targets = std::ssize(places) / d;
  CudaTargets targets{.n = n_targets, .places = places.data()};
  made.frame.tell(targets);
  CudaTiles tiles;
  std::vector<std::uint32_t> order(index(n_targets));
  std::iota(order.begin(), order.end(), 0U);
  if (is_ordered) {
    std::vector<std::uint32_t> keys;
    for (std::int64_t t = 0; t < n_targets; ++t) keys.push_back(kernel::curve_key<d>(made.tree.boxes, targets, t));
    std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) { return keys[i] < keys[j]; });
    tiles.order = order.data();
  }
  std::vector<double> out(index(n_targets), -77);
  const CudaValues values{.data = out.data()};
  walk::launch(static_cast<std::uint32_t>(tiles.n_blocks(targets)), near_threads, [&] {
    if (how.neighbours > 0) kernel::sum_nearest<d, n, kernel::AllSamples>(made.tree, targets, tiles, values, 0, {});
    else kernel::sum_within<d, kernel::AllSamples>(made.tree, targets, tiles, values, 0, {});
  });
  return out;
}

TEST(SampleTree, is_searched_with_the_bits_of_the_cpu) {
  for (const Spread spread : spreads) {
    const Cloud flat = cloud(900, 2, spread), deep = cloud(700, 3, spread);
    for (const bool is_ordered : {false, true}) {
      const std::string what = "spread " + std::to_string(static_cast<int>(spread)) + (is_ordered ? ", ordered" : "");
      const Interpolation eight{.neighbours = 8, .nodata = -9},
          some{.power = 3, .neighbours = 20, .radius = 0.3, .sectors = 8, .nodata = -9};
      const Interpolation ellipse{.neighbours = 5, .anisotropy = {2, 40}, .nodata = -9}, within{.radius = 0.1, .nodata = -9};
      EXPECT_EQ((walked<2, 8>(flat, targets_of(flat, 300), eight, is_ordered)), interpolated<double>(flat, targets_of(flat, 300), eight))
          << what;
      EXPECT_EQ((walked<3, 8>(deep, targets_of(deep, 129), eight, is_ordered)), interpolated<double>(deep, targets_of(deep, 129), eight))
          << what;
      EXPECT_EQ((walked<2, 16>(flat, targets_of(flat, 90), some, is_ordered)), interpolated<double>(flat, targets_of(flat, 90), some))
          << what;
      EXPECT_EQ((walked<2, 8>(flat, targets_of(flat, 90), ellipse, is_ordered)), interpolated<double>(flat, targets_of(flat, 90), ellipse))
          << what;
      const std::vector<double> want = interpolated<double>(flat, targets_of(flat, 90), within);
      EXPECT_LE(error_of(flat, want, walked<2, 8>(flat, targets_of(flat, 90), within, is_ordered)), 1e-12) << what;
    }
  }
}

}  // namespace
}  // namespace crinkle::interpolation::sample_tree_test
