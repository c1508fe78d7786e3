// NVRTC, NVIDIA's compiler as a library, loaded when a kernel is to be compiled: crinkle needs it neither to be built nor to run.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace crinkle::gpu {

/// Where NVRTC's library lies, found without loading it.
struct NvrtcPlace {
  std::filesystem::path file;  // …/libnvrtc.so.13
  std::string version;         // "13.0", of which its other half has its name, libnvrtc-builtins.so.13.0
  std::string why_not = {};    // where there is none, and `file` is ""
};

/// Folders that may hold NVRTC, the nearest first: in CUDA_PATH, CUDA_HOME and LD_LIBRARY_PATH, wheels of NVIDIA beside the library or
/// program that this function is in, /usr/local/cuda*, the system's. `own` is a file of the folder where to look for wheels.
std::vector<std::filesystem::path> nvrtc_folders(const std::filesystem::path& own);

/// The newest in the first of these folders that has one.
NvrtcPlace nvrtc_in(const std::vector<std::filesystem::path>& folders);
/// In the folder, or the folder of the file, `named` alone; for "" in all that nvrtc_folders() says.
NvrtcPlace find_nvrtc(const std::string& named);

/// Why a driver of this CUDA version, 1000·major + 10·minor, loads no machine code that this NVRTC makes: it is of an earlier major
/// version.
/// "" where it does, or where the driver is not known: 0.
std::string why_not_for(const NvrtcPlace& place, int driver);

/// NVRTC's answer. Code "" where the source is wrong, which `log` says then.
struct NvrtcCode {
  std::string code, log;
};

/// NVRTC loaded: for as long as the process lives.
class Nvrtc {
 public:
  /// Throws unsupported, saying what its library lacks.
  explicit Nvrtc(const NvrtcPlace& place);

  /// The machine code of a source for an architecture, 10·major + minor, or for the greatest one below that its devices run, too. The
  /// source is called `name` in the log. Throws unsupported where NVRTC knows none of them, and where NVRTC fails otherwise.
  NvrtcCode compile(const std::string& text, const std::string& name, int architecture, const std::vector<std::string>& options) const;

 private:
  struct Functions;
  std::shared_ptr<const Functions> functions_;
  NvrtcPlace place_;
};

/// Options of every kernel. Nothing is fused that is not written so: all kernels of a transform have the same bits.
std::vector<std::string> compile_options();

}  // namespace crinkle::gpu
