// Kernels compiled for a plan of transforms: the bits of the library's kernels, wherever the lines lie.
// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "crinkle/cuda_kernels.hpp"
#include "cuda/compile/nvrtc.hpp"
#include "fft/cuda/stages.hpp"
#include "fft_lines.hpp"

namespace crinkle::testing::fft_compiled_test {
namespace {

using namespace fft::same_bits;
using fft::at;

// An effort for as long as this lives, and a folder of its own.
class Effort {
 public:
  explicit Effort(KernelEffort effort) : before_(kernel_options()) {
    KernelOptions options = before_;
    options.effort = effort;
    options.folder = (std::filesystem::temp_directory_path() / ("crinkle_fft_" + std::to_string(::getpid()))).string();
    options.most_bytes = std::int64_t{1} << 30;
    set_kernel_options(options);
  }
  ~Effort() { set_kernel_options(before_); }
  Effort(const Effort&) = delete;
  Effort& operator=(const Effort&) = delete;

 private:
  KernelOptions before_;
};

struct Compiled : OnGpu {
  void SetUp() override {
    OnGpu::SetUp();
    if (IsSkipped()) return;
    const gpu::NvrtcPlace place = gpu::find_nvrtc("");
    if (place.file.empty()) GTEST_SKIP() << place.why_not;
    const std::vector<std::string> notes = kernel_notes();
    n_notes_ = notes.size();
  }
  void TearDown() override {
    const std::vector<std::string> notes = kernel_notes();
    for (std::size_t i = n_notes_; i < notes.size(); ++i) ADD_FAILURE() << notes[i];  // what does not compile is a bug
  }

  // In both kinds of plans the lines of all places, alone and among others; n_compiled counts the plans that had compiled kernels.
  void expect_bits_of_library(const Wish& wish, const std::vector<std::int64_t>& counts, const std::vector<std::string>& names,
                              KernelEffort effort = KernelEffort::compiled) {
    for (const std::int64_t n_lines : counts) {
      const Lines lines = random_lines(wish, n_lines);
      for (const Place& place : places_of(wish, n_lines)) {
        if (std::find(names.begin(), names.end(), place.name) == names.end()) continue;
        const auto planned = [&](KernelEffort of) {
          const Effort now(of);
          return FftPlan(request_of(wish, place), cuda());
        };
        const FftPlan library = planned(KernelEffort::library), compiled = planned(effort);
        ASSERT_EQ(library.describe().find("compiled"), std::string::npos) << library.describe();
        n_compiled += compiled.describe().find("compiled") != std::string::npos ? 1 : 0;
        const Lines want = transformed_lines(library, place, lines, false), got = transformed_lines(compiled, place, lines, false);
        for (std::int64_t l = 0; l < n_lines; ++l)
          ASSERT_TRUE(got[at(l)] == want[at(l)]) << wish.name() << ": line " << l << " of " << n_lines << ", " << place.name << '\n'
                                                 << compiled.describe() << library.describe();
        ASSERT_TRUE(transformed_lines(compiled, place, lines, false, 1) == want) << wish.name() << ", unaligned\n" << compiled.describe();
        if (place.in == place.out && wish.n_given == 0) {
          ASSERT_TRUE(transformed_lines(compiled, place, lines, true) == want) << wish.name() << ", in place\n" << compiled.describe();
        }
      }
    }
  }
  // Lengths of butterflies up to 16 have compiled kernels where there are lines enough for a block, powers of two perhaps the library's.
  static bool is_certain(FftKind kind, std::int64_t n) {
    const std::int64_t n_numbers = kind == FftKind::complex_to_complex || n % 2 != 0 ? n : n / 2;
    const fft::Radices radices = fft::cuda_radices<float>(n_numbers);
    return n_numbers <= 4096 && (n_numbers & (n_numbers - 1)) != 0 && !radices.empty() &&
           std::all_of(radices.begin(), radices.end(), [](std::int64_t r) { return !fft::has_sums(r); });
  }
  void expect_kinds(FftReal real, FftKind kind, std::vector<std::int64_t> lengths) {
    if (n_cases(1000) < 1000) lengths.resize(3);
    for (const std::int64_t n : lengths) {
      const auto direction = n % 2 == 0 ? FftDirection::forward : FftDirection::inverse;
      const std::int64_t before = n_compiled;
      expect_bits_of_library({.kind = kind, .real = real, .direction = direction, .n = n}, {n < 200 ? 70 : 3}, {"rows", "columns"});
      if (HasFatalFailure()) return;
      if (is_certain(kind, n)) { EXPECT_GT(n_compiled, before) << n; }
    }
  }

  std::int64_t n_compiled = 0;

