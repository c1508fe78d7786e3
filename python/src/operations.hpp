// Requests that Python's functions make, run here, once for all of them; or, where crinkle.plan() asks for it, only planned.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/request_key.hpp"
#include "crinkle/operation.hpp"
#include "view.hpp"

namespace crinkle::python {

/// While it lives requests of this thread are planned and not run; their outputs stay as they are.
class Planning {
 public:
  Planning();
  ~Planning();
  Planning(const Planning&) = delete;
  Planning& operator=(const Planning&) = delete;

  /// Of this thread, or null.
  static Planning* now() noexcept;
  void add(const Operation& operation, std::span<const ConstBuffer> inputs, std::span<const Buffer> outputs);

  struct Planned {
    Operation operation;
    std::vector<std::intptr_t> inputs, outputs;  // where the arrays lie that it was made for
  };
  std::vector<Planned> requests;
  std::vector<nb::object> owners;  // of the data that they look at

 private:
  Planning* before_;
};

/// On the device and, of a GPU, the stream of `like`; with a workspace of its library there.
void run(const Operation& operation, nb::handle like, const View& like_view, std::span<const ConstBuffer> in, std::span<const Buffer> out);

/// One of the last operations of these requests, or none.
std::optional<Operation> kept_operation(const RequestKey& key);
void keep_operation(RequestKey key, const Operation& operation);
void clear_kept_operations();

/// Plans the request, or takes a plan that was kept, and runs it.
template <class Request>
void run_request(const Request& request, nb::handle like, const View& like_view, std::initializer_list<ConstBuffer> in,
                 std::initializer_list<Buffer> out) {
  const Device device = like_view.crinkle_device();
  if (Planning* const planning = Planning::now())
    return planning->add(plan(request, device), std::span(in.begin(), in.size()), std::span(out.begin(), out.size()));
  static const char type = 0;  // has an address of its own for every type of request
  RequestKey key = key_of(reinterpret_cast<std::intptr_t>(&type), request, device);
  std::optional<Operation> operation = kept_operation(key);
  if (!operation) {
    const Unlocked unlocked;
    operation = plan(request, device);
  }
  run(*operation, like, like_view, std::span(in.begin(), in.size()), std::span(out.begin(), out.size()));
  keep_operation(std::move(key), *operation);
}
/// The same of what is not kept: requests with data of their own, those of `owner`.
template <class Request>
void run_new_request(const Request& request, nb::handle like, const View& like_view, std::initializer_list<ConstBuffer> in,
                     std::initializer_list<Buffer> out, nb::handle owner) {
  std::optional<Operation> operation;
  {
    const Unlocked unlocked;
    operation = plan(request, like_view.crinkle_device());
  }
  if (Planning* const planning = Planning::now()) {
    planning->owners.push_back(nb::borrow(owner));
    return planning->add(*operation, std::span(in.begin(), in.size()), std::span(out.begin(), out.size()));
  }
  run(*operation, like, like_view, std::span(in.begin(), in.size()), std::span(out.begin(), out.size()));
}

void bind_operations(nb::module_& module);

}  // namespace crinkle::python
