// Several devices of one process, on the CPU's memory: every redistribution against its definition, every operation against one memory, by
// stores into each other's memory and by packed copies; and what is refused.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <array>

#include "devices/one_memory.hpp"
#include "support/drawn.hpp"

namespace crinkle {
namespace {

using spread::expect_the_bits_of_one_memory;
using spread::read;
using spread::written;

constexpr DevicesOptions staged{.is_staged = true};

void expect_as_defined(const Redistribution& r, std::int64_t n) {
  const spread::Parts src = spread::parts_of(r.from(), n, r.element_bytes());
  spread::Parts right = spread::poisoned(r.to(), n, r.element_bytes());
  define_redistribute(r, read(src), written(right));
  for (const bool is_staged : {false, true}) {
    const DevicesPlan planned = plan(r, Devices::logical(cpu(), n), {.is_staged = is_staged});
    for (int time = 0; time < 2; ++time) {
      spread::Parts made = spread::poisoned(r.to(), n, r.element_bytes());
      planned.run(read(src), written(made));
      for (std::size_t k = 0; k < made.size(); ++k)
        ASSERT_EQ(made[k], right[k]) << "device " << k << " of " << r.text() << (is_staged ? ", staged" : "");
    }
    ASSERT_EQ(planned.sent_bytes(), r.traffic().sent * r.element_bytes());
  }
}

TEST(devices, all_pairs_of_layouts_and_transposes_on_1_to_9_of_them) {
  Draw draw{std::mt19937_64(41)};
  spread::for_all_pairs_of_kinds(draw, [](const Redistribution& r, std::int64_t n) {
    expect_as_defined(r, n);
    return !::testing::Test::HasFatalFailure();
  });
}

TEST(devices, drawn_moves_with_verbs) {
  Draw draw{std::mt19937_64(42)};
  for (int k = 0; k < 200; ++k) {
    Extents extents;
    for (std::int64_t a = draw.pick(0, 4); a > 0; --a) extents.push_back(draw.chance(9) ? 0 : draw.pick(1, draw.chance(3) ? 20 : 7));
    const std::int64_t bytes[] = {1, 2, 3, 4, 8, 12, 16, 24};
    const Rearrangement move = spread::move_of(extents, bytes[draw.pick(0, 7)], static_cast<int>(draw.pick(0, 4)), draw);
    const std::int64_t n = draw.chance(8) ? 40 : draw.pick(1, 12), m = draw.chance(2) ? n : draw.pick(1, n);
    const Redistribution r(spread::drawn(extents, n, draw), spread::drawn(move.destination().extents, m, draw), move);
    ASSERT_NO_FATAL_FAILURE(expect_as_defined(r, n)) << k;
  }
}

// Columns of one byte: more boxes than one planned move takes.
TEST(devices, pieces_without_number) {
  const Distribution from({70, 90}, {}, "@0:cyclic(2) @1:cyclic(2,3)"), to({70, 90}, {}, "@1:cuts(0,7,50,90) ");
  expect_as_defined(Redistribution(from, Distribution({70, 90}, {}, "@0:cyclic(4)"), 1), 4);
  expect_as_defined(Redistribution(Distribution({70, 90}, {}, "@0:cyclic(3)"), to, 1), 3);
  Draw draw{std::mt19937_64(43)};
  const auto scattered = [&](std::int64_t n) {
    std::vector<std::int64_t> cuts, owners;
    for (std::int64_t k = 0; k <= n; ++k) cuts.push_back(k);
    for (std::int64_t k = 0; k < n; ++k) owners.push_back(k < 2 ? k : draw.pick(0, 1));
    return AxisParts::irregular(cuts, owners);
  };
  const Distribution many({scattered(300), scattered(330)}, {{0, 2}, {1, 2}});
  expect_as_defined(Redistribution(many, Distribution({300, 330}, {}, "@0:block(4)"), 1), 4);
}

TEST(devices, operations_have_the_bits_of_one_memory) {
  Draw draw{std::mt19937_64(44)};
  for (int k = 0; k < 60; ++k) {
    const std::int64_t n = draw.pick(1, 6);
    for (const auto make : {spread::stencil_case, spread::transform_case, spread::move_case})
      ASSERT_NO_FATAL_FAILURE(expect_the_bits_of_one_memory(make(n, draw), n, draw)) << k;
    if (k % 4 > 0) continue;
    for (const auto make : {spread::interpolation_case, spread::distance_case, spread::spline_case})
      ASSERT_NO_FATAL_FAILURE(expect_the_bits_of_one_memory(make(n, draw), n, draw)) << k;
  }
}

TEST(devices, requests_and_moves_are_planned_as_they_are) {
  const Distribution rows({8, 6}, {"y", "x"}, "y:block(2)");
  const Layout array = Layout::dense({8, 6}, 4);
  const Devices two = Devices::logical(cpu(), 2);
  Sweep sweep;
  sweep.stencil = average(2, 1);
  sweep.source = sweep.destination = array;
  sweep.axes = {0, 1};
  const std::string text = plan(sweep, {rows}, rows, two).describe();
  EXPECT_NE(text.find("compute   2 parts, one a device: inner cells while halos are under way, then the rims\nmemory"), std::string::npos)
      << text;  // names are no other layout
  // By axes nothing is fetched beside; merged axes make it an operation.
  EXPECT_EQ(plan(parse("y x -> x y", array), rows, Distribution({6, 8}, {"x", "y"}, "y:block(2)"), two).sent_bytes(), 0);
  EXPECT_EQ(plan(parse("y x -> (y x)", array), rows, Distribution({48}, {}, "@0:block(2)"), two).sent_bytes(), 0);
  EXPECT_GT(plan(parse("y x -> (x y)", array), rows, Distribution({48}, {}, "@0:block(2)"), two).sent_bytes(), 0);
}

TEST(devices, describe_themselves) {
  const Distribution rows({64, 64}, {"y", "x"}, "y:block(4)"), columns({64, 64}, {"y", "x"}, "x:block(4)");
  const Redistribution r(rows, columns, 8);
  const Devices four = Devices::logical(cpu(), 4);
  EXPECT_EQ(plan(r, four).describe(),
            "redistribution on 4 logical devices of cpu\n"
            "exchange  y:block(4) -> x:block(4): 24.0 KiB in 12 messages, stored straight into the other devices' memory\n"
            "memory    at most 0 bytes of a device, beside its parts\n");
  EXPECT_NE(plan(r, four, staged).describe().find("12 of them packed, copied and unpacked"), std::string::npos);
  EXPECT_EQ(plan(r, four, staged).own_bytes(0), 2 * 3 * 16 * 16 * 8);
  EXPECT_EQ(plan(Redistribution(rows, rows, 8), four).sent_bytes(), 0);
  EXPECT_EQ(plan(r, four).source(0, 1), (Extents{16, 64}));
  EXPECT_EQ(plan(r, four).destination(3), (Extents{64, 16}));
}

TEST(devices, links_that_nobody_owns_are_told) {
  // 16 GiB a device, of which 3 of 4 parts go over the links.
  const std::int64_t n = std::int64_t{1} << 16;
  const Distribution rows({n, n}, {"y", "x"}, "y:block(4)"), turned({n, n}, {"x", "y"}, "x:block(4)");
  const Redistribution r(rows, turned, parse("y x -> x y", Layout::dense({n, n}, 16)));
  const std::string text = describe_links(r, DeviceLinks::nvlink4());
  EXPECT_NE(text.find("sent      51539607552 bytes, at most 4294967296 over one link; 17179869184 stay where they are"), std::string::npos)
      << text;
  EXPECT_NE(text.find("time      0.0286 s predicted: 0.0286 s on NVLink 4"), std::string::npos) << text;  // 12 GiB / 450e9, 3 latencies
  EXPECT_NE(describe_links(r, DeviceLinks::pcie5()).find("0.205 s on PCIe 5"), std::string::npos);
  // Nothing leaves a device: its own memory takes the time.
  EXPECT_NE(describe_links(Redistribution(rows, rows, 16), DeviceLinks::nvlink4()).find("sent      0 bytes"), std::string::npos);
  FftRequest request;
  request.in = request.out = Layout::dense({64, 64, 64}, 8);
  request.axes = {0, 1, 2};
  const Distribution slabs({64, 64, 64}, {}, "@0:block(8)");
  const std::string transform = describe_links(DistributedOperation(plan(request), {slabs}, slabs), DeviceLinks::named("nvlink4"));
  EXPECT_NE(transform.find("compute   "), std::string::npos) << transform;
  EXPECT_NE(transform.find("together  "), std::string::npos) << transform;
}

// Files: devices take parts of arrays in the host's memory in turn.
TEST(devices, take_parts_side_by_side) {
  Draw draw{std::mt19937_64(45)};
  for (int k = 0; k < 40; ++k) {
    const auto make = std::array{spread::stencil_case, spread::transform_case, spread::move_case}[static_cast<std::size_t>(k % 3)];
    const spread::Case of = make(2, draw);
    const Operation whole = of.make(cpu());
    const std::vector<std::byte> in = spread::numbers(whole.inputs()[0], draw);
    std::vector<std::byte> right(static_cast<std::size_t>(whole.outputs()[0].layout.n_bytes())), made(right.size(), std::byte{0xA5});
    whole.run(std::vector<ConstBuffer>{in}, std::vector<Buffer>{right});
    std::int64_t told = 0, n_told = 0;
    const PartsOptions options{.memory_bytes = draw.chance(2) ? draw.pick(1, 3000) : 1 << 26,
                               .written = [&](std::int64_t n, std::int64_t all) {
                                 EXPECT_GT(n, told);
                                 EXPECT_LE(n, all);
                                 told = n;
                                 ++n_told;
                               }};
    const std::vector<Operation> same(static_cast<std::size_t>(draw.pick(1, 4)), of.make(cpu()));
    run_in_parts(same, std::vector<ConstBuffer>{in}, std::vector<Buffer>{made}, default_executor(), options);
    ASSERT_EQ(made, right) << of.name << " " << k;
    EXPECT_EQ(told, std::ssize(right));
    if (same.size() > 1 && right.size() > 2000 && of.name != "transform") { EXPECT_GE(n_told, std::ssize(same)) << of.name; }
  }
}

// What is asked for wrongly is refused in words, and nothing is written.
class Wrong : public ::testing::Test {
 protected:
  template <class Body>
  static void refused(const std::string& words, ErrorCode code, const Body& body) {
    try {
      body();
      FAIL() << "taken: " << words;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), code) << e.what();
      EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << e.what();
    }
  }
  Distribution rows{{8, 6}, {"y", "x"}, "y:block(2)"}, columns{{8, 6}, {"y", "x"}, "x:block(2)"};
  Redistribution r{rows, columns, 8};
  Devices two = Devices::logical(cpu(), 2);
};

