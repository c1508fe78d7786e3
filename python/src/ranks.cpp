// One rank's side of a redistribution: its packed pieces, and how they are packed and unpacked. Python sends them (_exchange.py). And of an
// operation over ranks: what it fetches, and what it computes from that.
// SPDX-License-Identifier: BSD-3-Clause
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <deque>
#include <optional>
#include <tuple>

#include "computed.hpp"
#include "crinkle/notation.hpp"
#include "distribute/axis_names.hpp"
#include "distribute/rank_plan.hpp"
#include "distribute/rank_step.hpp"
#include "moves.hpp"

namespace crinkle::python {
namespace {

using Pieces = std::vector<std::pair<std::int64_t, std::int64_t>>;  // peer, bytes

class RankSide {
 public:
  RankSide(const Extents& shape, std::int64_t element_bytes, const std::string& spec, const std::string& from, const std::string& to,
           std::int64_t rank, std::int64_t n_ranks, std::int64_t piece_bytes)
      : RankSide(redistribution(parse(spec, Layout::dense(shape, element_bytes)), from, to), rank, n_ranks, piece_bytes) {}
  RankSide(const Redistribution& what, std::int64_t rank, std::int64_t n_ranks, std::int64_t piece_bytes)
      : what_(what), plan_(checked(what_, rank, n_ranks), rank, piece_bytes) {}

  std::string text() const { return what_.text(); }
  std::string describe() const { return what_.describe(); }
  std::int64_t element_bytes() const { return what_.element_bytes(); }
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

using Named = std::tuple<std::vector<std::string>, std::string>;  // names of axes, a layout's text

/// An operation over ranks as one of them makes it: steps, of which each is `inner` parts, made from what the rank holds, and parts behind
/// what is fetched for them.
class RankOperation {
 public:
  RankOperation(const Operation& operation, const std::vector<Named>& in, const Named& out, std::int64_t rank, std::int64_t n_ranks,
                std::int64_t piece_bytes)
      : what_(operation, layouts(operation.inputs(), in), layouts({operation.outputs()[0]}, {out})[0]) {
    if (what_.n_ranks() != n_ranks)
      throw Error(ErrorCode::bad_shape, "the communicator has " + std::to_string(n_ranks) + " ranks and the layouts " +
                                            std::to_string(what_.n_ranks()) + ": divide an array, or the result (layout), by " +
                                            std::to_string(n_ranks) + ", or split the communicator");
    for (const DistributedOperation::Step& step : what_.steps()) {
      const distributed::RankStep& of = steps_.emplace_back(step, rank);
      std::vector<std::vector<std::optional<RankSide>>>& sides = sides_.emplace_back();
      for (const std::vector<Redistribution>* fetches : distributed::fetches_of(step)) {
        const std::vector<bool>& is_fetched = of.fetched[sides.size()].is_fetched;
        std::vector<std::optional<RankSide>>& some = sides.emplace_back();
        for (std::size_t k = 0; k < fetches->size(); ++k) {
          if (is_fetched[k]) some.emplace_back(std::in_place, (*fetches)[k], rank, n_ranks, piece_bytes);
          else some.emplace_back();
        }
      }
    }
    for (const Redistribution& move : what_.last()) last_.emplace_back(move, rank, n_ranks, piece_bytes);
    places_ = distributed::places_of(steps_, !last_.empty(), true);
    for (const Distribution& d : what_.in()) shapes_in_.push_back(d.local_extents(rank));
    shape_ = what_.out().local_extents(rank);
  }

  RankOperation(const RankOperation&) = delete;
  RankOperation& operator=(const RankOperation&) = delete;

  std::string text() const { return what_.text(); }
  std::int64_t sent_bytes() const { return what_.sent_bytes(); }
  std::size_t n_steps() const { return steps_.size(); }
  /// Of a step: how many inner parts, the fetches of each part behind (None: what the rank holds is what it needs), the shape
  /// that it makes, the bytes of an element, where that is put (the array of a step, −1: the result), and whether what is fetched is, too.
  nb::tuple step(std::size_t s) const {
    nb::list fetched;
    for (const auto& some : sides_.at(s)) {
      nb::list sides;
      for (const std::optional<RankSide>& side : some) sides.append(side ? nb::cast(*side) : nb::none());
      fetched.append(nb::tuple(sides));
    }
    Extents made;
    for (const Range& range : steps_.at(s).made) made.push_back(range.n);
    const std::int64_t element = what_.steps().at(s).operation.outputs()[0].layout.element_bytes;
    return nb::make_tuple(steps_.at(s).inner.size(), fetched, nb::tuple(nb::cast(made)), element, places_.at(s).array,
                          places_.at(s).is_fetched_into);
  }
  nb::list last() const {
    nb::list sides;
    for (const RankSide& side : last_) sides.append(nb::cast(side));
    return sides;
  }
  std::vector<Extents> shapes_in() const { return shapes_in_; }
  Extents shape() const { return shape_; }
  /// out = an inner part of the step, from the rank's own arrays; or the part behind its k-th fetch.
  void run_inner(std::size_t s, std::size_t k, const nb::list& in, nb::handle out) { run(steps_.at(s).inner.at(k), in, out); }
  void run_fetched(std::size_t s, std::size_t k, const nb::list& in, nb::handle out) {
    for (distributed::RankPart& part : steps_.at(s).fetched.at(k).parts) run(part, in, out);
  }

