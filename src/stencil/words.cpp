// The makers by their words: MAKER:ARGUMENT:ARGUMENT.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>

#include "base/caret.hpp"
#include "crinkle/error.hpp"
#include "crinkle/sweeper.hpp"

namespace crinkle {
namespace {

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

template <class N>
std::optional<N> number_in(std::string_view text) {
  N value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

class Words {
 public:
  Words(std::string_view text, const StencilAxes& axes) : text_(text), axes_(axes), words_(split(text, ':')) {}

  LinearStencil stencil(const std::vector<std::string>& others) const {
    const std::string_view maker = words_[0];
    if (maker == "average") {
      at_most(2);
      if (words_.size() > 2 && words_[2] != "box" && words_[2] != "star") refuse("an average is of a box or a star, as in average:1:star");
      return average(rank(), whole(1, 1, "average:RADIUS:box"),
                     words_.size() > 2 && words_[2] == "star" ? StencilShape::star : StencilShape::box);
    }
    if (maker == "laplacian") {
      at_most(1);
      return laplacian(rank(), static_cast<int>(whole(1, 2, "laplacian:ORDER")));
    }
    if (maker == "gradient") {
      at_most(2);
      return gradient(rank(), axis("gradient:AXIS:ORDER"), static_cast<int>(whole(2, 2, "gradient:AXIS:ORDER")));
    }
    if (maker == "sobel") {
      at_most(1);
      return sobel(rank(), axis("sobel:AXIS"));
    }
    if (maker == "gaussian") {
      at_most(2);
      if (words_.size() > 2 && words_[2] != "fwhm")
        refuse(fmt::format(
            "the stencil '{}': '{}' is nothing of a gaussian; it is a sigma, or a full width at half maximum: gaussian:8mm:fwhm",
            shown(text_), shown(words_[2])));
      std::vector<double> widths = sigmas();
      const double sigma = words_.size() > 2 ? 1 / (2 * std::sqrt(2 * std::numbers::ln2)) : 1;
      for (double& width : widths) width *= sigma;
      return gaussian(widths);
    }
    std::vector<std::string> forms = {"average:RADIUS", "laplacian:ORDER", "gradient:AXIS", "gaussian:SIGMA", "sobel:AXIS"}, known;
    forms.insert(forms.end(), others.begin(), others.end());
    for (const std::string& form : forms) known.push_back(form.substr(0, form.find(':')));
    const std::string nearest = nearest_of(maker, known), last = forms.back();
    forms.pop_back();
    refuse(fmt::format("there is no stencil '{}'{} stencils are {} and {}", shown(maker),
                       nearest.empty() ? "; the" : "; did you mean " + nearest + "? The", fmt::join(forms, ", "), last));
  }

 private:
  int rank() const { return static_cast<int>(axes_.names.size()); }
  [[noreturn]] void refuse(const std::string& text) const { throw Error(ErrorCode::bad_notation, text); }
  void at_most(std::size_t n) const {
    if (words_.size() > n + 1) refuse(fmt::format("the stencil '{}' has one word too many, '{}'", shown(text_), shown(words_[n + 1])));
  }

  std::int64_t whole(std::size_t word, std::int64_t otherwise, const char* form) const {
    if (words_.size() <= word) return otherwise;
    const auto value = number_in<std::int64_t>(words_[word]);
    if (!value || *value > INT32_MAX || *value < 0)
      refuse(fmt::format("the stencil '{}': '{}' is no whole number from 0 to {}; write {}", shown(text_), shown(words_[word]), INT32_MAX,
                         form));
    return *value;
  }

  int number(int axis) const { return axes_.numbers.empty() ? axis : axes_.numbers[static_cast<std::size_t>(axis)]; }

  int axis(const char* form) const {
    std::string all;
    for (int a = 0; a < rank(); ++a) {
      const std::string name = axes_.names[static_cast<std::size_t>(a)], digits = std::to_string(number(a));
      if (words_.size() > 1 && (words_[1] == name || words_[1] == digits)) return a;
      all += (a == 0 ? "" : ", ") + digits + (name == digits ? "" : " (" + name + ")");
    }
    if (words_.size() < 2)
      refuse(fmt::format("the stencil '{}' needs an axis, as in {}; the axes are {}{}", shown(text_), form, all, axes_.advice));
    refuse(fmt::format("the stencil '{}': there is no axis '{}'; the axes are {}{}", shown(text_), shown(words_[1]), all, axes_.advice));
  }

  std::vector<double> sigmas() const {
    if (words_.size() < 2) refuse("a gaussian needs its sigma in cells or millimetres, as in gaussian:1.5 or gaussian:2.0mm");
    std::vector<double> sigmas;
    std::size_t n_lengths = 0;
    const std::vector<std::string_view> list = split(words_[1], ',');
    for (std::string_view number : list) {
      if (number.ends_with("mm")) {
        ++n_lengths;
        number.remove_suffix(2);
      }
      const auto sigma = number_in<double>(number);
      if (!sigma || !(*sigma >= 0)) refuse(fmt::format("the stencil '{}': '{}' is no sigma; give 0 or more", shown(text_), shown(number)));
      sigmas.push_back(*sigma);
    }
    if (n_lengths > 0 && n_lengths < sigmas.size() && !(n_lengths == 1 && list.back().ends_with("mm")))
      refuse(fmt::format("the stencil '{}' has a unit behind some of its sigmas; write it behind all of them, or behind the last for all",
                         shown(text_)));
    if (n_lengths > 0 && axes_.spacing_mm.empty())
      refuse(fmt::format("the stencil '{}': how many millimetres a cell has is not known here; give sigma in cells", shown(text_)));
    if (sigmas.size() == 1) sigmas.resize(axes_.names.size(), sigmas[0]);
    if (sigmas.size() != axes_.names.size())
      refuse(fmt::format("the stencil '{}' has {} sigmas for {} axes; give one, or one an axis", shown(text_), sigmas.size(),
                         axes_.names.size()));
    for (std::size_t a = 0; n_lengths > 0 && a < sigmas.size(); ++a) sigmas[a] /= axes_.spacing_mm[a];
    return sigmas;
  }

  std::string_view text_;
  const StencilAxes& axes_;
  std::vector<std::string_view> words_;
};

}  // namespace

LinearStencil parse_stencil(std::string_view text, const StencilAxes& axes, const std::vector<std::string>& others) {
  LinearStencil stencil = Words(text, axes).stencil(others);
  stencil.name = text;
  return stencil;
}

}  // namespace crinkle
