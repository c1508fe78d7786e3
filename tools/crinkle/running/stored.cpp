// SPDX-License-Identifier: BSD-3-Clause
#include "running/stored.hpp"

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/checked.hpp"
#include "base/reused_memory.hpp"
#include "crinkle/error.hpp"
#include "operation/model.hpp"
#include "plan/describe.hpp"
#include "running/planning.hpp"
#include "words/wish.hpp"

namespace crinkle::tool {
namespace {

bool is_cut_here(const Operation& operation) {
  return operation.device().kind == Device::Kind::cpu && operation.outputs().size() == 1 && !operation.cuts().empty() &&
         bytes_of(operation.outputs()) > 0 && !operation.outputs()[0].is_counted && !operation.outputs()[0].is_updated &&
         std::all_of(operation.cuts().begin(), operation.cuts().end(), [](const Cut& cut) { return cut.outputs[0] >= 0; });
}

// A quarter of the machine's memory.
std::int64_t usual_memory() {
  const std::int64_t pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? pages / 4 * page : std::int64_t{1} << 30;
}

std::string parent_of(const std::string& path) {
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

double free_bytes(const std::string& folder) {
  struct statvfs disk = {};
  return ::statvfs(folder.c_str(), &disk) == 0 ? static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize) : 0;
}

std::string temporary_folder(const StoredMeans& means) {
  std::error_code code;
  if (!means.temporary.empty() && !std::filesystem::is_directory(means.temporary, code))
    throw Error(ErrorCode::bad_notation, "--temporary " + means.temporary + ": is no directory");
  if (!means.temporary.empty()) return means.temporary;
  const std::string beside = parent_of(dataset_name(means.output).file);
  const char* const said = std::getenv("TMPDIR");
  return ::access(beside.c_str(), W_OK) != 0 && said != nullptr && *said != '\0' ? said : beside;
}

Grid grid_of(const Source& source) {
  if (source.dataset() != nullptr) return Grid::read_of(source.dataset()->facts());
  const Layout& layout = source.facts().layout;
  return {layout.extents, layout.extents, layout.element_bytes, true};
}

Grid grid_of(const Sink& sink, const Layout& array) {
  if (sink.dataset() != nullptr) return Grid::written_of(sink.dataset()->facts());
  return {array.extents, Extents(array.extents.size(), 1), array.element_bytes, true};
}

}  // namespace

bool StoredRun::serves(const Operation& operation, const std::vector<const Source*>& from, const Sink& to) {
  const std::vector<Port>& inputs = operation.inputs();
  if (operation.device().kind != Device::Kind::cpu || inputs.size() != from.size()) return false;
  bool is_of_chunks = to.dataset() != nullptr || to.wants_parts();
  for (std::size_t i = 0; i < from.size(); ++i) {
    is_of_chunks = is_of_chunks || from[i]->dataset() != nullptr;
    if (!(inputs[i].layout == from[i]->facts().layout)) return false;
  }
  const std::vector<Operation> stages = operation.stages();
  return is_of_chunks && (is_cut_here(operation) || (from.size() == 1 && std::all_of(stages.begin(), stages.end(), is_cut_here)));
}

StoredRun::StoredRun(const Operation& operation, std::vector<const Source*> from, Sink& to, const StoredMeans& means, Executor& executor)
    : from_(std::move(from)),
      to_(to),
      means_(means),
      executor_(executor),
      limit_(means.memory.empty() ? usual_memory() : parse_bytes("--memory", means.memory)),
      folder_(temporary_folder(means)) {
  StoredRequest request{{}, grid_of(*from_[0]), grid_of(to, operation.outputs()[0].layout), limit_, executor.n_workers()};
  constexpr double room = 1.1;
  request.may_be_temporary = from_.size() == 1 && free_bytes(folder_) > room * static_cast<double>(bytes_of(operation.inputs()));
  const std::vector<Operation> stages = operation.stages();
  if (is_cut_here(operation)) {
    request.stages = {operation};
    plan_ = plan_stored(request);
    if (stages.size() == 1 || plan_.memory_bytes <= limit_ || !std::all_of(stages.begin(), stages.end(), is_cut_here)) return;
  }
  request.stages = stages;
  plan_ = plan_stored(request);
}

void StoredRun::report(bool is_explained) const {
  const bool is_from_file = from_[0]->dataset() == nullptr, is_to_file = to_.dataset() == nullptr;
  if (is_explained)
    fmt::print(stderr, "{}",
               described(plan_, is_from_file ? "the input" : "chunks " + print_shape(from_[0]->dataset()->facts().chunks),
                         is_to_file ? "the output" : "chunks " + print_shape(to_.dataset()->facts().unit)));
  if (!means_.memory.empty() && plan_.memory_bytes > limit_)
    fmt::print(stderr, "crinkle: note: --memory {}: the smallest parts, of whole chunks, take {}\n", means_.memory,
               planning::print_bytes(static_cast<double>(plan_.memory_bytes)));
}

void StoredRun::run(const PartCalls& calls) {
  std::unique_ptr<TileStore> store;
  BoxReaders readers;
  for (const Source* const source : from_) readers.push_back(reader_of(*source));
  for (std::size_t p = 0; p < plan_.passes.size(); ++p) {
    const Pass& pass = plan_.passes[p];
    const Layout& array = pass.operation.outputs()[0].layout;
    PartCalls now{.read = p == 0 ? calls.read : nullptr, .look = nullptr, .written = calls.written};
    if (pass.tiles.empty()) {
      now.look = calls.look;
      const std::unique_ptr<BoxWriter> writer = writer_of(to_, array);
      if (const std::int64_t n = run_pass(pass, readers, *writer, plan_.n_lanes, executor_, now); n > 0)
        fmt::print(stderr, "crinkle: note: --resume: {} of {} parts were there and are not made again\n", n, pass.parts.n());
      continue;
    }
    auto next = std::make_unique<TileStore>(folder_, array.extents, pass.tiles, array.element_bytes);
    const std::unique_ptr<BoxWriter> writer = writer_of(*next, pass.tiles);
    run_pass(pass, readers, *writer, plan_.n_lanes, executor_, now);
    readers[0] = reader_of(*next, array, pass.tiles);
    store = std::move(next);
  }
}

void StoredRun::verify(const Source& written) {
  const Pass& pass = plan_.passes.back();
  const std::unique_ptr<BoxReader> reader = reader_of(*from_[0]), there = reader_of(written);
  ReusedMemory in, out, back;
  for (std::int64_t k = 0; k < pass.parts.n(); ++k) {
    const Ranges ranges = pass.parts.at(k), gives = pass.operation.gives(ranges)[0];
    const Operation part = pass.operation.part(ranges);
    const std::int64_t n_in = bytes_of(part.inputs()), n_out = bytes_of(part.outputs());
    const ConstBuffer source{in.of(n_in), n_in};
    const Buffer result{out.of(n_out), n_out};
    read_ranges(*reader, pass.operation.needs(ranges)[0], in.of(n_in), executor_);
    part.define({&source, 1}, {&result, 1});
    read_ranges(*there, gives, back.of(n_out), executor_);
    if (std::memcmp(out.of(n_out), back.of(n_out), static_cast<std::size_t>(n_out)) == 0) continue;
    std::string place;
    for (const Range& range : gives) place += fmt::format("{}{}:{}", place.empty() ? "" : ",", range.first, range.first + range.n);
    throw Error(ErrorCode::bad_file, fmt::format("{}: read back, [{}] is not what it should be", written.facts().path, place));
  }
}

}  // namespace crinkle::tool
