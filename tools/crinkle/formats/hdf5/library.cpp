// SPDX-License-Identifier: BSD-3-Clause
#include "formats/hdf5/library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <mutex>

#include "crinkle/error.hpp"
#include "formats/file.hpp"

namespace crinkle::tool::hdf5 {
namespace {

// A child process, whose thread is another one to a recursive mutex, goes on inside of this.
thread_local int depth = 0;

std::mutex& mutex() {
  static auto* const made = new std::mutex;  // outlives what threads do at the program's end
  return *made;
}

struct Loaded {
  Functions functions;
  std::string why;  // there is none
};

Loaded load() {
  Loaded loaded;
  void* const library = ::dlopen(CRINKLE_HDF5_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  void* const labels = library == nullptr ? nullptr : ::dlopen(CRINKLE_HDF5_HL_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (labels == nullptr) {
    loaded.why = ::dlerror();
    return loaded;
  }
  const auto find = [&](void* from, auto& member, const char* name) {
    member = reinterpret_cast<std::remove_reference_t<decltype(member)>>(::dlsym(from, name));
    if (member == nullptr) loaded.why = std::string("it has no ") + name;
  };
#define CRINKLE_FIND(name) find(library, loaded.functions.name, #name);
#define CRINKLE_FIND_LABELS(name) find(labels, loaded.functions.name, #name);
  CRINKLE_HDF5_FUNCTIONS(CRINKLE_FIND)
  CRINKLE_HDF5_IDS(CRINKLE_FIND)
  CRINKLE_HDF5_LABELS(CRINKLE_FIND_LABELS)
#undef CRINKLE_FIND
#undef CRINKLE_FIND_LABELS
  if (loaded.why.empty() && loaded.functions.H5open() < 0) loaded.why = "it does not begin";
  return loaded;
}

// The innermost words of the library.
herr_t keep_first(unsigned n, const H5E_error2_t* error, void* text) {
  if (n == 0 && error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
  return 0;
}

}  // namespace

Library::Library() {
  static const Loaded loaded = load();
  if (!loaded.why.empty())
    throw Error(ErrorCode::unsupported,
                fmt::format("HDF5's library is not on this machine ({}): install libhdf5-103-1 and libhdf5-hl-100", loaded.why));
  functions_ = &loaded.functions;
  if (depth == 0) mutex().lock();
  ++depth;
  functions_->H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // it prints nothing
}

Library::~Library() {
  if (--depth == 0) mutex().unlock();
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
