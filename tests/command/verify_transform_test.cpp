// What --verify of crinkle fft finds, and that it finds no fault where there is none.
// SPDX-License-Identifier: BSD-3-Clause
#include "verifying/verify_transform.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "crinkle/error.hpp"

namespace crinkle::tool::verify_transform_test {
namespace {

using Bytes = std::vector<std::byte>;

struct Made {
  FftRequest request;
  Bytes in, out;
  bool is_right() const {
    try {
      return verify_transform(request, in, out, "out.npy", default_executor());
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::bad_file);
      return false;
    }
  }
};

Made made(FftKind kind, FftReal real, FftDirection direction, FftShift shift, std::vector<std::int64_t> sizes) {
  const std::int64_t part = real == FftReal::float64 ? 8 : 4;
  const bool is_real = kind == FftKind::cosine || kind == FftKind::sine;
  const std::int64_t in_bytes = part * (is_real || kind == FftKind::real_to_complex ? 1 : 2),
                     out_bytes = part * (is_real || kind == FftKind::complex_to_real ? 1 : 2);
  Made m;
  m.request = {
      .in = Layout::dense({5, 12, 9}, in_bytes), .axes = {0, 2}, .kind = kind, .direction = direction, .real = real, .sizes = sizes};
  m.request.shift = shift;
  m.request.out = Layout::dense(fft_extents(m.request.in.extents, m.request.axes, kind, sizes), out_bytes);
  m.in.resize(static_cast<std::size_t>(m.request.in.n_bytes()));
  m.out.resize(static_cast<std::size_t>(m.request.out.n_bytes()));
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (std::size_t i = 0; i < m.in.size(); i += static_cast<std::size_t>(part)) {
    const double x = normal(random);
    const auto y = static_cast<float>(x);
    if (part == 8) std::memcpy(&m.in[i], &x, 8);
    else std::memcpy(&m.in[i], &y, 4);
  }
  FftPlan(m.request).run(m.in, m.out, {});
  return m;
}

TEST(VerifyTransform, finds_no_fault_where_there_is_none_and_a_number_that_is_wrong) {
  for (const FftKind kind :
       {FftKind::complex_to_complex, FftKind::real_to_complex, FftKind::complex_to_real, FftKind::cosine, FftKind::sine}) {
    for (const FftReal real : {FftReal::float32, FftReal::float64}) {
      for (const FftShift shift : {FftShift::none, FftShift::output}) {
        const bool is_real = kind == FftKind::cosine || kind == FftKind::sine;
        if (is_real && shift != FftShift::none) continue;
        for (const std::vector<std::int64_t>& sizes : {std::vector<std::int64_t>{}, {8, 6}, {3, 20}}) {
          const FftDirection direction = kind == FftKind::complex_to_real ? FftDirection::inverse : FftDirection::forward;
          Made m = made(kind, real, direction, shift, sizes);
          const std::string what = std::to_string(static_cast<int>(kind)) + " " + std::to_string(sizes.size());
          EXPECT_TRUE(m.is_right()) << what;
          const std::size_t n = real == FftReal::float64 ? 8 : 4, at = m.out.size() / 2 / n * n;
          m.out[at + n - 2] ^= std::byte{0x80};  // an exponent's bit
          EXPECT_FALSE(m.is_right()) << what;
        }
      }
    }
  }
}

}  // namespace
}  // namespace crinkle::tool::verify_transform_test
