// The words and sizes of work on pairs.
// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <string>

#include "base/words.hpp"
#include "crinkle/pairs.hpp"

namespace crinkle {
namespace {

constexpr std::array metric_names = {"euclidean", "sqeuclidean", "manhattan", "chebyshev", "cosine"};
constexpr std::array form_names = {"condensed", "packed-lower", "packed-upper", "rfp", "square"};

}  // namespace

Metric parse_metric(std::string_view name) {
  return name == "cityblock" ? Metric::manhattan : static_cast<Metric>(number_of(name, metric_names, "metric", "; cityblock is manhattan"));
}
const char* name_of(Metric metric) noexcept { return metric_names[static_cast<std::size_t>(metric)]; }

PairForm parse_pair_form(std::string_view name) { return static_cast<PairForm>(number_of(name, form_names, "form of distances")); }
const char* name_of(PairForm form) noexcept { return form_names[static_cast<std::size_t>(form)]; }

TriangleLayout layout_of(PairForm form, std::int64_t n, Real type) {
  using Form = TriangleLayout::Form;
  TriangleLayout layout;
  layout.n = n;
  layout.element_bytes = bytes_of(type);
  layout.form = form == PairForm::condensed ? Form::condensed
                : form == PairForm::rfp     ? Form::rfp
                : form == PairForm::square  ? Form::symmetric
                                            : Form::packed;
  if (form == PairForm::packed_upper) layout.triangle = TriangleLayout::Triangle::upper;
  layout.check();
  return layout;
}

std::int64_t distance_bytes(std::int64_t n, PairForm form, Real type) { return layout_of(form, n, type).bytes(); }

}  // namespace crinkle
