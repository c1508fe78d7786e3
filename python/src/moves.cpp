// SPDX-License-Identifier: BSD-3-Clause
#include "moves.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <utility>

#include "api/cache.hpp"
#include "base/held_bytes.hpp"
#include "interruptible.hpp"
#include "operations.hpp"
#include "plan/draw/draw.hpp"
#include "sources.hpp"
#include "wish.hpp"

namespace crinkle::python {
namespace {

// Arrays of this many bytes and fewer move faster than another Python thread could use the time.
constexpr std::int64_t keep_lock_bytes = 4096;

// Under Python's lock. Never destroyed: at the end of the program, calls of other threads may go on.
std::shared_ptr<Executor>& current_executor() {
  static auto& executor = *new std::shared_ptr<Executor>(std::shared_ptr<void>(), &default_executor());  // NOLINT: see above
  return executor;
}

void set_threads(int n) {
  if (n == current_executor()->n_workers() && n != 0) return;
  std::shared_ptr<Executor> next = n == 0 ? std::shared_ptr<Executor>(std::shared_ptr<void>(), &default_executor()) : make_executor(n);
  current_executor().swap(next);
  const Unlocked unlocked;  // the threads of the last one end here, or where a call that uses them does
  next.reset();
}

bool is_layout(const View& view, const Layout& layout) {
  const auto n = static_cast<std::size_t>(view.rank);
  return n == layout.extents.size() && view.element_bytes == layout.element_bytes && view.below == layout.offset &&
         std::equal(layout.extents.begin(), layout.extents.end(), view.extents.begin()) &&
         std::equal(layout.strides.begin(), layout.strides.end(), view.strides.begin());
}

std::string strides_text(const Layout& layout) { return shape_text(layout.strides); }

nb::object move(nb::handle array, nb::handle spec, nb::handle out, nb::handle options);
nb::object dense_copy(nb::handle array) { return move(array, nb::str("... -> ..."), nb::none(), nb::tuple()); }

void check_spec(nb::handle spec) {
  if (!PyUnicode_Check(spec.ptr())) throw nb::type_error("the specification is a str, as in 'y x -> x y'");
}

// The result, or what stands for it, untouched.
nb::object planned(Planning& planning, const MovePlan& of, nb::handle array, std::span<const View> views, nb::handle out) {
  std::vector<ConstBuffer> sources;
  for (const View& view : views) sources.push_back(view.source());
  const nb::object result =
      out.is_none() ? nb::module_::import_("crinkle._arrays").attr("new")(array, nb::tuple(nb::cast(of.map().destination().extents)))
                    : nb::borrow(out);
  const Buffer destination = view_of(result).destination();
  planning.add(of.map(), views.front().crinkle_device(), sources, destination, result);
  return result;
}

nb::object move(nb::handle array, nb::handle spec, nb::handle out, nb::handle options) {
  check_spec(spec);
  if (!is_list_or_tuple(array)) {
    const View view = view_of(array);
    View out_view;
    if (!out.is_none()) check_alike(array, view, out, out_view = output_view(out), "out");
    const View* const into = out.is_none() ? nullptr : &out_view;
    const std::shared_ptr<const MovePlan> plan = kept_move({&view, 1}, spec, options, into);
    if (Planning* const planning = Planning::now()) return planned(*planning, *plan, array, {&view, 1}, out);
    return plan->run_known(array, {&view, 1}, out, into);
  }
  const Sources sources(array, &dense_copy);
  const nb::handle first = sources.owners.front();
  View out_view;
  if (!out.is_none()) check_alike(first, sources.views.front(), out, out_view = output_view(out), "out");
  const View* const into = out.is_none() ? nullptr : &out_view;
  const std::shared_ptr<const MovePlan> plan = kept_move(sources.views, spec, options, into);
  if (Planning* const planning = Planning::now()) return planned(*planning, *plan, first, sources.views, out);
  return plan->run_known(first, sources.views, out, into);
}

// Whether an option is a pad with the bytes of a value.
bool has_value(nb::handle options) {
  for (const nb::handle one : options) {
    const nb::tuple option = nb::borrow<nb::tuple>(one);
    if (nb::cast<std::string>(option[0]) == "pad" && nb::len(nb::object(option[5])) > 0) return true;
  }
  return false;
}

std::shared_ptr<const MovePlan> plan_for(nb::handle array, nb::handle spec, nb::handle options) {
  check_spec(spec);
  const Sources sources(array, &dense_copy);
  const std::shared_ptr<const MovePlan> plan = kept_move(sources.views, spec, options, nullptr);
  return has_value(options) ? std::make_shared<const MovePlan>(plan->of_type(element_name(sources.owners.front()))) : plan;
}

std::shared_ptr<const MovePlan> plan_of_shape(const Extents& extents, std::int64_t element_bytes, const std::string& spec,
                                              const nb::tuple& options, int device) {
  const Layout layout = Layout::dense(extents, element_bytes);
  return std::make_shared<MovePlan>(read_wish(spec, {layout}, options, nullptr), std::vector<Layout>{layout}, false,
                                    device < 0 ? cpu() : cuda(device), spec);
}

}  // namespace

std::shared_ptr<Executor> executor() { return current_executor(); }

void bind_threads(nb::module_& module) {
  module.def("set_threads", &set_threads, nb::arg("n"),
             "How many threads of the CPU a call uses from now on; 0: as many as the machine has. Calls that are running keep theirs.");
  module.def("threads", [] { return current_executor()->n_workers(); }, "How many threads of the CPU a call uses.");
}

MovePlan::MovePlan(Rearrangement map, std::vector<Layout> sources, bool has_given_destination, Device device, std::string title,
                   std::function<Rearrangement()> of_dense)
    : map_(std::move(map)),
      sources_(std::move(sources)),
      has_given_destination_(has_given_destination),
      device_(device),
      title_(std::move(title)),
      of_dense_(std::move(of_dense)),
      plan_(map_, device) {}

nb::object MovePlan::run_known(nb::handle array, std::span<const View> views, nb::handle out, const View* out_view) const {
  View made;
  nb::object result;
  if (out_view == nullptr) {
    result = new_like(array, map_.destination().extents, views.front().library);
    made = view_of(result);
    out_view = &made;
  }
  const View& view = views.front();
  detail::SmallVector<ConstBuffer, 4> src;
  for (const View& v : views) src.push_back(v.source());
  const Buffer dst = out_view->destination();
  if (view.device >= 0) {
    const std::int64_t bytes = plan_.workspace_bytes();
    const nb::object workspace = bytes == 0 ? nb::object() : scratch(array, bytes);  // its library frees it behind the stream
    const Buffer between = bytes == 0 ? Buffer{} : view_of(workspace).destination();
    const Stream stream = stream_of(view);
    const Unlocked unlocked;
    plan_.run(std::span<const ConstBuffer>(src.begin(), src.end()), std::span<const Buffer>(&dst, 1), stream, between);
  } else if (view.bytes + dst.bytes <= keep_lock_bytes) {
    plan_.run(std::span<const ConstBuffer>(src.begin(), src.end()), std::span<const Buffer>(&dst, 1), *current_executor());
  } else {
    Interruptible threads(executor(), view.bytes + dst.bytes);
    const Unlocked unlocked;
    plan_.run(std::span<const ConstBuffer>(src.begin(), src.end()), std::span<const Buffer>(&dst, 1), threads);
  }
  if (!result.is_valid()) return nb::borrow(out);
  return view.library != Library::other ? result : finished(array, std::move(result));
}

nb::object MovePlan::run(nb::handle array, nb::handle out) const {
  if (sources_.size() == 1 && type_.empty() && !nb::isinstance<nb::list>(array)) {
    const View view = view_of(array);
    if (is_layout(view, sources_.front()) && view.is_on(device_)) {
      if (out.is_none()) return run_known(array, {&view, 1}, out, nullptr);
      const View out_view = output_view(out);
      check_alike(array, view, out, out_view, "out");
      if (is_layout(out_view, map_.destination())) return run_known(array, {&view, 1}, out, &out_view);
    }
  }
  const Sources sources(array, &dense_copy);
  if (sources.views.size() != sources_.size()) {
    throw Error(ErrorCode::bad_shape,
                "the plan takes " + std::to_string(sources_.size()) + " arrays, here are " + std::to_string(sources.views.size()));
  }
  for (std::size_t k = 0; k < sources_.size(); ++k) {
    const View& v = sources.views[k];
    if (!v.is_on(device_)) throw Error(ErrorCode::bad_shape, "the array lies on another device than the one the plan is for");
    if (is_layout(v, sources_[k])) continue;
    const Layout layout = v.layout(), planned = sources_[k];
    throw Error(ErrorCode::bad_shape, "the plan is for an array of shape " + shape_text(planned.extents) + ", strides " +
                                          strides_text(planned) + " and elements of " + std::to_string(planned.element_bytes) +
                                          " bytes; this one has " + v.shape() + ", " + strides_text(layout) + " and " +
                                          std::to_string(v.element_bytes) + ": make a plan of it, or call move()");
  }
  const nb::handle first = sources.owners.front();
  if (!type_.empty() && element_name(first) != type_)
    throw Error(ErrorCode::bad_shape, "the plan pads with a value of type " + type_ + ", the array has " + element_name(first) +
                                          ": make a plan of it, or call move()");
  if (out.is_none()) return run_known(first, sources.views, out, nullptr);
  const View out_view = output_view(out);
  check_alike(first, sources.views.front(), out, out_view, "out");
  if (is_layout(out_view, map_.destination())) return run_known(first, sources.views, out, &out_view);
  return MovePlan(into(map_, out_view.layout()), sources_, true, device_, title_).run_known(first, sources.views, out, &out_view);
}

std::int64_t MovePlan::held_bytes() const {
  return allocated_bytes(sizeof *this + 16) + held_by(map_, sources_, title_, type_) + plan_.held_bytes();
}

MovePlan MovePlan::of_type(std::string name) const {
  MovePlan plan = *this;
  plan.type_ = std::move(name);
  return plan;
}

MovePlan MovePlan::inverse() const {
  if (sources_.size() > 1) throw Error(ErrorCode::unsupported, "no inverse: it would make several arrays");
  if (has_given_destination_) throw Error(ErrorCode::unsupported, "no inverse of a plan into an array of its own strides");
  // Results are dense, so the way back is that of a dense array.
  Rearrangement back = sources_.front().is_dense() || !of_dense_ ? map_.inverse() : of_dense_().inverse();
  std::vector<Layout> sources{back.source()};
  return {std::move(back), std::move(sources), false, device_, "back from " + title_};
}

nb::object MovePlan::svg() const {
  try {
    planning::DrawOptions options;
    options.title = title_;
    options.max_cells = 1024;
    return nb::cast(planning::draw(map_, options));
  } catch (const Error& e) {
    if (e.code() == ErrorCode::too_large) return nb::none();
    throw;
  }
}

std::string MovePlan::text() const {
  return "<crinkle.Plan '" + title_ + "': " + shape_text(sources_.front().extents) +
         (sources_.size() > 1 ? " × " + std::to_string(sources_.size()) : "") + " -> " + shape_text(map_.destination().extents) +
         ", elements of " + std::to_string(map_.element_bytes()) + " bytes>";
}

void bind_moves(nb::module_& module) {
  nb::class_<MovePlan>(module, "Plan", nb::dynamic_attr(),
                       "A move made ready for arrays of one layout: run() only moves bytes. See crinkle.plan().")
      .def("run", &MovePlan::run, nb::arg("x").none(), nb::arg("out").none() = nb::none(),
           "The move of an array that has the plan's shape, strides and element size, as a new dense array or in `out`.")
      .def("__call__", &MovePlan::run, nb::arg("x").none(), nb::arg("out").none() = nb::none(), "run()")
      .def(
          "describe", [](const MovePlan& p) { return p.plan().describe(); }, "What it will do, for a person.")
      .def(
          "describe_json", [](const MovePlan& p) { return p.plan().describe_json(); }, "The same for a program.")
      .def("inverse", &MovePlan::inverse,
           "The plan that brings results back. Raises RuntimeError, naming the axis, unless the move is a bijection.")
      .def("_repr_svg_", &MovePlan::svg, "The picture in a notebook; None for more than 1024 elements.")
      .def("__repr__", &MovePlan::text)
      .def_prop_ro(
          "shape", [](const MovePlan& p) { return nb::tuple(nb::cast(p.map().destination().extents)); }, "Of the result.")
      .def_prop_ro(
          "source_shape", [](const MovePlan& p) { return nb::tuple(nb::cast(p.sources().front().extents)); }, "Of the array.")
      .def_prop_ro(
          "bytes_moved", [](const MovePlan& p) { return p.plan().bytes_moved(); }, "Read and written.")
      .def_prop_ro(
          "workspace_bytes", [](const MovePlan& p) { return p.plan().workspace_bytes(); }, "Between its steps; 0 where there is one.")
      .def_prop_ro(
          "can_run_in_place", [](const MovePlan& p) { return p.plan().can_run_in_place(); }, "Whether `out` may be the array itself.")
      .def_prop_ro(
          "predicted_fraction", [](const MovePlan& p) { return p.plan().predicted_fraction(); },
          "How fast it is predicted to be, by the rate of a plain copy.");
  module.def("move", &move, nb::arg("x").none(), nb::arg("spec").none(), nb::arg("out").none(), nb::arg("options"));
  module.def("plan_for", &plan_for, nb::arg("x").none(), nb::arg("spec").none(), nb::arg("options"));
  module.def("plan_of_shape", &plan_of_shape, nb::arg("shape"), nb::arg("element_bytes"), nb::arg("spec"), nb::arg("options"),
             nb::arg("device"));
  module.def(
      "view",
      [](nb::handle array) {
        const View view = view_of(array);
        const Layout layout = view.layout();
        return nb::make_tuple(reinterpret_cast<std::uintptr_t>(view.data), nb::tuple(nb::cast(layout.extents)),
                              nb::tuple(nb::cast(layout.strides)), view.element_bytes, view.is_writable, view.device,
                              reinterpret_cast<std::uintptr_t>(stream_of(view).get()));
      },
      nb::arg("x"), "What _arrays.view() says, as moves read it.");
  module.def("clear_cache", &clear_kept, "Forgets all plans that are kept.");
  module.def("cached_plans", [] { return plan_cache_facts().n_plans; }, "How many plans are kept.");
}

}  // namespace crinkle::python
