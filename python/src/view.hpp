// An array of any Python library as crinkle sees it: where its bytes lie, on which device, and whether they may be written. NumPy's
// arrays are read through NumPy's own interface; all others by crinkle/_arrays.py, which knows the libraries.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#pragma GCC diagnostic ignored "-Wshadow"  // in nanobind's headers
#include <nanobind/nanobind.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "crinkle/crinkle.hpp"

namespace crinkle::python {

namespace nb = nanobind;

/// Python's lock is given up while this lives. Where the interpreter ends meanwhile, this thread ends at that place with the program:
/// Python ends it by unwinding, which the destructor of nanobind's class of this kind takes for a crash.
class Unlocked {
 public:
  Unlocked() : state_(PyEval_SaveThread()) {}
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;
  ~Unlocked();

 private:
  PyThreadState* state_;
};

/// Python's lock is taken while this lives, by a thread that gave it up. Where the interpreter ends meanwhile, the thread waits for the end
/// of the program: Python ends it by unwinding, which nanobind's class of this kind does not let through.
class Locked {
 public:
  Locked();
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
  ~Locked() { PyGILState_Release(state_); }

 private:
  PyGILState_STATE state_;
};

/// The most axes of an array: NumPy's.
inline constexpr int max_rank = 64;

/// Whose array it is, where reading it and asking for its stream is known here (known_arrays.hpp).
enum class Library : std::uint8_t { other, torch, cupy };

struct View {
  int rank = 0;
  std::array<std::int64_t, max_rank> extents;  // NOLINT: the first `rank` are set
  std::array<std::int64_t, max_rank> strides;  // NOLINT: bytes
  std::int64_t element_bytes = 1;
  std::byte* data = nullptr;  // of element [0, 0, …]
  std::int64_t below = 0;     // bytes before it, where strides are negative
  std::int64_t bytes = 0;     // from the lowest to behind the highest
  bool is_writable = false;
  int device = -1;            // a CUDA device, −1: the host
  std::uintptr_t stream = 0;  // of a CUDA device: the library's current one, unless the library is asked for it when it is needed
  Library library = Library::other;
  nb::object owner{};  // what keeps the memory there, where that is not the array itself but what it lends

  Layout layout() const;
  std::string shape() const;  // "(2, 3)"
  Device crinkle_device() const { return device < 0 ? cpu() : cuda(device); }
  bool is_on(Device of) const noexcept { return device < 0 ? of.kind == Device::Kind::cpu : of == Device{Device::Kind::cuda, device}; }
  ConstBuffer source() const noexcept { return {data - below, bytes}; }
  Buffer destination() const noexcept { return {data - below, bytes}; }
};

/// The current stream of the array's library. With Python's lock.
Stream stream_of(const View& view);

/// Throws a Python exception: TypeError for what is no array, ValueError for elements that are Python objects.
View view_of(nb::handle array);

/// The same of arrays that are read without asking Python: NumPy's own of numbers in the machine's byte order, no subclass, and plain ones
/// of PyTorch and CuPy. Returns the type of their elements, a number that no other type of any library has; 0 of all others.
std::int64_t read_plain(nb::handle array, View& view);

/// The same as view_of() of an output. Throws ValueError also for what is read-only, and for what lends a copy of its memory, in which a
/// result were lost.
View output_view(nb::handle array);

/// An array of the library, the element type and the device of `like`, uninitialised, dense. `library`: that of the view of `like`.
nb::object new_like(nb::handle like, std::span<const std::int64_t> extents, Library library = Library::other);

/// Whether it is NumPy's own array, no subclass, and of the type of `other`, which is one.
bool is_plain(nb::handle array, nb::handle other);

/// A list of arrays as it is, one of numbers as NumPy's array.
nb::object listed(nb::handle list);

/// So many bytes in the memory of the device of `like`, from its library.
nb::object scratch(nb::handle like, std::int64_t bytes);

/// Throws ValueError, naming both, unless the arrays have the same type of element and lie on the same device.
void check_alike(nb::handle array, const View& view, nb::handle other, const View& other_view, const char* name);

/// Turns an array that new_like() made, once it is filled, into one of its library.
nb::object finished(nb::handle like, nb::object result);

/// "(2, 3)"
std::string shape_text(std::span<const std::int64_t> extents);

/// The type of its elements, as same_type() compares them: "float32".
std::string element_name(nb::handle array);

/// str() of it.
std::string text_of(nb::handle object);

/// NumPy is there, or not: then all arrays are other libraries'.
void look_for_numpy();

}  // namespace crinkle::python
