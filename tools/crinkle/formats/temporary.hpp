// The file that an output is while it is being made: ".crinkle-XXXXXX.tmp" beside its future name, on the same file system, so that
// the last step is a rename; then the side files of what it replaced go (side_files.hpp). It is removed by the destructor and by SIGINT,
// SIGTERM, SIGHUP, SIGQUIT and SIGBUS; after a kill -9 only the temporary is left, never half a file under the output's name.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "formats/facts.hpp"
#include "formats/file.hpp"
#include "formats/side_files.hpp"

namespace crinkle::tool {

/// Throws what can be said before anything is made: the output, or a file beside it that readers would take for its own, is there and not
/// to be replaced, or is the input; the output is no regular file, or its directory is missing or must not be written.
void check_output_name(const std::string& output, Overwrite overwrite, const FileIdentity& input, Replaced replaced = Replaced::all);
/// The same of a name that is a file's, whatever it ends with.
void check_file_name(const std::string& output, Overwrite overwrite, const FileIdentity& input, Replaced replaced = Replaced::all);

/// The file of a name; none where there is none.
FileIdentity identity_of(const std::string& path);

class Temporary {
 public:
  /// Reserves `bytes` on the disk, so that a full disk is told now. Throws as Sink::create does.
  Temporary(const std::string& output, std::int64_t bytes, Overwrite overwrite, const FileIdentity& input,
            Replaced replaced = Replaced::all);
  ~Temporary();
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  int descriptor() const noexcept { return file_.get(); }
  /// For what writes by name; the file there is the descriptor's.
  const std::string& path() const noexcept { return path_; }
  /// A writer that goes by name may leave a file beside this one, whose name is this one's and `ending`: it goes where the output goes, or
  /// with this.
  void expect_beside(const std::string& ending);
  void rename_to_output();
  /// The same in two steps: what is replaced stays until this goes, and withdraw() puts it back; without it nothing is under the name
  /// again. settle() makes it final: side files of what was replaced go, and that beside this one is put beside the output, which is
  /// returned.
  void exchange_with_output();
  void withdraw() noexcept;
  std::string settle() noexcept;

 private:
  void create();
  void put_under_name();
  void reserve(std::int64_t bytes);

  std::string output_;  // as given, for messages
  std::string target_;  // the name that is renamed to: behind a symbolic link, where the link leads
  std::string path_;
  Overwrite overwrite_;
  bool is_exchanged_ = false;
  unsigned mode_ = 0;  // permissions of the file that is replaced, or what the umask leaves
  Replaced replaced_part_;
  bool is_replacing_ = false;
  std::string beside_, beside_ending_;  // the file beside this one
  Descriptor file_, replaced_;
  int slot_ = -1, beside_slot_ = -1;  // in the table that the signal handler reads
};

}  // namespace crinkle::tool