TEST_F(Wrong, devices_are_refused) {
  refused("cpu is named twice, at 0 and 1", ErrorCode::device, [] { Devices({cpu(), cpu()}); });
  refused("Devices::logical(cpu(), n)", ErrorCode::device, [] { Devices({cpu(), cpu()}); });
  refused("devices of different kinds: cpu and cuda:0", ErrorCode::device, [] { Devices({cpu(), {Device::Kind::cuda, 0}}); });
  refused("no devices", ErrorCode::bad_shape, [] { Devices(std::vector<Device>()); });
  refused("0 logical devices", ErrorCode::bad_shape, [] { Devices::logical(cpu(), 0); });
  refused("the layouts divide by 2 and there are 3 devices: divide by 3, or give 2", ErrorCode::bad_shape,
          [&] { plan(r, Devices::logical(cpu(), 3)); });
  refused("there is 1 device:", ErrorCode::bad_shape, [&] { plan(r, Devices({cpu()})); });
  if (!has_cuda()) refused("no CUDA", ErrorCode::unsupported, [] { cuda_all(); });
  if (count_cuda_devices() == 0) { EXPECT_THROW(Devices({{Device::Kind::cuda, 0}}), Error); }
}

TEST_F(Wrong, buffers_are_refused) {
  const DevicesPlan planned = plan(r, two);
  spread::Parts src = spread::parts_of(rows, 2, 8), dst = spread::poisoned(columns, 2, 8);
  const spread::Parts before = dst;
  const auto run = [&](std::vector<ConstBuffer> in, std::vector<Buffer> out, const Worker& worker = {}) { planned.run(in, out, worker); };
  refused("1 inputs and 2 outputs of 2 and 2", ErrorCode::bad_shape, [&] { run({src[0]}, written(dst)); });
  refused("the input of device 1 has 8 bytes; its part has 192", ErrorCode::bad_shape,
          [&] { run({src[0], {src[1].data(), 8}}, written(dst)); });
  refused("the output of device 0 has 191 bytes; its part has 192", ErrorCode::bad_shape,
          [&] { run(read(src), {{dst[0].data(), 191}, dst[1]}); });
  refused("bytes at no address", ErrorCode::bad_shape, [&] { run(read(src), {{nullptr, 192}, dst[1]}); });
  refused("the output of device 1 and the input of device 0 share bytes", ErrorCode::overlap, [&] { run(read(src), {dst[0], src[0]}); });
  refused("the outputs of devices 0 and 1 share bytes", ErrorCode::overlap, [&] { run(read(src), {dst[0], dst[0]}); });
  const std::vector<Stream> streams(2);
  refused("which has no streams", ErrorCode::device, [&] { planned.run(read(src), written(dst), streams); });
  refused("planned for the CPU", ErrorCode::device, [&] { run(read(src), written(dst), Stream()); });
  EXPECT_EQ(dst, before);
}

