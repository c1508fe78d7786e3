// The suite `idw`: paper 4's loops sum as defined in every layout, power and type; layouts of views lie as their text says; and the
// check of a contest is red where a value is not.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <set>
#include <vector>

#include "crinkle/record_layout.hpp"
#include "harness/random.hpp"
#include "papers/idw/variants.hpp"
#include "papers/suites.hpp"

namespace crinkle::bench::idw_test {
namespace {

using namespace idw_paper;

Variant variant_of(Form form, int layout, Rule rule, Real type) { return {form, static_cast<PointLayout>(layout), rule, type}; }

template <class View>
void expect_as_text_says(const std::string& text) {
  using T = decltype(View::Type::x);
  const RecordLayout layout = RecordLayout::parse(text, parse_fields(sizeof(T) == 4 ? "x:f4 y:f4 z:f4" : "x:f8 y:f8 z:f8"));
  for (const std::int64_t n : {1, 7, 256}) {
    const std::vector<PlainPlace> places = places_of(layout, n);
    EXPECT_EQ(View::bytes(n), layout.bytes(n)) << text;
    const auto expect_at = [&]<auto member>(field<member> f, std::size_t k) {
      EXPECT_EQ(View::group_begin(View::group(f), n) + View::offset(f, n - 1, n),
                places[k].begin + (n - 1) * places[k].record_bytes + places[k].offset)
          << text << ", field " << k << ", " << n;
    };
    expect_at(field<&Point<T>::x>(), 0);
    expect_at(field<&Point<T>::y>(), 1);
    expect_at(field<&Point<T>::z>(), 2);
  }
}

TEST(PaperIdw, layouts_lie_as_their_text_says) {
  for (const Real type : {Real::float32, Real::float64})
    for (int k = 0; k < n_layouts; ++k)
      with_constants<n_layouts>(variant_of(Form::naive, k, Rule::two, type), [&]<class T>(T, auto, auto layout) {
        expect_as_text_says<PointView<T, layout()>>(text_of(layout(), type));
      });
}

/// The loops' result for random points, and the definition's.
template <class T, class View>
void expect_defined(const Variant& v, double power, std::int64_t n_samples, std::int64_t n_targets, Executor& executor) {
  const std::string what = std::string(idw_paper::name_of(v.form)) + ", " + name_of(v.layout, v.type) + ", " + std::to_string(power) +
                           ", " + std::to_string(n_samples) + " samples, " + std::to_string(n_targets) + " targets";
  std::vector<std::byte> samples(static_cast<std::size_t>(View::bytes(n_samples))),
      targets(static_cast<std::size_t>(View::bytes(n_targets)));
  const View from(samples.data(), n_samples), to(targets.data(), n_targets);
  std::uint64_t state = 11;
  const auto next = [&] { return static_cast<T>(next_random(state) >> 41) / (1 << 23); };
  for (std::int64_t j = 0; j < n_samples; ++j) from.store(j, {next(), next(), next()});
  for (std::int64_t i = 0; i < n_targets; ++i) to.store(i, {next(), 2 + next(), static_cast<T>(NAN)});
  sum_in_loops(v, {samples.data(), targets.data(), n_samples, n_targets, nullptr}, executor)();
  for (std::int64_t i = 0; i < n_targets; ++i) {
    const Point<T> at = to.load(i);
    double weights = 0, values = 0;
    for (std::int64_t j = 0; j < n_samples; ++j) {
      const Point<T> one = from.load(j);
      const double dx = static_cast<double>(one.x) - static_cast<double>(at.x), dy = static_cast<double>(one.y) - static_cast<double>(at.y);
      const double w = std::pow(dx * dx + dy * dy, -power / 2);
      weights += w;
      values += w * static_cast<double>(one.z);
    }
    ASSERT_NEAR(static_cast<double>(at.z), values / weights, sizeof(T) == 4 ? 1e-5 : 1e-13) << what << ", target " << i;
  }
}

TEST(PaperIdw, loops_sum_as_defined_whatever_is_left_of_tiles_and_blocks) {
  const std::unique_ptr<Executor> executor = make_executor(3);
  for (const Form form : {Form::naive, Form::tiled})
    for (const Rule rule : {Rule::two, Rule::three})
      for (const Real type : {Real::float32, Real::float64})
        for (int k = 0; k < n_plain_layouts; ++k)
          for (const std::int64_t n_samples : {1, 255, 256, 515})
            for (const std::int64_t n_targets : {1, 7, 257}) {
              const Variant v = variant_of(form, k, rule, type);
              with_constants<n_plain_layouts>(v, [&]<class T>(T, auto, auto layout) {
                expect_defined<T, PointView<T, layout()>>(v, rule == Rule::three ? 3 : 2, n_samples, n_targets, *executor);
              });
            }
}

TEST(PaperIdw, what_is_of_a_gpu_alone_is_refused_on_a_cpu) {
  const std::unique_ptr<Executor> executor = make_executor(1);
  for (const Variant& v : {Variant{Form::improved}, Variant{Form::original_in_grid}, Variant{Form::naive, PointLayout::vector4}})
    EXPECT_THROW(sum_in_loops(v, {}, *executor), Error);
}

TEST(PaperIdw, every_case_has_a_name_of_its_own_and_the_smallest_are_checked) {
  const std::unique_ptr<Site> site = cpu_site(std::shared_ptr<Executor>(make_executor(2)));
  const Effort effort;
  std::set<std::string> names;
  int n_checked = 0;
  for (const Entry& e : idw_entries({*site, effort, nullptr})) {
    EXPECT_TRUE(names.insert(e.name).second) << e.name;
    if (!e.name.ends_with("_n1024")) continue;
    site->reserve(e.arrays);
    const Contest contest = e.make(*site, 5);
    EXPECT_NO_THROW(contest.check()) << e.name;
    EXPECT_EQ(std::ssize(contest.ways), n_plain_layouts + 2) << e.name;  // the library's, a copy
    EXPECT_EQ(contest.units, 1024 * 1024) << e.name;
    ++n_checked;
  }
  EXPECT_EQ(n_checked, 8);
}

}  // namespace
}  // namespace crinkle::bench::idw_test
