// Requests that Python's functions make, run here, once for all of them; or, where crinkle.plan() asks for it, only planned.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "crinkle/detail/request_key.hpp"
#include "crinkle/operation.hpp"
#include "crinkle/plan.hpp"
#include "view.hpp"

namespace crinkle::python {

/// While it lives requests of this thread are planned and not run; their outputs stay as they are.
class Planning {
 public:
  /// `device`: requests are planned for it, wherever their arrays lie.
  explicit Planning(std::optional<Device> device = {});
  ~Planning();
  Planning(const Planning&) = delete;
  Planning& operator=(const Planning&) = delete;

  /// The planning of this thread, or null.
  static Planning* now() noexcept;
  /// The device that a request of arrays like this is planned for.
  static Device device_of(const View& like);
  void add(const Operation& operation, std::span<const ConstBuffer> inputs, std::span<const Buffer> outputs);
  /// A move; of what the move before it made it is one with that, where they can be joined. `result` is the array that it makes.
  void add(const Rearrangement& map, Device device, std::span<const ConstBuffer> inputs, const Buffer& output, nb::handle result);

  struct Planned {
    Operation operation;
    std::vector<std::intptr_t> inputs, outputs;  // where the arrays lie that it was made for
    std::optional<Rearrangement> map = {};       // of a move
  };
  std::vector<Planned> requests;
  std::vector<nb::object> owners;  // of the data that they look at

 private:
  Planning* before_;
  std::optional<Device> device_;
  std::vector<nb::object> results_;  // so that no other array comes to lie where one was
};

/// On the device and, of a GPU, the stream of `like`; with a workspace of its library there.
void run(const Operation& operation, nb::handle like, const View& like_view, std::span<const ConstBuffer> in, std::span<const Buffer> out);

/// The same, or, while requests are planned, only noted, with the owner of data that it looks at, if any.
void run_or_plan(const Operation& operation, nb::handle like, const View& like_view, std::span<const ConstBuffer> in,
                 std::span<const Buffer> out, nb::handle owner = {});

/// Plans the request, or takes the plan that is kept.
template <class Request>
Operation kept_operation(const Request& request, const View& like_view) {
  const Device device = Planning::device_of(like_view);
  const auto key = crinkle::detail::key_of(crinkle::detail::kind_of_key<Request>(), device, request);
  return crinkle::detail::cached_operation(key, [&] {
    const Unlocked unlocked;
    return plan(request, device);
  });
}
/// The same, and runs it.
template <class Request>
void run_request(const Request& request, nb::handle like, const View& like_view, std::initializer_list<ConstBuffer> in,
                 std::initializer_list<Buffer> out) {
  run_or_plan(kept_operation(request, like_view), like, like_view, std::span(in.begin(), in.size()), std::span(out.begin(), out.size()));
}
/// The same of what is not kept: requests with data of their own, those of `owner`.
template <class Request>
void run_new_request(const Request& request, nb::handle like, const View& like_view, std::initializer_list<ConstBuffer> in,
                     std::initializer_list<Buffer> out, nb::handle owner) {
  const Operation operation = [&] {
    const Unlocked unlocked;
    return plan(request, Planning::device_of(like_view));
  }();
  run_or_plan(operation, like, like_view, std::span(in.begin(), in.size()), std::span(out.begin(), out.size()), owner);
}

void bind_operations(nb::module_& module);
void bind_kernels(nb::module_& module);

}  // namespace crinkle::python
