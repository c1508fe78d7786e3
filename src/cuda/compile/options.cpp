// Options and notes of the process. SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <set>

#include "base/caret.hpp"
#include "base/per_process.hpp"
#include "crinkle/cuda_kernels.hpp"
#include "crinkle/error.hpp"
#include "cuda/compile/notes.hpp"

namespace crinkle {
namespace {

constexpr std::size_t most_notes = 16;

struct Told {
  std::mutex mutex;
  std::optional<KernelOptions> options;
  std::vector<std::string> notes;
  std::set<std::string> all;  // of which notes are the newest
};
constinit PerProcess<Told> told;

KernelOptions options_of_environment() {
  KernelOptions options;
  const char* const effort = std::getenv("CRINKLE_KERNELS");
  if (effort != nullptr && *effort != '\0') {
    const std::array words{"library", "kept", "paying", "compiled"};
    std::size_t k = 0;
    while (k < words.size() && std::string(words[k]) != effort) ++k;
    if (k == words.size())
      throw Error(ErrorCode::bad_notation, "CRINKLE_KERNELS='" + shown(effort) + "': it is library, kept, paying or compiled");
    options.effort = static_cast<KernelEffort>(k);
  }
  const char* const nvrtc = std::getenv("CRINKLE_NVRTC");
  if (nvrtc != nullptr) options.nvrtc = nvrtc;
  return options;
}

}  // namespace

KernelOptions kernel_options() {
  Told& mine = told.get();
  const std::lock_guard lock(mine.mutex);
  if (!mine.options) mine.options = options_of_environment();
  return *mine.options;
}

void set_kernel_options(KernelOptions options) {
  Told& mine = told.get();
  const std::lock_guard lock(mine.mutex);
  mine.options = std::move(options);
}

std::vector<std::string> kernel_notes() {
  Told& mine = told.get();
  const std::lock_guard lock(mine.mutex);
  return mine.notes;
}

void gpu::tell(const KernelOptions& options, const std::string& text) {
  {
    Told& mine = told.get();
    const std::lock_guard lock(mine.mutex);
    if (!mine.all.insert(text).second) return;
    mine.notes.push_back(text);
    if (mine.notes.size() > most_notes) mine.notes.erase(mine.notes.begin());
  }
  if (options.note) options.note(text);
}

}  // namespace crinkle
