// Functions of the C interface share this: what is behind its pointers, errors as codes, arguments as values.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <memory>
#include <new>
#include <string>

#include "crinkle/crinkle.h"
#include "crinkle/error.hpp"
#include "crinkle/operation.hpp"

struct crinkle_map {
  crinkle::Rearrangement map;
};

struct crinkle_plan {
  crinkle::Operation operation;
  std::shared_ptr<crinkle::Executor> executor;  // of a CPU's
};

namespace crinkle::c {

std::string& error_text();
crinkle_status failed(crinkle_status status, const char* text) noexcept;

template <class Body>
crinkle_status tried(const Body& body) noexcept {
  try {
    error_text().clear();
    body();
    return crinkle_done;
  } catch (const Error& e) {
    return failed(static_cast<crinkle_status>(static_cast<int>(e.code()) + 1), e.what());
  } catch (const std::bad_alloc&) { return failed(crinkle_out_of_memory, "no memory left"); } catch (const std::exception& e) {
    return failed(crinkle_failed, e.what());
  } catch (...) { return failed(crinkle_failed, "an exception of another program"); }
}

/// The value behind a pointer that the caller must not leave NULL.
template <class T>
const T& given(const T* pointer, const char* name) {
  if (pointer == nullptr) throw Error(ErrorCode::bad_shape, std::string(name) + " is NULL");
  return *pointer;
}
inline std::string text_of(const char* text, const char* name) { return &given(text, name); }

Layout layout_of(const crinkle_layout* given_layout, const char* name);
/// crinkle_cpu, or the number of a CUDA device.
Device device_of(int device);
/// The process' own for 0, otherwise one for every number of threads, which lasts while a plan has it or it is among those used last.
std::shared_ptr<Executor> executor_of(int n_threads);

/// *plan = what `make(device)` plans.
template <class Make>
crinkle_status planned(crinkle_plan** plan, int device, int n_threads, const Make& make) noexcept {
  return tried([&] {
    given(plan, "plan");
    const Device on = device_of(device);
    *plan = new crinkle_plan{make(on), on.kind == Device::Kind::cpu ? executor_of(n_threads) : nullptr};
  });
}

}  // namespace crinkle::c
