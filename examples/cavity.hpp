// A box of fluid whose lid moves (the lid-driven cavity): stream function ψ and vorticity ω of incompressible flow in two dimensions,
//     ∂ω/∂t + u ∂ω/∂x + v ∂ω/∂y = ∇²ω / Re,   ∇²ψ = −ω,   u = ∂ψ/∂y,   v = −∂ψ/∂x,
// by central differences on rows × n cells inside the walls, h = 1 / (n + 1); the lid is 1 wide. Time goes on by Euler's steps; after
// each, some sweeps of Jacobi with Chebyshev's acceleration bring ψ nearer. On walls ψ = 0, and ω follows from the two nearest cells and
// the wall's speed U (Jensen's formula):
//     ω = (ψ₂ − 8 ψ₁) / 2h² − 3U / h.
// cavity_known.hpp has what is known of the steady flow in a square.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "crinkle/stencil.hpp"

namespace cavity {

using crinkle::Input, crinkle::input, crinkle::offset;

struct Flow {
  int n = 127;
  double reynolds = 100;  // of the lid's width and speed
  int rows = n;
  double lid = 1;
  double h = 1.0 / (n + 1);
  std::int64_t n_cells() const { return std::int64_t{rows} * n; }
  double step() const { return 0.8 * std::min({reynolds * h * h / 4, 2 / reynolds, h}); }
  double over() const {  // Chebyshev's, where Jacobi's slowest error shrinks so much a sweep
    constexpr double pi = 3.14159265358979323846;
    const double radius = (std::cos(pi / (n + 1)) + std::cos(pi / (rows + 1))) / 2;
    return 2 / (1 + std::sqrt(1 - radius * radius));
  }
};

/// ω a step later, from ω and ψ.
struct Vorticity {
  using Radius = crinkle::Radius<1, 1>;
  double h, dt, lid, slope, diffusion;  // slope: of central differences, 1 / 2h
  explicit Vorticity(const Flow& f) : h(f.h), dt(f.step()), lid(f.lid), slope(0.5 / h), diffusion(1 / (f.reynolds * h * h)) {}

  template <class At>
  CRINKLE_HD double operator()(const At& at) const {
    const double w = at(offset<0, 0>), up = at(offset<1, 0>), down = at(offset<-1, 0>), right = at(offset<0, 1>), left = at(offset<0, -1>);
    const double u = slope * (at(offset<1, 0>, input<1>) - at(offset<-1, 0>, input<1>));
    const double v = slope * (at(offset<0, -1>, input<1>) - at(offset<0, 1>, input<1>));
    return w + dt * (diffusion * (up + down + left + right - 4 * w) - slope * (u * (right - left) + v * (up - down)));
  }
  template <class Cells>
  CRINKLE_HD double beyond(const Cells& cells, Input<0>) const {
    const auto first = cells.nearest();
    auto second = first;
    for (int a = 0; a < 2; ++a) second[a] += first[a] - cells.index(a);
    const double speed = cells.index(0) == cells.extent(0) ? lid : 0;
    return (cells(second, input<1>) - 8 * cells(first, input<1>)) / (2 * h * h) - 3 * speed / h;
  }
  template <class Cells>
  CRINKLE_HD double beyond(const Cells&, Input<1>) const {
    return 0;
  }
};

/// ψ a sweep later, from ψ, ψ a sweep before, and ω.
struct Relaxed {
  using Radius = crinkle::Radius<1, 1>;
  double h, over;
  explicit Relaxed(const Flow& f) : h(f.h), over(f.over()) {}

  template <class At>
  CRINKLE_HD double operator()(const At& at) const {
    const double before = at(offset<0, 0>, input<1>);
    const double jacobi =
        0.25 * (at(offset<1, 0>) + at(offset<-1, 0>) + at(offset<0, 1>) + at(offset<0, -1>) + h * h * at(offset<0, 0>, input<2>));
    return before + over * (jacobi - before);
  }
};

constexpr int sweeps_a_step = 4;

// Bytes that the sweeps of a step read and write, a cell: ω and ψ to ω; then ψ, ψ before and ω to ψ.
constexpr int bytes_a_cell = (3 + 4 * sweeps_a_step) * static_cast<int>(sizeof(double));

/// The fields of a flow in memory of the caller's, rows · n cells each.
class Fields {
 public:
  using Field = crinkle::StencilField<double, 2>;
  static constexpr int n_fields = 5;
  /// Requires n_fields · n_cells numbers: ω, ψ a sweep before and ψ are there.
  Fields(const Flow& flow, double* cells) : flow_(flow) {
    for (Field* const f : {&w_, &before_, &psi_, &other_w_, &other_psi_}) {
      *f = {cells, {flow.rows, flow.n}, {flow.n, 1}};
      cells += flow.n_cells();
    }
  }
  /// sweep(stencil, out) makes all cells of a stencil. After a multiple of 6 steps all fields are where they were.
  template <class Sweep>
  void step(const Sweep& sweep) {
    using crinkle::Bound, crinkle::Faces, crinkle::filled;
    sweep(stencil(Vorticity(flow_), filled<2>(Faces(Bound::function)), w_, psi_), other_w_);
    std::swap(w_, other_w_);
    for (int s = 0; s < sweeps_a_step; ++s) {
      sweep(stencil(Relaxed(flow_), filled<2>(Faces(Bound::constant, 0)), psi_, before_, w_), other_psi_);
      std::swap(before_, psi_);
      std::swap(psi_, other_psi_);
    }
  }
  const double* vorticity() const { return w_.data; }
  const double* vorticity_before() const { return other_w_.data; }  // a step before
  const double* stream() const { return psi_.data; }

