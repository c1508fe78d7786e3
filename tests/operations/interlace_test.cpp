// interlace and deinterlace with separate buffers, byte order and byte planes, all against loops.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "crinkle/operations.hpp"
#include "operations/naive.hpp"

namespace crinkle::testing::interlace_test {
namespace {

const std::vector<Extents> shapes{{}, {1}, {0}, {7}, {3, 5}, {2, 1, 4}};

TEST(interlace, puts_n_arrays_on_a_new_axis_anywhere) {
  for_each_source(
      [](const Array& array, const Source& source) {
        const auto rank = static_cast<std::int64_t>(array.extents.size());
        const auto lie = source.layout;
        for (std::int64_t n = 1; n <= 9; ++n) {
          std::vector<Array> arrays;
          std::vector<Bytes> buffers;
          for (std::int64_t k = 0; k < n; ++k) {
            arrays.push_back(numbered(array.extents, array.element_bytes, static_cast<std::uint64_t>(k + 1)));
            Bytes buffer(source.buffer.size(), std::byte{0xEE});
            for_each_index(array.extents, [&](const Index& i) {
              std::int64_t at = lie.offset;
              for (std::size_t a = 0; a < i.size(); ++a) at += i[a] * lie.strides[a];
              const Bytes value = arrays.back().element(i);
              std::copy(value.begin(), value.end(), buffer.begin() + at);
            });
            buffers.push_back(buffer);
          }
          for (std::int64_t axis = -rank - 1; axis <= rank; ++axis) {
            const auto place = static_cast<std::ptrdiff_t>(axis < 0 ? axis + rank + 1 : axis);
            Extents extents = array.extents;
            extents.insert(extents.begin() + place, n);
            Array expected = filled(extents, array.element_bytes, std::byte{0});
            for_each_index(extents, [&](const Index& i) {
              Index from = i;
              from.erase(from.begin() + place);
              expected.set(i, arrays[static_cast<std::size_t>(i[static_cast<std::size_t>(place)])].element(from));
            });
            const Rearrangement r = interlace(lie, n, axis);
            ASSERT_EQ(r.n_sources(), n);
            ASSERT_EQ(r.n_destinations(), 1);
            ASSERT_EQ(r.destination().extents, extents);
            ASSERT_EQ(run(r, buffers, r.destination().n_bytes())[0], expected.bytes) << n << " arrays, axis " << axis;
            ASSERT_EQ(r.boxes().size(), array.bytes.empty() ? 0u : 1u);
          }
        }
      },
      shapes);
}

TEST(deinterlace, writes_one_buffer_for_each_index_of_an_axis) {
  for (std::int64_t n = 1; n <= 9; ++n) {
    for_each_source(
        [&](const Array& array, const Source& source) {
          const auto rank = static_cast<std::int64_t>(array.extents.size());
          for (std::int64_t axis = -rank; axis < rank; ++axis) {
            const auto place = static_cast<std::ptrdiff_t>(axis < 0 ? axis + rank : axis);
            const std::int64_t n_buffers = array.extents[static_cast<std::size_t>(place)];
            Extents extents = array.extents;
            extents.erase(extents.begin() + place);
            const Rearrangement r = deinterlace(source.layout, axis);
            ASSERT_EQ(r.n_destinations(), n_buffers);
            ASSERT_EQ(r.destination().extents, extents);
            const std::vector<Bytes> result = run(r, {source.buffer}, r.destination().n_bytes());
            for (std::int64_t k = 0; k < n_buffers; ++k) {
              const Array expected = naive(array, extents, [&](Index i) {
                i.insert(i.begin() + place, k);
                return i;
              });
              ASSERT_EQ(result[static_cast<std::size_t>(k)], expected.bytes) << "axis " << axis << ", buffer " << k;
            }
          }
        },
        {{n}, {3, n}, {n, 2}, {2, n, 3}});
  }
}

TEST(deinterlace, undoes_interlace) {
  const Layout each = Layout::dense({4, 5}, 3);
  for (std::int64_t axis = 0; axis <= 2; ++axis) {
    const Rearrangement together = interlace(each, 4, axis);
    std::vector<Bytes> buffers;
    for (std::uint64_t k = 0; k < 4; ++k) buffers.push_back(numbered({4, 5}, 3, k).bytes);
    const std::vector<Bytes> mixed = run(together, buffers, together.destination().n_bytes());
    EXPECT_EQ(run(deinterlace(together.destination(), axis), mixed, each.n_bytes()), buffers);
    EXPECT_EQ(run(together.inverse(), mixed, each.n_bytes()), buffers);
  }
}

TEST(interlace, takes_verbs_like_any_other_map) {
  const Layout each = Layout::dense({6}, 4);
  const std::vector<Bytes> buffers{numbered({6}, 4, 1).bytes, numbered({6}, 4, 2).bytes, numbered({6}, 4, 3).bytes};
  const Rearrangement r = interlace(each, 3).flip("@0").roll("@1", 1);  // the buffers' axis is the last input axis
  const Bytes result = run(r, buffers, r.destination().n_bytes())[0];
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Bytes& from = buffers[(k + 2) % 3];
      EXPECT_TRUE(std::equal(result.begin() + static_cast<std::ptrdiff_t>(4 * (3 * i + k)),
                             result.begin() + static_cast<std::ptrdiff_t>(4 * (3 * i + k) + 4),
                             from.begin() + static_cast<std::ptrdiff_t>(4 * (5 - i))));
    }
  }
}