 private:
  std::size_t n_notes_ = 0;
};

const std::vector<std::int64_t> lengths = {12,  31,  1000, 7,    34,   60,   47,   59,   96,   97,   101, 107,
                                           127, 360, 509,  1001, 1021, 1920, 3000, 4093, 6000, 7000, 7200};
// A kernel of these takes longer to compile. Halves of 94, 122 and 254 are primes: by Rader, folded.
const std::vector<std::int64_t> real_lengths = {12, 94, 1000, 31, 60, 97, 122, 254, 360, 1018, 1920, 6000, 14000};

TEST_F(Compiled, complex_lines_of_float32) { expect_kinds(FftReal::float32, FftKind::complex_to_complex, lengths); }
TEST_F(Compiled, real_lines_of_float32) { expect_kinds(FftReal::float32, FftKind::real_to_complex, real_lengths); }
TEST_F(Compiled, lines_to_real_ones_of_float32) { expect_kinds(FftReal::float32, FftKind::complex_to_real, real_lengths); }
TEST_F(Compiled, complex_lines_of_float64) { expect_kinds(FftReal::float64, FftKind::complex_to_complex, lengths); }
TEST_F(Compiled, real_lines_of_float64) { expect_kinds(FftReal::float64, FftKind::real_to_complex, {12, 97, 1000, 2018}); }
TEST_F(Compiled, lines_to_real_ones_of_float64) { expect_kinds(FftReal::float64, FftKind::complex_to_real, {12, 97, 1000, 2018}); }
TEST_F(Compiled, lines_of_float16) { expect_kinds(FftReal::float16, FftKind::complex_to_complex, {12, 101, 1000, 1024, 5005, 65536}); }
TEST_F(Compiled, real_lines_of_float16) { expect_kinds(FftReal::float16, FftKind::real_to_complex, {12, 101, 1000, 2048}); }
TEST_F(Compiled, cosines) { expect_kinds(FftReal::float32, FftKind::cosine, {12, 100, 1000, 509}); }

TEST_F(Compiled, lines_anywhere) {
  const std::vector<std::string> all = {"rows",         "columns",           "rows to columns", "columns to rows",  "rows with gaps",
                                        "strided rows", "columns with gaps", "backward",        "columns backward", "unaligned",
                                        "in the middle"};
  for (const std::int64_t n : {100, 1000, 1920}) {
    expect_bits_of_library({.n = n}, {1, 34}, all);
    if (HasFatalFailure()) return;
  }
  expect_bits_of_library({.kind = FftKind::real_to_complex, .n = 360}, {34}, all);
}

TEST_F(Compiled, padded_and_shifted_lines) {
  for (const std::int64_t n : {100, 1000}) {
    for (const FftKind kind : {FftKind::complex_to_complex, FftKind::real_to_complex}) {
      expect_bits_of_library({.kind = kind, .n = n, .n_given = n - 3}, {3}, {"rows", "columns"});
      if (HasFatalFailure()) return;
    }
    expect_bits_of_library({.n = n, .shift = FftShift::both}, {3}, {"rows", "columns"});
    expect_bits_of_library({.n = n, .shift = FftShift::input}, {3}, {"rows"});
  }
}

TEST_F(Compiled, lines_that_only_compiled_kernels_take_whole) {
  for (const std::int64_t n : {9000, 10000, 12288, 16000}) {
    expect_bits_of_library({.n = n}, {3}, {"rows", "columns"});
    if (HasFatalFailure()) return;
  }
  expect_bits_of_library({.real = FftReal::float64, .n = 8000}, {3}, {"rows"});
  expect_bits_of_library({.kind = FftKind::real_to_complex, .n = 20000}, {3}, {"rows"});
  expect_bits_of_library({.kind = FftKind::complex_to_real, .n = 20000}, {3}, {"rows"});
}

// More groups of lines than blocks, so that each block has several; the last group is no whole one.
TEST_F(Compiled, lines_that_come_ahead) {
  const std::pair<std::int64_t, std::int64_t> sizes[] = {{5000, 901}, {9000, 401}, {6561, 403}, {9261, 300}, {31, 60003}, {7, 450001}};
  for (const auto& [n, n_lines] : sizes) {
    if (n_cases(1000) < 1000 && n != 9261) continue;
    expect_bits_of_library({.n = n}, {n_lines}, {"rows"});
    if (HasFatalFailure()) return;
  }
  expect_bits_of_library({.real = FftReal::float64, .direction = FftDirection::inverse, .n = 6000}, {301}, {"rows"});
}

TEST_F(Compiled, the_quickest_of_some) {
  expect_bits_of_library({.n = 360}, {1, 70}, {"rows", "columns", "backward", "in the middle"}, KernelEffort::measured);
  if (HasFatalFailure()) return;
  expect_bits_of_library({.n = 6000}, {901}, {"rows"}, KernelEffort::measured);
  if (HasFatalFailure()) return;
  expect_bits_of_library({.kind = FftKind::real_to_complex, .n = 202}, {70}, {"rows", "columns"}, KernelEffort::measured);
  if (HasFatalFailure()) return;
  expect_bits_of_library({.kind = FftKind::real_to_complex, .n = 100000}, {20}, {"rows"}, KernelEffort::measured);
  if (HasFatalFailure()) return;
  expect_bits_of_library({.kind = FftKind::complex_to_real, .n = 100000}, {20}, {"rows"}, KernelEffort::measured);
  EXPECT_GT(n_compiled, 5);
}

TEST_F(Compiled, long_lines) {
  for (const std::int64_t n : {44100, 65536, 100000, 1000000}) {
    expect_bits_of_library({.n = n}, {1, 2}, {"rows"});
    if (HasFatalFailure()) return;
  }
}

// Which a chain folds where it reads or writes them; at odd addresses others do.
TEST_F(Compiled, long_real_lines) {
  for (const FftKind kind : {FftKind::real_to_complex, FftKind::complex_to_real}) {
    for (const std::int64_t n : {65536, 3 << 15, 100000, 330750}) {  // the last has parts of odd radices
      expect_bits_of_library({.kind = kind, .n = n}, {1, 3}, {"rows", "rows with gaps", "columns", "backward"});
      if (HasFatalFailure()) return;
    }
    expect_bits_of_library({.kind = kind, .real = FftReal::float64, .n = 100000}, {2}, {"rows"});
  }
  const Effort compiled(KernelEffort::compiled);
  for (const FftKind kind : {FftKind::real_to_complex, FftKind::complex_to_real}) {
    const Wish wish{.kind = kind, .n = 3 << 15};
    const std::string rows = FftPlan(request_of(wish, places_of(wish, 64).front()), cuda()).describe();
    EXPECT_NE(rows.find(", 2 launches"), std::string::npos) << rows;
  }
}

// Convolutions that no block holds, in three steps; the bits are those of the library's seven launches.
TEST_F(Compiled, long_lines_with_a_large_prime) {
  const auto describe = [&](const Wish& wish, const std::string& name) {
    const Effort now(KernelEffort::compiled);
    const std::vector<Place> places = places_of(wish, 3);
    const auto place = std::find_if(places.begin(), places.end(), [&](const Place& one) { return one.name == name; });
    return FftPlan(request_of(wish, *place), cuda()).describe();
  };
  for (const std::int64_t n : {10007, 65521, 262147}) {
    const Wish complex{.n = n};
    if (n < 100000) {
      for (const char* const name : {"columns", "rows"})
        EXPECT_NE(describe(complex, name).find(", 3 launches"), std::string::npos) << describe(complex, name);
    }
    expect_bits_of_library(complex, {1, 3}, {"rows", "columns", "backward", "in the middle"});
    if (HasFatalFailure()) return;
    for (const FftKind kind : {FftKind::real_to_complex, FftKind::complex_to_real}) {
      for (const std::int64_t real : {n, 2 * n}) {
        expect_bits_of_library({.kind = kind, .n = real}, {3}, {"rows", "columns"});
        if (HasFatalFailure()) return;
      }
    }
  }
  expect_bits_of_library({.real = FftReal::float64, .direction = FftDirection::inverse, .n = 10007}, {3}, {"rows", "columns"});
  expect_bits_of_library({.real = FftReal::float16, .n = 10007}, {3}, {"rows"});
  expect_bits_of_library({.n = 10007, .n_given = 9000}, {3}, {"rows"});
  expect_bits_of_library({.n = 10007, .shift = FftShift::both}, {3}, {"rows"});
}

TEST_F(Compiled, plans_without_it_have_the_library) {
  const auto describe = [&](KernelEffort effort, std::int64_t n_lines) {
    const Effort now(effort);
    return FftPlan(request_of({.n = 1050}, places_of({.n = 1050}, n_lines)[0]), cuda()).describe();
  };
  EXPECT_EQ(describe(KernelEffort::library, 4).find("compiled"), std::string::npos);
  EXPECT_EQ(describe(KernelEffort::paying, 4).find("compiled"), std::string::npos);  // 100 runs of four lines are short
  EXPECT_NE(describe(KernelEffort::compiled, 5).find("compiled"), std::string::npos);
  EXPECT_NE(describe(KernelEffort::kept, 5).find("compiled"), std::string::npos);
}

}  // namespace
}  // namespace crinkle::testing::fft_compiled_test
