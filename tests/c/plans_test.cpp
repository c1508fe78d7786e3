// Plans of requests through the C interface: made, run, cut, taken apart in stages, and what is wrong with them.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <complex>
#include <memory>
#include <string>
#include <vector>

#include "crinkle/crinkle.h"
#include "crinkle/fft.hpp"

namespace crinkle::c_plans_test {
namespace {

struct Free {
  void operator()(crinkle_plan* plan) const { crinkle_free_plan(plan); }
};
using Owned = std::unique_ptr<crinkle_plan, Free>;
using Numbers = std::vector<std::complex<float>>;

constexpr std::int64_t n_rows = 6, n_columns = 10, shape[] = {n_rows, n_columns}, rows[] = {1}, both[] = {0, 1};
constexpr crinkle_layout array = {2, shape, nullptr, 0, 8};

crinkle_fft transform(int n_axes, const std::int64_t* axes) {
  return {array, array, n_axes, axes, nullptr, nullptr, 0, nullptr, nullptr, nullptr};
}

Owned made(const crinkle_fft& request) {
  crinkle_plan* plan = nullptr;
  EXPECT_EQ(crinkle_make_fft(&request, crinkle_cpu, 1, &plan), crinkle_done) << crinkle_error_text();
  return Owned(plan);
}

Numbers numbers(std::int64_t n) {
  Numbers all(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = {static_cast<float>(i % 7), static_cast<float>(i % 5)};
  return all;
}

Numbers run(const crinkle_plan* plan, const Numbers& x, std::int64_t n_out) {
  Numbers y(static_cast<std::size_t>(n_out));
  const void* from = x.data();
  void* to = y.data();
  const std::int64_t from_bytes = 8 * std::ssize(x), to_bytes = 8 * n_out;
  EXPECT_EQ(crinkle_run(plan, &from, &from_bytes, &to, &to_bytes), crinkle_done) << crinkle_error_text();
  return y;
}

TEST(CPlans, a_transform_is_that_of_the_library) {
  const Owned plan = made(transform(1, rows));
  const Numbers x = numbers(n_rows * n_columns);
  Numbers wanted(x.size());
  const Layout layout = Layout::dense({n_rows, n_columns}, 8);
  FftPlan({.in = layout, .out = layout, .axes = {1}}).run(ConstBuffer(x), Buffer(wanted), {});
  EXPECT_EQ(run(plan.get(), x, n_rows * n_columns), wanted);
  std::int64_t extents[2] = {}, element = 0;
  EXPECT_EQ(crinkle_n_inputs(plan.get()), 1);
  EXPECT_EQ(crinkle_port(plan.get(), 0, 0, 2, extents, &element), 2);
  EXPECT_EQ(extents[1], n_columns);
  EXPECT_EQ(element, 8);
  EXPECT_EQ(crinkle_port(plan.get(), 1, 1, 0, nullptr, nullptr), -1);
  EXPECT_GT(crinkle_describe(plan.get(), nullptr, 0), 10);
}

TEST(CPlans, parts_and_stages_make_the_whole) {
  const Owned plan = made(transform(1, rows));
  ASSERT_EQ(crinkle_n_cuts(plan.get()), 1);
  ASSERT_EQ(crinkle_cut_extent(plan.get(), 0), n_rows);
  const Numbers x = numbers(n_rows * n_columns), whole = run(plan.get(), x, n_rows * n_columns);
  Numbers pieces;
  for (const crinkle_range part : {crinkle_range{0, 2}, crinkle_range{2, 4}}) {
    crinkle_range needs[2], gives[2];
    ASSERT_EQ(crinkle_needs(plan.get(), &part, 0, needs), crinkle_done);
    ASSERT_EQ(crinkle_gives(plan.get(), &part, 0, gives), crinkle_done);
    EXPECT_EQ(needs[0].first, part.first);
    EXPECT_EQ(needs[1].n, n_columns);
    crinkle_plan* of_part = nullptr;
    ASSERT_EQ(crinkle_make_part(plan.get(), &part, &of_part), crinkle_done) << crinkle_error_text();
    const Owned owned(of_part);
    const Numbers some(x.begin() + needs[0].first * n_columns, x.begin() + (needs[0].first + needs[0].n) * n_columns);
    const Numbers its = run(of_part, some, part.n * n_columns);
    pieces.insert(pieces.end(), its.begin(), its.end());
  }
  EXPECT_EQ(pieces, whole);

  const Owned two = made(transform(2, both));
  ASSERT_EQ(crinkle_n_stages(two.get()), 2);
  Numbers now = x;
  for (int stage = 0; stage < 2; ++stage) {
    crinkle_plan* of_stage = nullptr;
    ASSERT_EQ(crinkle_make_stage(two.get(), stage, &of_stage), crinkle_done);
    now = run(Owned(of_stage).get(), now, n_rows * n_columns);
  }
  EXPECT_EQ(now, run(two.get(), x, n_rows * n_columns));
}

TEST(CPlans, a_convolution_has_two_inputs) {
  const std::int64_t a[] = {5}, b[] = {3}, out[] = {7};
  const crinkle_convolve request = {
      {1, a, nullptr, 0, 8}, {1, b, nullptr, 0, 8}, {1, out, nullptr, 0, 8}, 0, nullptr, "full", "float64", 0};
  crinkle_plan* plan = nullptr;
  ASSERT_EQ(crinkle_make_convolve(&request, crinkle_cpu, 1, &plan), crinkle_done) << crinkle_error_text();
  const Owned owned(plan);
  const std::vector<double> x{1, 2, 3, 4, 5}, y{1, 0, -1};
  std::vector<double> z(7);
  const void* from[] = {x.data(), y.data()};
  const std::int64_t from_bytes[] = {40, 24}, to_bytes = 56;
  void* to = z.data();
  ASSERT_EQ(crinkle_run(plan, from, from_bytes, &to, &to_bytes), crinkle_done) << crinkle_error_text();
  const double wanted[] = {1, 2, 2, 2, 2, -4, -5};
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(z[i], wanted[i], 1e-12);
}

struct Lent {
  crinkle_plan* plan = nullptr;
  std::vector<std::vector<double>> in;
  std::vector<double> run(std::size_t n_out) {
    const Owned owned(plan);
    std::vector<double> out(n_out, -1);
    std::vector<const void*> from;
    std::vector<std::int64_t> bytes;
    for (const auto& x : in) from.push_back(x.data()), bytes.push_back(8 * std::ssize(x));
    void* to = out.data();
    const std::int64_t to_bytes = 8 * std::ssize(out);
    EXPECT_EQ(crinkle_run(plan, from.data(), bytes.data(), &to, &to_bytes), crinkle_done) << crinkle_error_text();
    return out;
  }
};

TEST(CPlans, every_request_has_its_maker) {
  const std::int64_t line[] = {5}, longer[] = {10}, axis[] = {0};
  const crinkle_layout five = {1, line, nullptr, 0, 8}, ten = {1, longer, nullptr, 0, 8};
  const char* const edge[] = {"edge"};
  Lent r{.in = {{0, 0, 4, 0, 0}}};
  const crinkle_stencil stencil = {"laplacian", five, five, "float64", "float64", 1, axis, edge, 0};
  ASSERT_EQ(crinkle_make_stencil(&stencil, crinkle_cpu, 1, &r.plan), crinkle_done) << crinkle_error_text();
  EXPECT_EQ(r.run(5), (std::vector<double>{0, 4, -8, 4, 0}));
  r.in = {{0, 1, 2, 3, 4}};
  crinkle_resample zoom = {five, ten, "float64", "float64", 1, axis, nullptr, nullptr, "nearest", nullptr, 0};
  ASSERT_EQ(crinkle_make_resample(&zoom, crinkle_cpu, 1, &r.plan), crinkle_done) << crinkle_error_text();
  EXPECT_EQ(r.run(10), (std::vector<double>{0, 0, 1, 1, 2, 2, 3, 3, 4, 4}));
  const double offset[] = {1};
  zoom.destination = five;
  zoom.offset = offset;
  zoom.by = nullptr;
  zoom.boundary = edge;
  ASSERT_EQ(crinkle_make_resample(&zoom, crinkle_cpu, 1, &r.plan), crinkle_done) << crinkle_error_text();
  EXPECT_EQ(r.run(5), (std::vector<double>{1, 2, 3, 4, 4}));
  crinkle_distances distances = {3, 0, 1, "float64", nullptr, nullptr};
  r.in = {{0, 3, 7}};
  ASSERT_EQ(crinkle_make_distances(&distances, crinkle_cpu, 1, &r.plan), crinkle_done) << crinkle_error_text();
  EXPECT_EQ(r.run(3), (std::vector<double>{3, 7, 4}));
  distances.m = 2;
  r.in = {{0, 3, 7}, {1, 5}};
  ASSERT_EQ(crinkle_make_distances(&distances, crinkle_cpu, 1, &r.plan), crinkle_done) << crinkle_error_text();
  EXPECT_EQ(r.run(6), (std::vector<double>{1, 5, 2, 2, 6, 2}));
  distances.form = "square";
  EXPECT_EQ(crinkle_make_distances(&distances, crinkle_cpu, 1, &r.plan), crinkle_bad_notation);
  r.in = {{1, 2, 3}};
  ASSERT_EQ(crinkle_make_triangle("condensed", "symmetric", 3, 8, crinkle_cpu, 1, &r.plan), crinkle_done) << crinkle_error_text();
  EXPECT_EQ(r.run(9), (std::vector<double>{0, 1, 2, 1, 0, 3, 2, 3, 0}));
  crinkle_stencil wrong = stencil;
  wrong.stencil = "laplacien";
  EXPECT_EQ(crinkle_make_stencil(&wrong, crinkle_cpu, 1, &r.plan), crinkle_bad_notation);
  wrong = stencil;
  wrong.source_type = nullptr;
  EXPECT_EQ(crinkle_make_stencil(&wrong, crinkle_cpu, 1, &r.plan), crinkle_bad_shape);
  const std::int64_t beyond[] = {1};
  wrong = stencil;
  wrong.axes = beyond;
  EXPECT_EQ(crinkle_make_stencil(&wrong, crinkle_cpu, 1, &r.plan), crinkle_bad_shape);
  zoom.n_axes = 0;
  EXPECT_EQ(crinkle_make_resample(&zoom, crinkle_cpu, 1, &r.plan), crinkle_bad_shape);
  EXPECT_EQ(crinkle_make_triangle("packed", "oblong", 3, 8, crinkle_cpu, 1, &r.plan), crinkle_bad_notation);
}

TEST(CPlans, what_is_wrong_has_a_status_and_a_text) {
  const auto fails = [](const crinkle_fft& request, crinkle_status status, const std::string& text) {
    crinkle_plan* plan = nullptr;
    EXPECT_EQ(crinkle_make_fft(&request, crinkle_cpu, 1, &plan), status) << text;
    EXPECT_EQ(plan, nullptr);
    EXPECT_NE(std::string(crinkle_error_text()).find(text), std::string::npos) << crinkle_error_text();
  };
  crinkle_fft request = transform(1, rows);
  request.kind = "real";
  fails(request, crinkle_bad_notation, "complex to real");
  request = transform(1, rows);
  request.norm = "none";
  fails(request, crinkle_bad_notation, "ortho");
  request = transform(1, nullptr);
  fails(request, crinkle_bad_shape, "axes is NULL");
  request = transform(-1, rows);
  fails(request, crinkle_bad_shape, "-1 axes");
  request = transform(1, rows);
  request.real = "float64";
  fails(request, crinkle_bad_shape, "");
  request = transform(0, rows);
  fails(request, crinkle_bad_shape, "");
  crinkle_plan* plan = nullptr;
  EXPECT_EQ(crinkle_make_fft(nullptr, crinkle_cpu, 1, &plan), crinkle_bad_shape);
  const Owned good = made(transform(1, rows));
  const crinkle_range beyond = {5, 2};
  crinkle_range ranges[2];
  EXPECT_EQ(crinkle_needs(good.get(), &beyond, 0, ranges), crinkle_bad_shape);
  EXPECT_EQ(crinkle_needs(good.get(), nullptr, 0, ranges), crinkle_bad_shape);
  const crinkle_range fine = {5, 1};
  EXPECT_EQ(crinkle_needs(good.get(), &fine, 1, ranges), crinkle_bad_shape);
  EXPECT_EQ(crinkle_make_stage(good.get(), 1, &plan), crinkle_bad_shape);
  EXPECT_EQ(crinkle_make_part(made(transform(2, both)).get(), &fine, &plan), crinkle_unsupported);
  EXPECT_EQ(crinkle_cut_extent(good.get(), 1), -1);
}

}  // namespace
}  // namespace crinkle::c_plans_test
