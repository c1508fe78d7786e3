// Passes and the exchange behind them in slabs, on the CPU's memory: the bits of one memory, what is said of it, and what fails in between.
// SPDX-License-Identifier: BSD-3-Clause
#include "distribute/slabs.hpp"

#include "devices/one_memory.hpp"

namespace crinkle {
namespace {

using spread::expect_the_bits_of_one_memory;

TEST(slabs, have_the_bits_of_one_memory) {
  Draw draw{std::mt19937_64(61)};
  for (const spread::CaseInSlabs& c : spread::cases_in_slabs()) {
    const std::string words = "in " + std::to_string(c.n_slabs) + " slabs, each sent while the next one is computed\n";
    ASSERT_NO_FATAL_FAILURE(expect_the_bits_of_one_memory(c.of, c.n_devices, draw, 1, words))
        << c.of.in[0].text() << " " << c.of.out.text();
  }
}

// Rows that are copied without kernels.
TEST(slabs, of_long_rows_are_copied) {
  Draw draw{std::mt19937_64(62)};
  for (const spread::Case& of : spread::cases_of_long_rows())
    ASSERT_NO_FATAL_FAILURE(expect_the_bits_of_one_memory(of, 2, draw, 1, "copied straight into the other devices' memory"))
        << of.out.text();
}

TEST(slabs, are_as_large_as_is_asked_for) {
  const spread::Case of = spread::transform_of(spread::transform_in_three({16, 16, 16}), "@0:block(2)", "@1:block(2)");
  const auto slabs_of = [&](std::int64_t bytes) {
    const DistributedOperation op(of.make(cpu()), of.in, of.out);
    std::vector<std::int64_t> numbers;
    for (const distributed::StepsInSlabs& some : distributed::steps_in_slabs(op, bytes)) {
      EXPECT_EQ(some.slabs.axis, 0);
      EXPECT_EQ(some.first, 0u);
      EXPECT_EQ(some.last, 1u);
      numbers.push_back(some.slabs.n);
    }
    return numbers;
  };
  constexpr std::int64_t sent = 8 * 8 * 16 * 16;  // bytes, of a device
  EXPECT_EQ(slabs_of(1), std::vector<std::int64_t>{8});
  EXPECT_EQ(slabs_of(sent / 8), std::vector<std::int64_t>{8});
  EXPECT_EQ(slabs_of(sent / 3), std::vector<std::int64_t>{3});
  EXPECT_EQ(slabs_of(sent / 2 + 1), std::vector<std::int64_t>{});
  const Devices two = Devices::logical(cpu(), 2);
  const DevicesPlan whole = plan(of.make, of.in, of.out, two), cut = plan(of.make, of.in, of.out, two, {.slab_bytes = 1});
  EXPECT_EQ(whole.describe().find("slabs"), std::string::npos);
  EXPECT_EQ(cut.own_bytes(0), whole.own_bytes(0)) << cut.describe();
  EXPECT_EQ(cut.sent_bytes(), whole.sent_bytes());
  EXPECT_THROW(plan(of.make, of.in, of.out, two, {.slab_bytes = 0}), Error);
  // 1024³ on two: told without any.
  FftRequest large;
  large.in = large.out = Layout::dense({1024, 1024, 1024}, 8);
  large.axes = {0, 1, 2};
  const Distribution from(large.in.extents, {}, "@0:block(2)"), to(large.in.extents, {}, "@1:block(2)");
  const std::string text = describe_links(DistributedOperation(plan(large), {from}, to), DeviceLinks::nvlink4());
  EXPECT_NE(text.find("one part a device, in 8 slabs, each sent while the next one is computed"), std::string::npos) << text;
}

// Whichever part fails, its error is told, and the next run is as ever.
TEST(slabs, of_which_one_fails) {
  Draw draw{std::mt19937_64(63)};
  spread::Case of = spread::transform_of(spread::transform_in_three({6, 5, 4}), "@0:block(2)", "@1:block(2)");
  const auto make = of.make;
  std::int64_t fails_in = 0;
  of.make = [&](Device device) { return Operation(std::make_shared<const spread::Failing>(make(device), &fails_in)); };
  const DevicesPlan planned = plan(of.make, of.in, of.out, Devices::logical(cpu(), 2), {.slab_bytes = 1});
  EXPECT_NE(planned.describe().find("in 3 slabs"), std::string::npos) << planned.describe();
  const std::vector<std::byte> in = spread::numbers(make(cpu()).inputs()[0], draw);
  std::vector<std::byte> made(in.size());
  make(cpu()).run(std::vector<ConstBuffer>{in}, std::vector<Buffer>{made});
  const spread::Parts from = spread::taken_apart(of.in[0], in, 2, 16), right = spread::taken_apart(of.out, made, 2, 16);
  constexpr std::int64_t n_runs = 2 * 3 * 2 + 2;  // of two steps in slabs on two devices, and of the last step
  for (std::int64_t k = 1; k <= n_runs + 1; ++k) {
    spread::Parts have = spread::poisoned(of.out, 2, 16);
    fails_in = k;
    if (k <= n_runs) { EXPECT_THROW(planned.run(spread::read(from), spread::written(have)), Error) << k; }
    fails_in = 0;
    planned.run(spread::read(from), spread::written(have));
    EXPECT_EQ(have, right) << k;
  }
}

}  // namespace
}  // namespace crinkle
