// Several devices: one card as several logical devices, and all cards of the machine where it has two or more. Byte for byte against the
// definition and against the same operation on one of them; captured into a graph; told from streams of each device.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/devices.hpp"

#include "devices/cases.hpp"
#include "graph.hpp"
#include "on_gpu.hpp"

namespace crinkle::testing {
namespace {

class DevicesOnGpu : public OnGpu {};

/// So many logical devices of the first card and, where there are as many, cards.
std::vector<Devices> devices_of(std::int64_t n) {
  std::vector<Devices> all{Devices::logical(cuda(), n)};
  if (n < 2 || n > count_cuda_devices()) return all;
  std::vector<Device> cards = cuda_all();
  cards.resize(static_cast<std::size_t>(n));
  all.emplace_back(cards);
  return all;
}

/// Parts in the memory of each device.
class PartsThere {
 public:
  PartsThere(const Devices& devices, const spread::Parts& parts) {
    for (std::size_t k = 0; k < parts.size(); ++k) {
      memory_.emplace_back(devices[static_cast<std::int64_t>(k) % devices.size()], std::ssize(parts[k]));
      if (!parts[k].empty()) copy_bytes(parts[k], memory_.back());
    }
  }
  std::vector<ConstBuffer> read() const { return {memory_.begin(), memory_.end()}; }
  std::vector<Buffer> written() const { return {memory_.begin(), memory_.end()}; }
  spread::Parts here() const {
    spread::Parts parts;
    for (const DeviceMemory& m : memory_) {
      parts.emplace_back(static_cast<std::size_t>(m.bytes()));
      if (m.bytes() > 0) copy_bytes(m, parts.back());
    }
    return parts;
  }

