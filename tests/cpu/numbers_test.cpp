// Elements of 8 and 16 bits from and to numbers, as to_element() and from_element() say, on every instruction set.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "base/number_element.hpp"
#include "cpu/number_kernels.hpp"

namespace crinkle::numbers_test {
namespace {

template <class E, class T>
void expect_same(Number number) {
  std::vector<E> elements;
  for (int i = 0; i < 65536 + 7; ++i) elements.push_back(static_cast<E>(i));
  std::vector<T> numbers = {std::numeric_limits<T>::quiet_NaN(),
                            std::numeric_limits<T>::infinity(),
                            -std::numeric_limits<T>::infinity(),
                            static_cast<T>(1e30),
                            static_cast<T>(-1e30),
                            T{3e9},
                            T{-3e9},
                            -T{0}};
  for (int i = -70000 * 4; i < 70000 * 4; ++i) numbers.push_back(static_cast<T>(i) / 4);
  for (const T half : {T{0.5}, T{1.5}, T{254.5}, T{255.5}, T{-0.5}, T{32766.5}, T{32767.5}, T{-32768.5}, T{65534.5}, T{65535.5}})
    for (const T to : {-T{1e9}, T{1e9}}) numbers.push_back(std::nextafter(half, to));
  for (const simd::NumberKernels* kernels : simd::NumberKernels::all()) {
    const simd::NumbersOf<T>* const of = kernels->of<T>({number});
    ASSERT_NE(of, nullptr);
    for (const std::int64_t n : {std::ssize(elements), std::int64_t{5}, std::int64_t{0}}) {
      std::vector<T> made(elements.size(), T{-1});
      of->load(reinterpret_cast<const std::byte*>(elements.data()), n, made.data());
      for (std::size_t i = 0; i < made.size(); ++i)
        ASSERT_EQ(made[i], i < static_cast<std::size_t>(n) ? from_element<T>(elements[i]) : T{-1}) << kernels->target;
    }
    std::vector<E> made(numbers.size() + 1, E{77});
    of->store(numbers.data(), std::ssize(numbers), reinterpret_cast<std::byte*>(made.data()));
    for (std::size_t i = 0; i < numbers.size(); ++i)
      ASSERT_EQ(made[i], to_element<E>(numbers[i])) << numbers[i] << " on " << kernels->target;
    ASSERT_EQ(made.back(), E{77});
  }
}

template <class E>
void expect_same_of(Number number) {
  expect_same<E, float>(number);
  expect_same<E, double>(number);
}

TEST(Numbers, are_those_of_single_elements_on_every_instruction_set) {
  expect_same_of<std::uint8_t>(Number::uint8);
  expect_same_of<std::uint16_t>(Number::uint16);
  expect_same_of<std::int16_t>(Number::int16);
  EXPECT_EQ(simd::NumberKernels::best().of<float>({Number::int16, true}), nullptr);
  EXPECT_EQ(simd::NumberKernels::best().of<double>({Number::int32}), nullptr);
}

}  // namespace
}  // namespace crinkle::numbers_test
