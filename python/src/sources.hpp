// The sources of a move: one array or a list of them, of which those of unlike strides are copied first; a list of numbers is NumPy's
// array.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "view.hpp"

namespace crinkle::python {

/// A copy of an array, dense.
using Copier = std::function<nb::object(nb::handle)>;

inline bool is_list_or_tuple(nb::handle array) { return nb::isinstance<nb::list>(array) || nb::isinstance<nb::tuple>(array); }

// A slowest axis of extent 1.
inline void add_axis(View& v) {
  if (v.rank == max_rank) throw Error(ErrorCode::too_large, "a list of an array of 64 axes would have 65");
  std::copy_backward(v.extents.begin(), v.extents.begin() + v.rank, v.extents.begin() + v.rank + 1);
  std::copy_backward(v.strides.begin(), v.strides.begin() + v.rank, v.strides.begin() + v.rank + 1);
  v.extents[0] = 1;
  v.strides[0] = v.element_bytes;
  v.rank += 1;
}

/// Whether all are NumPy's own arrays, of one type: nothing else has to be asked of them.
inline bool are_plain(nb::handle arrays) {
  nb::object first;
  for (const nb::handle one : arrays) {
    if (!first.is_valid()) first = nb::borrow(one);
    if (!is_plain(one, first)) return false;
  }
  return first.is_valid();
}

inline bool lie_alike(const View& a, const View& b) {
  return a.below == b.below && std::equal(a.strides.begin(), a.strides.begin() + a.rank, b.strides.begin());
}

// The sources of a move: one array or a list of them, of which those of unlike strides are copied first; a list of numbers is NumPy's
// array.
struct Sources {
  std::vector<nb::object> owners;
  std::vector<View> views;

  Sources(nb::handle given, const Copier& dense) {
    const nb::object array = is_list_or_tuple(given) && !are_plain(given) ? listed(given) : nb::borrow(given);
    const bool is_list = is_list_or_tuple(array);
    if (!is_list) {
      owners.push_back(nb::borrow(array));
    } else {
      for (const nb::handle one : array) owners.push_back(nb::borrow(one));
    }
    if (owners.empty()) throw Error(ErrorCode::bad_shape, "a list of no arrays: what the result should be like is not known");
    for (const nb::object& one : owners) {
      views.push_back(view_of(one));
      const View& first = views.front();
      const View& v = views.back();
      if (v.rank != first.rank || !std::equal(v.extents.begin(), v.extents.begin() + v.rank, first.extents.begin())) {
        throw Error(ErrorCode::bad_shape, "arrays of one list have one shape: the first has " + first.shape() + ", number " +
                                              std::to_string(views.size() - 1) + " " + v.shape());
      }
      if (views.size() > 1) check_alike(owners.front(), first, one, v, "another array of the list");
    }
    if (std::any_of(views.begin(), views.end(), [&](const View& v) { return !lie_alike(v, views.front()); })) make_dense(dense);
    if (is_list && views.size() == 1) add_axis(views.front());  // several get theirs from interlace()
  }

 private:
  void make_dense(const Copier& dense) {
    for (std::size_t k = 0; k < views.size(); ++k) {
      if (!views[k].layout().is_dense()) {
        owners[k] = dense(owners[k]);
        views[k] = view_of(owners[k]);
      }
      const Layout layout = views[k].layout();  // strides of extents of 1 and 0 may be any
      const Layout alike = Layout::dense(layout.extents, layout.element_bytes);
      std::copy(alike.strides.begin(), alike.strides.end(), views[k].strides.begin());
    }
  }
};

}  // namespace crinkle::python
