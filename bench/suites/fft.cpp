// The suite `fft`: transforms of 2^26 points in all on a GPU and 2^22 on a CPU, powers of two, primes and odd composites, real lines, 2-D
// and 3-D, columns, float64, float16: "complex_float32_n1024", beside plain copies of as many bytes. bench/rivals/drive.py sets others
// beside it.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/fft.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "base/number_lines.hpp"
#include "harness/unit_numbers.hpp"
#include "suites/suites.hpp"

namespace crinkle::bench {
namespace {

struct FftCase {
  Extents extents;  // of the complex or, of real kinds, the real array
  std::vector<std::int64_t> axes;
  FftKind kind = FftKind::complex_to_complex;
  FftReal real = FftReal::float32;

  NumberType type() const {
    return {real == FftReal::float16 ? Number::float16 : real == FftReal::float32 ? Number::float32 : Number::float64};
  }
  FftRequest request() const {
    const std::int64_t part = bytes_of(type().number);
    Extents half = extents;
    half[static_cast<std::size_t>(axes.back())] = half[static_cast<std::size_t>(axes.back())] / 2 + 1;
    FftRequest r{
        .in = Layout::dense(kind == FftKind::complex_to_real ? half : extents, kind == FftKind::real_to_complex ? part : 2 * part),
        .out = Layout::dense(kind == FftKind::real_to_complex ? half : extents, kind == FftKind::complex_to_real ? part : 2 * part),
        .axes = axes,
        .kind = kind,
        .real = real};
    if (kind == FftKind::complex_to_real) r.direction = FftDirection::inverse;
    for (const std::int64_t axis : axes) r.sizes.push_back(extents[static_cast<std::size_t>(axis)]);
    return r;
  }
};

// The transform of the same numbers in float64 on the CPU, of the slab of the array that holds whole lines: what its elements are.
std::vector<double> wanted_of(FftRequest request, const std::vector<float>& numbers, Executor& executor) {
  const bool is_real_in = request.kind == FftKind::real_to_complex, is_real_out = request.kind == FftKind::complex_to_real;
  request.real = FftReal::float64;
  request.in = Layout::dense(request.in.extents, is_real_in ? 8 : 16);
  request.out = Layout::dense(request.out.extents, is_real_out ? 8 : 16);
  const std::vector<double> in(numbers.begin(), numbers.end());
  std::vector<double> out(static_cast<std::size_t>(request.out.n_bytes() / 8));
  const FftPlan plan(request);
  std::vector<std::byte> workspace(static_cast<std::size_t>(plan.workspace_bytes()));
  plan.run({in.data(), request.in.n_bytes()}, {out.data(), request.out.n_bytes()}, {workspace.data(), std::ssize(workspace)}, executor);
  return out;
}

double error_of(const std::vector<std::byte>& have, const std::vector<double>& want, NumberType type) {
  const std::int64_t part = bytes_of(type.number);
  std::vector<double> got(want.size());
  load_line(got.data(), 1, have.data(), part, std::ssize(got), type);
  double difference = 0, sum = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    const double d = got[i] - want[i];
    difference += d * d;
    sum += want[i] * want[i];
  }
  return std::sqrt(difference / sum);
}

// The first lines of a batch, or all of an array whose axes are all transformed.
void check_result(const std::string& name, const FftCase& of, const std::vector<float>& numbers, Site& site) {
  FftCase some = of;
  const bool is_batch = of.axes.front() != 0;
  const std::int64_t line = std::accumulate(of.extents.begin() + 1, of.extents.end(), std::int64_t{1}, std::multiplies<>());
  if (is_batch) some.extents[0] = std::min(of.extents[0], std::max<std::int64_t>(1, (std::int64_t{1} << 20) / line));
  const FftRequest request = some.request();
  const std::size_t n = static_cast<std::size_t>(request.in.n_elements()) * (of.kind == FftKind::real_to_complex ? 1 : 2);
  const std::vector<double> want =
      wanted_of(request, std::vector<float>(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(n)), site.executor());
  const std::vector<std::byte> have = site.on_host(site.destination(), request.out.n_bytes());
  const double error = error_of(have, want, of.type());
  const double bound = of.real == FftReal::float16 ? 5e-4 : of.real == FftReal::float32 ? 1e-6 : 2e-15;
  if (!(error < bound)) throw std::runtime_error(fmt::format("{}: a relative error of {:.3g}", name, error));
}

Contest contest_of(const std::string& name, const FftCase& of, Site& site, std::uint64_t seed) {
  const FftRequest request = of.request();
  const std::int64_t n_in = request.in.n_bytes();
  const auto numbers = std::make_shared<std::vector<float>>(static_cast<std::size_t>(request.in.n_elements()) *
                                                            (of.kind == FftKind::real_to_complex ? 1 : 2));
  fill_unit(numbers->data(), std::ssize(*numbers), seed, site.executor());
  for (float& x : *numbers) x = 2 * x - 1;
  settle_line(numbers->data(), std::ssize(*numbers), of.type());
  std::vector<std::byte> stored(static_cast<std::size_t>(n_in));
  store_line(stored.data(), bytes_of(of.type().number), numbers->data(), 1, std::ssize(*numbers), of.type());
  site.put(stored.data(), n_in);
  Contest c = contest(name, plan(request, site.device()), site, [=, &site] { check_result(name, of, *numbers, site); }, "first lines");
  c.element_bytes = request.in.element_bytes;
  c.unit = "points";
  c.units = std::accumulate(of.extents.begin(), of.extents.end(), std::int64_t{1}, std::multiplies<>());
  return c;
}

}  // namespace

