// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/compile/nvrtc.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "crinkle/error.hpp"
#include "cuda/compile/headers.hpp"

struct _nvrtcProgram;

namespace crinkle::gpu {
namespace {

constexpr int compilation_failed = 6;  // NVRTC_ERROR_COMPILATION

[[noreturn]] void refuse(const NvrtcPlace& place, const std::string& why) {
  throw Error(ErrorCode::unsupported, fmt::format("NVRTC {} ({}): {}", place.version, place.file.string(), why));
}

}  // namespace

struct Nvrtc::Functions {
  using Program = _nvrtcProgram*;
  int (*create)(Program*, const char* text, const char* name, int n_headers, const char* const* headers, const char* const* names);
  int (*destroy)(Program*);
  int (*compile)(Program, int n_options, const char* const* options);
  int (*log_size)(Program, std::size_t*);
  int (*log)(Program, char*);
  int (*code_size)(Program, std::size_t*);
  int (*code)(Program, char*);
  int (*n_architectures)(int*);
  int (*architectures)(int*);
  const char* (*error)(int);
};

Nvrtc::Nvrtc(const NvrtcPlace& place) : place_(place) {
  void* const library = ::dlopen(place.file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) refuse(place, ::dlerror());
  Functions f{};
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
    if (function == nullptr) refuse(place, std::string("it has no ") + name);
  };
  find(f.create, "nvrtcCreateProgram");
  find(f.destroy, "nvrtcDestroyProgram");
  find(f.compile, "nvrtcCompileProgram");
  find(f.log_size, "nvrtcGetProgramLogSize");
  find(f.log, "nvrtcGetProgramLog");
  find(f.code_size, "nvrtcGetCUBINSize");
  find(f.code, "nvrtcGetCUBIN");
  find(f.n_architectures, "nvrtcGetNumSupportedArchs");
  find(f.architectures, "nvrtcGetSupportedArchs");
  find(f.error, "nvrtcGetErrorString");
  functions_ = std::make_shared<const Functions>(f);
}

NvrtcCode Nvrtc::compile(const std::string& text, const std::string& name, int architecture,
                         const std::vector<std::string>& options) const {
  const Functions& f = *functions_;
  const auto check = [&](int status) {
    if (status != 0) refuse(place_, f.error(status));
  };
  int n = 0;
  check(f.n_architectures(&n));
  std::vector<int> known(static_cast<std::size_t>(n));
  check(f.architectures(known.data()));
  std::erase_if(known, [&](int a) { return a > architecture || a / 10 != architecture / 10; });
  if (known.empty()) refuse(place_, fmt::format("it does not know the architecture sm_{}", architecture));

  std::vector<const char*> headers, names, words;
  for (const EmbeddedHeader& h : embedded_headers()) {
    headers.push_back(h.text);
    names.push_back(h.name);
  }
  std::vector<std::string> all = compile_options();
  all.push_back(fmt::format("--gpu-architecture=sm_{}", *std::max_element(known.begin(), known.end())));
  // NVIDIA's headers, of a CUDA installation and of its wheels.
  const std::filesystem::path beside = place_.file.parent_path().parent_path();
  for (const std::filesystem::path& folder : {beside / "include", beside.parent_path() / "cuda_runtime" / "include"}) {
    std::error_code code;
    if (std::filesystem::exists(folder / "cuda_fp16.h", code)) all.push_back("--include-path=" + folder.string());
  }
  all.insert(all.end(), options.begin(), options.end());
  for (const std::string& option : all) words.push_back(option.c_str());

  Functions::Program made = nullptr;
  check(f.create(&made, text.c_str(), (name + ".cu").c_str(), static_cast<int>(headers.size()), headers.data(), names.data()));
  const auto destroy = [&](Functions::Program p) { f.destroy(&p); };
  const std::unique_ptr<_nvrtcProgram, decltype(destroy)> program(made, destroy);
  const int status = f.compile(made, static_cast<int>(words.size()), words.data());
  NvrtcCode result;
  std::size_t bytes = 0;
  check(f.log_size(made, &bytes));
  result.log.resize(bytes);
  check(f.log(made, result.log.data()));
  while (result.log.ends_with('\0') || result.log.ends_with('\n')) result.log.pop_back();
  if (status == compilation_failed) return result;
  if (status != 0) refuse(place_, fmt::format("{}: {}", f.error(status), result.log));
  check(f.code_size(made, &bytes));
  result.code.resize(bytes);
  check(f.code(made, result.code.data()));
  return result;
}

std::vector<std::string> compile_options() { return {"-std=c++20", "-fmad=false", "-default-device", "--device-int128"}; }

}  // namespace crinkle::gpu