TEST(byte_swap, reverses_the_bytes_of_every_element) {
  for_each_source([](const Array& array, const Source& source) {
    Array expected = array;
    for_each_index(array.extents, [&](const Index& i) {
      Bytes value = array.element(i);
      std::reverse(value.begin(), value.end());
      expected.set(i, value);
    });
    ASSERT_EQ(moved(byte_swap(source.layout), source), expected);
  });
}

TEST(byte_shuffle, puts_byte_b_of_every_element_together_and_its_inverse_puts_it_back) {
  for_each_source([](const Array& array, const Source& source) {
    const std::int64_t e = array.element_bytes;
    Extents extents = array.extents;
    extents.insert(extents.begin(), e);
    Array expected = filled(extents, 1, std::byte{0});
    for_each_index(
        extents, [&](const Index& i) { expected.set(i, {array.element(Index(i.begin() + 1, i.end()))[static_cast<std::size_t>(i[0])]}); });
    const Rearrangement r = byte_shuffle(source.layout);
    ASSERT_EQ(moved(r, source), expected);
    if (source.layout == Layout::dense(array.extents, e)) {
      const Array back = moved(r.inverse(), expected);
      ASSERT_EQ(back.bytes, array.bytes);
    }
  });
}

TEST(bit_planes, hold_bit_b_of_every_element) {
  for (const std::int64_t e : {1, 2, 3, 4, 8, 12, 16}) {
    for (const std::int64_t n : {0, 1, 7, 8, 9, 16, 29, 64}) {
      const Bytes src = numbered({n}, e).bytes;
      const std::int64_t plane = (n + 7) / 8;
      ASSERT_EQ(bit_planes_bytes(n, e), 8 * e * plane);
      Bytes expected(static_cast<std::size_t>(bit_planes_bytes(n, e)), std::byte{0});
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t b = 0; b < 8 * e; ++b) {
          const bool is_set = (src[static_cast<std::size_t>(i * e + b / 8)] >> (b % 8) & std::byte{1}) != std::byte{0};
          if (is_set) expected[static_cast<std::size_t>(b * plane + i / 8)] |= std::byte{1} << static_cast<int>(i % 8);
        }
      }
      Bytes planes(expected.size(), poison);
      bit_planes(src, planes, n, e);
      ASSERT_EQ(planes, expected) << n << " elements of " << e;
      Bytes back(src.size(), poison);
      from_bit_planes(planes, back, n, e);
      ASSERT_EQ(back, src) << n << " elements of " << e;
    }
  }
}

TEST(bit_planes, of_ranges_are_those_of_the_whole) {
  for (const std::int64_t e : {1, 3, 4}) {
    const std::int64_t n = 45;
    const Bytes elements = numbered({n}, e, 5).bytes;
    Bytes whole(static_cast<std::size_t>(bit_planes_bytes(n, e))), planes(whole.size(), poison), back(elements.size(), poison);
    bit_planes(elements, whole, n, e);
    for (const ElementRange some : {ElementRange{16, 24}, ElementRange{40, 5}, ElementRange{0, 16}, ElementRange{8, 0}}) {
      const auto at = static_cast<std::size_t>(some.first * e), count = static_cast<std::size_t>(some.count * e);
      bit_planes(std::span(elements).subspan(at, count), planes, n, e, some);
      from_bit_planes(whole, std::span(back).subspan(at, count), n, e, some);
    }
    EXPECT_EQ(planes, whole);
    EXPECT_EQ(back, elements);
    for (const ElementRange wrong : {ElementRange{4, 8}, ElementRange{8, 4}, ElementRange{-8, 8}, ElementRange{40, 8}, ElementRange{0, -8}})
      EXPECT_THROW(bit_planes(elements, planes, n, e, wrong), Error);
  }
}

TEST(bit_planes, leave_what_lies_behind_them_alone) {
  const Bytes src = numbered({9}, 2).bytes;
  Bytes planes(static_cast<std::size_t>(bit_planes_bytes(9, 2)) + 3, poison);
  bit_planes(src, planes, 9, 2);
  EXPECT_EQ(Bytes(planes.end() - 3, planes.end()), Bytes(3, poison));
}

}  // namespace
}  // namespace crinkle::testing::interlace_test
