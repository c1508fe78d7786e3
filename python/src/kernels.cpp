// Which kernels plans for a GPU may have (crinkle/cuda_kernels.hpp). SPDX-License-Identifier: BSD-3-Clause
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "api/cache.hpp"
#include "crinkle/cuda_kernels.hpp"
#include "operations.hpp"

namespace crinkle::python {
namespace {

// Sets what is given, and forgets the plans that are kept, which were made without it.
nb::dict cuda_kernels(const std::optional<std::string>& effort, std::optional<std::int64_t> runs, const std::optional<std::string>& folder,
                      std::optional<std::int64_t> most_bytes, const std::optional<std::string>& nvrtc) {
  KernelOptions options = kernel_options();
  if (effort) options.effort = kernel_effort(*effort);
  if (runs) options.runs = *runs;
  if (folder) options.folder = *folder;
  if (most_bytes) options.most_bytes = *most_bytes;
  if (nvrtc) options.nvrtc = *nvrtc;
  if (effort || runs || folder || most_bytes || nvrtc) {
    set_kernel_options(options);
    clear_kept();
  }
  nb::dict now;
  now["effort"] = std::string(word_of(options.effort));
  now["runs"] = options.runs;
  now["folder"] = options.folder;
  now["most_bytes"] = options.most_bytes;
  now["nvrtc"] = options.nvrtc;
  now["notes"] = kernel_notes();
  return now;
}

}  // namespace

void bind_kernels(nb::module_& module) {
  module.def(
      "cuda_kernels", &cuda_kernels, nb::arg("effort") = nb::none(), nb::kw_only(), nb::arg("runs") = nb::none(),
      nb::arg("folder") = nb::none(), nb::arg("most_bytes") = nb::none(), nb::arg("nvrtc") = nb::none(),
      "Which kernels plans for a GPU may have from now on; returns what holds, and the notes of what went wrong, which changed no "
      "result.\n\neffort: 'library', those of the package alone; 'kept', also those that were compiled before; 'paying', the default, "
      "new ones where so many `runs` of the plan (100) are predicted to save more time than compiling takes; 'compiled', whatever "
      "they cost; 'measured', several of each, of which the quickest stays. folder: where they are kept, '' for "
      "~/.cache/crinkle/kernels; most_bytes: of that folder, 0 for none; nvrtc: NVIDIA's compiler, or its folder.");
}

}  // namespace crinkle::python
