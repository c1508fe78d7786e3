// Running an operation with a workspace that is given allocates nothing once its threads have run one like it. Every allocation of this
// program is counted. The executor here is a loop, so that every run has the same threads.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>
#include <vector>

#include "crinkle/crinkle.hpp"
#include "crinkle/fft.hpp"
#include "crinkle/interpolate.hpp"
#include "crinkle/notation.hpp"
#include "crinkle/resample.hpp"
#include "crinkle/sweeper.hpp"
#include "operation/counted_allocations.hpp"
#include "support/loop_executor.hpp"
#include "support/operations.hpp"

namespace {
std::atomic<long> n_counted{0};
std::atomic<std::int64_t> n_live{0};

void* counted(std::size_t n, std::size_t alignment) {
  ++n_counted;
  n = (n + alignment - 1) / alignment * alignment;
  void* const p = alignment <= alignof(std::max_align_t) ? std::malloc(n) : std::aligned_alloc(alignment, n);
  if (p == nullptr) throw std::bad_alloc();
  constexpr std::int64_t before_each = 8;  // of malloc's own
  n_live += static_cast<std::int64_t>(malloc_usable_size(p)) + before_each;
  return p;
}
void forget(void* p) {
  constexpr std::int64_t before_each = 8;
  if (p != nullptr) n_live -= static_cast<std::int64_t>(malloc_usable_size(p)) + before_each;
  std::free(p);
}
}  // namespace