 private:
  std::vector<DeviceMemory> memory_;
};

enum class How { one_stream, streams, graph };
constexpr How all_ways[] = {How::one_stream, How::streams, How::graph};

spread::Parts made_by(const DevicesPlan& plan, const PartsThere& in, const spread::Parts& poisoned, How how) {
  const PartsThere out(plan.devices(), poisoned);
  if (how == How::streams) {
    std::vector<Stream> streams;
    for (const Device device : plan.devices().all()) streams.emplace_back(device);
    plan.run(in.read(), out.written(), streams);
    for (const Stream& stream : streams) stream.synchronize();
    return out.here();
  }
  const Stream stream(plan.devices()[0]);
  if (how == How::graph) {
    const Graph graph(stream, [&] { plan.run(in.read(), out.written(), stream); });
    graph.run();
    graph.run();
  } else {
    plan.run(in.read(), out.written(), stream);
    stream.synchronize();
  }
  return out.here();
}

void expect_as_defined(const Redistribution& r, std::int64_t n) {
  const spread::Parts src = spread::parts_of(r.from(), n, r.element_bytes()), poison = spread::poisoned(r.to(), n, r.element_bytes());
  spread::Parts right = poison;
  define_redistribute(r, {std::vector<ConstBuffer>(src.begin(), src.end())}, std::vector<Buffer>(right.begin(), right.end()));
  for (const Devices& devices : devices_of(n)) {
    const PartsThere in(devices, src);
    for (const bool is_staged : {false, true}) {
      const DevicesPlan planned = plan(r, devices, {.is_staged = is_staged});
      for (const How how : all_ways)
        ASSERT_EQ(made_by(planned, in, poison, how), right) << r.text() << "\n" << planned.describe() << static_cast<int>(how);
    }
  }
}

TEST_F(DevicesOnGpu, all_pairs_of_layouts_and_transposes) {
  Draw draw{std::mt19937_64(51)};
  for (std::int64_t n = 1; n <= n_cases(5); ++n)
    for (const spread::Kind from : spread::all_kinds)
      for (const spread::Kind to : spread::all_kinds)
        for (const char* move : {"y x -> y x", "y x -> x y"}) {
          const Extents extents{draw.pick(1, 300), draw.pick(1, 200)};
          const Rearrangement m = parse(move, Layout::dense(extents, 4));
          ASSERT_NO_FATAL_FAILURE(expect_as_defined(
              Redistribution(spread::layout_of(from, extents, n, draw), spread::layout_of(to, m.destination().extents, n, draw), m), n));
        }
}

TEST_F(DevicesOnGpu, drawn_moves_with_verbs) {
  Draw draw{std::mt19937_64(52)};
  for (int k = 0; k < n_cases(40); ++k) {
    Extents extents;
    for (std::int64_t a = draw.pick(1, 4); a > 0; --a) extents.push_back(draw.pick(1, draw.chance(3) ? 40 : 9));
    const std::int64_t bytes[] = {1, 2, 3, 4, 8, 12, 16, 24};
    const Rearrangement move = spread::move_of(extents, bytes[draw.pick(0, 7)], static_cast<int>(draw.pick(0, 4)), draw);
    const std::int64_t n = draw.chance(8) ? 36 : draw.pick(1, 8);  // more than a launch carries, too
    ASSERT_NO_FATAL_FAILURE(
        expect_as_defined(Redistribution(spread::drawn(extents, n, draw), spread::drawn(move.destination().extents, n, draw), move), n));
  }
}

// In slabs where they can be, however small.
void expect_the_bits_of_one(const spread::Case& of, std::int64_t n, Draw& draw, bool can_be_captured) {
  for (const Devices& devices : devices_of(n)) {
    const Operation whole = of.make(devices[0]);
    std::vector<DeviceMemory> inputs;
    std::vector<ConstBuffer> in;
    spread::Parts parts;
    for (std::size_t k = 0; k < of.in.size(); ++k) {
      const std::vector<std::byte> numbers = spread::numbers(whole.inputs()[k], draw);
      inputs.emplace_back(devices[0], std::ssize(numbers));
      copy_bytes(numbers, inputs.back());
      for (auto& part : spread::taken_apart(of.in[k], numbers, n, whole.inputs()[k].layout.element_bytes)) parts.push_back(std::move(part));
    }
    for (const DeviceMemory& input : inputs) in.emplace_back(input);
    const DeviceMemory output(devices[0], whole.outputs()[0].layout.n_bytes());
    const Stream stream(devices[0]);
    whole.run(in, std::vector<Buffer>{output}, stream);
    stream.synchronize();
    std::vector<std::byte> made(static_cast<std::size_t>(output.bytes()));
    copy_bytes(output, made);
    const std::int64_t bytes = whole.outputs()[0].layout.element_bytes;
    const spread::Parts right = spread::taken_apart(of.out, made, n, bytes), poison = spread::poisoned(of.out, n, bytes);
    const PartsThere from(devices, parts);
    for (const bool is_staged : {false, true}) {
      const DevicesPlan planned = plan(of.make, of.in, of.out, devices, {.is_staged = is_staged, .slab_bytes = 1});
      for (const How how : all_ways) {
        if (how == How::graph && !can_be_captured) continue;
        ASSERT_EQ(made_by(planned, from, poison, how), right) << of.name << "\n" << planned.describe() << static_cast<int>(how);
      }
    }
  }
}

TEST_F(DevicesOnGpu, operations_have_the_bits_of_one) {
  Draw draw{std::mt19937_64(53)};
  for (int k = 0; k < n_cases(24); ++k) {
    const std::int64_t n = draw.pick(1, 4);
    for (const auto make : {spread::stencil_case, spread::transform_case, spread::move_case})
      ASSERT_NO_FATAL_FAILURE(expect_the_bits_of_one(make(n, draw), n, draw, true)) << k;
    if (k % 4 > 0) continue;
    for (const auto make : {spread::interpolation_case, spread::distance_case})
      ASSERT_NO_FATAL_FAILURE(expect_the_bits_of_one(make(n, draw), n, draw, false)) << k;
  }
}

TEST_F(DevicesOnGpu, slabs_have_the_bits_of_one) {
  Draw draw{std::mt19937_64(55)};
  for (const spread::CaseInSlabs& c : spread::cases_in_slabs())
    ASSERT_NO_FATAL_FAILURE(expect_the_bits_of_one(c.of, c.n_devices, draw, true)) << c.of.in[0].text() << " " << c.of.out.text();
  for (const spread::Case& of : spread::cases_of_long_rows())
    ASSERT_NO_FATAL_FAILURE(expect_the_bits_of_one(of, 2, draw, true)) << of.out.text();
}

// Runs in slabs without a wait between, of two arrays in turn.
TEST_F(DevicesOnGpu, slabs_of_runs_do_not_overtake_each_other) {
  const spread::Case of = spread::transform_of(spread::transform_in_three({64, 128, 128}), "@0:block(2)", "@1:block(2)");
  Draw draw{std::mt19937_64(56)};
  const std::vector<std::byte> numbers[] = {spread::numbers(of.make(cuda()).inputs()[0], draw),
                                            spread::numbers(of.make(cuda()).inputs()[0], draw)};
  for (const Devices& devices : devices_of(2))
    for (const bool is_staged : {false, true}) {
      const DevicesPlan planned = plan(of.make, of.in, of.out, devices, {.is_staged = is_staged, .slab_bytes = 1});
      EXPECT_NE(planned.describe().find("in 8 slabs"), std::string::npos) << planned.describe();
      const spread::Parts poison = spread::poisoned(of.out, 2, 16);
      std::vector<PartsThere> in, out;
      spread::Parts right[2];
      for (std::size_t k = 0; k < 2; ++k) {
        in.emplace_back(devices, spread::taken_apart(of.in[0], numbers[k], 2, 16));
        out.emplace_back(devices, poison);
        right[k] = made_by(planned, in[k], poison, How::one_stream);
      }
      EXPECT_NE(right[0], right[1]);
      std::vector<Stream> streams;
      for (const Device device : devices.all()) streams.emplace_back(device);
      for (std::size_t k = 0; k < 40; ++k) planned.run(in[k % 2].read(), out[k % 2].written(), streams);
      for (const Stream& stream : streams) stream.synchronize();
      for (std::size_t k = 0; k < 2; ++k) EXPECT_EQ(out[k].here(), right[k]) << planned.describe();
    }
}

// Whichever part fails, all streams come together again: what was given up to then is a graph.
TEST_F(DevicesOnGpu, streams_are_joined_where_a_part_fails) {
  Draw draw{std::mt19937_64(57)};
  std::int64_t fails_in = 0;
  for (spread::Case of : {spread::transform_of(spread::transform_in_three({6, 5, 4}), "@0:block(2)", "@1:block(2)"),
                          spread::transform_of(spread::transform_in_three({6, 5, 4}), "@1:block(2)", "@0:block(2)")}) {
    const auto make = of.make;
    of.make = [&](Device device) { return Operation(std::make_shared<const spread::Failing>(make(device), &fails_in)); };
    const spread::Parts src = spread::taken_apart(of.in[0], spread::numbers(make(cuda()).inputs()[0], draw), 2, 16),
                        poison = spread::poisoned(of.out, 2, 16);
    for (const Devices& devices : devices_of(2)) {
      const DevicesPlan planned = plan(of.make, of.in, of.out, devices, {.slab_bytes = 1});
      const PartsThere in(devices, src), out(devices, poison);
      const spread::Parts right = made_by(planned, in, poison, How::one_stream);
      std::int64_t k = 0;
      for (bool has_failed = true; has_failed; ++k) {
        const Stream stream(devices[0]);
        fails_in = k + 1;
        has_failed = false;
        const Graph graph(stream, [&] {
          try {
            planned.run(in.read(), out.written(), stream);
          } catch (const Error&) { has_failed = true; }
        });
        fails_in = 0;
        EXPECT_EQ(made_by(planned, in, poison, How::one_stream), right) << k;
      }
      EXPECT_GT(k, 6) << planned.describe();
    }
  }
}

// Run after run without a wait between, each from what the one before made: devices do not overtake each other.
TEST_F(DevicesOnGpu, runs_follow_each_other) {
  constexpr std::int64_t n = 4, side = 512;
  const Distribution rows({side, side}, {"y", "x"}, "y:block(4)"), columns({side, side}, {"y", "x"}, "x:block(4)");
  const spread::Parts src = spread::parts_of(rows, n, 4);
  for (const Devices& devices : devices_of(n))
    for (const bool is_staged : {false, true}) {
      const DevicesPlan there = plan(Redistribution(rows, columns, 4), devices, {.is_staged = is_staged}),
                        back = plan(Redistribution(columns, rows, parse("y x -> y x", Layout::dense({side, side}, 4)).flip("x")), devices,
                                    {.is_staged = is_staged});
      const PartsThere a(devices, src), b(devices, spread::poisoned(columns, n, 4));
      std::vector<Stream> streams;
      for (const Device device : devices.all()) streams.emplace_back(device);
      for (int k = 0; k < 50; ++k) {
        there.run(a.read(), b.written(), streams);
        back.run(b.read(), a.written(), streams);
      }
      for (const Stream& stream : streams) stream.synchronize();
      EXPECT_EQ(a.here(), src) << there.describe();  // flipped an even number of times
    }
}

// Arrays of the host: devices take parts in turn.
TEST_F(DevicesOnGpu, take_parts_side_by_side) {
  Draw draw{std::mt19937_64(54)};
  for (int k = 0; k < n_cases(12); ++k) {
    for (const auto make : {spread::stencil_case, spread::transform_case, spread::move_case}) {
      const spread::Case of = make(2, draw);
      for (const Devices& devices : devices_of(draw.pick(1, 3))) {
        std::vector<Operation> same;
        for (const Device device : devices.all()) same.push_back(of.make(device));
        const std::vector<std::byte> in = spread::numbers(same[0].inputs()[0], draw);
        std::vector<std::byte> right(static_cast<std::size_t>(same[0].outputs()[0].layout.n_bytes())), made(right.size(), std::byte{0xA5});
        run_in_parts(same[0], std::vector<ConstBuffer>{in}, std::vector<Buffer>{right}, default_executor(), {.memory_bytes = 1 << 26});
        run_in_parts(same, std::vector<ConstBuffer>{in}, std::vector<Buffer>{made}, default_executor(), {.memory_bytes = 1 << 26});
        ASSERT_EQ(made, right) << of.name << " " << k << " on " << devices.text();
      }
    }
  }
}

TEST_F(DevicesOnGpu, refuse_what_is_wrong) {
  const auto refused = [](const std::string& words, const auto& body) {
    try {
      body();
      FAIL() << "taken: " << words;
    } catch (const Error& e) { EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << e.what(); }
  };
  refused("cuda:0 is named twice", [] { Devices({cuda(), cuda()}); });
  refused("devices of different kinds", [] { Devices({cuda(), cpu()}); });
  refused("there", [] { Devices({{Device::Kind::cuda, count_cuda_devices()}}); });
  const Devices two = Devices::logical(cuda(), 2);
  const Distribution rows({8, 6}, {}, "@0:block(2)"), columns({8, 6}, {}, "@1:block(2)");
  const Redistribution r(rows, columns, 8);
  const DevicesPlan planned = plan(r, two);
  const PartsThere in(two, spread::parts_of(rows, 2, 8)), out(two, spread::poisoned(columns, 2, 8));
  refused("run it on a stream", [&] { planned.run(in.read(), out.written(), default_executor()); });
  refused("1 streams of 2 devices", [&] { planned.run(in.read(), out.written(), std::vector<Stream>(1)); });
  spread::Parts host = spread::parts_of(rows, 2, 8);
  refused("is not memory that CUDA device 0 can reach",
          [&] { planned.run(std::vector<ConstBuffer>(host.begin(), host.end()), out.written(), Stream()); });
  const std::int64_t side = std::int64_t{1} << 20;  // a plan of more memory than there is: what it took is free again
  const std::int64_t before = facts_of(cuda()).free_bytes;
  refused("free", [&] {
    plan(Redistribution(Distribution({side, side}, {}, "@0:block(2)"), Distribution({side, side}, {}, "@1:block(2)"), 1), two,
         {.is_staged = true});
  });
  EXPECT_GE(facts_of(cuda()).free_bytes, before - (64 << 20));
}

}  // namespace
}  // namespace crinkle::testing
