// One rank's side of a redistribution: its packed pieces, and how they are packed and unpacked. Python sends them (_distribute.py).
// SPDX-License-Identifier: BSD-3-Clause
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "computed.hpp"
#include "crinkle/notation.hpp"
#include "distribute/axis_names.hpp"
#include "distribute/rank_plan.hpp"
#include "moves.hpp"

namespace crinkle::python {
namespace {

using Pieces = std::vector<std::pair<std::int64_t, std::int64_t>>;  // peer, bytes

class RankSide {
 public:
  RankSide(const Extents& shape, std::int64_t element_bytes, const std::string& spec, const std::string& from, const std::string& to,
           std::int64_t rank, std::int64_t n_ranks, std::int64_t piece_bytes)
      : what_(redistribution(parse(spec, Layout::dense(shape, element_bytes)), from, to)),
        plan_(checked(what_, rank, n_ranks), rank, piece_bytes) {}

  std::string text() const { return what_.text(); }
  std::string describe() const { return what_.describe(); }
  Extents source() const { return plan_.source().extents; }
  Extents destination() const { return plan_.destination().extents; }
  Pieces sends() const { return pieces_of(plan_.sends()); }
  Pieces receives() const { return pieces_of(plan_.receives()); }

  void keep(nb::handle array, nb::handle into) const {
    const ConstBuffer src = part(view_of(array), plan_.source());
    const Buffer dst = part(output_view(into), plan_.destination());
    const std::shared_ptr<Executor> threads = executor();
    const Unlocked unlocked;
    plan_.fill(dst, *threads);
    plan_.keep(src, dst, *threads);
  }
  void pack(std::size_t k, nb::handle array, nb::handle into) const {
    move(plan_.sends().at(k), part(view_of(array), plan_.source()), packed(output_view(into), plan_.sends().at(k)));
  }
  void unpack(std::size_t k, nb::handle array, nb::handle into) const {
    move(plan_.receives().at(k), packed(view_of(array), plan_.receives().at(k)), part(output_view(into), plan_.destination()));
  }

 private:
  static Redistribution redistribution(const Rearrangement& move, const std::string& from, const std::string& to) {
    return {Distribution(move.source().extents, distributed::source_names(move), from),
            Distribution(move.destination().extents, distributed::destination_names(move), to), move};
  }
  static const Redistribution& checked(const Redistribution& r, std::int64_t rank, std::int64_t n_ranks) {
    if (r.n_ranks() != n_ranks || rank < 0 || rank >= n_ranks)
      throw Error(ErrorCode::bad_shape, "the communicator has " + std::to_string(n_ranks) + " ranks and the layouts " +
                                            std::to_string(r.from().n_ranks()) + " and " + std::to_string(r.to().n_ranks()) +
                                            ": divide by " + std::to_string(n_ranks) + ", or split the communicator");
    return r;
  }
  static Pieces pieces_of(const std::vector<distributed::Chunk>& chunks) {
    Pieces pieces;
    for (const distributed::Chunk& c : chunks) pieces.emplace_back(c.peer, c.bytes);
    return pieces;
  }
  static Buffer part(const View& view, const Layout& layout) {
    const Layout its = view.layout();
    if (view.device >= 0 || its.extents != layout.extents || its.element_bytes != layout.element_bytes || !its.is_dense())
      throw Error(ErrorCode::bad_shape, "this rank's part is a dense array on the host of shape " + print_shape(layout.extents) + " and " +
                                            std::to_string(layout.element_bytes) + " bytes an element, not one of shape " + view.shape() +
                                            " and " + std::to_string(view.element_bytes));
    return view.destination();
  }
  static Buffer packed(const View& view, const distributed::Chunk& chunk) {
    if (view.device >= 0 || view.element_bytes != 1 || !view.layout().is_dense() || view.bytes < chunk.bytes)
      throw Error(ErrorCode::bad_shape, "a piece of " + std::to_string(chunk.bytes) + " bytes does not fit into shape " + view.shape());
    return view.destination();
  }
  static void move(const distributed::Chunk& chunk, ConstBuffer src, Buffer dst) {
    const std::shared_ptr<Executor> threads = executor();
    const Unlocked unlocked;
    chunk.move(src, dst, *threads);
  }

  Redistribution what_;
  distributed::RankPlan plan_;
};

}  // namespace

void bind_ranks(nb::module_& module) {
  nb::class_<RankSide>(module, "RankSide")
      .def(nb::init<const Extents&, std::int64_t, const std::string&, const std::string&, const std::string&, std::int64_t, std::int64_t,
                    std::int64_t>())
      .def("text", &RankSide::text)
      .def("describe", &RankSide::describe)
      .def("source", &RankSide::source)
      .def("destination", &RankSide::destination)
      .def("sends", &RankSide::sends)
      .def("receives", &RankSide::receives)
      .def("keep", &RankSide::keep)
      .def("pack", &RankSide::pack)
      .def("unpack", &RankSide::unpack);
}

}  // namespace crinkle::python
