// The suite `pairs`: distances of all pairs by metric, form, type, number of points and of features, beside filling as many bytes:
// "euclidean_condensed_float32_n1024_f4". bench/rivals/drive.py sets SciPy beside it.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <memory>

#include "harness/unit_numbers.hpp"
#include "suites/distance_check.hpp"
#include "suites/suites.hpp"

namespace crinkle::bench {
namespace {

Contest contest_of(const std::string& name, const DistanceCall& call, Site& site, std::uint64_t seed) {
  const auto numbers = std::make_shared<std::vector<float>>(static_cast<std::size_t>(call.n * call.n_features));
  fill_unit(numbers->data(), std::ssize(*numbers), seed, site.executor());
  const std::vector<double> wide(numbers->begin(), numbers->end());
  const bool is_narrow = call.type == Real::float32;
  site.put(is_narrow ? static_cast<const void*>(numbers->data()) : wide.data(), call.points_bytes());
  const auto right = [=, &site] {
    check_distances(name, *numbers, call, [&](const std::vector<std::int64_t>& places) {
      std::vector<double> values;
      for (const std::int64_t at : places)
        values.push_back(is_narrow ? static_cast<double>(reinterpret_cast<const float*>(site.destination())[at])
                                   : reinterpret_cast<const double*>(site.destination())[at]);
      return values;
    });
  };
  const DistanceRequest request{call.n, call.n_features, call.type, call.metric, call.form};
  Contest c = contest(name, plan(request, site.device()), site, right, "sample");
  c.bytes = call.bytes();
  c.unit = "pairs";
  c.units = call.n * (call.n - 1) / 2;
  c.ceilings = ceilings_of(site.fills(call.bytes()));
  return c;
}

}  // namespace

std::vector<Entry> pairs_entries(const Request&) {
  constexpr std::pair<std::int64_t, std::int64_t> sizes[] = {{16384, 4},  {1024, 4},  {1024, 3},  {1024, 16},
                                                             {1024, 128}, {4096, 16}, {4096, 128}};
  std::vector<Entry> entries;
  for (const auto& [n, n_features] : sizes)
    for (const PairForm form : {PairForm::condensed, PairForm::square})
      for (const Real type : {Real::float32, Real::float64})
        for (const Metric metric : {Metric::euclidean, Metric::sqeuclidean, Metric::manhattan, Metric::chebyshev, Metric::cosine}) {
          const DistanceCall call{.metric = metric, .form = form, .type = type, .n = n, .n_features = n_features};
          const std::string name =
              fmt::format("{}_{}_{}_n{}_f{}", name_of(metric), name_of(form), type == Real::float32 ? "float32" : "float64", n, n_features);
          entries.push_back({name, {call.points_bytes(), call.bytes()}, [=](Site& site, std::uint64_t seed) {
                               return contest_of(name, call, site, seed);
                             }});
        }
  return entries;
}

}  // namespace crinkle::bench
