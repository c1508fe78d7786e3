// Convolutions against their sum, in every mode and for any layouts.
// SPDX-License-Identifier: BSD-3-Clause
#include "fft/arrays.hpp"

namespace crinkle::fft::convolve_test {
namespace {

// Σ_n a[n] b[k − n] of all axes, whole.
Array full(const Array& a, const Array& b) {
  Array result{convolve_extents(a.extents, b.extents, ConvolveMode::full), {}};
  result.values.resize(at(result.n()));
  const Layout places = Layout::dense(result.extents, 1);
  const auto place_of = [&](std::int64_t i, const Extents& extents) {
    std::int64_t place = 0;
    for (std::size_t axis = extents.size(); axis-- > 0; i /= extents[axis]) place += i % extents[axis] * places.strides[axis];
    return place;
  };
  for (std::int64_t i = 0; i < a.n(); ++i)
    for (std::int64_t j = 0; j < b.n(); ++j)
      result.values[at(place_of(i, a.extents) + place_of(j, b.extents))] += a.values[at(i)] * b.values[at(j)];
  return result;
}

template <class T>
void expect_sums(const Extents& a_extents, const Extents& b_extents, ConvolveMode mode, unsigned seed) {
  std::mt19937 random(seed);
  const Array a = random_array(a_extents, seed, true), b = random_array(b_extents, seed + 1, true), all = full(a, b);
  const std::int64_t part = sizeof(T);
  const Layout a_layout = random_layout(a_extents, part, random), b_layout = random_layout(b_extents, part, random);
  const Layout out = random_layout(convolve_extents(a_extents, b_extents, mode), part, random);
  Bytes a_bytes(bytes_of(a_layout)), b_bytes(bytes_of(b_layout)), dst(bytes_of(out));
  put_array<T>(a_layout, a, true, a_bytes);
  put_array<T>(b_layout, b, true, b_bytes);
  fft_convolve({a_layout, a_bytes.buffer()}, {b_layout, b_bytes.buffer()}, out, dst.buffer(), mode, real_of<T>);
  ASSERT_TRUE(dst.is_intact_around());
  const Array got = get_array<T>(out, true, dst);
  const long double bound = 20 * epsilon_of<T> * std::sqrt(sum_of_squares(a.values) * sum_of_squares(b.values));
  for (std::int64_t i = 0; i < got.n(); ++i) {
    std::int64_t rest = i, place = 0, step = 1;
    for (std::size_t axis = out.extents.size(); axis-- > 0; rest /= out.extents[axis], step *= all.extents[axis]) {
      const std::int64_t na = a_extents[axis], nb = b_extents[axis];
      // SciPy's: the middle of the full one; what is covered by the shorter one
      const std::int64_t start = mode == ConvolveMode::full   ? 0
                                 : mode == ConvolveMode::same ? (na + nb - 1 - na) / 2
                                                              : std::min(na, nb) - 1;
      place += (start + rest % out.extents[axis]) * step;
    }
    ASSERT_NEAR(static_cast<double>(got.values[at(i)].real()), static_cast<double>(all.values[at(place)].real()),
                static_cast<double>(bound))
        << i << " of mode " << static_cast<int>(mode);
  }
}

TEST(Convolve, is_the_sum_in_every_mode) {
  unsigned seed = 1;
  for (const ConvolveMode mode : {ConvolveMode::full, ConvolveMode::same, ConvolveMode::valid}) {
    for (const auto& [a, b] :
         std::vector<std::pair<Extents, Extents>>{{{1}, {1}}, {{50}, {7}}, {{6}, {31}}, {{12, 9}, {3, 4}}, {{5, 8, 7}, {2, 8, 3}}}) {
      expect_sums<float>(a, b, mode, seed++);
      expect_sums<double>(a, b, mode, seed++);
    }
  }
}

TEST(Convolve, refuses_what_has_no_meaning) {
  const auto refused = [](const Extents& a, const Extents& b, ConvolveMode mode, const std::string& word) {
    try {
      convolve_extents(a, b, mode);
      ADD_FAILURE() << word;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::bad_shape);
      EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << e.what();
    }
  };
  refused({3}, {3, 3}, ConvolveMode::full, "1 and 2 axes");
  refused({3, 0}, {3, 3}, ConvolveMode::full, "axis 1 has 0 and 3");
  refused({3, 5}, {5, 3}, ConvolveMode::valid, "[3, 5] and [5, 3]");
  const Layout layout = Layout::dense({4}, 4);
  std::vector<float> x(8);
  EXPECT_THROW(
      fft_convolve({layout, {x.data(), 16}}, {layout, {x.data() + 4, 16}}, Layout::dense({7}, 4), {x.data(), 28}, ConvolveMode::full),
      Error);
  EXPECT_THROW(fft_convolve({layout, {x.data(), 16}}, {layout, {x.data(), 16}}, layout, {x.data() + 4, 16}, ConvolveMode::full), Error);
}

}  // namespace
}  // namespace crinkle::fft::convolve_test
