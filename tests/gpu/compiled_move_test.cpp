// Kernels compiled for moves (mapped axes, channels, taken rows) do what the definition does, byte for byte, guard zones included; buffers
// at odd addresses go to the library's kernels. Whole plans have the same bytes with and without them.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/compiled.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "crinkle/cuda_kernels.hpp"
#include "cuda/compile/nvrtc.hpp"
#include "gpu/on_gpu.hpp"
#include "move/planned.hpp"
#include "support/draw.hpp"

namespace crinkle::gpu_compiled_move_test {
namespace {

using testing::Guarded;
using testing::n_cases;

struct CompiledMove : testing::OnGpu {
  KernelOptions options;

  void SetUp() override {
    OnGpu::SetUp();
    if (IsSkipped()) return;
    const gpu::NvrtcPlace place = gpu::find_nvrtc("");
    if (place.file.empty()) GTEST_SKIP() << place.why_not;
    options.effort = KernelEffort::compiled;
    options.folder = (std::filesystem::temp_directory_path() / ("crinkle_moves_" + std::to_string(::getpid()))).string();
    options.note = [](const std::string& text) { ADD_FAILURE() << text; };  // what does not compile is a bug
  }
};

std::optional<CompiledStep> step_of(const Steps& steps, const KernelOptions& options) {
  const PlannedStep step(steps.steps.at(0), Machine::h200());
  auto form = compiled_form(step, Machine::h200());
  if (!form) return {};
  return compiled_step(std::move(*form), cuda(), {}, options);
}

void expect_as_defined(const Steps& steps, const CompiledStep& step, const std::string& what, std::int64_t n_sources = 1) {
  const auto to_16 = [](std::int64_t first) { return ((first % 16) + 16) % 16; };
  std::vector<Guarded> sources;
  std::vector<const std::byte*> there, here;
  for (const ByteSpan& in : spans_of(steps, Side::source, n_sources)) {
    Guarded& from = sources.emplace_back(in, to_16(in.first));
    from.fill_random(6 + sources.size());
    from.upload();
    there.push_back(from.device());
    here.push_back(from.host());
  }
  const ByteSpan out = spans_of(steps, Side::destination, 1)[0];
  Guarded to(out, to_16(out.first));
  to.upload();
  ASSERT_TRUE(takes(step, there, to.device())) << what;
  if (step.kernel) {
    EXPECT_EQ(step.kernel->facts().local_bytes, 0) << what << ": numbers of the plan lie in memory, or registers are spilled";
  }
  const Stream stream;
  run_compiled(step, there, to.device(), stream.get(), what.c_str());
  stream.synchronize();
  std::byte* const dst = to.host();
  run_reference(steps, here, {&dst, 1}, nullptr);
  EXPECT_TRUE(to.is_as_on_host()) << what << '\n' << describe(step) << '\n' << step.form.source.text;
}

TEST_F(CompiledMove, chains_of_verbs_move_as_defined) {
  Draw draw{std::mt19937_64(20261203)};
  const int n = n_cases(150);
  int n_mapped = 0;
  for (int k = 0; k < n && !HasFailure(); ++k) {
    std::string text = "case " + std::to_string(k) + ":";
    const Steps steps = draw.chain(text).steps();
    if (steps.steps.size() != 1 || !steps.steps[0].gathers.empty()) continue;
    const auto step = step_of(steps, options);
    if (!step) continue;
    ++n_mapped;
    expect_as_defined(steps, *step, text);
  }
  EXPECT_GT(n_mapped, n / 8);
}

TEST_F(CompiledMove, large_arrays_move_as_defined) {
  for (const std::int64_t e : {1, 2, 4, 8}) {
    const std::vector<PadWidth> widths{{0, 0}, {1, 1}, {1, 1}, {0, 0}}, of_columns{{0, 0}, {1, 1}};
    for (const auto& r : {pad(Layout::dense({3, 510, 510, 3}, e), widths), pad(Layout::dense({700, 510}, e), of_columns),
                          roll(Layout::dense({513, 1027}, e), std::vector<std::int64_t>{7, 5}),
                          flip(Layout::dense({3, 401, 515}, e), std::vector<std::int64_t>{1, 2})}) {
      const auto step = step_of(r.steps(), options);
      ASSERT_TRUE(step) << e;
      expect_as_defined(r.steps(), *step, "elements of " + std::to_string(e) + " bytes");
    }
  }
}

TEST_F(CompiledMove, pixels_and_planes_move_as_defined) {
  for (const std::int64_t e : {1, 2})
    for (const std::int64_t c : {2, 3, 4, 7})
      for (const std::int64_t w : {512, 62, 61}) {
        const std::vector<std::int64_t> first{0, 3, 1, 2}, last{0, 2, 3, 1};
        for (const auto& r : {permute(Layout::dense({3, 60, w, c}, e), first), permute(Layout::dense({3, c, 60, w}, e), last)}) {
          const auto step = step_of(r.steps(), options);
          ASSERT_TRUE(step) << e << ", " << c;
          expect_as_defined(r.steps(), *step, fmt::format("{} channels of {} bytes, rows of {}", c, e, w));
        }
      }
  for (const auto& r :
       {parse("n y x c -> n c y x", Layout::dense({5, 64, 512, 3}, 1)), parse("n c y x -> n y x c", Layout::dense({5, 3, 64, 512}, 1))}) {
    const Rearrangement mirrored = r.slice("y", 3, 60).slice("x", 16, 496).flip("x");
    const auto step = step_of(mirrored.steps(), options);
    ASSERT_TRUE(step);
    expect_as_defined(mirrored.steps(), *step, "a mirrored crop");
  }
}

TEST_F(CompiledMove, arrays_one_behind_the_other_move_as_defined) {
  for (const std::int64_t e : {1, 2, 4}) {
    Steps steps;
    steps.steps.emplace_back();
    std::int64_t at = 0;
    for (std::int32_t k = 0; k < 5; ++k) {
      Box box;
      box.unit = static_cast<std::int32_t>(e);
      box.src_slot = k;
      box.dst_offset = at;
      const std::int64_t n = 314;
      box.axes = {{700, n * e, 5 * n * e}, {n, e, e}};
      steps.steps[0].boxes.push_back(box);
      at += n * e;
    }
    const auto step = step_of(steps, options);
    ASSERT_TRUE(step) << e;
    expect_as_defined(steps, *step, fmt::format("five arrays of {} bytes", e), 5);
  }
}

TEST_F(CompiledMove, taken_rows_move_as_defined) {
  std::mt19937_64 random(20261204);
  for (const std::int64_t e : {1, 2, 4, 8, 12, 16})
    for (const std::int64_t n : {1000, 901, 8192}) {
      const std::int64_t x = std::min<std::int64_t>(n, 60'000 / e);
      std::vector<std::int64_t> indices(static_cast<std::size_t>(n));
      for (std::int64_t& i : indices) i = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(x));
      const Rearrangement r = gather(Layout::dense({2500, x}, e), 1, indices);
      const auto step = step_of(r.steps(), options);
      ASSERT_TRUE(step) << e << ", " << n;
      expect_as_defined(r.steps(), *step, fmt::format("{} entries of {} bytes", n, e));
    }
}

TEST_F(CompiledMove, plans_by_trial_have_the_same_bytes) {
  const KernelOptions before = kernel_options();
  KernelOptions now = options;
  now.effort = KernelEffort::measured;
  set_kernel_options(now);
  const Rearrangement r = permute(Layout::dense({8, 256, 256, 3}, 1), std::vector<std::int64_t>{0, 3, 1, 2});
  const PlannedMove first(r.steps(), machine_of(cuda()), cuda(), 1, 1), again(r.steps(), machine_of(cuda()), cuda(), 1, 1);
  set_kernel_options(before);
  EXPECT_EQ(first.steps.at(0).compiled == nullptr, again.steps.at(0).compiled == nullptr) << "as found the first time";
  if (first.steps.at(0).compiled != nullptr) expect_as_defined(r.steps(), *first.steps.at(0).compiled, "chosen by trial");
}

TEST_F(CompiledMove, plans_say_that_they_have_one_and_have_the_same_bytes) {
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
  ASSERT_NE(library.steps.at(0).compiled, nullptr);
  EXPECT_FALSE(library.steps.at(0).compiled->kernel) << "one of the library";
  ASSERT_NE(compiled.steps.at(0).compiled, nullptr);
  EXPECT_TRUE(compiled.steps.at(0).compiled->kernel);
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

// The same by kernels of the library, which need no compiler.
struct AheadMove : testing::OnGpu {
  static void expect_moved(const Rearrangement& r, const std::string& what) {
    const PlannedStep step(r.steps().steps.at(0), Machine::h200());
    auto form = compiled_form(step, Machine::h200());
    ASSERT_TRUE(form) << what;
    const auto ahead = ahead_step(std::move(*form), cuda());
    ASSERT_TRUE(ahead) << what;
    expect_as_defined(r.steps(), *ahead, what);
  }
};

TEST_F(AheadMove, pads_and_rolls_move_as_defined) {
  for (const std::int64_t e : {1, 2, 4, 8, 16}) {
    const std::vector<PadWidth> of_both{{0, 0}, {0, 0}, {1, 1}, {1, 1}}, of_pixels{{0, 0}, {8, 8}, {8, 8}, {0, 0}},
        of_columns{{0, 0}, {1, 1}};
    for (const auto& r : {pad(Layout::dense({2, 5, 510, 510}, e), of_both), pad(Layout::dense({2, 496, 496, 3}, e), of_pixels),
                          pad(Layout::dense({700, 510}, e), of_columns), pad(Layout::dense({700, 511}, e), of_columns),
                          roll(Layout::dense({513, 1027}, e), std::vector<std::int64_t>{7, 5}),
                          flip(Layout::dense({3, 401, 515}, e), std::vector<std::int64_t>{1, 2})})
      expect_moved(r, fmt::format("elements of {} bytes", e));
  }
}

TEST_F(AheadMove, taken_rows_and_entries_move_as_defined) {
  std::mt19937_64 random(20261205);
  for (const std::int64_t e : {1, 2, 4, 8, 16})
    for (const std::int64_t n : {1000, 901, 3584}) {
      std::vector<std::int64_t> indices(static_cast<std::size_t>(n));
      for (std::int64_t& i : indices) i = static_cast<std::int64_t>(random() % 900);
      expect_moved(gather(Layout::dense({2500, 900}, e), 1, indices), fmt::format("{} of rows, elements of {} bytes", n, e));
      expect_moved(gather(Layout::dense({900, 496}, e), 0, indices), fmt::format("{} rows, elements of {} bytes", n, e));
    }
}

TEST_F(AheadMove, pixels_and_planes_move_as_defined) {
  for (const std::int64_t c : {3, 4}) {
    const std::vector<std::int64_t> first{0, 3, 1, 2}, last{0, 2, 3, 1};
    expect_moved(permute(Layout::dense({3, 60, 512, c}, 1), first), fmt::format("{} channels to planes", c));
    expect_moved(permute(Layout::dense({3, c, 60, 512}, 1), last), fmt::format("{} channels to pixels", c));
  }
}

}  // namespace
}  // namespace crinkle::gpu_compiled_move_test
