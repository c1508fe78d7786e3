// The kinds of output under construction; see sink.hpp. What can be mapped is written in place (.npy, raw, .nii); what has to be packed is
// held in memory until commit (PNG, .nii.gz, .zarr); standard output too.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/sink.hpp"

#include <unistd.h>

#include <cstring>
#include <functional>
#include <new>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/checked.hpp"
#include "crinkle/number.hpp"
#include "formats/dataset.hpp"
#include "formats/file.hpp"
#include "formats/gzip.hpp"
#include "formats/interrupt.hpp"
#include "formats/listener.hpp"
#include "formats/nifti.hpp"
#include "formats/npy.hpp"
#include "formats/png.hpp"
#include "formats/request.hpp"
#include "formats/temporary.hpp"

namespace crinkle::tool {
namespace {

/// What there is to say of what was packed goes to `notes`.
using Pack = std::function<void(int descriptor, std::span<const std::byte> bytes, std::vector<std::string>& notes)>;

/// The plan of an output: what is written in front of the elements, what the whole takes, how it is packed (empty: in place), and what
/// the format had to say. Made without touching the file system.
struct Outline {
  std::vector<std::byte> header;
  std::int64_t bytes = 0;  // header included
  Pack pack;
  std::vector<std::string> notes;
};

const std::string as_a_whole = "--resume: the output is made as a whole, not part by part, so that there is nothing to go on with";

class MappedSink final : public Sink {
 public:
  MappedSink(const std::string& path, Outline outline, const Extents& extents, Overwrite overwrite, const FileIdentity& input,
             Replaced replaced, const GoingOn& going_on)
      : is_asked_(going_on.is_asked),
        file_(path, outline.bytes, overwrite, input, replaced, going_on),
        goes_on_(file_.goes_on(extents, {})),
        mapping_(Mapping::of_file(file_.descriptor(), outline.bytes, Mapping::Access::write, path)),
        header_(std::move(outline.header)) {
    write_header();
    file_.begin_parts(extents, {});
    data_offset_ = std::ssize(header_);
    notes_ = std::move(outline.notes);
  }
  std::span<std::byte> bytes() override {
    if (goes_on_ && !is_in_parts_) {  // as a whole after all
      goes_on_ = false;
      file_.clear();
      write_header();
    }
    return mapping_.writable();
  }
  void expect_parts() override { is_in_parts_ = true; }
  bool has(const Ranges& box) const override { return file_.has(box); }
  void finish(const Ranges& box) override { file_.finish(box); }
  bool wants_parts() const noexcept override { return is_asked_; }
  void commit() override {
    pack();
    file_.rename_to_output();
  }

 private:
  void write_header() {
    if (!header_.empty()) std::memcpy(mapping_.writable().data(), header_.data(), header_.size());
  }
  void pack() override {
    if (is_asked_ && !is_in_parts_) notes_.push_back(as_a_whole);
  }
  void commit_for_now() override { file_.exchange_with_output(); }
  void withdraw() noexcept override { file_.withdraw(); }
  void settle() noexcept override { file_.settle(); }

  bool is_asked_, is_in_parts_ = false;
  Temporary file_;
  bool goes_on_;
  Mapping mapping_;
  std::vector<std::byte> header_;
};

/// Held in memory until it is packed into the temporary, or, where there is none, onto standard output.
class HeldSink final : public Sink {
 public:
  HeldSink(const std::string& path, Outline outline, std::unique_ptr<Temporary> file)
      : file_(std::move(file)), mapping_(Mapping::anonymous(outline.bytes, path)), pack_(std::move(outline.pack)) {
    if (Listener* const listener = Listener::present(); listener != nullptr && file_) listener->expect(outline.bytes);
    if (!outline.header.empty()) std::memcpy(mapping_.writable().data(), outline.header.data(), outline.header.size());
    data_offset_ = static_cast<std::int64_t>(outline.header.size());
    notes_ = std::move(outline.notes);
  }
  std::span<std::byte> bytes() override { return mapping_.writable(); }
  void commit() override {
    pack();
    if (file_) file_->rename_to_output();
  }

