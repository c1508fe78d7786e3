// Passes over records on a real GPU: what is defined, whatever the fields, layout, pattern and order; and advice from one.
// SPDX-License-Identifier: BSD-3-Clause
#include "advise/cuda/pass.hpp"

#include "advise/passes.hpp"
#include "on_gpu.hpp"

namespace crinkle::testing::advise_test {
namespace {

using Gpu = OnGpu;
using advising::Pass;

void expect_pass_as_defined(const PassCase& c) {
  const RecordLayout layout = RecordLayout::parse(c.layout, c.fields);
  PassMemory memory(layout, c.fields, c.n);
  const Pass pass{layout, c.pattern, memory.arrays(), advising::visit_of(c.pattern.order, c.n, 3)};
  const Bytes expected = expected_after(pass, memory);
  const std::int64_t bytes = memory.arrays().end;
  const DeviceMemory on_device(cuda(), bytes);
  copy_bytes({memory.data(), bytes}, on_device);
  const auto made = cuda_pass(advising::words_of(pass), pass.visit, cuda());
  run_cuda_pass(*made, static_cast<std::byte*>(on_device.data()), Stream());
  Stream().synchronize();
  copy_bytes(on_device, {memory.data(), bytes});
  EXPECT_TRUE(have_equal_fields(pass, memory.used(), expected)) << c.print();
}

TEST_F(Gpu, a_pass_is_the_one_that_is_defined) {
  EXPECT_TRUE(check_many("a pass on a GPU is as defined", n_cases(500), [] {
    expect_pass_as_defined(any_pass());
    RC_ASSERT(!::testing::Test::HasFailure());
  }));
}

TEST_F(Gpu, a_pass_over_more_words_than_a_launch_carries_is_the_one_that_is_defined) {
  PassCase c;
  std::string text;
  for (int f = 0; f < 60; ++f) text += " f" + std::to_string(f) + (f % 3 == 0 ? ":u1" : ":f4");
  c.fields = parse_fields(text);
  for (const Field& f : c.fields) c.pattern.reads.push_back(f.name);
  c.pattern.writes = {"f7", "f0", "f59"};
  c.n = 1000;
  for (const std::string& layout : layouts_of(c.fields)) {
    c.layout = layout;
    expect_pass_as_defined(c);
  }
}

TEST_F(Gpu, advice_checks_every_layout_and_measures_it) {
  const Fields fields = parse_fields("x:f4 y:f4 z:f4 p:f8 id:u1");
  for (const char* order : {"sequential", "random", "strided:1000"}) {
    AdviseOptions options;
    options.device = cuda();
    options.samples = 3;
    options.from = RecordLayout::parse("(x y z p id)@8", fields);
    const Advice advice = advise(fields, {{"x", "y", "z"}, {"p"}, AccessOrder::parse(order)}, 1000003, options);
    EXPECT_GT(advice.candidates.size(), 8u);
    ASSERT_NE(advice.present(), nullptr);
    for (const Candidate& c : advice.candidates) {
      EXPECT_GT(c.seconds, 0) << c.layout.print();
      EXPECT_EQ(c.convert_seconds.has_value(), !c.is_present);
    }
  }
}

TEST_F(Gpu, advice_that_needs_more_memory_than_there_is_is_refused) {
  const Fields fields = parse_fields("x:f4 y:f4");
  AdviseOptions options;
  options.device = cuda();
  try {
    advise(fields, {{"x"}, {}, {}}, std::int64_t{1} << 40, options);
    ADD_FAILURE() << "no GPU has 16 TiB";
  } catch (const Error& e) { EXPECT_EQ(e.code(), ErrorCode::out_of_memory) << e.what(); }
}

}  // namespace
}  // namespace crinkle::testing::advise_test
