// The suite `fft_paper`: its kernels' threads, walked block by block on a host, transform as the library does, meet nowhere without a
// barrier, and ask of memory what docs/fft.md says.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <functional>
#include <numbers>
#include <set>

#include "crinkle/fft.hpp"
#include "harness/random.hpp"
#include "papers/fft/walk.hpp"
#include "papers/suites.hpp"

namespace crinkle::bench::fft_paper_test {
namespace {

using namespace fft_paper;

const std::vector<Sample>& tables() {
  static const std::vector<Sample> made = make_roots();
  return made;
}

std::vector<Sample> random_signals(std::int64_t n_samples) {
  std::vector<Sample> all(static_cast<std::size_t>(n_samples));
  std::uint64_t state = 5;
  const auto next = [&] { return static_cast<float>(static_cast<double>(next_random(state)) * 0x1p-63 - 1); };
  for (Sample& x : all) x = {next(), next()};
  return all;
}

std::vector<Sample> in_reversed_order(const std::vector<Sample>& signals, int n) {
  std::vector<Sample> all(signals.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t in_signal = (std::size_t{1} << n) - 1;
    all[(i & ~in_signal) | static_cast<std::size_t>(reversed(static_cast<std::int32_t>(i & in_signal), n))] = signals[i];
  }
  return all;
}

std::vector<std::complex<double>> transformed(const std::vector<Sample>& signals, int n) {
  std::vector<std::complex<double>> in, out(signals.size());
  for (const Sample& x : signals) in.emplace_back(x.re, x.im);
  const Layout layout = Layout::dense({std::ssize(signals) >> n, std::int64_t{1} << n}, 16);
  const FftPlan plan({.in = layout, .out = layout, .axes = {1}, .real = FftReal::float64});
  std::vector<std::byte> workspace(static_cast<std::size_t>(plan.workspace_bytes()));
  plan.run({in.data(), layout.n_bytes()}, {out.data(), layout.n_bytes()}, {workspace.data(), std::ssize(workspace)});
  return out;
}

/// Within 2^-24·√n in the L2 norm.
void expect_transform(const std::vector<Sample>& have, const std::vector<Sample>& signals, int n, const std::string& what) {
  const std::vector<std::complex<double>> want = transformed(signals, n);
  double difference = 0, sum = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    difference += std::norm(std::complex<double>(have[i].re, have[i].im) - want[i]);
    sum += std::norm(want[i]);
  }
  EXPECT_LT(std::sqrt(difference / sum), 0x1p-24 * std::sqrt(n)) << what;
}

template <Form form>
void expect_form(int n, int log_batch, const Chunks& chunks) {
  const std::string what = std::string(form.order == Order::time        ? "time"
                                       : form.order == Order::frequency ? "frequency"
                                                                        : "Stockham") +
                           ", radix " + std::to_string(1 << form.log_radix) + ", n " + std::to_string(n) + ", batch " +
                           std::to_string(1 << log_batch) + ", c " + std::to_string(chunks.c) + ", k " + std::to_string(chunks.k);
  const std::int64_t n_samples = std::int64_t{1} << (n + log_batch);
  const std::vector<Sample> src = random_signals(n_samples);
  std::vector<Sample> dst(src.size(), Sample{NAN, NAN});
  WalkedMemory memory(tables(), src, dst);
  walk<form>(passes_of(form, n, log_batch, chunks), n_samples, 0, memory);
  EXPECT_EQ(memory.fault(), "") << what;
  expect_transform(dst, form.is_reversed ? src : in_reversed_order(src, n), n, what);
}

template <Form form>
void expect_any_size() {
  for (int n = 1; n <= 11; ++n)
    for (const int log_batch : {0, 3})
      if (n + log_batch >= form.log_radix) expect_form<form>(n, log_batch, {5, 5});
  // Blocks of 2^3 to 2^6 samples: up to eight launches, whose last has any number of stages.
  for (int n = 5; n <= 10; ++n)
    for (int c = 0; c <= 3; ++c)
      for (int k = 1; k <= 4; ++k)
        if (c + k >= 3) expect_form<form>(n, n == 7 ? 2 : 0, {c, k});
}

TEST(PaperFft, decimation_in_time_transforms_any_size_by_any_c_and_k) {
  expect_any_size<Form{.log_radix = 1}>();
  expect_any_size<Form{.log_radix = 2, .is_padded = true}>();
  expect_any_size<Form{.log_radix = 3, .is_padded = true}>();
  expect_any_size<Form{.log_radix = 3, .is_padded = true, .is_folded = true, .has_more_barriers = true}>();
}

TEST(PaperFft, roots_of_two_tables_are_right_too) {
  expect_form<named(Variant::radix_2).form>(15, 0, {5, 5});
  expect_form<named(Variant::radix_8).form>(16, 0, {5, 6});
  struct Plain {
    static Sample root(const Sample* at) { return *at; }
  } memory;
  std::uint64_t state = 3;
  for (int stage = 0; stage <= 26; ++stage)
    for (int time = 0; time < 50; ++time) {
      const auto b = static_cast<std::int64_t>(next_random(state) & ((std::uint64_t{1} << stage) - 1));
      const Sample w = roots_in(tables().data()).at(stage, b, memory);
      const double angle = -2 * std::numbers::pi * std::ldexp(static_cast<double>(b), -(stage + 1));
      EXPECT_NEAR(w.re, std::cos(angle), 0x1p-22) << stage << ", " << b;
      EXPECT_NEAR(w.im, std::sin(angle), 0x1p-22) << stage << ", " << b;
    }
}

TEST(PaperFft, decimation_in_frequency_and_stockham_transform_a_signal_of_a_block) {
  for (const int n : {3, 4, 5, 8, 9, 10}) {
    expect_form<Form{.order = Order::frequency, .log_radix = 3, .is_padded = true}>(n, 1, {0, n});
    expect_form<Form{.order = Order::frequency, .log_radix = 2, .is_folded = true, .has_more_barriers = true}>(n, 0, {0, n});
    expect_form<Form{.order = Order::stockham, .log_radix = 1}>(n, 1, {0, n});
    if (n % 2 == 0) expect_form<Form{.order = Order::stockham, .log_radix = 2, .is_padded = true}>(n, 1, {0, n});
    if (n % 3 == 0) expect_form<Form{.order = Order::stockham, .log_radix = 3, .is_padded = true, .is_folded = true}>(n, 1, {0, n});
  }
}

// --- the table ---------------------------------------------------------------------------------------------------------------------

constexpr Variant columns[] = {
    Variant::global,         Variant::radix_2, Variant::unrolled,   Variant::padded,    Variant::padded_radix_4,
    Variant::padded_radix_8, Variant::folded,  Variant::unreversed, Variant::frequency, Variant::frequency_barriers,
    Variant::stockham};

TEST(PaperFft, every_column_of_the_table_transforms_and_no_block_asks_for_more_than_the_first) {
  constexpr int n = table_stages, log_batch = 2;
  constexpr std::int64_t n_samples = std::int64_t{1} << (n + log_batch);
  const std::vector<Sample> src = random_signals(n_samples);
  for (const Variant v : columns) {
    std::vector<Sample> dst(src.size(), Sample{NAN, NAN});
    WalkedMemory memory(tables(), src, dst);
    const std::vector<Pass> passes = passes_of(v, n, log_batch, {});
    with_constant(v, [&](auto constant) { walk<named(constant()).form>(passes, n_samples, 0, memory); });
    EXPECT_EQ(memory.fault(), "") << named(v).name;
    expect_transform(dst, named(v).form.is_reversed ? src : in_reversed_order(src, n), n, named(v).name);
    EXPECT_EQ(memory.counts(), counts_of(v, passes, n_samples, tables())) << named(v).name;
  }
}

Counts counts_of_column(Variant v) { return counts_of(v, passes_of(v, table_stages, 0, {}), 1 << table_stages, tables()); }
/// Wavefronts that bank conflicts add for one signal: what the paper's "warp serialize" counts.
std::int64_t conflicts_of(Variant v) {
  const Counts counts = counts_of_column(v);
  return counts.takes.taken + counts.puts.taken - counts.takes.least - counts.puts.least;
}

TEST(PaperFft, all_columns_but_the_global_one_are_coalesced) {
  for (const Variant v : columns) {
    const Counts counts = counts_of_column(v);
    const double loads = static_cast<double>(counts.loads.taken) / static_cast<double>(counts.loads.least);
    const double stores = static_cast<double>(counts.stores.taken) / static_cast<double>(counts.stores.least);
    // Of the nine stages the two lowest use half of every sector, which the paper's card did not count as incoherent.
    const double want = v == Variant::global ? (8 + 2 * 2) / 10.0 : 1;
    EXPECT_DOUBLE_EQ(loads, want) << named(v).name;
    EXPECT_DOUBLE_EQ(stores, want) << named(v).name;
  }
}

// Of one signal. The paper's "warp serialize", in thousands: 806, 668, 649, 428, 255, 221, 189, 211, 170, 95.
TEST(PaperFft, bank_conflicts_fall_from_column_to_column_as_in_the_paper) {
  EXPECT_EQ(conflicts_of(Variant::radix_2), 736);
  EXPECT_EQ(conflicts_of(Variant::unrolled), 736);
  EXPECT_EQ(conflicts_of(Variant::padded), 224);
  EXPECT_EQ(conflicts_of(Variant::padded_radix_4), 224);
  EXPECT_EQ(conflicts_of(Variant::padded_radix_8), 96);
  EXPECT_EQ(conflicts_of(Variant::folded), 96);
  EXPECT_EQ(conflicts_of(Variant::unreversed), 64);
  EXPECT_EQ(conflicts_of(Variant::frequency), 96);
  EXPECT_EQ(conflicts_of(Variant::frequency_barriers), 96);
  EXPECT_EQ(conflicts_of(Variant::stockham), 32);
}

TEST(PaperFft, chunks_of_32_bytes_are_enough_to_use_whole_sectors) {
  for (int c = 0; c <= 5; ++c) {
    const std::vector<Pass> passes = passes_of(Variant::radix_8, 20, 0, {c, 10 - c});
    ASSERT_EQ(passes[0].kind, Pass::Kind::reversal);
    const Counts middle = counts_of(Variant::radix_8, {passes[2]}, 1 << 20, tables());
    EXPECT_DOUBLE_EQ(middle.loads.each(), c == 0 ? 32 : c == 1 ? 16 : 8) << c;
    EXPECT_EQ(middle.loads.taken, middle.stores.taken) << c;
    const Counts reversal = counts_of(Variant::radix_8, {passes[0]}, 1 << 20, tables());
    EXPECT_EQ(reversal.loads.taken, reversal.loads.least);
    EXPECT_EQ(reversal.stores.taken, reversal.stores.least);
    EXPECT_EQ(reversal.takes.taken + reversal.puts.taken, reversal.takes.least + reversal.puts.least);
    // ⌈(n − c − k) / k⌉ launches behind the first, and the reversal: the paper's formula is of those between.
    EXPECT_EQ(std::ssize(passes), 2 + (10 + 9 - c) / (10 - c)) << c;
  }
}

// --- the walk -------------------------------------------------------------------------------------------------------------------------

TEST(PaperWalk, threads_that_meet_in_a_cell_are_told) {
  const auto fault_of = [](const std::function<void(WalkedMemory&)>& all) {
    WalkedMemory memory(tables());
    memory.begin_launch(true);
    memory.begin_block(0, 4, 4);
    all(memory);
    return memory.fault();
  };
  const auto write = [](WalkedMemory& m, int thread, int place) { m.be(thread), m.put(place, {1, 0}); };
  const auto read = [](WalkedMemory& m, int thread, int place) { m.be(thread), m.take(place); };
  EXPECT_EQ(fault_of([&](WalkedMemory& m) { write(m, 0, 2), read(m, 0, 2), m.barrier(), read(m, 1, 2), m.barrier(), write(m, 3, 2); }), "");
  EXPECT_NE(fault_of([&](WalkedMemory& m) { write(m, 0, 2), read(m, 1, 2); }), "");
  EXPECT_NE(fault_of([&](WalkedMemory& m) { write(m, 0, 2), write(m, 1, 2); }), "");
  EXPECT_NE(fault_of([&](WalkedMemory& m) { write(m, 0, 2), m.barrier(), read(m, 1, 2), read(m, 2, 2), write(m, 2, 2); }), "");
  EXPECT_NE(fault_of([&](WalkedMemory& m) { read(m, 1, 2); }), "");
  EXPECT_NE(fault_of([&](WalkedMemory& m) { write(m, 1, 4); }), "");
}

TEST(PaperWalk, blocks_that_meet_in_a_sample_are_told) {
  const std::vector<Sample> src(4, Sample{1, 0});
  std::vector<Sample> dst(4);
  WalkedMemory memory(tables(), src, dst);
  memory.begin_launch(true);
  for (const int block : {0, 1}) {
    memory.begin_block(block, 1, 1);
    memory.load(3);  // of the source
    memory.store(block, {2, 0});
  }
  memory.begin_launch(false);
  memory.begin_block(1, 1, 1);
  memory.load(0);
  EXPECT_EQ(memory.fault(), "");
  memory.begin_block(0, 1, 1);
  memory.store(0, {3, 0});
  EXPECT_NE(memory.fault(), "");
}

TEST(PaperFft, loops_of_a_cpu_give_what_the_walk_gives) {
  const auto executor = make_executor(3);
  const auto expect_same = [&](Variant v, int n, int log_batch, const Chunks& chunks) {
    const std::vector<Sample> src = random_signals(std::int64_t{1} << (n + log_batch));
    std::vector<Sample> walked(src.size(), Sample{NAN, NAN}), looped = walked;
    const std::vector<Pass> passes = passes_of(v, n, log_batch, chunks);
    WalkedMemory memory(tables(), src, walked);
    with_constant(v, [&](auto constant) { walk<named(constant()).form>(passes, std::ssize(src), 0, memory); });
    transform_in_loops(v, passes, std::ssize(src), src.data(), looped.data(), tables().data(), *executor)();
    EXPECT_EQ(std::memcmp(walked.data(), looped.data(), src.size() * sizeof(Sample)), 0) << named(v).name << ", n " << n;
  };
  for (const Variant v : columns) expect_same(v, table_stages, 2, {});
  for (const Variant v : {Variant::radix_2, Variant::radix_4, Variant::radix_8})
    for (const Chunks& chunks : {Chunks{5, 5}, Chunks{0, 4}, Chunks{3, 2}}) expect_same(v, 12, 1, chunks);
}

std::set<std::string> names_of(const Request& request) {
  std::set<std::string> names;
  for (const Entry& e : fft_paper_entries(request)) EXPECT_TRUE(names.insert(e.name).second) << e.name;
  return names;
}

TEST(PaperSuite, has_every_size_of_the_figure_and_every_name_once) {
  std::set<std::pair<int, int>> of_a_gpu;
  for (const auto& [log_batch, n] : figure5_sizes(true)) {
    EXPECT_TRUE(of_a_gpu.insert({log_batch, n}).second);
    EXPECT_LE(n + log_batch, 26);
  }
  for (int n = 8; n <= 26; ++n) EXPECT_TRUE(of_a_gpu.contains({0, n})) << n;
  EXPECT_TRUE(of_a_gpu.contains({15, 11}));
  const std::unique_ptr<Site> site = cpu_site(std::shared_ptr<Executor>(make_executor(1)));
  const Effort effort;
  const std::set<std::string> names = names_of({*site, effort, nullptr});
  for (const char* name : {"table1", "figure5_batch1_n256", "figure5_batch1_n262144", "figure5_batch64_n4096", "chunks_c7"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(PaperSuite, chunks_that_no_block_holds_are_refused) {
  const std::unique_ptr<Site> site = cpu_site(std::shared_ptr<Executor>(make_executor(1)));
  const Effort effort;
  const auto with = [&](std::optional<int> c, std::optional<int> k) { return Request{*site, effort, nullptr, {}, {}, {}, c, k}; };
  for (const auto& [c, k] : std::initializer_list<std::pair<std::optional<int>, std::optional<int>>>{{0, 10}, {7, {}}, {{}, 1}, {2, 1}})
    EXPECT_NO_THROW(fft_paper_entries(with(c, k)));
  for (const auto& [c, k] : std::initializer_list<std::pair<std::optional<int>, std::optional<int>>>{
           {-1, 5}, {5, 0}, {5, 6}, {1, 1}, {10, {}}, {2000000000, 2000000000}})
    EXPECT_THROW(fft_paper_entries(with(c, k)), Error);
}

}  // namespace
}  // namespace crinkle::bench::fft_paper_test
