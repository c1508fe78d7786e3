// What tests of kernels compiled at run time share: a source, a folder of their own, and options that say so.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "cuda/compile/kernel.hpp"
#include "cuda/compile/nvrtc.hpp"

namespace crinkle {

inline std::string text_of(const std::filesystem::path& file) {
  std::ostringstream all;
  all << std::ifstream(file, std::ios::binary).rdbuf();
  return all.str();
}
inline void write(const std::filesystem::path& file, const std::string& content) { std::ofstream(file, std::ios::binary) << content; }

/// out[i] = factor · in[i] + i.
inline gpu::KernelSource scaling(int factor) {
  return {"a test of factor " + std::to_string(factor),
          "#include \"crinkle/half.hpp\"\nstruct P { static constexpr int factor = " + std::to_string(factor) +
              "; };\nextern \"C\" __global__ void kernel(const float* in, float* out, long n) {\n"
              "  const long i = blockIdx.x * 256l + threadIdx.x;\n  if (i < n) out[i] = P::factor * in[i] + i;\n}\n"};
}

struct CompiledKernel : ::testing::Test {
  std::filesystem::path folder = std::filesystem::temp_directory_path() / ("crinkle_kernels_" + std::to_string(::getpid()));
  std::vector<std::string> notes;
  KernelOptions options;

  CompiledKernel() {
    options.effort = KernelEffort::compiled;
    options.folder = (folder / "kernels").string();
    options.note = [this](const std::string& text) { notes.push_back(text); };
  }
  ~CompiledKernel() override {
    std::error_code code;
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all, code);
    std::filesystem::remove_all(folder, code);
  }
  void SetUp() override {
    const gpu::NvrtcPlace place = gpu::find_nvrtc("");
    if (place.file.empty()) GTEST_SKIP() << place.why_not;
  }
  std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> list;
    if (std::filesystem::is_directory(options.folder))
      for (const auto& entry : std::filesystem::directory_iterator(options.folder)) list.push_back(entry.path());
    return list;
  }
};

}  // namespace crinkle