 private:
  void pack() override { pack_(file_ ? file_->descriptor() : STDOUT_FILENO, mapping_.bytes(), notes_); }
  void commit_for_now() override {
    if (file_) file_->exchange_with_output();
  }
  void withdraw() noexcept override {
    if (file_) file_->withdraw();
  }
  void settle() noexcept override {
    if (file_) file_->settle();
  }

  std::unique_ptr<Temporary> file_;
  Mapping mapping_;
  Pack pack_;
};

/// An array of a file of many: held in memory until it is packed.
class DatasetSink final : public Sink {
 public:
  DatasetSink(std::unique_ptr<NewDataset> made, const std::vector<std::string>& notes, bool is_asked)
      : is_asked_(is_asked), made_(std::move(made)), layout_(Layout::dense(made_->facts().extents, made_->facts().type.bytes)) {
    notes_ = made_->facts().notes;
    notes_.insert(notes_.end(), notes.begin(), notes.end());
  }
  std::span<std::byte> bytes() override {
    if (mapping_.bytes().empty()) mapping_ = Mapping::anonymous(layout_.n_bytes(), made_->facts().path);
    return mapping_.writable();
  }
  NewDataset* dataset() const noexcept override { return made_.get(); }
  void commit() override {
    pack();
    made_->commit();
  }

 private:
  void pack() override {
    if (mapping_.bytes().empty()) return;
    if (is_asked_) notes_.push_back(as_a_whole);
    write_box(*made_, whole_of(layout_.extents), mapping_.bytes().data(), layout_.strides, default_executor());
  }
  void commit_for_now() override { made_->commit(); }
  void withdraw() noexcept override { made_->withdraw(); }
  void settle() noexcept override {}

