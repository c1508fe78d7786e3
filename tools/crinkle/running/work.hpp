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

#include "command_line/options.hpp"
#include "crinkle/operation.hpp"
#include "formats/sink.hpp"

namespace crinkle::tool {

/// What every such command is asked beside what it computes.
struct WorkOptions {
  std::string device = "auto", memory;
  int threads = 0;
  bool is_explained = false, is_dry = false, is_json = false, is_verified = false, is_forced = false;

  /// `verify`: what --verify compares; "": there is no such option.
  void add_to(Command& c, const std::string& verify);
  Overwrite overwrite() const { return is_forced ? Overwrite::force : Overwrite::refuse; }
  /// What is wrong with the words alone. Throws what parse_device() and parse_bytes() throw, and bad_notation for --json beside an output
  /// on standard output.
  void check(const std::string& output) const;
};

class Work {
 public:
  /// `plan` makes the operation for a device. With --device auto it is made for the CPU first, and for a GPU where that is predicted to be
  /// faster, the ways of the data included.
  Work(const WorkOptions& options, const std::function<Operation(Device)>& plan);

  const Operation& operation() const noexcept { return *operation_; }
  Executor& executor() const noexcept { return *executor_; }
  bool is_on_gpu() const noexcept { return operation_->device().kind == Device::Kind::cuda; }

  /// --explain: the plan, its parts, and why this device, on standard error.
  void explain(const std::string& title = "") const;
  /// --dry-run: says what would be written, "in.npy [4][6] float32 -> out.npy [4][6] complex64", once create() would not refuse it. False
  /// where it is not asked for.
  bool is_dry(const ArrayFacts& input, const OutputFacts& output, const std::string& path) const;
  /// outputs = the operation of inputs. Ensures: within --memory, where parts can be as small.
  void run(std::span<const ConstBuffer> inputs, std::span<const Buffer> outputs);
  void run(ConstBuffer input, Buffer output) { run(std::span(&input, 1), std::span(&output, 1)); }
  /// Compares drawn parts of the outputs with the definition (Operation::define), byte for byte, all of them where they are few, and says
  /// how many elements that were. Throws bad_file, naming the place in `path`. Requires outputs that are all written.
  void verify(std::span<const ConstBuffer> inputs, std::span<const Buffer> outputs, const std::string& path) const;
  void say_verified(const std::string& what = "") const;

  /// --json: the operation, its device, ports, bytes, seconds and rate, and what else the command knows. Nothing where it is not asked for.
  void print_json(nlohmann::ordered_json more = {}) const;

 private:
  std::int64_t part_bytes() const;
  void note_too_large_parts(std::int64_t limit) const;

  const WorkOptions& options_;
  std::shared_ptr<Executor> executor_;
  std::optional<Operation> operation_;
  std::function<Operation(Device)> plan_;
  std::string why_;  // this device
  double seconds_ = 0;
};

}  // namespace crinkle::tool
