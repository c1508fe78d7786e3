// Kernels compiled at run time, without a GPU: machine code is made, kept and found again, and what goes wrong is told once.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <set>

#include "crinkle/error.hpp"
#include "cuda/compile/headers.hpp"
#include "cuda/compiled_kernel.hpp"
#include "cuda/entry.hpp"
#include "support/threads.hpp"

namespace crinkle::compile_test {
namespace {

namespace fs = std::filesystem;
using gpu::Binary;
using gpu::compiled_binary;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Worth, pays_where_the_runs_save_more_than_compiling_takes) {
  const gpu::Worth worth{3e-3, 1e-3, 0.5};
  EXPECT_FALSE(pays(worth, 100));
  EXPECT_FALSE(pays(worth, 250));
  EXPECT_TRUE(pays(worth, 251));
  EXPECT_FALSE(pays(worth, 0));
  EXPECT_FALSE(gpu::pays({1e-3, 3e-3, 0.5}, 1'000'000'000));
  EXPECT_FALSE(gpu::pays({1e-3, 1e-3, 0}, 100));
  EXPECT_TRUE(gpu::pays({1, 0.5, 0.5}, std::int64_t{1} << 62));
}

TEST_F(CompiledKernel, is_machine_code_that_is_kept_and_found_again) {
  const Binary first = compiled_binary(scaling(2), 90, {}, options);
  ASSERT_NE(first, nullptr) << (notes.empty() ? "" : notes[0]);
  EXPECT_EQ(first->substr(0, 4),
            "\x7F"
            "ELF");
  ASSERT_EQ(files().size(), 1u);
  EXPECT_EQ(compiled_binary(scaling(2), 90, {}, options), first) << "the process' own";
  EXPECT_NE(*compiled_binary(scaling(3), 90, {}, options), *first);
  EXPECT_NE(*compiled_binary(scaling(2), 100, {}, options), *first);
  EXPECT_EQ(files().size(), 3u);
  EXPECT_EQ(notes, std::vector<std::string>());
}

TEST_F(CompiledKernel, of_another_process_is_taken_where_nothing_may_be_compiled) {
  const pid_t child = fork();  // whose memory is its own
  if (child == 0) {
    alarm(60);
    _exit(compiled_binary(scaling(5), 90, {}, options) == nullptr ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_EQ(status, 0);
  options.effort = KernelEffort::kept;
  EXPECT_EQ(compiled_binary(scaling(6), 90, {}, options), nullptr);
  EXPECT_NE(compiled_binary(scaling(5), 90, {}, options), nullptr);
  options.effort = KernelEffort::library;
  EXPECT_EQ(compiled_binary(scaling(5), 90, {}, options), nullptr);
  EXPECT_EQ(notes, std::vector<std::string>());
}

TEST_F(CompiledKernel, replaces_a_torn_file) {
  const auto in_a_child = [&] {
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);
      const Binary code = compiled_binary(scaling(7), 90, {}, options);
      _exit(code == nullptr || code->substr(0, 4) !=
                                   "\x7F"
                                   "ELF"
                ? 1
                : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  };
  ASSERT_EQ(in_a_child(), 0);
  ASSERT_EQ(files().size(), 1u);
  const std::string whole = text_of(files()[0]);
  write(files()[0], whole.substr(0, whole.size() / 2));
  ASSERT_EQ(in_a_child(), 0);
  ASSERT_EQ(files().size(), 1u);
  EXPECT_EQ(text_of(files()[0]), whole);
}

TEST_F(CompiledKernel, is_compiled_where_it_pays) {
  options.effort = KernelEffort::paying;
  options.runs = 100;
  EXPECT_EQ(compiled_binary(scaling(8), 90, {2e-3, 1e-3, 0.5}, options), nullptr);
  EXPECT_EQ(files().size(), 0u);
  EXPECT_NE(compiled_binary(scaling(8), 90, {9e-3, 1e-3, 0.5}, options), nullptr);
  EXPECT_NE(compiled_binary(scaling(8), 90, {}, options), nullptr) << "it is there now";
}

TEST_F(CompiledKernel, leaves_room_for_what_was_found_out_of_it) {
  EXPECT_EQ(gpu::kept_finding("of 1000 lines", options), std::nullopt);
  gpu::keep_finding("of 1000 lines", "the second", options);
  EXPECT_EQ(gpu::kept_finding("of 1000 lines", options), "the second");
  EXPECT_EQ(gpu::kept_finding("of 1001 lines", options), std::nullopt);
  ASSERT_EQ(files().size(), 1U);
  write(files()[0], text_of(files()[0]).substr(1));
  EXPECT_EQ(gpu::kept_finding("of 1000 lines", options), std::nullopt);
  EXPECT_TRUE(notes.empty());
  options.folder = "/dev/null/kernels";
  EXPECT_EQ(gpu::kept_finding("of 1000 lines", options), std::nullopt);
  gpu::keep_finding("of 1000 lines", "the second", options);
  EXPECT_EQ(notes.size(), 1U);
}

TEST_F(CompiledKernel, runs_without_a_folder) {
  options.folder = "/proc/crinkle/kernels";
  EXPECT_NE(compiled_binary(scaling(9), 90, {}, options), nullptr);
  EXPECT_NE(compiled_binary(scaling(10), 90, {}, options), nullptr);
  ASSERT_EQ(notes.size(), 1u) << "once for both";
  EXPECT_TRUE(has(notes[0], options.folder)) << notes[0];
  options.folder = (folder / "kernels").string();
  options.most_bytes = 0;
  EXPECT_NE(compiled_binary(scaling(11), 90, {}, options), nullptr);
  EXPECT_FALSE(fs::exists(options.folder));
  EXPECT_EQ(notes.size(), 1u);
}

TEST_F(CompiledKernel, whose_source_is_wrong_is_told_once_with_source_and_log) {
  gpu::KernelSource wrong = scaling(12);
  wrong.text += "int is_missing = not_declared;\n";
  EXPECT_EQ(compiled_binary(wrong, 90, {}, options), nullptr);
  EXPECT_EQ(compiled_binary(wrong, 90, {}, options), nullptr);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_TRUE(has(notes[0], wrong.name)) << notes[0];
  EXPECT_TRUE(has(notes[0], "identifier \"not_declared\" is undefined")) << notes[0];
  EXPECT_TRUE(has(notes[0], wrong.text)) << notes[0];
  const std::vector<std::string> all = kernel_notes();
  EXPECT_EQ(std::count(all.begin(), all.end(), notes[0]), 1);
  EXPECT_EQ(files().size(), 0u);
}

TEST_F(CompiledKernel, for_what_nvrtc_does_not_know_is_none) {
  EXPECT_EQ(compiled_binary(scaling(13), 999, {}, options), nullptr);
  gpu::KernelSource strange = scaling(13);
  strange.options = {"--no-such-option"};
  EXPECT_EQ(compiled_binary(strange, 90, {}, options), nullptr);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_TRUE(has(notes[0], "sm_999")) << notes[0];
  EXPECT_TRUE(has(notes[1], "no-such-option")) << notes[1];
}

TEST_F(CompiledKernel, is_none_without_nvrtc) {
  fs::create_directories(folder / "empty");
  options.nvrtc = (folder / "empty").string();
  EXPECT_EQ(compiled_binary(scaling(14), 90, {}, options), nullptr);
  EXPECT_EQ(compiled_binary(scaling(15), 90, {}, options), nullptr);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_TRUE(has(notes[0], options.nvrtc)) << notes[0];
  EXPECT_TRUE(has(notes[0], "nvidia-cuda-nvrtc")) << notes[0];
  options.effort = KernelEffort::paying;
  options.nvrtc = (folder / "elsewhere").string();
  EXPECT_EQ(compiled_binary(scaling(14), 90, {}, options), nullptr);
  EXPECT_EQ(notes.size(), 1u) << "nothing was wanted of it";
}

TEST_F(CompiledKernel, is_none_where_nvrtc_is_no_library) {
  fs::create_directories(folder / "broken");
  write(folder / "broken" / "libnvrtc.so.13", "no library");
  write(folder / "broken" / "libnvrtc-builtins.so.13.0", "no library");
  options.nvrtc = (folder / "broken").string();
  EXPECT_EQ(compiled_binary(scaling(14), 90, {}, options), nullptr);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_TRUE(has(notes[0], options.nvrtc + "/libnvrtc.so.13")) << notes[0];
}

TEST_F(CompiledKernel, is_compiled_once_by_several_threads) {
  std::vector<Binary> codes(4);
  Threads threads(4);
  threads.parallel_for(4, [&](std::int64_t k) { codes[static_cast<std::size_t>(k)] = compiled_binary(scaling(16), 90, {}, options); });
  EXPECT_NE(codes[0], nullptr);
  EXPECT_EQ(std::set(codes.begin(), codes.end()).size(), 1u);
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(CompiledKernel, may_include_every_embedded_header) {
  for (const gpu::EmbeddedHeader& header : gpu::embedded_headers()) {
    const std::string text = fmt::format("#include \"{}\"\nextern \"C\" __global__ void kernel() {{}}\n", header.name);
    EXPECT_NE(compiled_binary({header.name, text}, 90, {}, options), nullptr) << (notes.empty() ? "" : notes.back());
  }
  EXPECT_GT(gpu::embedded_headers().size(), 3u);
}

TEST_F(CompiledKernel, fuses_no_product_and_sum) {
  // 1 + 2^−23 squared, less its rounded value: 0, or 2^−46 where it is fused. The compiler computes it.
  const gpu::KernelSource source{"a product",
                                 "static_assert(sizeof(long) == 8 && sizeof(std::size_t) == 8);\n"
                                 "extern \"C\" __global__ void kernel(float* x) { *x = x[1] * x[2] + x[3]; }\n"};
  gpu::KernelSource included = source;
  included.text = "#include <cstddef>\n" + source.text;
  EXPECT_EQ(compiled_binary(source, 90, {}, options), nullptr) << "there is no std without a header";
  const Binary apart = compiled_binary(included, 90, {}, options);
  ASSERT_NE(apart, nullptr);
  included.options = {"-fmad=true"};
  EXPECT_NE(*compiled_binary(included, 90, {}, options), *apart);
}

TEST(KernelOptions, come_from_the_environment_until_they_are_set) {
  const auto in_a_child = [](const char* word, auto&& body) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      setenv("CRINKLE_KERNELS", word, 1);
      setenv("CRINKLE_NVRTC", "/there", 1);
      _exit(body());
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  const auto effort = [] { return static_cast<int>(kernel_options().effort) + (kernel_options().nvrtc == "/there" ? 10 : 0); };
  EXPECT_EQ(in_a_child("library", effort), 10);
  EXPECT_EQ(in_a_child("kept", effort), 11);
  EXPECT_EQ(in_a_child("", effort), 12);
  EXPECT_EQ(in_a_child("compiled", effort), 13);
  EXPECT_EQ(in_a_child("measured", effort), 14);
  for (const KernelEffort each : {KernelEffort::library, KernelEffort::paying, KernelEffort::measured})
    EXPECT_EQ(kernel_effort(word_of(each)), each);
  const auto code = [] {
    try {
      kernel_options();
    } catch (const Error& e) {
      return e.code() == ErrorCode::bad_notation && has(e.what(), "Library") && has(e.what(), "paying") ? 20 : 21;
    }
    return 22;
  };
  EXPECT_EQ(in_a_child("Library", code), 20);
  EXPECT_EQ(in_a_child("kept",
                       [] {
                         KernelOptions mine;
                         mine.effort = KernelEffort::library;
                         mine.runs = 7;
                         set_kernel_options(mine);
                         return kernel_options().effort == KernelEffort::library && kernel_options().runs == 7 &&
                                        kernel_options().nvrtc.empty()
                                    ? 30
                                    : 31;
                       }),
            30);
}

TEST(KernelOptions, that_mean_nothing_are_refused_and_change_nothing) {
  const KernelOptions before = kernel_options();
  const auto refused = [&](const auto& change) {
    KernelOptions wrong = before;
    change(wrong);
    try {
      set_kernel_options(wrong);
    } catch (const Error& e) { return e.code() == ErrorCode::bad_shape && kernel_options().runs == before.runs; }
    return false;
  };
  EXPECT_TRUE(refused([](KernelOptions& o) { o.runs = 0; }));
  EXPECT_TRUE(refused([](KernelOptions& o) { o.runs = -100; }));
  EXPECT_TRUE(refused([](KernelOptions& o) { o.most_bytes = -1; }));
}

TEST(Nvrtc, is_looked_for_beside_wheels_and_in_installations) {
  const std::vector<fs::path> folders = gpu::nvrtc_folders("/nowhere/site-packages/crinkle/_core.so");
  EXPECT_NE(std::find(folders.begin(), folders.end(), "/usr/local/cuda/lib64"), folders.end());
  const fs::path root = fs::temp_directory_path() / ("crinkle_nvrtc_" + std::to_string(::getpid()));
  const fs::path site = root / "site-packages";
  for (const char* const part : {"cu13", "cuda_nvrtc"}) fs::create_directories(site / "nvidia" / part / "lib");
  for (const char* const own : {"crinkle/_core.so", "crinkle/bin/crinkle"}) {
    const std::vector<fs::path> found = gpu::nvrtc_folders(site / own);
    EXPECT_NE(std::find(found.begin(), found.end(), site / "nvidia/cu13/lib"), found.end());
    EXPECT_NE(std::find(found.begin(), found.end(), site / "nvidia/cuda_nvrtc/lib"), found.end());
  }
  const fs::path lib = site / "nvidia/cu13/lib";
  EXPECT_EQ(gpu::nvrtc_in({lib}).file, "");
  for (const char* const name : {"libnvrtc.so.11.2", "libnvrtc.so.12", "libnvrtc.so.13", "libnvrtc.alt.so.14", "libnvrtc-builtins.so.12.9"})
    write(lib / name, "");
  EXPECT_EQ(gpu::nvrtc_in({lib}).file, lib / "libnvrtc.so.12") << "13 lacks its other half";
  for (const char* const name : {"libnvrtc-builtins.so.13.2", "libnvrtc-builtins.so.13.10", "libnvrtc-builtins.so"}) write(lib / name, "");
  EXPECT_EQ(gpu::nvrtc_in({root, lib}).file, lib / "libnvrtc.so.13");
  EXPECT_EQ(gpu::nvrtc_in({root, lib}).version, "13.10");
  EXPECT_EQ(gpu::find_nvrtc((lib / "libnvrtc.so.13").string()).file, lib / "libnvrtc.so.13");
  fs::remove_all(root);
}

TEST(Nvrtc, makes_no_kernels_for_a_driver_of_an_earlier_major_version) {
  const gpu::NvrtcPlace place{"/lib/libnvrtc.so.13", "13.1"};
  for (const int driver : {0, 13000, 13020, 14000}) EXPECT_EQ(gpu::why_not_for(place, driver), "") << driver;
  const std::string why_not = gpu::why_not_for(place, 12080);
  for (const char* const part : {"13.1", "CUDA 13 and later", "12.8", "/lib/libnvrtc.so.13"}) EXPECT_TRUE(has(why_not, part)) << why_not;
}

TEST(Compiled, is_refused_in_a_build_without_cuda) {
  if (gpu::is_built) GTEST_SKIP() << "this build has CUDA";
  EXPECT_THROW(gpu::compiled(scaling(1), {Device::Kind::cuda, 0}, {}), Error);
}

}  // namespace
}  // namespace crinkle::compile_test
