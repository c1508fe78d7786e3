// Elements of 1, 2 and 4 bits, between arrays of bytes.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/packed.hpp"

#include "computed.hpp"
#include "moves.hpp"

namespace crinkle::python {
namespace {

using Bytes = std::span<const std::byte>;
using Space = std::span<std::byte>;

// The bytes of a dense array of the host.
View dense(nb::handle array, View view) {
  if (view.device >= 0 || view.element_bytes != 1 || !view.layout().is_dense())
    throw Error(ErrorCode::unsupported,
                "packed elements lie in dense arrays of bytes on the host, not in " + element_name(array) + " of shape " + view.shape());
  return view;
}
Bytes bytes_of(const View& view) { return {view.data, static_cast<std::size_t>(view.bytes)}; }
Space space_of(const View& view) { return {view.data, static_cast<std::size_t>(view.bytes)}; }

void pack(nb::handle array, nb::handle into, std::int64_t n, int bits) {
  const View from = dense(array, view_of(array)), to = dense(into, output_view(into));
  const std::shared_ptr<Executor> threads = executor();
  const Unlocked unlocked;
  pack_bits(bytes_of(from), space_of(to), n, bits, *threads);
}

void unpack(nb::handle array, nb::handle into, std::int64_t n, int bits) {
  const View from = dense(array, view_of(array)), to = dense(into, output_view(into));
  const std::shared_ptr<Executor> threads = executor();
  const Unlocked unlocked;
  unpack_bits(bytes_of(from), space_of(to), n, bits, *threads);
}

void move_bits(const MovePlan& plan, nb::handle array, nb::handle into, int bits) {
  const View from = dense(array, view_of(array)), to = dense(into, output_view(into));
  const std::shared_ptr<Executor> threads = executor();
  const Unlocked unlocked;
  move_packed(plan.map(), bits, from.source(), to.destination(), *threads);
}

}  // namespace

void bind_packed(nb::module_& module) {
  module.def("packed_bytes", &packed_bytes);
  module.def("pack_bits", &pack);
  module.def("unpack_bits", &unpack);
  module.def("move_packed", &move_bits);
}

}  // namespace crinkle::python
