// SPDX-License-Identifier: BSD-3-Clause
#include "verifying/verify_transform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "base/number_lines.hpp"
#include "crinkle/error.hpp"

namespace crinkle::tool {
namespace {

using Complex = std::complex<double>;

struct Reader {
  Layout layout;
  NumberType type;
  bool is_complex = false;
  const std::byte* data = nullptr;

  Complex at(const Extents& index) const {
    std::int64_t place = layout.offset;
    for (std::size_t a = 0; a < index.size(); ++a) place += index[a] * layout.strides[a];
    double parts[2] = {};
    load_line(parts, 1, data + place, bytes_of(type.number), is_complex ? 2 : 1, type);
    return {parts[0], parts[1]};
  }
};

Reader reader_of(const Layout& layout, FftReal real, bool is_complex, const void* data) {
  const std::int64_t part = layout.element_bytes / (is_complex ? 2 : 1);
  const Number number = real == FftReal::float64 ? Number::float64 : part == 2 ? Number::float16 : Number::float32;
  return {layout, {number}, is_complex, static_cast<const std::byte*>(data)};
}

bool is_next(Extents& index, const Extents& extents) {
  for (std::size_t a = index.size(); a-- > 0;) {
    if (++index[a] < extents[a]) return true;
    index[a] = 0;
  }
  return false;
}

std::size_t place_of(std::int64_t axis, std::size_t rank) {
  return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis);
}

}  // namespace

bool verify_transform(const FftRequest& request, ConstBuffer in, ConstBuffer out, const std::string& path, Executor& executor) {
  const std::size_t rank = request.in.extents.size();
  const bool is_real_to_real = request.kind == FftKind::cosine || request.kind == FftKind::sine;
  const bool is_real_in = is_real_to_real || request.kind == FftKind::real_to_complex;
  const bool is_half = request.kind == FftKind::complex_to_real;
  // The extents that the transform took: N of every axis, of a half spectrum N/2 + 1.
  Extents taken = request.in.extents;
  std::vector<std::int64_t> sizes;
  double n_points = 1;
  for (std::size_t i = 0; i < request.axes.size(); ++i) {
    const std::size_t axis = place_of(request.axes[i], rank);
    const bool is_last = i + 1 == request.axes.size();
    const std::int64_t given = i < request.sizes.size() ? request.sizes[i] : 0;
    std::int64_t n = given > 0 ? given : request.in.extents[axis];
    if (is_last && is_half) n = request.out.extents[axis];
    sizes.push_back(n);
    taken[axis] = is_last && is_half ? n / 2 + 1 : n;
    n_points *= static_cast<double>(n);
  }
  FftRequest back = request;
  back.kind = request.kind == FftKind::real_to_complex ? FftKind::complex_to_real : is_half ? FftKind::real_to_complex : request.kind;
  back.direction = request.direction == FftDirection::forward ? FftDirection::inverse : FftDirection::forward;
  const bool is_shifted_in = request.shift == FftShift::input || request.shift == FftShift::both,
             is_shifted_out = request.shift == FftShift::output || request.shift == FftShift::both;
  back.shift = is_shifted_out ? FftShift::input : FftShift::none;
  back.sizes = sizes;
  back.in = request.out;
  const std::int64_t part = request.real == FftReal::float64 ? 8 : 4;
  back.out = Layout::dense(taken, part * (is_real_in ? 1 : 2));
  const FftPlan plan(back);
  std::vector<std::byte> bytes(static_cast<std::size_t>(back.out.n_bytes()));
  plan.run(out, bytes, {}, executor);

  const Reader given = reader_of(request.in, request.real, !is_real_in, in.data),
               came = reader_of(back.out, request.real, !is_real_in, bytes.data());
  const std::size_t last = place_of(request.axes.back(), rank);
  std::vector<bool> is_shifted(rank);
  for (std::size_t i = 0; i < request.axes.size(); ++i)
    is_shifted[place_of(request.axes[i], rank)] = is_shifted_in && !(is_half && i + 1 == request.axes.size());
  const auto wanted_at = [&](Extents index) {  // of the input in its order without a shift, padded behind
    for (std::size_t a = 0; a < rank; ++a) {
      const std::int64_t n = request.in.extents[a];
      if (index[a] >= n) return Complex{};
      if (is_shifted[a]) index[a] = (index[a] + n / 2) % n;
    }
    return given.at(index);
  };
  double apart = 0, all = 0;
  Extents index(rank, 0);
  if (back.out.n_elements() > 0) do {
      Complex wanted = wanted_at(index);
      if (is_half && (index[last] == 0 || 2 * index[last] == sizes.back())) {  // of two that should be each other's conjugates the mean
        Extents other = index;
        for (std::size_t i = 0; i + 1 < request.axes.size(); ++i) {
          const std::size_t axis = place_of(request.axes[i], rank);
          other[axis] = (sizes[i] - index[axis]) % sizes[i];
        }
        wanted = (wanted + std::conj(wanted_at(other))) * 0.5;
      }
      const Complex found = came.at(index);
      if (!std::isfinite(wanted.real()) || !std::isfinite(wanted.imag())) return false;  // it fills its lines
      apart += std::norm(found - wanted);
      all += std::norm(wanted);
    } while (is_next(index, taken));
  const double epsilon = request.real == FftReal::float64 ? 0x1p-53 : request.real == FftReal::float32 ? 0x1p-24 : 0x1p-11;
  const double bound = epsilon * (8 + 4 * std::log2(n_points + 2));
  if (std::sqrt(apart) <= bound * std::sqrt(all) || apart == 0) return true;
  if (!std::isfinite(apart)) throw Error(ErrorCode::bad_file, path + ": not all of its numbers are finite, as those of the input are");
  throw Error(ErrorCode::bad_file,
              fmt::format("{}: transformed back, it is {:.2g} of the input's size away from it; rounding explains {:.2g}", path,
                          std::sqrt(apart / std::max(all, 1e-300)), bound));
}

}  // namespace crinkle::tool