std::vector<Entry> fft_entries(const Request& request) {
  const std::int64_t points = std::int64_t{1} << (request.site.is_gpu() ? 26 : 22);
  std::vector<Entry> entries;
  const auto add = [&](const std::string& name, const FftCase& of) {
    const FftRequest r = of.request();
    entries.push_back(
        {name, {r.in.n_bytes(), r.out.n_bytes()}, [=](Site& site, std::uint64_t seed) { return contest_of(name, of, site, seed); }});
  };
  const auto add_lines = [&](std::int64_t n, FftKind kind, FftReal real) {
    const char* kinds[] = {"complex", "real_to_complex", "complex_to_real"};
    add(fmt::format("{}_{}_n{}", kinds[static_cast<int>(kind)], name_of(FftCase{{}, {}, kind, real}.type().number), n),
        {{std::max<std::int64_t>(1, points / n), n}, {1}, kind, real});
  };
  using enum FftKind;
  for (std::int64_t n = 8; n <= points; n *= 2) add_lines(n, complex_to_complex, FftReal::float32);
  for (std::int64_t n = points * 4; n <= 1 << 28; n *= 4) add_lines(n, complex_to_complex, FftReal::float32);
  for (const std::int64_t n :
       {24, 96, 100, 120, 360, 480, 1000, 1001, 1331, 1920, 5005, 10000, 15625, 19683, 100000, 17, 61, 97, 127, 1009, 9689, 65537})
    add_lines(n, complex_to_complex, FftReal::float32);
  for (const FftKind kind : {real_to_complex, complex_to_real})
    for (const std::int64_t n : {64, 1000, 1024, 8192, 65536, 1 << 20}) add_lines(n, kind, FftReal::float32);
  for (std::int64_t n = 16; n <= points; n *= 4) add_lines(n, complex_to_complex, FftReal::float64);
  for (const std::int64_t n : {64, 1024, 8192, 65536}) add_lines(n, complex_to_complex, FftReal::float16);
  for (const Extents& extents :
       {Extents{256, 256}, Extents{1024, 1024}, Extents{4096, 4096}, Extents{128, 128, 128}, Extents{256, 256, 256}}) {
    if (std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>()) > points) continue;
    std::vector<std::int64_t> axes(extents.size());
    std::iota(axes.begin(), axes.end(), std::int64_t{0});
    add(fmt::format("complex_float32_{}", fmt::join(extents, "x")), {extents, axes});
    add(fmt::format("real_to_complex_float32_{}", fmt::join(extents, "x")), {extents, axes, real_to_complex});
  }
  for (const std::int64_t n : {64, 1024, 4096}) add(fmt::format("columns_float32_n{}", n), {{n, points / 4 / n}, {0}});
  return entries;
}

}  // namespace crinkle::bench
