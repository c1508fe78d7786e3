// The suite `simplex`: every map does every test as defined on a CPU, and what is printed and kept has a place for every figure, extent,
// map and call.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <set>

#include "papers/simplex/check.hpp"
#include "papers/simplex/simplex.hpp"
#include "support/lines.hpp"

namespace crinkle::bench::simplex_suite_test {
namespace {

using testing::Lines;

constexpr Work works_of_pairs[] = {Work::tally, Work::distances, Work::collisions_1d, Work::collisions_3d};

/// A test's arrays on the host.
struct Site {
  Numbers numbers;
  std::vector<float> out;
  std::uint64_t totals[2] = {};
  double energy = 0;

  explicit Site(std::int64_t n) : numbers(numbers_needed(n, block_side, true), 5, default_executor()), out(elements(n), -1) {}
  static std::size_t elements(std::int64_t n) { return static_cast<std::size_t>(elements_needed(n)); }
  WorkData data(Work work, std::int64_t n) {
    const bool is_line = work == Work::collisions_1d;
    return {n,
            numbers.points.data(),
            (is_line ? numbers.line : numbers.space).data(),
            (is_line ? numbers.line_radii : numbers.space_radii).data(),
            out.data(),
            totals,
            &energy};
  }
};

TEST(Simplex, every_map_does_every_test_as_defined) {
  const auto executor = make_executor(3);
  for (const std::int64_t n : {16, 32, 48, 144, 336}) {
    Site site(n);
    for (const Work work : works_of_pairs) {
      for (const Maps maps : {Maps::roots, Maps::all}) {
        const Outcome expected = defined_outcome(work, n, site.numbers);
        for (const MapWay& way : ways_on_cpu(work, maps, site.data(work, n), *executor)) {
          std::fill(site.out.begin(), site.out.end(), -1.0F);
          site.totals[0] = site.totals[1] = 0;
          way.run();
          EXPECT_EQ(site.totals[0], expected.count) << way.name << ", n " << n << ", test " << static_cast<int>(work);
          EXPECT_EQ(site.totals[1], expected.sum) << way.name << ", n " << n;
          EXPECT_GE(way.n_outside, 0);
          if (work != Work::distances) continue;
          for (std::int64_t i = 0, at = 0; i < n; ++i)
            for (std::int64_t j = 0; j <= i; ++j, ++at) {
              double sum = 0;
              for (std::int64_t f = 0; f < 4; ++f) {
                const double d = static_cast<double>(site.numbers.points[static_cast<std::size_t>(4 * i + f)]) -
                                 static_cast<double>(site.numbers.points[static_cast<std::size_t>(4 * j + f)]);
                sum += d * d;
              }
              ASSERT_NEAR(static_cast<double>(site.out[static_cast<std::size_t>(at)]), std::sqrt(sum), 1e-6)
                  << way.name << ": " << i << ", " << j;
            }
          EXPECT_EQ(site.out[static_cast<std::size_t>(n * (n + 1) / 2)], -1.0F) << way.name << " writes behind the triangle";
        }
      }
    }
  }
}

TEST(Simplex, every_map_of_the_tetrahedron_does_every_test_as_defined) {
  const auto executor = make_executor(3);
  for (const std::int64_t n : {8, 16, 24, 72}) {
    Site site(n);
    for (const Work work : {Work::tally_3d, Work::triplets}) {
      const Outcome expected = defined_outcome(work, n, site.numbers);
      for (const MapWay& way : ways_on_cpu(work, Maps::all, site.data(work, n), *executor)) {
        site.totals[0] = site.totals[1] = 0;
        site.energy = 0;
        way.run();
        EXPECT_EQ(site.totals[0], expected.count) << way.name << ", n " << n;
        EXPECT_EQ(site.totals[1], expected.sum) << way.name << ", n " << n;
        EXPECT_NEAR(site.energy, expected.energy, 1e-4 * std::abs(expected.energy)) << way.name << ", n " << n;
      }
    }
  }
}

TEST(Simplex, the_definitions_count_what_they_say) {
  const Numbers numbers(64, 3, default_executor());
  EXPECT_EQ(useful_cells(Work::dummy, 5), 15);
  EXPECT_EQ(useful_cells(Work::collisions_3d, 5), 10);
  EXPECT_EQ(useful_cells(Work::tally_3d, 5), 35);
  EXPECT_EQ(useful_cells(Work::triplets, 5), 10);
  EXPECT_EQ(useful_cells(Work::triplets, 2), 0);
  EXPECT_EQ(defined_outcome(Work::tally, 5, numbers).count, 15U);
  EXPECT_EQ(defined_outcome(Work::tally, 2, numbers).sum, number_of_cell(0, 0) + number_of_cell(1, 0) + number_of_cell(1, 1));
  EXPECT_EQ(defined_outcome(Work::tally_3d, 5, numbers).count, 35U);
  Numbers three;  // an equilateral triangle of side 1: 1 + 3/8
  three.space = {0, 0, 0, 1, 0, 0, 0.5F, 0.8660254F, 0};
  EXPECT_NEAR(defined_outcome(Work::triplets, 3, three).energy, 1.375, 1e-6);
  three.line = {0, 1, 3};
  three.line_radii = {0.5F, 0.5F, 1.4F};
  EXPECT_EQ(defined_outcome(Work::collisions_1d, 3, three).count, 1U) << "spheres that touch collide";
}

TEST(Simplex, maps_take_grids_of_as_many_dimensions_as_they_have) {
  using Root = Lambda<SquareRoot, BlockIndex>;
  EXPECT_TRUE(is_planar<Fold<BlockIndex>> && is_planar<BoundingBox<BlockIndex>> && is_planar<RectangularBox<BlockIndex>>);
  EXPECT_TRUE(is_spatial<TetrahedronBox<BlockIndex>> && !is_spatial<TetrahedronMap<BlockIndex>>);
  EXPECT_FALSE(is_planar<LinearFold> || is_planar<Root> || is_planar<UpperThreads<BlockIndex>>);
  EXPECT_EQ(LinearFold(6).grid(), (Array<BlockIndex, 3>{21, 1, 1}));
  std::vector<std::string> names;
  for_each_map(Maps::all, 64, [&](const auto& map) { names.emplace_back(map.name); });
  EXPECT_EQ(names.front(), "bounding_box");
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), 11U);
}

