// Convolutions by their sum, of any axes of arrays of any layout; and those that are tested on every device.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "fft/arrays.hpp"

namespace crinkle::fft {

inline std::int64_t place_of(std::int64_t i, const Extents& extents, const Layout& places, const std::vector<bool>& are_wanted,
                             bool wanted) {
  std::int64_t place = 0;
  for (std::size_t axis = extents.size(); axis-- > 0; i /= extents[axis])
    if (are_wanted[axis] == wanted) place += i % extents[axis] * places.strides[axis];
  return place;
}

/// A request with its arrays, and Σ_n a[n] b[k + start − n].
template <class T>
struct Convolution {
  ConvolveRequest request;
  Array a, b, want;
  long double bound = 0;

  Convolution(const Extents& a_extents, const Extents& b_extents, ConvolveMode mode, const std::vector<std::int64_t>& axes,
              bool is_correlation, unsigned seed, bool is_complex = false)
      : a(random_array(a_extents, seed, !is_complex)), b(random_array(b_extents, seed + 1, !is_complex)) {
    std::mt19937 random(seed);
    const std::int64_t element = (is_complex ? 2 : 1) * std::int64_t{sizeof(T)};
    request = {.a = random_layout(a_extents, element, random),
               .b = random_layout(b_extents, element, random),
               .out = random_layout(convolve_extents(a_extents, b_extents, mode, axes), element, random),
               .mode = mode,
               .real = real_of<T>,
               .axes = axes,
               .is_correlation = is_correlation,
               .is_complex = is_complex};
    const auto rank = static_cast<std::int64_t>(a_extents.size());
    std::vector<bool> are_convolved(a_extents.size(), axes.empty());
    for (const std::int64_t axis : axes) are_convolved[at(axis < 0 ? axis + rank : axis)] = true;
    define(are_convolved);
    bound = 20 * epsilon_of<T> * std::sqrt(sum_of_squares(a.values) * sum_of_squares(b.values));
  }

  std::string text() const {
    std::string text = "mode " + std::to_string(static_cast<int>(request.mode)) + (request.is_correlation ? ", correlation" : "");
    for (const Extents& extents : {a.extents, b.extents, request.axes}) {
      text += " [";
      for (const std::int64_t n : extents) text += std::to_string(n) + " ";
      text += "]";
    }
    return text;
  }

  void expect(const Array& got) const {
    for (std::int64_t i = 0; i < got.n(); ++i) {
      ASSERT_LT(static_cast<double>(std::abs(got.values[at(i)] - want.values[at(i)])), static_cast<double>(bound)) << i << " of " << text();
    }
  }

 private:
  // Every product of an a and a b, where it goes in the full convolution, of which SciPy's modes take a part.
  void define(const std::vector<bool>& are_convolved) {
    Extents all, start;
    for (std::size_t i = 0; i < a.extents.size(); ++i) {
      const std::int64_t na = a.extents[i], nb = b.extents[i];
      all.push_back(are_convolved[i] ? na + nb - 1 : std::max(na, nb));
      start.push_back(!are_convolved[i] || request.mode == ConvolveMode::full ? 0
                      : request.mode == ConvolveMode::same                    ? (na + nb - 1 - na) / 2
                                                                              : std::min(na, nb) - 1);
    }
    Array full{all, {}};
    full.values.resize(at(full.n()));
    const Layout places = Layout::dense(all, 1);
    const auto backwards = [&](std::int64_t j) {  // of a correlation
      Extents index(b.extents.size());
      for (std::size_t axis = index.size(); axis-- > 0; j /= b.extents[axis]) {
        index[axis] = j % b.extents[axis];
        if (request.is_correlation && are_convolved[axis]) index[axis] = b.extents[axis] - 1 - index[axis];
      }
      std::int64_t place = 0;
      for (std::size_t axis = 0; axis < index.size(); ++axis) place = place * b.extents[axis] + index[axis];
      return place;
    };
    // Along the other axes: the places of the result that come from both.
    Extents beside = all;
    for (std::size_t axis = 0; axis < all.size(); ++axis)
      if (are_convolved[axis]) beside[axis] = 1;
    const std::int64_t n_beside = Array{beside, {}}.n();
    const auto is_at = [&](std::int64_t i, const Array& array, std::int64_t other) {
      for (std::size_t axis = all.size(); axis-- > 0; i /= array.extents[axis], other /= beside[axis])
        if (!are_convolved[axis] && array.extents[axis] > 1 && i % array.extents[axis] != other % beside[axis]) return false;
      return true;
    };
    for (std::int64_t other = 0; other < n_beside; ++other) {
      const std::int64_t base = place_of(other, beside, places, are_convolved, false);
      for (std::int64_t i = 0; i < a.n(); ++i) {
        if (!is_at(i, a, other)) continue;
        const std::int64_t from = base + place_of(i, a.extents, places, are_convolved, true);
        for (std::int64_t j = 0; j < b.n(); ++j)
          if (is_at(j, b, other))
            full.values[at(from + place_of(j, b.extents, places, are_convolved, true))] += a.values[at(i)] * b.values[at(backwards(j))];
      }
    }
    want.extents = request.out.extents;
    for (std::int64_t i = 0; i < want.n(); ++i) {
      std::int64_t rest = i, place = 0;
      for (std::size_t axis = all.size(); axis-- > 0; rest /= want.extents[axis])
        place += (start[axis] + rest % want.extents[axis]) * places.strides[axis];
      want.values.push_back(full.values[at(place)]);
    }
  }
};

/// body(convolution) in every mode.
template <class T, class Body>
void each_convolution(const Body& body, bool is_complex = false) {
  struct Case {
    Extents a, b;
    std::vector<std::int64_t> axes;
  };
  const std::vector<Case> cases = {{{1}, {1}, {}},
                                   {{50}, {7}, {}},
                                   {{6}, {31}, {}},
                                   {{401}, {97}, {0}},
                                   {{12, 9}, {3, 4}, {}},
                                   {{5, 8, 7}, {2, 8, 3}, {}},
                                   {{31, 29}, {1, 5}, {}},              // a filter of one axis
                                   {{3, 20, 17}, {3, 4, 5}, {1, 2}},    // one by one
                                   {{3, 20, 17}, {1, 4, 5}, {-1, 1}},   // all with the same
                                   {{1, 6, 7}, {4, 5, 5}, {1, 2}},      // the same with all
                                   {{4, 1, 11}, {1, 3, 5}, {2}},        // each with each
                                   {{9, 10, 3}, {4, 4, 1}, {0, 1}},     // colours that lie beside each other
                                   {{2, 8, 5, 6}, {2, 3, 1, 6}, {-3}},  // columns
                                   {{3000}, {21}, {}},                  // in blocks on a CPU
                                   {{13}, {2500}, {}},
                                   {{3, 1700}, {1, 9}, {1}},
                                   {{1500, 2}, {6, 2}, {0}},
                                   {{700, 12}, {3, 5}, {}}};
  unsigned seed = 1;
  for (const ConvolveMode mode : {ConvolveMode::full, ConvolveMode::same, ConvolveMode::valid})
    for (const Case& c : cases)
      for (const bool is_correlation : {false, true}) {
        body(Convolution<T>(c.a, c.b, mode, c.axes, is_correlation, seed++, is_complex));
        if (::testing::Test::HasFailure()) return;
      }
}

}  // namespace crinkle::fft
