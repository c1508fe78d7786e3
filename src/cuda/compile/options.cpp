// Options and notes of the process. SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
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
constexpr std::array<std::string_view, 5> words{"library", "kept", "paying", "compiled", "measured"};  // of every KernelEffort

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
  if (effort != nullptr && *effort != '\0') { options.effort = kernel_effort(effort, "CRINKLE_KERNELS="); }
  const char* const nvrtc = std::getenv("CRINKLE_NVRTC");
  if (nvrtc != nullptr) options.nvrtc = nvrtc;
  return options;
}

}  // namespace

std::string_view word_of(KernelEffort effort) { return words.at(static_cast<std::size_t>(effort)); }

KernelEffort kernel_effort(std::string_view word, std::string_view of) {
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) {
    throw Error(ErrorCode::bad_notation,
                fmt::format("{}'{}': it is library, kept, paying, compiled or measured", of, shown(std::string(word))));
  }
  return static_cast<KernelEffort>(found - words.begin());
}

KernelOptions kernel_options() {
  Told& mine = told.get();
  const std::lock_guard lock(mine.mutex);
  if (!mine.options) mine.options = options_of_environment();
  return *mine.options;
}

void set_kernel_options(KernelOptions options) {
  if (options.runs < 1) throw Error(ErrorCode::bad_shape, fmt::format("runs={}: a plan has 1 or more", options.runs));
  if (options.most_bytes < 0) throw Error(ErrorCode::bad_shape, fmt::format("most_bytes={}: 0, for none, or more", options.most_bytes));
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