TEST(Simplex, full_rectangles_have_as_many_cells_none_twice_beside_the_triangle) {
  for (const BlockIndex m : {1U, 2U, 7U, 64U}) {
    const BlockIndex wanted = m * (m + 1) / 2;
    const DenseSquares<BlockIndex> map(m, wanted);
    EXPECT_GE(map.size(), wanted);
    EXPECT_LT(map.size(), wanted + m);
    std::set<std::pair<BlockIndex, BlockIndex>> seen;
    for (BlockIndex w = 0; w < map.size(); ++w) {
      const auto cell = map.at(w);
      EXPECT_TRUE(cell.is_inside && cell.i >= m && cell.i < map.end_row() && cell.j < m);
      EXPECT_TRUE(seen.emplace(cell.i, cell.j).second);
      const auto same = map.at(w % map.grid()[0], w / map.grid()[0]);
      EXPECT_TRUE(same.i == cell.i && same.j == cell.j);
    }
  }
  for (const BlockIndex m : {1U, 2U, 5U, 9U}) {
    const BlockIndex wanted = m * (m + 1) * (m + 2) / 6;
    const DenseCubes<BlockIndex> map(m, wanted);
    EXPECT_GE(map.size(), wanted);
    EXPECT_LT(map.size(), wanted + m * m);
    std::set<std::tuple<BlockIndex, BlockIndex, BlockIndex>> seen;
    for (BlockIndex w = 0; w < map.size(); ++w) {
      const auto cell = map.at(w);
      EXPECT_TRUE(cell.k < m && cell.j >= m && cell.j < 2 * m && cell.i >= 2 * m && cell.i < map.end_layer());
      EXPECT_TRUE(seen.emplace(cell.i, cell.j, cell.k).second);
    }
  }
}

TEST(Simplex, full_rectangles_stay_within_their_arrays) {
  for (const std::int64_t n : {16, 32, 160, 1024}) {
    const std::int64_t m = n / block_side, useful = useful_cells(Work::dummy, n);
    const DenseSquares<BlockIndex> map(static_cast<BlockIndex>(m), static_cast<BlockIndex>((useful + 255) / 256));
    EXPECT_LE(map.end_row() * block_side, numbers_needed(n, block_side, false));
    EXPECT_LE(map.size() * 256, elements_needed(n));
  }
  for (const std::int64_t n : {8, 16, 64, 500, 2048}) {
    for (const std::int64_t side : {8, 64}) {
      const std::int64_t m = (n + side - 1) / side, cubes = side * side * side;
      const DenseCubes<std::uint64_t> map(static_cast<std::uint64_t>(m),
                                          static_cast<std::uint64_t>((useful_cells(Work::tally_3d, n) + cubes - 1) / cubes));
      EXPECT_LE(static_cast<std::int64_t>(map.end_layer()) * side, numbers_needed(n, side, true)) << n << ", " << side;
    }
  }
}