  bool is_asked_;  // to go on
  std::unique_ptr<NewDataset> made_;
  Layout layout_;
  Mapping mapping_;
};

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto* const first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

// A picture's pixels, or the levels of numbers in a window. Those of a NIfTI volume mean slope times number plus intercept.
Pack pack_of(const OutputFacts& facts, const PngShape& shape, const std::string& path) {
  if (!facts.window)
    return [shape, path](int descriptor, std::span<const std::byte> bytes, auto&) { write_png(descriptor, bytes, shape, path); };
  const std::pair<double, double> scale = facts.source == nullptr ? std::pair(1.0, 0.0) : scale_of(*facts.source);
  return [=, window = *facts.window, type = facts.type](int descriptor, std::span<const std::byte> bytes, std::vector<std::string>& notes) {
    write_png(descriptor, levels_of(bytes, type, window, scale.first, scale.second, path, notes), shape, path);
  };
}

// Refuses a window on what is no picture of real numbers.
void check_window(const OutputFacts& facts, const std::string& path) {
  if (!path.ends_with(".png"))
    throw Error(ErrorCode::bad_notation, "--window is of pictures, whose names end in .png; " + path + " is none");
  try {
    static_cast<void>(parse_number(facts.type.name));
  } catch (const Error&) { throw Error(ErrorCode::unsupported, path + ": --window is of real numbers, not of " + spelled(facts.type)); }
}

Outline outline_for(const std::string& path, const OutputFacts& facts) {
  Outline outline;
  if (path == "-") {
    outline.pack = [](int descriptor, std::span<const std::byte> bytes, auto&) { write_fully(descriptor, bytes, "standard output"); };
  } else if (facts.is_whole_file) {
    // no header
  } else if (path.ends_with(".npy")) {
    outline.header = bytes_of(npy_header(facts.extents, facts.type.descr));
  } else if (path.ends_with(".png")) {
    const PngShape shape = png_shape(facts.extents, facts.written(), path);
    outline.pack = pack_of(facts, shape, path);
  } else if (path.ends_with(".nii") || path.ends_with(".nii.gz")) {
    outline.header = nifti_header(facts, path, outline.notes);
    if (path.ends_with(".gz"))
      outline.pack = [path](int descriptor, std::span<const std::byte> bytes, auto&) { write_gzip(descriptor, bytes, path); };
  }
  const auto* const stored = facts.source == nullptr ? nullptr : dynamic_cast<const DatasetExtras*>(facts.source->extras.get());
  if (stored != nullptr && path != "-" && !stored->facts.attributes->empty())
    outline.notes.push_back("the attributes of " + facts.source->path + " stay behind: " + path + " has no place for them");
  if (facts.source != nullptr && path != "-")
    for (const std::string& lost : left_behind(*facts.source, path)) outline.notes.push_back(lost);
  const std::int64_t data_bytes = Layout::dense(facts.extents, facts.type.bytes).n_bytes();
  outline.bytes = add(static_cast<std::int64_t>(outline.header.size()), data_bytes);
  return outline;
}

FileIdentity input_of(const OutputFacts& facts) { return facts.source != nullptr ? facts.source->identity : FileIdentity{}; }

const DatasetWish& wish_of(const OutputFacts& facts) {
  static const DatasetWish none;
  return facts.stored != nullptr ? *facts.stored : none;
}

/// Outputs that are made part by part can be gone on with: those of stores, and others where it is asked for.
GoingOn going_on(const std::string& path, const OutputFacts& facts) {
  GoingOn going_on{wish_of(facts).is_resumed, {}};
  if (facts.source == nullptr) return going_on;
  const bool is_from_stream = facts.source->path == "-",
             is_of_store = dynamic_cast<const DatasetExtras*>(facts.source->extras.get()) != nullptr;
  const bool is_of_parts = !is_from_stream && (going_on.is_asked || names_dataset(path) || is_of_store);
  if (going_on.is_asked && is_from_stream)
    throw Error(ErrorCode::unsupported,
                path + ": --resume needs an input that stays as it is, and standard input is read once: give a file");
  if (is_of_parts && facts.replaced == Replaced::all && !facts.is_whole_file) going_on.request = request_for(*facts.source, path);
  return going_on;
}

bool goes_into_dataset(const std::string& path, const OutputFacts& facts) {
  if (facts.window) check_window(facts, path);
  if (path == "-" || !names_dataset(path)) return false;
  if (!facts.is_whole_file) return true;
  throw Error(ErrorCode::unsupported, path + ": holds an array of numbers, and this is none; write .npy or raw");
}

}  // namespace

OutputExists::OutputExists(const std::string& path) : Error(ErrorCode::exists, path + ": is there already; --force replaces it") {}

std::vector<std::string> Sink::check(const std::string& path, const OutputFacts& facts, Overwrite overwrite) {
  if (goes_into_dataset(path, facts)) {
    const DatasetFacts stored = dataset_facts(path, facts);
    check_dataset(path, stored, wish_of(facts), overwrite, input_of(facts));
    return stored.notes;
  }
  const Outline outline = outline_for(path, facts);
  check_output_name(path, overwrite, input_of(facts), facts.replaced);
  return outline.notes;
}

std::unique_ptr<Sink> Sink::create(const std::string& path, const OutputFacts& facts, Overwrite overwrite) {
  const std::string name = path == "-" ? "standard output" : path;
  try {
    if (goes_into_dataset(path, facts)) {
      const DatasetFacts stored = dataset_facts(path, facts);
      DatasetWish wish = wish_of(facts);
      wish.request = going_on(path, facts).request;
      return std::make_unique<DatasetSink>(begin_dataset(path, stored, wish, overwrite, input_of(facts)), stored.notes, wish.is_resumed);
    }
    Outline outline = outline_for(path, facts);
    if (!outline.pack)
      return std::make_unique<MappedSink>(path, std::move(outline), facts.extents, overwrite, input_of(facts), facts.replaced,
                                          going_on(path, facts));
    if (path == "-") check_output_name(path, overwrite, input_of(facts));
    auto file = path == "-" ? nullptr : std::make_unique<Temporary>(path, 0, overwrite, input_of(facts));
    return std::make_unique<HeldSink>(name, std::move(outline), std::move(file));
  } catch (const std::bad_alloc&) { throw Error(ErrorCode::out_of_memory, name + ": not enough memory to make it"); }
}

void commit_all(std::span<const std::unique_ptr<Sink>> sinks) {
  for (const auto& sink : sinks) sink->pack();
  const SignalsHeld held;
  std::size_t n = 0;
  try {
    for (; n < sinks.size(); ++n) sinks[n]->commit_for_now();
  } catch (...) {
    while (n > 0) sinks[--n]->withdraw();
    throw;
  }
  for (const auto& sink : sinks) sink->settle();
}

}  // namespace crinkle::tool
