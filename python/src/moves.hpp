// Plans of moves as Python sees them, and the cache of plans that ck.move() draws from.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "view.hpp"

namespace crinkle::python {

/// A plan with what it was made from. It is for arrays of exactly these layouts; where `into` is not set, results are dense.
class MovePlan {
 public:
  MovePlan(Rearrangement map, std::vector<Layout> sources, bool has_given_destination, Device device, std::string title,
           std::function<Rearrangement()> of_dense = {});

  /// The result in `out`, or, where that is None, in a new array like the (first) source.
  nb::object run(nb::handle array, nb::handle out) const;
  /// The same of arrays whose layouts are known to be the plan's.
  nb::object run_known(nb::handle array, std::span<const View> views, nb::handle out, const View* out_view) const;

  /// The same plan for arrays of one type alone, where bytes of that type are part of it.
  MovePlan of_type(std::string name) const;

  MovePlan inverse() const;
  nb::object svg() const;  // None where there are too many cells to draw
  std::string text() const;
  const Rearrangement& map() const noexcept { return map_; }
  const Plan& plan() const noexcept { return plan_; }
  const std::vector<Layout>& sources() const noexcept { return sources_; }
  std::int64_t held_bytes() const;

 private:
  Rearrangement map_;
  std::vector<Layout> sources_;
  bool has_given_destination_;
  Device device_;
  std::string title_;
  std::string type_;                         // "": any of the size
  std::function<Rearrangement()> of_dense_;  // the same map of a dense source
  Plan plan_;
};

/// The plan of arrays like these, of those that are kept, or made. `options` is the tuple that read_wish() reads, `into` may be null. Under
/// Python's lock, as is all that may let one go.
std::shared_ptr<const MovePlan> kept_move(std::span<const View> sources, nb::handle spec, nb::handle options, const View* into);

/// Everything that Python sees of moves.
void bind_moves(nb::module_& module);

/// The threads of everything that is given none, which live as long as somebody holds them. Under Python's lock alone: set_threads()
/// changes them.
std::shared_ptr<Executor> executor();
void bind_threads(nb::module_& module);

}  // namespace crinkle::python