// GCC pairs these by name and does not see that both sides are malloc's.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
void* operator new(std::size_t n) { return counted(n, alignof(std::max_align_t)); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return counted(n, alignof(std::max_align_t)); }
void* operator new(std::size_t n, std::align_val_t a) { return counted(n, static_cast<std::size_t>(a)); }
void operator delete(void* p) noexcept { forget(p); }
void operator delete(void* p, std::size_t) noexcept { forget(p); }
void operator delete(void* p, std::align_val_t) noexcept { forget(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { forget(p); }

namespace crinkle::testing {
long n_allocations() { return n_counted; }
std::int64_t live_bytes() { return n_live; }
}  // namespace crinkle::testing

namespace crinkle::operation_run_allocation_test {
namespace {

using namespace crinkle::testing;

struct Case {
  const char* name;
  Operation operation;
};

Layout dense(Extents extents, std::int64_t element_bytes) { return Layout::dense(std::move(extents), element_bytes); }

Resampling zoom(std::int64_t n, ResampleBy by, Number number) {
  Resampling r;
  r.source = dense({n, n}, bytes_of(number));
  r.destination = dense({2 * n, 3 * n}, bytes_of(number));
  r.source_type = r.destination_type = {number};
  r.axes = {0, 1};
  r.by = by;
  r.map = zoom_map({n, n}, {2 * n, 3 * n});
  return r;
}

std::vector<Case> cases(std::int64_t k) {  // extents grow with k
  std::vector<Case> all;
  const auto add = [&](const char* name, const auto& request) { all.push_back({name, plan(request)}); };
  using enum FftKind;
  const auto square = [&](std::int64_t element_bytes) { return dense({12 * k, 12 * k}, element_bytes); };
  add("move", parse("y x -> x y", dense({33 * k, 65 * k}, 4)));
  add("move in two steps", parse("y x -> x y", dense({90 * k, 90 * k}, 4)).flip("x"));
  add("transform", FftRequest{.in = square(8), .out = square(8), .axes = {0, 1}});
  add("transform of a prime", FftRequest{.in = dense({k, 1009}, 8), .out = dense({k, 1009}, 8), .axes = {1}});
  add("real transform", FftRequest{.in = square(4), .out = dense({12 * k, 6 * k + 1}, 8), .axes = {0, 1}, .kind = real_to_complex});
  add("cosine transform", FftRequest{.in = square(4), .out = square(4), .axes = {0, 1}, .kind = cosine});
  add("float16", FftRequest{.in = square(4), .out = square(4), .axes = {0, 1}, .real = FftReal::float16});
  add("convolution", ConvolveRequest{.a = square(4), .b = dense({5, 3}, 4), .out = dense({12 * k + 4, 12 * k + 2}, 4)});
  Sweep sweep;
  sweep.stencil = gaussian({1, 1});
  sweep.source = sweep.destination = square(4);
  sweep.source_type = sweep.destination_type = {Number::float32};
  sweep.axes = {0, 1};
  sweep.steps = 3;
  add("sweep", sweep);
  for (const ResampleBy by : {ResampleBy::nearest, ResampleBy::linear, ResampleBy::cubic, ResampleBy::spline}) {
    add("resampling", zoom(10 * k, by, Number::float32));
    add("resampling of bytes", zoom(10 * k, by, Number::uint8));
  }
  for (const PairForm form : {PairForm::condensed, PairForm::packed_lower, PairForm::packed_upper, PairForm::rfp, PairForm::square})
    for (const Metric metric : {Metric::euclidean, Metric::cosine})
      add("distances", DistanceRequest{.n = 30 * k, .n_features = 3, .type = Real::float64, .metric = metric, .form = form});
  add("distances of two sets", CrossDistanceRequest{.n = 30 * k, .m = 7 * k, .n_features = 3});
  add("distances into rows apart", CrossDistanceRequest{.n = 30 * k, .m = 7, .n_features = 3, .out = Layout{{30 * k, 7}, {112, 8}, 0, 4}});
  add("collisions", CollisionRequest{30 * k, 3, Real::float32});
  add("triplets", TripletRequest{20 * k, Real::float32});
  add("triplets of float64", TripletRequest{20 * k, Real::float64});
  for (const char* to : {"packed upper", "rfp lower", "symmetric"})
    add("triangle", TriangleRequest{TriangleLayout::parse("packed lower", 30 * k, 8), TriangleLayout::parse(to, 30 * k, 8)});
  std::vector<double> places, values;
  for (std::int64_t i = 0; i < 100 * k; ++i) {
    places.insert(places.end(), {static_cast<double>(i % 10), static_cast<double>(i % 7)});
    values.push_back(static_cast<double>(i));
  }
  add("binning", BinRequest{{.places = places, .values = values}, raster_over(0, 0, 10, 10, 1), {Statistic::mean, Statistic::deviation}});
  return all;
}

TEST(Running, an_operation_with_a_given_workspace_allocates_nothing_once_it_was_done_before) {
  std::mt19937_64 random(5);
  for (const std::int64_t k : {1, 9}) {
    for (const Case& c : cases(k)) {
      std::vector<Bytes> memory;
      std::vector<ConstBuffer> in;
      std::vector<Buffer> out;
      for (const Port& port : c.operation.inputs()) memory.push_back(random_input(port, random));
      if (c.operation.name() == "collision search") memory[1].assign(memory[1].size(), std::byte{0});  // radii
      for (const Bytes& bytes : memory) in.emplace_back(bytes);
      const std::size_t n_in = memory.size();
      for (const Port& port : c.operation.outputs()) memory.push_back(port.is_counted ? Bytes(1 << 20) : buffer_of(port));
      for (std::size_t o = n_in; o < memory.size(); ++o) out.emplace_back(memory[o]);
      Bytes own(size_of(c.operation.workspace_bytes()));
      for (const int n_workers : {1, 2}) {
        LoopExecutor loop(n_workers);
        c.operation.run(in, out, loop, own);
        const long before = n_allocations();
        c.operation.run(in, out, loop, own);
        EXPECT_EQ(n_allocations() - before, 0) << c.name << ", " << n_workers << " workers\n" << c.operation.describe();
      }
    }
  }
  const long before = n_allocations();
  ::operator delete(::operator new(8));
  ::operator delete(::operator new(8, std::align_val_t(64)), std::align_val_t(64));
  EXPECT_EQ(n_allocations() - before, 2) << "the counter counts";
}

}  // namespace
}  // namespace crinkle::operation_run_allocation_test
