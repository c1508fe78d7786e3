// SPDX-License-Identifier: BSD-3-Clause
#include "formats/hdf5/library.hpp"

#include <fmt/format.h>

#include "crinkle/error.hpp"
#include "formats/file.hpp"

namespace crinkle::tool::hdf5 {
namespace {

struct Loaded {
  Functions functions;
  std::string why;  // there is none
};

Loaded load() {
  Loaded loaded;
  SharedLibrary library(CRINKLE_HDF5_LIBRARY), labels(CRINKLE_HDF5_HL_LIBRARY);
#define CRINKLE_FIND(name) library.find(loaded.functions.name, #name);
#define CRINKLE_FIND_LABELS(name) labels.find(loaded.functions.name, #name);
  CRINKLE_HDF5_FUNCTIONS(CRINKLE_FIND)
  CRINKLE_HDF5_IDS(CRINKLE_FIND)
  CRINKLE_HDF5_LABELS(CRINKLE_FIND_LABELS)
#undef CRINKLE_FIND
#undef CRINKLE_FIND_LABELS
  loaded.why = library.why_not().empty() ? labels.why_not() : library.why_not();
  if (loaded.why.empty() && loaded.functions.H5open() < 0) loaded.why = "it does not begin";
  return loaded;
}

const Functions* functions_of_library() {
  static const Loaded loaded = load();
  if (!loaded.why.empty())
    throw Error(ErrorCode::unsupported,
                fmt::format("HDF5's library is not on this machine ({}): install libhdf5-103-1 and libhdf5-hl-100", loaded.why));
  return &loaded.functions;
}

// The innermost words of the library.
herr_t keep_first(unsigned n, const H5E_error2_t* error, void* text) {
  if (n == 0 && error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
  return 0;
}

}  // namespace

Library::Library() : functions_(functions_of_library()) {
  functions_->H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // it prints nothing
}

std::string Library::says() const {
  std::string text;
  functions_->H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &text);
  return text.empty() ? "nothing" : printable(text, 300);
}

void Library::fail(const std::string& path, const std::string& doing) const {
  throw_bad_file(path, fmt::format("{}: HDF5's library says: {}", doing, says()));
}

Handle::~Handle() {
  if (id_ >= 0) Library()->H5Idec_ref(id_);
}

}  // namespace crinkle::tool::hdf5
