// Kernels compiled for moves of mapped axes do what the definition does, byte for byte, guard zones included; buffers at odd addresses go
// to the library's kernels. Whole plans have the same bytes with and without them.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/mapped.hpp"

#include <unistd.h>

#include <filesystem>

#include "crinkle/cuda_kernels.hpp"
#include "cuda/compile/nvrtc.hpp"
#include "gpu/on_gpu.hpp"
#include "move/planned.hpp"
#include "support/draw.hpp"

namespace crinkle::gpu_mapped_test {
namespace {

using testing::Guarded;
using testing::n_cases;

struct Mapped : testing::OnGpu {
  KernelOptions options;

  void SetUp() override {
    OnGpu::SetUp();
    if (IsSkipped()) return;
    const gpu::NvrtcPlace place = gpu::find_nvrtc("");
    if (place.file.empty()) GTEST_SKIP() << place.why_not;
    options.effort = KernelEffort::compiled;
    options.folder = (std::filesystem::temp_directory_path() / ("crinkle_mapped_" + std::to_string(::getpid()))).string();
    options.note = [](const std::string& text) { ADD_FAILURE() << text; };  // what does not compile is a bug
  }
};

std::optional<MappedStep> compiled_step(const Boxes& boxes, const KernelOptions& options) {
  const auto maps = mapped_axes(planning::plan_pass(boxes, Machine::h200()));
  if (!maps) return {};
  auto kernel = gpu::compiled(source_of(*maps), cuda(), {}, options);
  if (!kernel) return {};
  return MappedStep{*maps, *kernel};
}

void expect_as_defined(const Boxes& boxes, const MappedStep& step, const std::string& what) {
  const ByteSpan in = spans_of(boxes, Side::source, 1)[0], out = spans_of(boxes, Side::destination, 1)[0];
  const auto to_16 = [](std::int64_t first) { return ((first % 16) + 16) % 16; };
  Guarded from(in, to_16(in.first)), to(out, to_16(out.first));
  from.fill_random(7);
  from.upload();
  to.upload();
  ASSERT_TRUE(takes(step, from.device(), to.device())) << what;
  const Stream stream;
  run_mapped(step, from.device(), to.device(), stream.get(), what.c_str());
  stream.synchronize();
  const std::byte* const src = from.host();
  std::byte* const dst = to.host();
  run_reference(boxes, {&src, 1}, {&dst, 1});
  EXPECT_TRUE(to.is_as_on_host()) << what << '\n' << describe(step) << '\n' << source_of(step.maps).text;
}

TEST_F(Mapped, chains_of_verbs_move_as_defined) {
  Draw draw{std::mt19937_64(20261203)};
  const int n = n_cases(150);
  int n_mapped = 0;
  for (int k = 0; k < n && !HasFailure(); ++k) {
    std::string text = "case " + std::to_string(k) + ":";
    const Steps steps = draw.chain(text).steps();
    if (steps.steps.size() != 1 || !steps.steps[0].gathers.empty()) continue;
    const auto step = compiled_step(steps.steps[0].boxes, options);
    if (!step) continue;
    ++n_mapped;
    expect_as_defined(steps.steps[0].boxes, *step, text);
  }
  EXPECT_GT(n_mapped, n / 8);
}

TEST_F(Mapped, large_arrays_move_as_defined) {
  for (const std::int64_t e : {1, 2, 4, 8}) {
    const std::vector<PadWidth> widths{{0, 0}, {1, 1}, {1, 1}, {0, 0}}, of_columns{{0, 0}, {1, 1}};
    for (const auto& r : {pad(Layout::dense({3, 510, 510, 3}, e), widths), pad(Layout::dense({700, 510}, e), of_columns),
                          roll(Layout::dense({513, 1027}, e), std::vector<std::int64_t>{7, 5}),
                          flip(Layout::dense({3, 401, 515}, e), std::vector<std::int64_t>{1, 2})}) {
      const Boxes boxes = r.steps().steps.at(0).boxes;
      const auto step = compiled_step(boxes, options);
      ASSERT_TRUE(step) << e;
      expect_as_defined(boxes, *step, "elements of " + std::to_string(e) + " bytes");
    }
  }
}

TEST_F(Mapped, plans_say_that_they_have_one_and_have_the_same_bytes) {
  const KernelOptions before = kernel_options();
  const Rearrangement r = pad(Layout::dense({64, 254, 254, 3}, 4), std::vector<PadWidth>{{0, 0}, {1, 1}, {1, 1}, {0, 0}});
  const auto planned = [&](KernelEffort effort) {
    KernelOptions now = options;
    now.effort = effort;
    set_kernel_options(now);
    PlannedMove move(r.steps(), machine_of(cuda()), cuda(), 1, 1);
    set_kernel_options(before);
    return move;
  };
  const PlannedMove library = planned(KernelEffort::library), compiled = planned(KernelEffort::compiled);
  EXPECT_EQ(library.steps.at(0).mapped, nullptr);
  ASSERT_NE(compiled.steps.at(0).mapped, nullptr);
  for (const std::int64_t shift : {0, 4}) {  // bytes past an aligned address
    Guarded from(library.source_spans[0], shift), a(library.destination_spans[0], shift), b(library.destination_spans[0], shift);
    from.fill_random(9);
    from.upload();
    a.upload();
    b.upload();
    const Stream stream;
    const auto bytes = [](const ByteSpan& s) { return s.last - s.first; };
    const ConstBuffer in{from.device(), bytes(library.source_spans[0])};
    const Buffer to_a{a.device(), bytes(library.destination_spans[0])}, to_b{b.device(), bytes(library.destination_spans[0])};
    library.run({&in, 1}, {&to_a, 1}, {}, stream);
    compiled.run({&in, 1}, {&to_b, 1}, {}, stream);
    stream.synchronize();
    EXPECT_EQ(testing::first_difference(a.download(), b.download()), a.host_bytes().size()) << shift;
  }
}

}  // namespace
}  // namespace crinkle::gpu_mapped_test
