// The one way in which a command computes: an operation of arrays in the host's memory, planned for the device it runs on, explained, tried
// dry, run with progress in bytes and within a given memory, and reported.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "command_line/options.hpp"
#include "crinkle/operation.hpp"
#include "formats/dataset.hpp"
#include "formats/sink.hpp"
#include "formats/source.hpp"

namespace crinkle::tool {

struct StoredMeans;  // stored.hpp
struct PartCalls;    // part_run.hpp

/// Options that every such command has beside those of what it computes.
struct WorkOptions {
  std::string device = "auto", memory, temporary;
  int threads = 0;
  bool is_explained = false, is_dry = false, is_json = false, is_verified = false, is_forced = false;
  DatasetWish stored;

  /// `verify`: what --verify compares. `of_device`, `of_memory`: what else the manual says of --device and --memory.
  void add_to(Command& c, const std::string& verify, const std::string& of_device = "", const std::string& of_memory = "");
  Overwrite overwrite() const { return is_forced ? Overwrite::force : Overwrite::refuse; }
  /// An output's facts with the words on how it is stored.
  OutputFacts stored_as(OutputFacts output) const { return output.stored = &stored, output; }
  StoredMeans means(const std::string& output) const;
  /// Refuses wrong words. Throws what parse_device() and parse_bytes() throw, and bad_notation for --json beside an output
  /// on standard output.
  void check(const std::string& output) const;
};

/// A report of what was done, for --json.
struct Done {
  std::string operation;  // "transform"
  Device device;
  std::int64_t n_devices = 1;
  nlohmann::ordered_json inputs = nlohmann::ordered_json::array(), outputs = nlohmann::ordered_json::array();  // name, shape, type
  std::int64_t bytes = 0, bytes_moved = 0;  // of inputs and outputs; read and written
  double seconds = 0;

  /// An array of a file, of inputs or outputs.
  void include(nlohmann::ordered_json& list, const std::string& path, const Extents& extents, const ElementType& type);
};
/// Prints it as JSON. `more`: what else the command knows.
void print_done(const WorkOptions& options, const Done& done, const nlohmann::ordered_json& more);
/// Prints what --dry-run says of an output: `words`, "in.npy [4][6] float32 -> out.npy [4][6] complex64", or its --json.
void print_dry(const WorkOptions& options, const Done& done, const std::string& path, const std::string& words);

/// How near a number has to be to the definition's d: within absolute + relative · |d|. Zeros: the same bits, NaN payloads apart.
struct Near {
  double absolute = 0, relative = 0;
};

/// --verify compares with this.
struct Agreement {
  std::vector<Near> near = {Near()};         // one, or one for each index of an output's first axis, whole in every part
  std::optional<Operation> definition = {};  // another operation, on the CPU, whose definition is the same
  bool is_told = true;                       // how many elements that were
};

class Work {
 public:
  /// Operations of arithmetic a second of one core: of a Xeon with AVX-512 (2026-11-24), stencils and transforms in float32.
  static constexpr double usual_operations_s = 15e9;

  /// `plan` makes the operation for a device. With --device auto it is made for the CPU first, and for a GPU where that is predicted to be
  /// faster, the ways of the data included.
  Work(const WorkOptions& options, const std::function<Operation(Device)>& plan, double operations_s = usual_operations_s);

  const Operation& operation() const noexcept { return *operation_; }
  Executor& executor() const noexcept { return *executor_; }
  bool is_on_gpu() const noexcept { return operation_->device().kind == Device::Kind::cuda; }

  /// --explain: the plan, its parts, and why this device, on standard error.
  void explain(const std::string& title = "") const;
  /// --dry-run: says what would be written, "in.npy [4][6] float32 -> out.npy [4][6] complex64", once create() would not refuse it. False
  /// where it is not asked for.
  bool is_dry(const ArrayFacts& input, const OutputFacts& output, const std::string& path) const;
  /// The same of what is no array of a known shape, in words: "in.npy [9][3] float32 -> their number".
  bool is_dry(const std::string& path, const std::string& words) const;

  /// outputs = the operation of inputs. Ensures: within --memory, where parts can be as small.
  void run(std::span<const ConstBuffer> inputs, std::span<const Buffer> outputs);
  void run(ConstBuffer input, Buffer output) { run(std::span(&input, 1), std::span(&output, 1)); }
  /// Operation::count of inputs in the host's memory; its seconds are added to those of run().
  std::int64_t count(std::span<const ConstBuffer> inputs);
  /// Compares drawn parts of the outputs with the definition (Operation::define), all of them where they are few, and says how many
  /// elements that were. Throws bad_file, naming the place in `path`. Requires outputs that are all written.
  void verify(std::span<const ConstBuffer> inputs, std::span<const ConstBuffer> outputs, const std::string& path,
              const Agreement& agreement = {}) const;

  /// Does what most commands do with a file: data of the sink = the operation of inputs, verified if asked for, looked at, committed.
  void write(Sink& sink, std::span<const ConstBuffer> inputs, const std::string& path,
             const std::function<void(std::span<std::byte>)>& look, const Agreement& agreement = {});

  /// The same with the data of a file, part by part where is_stored(). It is in memory as a whole where it is verified.
  void write(Sink& sink, const Source& source, const std::string& path, const std::function<void(std::span<std::byte>)>& look,
             const Agreement& agreement = {});
  /// Whether it goes part by part, one of the files being stored in chunks: then neither is in memory as a whole.
  bool is_stored(const Sink& sink, const Source& source) const;
  /// Goes so, and commits. `path`: of the output.
  void write_stored(Sink& sink, const Source& source, const std::string& path, const PartCalls& calls);

  /// --json: the operation, its device, ports, bytes, seconds and rate, those of `others`, too, and what else the command knows. Nothing
  /// where it is not asked for.
  void print_json(const nlohmann::ordered_json& more = {}, const std::vector<const Work*>& others = {}) const;

 private:
  std::int64_t part_bytes() const;
  void note_too_large_parts(std::int64_t limit) const;
  Done done(const std::vector<const Work*>& others) const;
  void run_on_cpu(std::int64_t n_passes, std::int64_t pass_bytes, const std::function<void(Executor&)>& body);

  const WorkOptions& options_;
  std::shared_ptr<Executor> executor_;
  std::optional<Operation> operation_;
  std::vector<Operation> same_;  // where several GPUs run it: for each of them
  std::function<Operation(Device)> plan_;
  std::string why_;  // this device
  double seconds_ = 0;
  std::optional<std::int64_t> n_counted_;
};

}  // namespace crinkle::tool
