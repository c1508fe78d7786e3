// The file that an output is while it is being made: ".crinkle-XXXXXX.tmp" beside its future name, on the same file system, so that
// the last step is a rename; then the side files of what it replaced go (side_files.hpp). It is removed by the destructor and by SIGINT,
// SIGTERM, SIGHUP, SIGQUIT and SIGBUS; after a kill -9 only the temporary is left, never half a file under the output's name.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/facts.hpp"
#include "formats/file.hpp"
#include "formats/manifest.hpp"
#include "formats/output_name.hpp"
#include "formats/side_files.hpp"

namespace crinkle::tool {

/// Whether what a run left that was stopped is gone on with.
struct GoingOn {
  bool is_asked = false;     // --resume: what is left of this request is taken, and what this run leaves stays
  std::string request = {};  // what the bytes follow from; "": no run goes on with it
};

class Temporary {
 public:
  /// Reserves `bytes` on the disk, so that a full disk is told now. Takes what a run left of the same output and request where it is to be
  /// gone on with, else removes it; what is left of other outputs that can be gone on with stays. Throws as Sink::create does, `exists`
  /// where another run makes the output now, unsupported where what was left is of another request.
  Temporary(const std::string& output, std::int64_t bytes, Overwrite overwrite, const FileIdentity& input,
            Replaced replaced = Replaced::all, GoingOn going_on = {});
  ~Temporary();
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  int descriptor() const noexcept { return file_.get(); }
  /// For what writes by name; the file there is the descriptor's.
  const std::string& path() const noexcept { return path_; }
  /// A writer that goes by name may leave a file beside this one, whose name is this one's and `ending`: it goes where the output goes, or
  /// with this.
  void expect_beside(const std::string& ending);
  /// Another file beside this one that goes with it: what a run left, or an empty one.
  Descriptor companion(const std::string& ending);

  /// Whether a run has finished parts of what is here; else it is empty. Then begin_parts(), once all but the parts is in place: from here
  /// on what is finished can be gone on with. Boxes as Manifest::begin() has them.
  bool goes_on(const Extents& extents, const Extents& unit);
  void begin_parts(const Extents& extents, const Extents& unit);
  bool has(const Ranges& box) const { return manifest_ && manifest_->has(box); }
  void finish(const Ranges& box) {
    if (manifest_) manifest_->finish(box);
  }
  /// What it was for is done: nothing of it stays.
  void done() noexcept { is_done_ = true; }
  /// Zeros, as at the beginning.
  void clear();

  void rename_to_output();
  /// The same in two steps: what is replaced stays until this goes, and withdraw() puts it back; without it nothing is under the name
  /// again. settle() makes it final: side files of what was replaced go, and that beside this one is put beside the output, which is
  /// returned.
  void exchange_with_output();
  void withdraw() noexcept;
  std::string settle() noexcept;

 private:
  void create();
  bool take_left(const std::string& path, Descriptor file, const Manifest::Head& its);
  void look_at_left(const std::string& directory);
  void put_under_name();
  void reserve(std::int64_t bytes);

  std::string output_;  // as given, for messages
  std::string target_;  // the name that is renamed to: behind a symbolic link, where the link leads
  std::string path_;
  Overwrite overwrite_;
  GoingOn going_on_;
  std::int64_t n_bytes_ = 0;
  bool is_exchanged_ = false, is_left_ = false, is_done_ = false;  // is_left_: by a run before
  unsigned mode_ = 0;                                              // permissions of the file that is replaced, or what the umask leaves
  Replaced replaced_part_;
  bool is_replacing_ = false;
  std::string beside_, beside_ending_;  // the file beside this one
  Descriptor file_, replaced_;
  std::optional<Manifest> manifest_;
  std::vector<std::string> companions_;
  std::vector<int> slots_;  // in the table that the signal handler reads
};

}  // namespace crinkle::tool
