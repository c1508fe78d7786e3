// SPDX-License-Identifier: BSD-3-Clause
#include "fft/sizes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>

#include "base/checked.hpp"
#include "base/words.hpp"
#include "crinkle/error.hpp"

namespace crinkle {

FftNorm parse_fft_norm(std::string_view name) {
  constexpr std::array names = {"backward", "ortho", "forward"};
  return static_cast<FftNorm>(number_of(name, names, "norm"));
}
FftKind parse_fft_kind(std::string_view name) {
  constexpr std::array names = {"complex", "real to complex", "complex to real", "cosine", "sine"};
  return static_cast<FftKind>(number_of(name, names, "kind of transform"));
}
ConvolveMode parse_convolve_mode(std::string_view name) {
  constexpr std::array names = {"full", "same", "valid"};
  return static_cast<ConvolveMode>(number_of(name, names, "mode"));
}

namespace fft {
namespace {

constexpr std::size_t most_axes = 48;
constexpr std::int64_t longest = std::int64_t{1} << 40;

[[noreturn]] void refuse(const std::string& text) { throw Error(ErrorCode::bad_shape, text); }

std::vector<std::size_t> check_axes(const std::vector<std::int64_t>& axes, std::size_t rank) {
  if (axes.empty()) refuse("a transform needs an axis; none is named");
  if (rank > most_axes) refuse(fmt::format("the array has {} axes; a transform takes {} at most", rank, most_axes));
  std::vector<std::size_t> places;
  const auto r = static_cast<std::int64_t>(rank);
  for (const std::int64_t axis : axes) {
    if (axis < -r || axis >= r) refuse(fmt::format("there is no axis {}: the array has {} axes, {} to {}", axis, r, -r, r - 1));
    const auto place = static_cast<std::size_t>(axis < 0 ? axis + r : axis);
    if (std::find(places.begin(), places.end(), place) != places.end())
      refuse(fmt::format("axis {} is named twice in [{}]; transform it once", place, fmt::join(axes, ", ")));
    places.push_back(place);
  }
  return places;
}

Sizes sizes_of(const Extents& in, const std::vector<std::int64_t>& axes, FftKind kind, const std::vector<std::int64_t>& sizes) {
  Sizes result;
  result.axes = check_axes(axes, in.size());
  if (!sizes.empty() && sizes.size() != axes.size())
    refuse(fmt::format("there are {} sizes for {} axes; give one for each, 0 for an axis that stays as it is", sizes.size(), axes.size()));
  result.is_half_in = kind == FftKind::complex_to_real;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::int64_t extent = in[result.axes[i]], asked = sizes.empty() ? 0 : sizes[i];
    const bool is_half = result.is_half_in && i + 1 == axes.size();
    if (asked < 0) refuse(fmt::format("size {} of axis {}: give 1 or more", asked, result.axes[i]));
    const std::int64_t n = asked > 0 ? asked : is_half ? 2 * (extent - 1) : extent;
    if (extent < 1 || (n < 1 && !is_half))
      refuse(fmt::format("axis {} has {} elements: there is no transform of length 0", result.axes[i], extent));
    if (n > longest) throw Error(ErrorCode::too_large, fmt::format("a transform of length {}; the longest is 2^40", n));
    result.n.push_back(n);
  }
  return result;
}

Extents output_of(const Sizes& sizes, const Extents& in, FftKind kind) {
  Extents out = in;
  for (std::size_t i = 0; i < sizes.axes.size(); ++i) out[sizes.axes[i]] = sizes.n[i];
  if (kind == FftKind::real_to_complex) out[sizes.axes.back()] = sizes.n.back() / 2 + 1;
  return out;
}

void check_elements(const char* name, const Layout& layout, FftReal real, bool is_complex) {
  if (layout.extents.size() != layout.strides.size())
    refuse(fmt::format("the {}'s layout has {} extents and {} strides", name, layout.extents.size(), layout.strides.size()));
  for (const std::int64_t extent : layout.extents)
    if (extent < 0) refuse(fmt::format("the {} has the extents [{}]", name, fmt::join(layout.extents, ", ")));
  const bool is_float16 = real == FftReal::float16;
  const std::int64_t wanted = (is_float16 ? 2 : real == FftReal::float32 ? 4 : 8) * (is_complex ? 2 : 1);
  if (layout.element_bytes == wanted || (is_float16 && layout.element_bytes == 2 * wanted)) return;
  refuse(fmt::format("the {}'s elements have {} bytes; {} numbers of {} have {}{}. Convert integers and other types first", name,
                     layout.element_bytes, is_complex ? "complex" : "real", name_of(real), wanted,
                     is_float16 ? fmt::format(", of float32 {}", 2 * wanted) : ""));
}

// Every axis, in order of its stride, steps over all that the shorter ones reach. What has no elements shares none.
void check_apart(const Layout& layout) {
  if (layout.n_elements() == 0) return;                     // its strides may be 0, as NumPy's are
  std::vector<std::pair<std::int64_t, std::int64_t>> axes;  // stride, extent
  for (std::size_t a = 0; a < layout.extents.size(); ++a)
    if (layout.extents[a] > 1) axes.emplace_back(std::abs(layout.strides[a]), layout.extents[a]);
  std::sort(axes.begin(), axes.end());
  std::int64_t reach = layout.element_bytes;
  for (const auto& [stride, extent] : axes) {
    if (stride < reach) {
      throw Error(ErrorCode::overlap,
                  fmt::format("the output's elements share bytes: a stride of {} bytes steps into {} bytes of others; its "
                              "strides are [{}]",
                              stride, reach, fmt::join(layout.strides, ", ")));
    }
    reach = add_product(reach, stride, extent - 1);
  }
}

void check_shift(const FftRequest& request, const Sizes& sizes) {
  if (request.shift == FftShift::none) return;
  if (is_real_to_real(request.kind))
    throw Error(ErrorCode::unsupported, "cosine and sine transforms have no negative frequencies: leave out the shift");
  if (request.shift == FftShift::output) return;
  for (std::size_t i = 0; i < sizes.axes.size(); ++i) {
    const std::int64_t extent = request.in.extents[sizes.axes[i]];
    const bool is_shifted = !sizes.is_half_in || i + 1 < sizes.axes.size();
    if (is_shifted && extent > sizes.n_in(i))
      throw Error(ErrorCode::unsupported,
                  fmt::format("the input is shifted and has {} numbers along axis {}, of which a size of {} takes {}: "
                              "cut them out of it first",
                              extent, sizes.axes[i], sizes.n[i], sizes.n_in(i)));
  }
}

}  // namespace

const char* name_of(FftReal real) { return real == FftReal::float16 ? "float16" : real == FftReal::float32 ? "float32" : "float64"; }

std::int64_t aligned_bytes(std::int64_t bytes) { return multiply(ceil_divide(bytes, workspace_alignment), workspace_alignment); }

void check_memory(int axis, std::int64_t n, std::int64_t needed, std::int64_t memory) {
  if (needed <= memory) return;
  throw Error(ErrorCode::out_of_memory,
              fmt::format("axis {}: a transform of {} numbers needs at least {} bytes of tables and scratch memory; this machine has {}",
                          axis, n, needed, memory));
}

Sizes check_request(const FftRequest& request) {
  check_elements("input", request.in, request.real, request.kind != FftKind::real_to_complex && !is_real_to_real(request.kind));
  check_elements("output", request.out, request.real, request.kind != FftKind::complex_to_real && !is_real_to_real(request.kind));
  Sizes sizes = sizes_of(request.in.extents, request.axes, request.kind, request.sizes);
  if (request.kind == FftKind::complex_to_real && (request.sizes.empty() || request.sizes.back() == 0) &&
      request.out.extents.size() == request.in.extents.size()) {
    const std::int64_t asked = request.out.extents[sizes.axes.back()];
    if (asked == sizes.n.back() + 1) sizes.n.back() = asked;  // odd
  }
  const Extents wanted = output_of(sizes, request.in.extents, request.kind);
  if (request.out.extents != wanted || sizes.n.back() < 1) {
    refuse(fmt::format("the output has the extents [{}]; this transform of [{}] gives [{}]{}", fmt::join(request.out.extents, ", "),
                       fmt::join(request.in.extents, ", "), fmt::join(wanted, ", "),
                       sizes.is_half_in ? fmt::format(", or {} along axis {}", sizes.n.back() + 1, sizes.axes.back()) : ""));
  }
  check_apart(request.out);
  check_shift(request, sizes);
  sizes.between = wanted;
  if (sizes.is_half_in) sizes.between[sizes.axes.back()] = std::min(request.in.extents[sizes.axes.back()], sizes.n.back() / 2 + 1);
  sizes.n_points = 1;
  for (const std::int64_t n : sizes.n) sizes.product *= static_cast<double>(n) * (is_real_to_real(request.kind) ? 2 : 1);
  for (std::size_t a = 0; a < wanted.size(); ++a) {
    const auto i = std::find(sizes.axes.begin(), sizes.axes.end(), a);
    sizes.n_points =
        multiply(sizes.n_points, i == sizes.axes.end() ? wanted[a] : sizes.n[static_cast<std::size_t>(i - sizes.axes.begin())]);
  }
  return sizes;
}

}  // namespace fft

Extents fft_extents(const Extents& in, const std::vector<std::int64_t>& axes, FftKind kind, const std::vector<std::int64_t>& sizes) {
  const fft::Sizes known = fft::sizes_of(in, axes, kind, sizes);
  if (known.n.back() < 1)
    fft::refuse(fmt::format("axis {} has {} elements, which make no real ones; give its size", known.axes.back(), in[known.axes.back()]));
  return fft::output_of(known, in, kind);
}

}  // namespace crinkle