 private:
  Flow flow_;
  Field w_, before_, psi_, other_w_, other_psi_;
};

struct Steady {
  Flow flow;
  std::vector<double> vorticity, stream;  // [rows][n], from the bottom up

  double psi(int y, int x) const {
    return y < 1 || x < 1 || y > flow.rows || x > flow.n ? 0 : stream[static_cast<std::size_t>((y - 1) * flow.n + x - 1)];
  }
  double omega(int y, int x) const {  // on walls that of the nearest cell
    return vorticity[static_cast<std::size_t>((std::clamp(y, 1, flow.rows) - 1) * flow.n + std::clamp(x, 1, flow.n) - 1)];
  }
  double u(int y, int x) const { return (psi(y + 1, x) - psi(y - 1, x)) / (2 * flow.h); }
  double v(int y, int x) const { return (psi(y, x - 1) - psi(y, x + 1)) / (2 * flow.h); }

  /// The same on a grid of other cells, between these linearly: where another flow may begin.
  Steady on(const Flow& other) const {
    Steady result{other, {}, {}};
    for (int y = 1; y <= other.rows; ++y)
      for (int x = 1; x <= other.n; ++x) {
        const double place_y = y * double(flow.rows + 1) / (other.rows + 1), place_x = x * double(flow.n + 1) / (other.n + 1);
        const int j = static_cast<int>(place_y), i = static_cast<int>(place_x);
        const double fy = place_y - j, fx = place_x - i;
        const auto between = [&](const auto& at) {
          return (1 - fy) * ((1 - fx) * at(j, i) + fx * at(j, i + 1)) + fy * ((1 - fx) * at(j + 1, i) + fx * at(j + 1, i + 1));
        };
        result.stream.push_back(between([&](int b, int a) { return psi(b, a); }));
        result.vorticity.push_back(between([&](int b, int a) { return omega(b, a); }));
      }
    return result;
  }

  /// FOLDER/cavity.f64: u and v, [2][rows][n] float64 from the bottom up. FOLDER/cavity.ppm: stream lines on vorticity, red
  /// counterclockwise.
  bool write(const std::string& folder) const {
    std::vector<double> speeds;
    for (const bool is_u : {true, false})
      for (int y = 1; y <= flow.rows; ++y)
        for (int x = 1; x <= flow.n; ++x) speeds.push_back(is_u ? u(y, x) : v(y, x));
    const double highest = *std::max_element(stream.begin(), stream.end()), lowest = *std::min_element(stream.begin(), stream.end());
    const double high = std::max(highest, -lowest);
    constexpr int zoom = 3;
    const auto between = [&](const auto& at, int y, int x) {  // in pixels from the lower left wall on, linearly
      const double fy = y % zoom / double{zoom}, fx = x % zoom / double{zoom};
      y /= zoom, x /= zoom;
      return (1 - fy) * ((1 - fx) * at(y, x) + fx * at(y, x + 1)) + fy * ((1 - fx) * at(y + 1, x) + fx * at(y + 1, x + 1));
    };
    const auto psi_at = [&](int y, int x) { return psi(y, x); };
    const auto w_at = [&](int y, int x) { return omega(y, x); };
    const auto level = [&](int y, int x) { return std::floor(14 * std::cbrt(between(psi_at, y, x) / high)); };
    const int wide = zoom * (flow.n + 1), tall = zoom * (flow.rows + 1);
    std::vector<unsigned char> pixels;
    for (int y = tall - 1; y >= 0; --y)
      for (int x = 0; x < wide; ++x) {
        const double w = std::clamp(between(w_at, y, x) / 6, -1.0, 1.0);
        const bool is_line = level(y, x) != level(y, x + 1) || level(y, x) != level(y + 1, x);
        for (const double light : {1 + std::min(w, 0.0), 1 - std::abs(w), 1 - std::max(w, 0.0)})
          pixels.push_back(static_cast<unsigned char>((is_line ? 90 : 255) * (0.35 + 0.65 * light)));
      }
    const auto put = [](const std::string& name, const std::string& head, const void* data, std::size_t n_bytes) {
      std::FILE* const file = std::fopen(name.c_str(), "wb");
      if (file == nullptr) return false;
      const bool is_whole = std::fwrite(head.data(), 1, head.size(), file) == head.size() && std::fwrite(data, 1, n_bytes, file) == n_bytes;
      return std::fclose(file) == 0 && is_whole;
    };
    return put(folder + "/cavity.f64", "", speeds.data(), speeds.size() * sizeof(double)) &&
           put(folder + "/cavity.ppm", "P6 " + std::to_string(wide) + " " + std::to_string(tall) + " 255\n", pixels.data(), pixels.size());
  }
};

}  // namespace cavity
