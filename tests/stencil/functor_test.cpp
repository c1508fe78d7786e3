// Stencils of the user's own: the same as lists of points where they are the same sums, at every boundary; several fields, ranks 1 to 6,
// any strides; one result or several; cell by cell as all at once.
// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <tuple>

#include "crinkle/half.hpp"
#include "crinkle/stencil_loops.hpp"
#include "stencil/stencils.hpp"
#include "support/threads.hpp"

namespace crinkle::functor_test {
namespace {

using Plane = Array<std::int64_t, 2>;

struct Sum5 {
  using Radius = crinkle::Radius<1, 2>;
  float c[5];
  template <class At>
  CRINKLE_HD float operator()(const At& at) const {
    return c[0] * at(offset<0, 0>) + c[1] * at(offset<-1, 0>) + c[2] * at(offset<1, 1>) + c[3] * at(offset<0, -2>) +
           c[4] * at(offset<0, 2>);
  }
};

Sweep sum_5(const Extents& extents, const Faces& a, const Faces& b) {
  LinearStencil stencil{"sum of 5", 2, {{{0, 0, -1, 0, 1, 1, 0, -2, 0, 2}, {0.5, -1.25, 3.7, 0.1, 1e-3}}}};
  return sweep_of(stencil, extents, {Number::float32}, {0, 1}, {a, b});
}

const std::vector<Faces> some_faces = {Faces(Bound::periodic), Faces(Bound::edge), Faces(Bound::reflect),
                                       Faces({Bound::symmetric}, {Bound::constant, 2}), Faces({Bound::constant, 3}, {Bound::reflect})};

TEST(Functor, equals_the_list_of_the_same_points) {
  for (const Faces& a : some_faces) {
    for (const Faces& b : some_faces) {
      for (const Extents& extents : {Extents{1, 1}, Extents{2, 3}, Extents{3, 4}, Extents{9, 33}}) {
        const Sweep sweep = sum_5(extents, a, b);
        const Bytes source = numbers_for(sweep.source, sweep.source_type);
        Bytes got(source.size());
        const auto in = field_of<2>(reinterpret_cast<const float*>(source.data()), sweep.source);
        const auto out = field_of<2>(reinterpret_cast<float*>(got.data()), sweep.destination);
        const auto made = stencil(Sum5{{0.5f, -1.25f, 3.7f, 0.1f, 1e-3f}}, Array<Faces, 2>{a, b}, in);
        crinkle::sweep(made, out);
        EXPECT_TRUE(got == swept_by_reference(sweep, source)) << told(sweep);
        for (std::int64_t y = 0; y < extents[0]; ++y)
          for (std::int64_t x = 0; x < extents[1]; ++x) {
            const float one = made.cell(Plane{y, x});
            EXPECT_EQ(0, std::memcmp(&one, out.at(Plane{y, x}), sizeof one)) << told(sweep);
          }
      }
    }
  }
}

TEST(Functor, fields_of_half) {
  Sweep sweep = sum_5({9, 33}, Faces(Bound::reflect), Faces({Bound::constant, 3}, {Bound::symmetric}));
  sweep.source_type = sweep.destination_type = {Number::float16};
  sweep.source = sweep.destination = dense(sweep.source.extents, sweep.source_type);
  const Bytes source = numbers_for(sweep.source, sweep.source_type);
  Bytes got(source.size());
  const auto in = field_of<2>(reinterpret_cast<const Half*>(source.data()), sweep.source);
  crinkle::sweep(stencil(Sum5{{0.5f, -1.25f, 3.7f, 0.1f, 1e-3f}}, Array<Faces, 2>{sweep.boundary[0], sweep.boundary[1]}, in),
                 field_of<2>(reinterpret_cast<Half*>(got.data()), sweep.destination));
  EXPECT_TRUE(got == swept_by_reference(sweep, source));
}

TEST(Functor, any_strides_and_any_number_of_threads) {
  const Sweep sweep = sum_5({40, 50}, Faces(Bound::symmetric), Faces(Bound::periodic));
  const Bytes source = numbers_for(sweep.source, sweep.source_type), want = swept_by_reference(sweep, source);
  const auto in = field_of<2>(reinterpret_cast<const float*>(source.data()), sweep.source);
  for (const int n : {1, 3}) {
    Threads threads(n);
    std::vector<float> columns(40 * 50 * 2);
    const StencilField<float, 2> out{
        columns.data() + 39 * 2, {40, 50}, {-2, 80}};  // rows upside down in every other element, column by column
    crinkle::sweep(stencil(Sum5{{0.5f, -1.25f, 3.7f, 0.1f, 1e-3f}}, {sweep.boundary[0], sweep.boundary[1]}, in), out, threads);
    std::vector<float> back;
    for (std::int64_t y = 0; y < 40; ++y)
      for (std::int64_t x = 0; x < 50; ++x) back.push_back(*out.at(Plane{y, x}));
    EXPECT_EQ(0, std::memcmp(back.data(), want.data(), want.size()));
  }
}

struct Advected {
  using Radius = crinkle::Radius<1>;
  template <class At>
  CRINKLE_HD double operator()(const At& at) const {
    return at(offset<0>) - static_cast<double>(at(offset<0>, input<1>)) * (at(offset<1>) - at(offset<-1>)) +
           static_cast<double>(at.index(0) * at.extent(0));
  }
};

TEST(Functor, reads_several_fields_of_several_types) {
  std::vector<double> q = {1, 4, 9, 16}, out(4);
  std::vector<std::int16_t> v = {1, -2, 3, 0};
  const Array<std::int64_t, 1> n{4};
  const auto made = stencil(Advected{}, filled<1>(Faces(Bound::edge)), dense_field(q.data(), n), dense_field(v.data(), n));
  sweep(made, dense_field(out.data(), n));
  EXPECT_EQ(out, (std::vector<double>{1 - 3, 4 + 2 * 8 + 4, 9 - 3 * 12 + 8, 16 + 12}));
}

// What two walls and a moving lid do, and what a second field is beyond them.
struct Walled {
  using Radius = crinkle::Radius<1, 1>;
  template <class At>
  CRINKLE_HD double operator()(const At& at) const {
    return at(offset<-1, 0>) + 10 * at(offset<1, 0>) + 100 * at(offset<0, -1>) + 1000 * at(offset<0, 1>) + 1e4 * at(offset<1, 1>, input<1>);
  }
  template <class Cells>
  CRINKLE_HD double beyond(const Cells& cells, Input<0>) const {
    return -2 * cells(cells.nearest(), input<1>) - (cells.index(0) == cells.extent(0) ? 7 : 0);
  }
  template <class Cells>
  CRINKLE_HD int beyond(const Cells& cells, Input<1>) const {
    return static_cast<int>(100 * cells.index(0) + cells.index(1));
  }
};

TEST(Functor, says_itself_what_lies_beyond_its_faces) {
  constexpr int ny = 3, nx = 4;
  std::vector<double> q(ny * nx), out(ny * nx);
  std::vector<int> p(ny * nx);
  for (int i = 0; i < ny * nx; ++i) q[static_cast<std::size_t>(i)] = i * i, p[static_cast<std::size_t>(i)] = 3 * i - 5;
  const Plane n{ny, nx};
  // Periodic along x: only what lies beyond y is asked for, at an x inside.
  const auto made = stencil(Walled{}, {Faces(Bound::function), Faces(Bound::periodic)}, dense_field(q.data(), n), dense_field(p.data(), n));
  sweep(made, dense_field(out.data(), n));
  const auto at = [&](int y, int x) { return static_cast<std::size_t>(y * nx + (x + nx) % nx); };
  const auto first = [&](int y, int x) { return y < 0 || y >= ny ? -2.0 * p[at(y < 0 ? 0 : ny - 1, x)] - (y == ny ? 7 : 0) : q[at(y, x)]; };
  const auto second = [&](int y, int x) { return y < 0 || y >= ny ? 100 * y + (x + nx) % nx : p[at(y, x)]; };
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x)
      EXPECT_EQ(out[at(y, x)],
                first(y - 1, x) + 10 * first(y + 1, x) + 100 * first(y, x - 1) + 1000 * first(y, x + 1) + 1e4 * second(y + 1, x + 1))
          << y << ' ' << x;
}

struct Turned {
  using Radius = crinkle::Radius<1, 1>;
  template <class At>
  CRINKLE_HD float operator()(const At& at) const {
    return at(offset<0, 0>) - 1.25f * at(offset<-1, 0>, input<1>) + at(offset<1, 1>);
  }
};
struct Swapped {
  using Radius = crinkle::Radius<1, 1>;
  template <class At>
  CRINKLE_HD float operator()(const At& at) const {
    return at(offset<0, 0>, input<1>) + 0.75f * at(offset<0, -1>);
  }
};
template <class Results>
struct Both {
  using Radius = crinkle::Radius<1, 1>;
  template <class At>
  CRINKLE_HD Results operator()(const At& at) const {
    return {Turned{}(at), Swapped{}(at)};
  }
};

struct Middle {
  using Radius = crinkle::Radius<0>;
  template <class At>
  CRINKLE_HD float operator()(const At& at) const {
    return at(offset<0>);
  }
};

// Two results are those of two stencils, into arrays of their own and side by side in records.
template <class Results, class A, class B>
void expect_both() {
  struct Record {
    A a;
    B b;
  };
  for (const Faces& faces : {Faces(Bound::periodic), Faces({Bound::reflect}, {Bound::constant, 2})}) {
    for (const Plane& n : {Plane{1, 1}, Plane{3, 2}, Plane{5, 40}, Plane{200, 301}}) {
      const auto n_cells = static_cast<std::size_t>(n[0] * n[1]);
      std::vector<float> u(n_cells), v(n_cells);
      for (std::size_t i = 0; i < n_cells; ++i) u[i] = static_cast<float>(i % 17), v[i] = static_cast<float>(i * i % 23) - 9;
      const auto made = [&](const auto& f) { return stencil(f, filled<2>(faces), dense_field(u.data(), n), dense_field(v.data(), n)); };
      std::vector<A> a(n_cells), want_a(n_cells);
      std::vector<B> b(n_cells), want_b(n_cells);
      sweep(made(Turned{}), dense_field(want_a.data(), n));
      sweep(made(Swapped{}), dense_field(want_b.data(), n));
      Threads threads(3);
      sweep(made(Both<Results>{}), std::tuple(dense_field(a.data(), n), dense_field(b.data(), n)), threads);
      EXPECT_EQ(0, std::memcmp(a.data(), want_a.data(), n_cells * sizeof(A)));
      EXPECT_EQ(0, std::memcmp(b.data(), want_b.data(), n_cells * sizeof(B)));

      std::vector<Record> records(n_cells);
      const auto step = [&](auto size) { return static_cast<std::int64_t>(sizeof(Record) / sizeof size); };
      const StencilField<A, 2> to_a{&records[0].a, n, {n[1] * step(A{}), step(A{})}};
      const StencilField<B, 2> to_b{&records[0].b, n, {n[1] * step(B{}), step(B{})}};
      sweep(made(Both<Results>{}), std::tuple(to_a, to_b), threads);
      for (std::size_t i = 0; i < n_cells; ++i) {
        ASSERT_EQ(0, std::memcmp(&records[i].a, &want_a[i], sizeof(A)));
        ASSERT_EQ(0, std::memcmp(&records[i].b, &want_b[i], sizeof(B)));
      }
    }
  }
}
TEST(Functor, has_one_result_or_several) {
  expect_both<Array<float, 2>, float, float>();
  expect_both<std::array<float, 2>, Half, std::int32_t>();
  expect_both<std::tuple<float, float>, std::int16_t, double>();
}

TEST(Functor, stores_integers_without_their_fractions) {
  const std::vector<float> u = {2.75f, -2.75f, 7};
  std::vector<std::int8_t> out(3);
  const Array<std::int64_t, 1> n{3};
  sweep(stencil(Middle{}, filled<1>(Faces(Bound::edge)), dense_field(u.data(), n)), dense_field(out.data(), n));
  EXPECT_EQ(out, (std::vector<std::int8_t>{2, -2, 7}));
}

struct Far6 {
  using Radius = crinkle::Radius<1, 1, 1, 1, 1, 1>;
  template <class At>
  CRINKLE_HD double operator()(const At& at) const {
    return at(offset<1, -1, 1, -1, 1, -1>) + 2.0 * at(offset<0, 0, 1, 0, 0, 0>);
  }
};

TEST(Functor, has_up_to_six_axes) {
  LinearStencil list{"far", 6, {{{1, -1, 1, -1, 1, -1, 0, 0, 1, 0, 0, 0}, {1, 2}}}};
  const Sweep sweep = sweep_of(list, {2, 3, 4, 2, 3, 5}, {Number::float64}, {0, 1, 2, 3, 4, 5}, {Faces(Bound::reflect)});
  const Bytes source = numbers_for(sweep.source, sweep.source_type);
  Bytes got(source.size());
  const auto in = field_of<6>(reinterpret_cast<const double*>(source.data()), sweep.source);
  crinkle::sweep(stencil(Far6{}, filled<6>(Faces(Bound::reflect)), in), field_of<6>(reinterpret_cast<double*>(got.data()), sweep.source));
  EXPECT_TRUE(got == swept_by_reference(sweep, source));
}

struct Doubled {
  using Radius = crinkle::Radius<0>;
  template <class At>
  CRINKLE_HD Array<double, 2> operator()(const At& at) const {
    return {{at(offset<0>), 2 * at(offset<0>)}};
  }
};

TEST(Functor, refuses_what_cannot_be) {
  std::vector<double> q(8);
  const Array<std::int64_t, 1> n{4};
  const auto code_of = [](const auto& body) {
    try {
      body();
    } catch (const Error& e) { return e.code(); }
    return ErrorCode::device;
  };
  const auto made = stencil(Advected{}, filled<1>(Faces(Bound::edge)), dense_field(q.data(), n), dense_field(q.data(), n));
  EXPECT_EQ(code_of([&] { sweep(made, dense_field(q.data() + 3, n)); }), ErrorCode::overlap);
  EXPECT_EQ(code_of([&] { sweep(made, dense_field(q.data() + 4, Array<std::int64_t, 1>{3})); }), ErrorCode::bad_shape);
  std::vector<double> r(4);
  const auto pairs = stencil(Doubled{}, filled<1>(Faces(Bound::edge)), dense_field(q.data(), n));
  sweep(pairs, std::tuple(dense_field(q.data() + 4, n), dense_field(r.data(), n)));
  EXPECT_EQ(code_of([&] { sweep(pairs, std::tuple(dense_field(r.data(), n), dense_field(q.data() + 1, n))); }), ErrorCode::overlap);
  EXPECT_EQ(code_of([&] { sweep(pairs, std::tuple(dense_field(r.data(), n), dense_field(r.data(), n))); }), ErrorCode::overlap);
  const Array<std::int64_t, 1> fewer{3};
  EXPECT_EQ(code_of([&] { sweep(pairs, std::tuple(dense_field(r.data(), n), dense_field(q.data() + 4, fewer))); }), ErrorCode::bad_shape);
  const auto half_periodic =
      stencil(Advected{}, filled<1>(Faces({Bound::edge}, {Bound::periodic})), dense_field(q.data(), n), dense_field(q.data(), n));
  EXPECT_EQ(code_of([&] { sweep(half_periodic, dense_field(q.data() + 4, n)); }), ErrorCode::bad_shape);
  const auto no_function = stencil(Advected{}, filled<1>(Faces(Bound::function)), dense_field(q.data(), n), dense_field(q.data(), n));
  EXPECT_EQ(code_of([&] { sweep(no_function, dense_field(q.data() + 4, n)); }), ErrorCode::bad_shape);
  EXPECT_EQ(code_of([&] { Sweeper(sum_5({4, 4}, Faces(Bound::function), Faces(Bound::edge))); }), ErrorCode::bad_shape);
  EXPECT_EQ(code_of([&] { field_of<1>(q.data(), Layout{{3}, {12}, 0, 8}); }), ErrorCode::bad_shape);
}

}  // namespace
}  // namespace crinkle::functor_test