TEST_F(Wrong, parts_of_unlike_operations) {
  const Operation a = plan(parse("y x -> x y", Layout::dense({8, 6}, 4))), b = plan(parse("y x -> x y", Layout::dense({6, 8}, 4)));
  std::vector<std::byte> in(192), out(192);
  const auto run = [&](const std::vector<Operation>& same, const PartsOptions& options = {}) {
    run_in_parts(same, std::vector<ConstBuffer>{in}, std::vector<Buffer>{out}, default_executor(), options);
  };
  refused("parts of no operation", ErrorCode::bad_shape, [&] { run({}); });
  refused("of unlike arrays", ErrorCode::bad_shape, [&] { run({a, b}); });
  refused("parts of 0 bytes", ErrorCode::bad_shape, [&] { run({a, a}, {.memory_bytes = 0}); });
  // What one of them throws ends all.
  refused("enough", ErrorCode::unsupported, [&] {
    run({a, a, a}, {.memory_bytes = 16, .written = [](std::int64_t, std::int64_t) { throw Error(ErrorCode::unsupported, "enough"); }});
  });
}

TEST_F(Wrong, requests_are_refused) {
  Sweep sweep;
  sweep.stencil = average(2, 1);
  sweep.source = sweep.destination = Layout::dense({8, 6}, 4);
  sweep.axes = {0, 1};
  const Distribution other({8, 7}, {}, "@0:block(2)");
  refused("is [8][6] and its layout over ranks of [8][7]", ErrorCode::bad_shape, [&] { plan(sweep, {other}, rows, two); });
  refused("2 layouts of the 1 inputs", ErrorCode::bad_shape, [&] { plan(sweep, {rows, rows}, rows, two); });
  refused("the move makes [6][8] and the layout it is moved to has [8][6]", ErrorCode::bad_shape,
          [&] { plan(parse("y x -> x y", Layout::dense({8, 6}, 4)), rows, columns, two); });
  const DistanceRequest rfp{.n = 8, .n_features = 2, .type = Real::float64, .form = PairForm::rfp};
  refused("run it on one rank, between two redistributions", ErrorCode::unsupported,
          [&] { plan(rfp, {Distribution({8, 2}, {}, "@0:block(2)")}, Distribution(plan(rfp).outputs()[0].layout.extents, {}, ""), two); });
  refused("no links are called 'infiniband'; known are: nvlink4, pcie5", ErrorCode::unsupported, [] { DeviceLinks::named("infiniband"); });
  refused("a rate more", ErrorCode::bad_shape, [&] { describe_links(r, {"mine", {.bytes_per_s = 0}}); });
}

// More than there is: nothing of the plan stays. AddressSanitizer ends a program that asks for so much.
TEST_F(Wrong, memory_that_is_not_there) {
  if (testing::dearer > 1) GTEST_SKIP();
  const std::int64_t n = std::int64_t{1} << 31;
  const Redistribution large(Distribution({n, n}, {}, "@0:block(2)"), Distribution({n, n}, {}, "@1:block(2)"), 1);
  refused("bytes of the CPU's memory for one of the devices", ErrorCode::out_of_memory, [&] { plan(large, two, staged); });
}

}  // namespace
}  // namespace crinkle
