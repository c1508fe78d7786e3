// Arrays of any layout, axes, kinds, norms and sizes against the definition; in place; the same bits on any number of threads.
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/mman.h>

#include "fft/random_requests.hpp"
#include "support/threads.hpp"

namespace crinkle::fft::layouts_test {
namespace {

template <class T>
void expect_random_requests(int n_cases, unsigned seed) {
  std::mt19937 random(seed);
  for (int c = 0; c < n_cases; ++c) {
    const RandomRequest drawn = random_request<T>(random);
    const FftRequest& request = drawn.request;
    const Array array = random_array(request.in.extents, static_cast<unsigned>(c), drawn.is_real_in());
    Bytes src(bytes_of(request.in), static_cast<std::int64_t>(random() % 2) * 4), dst(bytes_of(request.out), 4);
    put_array<T>(request.in, array, drawn.is_real_in(), src);
    const Bytes before = src;
    Threads executor(1 + c % 3);
    const FftPlan plan(request);
    run(plan, src.buffer(), dst.buffer(), executor);
    ASSERT_TRUE(src == before) << c;
    ASSERT_TRUE(dst.is_intact_around()) << c;
    const Array want = definition(array, request, drawn.axes, drawn.sizes), got = get_array<T>(request.out, drawn.is_real_out(), dst);
    const long double error = error_of<T>(got.values, want.values, 2 * want.n());
    ASSERT_LE(error, want.n() < 16 ? 4.0L : 2.0L) << "case " << c << '\n' << plan.describe();
  }
}

TEST(Layouts, random_requests_of_float32_are_the_definition) { expect_random_requests<float>(300, 1); }
TEST(Layouts, random_requests_of_float64_are_the_definition) { expect_random_requests<double>(300, 2); }

// Short lines one behind the other, of which several go into lanes at once, and some are left.
template <class T>
void expect_rows(FftKind kind) {
  const std::int64_t n_lines = 19, number = 2 * sizeof(T);
  const bool is_real_in = kind == FftKind::real_to_complex, is_real_out = kind == FftKind::complex_to_real;
  for (std::int64_t n = 1; n <= 130; n += n < 70 ? 1 : 3) {
    const std::int64_t half = n / 2 + 1;
    const FftRequest request{.in = Layout::dense({n_lines, is_real_out ? half : n}, is_real_in ? number / 2 : number),
                             .out = Layout::dense({n_lines, is_real_in ? half : n}, is_real_out ? number / 2 : number),
                             .axes = {1},
                             .kind = kind,
                             .direction = n % 2 == 0 ? FftDirection::forward : FftDirection::inverse,
                             .real = real_of<T>,
                             .sizes = {n}};
    const Array array = random_array(request.in.extents, static_cast<unsigned>(n), is_real_in);
    Bytes src(bytes_of(request.in)), dst(bytes_of(request.out));
    put_array<T>(request.in, array, is_real_in, src);
    run(FftPlan(request), src.buffer(), dst.buffer());
    ASSERT_TRUE(dst.is_intact_around()) << n;
    const Array want = definition(array, request, {1}, {n}), got = get_array<T>(request.out, is_real_out, dst);
    ASSERT_LE(error_of<T>(got.values, want.values, 2 * n), 2.1L) << n;
  }
}

TEST(Layouts, short_rows_of_every_length) {
  for (const FftKind kind : {FftKind::complex_to_complex, FftKind::real_to_complex, FftKind::complex_to_real}) {
    expect_rows<float>(kind);
    expect_rows<double>(kind);
  }
}

// A transform of the axes, in place and not, on 1, 2, 3 and 7 threads.
template <class T>
void expect_equal_bits(const Extents& extents, const std::vector<std::int64_t>& axes) {
  const std::int64_t number = 2 * sizeof(T);
  const Layout layout = Layout::dense(extents, number);
  const FftPlan plan(FftRequest{.in = layout, .out = layout, .axes = axes, .real = real_of<T>});
  const Array array = random_array(extents, 5, false);
  Bytes src(layout.n_bytes());
  put_array<T>(layout, array, false, src);
  std::vector<Bytes> results;
  for (const int n_threads : {1, 2, 3, 7}) {
    Threads executor(n_threads);
    Bytes dst(layout.n_bytes()), both = src;
    run(plan, src.buffer(), dst.buffer(), executor);
    run(plan, both.buffer(), both.buffer(), executor);
    EXPECT_TRUE(both == dst) << "in place on " << n_threads << " threads";
    results.push_back(dst);
    EXPECT_TRUE(dst == results[0]) << n_threads << " threads";
  }
}

TEST(Layouts, in_place_and_on_any_threads_the_bits_are_the_same) {
  expect_equal_bits<float>({64, 32, 40}, {0, 1, 2});
  expect_equal_bits<double>({37, 250}, {0});
  expect_equal_bits<float>({5, 9, 101}, {2, 1});
  expect_equal_bits<double>({100000}, {0});
  expect_equal_bits<float>({2, 147456}, {1});  // each line shared among threads
  expect_equal_bits<double>({65536}, {0});
}

TEST(Layouts, the_last_axis_of_an_array_with_a_row_of_one_number) {
  expect_equal_bits<float>({1, 64, 1}, {1});
  expect_equal_bits<float>({64, 1, 1}, {0, 1, 2});
}

// Two columns side by side, and one of 1028.
TEST(Layouts, long_columns) {
  for (const auto& [n, n_columns] : {std::pair<std::int64_t, std::int64_t>{4096, 2}, {4096, 1028}, {8192, 2}, {8192, 1028}}) {
    const Layout layout{{n, 2}, {n_columns * 8, 8}, 0, 8};
    const Array array = random_array({n, 2}, 3, false);
    Bytes src(bytes_of(layout), 4), dst(bytes_of(layout), 4);
    put_array<float>(layout, array, false, src);
    run(FftPlan(FftRequest{.in = layout, .out = layout, .axes = {0}}), src.buffer(), dst.buffer());
    const Array got = get_array<float>(layout, false, dst);
    for (std::size_t column = 0; column < 2; ++column) {
      Series x, y;
      for (std::int64_t j = 0; j < n; ++j) {
        x.push_back(array.values[at(2 * j) + column]);
        y.push_back(got.values[at(2 * j) + column]);
      }
      EXPECT_LE(error_of<float>(y, transformed<double>(x, n), n), 0.75L) << n << ", " << n_columns;
    }
  }
}

// Addresses of which few have memory.
class Far {
 public:
  explicit Far(std::int64_t n)
      : n_(at(n)), first_(mmap(nullptr, n_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    if (first_ == MAP_FAILED) throw std::runtime_error("no addresses");
  }
  ~Far() { munmap(first_, n_); }
  Far(const Far&) = delete;
  Far& operator=(const Far&) = delete;
  std::byte* data() { return static_cast<std::byte*>(first_); }
  Buffer buffer() { return {first_, static_cast<std::int64_t>(n_)}; }

 private:
  std::size_t n_;
  void* first_;
};

TEST(Layouts, numbers_more_than_four_thousand_million_bytes_apart) {
  constexpr std::int64_t far = (std::int64_t{1} << 32) + 24;
  for (const Layout& layout :
       {Layout{{5, 12}, {far, 8}, 0, 8}, Layout{{12, 5}, {8, -far}, 4 * far, 8}, Layout{{3, 2, 9}, {2 * far, far, 8}, 0, 8}}) {
    std::vector<std::size_t> axes(layout.extents.size());
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    const Array array = random_array(layout.extents, 6, false);
    Far src(bytes_of(layout)), dst(bytes_of(layout));
    put_array<float>(layout, array, false, src.data());
    const FftRequest request{.in = layout, .out = layout, .axes = {axes.begin(), axes.end()}};
    run(FftPlan(request), src.buffer(), dst.buffer());
    const Series got = get_array<float>(layout, false, dst.data()).values;
    EXPECT_LE(error_of<float>(got, definition(array, request, axes, layout.extents).values, array.n()), 1.0L);
  }
}

TEST(Layouts, complex_to_real_of_96_cubed_comes_back) {
  const Layout real = Layout::dense({96, 96, 96}, 4), half = Layout::dense({96, 96, 49}, 8);
  const Array array = random_array(real.extents, 11, true);
  Bytes src(real.n_bytes()), between(half.n_bytes()), dst(real.n_bytes());
  put_array<float>(real, array, true, src);
  run(FftPlan(FftRequest{.in = real, .out = half, .axes = {0, 1, 2}, .kind = FftKind::real_to_complex}), src.buffer(), between.buffer());
  run(FftPlan(FftRequest{.in = half, .out = real, .axes = {0, 1, 2}, .kind = FftKind::complex_to_real, .direction = FftDirection::inverse}),
      between.buffer(), dst.buffer());
  EXPECT_LE(error_of<float>(get_array<float>(real, true, dst).values, array.values, array.n()), 1.5L);
}

}  // namespace
}  // namespace crinkle::fft::layouts_test
