// Kernels of filters compiled for their weights: the bits of the CPU, of all types, sizes, strides and addresses.
// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <filesystem>

#include "crinkle/cuda_kernels.hpp"
#include "cuda/compile/nvrtc.hpp"
#include "gpu_sweep.hpp"

namespace crinkle::testing::stencil_test {
namespace {

struct CompiledFilters : OnGpu {
  void SetUp() override {
    OnGpu::SetUp();
    if (IsSkipped()) return;
    const gpu::NvrtcPlace place = gpu::find_nvrtc("");
    if (place.file.empty()) GTEST_SKIP() << place.why_not;
    before_ = kernel_options();
    KernelOptions options = *before_;
    options.effort = KernelEffort::compiled;
    options.folder = (std::filesystem::temp_directory_path() / ("crinkle_filters_" + std::to_string(::getpid()))).string();
    n_notes_ = kernel_notes().size();
    set_kernel_options(options);
  }
  void TearDown() override {
    const std::vector<std::string> notes = kernel_notes();
    for (std::size_t i = n_notes_; before_ && i < notes.size(); ++i) ADD_FAILURE() << notes[i];  // what does not compile is a bug
    if (before_) set_kernel_options(*before_);
  }
  static void expect_compiled(const Sweep& sweep, std::int64_t src = 0, std::int64_t dst = 0) {
    EXPECT_NE(Sweeper(sweep, cuda()).describe().find("compiled"), std::string::npos) << told(sweep);
    expect_as_on_the_cpu(sweep, src, dst);
  }

 private:
  std::optional<KernelOptions> before_;
  std::size_t n_notes_ = 0;
};

TEST_F(CompiledFilters, of_two_axes) {
  for (const NumberType type : {f4, f8}) {
    for (const double sigma : {0.9, 2.0, 5.0}) {
      for (const Faces& faces : {all_faces[0], all_faces[3], all_faces[6]}) {
        for (const auto& [rows, line] : {std::pair{3, 8}, {97, 131}, {700, 1300}})
          expect_compiled(sweep_of(gaussian({sigma, 2}), {rows, line}, type, {0, 1}, {faces, all_faces[7]}));
      }
    }
  }
}
TEST_F(CompiledFilters, of_three_axes_cells_of_several_elements_and_steps) {
  const Faces edge(Bound::edge);
  expect_compiled(sweep_of(gaussian({2, 1, 3}), {40, 50, 260}, f4, {0, 1, 2}, {edge, all_faces[5], all_faces[4]}));
  expect_compiled(sweep_of(gaussian({2, 1}), {90, 101, 3}, f4, {0, 1}, {edge, all_faces[4]}));
  Sweep sweep = sweep_of(gaussian({1.5, 2}), {90, 201}, f4, {0, 1}, {all_faces[3], all_faces[4]});
  sweep.steps = 4;
  expect_compiled(sweep);
  sweep.source_type = sweep.destination_type = {Number::float16};
  sweep.source = sweep.destination = dense({90, 201}, sweep.source_type);
  expect_compiled(sweep);
}
TEST_F(CompiledFilters, of_grids_of_weights) {
  std::vector<double> weights(49);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 1 / static_cast<double>(3 + i);
  for (const NumberType type : {f4, f8})
    for (const Faces& faces : all_faces)
      expect_compiled(sweep_of(from_array(weights, {7, 7}), {120, 601}, type, {0, 1}, {faces, all_faces[6]}));
}
TEST_F(CompiledFilters, of_bytes_at_any_address) {
  const NumberType bytes{Number::uint8};
  for (const double sigma : {0.7, 1.0, 2.0, 5.0}) {
    for (const std::int64_t line : {700, 1021, 2048}) {
      Sweep sweep = sweep_of(gaussian({sigma, sigma}), {300, line}, bytes, {0, 1}, {Faces(), Faces(Bound::edge)});
      for (const std::int64_t shift : {0, 1, 4}) expect_compiled(sweep, shift, 0);
      sweep.destination_type = {Number::int16};
      sweep.destination = dense({300, line}, sweep.destination_type);
      for (const std::int64_t shift : {0, 1, 2}) expect_compiled(sweep, 0, shift);
    }
  }
  expect_compiled(sweep_of(gaussian({1, 1}), {200, 301, 3}, bytes, {0, 1}, {Faces(), Faces(Bound::periodic)}));
  const Faces whole({Bound::constant, 3}, {Bound::edge});
  for (const double weight : {0.125, 1.0 / 9}) {
    const std::vector<double> weights(9, weight);
    expect_compiled(sweep_of(from_array(weights, {3, 3}), {200, 301}, bytes, {0, 1}, {whole, all_faces[7]}));
  }
}

// Without a compiler: kernels of the library, in one pass.
TEST_F(Gpu, filters_compiled_ahead_of_time) {
  const KernelOptions before = kernel_options();
  KernelOptions options = before;
  options.effort = KernelEffort::library;
  set_kernel_options(options);
  for (const NumberType type : {f4, NumberType{Number::uint8}}) {
    for (const auto& sigmas : {std::vector{1.0, 1.0}, {0.5, 2.0}, {2.0, 0.7}}) {
      for (const auto& [rows, line] : {std::pair{3, 300}, {97, 501}, {700, 1300}, {1024, 2048}}) {
        const Faces last = type == f4 ? all_faces[7] : Faces(Bound::periodic);
        const Sweep sweep = sweep_of(gaussian(sigmas), {rows, line}, type, {0, 1}, {Faces(Bound::reflect), last});
        EXPECT_NE(Sweeper(sweep, cuda()).describe().find("in one pass"), std::string::npos) << told(sweep);
        for (const std::int64_t shift : {0, 1}) expect_as_on_the_cpu(sweep, type == f4 ? 0 : shift, 0);
      }
    }
  }
  std::vector<double> weights(49);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 1 / static_cast<double>(3 + i);
  for (const Faces& faces : all_faces) {
    const Sweep grid = sweep_of(from_array(weights, {7, 7}), {120, 601}, f4, {0, 1}, {faces, all_faces[6]});
    EXPECT_NE(Sweeper(grid, cuda()).describe().find("in one pass"), std::string::npos) << told(grid);
    expect_as_on_the_cpu(grid);
  }
  for (const double sigma : {1.0, 2.0, 3.0, 5.0}) {
    const Sweep volume = sweep_of(gaussian({sigma, 2, sigma}), {70, 50, 300}, f4, {0, 1, 2}, {all_faces[7], Faces(Bound::edge), Faces()});
    const std::string text = Sweeper(volume, cuda()).describe();
    EXPECT_NE(text.find("weights down and 0 across, in one pass"), std::string::npos) << text;
    expect_as_on_the_cpu(volume);
    for (const Faces& faces : {all_faces[0], all_faces[7]})
      expect_as_on_the_cpu(sweep_of(gaussian({sigma, sigma}), {300, 1301}, f4, {0, 1}, {Faces(), faces}));
  }
  set_kernel_options(before);
}

}  // namespace
}  // namespace crinkle::testing::stencil_test