 private:
  static std::vector<Distribution> layouts(const std::vector<Port>& ports, const std::vector<Named>& named) {
    if (ports.size() != named.size())
      throw Error(ErrorCode::bad_shape, std::to_string(named.size()) + " layouts of " + std::to_string(ports.size()) + " arrays");
    std::vector<Distribution> all;
    for (std::size_t k = 0; k < ports.size(); ++k) all.emplace_back(ports[k].layout.extents, std::get<0>(named[k]), std::get<1>(named[k]));
    return all;
  }
  static void run(distributed::RankPart& part, const nb::list& in, nb::handle out) {
    std::vector<ConstBuffer> from;
    for (const nb::handle array : in) {
      const View view = view_of(array);
      check(view, part.input_bytes(from.size()));
      from.push_back(view.source());
    }
    const View to = output_view(out);
    check(to, 0);
    const std::shared_ptr<Executor> threads = executor();
    const Unlocked unlocked;
    part.run(std::move(from), to.destination(), *threads);
  }
  static void check(const View& view, std::int64_t bytes) {
    if (view.device >= 0 || !view.layout().is_dense() || view.bytes < bytes)
      throw Error(ErrorCode::bad_shape,
                  "an array over ranks is dense, on the host, and has " + std::to_string(bytes) + " bytes here, not shape " + view.shape());
  }

  DistributedOperation what_;
  std::deque<distributed::RankStep> steps_;
  std::vector<distributed::OutputPlace> places_;
  std::vector<std::vector<std::vector<std::optional<RankSide>>>> sides_;
  std::vector<RankSide> last_;
  std::vector<Extents> shapes_in_;
  Extents shape_;
};

}  // namespace

void bind_ranks(nb::module_& module) {
  nb::class_<RankSide>(module, "RankSide")
      .def(nb::init<const Extents&, std::int64_t, const std::string&, const std::string&, const std::string&, std::int64_t, std::int64_t,
                    std::int64_t>())
      .def("text", &RankSide::text)
      .def("describe", &RankSide::describe)
      .def("element_bytes", &RankSide::element_bytes)
      .def("source", &RankSide::source)
      .def("destination", &RankSide::destination)
      .def("sends", &RankSide::sends)
      .def("receives", &RankSide::receives)
      .def("keep", &RankSide::keep)
      .def("pack", &RankSide::pack)
      .def("unpack", &RankSide::unpack);
  nb::class_<RankOperation>(module, "RankOperation")
      .def(nb::init<const Operation&, const std::vector<Named>&, const Named&, std::int64_t, std::int64_t, std::int64_t>())
      .def("text", &RankOperation::text)
      .def("sent_bytes", &RankOperation::sent_bytes)
      .def("n_steps", &RankOperation::n_steps)
      .def("step", &RankOperation::step)
      .def("last", &RankOperation::last)
      .def("shapes_in", &RankOperation::shapes_in)
      .def("shape", &RankOperation::shape)
      .def("run_inner", &RankOperation::run_inner)
      .def("run_fetched", &RankOperation::run_fetched);
  module.def(
      "local_shape",
      [](const Extents& shape, const std::vector<std::string>& names, const std::string& layout, std::int64_t rank, std::int64_t n_ranks) {
        const Distribution d(shape, names, layout);
        if (d.n_ranks() > n_ranks)
          throw Error(ErrorCode::bad_shape, "'" + layout + "' is of " + std::to_string(d.n_ranks()) + " ranks, and the communicator has " +
                                                std::to_string(n_ranks) + ": divide by fewer");
        return d.local_extents(rank);
      },
      "The shape of a rank's part.");
}

}  // namespace crinkle::python
