// In place and by index arrays on the GPU, byte for byte as the CPU does it: transposes, bit reversals, random involutions, pointers of any
// alignment; gathers and scatters with fills.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/operations.hpp"
#include "gpu/on_gpu.hpp"
#include "support/involutions.hpp"

namespace crinkle::in_place_test {
namespace {

using Gpu = testing::OnGpu;

/// Runs r within one buffer of the device, `shift` bytes past an aligned address, guard zones compared. False where it cannot, as the CPU's
/// plan cannot either.
bool runs_in_place(const Rearrangement& r, std::int64_t shift, const std::string& what) {
  if (span_of(r.source()).first < 0) return false;  // buffers begin at the origin
  const Plan plan(r, cuda());
  EXPECT_EQ(plan.can_run_in_place(), Plan(r).can_run_in_place()) << what;
  if (!plan.can_run_in_place()) return false;
  testing::Guarded buffer(span_of(r.source()), shift);
  buffer.fill_random(static_cast<std::uint64_t>(shift) + 1);
  buffer.upload();
  const auto n = static_cast<std::int64_t>(span_of(r.source()).last);
  const Buffer on_device{buffer.device(), n};
  const ConstBuffer as_source{buffer.device(), n};
  plan.run({&as_source, 1}, {&on_device, 1}, Stream());
  Stream().synchronize();
  const std::vector<std::byte> before = buffer.host_bytes();
  const std::byte* in = before.data() + (buffer.host() - buffer.host_bytes().data());
  std::byte* out = buffer.host();
  run_reference(r.steps().steps[0].boxes, {&in, 1}, {&out, 1});
  const std::vector<std::byte> have = buffer.download();
  const std::size_t at = testing::first_difference(have, buffer.host_bytes());
  EXPECT_EQ(at, have.size()) << what << ", shift " << shift << ": byte " << buffer.offset_of(at) << " is wrong\n" << plan.describe();
  return true;
}

TEST_F(Gpu, random_involutions_move_in_place) {
  std::size_t n = 0;
  EXPECT_TRUE(check_many("involutions on the GPU", testing::n_cases(1000), [&] {
    std::string text;
    const Rearrangement r = testing::any_involution(text, chance(4) ? 200000 : 4000);
    if (r.steps().steps.size() != 1) return;
    n += runs_in_place(r, chance(2) ? 0 : pick(0, 15), text) ? 1U : 0U;
    if (HasFailure()) RC_FAIL(text);
  }));
  EXPECT_GT(n, 50u);
}

TEST_F(Gpu, random_transposes_and_bit_reversals_move_in_place) {
  const std::vector<std::int64_t> across{1, 0}, far{2, 1, 0};
  for (const std::int64_t e : {1, 2, 3, 4, 8, 12, 16})
    for (const std::int64_t n : {5, 64, 333, 1000})
      for (const std::int64_t shift : {0, 1, 4, 8})
        EXPECT_TRUE(runs_in_place(permute(Layout::dense({n, n}, e), across), shift,
                                  "transpose of " + std::to_string(n) + ", " + std::to_string(e)));
  for (const std::int64_t e : {1, 2, 4, 8, 16}) {
    EXPECT_TRUE(runs_in_place(permute(Layout::dense({70, 9, 70}, e), far), 0, "zyx to xyz, " + std::to_string(e)));
    EXPECT_TRUE(runs_in_place(bit_reverse(Layout::dense({1 << 18}, e)), 0, "bit reversal, " + std::to_string(e)));
  }
}

TEST_F(Gpu, plans_in_place_and_with_index_arrays_describe_themselves) {
  const Plan in_place(permute(Layout::dense({64, 64}, 4), std::vector<std::int64_t>{1, 0}), cuda());
  EXPECT_NE(in_place.describe().find("can run in place"), std::string::npos);
  EXPECT_NE(in_place.describe_json().find("\"can_run_in_place\": true"), std::string::npos);
  std::vector<std::int64_t> indices;
  for (std::int64_t i = 0; i < 5000; ++i) indices.push_back(i * i * 7 % 9000);  // too uneven for boxes
  const Plan gathered(Rearrangement(Layout::dense({9000, 4}, 4)).take("@0", indices), cuda());
  EXPECT_EQ(gathered.describe().find("tiles of"), std::string::npos) << gathered.describe();
}

TEST_F(Gpu, in_place_is_refused_where_it_is_not_its_own_inverse) {
  const Rearrangement r = Rearrangement(Layout::dense({100}, 4), {"x"}).roll("x", 3);
  const Plan plan(r, cuda());
  EXPECT_FALSE(plan.can_run_in_place());
  const DeviceMemory memory(cuda(), 400);
  try {
    plan.run(memory, memory);
    ADD_FAILURE() << "nothing was refused";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::overlap);
    EXPECT_NE(std::string(e.what()).find("second buffer"), std::string::npos) << e.what();
  }
}

void expect_as_on_cpu(const Rearrangement& r, const std::string& what) {
  testing::Guarded src(span_of(r.source()), 0), dst(span_of(r.destination()), 0);
  src.fill_random(5);
  src.upload();
  dst.upload();
  const ConstBuffer from{src.host(), span_of(r.source()).last}, on_device{src.device(), from.bytes};
  const Buffer to{dst.host(), span_of(r.destination()).last}, to_device{dst.device(), to.bytes};
  const Plan plan(r, cuda());
  const testing::Lent workspace(plan.workspace_bytes());
  plan.run({&on_device, 1}, {&to_device, 1}, Stream(), workspace);
  Stream().synchronize();
  Plan(r).run(from, to);
  EXPECT_TRUE(dst.is_as_on_host()) << what;
}

TEST_F(Gpu, random_index_arrays_gather_and_scatter) {
  std::mt19937_64 random(3);
  const auto pick_of = [&](std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
  };
  for (const std::int64_t e : {1, 2, 3, 4, 6, 8, 12, 16}) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::vector<std::int64_t> extents{pick_of(1, 40), pick_of(1, 50), pick_of(1, 300)};
      const Layout layout = Layout::dense(extents, e);
      const std::string what = "elements of " + std::to_string(e) + ", axis " + std::to_string(axis);
      std::vector<std::int64_t> indices(static_cast<std::size_t>(pick_of(1, 500)));
      for (std::int64_t& i : indices) i = pick_of(0, extents[axis] - 1);
      const Rearrangement taken = Rearrangement(layout, {"z", "y", "x"}).take(std::string(1, "zyx"[axis]), indices);
      expect_as_on_cpu(taken, what);
      expect_as_on_cpu(taken.pad("x", 2, 1, PadMode::constant), what + ", padded");
      expect_as_on_cpu(taken.flip("y").roll("x", 1), what + ", flipped and rolled");
      const std::vector<std::int64_t> others{0, 0, extents[(axis + 1) % 3] - 1};
      expect_as_on_cpu(taken.take(std::string(1, "zyx"[(axis + 1) % 3]), others), what + ", two arrays");
      std::vector<std::int64_t> places(static_cast<std::size_t>(extents[axis] + 5));
      std::iota(places.begin(), places.end(), std::int64_t{0});
      std::shuffle(places.begin(), places.end(), random);
      places.resize(static_cast<std::size_t>(extents[axis]));
      expect_as_on_cpu(scatter(layout, static_cast<std::int64_t>(axis), places, extents[axis] + 5), what + ", scattered");
    }
  }
}

}  // namespace
}  // namespace crinkle::in_place_test
