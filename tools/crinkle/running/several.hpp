// Moves between several files: what records, interlace and deinterlace share. The inputs are open; the outputs are made together, all of
// them complete before the first is put under its name, or none is.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "command_line/options.hpp"
#include "crinkle/crinkle.hpp"
#include "formats/sink.hpp"
#include "formats/source.hpp"
#include "running/placement.hpp"

namespace crinkle::tool {

struct OutputFile {
  std::string path;
  OutputFacts facts;
  std::int64_t begin = 0;                    // of what is written, behind the format's header
  std::span<const std::byte> replaced = {};  // what it holds before anything is written; nothing: zeros
};

struct SeveralFiles {
  std::vector<const Source*> inputs;
  std::vector<OutputFile> outputs;
  std::optional<std::int64_t> moved_bytes = {};  // that the move writes; nothing: all of the outputs
  std::string what;                              // "a.npy, b.npy -> c.npy", for a person
  /// Throws bad_file, naming the place, when the outputs are not what the definition says. One span an output, from its `begin` on.
  std::function<void(std::span<const std::span<std::byte>> outputs, Executor& executor)> verify;
};

/// Refuses an output that is there without --force, is an input or is named twice, before anything is made. Throws what
/// check_output_name() throws, and overlap.
void check_outputs(const SeveralFiles& files, Overwrite overwrite);

/// outputs = r(sources): `sources` are the buffers of r, which may be fewer than the inputs; so may those that it writes. Part by part,
/// without a call of `sources`, where inputs or output are stored in chunks, as StoredRun goes.
void run_several(const Rearrangement& r, const std::function<std::vector<ConstBuffer>()>& sources, const SeveralFiles& files,
                 const Running& running);
void run_several(const Rearrangement& r, const std::vector<ConstBuffer>& sources, const SeveralFiles& files, const Running& running);

/// "a", "a and b", "a, b and c".
std::string enumerated(const std::vector<std::string>& words);

}  // namespace crinkle::tool
