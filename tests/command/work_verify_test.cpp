// What --verify finds of an operation's outputs: any number that is not the definition's, or as near to it as is promised.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "crinkle/fft.hpp"
#include "crinkle/interpolate.hpp"
#include "crinkle/pairs.hpp"
#include "crinkle/resample.hpp"
#include "crinkle/sweeper.hpp"
#include "crinkle/triangle.hpp"
#include "notation/expect_error.hpp"
#include "running/work.hpp"
#include "support/operations.hpp"

namespace crinkle::tool::work_verify_test {
namespace {

using namespace crinkle::testing;

WorkOptions verified() {
  WorkOptions options;
  options.device = "cpu";
  options.is_verified = true;
  return options;
}

void verify(const Work& work, const Buffers& in, Buffers& out, const Agreement& agreement = {}) {
  std::vector<ConstBuffer> from(in.begin(), in.end());
  std::vector<ConstBuffer> to(out.begin(), out.end());
  work.verify(from, to, "out.npy", agreement);
}

/// Every element, one after the other, is made wrong by its lowest byte's lowest bit, or by its sign where it may be near.
void find_every_wrong_element(const std::function<Operation(Device)>& plan, const Agreement& agreement = {}) {
  const WorkOptions options = verified();
  Work work(options, plan);
  std::mt19937_64 random(541);
  const Operation& operation = work.operation();
  const Buffers in = random_inputs(operation, random);
  Buffers out;
  for (const Port& port : operation.outputs()) out.push_back(Bytes(buffer_of(port).size()));
  run_on(operation, in, out);
  EXPECT_NO_THROW(verify(work, in, out, agreement)) << operation.describe();
  const bool is_near = agreement.near[0].absolute > 0;
  const auto element = size_of(operation.outputs()[0].layout.element_bytes);
  int n_found = 0;
  for (std::size_t k = 0; k + element <= out[0].size(); k += element) {
    std::byte& b = out[0][is_near ? k + element - 1 : k];
    const std::byte right = b;
    b ^= is_near ? std::byte{0x40} : std::byte{1};
    try {
      verify(work, in, out, agreement);
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::bad_file);
      EXPECT_EQ(std::string(e.what()).substr(0, 9), "out.npy: ") << e.what();
      ++n_found;
    }
    b = right;
  }
  const bool is_updated = operation.outputs()[0].is_updated;  // and some of it is nobody's
  if (is_updated) EXPECT_GT(n_found, 0);
  else EXPECT_EQ(n_found, std::ssize(out[0]) / static_cast<std::ptrdiff_t>(element)) << operation.describe();
}

TEST(WorkVerify, every_wrong_element_is_found) {
  const Layout floats = Layout::dense({5, 6}, 4);
  for (const PairForm form : {PairForm::condensed, PairForm::packed_lower, PairForm::packed_upper, PairForm::rfp, PairForm::square})
    for (const Metric metric : {Metric::euclidean, Metric::manhattan, Metric::chebyshev})
      find_every_wrong_element(
          [&](Device device) { return plan(DistanceRequest{.n = 7, .n_features = 3, .metric = metric, .form = form}, device); });
  for (const char* to : {"full", "symmetric", "packed upper", "rfp", "condensed"})
    for (const char* from : {"full upper", "packed", "rfp upper", "condensed"})
      find_every_wrong_element(
          [&](Device device) { return plan(TriangleRequest{TriangleLayout::parse(from, 6, 4), TriangleLayout::parse(to, 6, 4)}, device); });
  find_every_wrong_element([&](Device device) {
    return plan(
        Sweep{.stencil = parse_stencil("laplacian", {.names = {"y", "x"}}), .source = floats, .destination = floats, .axes = {0, 1}},
        device);
  });
}

TEST(WorkVerify, a_bound_is_kept) {
  std::vector<double> places, values;
  for (int i = 0; i < 30; ++i) {
    places.push_back(std::cos(i));
    places.push_back(std::sin(3.0 * i));
    values.push_back(2 + std::sin(i));
    values.push_back(20 + 10 * std::sin(i));
  }
  const Samples samples{.places = places, .values = values, .n_columns = 2};
  const auto planned = [&](Device device) {
    return plan(
        InterpolateRequest{
            samples, {.neighbours = 4}, Raster{.first = {-1, -1}, .step = {0.4, 0.5, 1}, .extents = {5, 4, 1}}, Real::float64},
        device);
  };
  find_every_wrong_element(planned, {.near = {{1e-12, 0}, {1e-11, 0}}});
  const WorkOptions options = verified();
  Work work(options, planned);
  Buffers out = untouched_outputs(work.operation());
  run_on(work.operation(), {}, out);
  auto* const numbers = reinterpret_cast<double*>(out[0].data());
  for (const auto& [k, away, is_right] : {std::tuple{3, 1e-13, true}, {3, 5e-12, false}, {23, 5e-12, true}, {23, 5e-11, false}}) {
    const double before = numbers[k];
    numbers[k] += away;
    if (is_right) EXPECT_NO_THROW(verify(work, {}, out, {.near = {{1e-12, 0}, {1e-11, 0}}})) << k << ' ' << away;
    else error_of(ErrorCode::bad_file, [&] { verify(work, {}, out, {.near = {{1e-12, 0}, {1e-11, 0}}}); });
    numbers[k] = before;
  }
  for (const double wrong : {std::nan(""), std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
    const double before = std::exchange(numbers[7], wrong);
    error_of(ErrorCode::bad_file, [&] { verify(work, {}, out, {.near = {{1e-12, 1e-12}}}); });
    numbers[7] = before;
  }
}

TEST(WorkVerify, another_list_of_collisions_is_found) {
  const std::vector<double> x = {0, 1, 2, 10}, r = {1, 1, 1, 1};
  const WorkOptions options = verified();
  Work work(options, [](Device device) { return plan(CollisionRequest{.n = 4, .n_dimensions = 1, .type = Real::float64}, device); });
  const ConstBuffer in[] = {ConstBuffer(x), ConstBuffer(r)};
  EXPECT_EQ(work.count(in), 3);
  std::vector<Collision> pairs = {{0, 1}, {0, 2}, {1, 2}};
  const auto verify_pairs = [&] {
    const ConstBuffer to(pairs);
    work.verify(in, {&to, 1}, "c.npy");
  };
  EXPECT_NO_THROW(verify_pairs());
  pairs[1].j = 3;
  EXPECT_EQ(error_of(ErrorCode::bad_file, verify_pairs), "c.npy: it is not what the definition of the collision search gives");
  pairs = {{0, 1}, {0, 2}, {1, 2}, {2, 3}};
  error_of(ErrorCode::bad_file, verify_pairs);
  pairs.resize(2);
  error_of(ErrorCode::bad_shape, verify_pairs);  // there are three
}

}  // namespace
}  // namespace crinkle::tool::work_verify_test