const SimplexSizes small = {{16, 64}, {16}, {40, 24}, {96}, 48};

TEST(Simplex, figures_and_calls_have_a_row_for_every_extent_and_map) {
  Lines lines;
  Origin origin{"simplex", 2, 0, "abc"};
  origin.facts = simplex_facts();
  Report report(origin, lines.file);
  run_entries(*cpu_site(make_executor(2)), simplex_entries(small), {7, 0.001, 1 << 20, false}, 3, report);
  EXPECT_EQ(report.rows().size(), 2U * (5 + 5 * 11) + 2 * 3 + 11 + 2 + 1);
  std::map<std::string, const Row*> rows;
  for (const Row& row : report.rows()) {
    rows[row.name] = &row;
    EXPECT_GT(row.seconds, 0) << row.name;
    EXPECT_GT(row.bytes, 0) << row.name;
    EXPECT_FALSE(row.copies.empty()) << row.name;
  }
  for (const char* name :
       {"roots_16_lambda_integer", "dummy_64_fold", "map_64_upper_triangular", "edm_16_lambda_x_balanced", "edm_64_fold_linear",
        "collisions_1d_64_banded", "collisions_3d_16_recursive", "tetrahedron_16_tetrahedron_balanced", "triplets_16_tetrahedron_box",
        "condensed_euclidean_40", "condensed_euclidean_24", "condensed_cosine_40", "square_euclidean_40", "count_collisions_3d_96",
        "triplet_energy_48"})
    EXPECT_TRUE(rows.contains(name)) << name;
  EXPECT_EQ(rows.at("edm_64_bounding_box")->facts["blocks"], 16);
  EXPECT_EQ(rows.at("edm_64_bounding_box")->facts["blocks_outside"], 6);
  EXPECT_EQ(rows.at("edm_64_fold")->facts["blocks_outside"], 0);
  EXPECT_EQ(rows.at("edm_64_fold")->facts["pairs"], 2080);
  EXPECT_EQ(rows.at("edm_64_bounding_box")->facts["improvement"], 1.0);
  EXPECT_TRUE(rows.at("edm_64_fold")->facts.contains("fraction_of_fill"));
  EXPECT_EQ(rows.at("edm_64_fold")->facts["plot"]["x"], 64);
  EXPECT_EQ(rows.at("triplet_energy_48")->facts["triplets"], 17296);
  EXPECT_EQ(rows.at("triplet_energy_48")->best_copy().first, "dense");
  EXPECT_EQ(rows.at("square_euclidean_40")->bytes, 6400);
  const auto document = nlohmann::json::parse(report.json());
  EXPECT_DOUBLE_EQ(document["improvement_in_paper"]["Figure 3: square roots"]["GTX 680"]["lambda_r"], 1.15);
  const std::string text = lines.text();
  for (const char* expected : {"Figure 3: square roots", "Figure 5: Euclidean distances", "\nedm_64_fold ", " x bounding_box",
                               "predicts up to 6", "\ncount_collisions_1d_96"})
    EXPECT_NE(text.find(expected), std::string::npos) << expected << "\n" << text;
}

TEST(Simplex, what_does_not_fit_the_memory_is_left_out_and_only_what_is_chosen_runs) {
  Lines lines;
  Report report({"simplex", 1, 0, "abc"}, lines.file);
  const std::vector<Entry> some = chosen(simplex_entries(small), {"edm_", "square"}, "simplex");
  run_entries(*cpu_site(make_executor(1)), some, {7, 0.001, 4 * elements_needed(16), false}, 3, report);
  EXPECT_EQ(report.rows().size(), 11U);
  EXPECT_NE(lines.text().find("edm_64 left out: give more than"), std::string::npos) << lines.text();
  EXPECT_NE(lines.text().find("square_euclidean_40 left out"), std::string::npos) << lines.text();
  try {
    chosen(simplex_entries(small), {"nosuch"}, "simplex");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::bad_notation);
    EXPECT_NE(std::string(e.what()).find("the first of 28 is roots_16"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace crinkle::bench::simplex_suite_test
