// A layout with fewer strides than extents was read past its end: Plan(parse("y x -> x y", Layout{{3, 4}, {}, 0, 4})) was a segmentation
// fault. Every function that takes a layout, or boxes, refuses those that do not hold together, before anything is allocated.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "crinkle/fft.hpp"
#include "crinkle/notation.hpp"
#include "crinkle/operations.hpp"
#include "crinkle/plan.hpp"
#include "crinkle/resample.hpp"
#include "crinkle/stencil_loops.hpp"
#include "crinkle/sweeper.hpp"

namespace crinkle::testing::broken_layouts_test {
namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

const std::map<std::string, Layout> broken = {
    {"no strides", {{3, 4}, {}, 0, 4}},
    {"a stride missing", {{3, 4}, {4}, 0, 4}},
    {"a stride too many", {{3, 4}, {16, 4, 1}, 0, 4}},
    {"strides alone", {{}, {16, 4}, 0, 4}},
    {"a negative extent", {{3, -4}, {16, 4}, 0, 4}},
    {"negative extents", {{-3, -4}, {16, 4}, 0, 4}},
    {"elements of no bytes", {{3, 4}, {16, 4}, 0, 0}},
    {"elements of negative bytes", {{3, 4}, {16, 4}, 0, -4}},
    {"addresses beyond 64 bits", {{3, 4}, {most, 4}, 0, 4}},
    {"an offset beyond them", {{3, 4}, {16, 4}, most - 1, 4}},
};

using Use = std::function<void(const Layout&)>;
const std::int64_t both[] = {1, 0}, ones[] = {1, 1}, zeros[] = {0, 0};
const SliceRange ranges[] = {{0, 2, 1}, {0, 2, 1}};
const PadWidth widths[] = {{1, 1}, {1, 1}};
const Crinkle crinkles[] = {{0, 1}, {1, 2}};
const Layout good = Layout::dense({3, 4}, 4);

FftRequest transform(const Layout& in, const Layout& out) {
  FftRequest request;
  request.in = in;
  request.out = out;
  request.axes = {1};
  return request;
}
Sweep sweep(const Layout& in, const Layout& out) {
  Sweep s;
  s.stencil = parse_stencil("average:1", {.names = {"y", "x"}, .spacing_mm = {}, .numbers = {}, .advice = {}});
  s.source = in;
  s.destination = out;
  s.source_type = s.destination_type = {Number::float32};
  s.axes = {0, 1};
  return s;
}
ConvolveRequest convolution(const Layout& a, const Layout& b, const Layout& out) {
  ConvolveRequest request;
  request.a = a;
  request.b = b;
  request.out = out;
  request.mode = ConvolveMode::same;
  return request;
}
void resample_from(const Layout& in, const Layout& out) {
  Resampling r;
  r.map = zoom_map({3, 4}, {3, 4});
  r.source = in;
  r.destination = out;
  r.source_type = r.destination_type = {Number::float32};
  r.axes = {0, 1};
  std::vector<float> from(64), to(64);
  resample(r, from, to);
}

const std::map<std::string, Use> uses = {{"parse", [](const Layout& l) { Plan{parse("y x -> x y", l)}; }},
                                         {"parse of all axes", [](const Layout& l) { Plan{parse("... -> ...", l)}; }},
                                         {"parse into", [](const Layout& l) { Plan{parse("y x -> y x", good, l)}; }},
                                         {"Rearrangement", [](const Layout& l) { Plan{Rearrangement(l)}; }},
                                         {"into", [](const Layout& l) { Plan{Rearrangement(good).into(l)}; }},
                                         {"of steps", [](const Layout& l) { Plan{Rearrangement(l, good, {})}; }},
                                         {"of steps into", [](const Layout& l) { Plan{Rearrangement(good, l, {})}; }},
                                         {"permute", [](const Layout& l) { Plan{permute(l, both)}; }},
                                         {"flip", [](const Layout& l) { Plan{flip(l, std::span(zeros, 1))}; }},
                                         {"roll", [](const Layout& l) { Plan{roll(l, ones)}; }},
                                         {"slice", [](const Layout& l) { Plan{slice(l, ranges)}; }},
                                         {"pad", [](const Layout& l) { Plan{pad(l, widths)}; }},
                                         {"dilate", [](const Layout& l) { Plan{dilate(l, ones)}; }},
                                         {"repeat", [](const Layout& l) { Plan{repeat(l, 2)}; }},
                                         {"reorder", [](const Layout& l) { Plan{reorder(l, both, zeros, ones)}; }},
                                         {"crinkle", [](const Layout& l) { Plan{crinkle(l, crinkles)}; }},
                                         {"interlace", [](const Layout& l) { Plan{interlace(l, 2)}; }},
                                         {"deinterlace", [](const Layout& l) { Plan{deinterlace(l, 0)}; }},
                                         {"bit_reverse", [](const Layout& l) { Plan{bit_reverse(l, 1)}; }},
                                         {"morton", [](const Layout& l) { Plan{morton(l)}; }},
                                         {"checkerboard", [](const Layout& l) { Plan{checkerboard(l)}; }},
                                         {"byte_swap", [](const Layout& l) { Plan{byte_swap(l)}; }},
                                         {"byte_shuffle", [](const Layout& l) { Plan{byte_shuffle(l)}; }},
                                         {"gather", [](const Layout& l) { Plan{gather(l, 0, ones)}; }},
                                         {"scatter", [](const Layout& l) { Plan{scatter(l, 0, std::span(ones, 1), 3)}; }},
                                         {"FftPlan of", [](const Layout& l) { FftPlan{transform(l, Layout::dense({3, 4}, 8))}; }},
                                         {"FftPlan into", [](const Layout& l) { FftPlan{transform(Layout::dense({3, 4}, 8), l)}; }},
                                         {"ConvolvePlan of a", [](const Layout& l) { ConvolvePlan{convolution(l, good, good)}; }},
                                         {"ConvolvePlan of b", [](const Layout& l) { ConvolvePlan{convolution(good, l, good)}; }},
                                         {"ConvolvePlan into", [](const Layout& l) { ConvolvePlan{convolution(good, good, l)}; }},
                                         {"Sweeper of", [](const Layout& l) { Sweeper{sweep(l, good)}; }},
                                         {"Sweeper into", [](const Layout& l) { Sweeper{sweep(good, l)}; }},
                                         {"resample of", [](const Layout& l) { resample_from(l, good); }},
                                         {"resample into", [](const Layout& l) { resample_from(good, l); }},
                                         {"fields of stencils", [](const Layout& l) {
                                            float values[12] = {};
                                            field_of<2>(values, l);
                                          }}};

TEST(BrokenLayouts, are_refused_by_everything_that_takes_one) {
  for (const auto& [use, run] : uses) {
    for (const auto& [what, layout] : broken) {
      try {
        run(layout);
        ADD_FAILURE() << use << " takes a layout with " << what;
      } catch (const Error& e) {
        const bool is_told = e.code() == ErrorCode::bad_shape || e.code() == ErrorCode::too_large || e.code() == ErrorCode::overlap;
        EXPECT_TRUE(is_told) << use << ", " << what << ": " << e.what();
      }
    }
  }
}

Box box_of(std::int64_t extent, std::int32_t unit = 4) {
  Box box;
  box.unit = unit;
  box.axes.push_back({extent, 4, 4});
  return box;
}

TEST(BrokenBoxes, are_refused) {
  std::map<std::string, Box> boxes = {{"units of 3 bytes", box_of(4, 3)},
                                      {"units of 0 bytes", box_of(4, 0)},
                                      {"units of 32 bytes", box_of(4, 32)},
                                      {"a negative extent", box_of(-4)}};
  Box before = box_of(4), beyond = box_of(4), twice = box_of(4), many = box_of(1);
  before.src_slot = -1;
  beyond.axes.push_back({std::int64_t{1} << 40, 1, 4, Counts::buffers});
  twice.axes.push_back({2, 1, 8, Counts::buffers});
  twice.axes.push_back({2, 1, 16, Counts::buffers});
  for (int k = 0; k < 60; ++k) many.axes.push_back({1, 4, 4});
  boxes.insert({{"a buffer before the first", before}, {"2^40 buffers", beyond}, {"two axes of buffers", twice}, {"60 axes", many}});
  for (const auto& [what, box] : boxes) {
    Boxes list;
    list.push_back(box);
    Steps steps;
    steps.steps.push_back({list, {}, {}});
    EXPECT_THROW(Plan{list}, Error) << what;
    EXPECT_THROW((Rearrangement{good, good, steps}), Error) << what;
  }
}

TEST(BrokenGroups, are_refused) {
  const std::vector<Group> groups = Rearrangement(good).groups();
  const auto of = [&](int group, int digit) { return Rearrangement(4, 0, groups, {{{OutputTerm{group, digit, 1}}, Counts::bytes}}); };
  EXPECT_THROW(of(7, 0), Error);
  EXPECT_THROW(of(0, 3), Error);
  EXPECT_THROW(of(0, -1), Error);
}

}  // namespace
}  // namespace crinkle::testing::broken_layouts_test
