// The suite `fft_paper`: the variants of paper 1 (Gutierrez, Romero, Trenas and Plata, "Experiences with mapping non-linear memory access
// patterns into GPUs", tables 1a and 1b and figure 5) beside this library's plan and plain copies of as many bytes, complex float32:
//     table1                     2^15 signals of 2^9 samples
//     figure5_batch2^B_n2^N      2^B signals of 2^N samples
//     chunks_c2_k8, …            16 signals of 2^20: how long the chunks are
// Rows count 5·B·N·log2 N operations, as the paper does, whatever a variant computes, and what warps ask of memory (walk.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "crinkle/fft.hpp"
#include "harness/unit_numbers.hpp"
#include "papers/fft/walk.hpp"
#include "papers/suites.hpp"

namespace crinkle::bench {
namespace {

using fft_paper::Chunks;
using fft_paper::Sample;
using fft_paper::Variant;

struct PaperWay {
  Variant variant;
  Chunks chunks;
  std::string name;
};
PaperWay way_of(Variant v, const Chunks& chunks = {}) { return {v, chunks, fft_paper::named(v).name}; }
/// Of radix 8: 2^11 samples a block, so that it has as many threads as the paper's.
constexpr Chunks chunks_of_8 = {5, 6};

struct Signals {
  int n = 0, log_batch = 0;  // 2^log_batch signals of 2^n samples
  std::int64_t samples() const { return std::int64_t{1} << (n + log_batch); }
  std::int64_t bytes() const { return samples() * 8; }
  FftRequest request() const {
    const Layout layout = Layout::dense({std::int64_t{1} << log_batch, std::int64_t{1} << n}, 8);
    return {.in = layout, .out = layout, .axes = {1}};
  }
};

nlohmann::ordered_json told(const fft_paper::Asked& asked, const char* what) {
  return {{"requests", asked.requests}, {what, asked.taken}, {"least", asked.least}};
}
nlohmann::ordered_json told(const fft_paper::Counts& counts, std::size_t n_launches) {
  return {{"launches", n_launches},
          {"loads", told(counts.loads, "sectors")},
          {"stores", told(counts.stores, "sectors")},
          {"shared_loads", told(counts.takes, "wavefronts")},
          {"shared_stores", told(counts.puts, "wavefronts")},
          {"root_loads", told(counts.roots, "sectors")}};
}
std::string remark_of(const fft_paper::Counts& counts, std::size_t n_launches) {
  const fft_paper::Asked cells = {counts.takes.requests + counts.puts.requests, counts.takes.taken + counts.puts.taken, 0};
  return fmt::format("{} launch{}, {:.1f} sectors read and {:.1f} written a request, {:.1f} wavefronts", n_launches,
                     n_launches == 1 ? "" : "es", counts.loads.each(), counts.stores.each(), cells.each());
}

double error_of(const std::vector<std::byte>& have, const std::vector<std::byte>& want) {
  double difference = 0, sum = 0;
  for (std::size_t i = 0; i < want.size(); i += sizeof(float)) {
    float a, b;
    std::memcpy(&a, have.data() + i, sizeof a);
    std::memcpy(&b, want.data() + i, sizeof b);
    difference += (double{a} - b) * (double{a} - b);
    sum += double{b} * b;
  }
  return std::sqrt(difference / sum);
}

/// Signals in the order of reversed bits.
std::vector<float> turned_around(const std::vector<float>& numbers, const Signals& of) {
  std::vector<float> all(numbers.size());
  const std::int64_t in_signal = (std::int64_t{1} << of.n) - 1;
  for (std::int64_t i = 0; i < of.samples(); ++i) {
    const std::int64_t j = (i & ~in_signal) | fft_paper::reversed(static_cast<std::int32_t>(i & in_signal), of.n);
    for (std::int64_t part = 0; part < 2; ++part)
      all[static_cast<std::size_t>(2 * j + part)] = numbers[static_cast<std::size_t>(2 * i + part)];
  }
  return all;
}

/// Every way against the plan's result of the same signals, or of those in reversed order where a way takes them to be.
void check_ways(const std::string& name, const Signals& of, const std::vector<PaperWay>& papers, const std::vector<Way>& ways,
                const std::function<void()>& plan, const std::vector<float>& numbers, Site& site) {
  const auto result_of = [&](const std::vector<float>& input, const std::function<void()>& run) {
    site.put(input.data(), of.bytes());
    site.poison(of.bytes());
    run();
    site.wait();
    if (!site.is_guard_whole(of.bytes())) throw std::runtime_error(name + ": bytes beside the output were written");
    return site.on_host(site.destination(), of.bytes());
  };
  std::vector<std::byte> want[2];
  for (std::size_t k = 0; k < papers.size(); ++k) {
    const bool is_reversed = fft_paper::named(papers[k].variant).form.is_reversed;
    std::vector<std::byte>& wanted = want[is_reversed ? 1 : 0];
    if (wanted.empty()) wanted = result_of(is_reversed ? numbers : turned_around(numbers, of), plan);
    const double error = error_of(result_of(numbers, ways[k].parts[0]), wanted);
    if (!(error < 1e-6)) throw std::runtime_error(fmt::format("{} {}: a relative error of {:.3g}", name, ways[k].name, error));
  }
  site.put(numbers.data(), of.bytes());
}

Contest contest_of(const std::string& name, const Signals& of, const std::vector<PaperWay>& papers, Site& site, std::uint64_t seed) {
  const std::int64_t bytes = of.bytes();
  const auto numbers = std::make_shared<std::vector<float>>(static_cast<std::size_t>(2 * of.samples()));
  fill_unit(numbers->data(), std::ssize(*numbers), seed, site.executor());
  for (float& x : *numbers) x = 2 * x - 1;
  site.put(numbers->data(), bytes);

  const std::vector<Sample> roots = fft_paper::make_roots();
  const auto n_table_bytes = static_cast<std::int64_t>(roots.size() * sizeof(Sample));
  const std::shared_ptr<std::byte> tables = site.memory(n_table_bytes);
  copy_bytes({roots.data(), n_table_bytes}, {tables.get(), n_table_bytes});
  const auto plan = std::make_shared<const FftPlan>(of.request(), site.device());
  const std::shared_ptr<std::byte> workspace = site.memory(plan->workspace_bytes());

  Contest c;
  c.name = name;
  c.element_bytes = 8;
  c.bytes = 2 * bytes;
  c.unit = "flops";
  c.units = 5 * of.samples() * of.n;
  c.rows = Contest::Rows::all;
  for (const PaperWay& paper : papers) {
    const std::vector<fft_paper::Pass> passes = passes_of(paper.variant, of.n, of.log_batch, paper.chunks);
    const fft_paper::Counts counts = counts_of(paper.variant, passes, of.samples(), roots);
    Way way(paper.name, [tables, run = transform_on_gpu(paper.variant, passes, of.samples(), reinterpret_cast<const Sample*>(site.source()),
                                                        reinterpret_cast<Sample*>(site.destination()),
                                                        reinterpret_cast<const Sample*>(tables.get()), site.stream().get())] { run(); });
    way.facts = told(counts, passes.size());
    way.remark = remark_of(counts, passes.size());
    c.ways.push_back(std::move(way));
  }
  const std::function<void()> by_plan = [=, &site] {
    plan->run(ConstBuffer{site.source(), bytes}, Buffer{site.destination(), bytes}, Buffer{workspace.get(), plan->workspace_bytes()},
              site.stream());
  };
  c.ways.emplace_back("crinkle", by_plan);
  c.check = [=, &site, ways = c.ways] { check_ways(name, of, papers, ways, by_plan, *numbers, site); };
  c.checked = "the plan's result, all samples";
  c.ceilings = ceilings_of(site.copies(bytes));
  return c;
}

}  // namespace

std::vector<Entry> fft_paper_entries(const Request&) {
  std::vector<Entry> all;
  const auto add = [&](const std::string& name, const Signals& of, const std::vector<PaperWay>& papers, bool has_plot = false) {
    all.push_back({name, {of.bytes(), of.bytes()}, [=](Site& site, std::uint64_t seed) {
                     Contest c = contest_of(name, of, papers, site, seed);
                     if (has_plot)
                       c.plot = Plot{fmt::format("Figure 5, {} signal{}", std::int64_t{1} << of.log_batch, of.log_batch == 0 ? "" : "s"),
                                     "samples of a signal", std::int64_t{1} << of.n, "gb_per_s"};
                     return c;
                   }});
  };
  using enum Variant;
  std::vector<PaperWay> table;
  for (const Variant v :
       {global, radix_2, unrolled, padded, padded_radix_4, padded_radix_8, folded, unreversed, frequency, frequency_barriers, stockham})
    table.push_back(way_of(v));
  add("table1", {fft_paper::table_stages, fft_paper::table_log_batch}, table);
  // The largest of both are as large as the paper's: 2^26 samples in all.
  for (const int log_batch : {0, 1, 2, 3, 4, 5, 6, 7, 15})
    for (int n = 8; n + log_batch <= 26; ++n)
      add(fmt::format("figure5_batch{}_n{}", std::int64_t{1} << log_batch, std::int64_t{1} << n), {n, log_batch},
          {way_of(radix_2), way_of(radix_4, chunks_of_8), way_of(radix_8, chunks_of_8)}, true);
  for (int c = 0; c <= 7; ++c) {
    const Chunks of_2{c, 10 - c}, of_8{c, 11 - c};
    add(fmt::format("chunks_c{}", c), {20, 4},
        {{radix_2, of_2, fmt::format("k{}_radix_2", of_2.k)}, {radix_8, of_8, fmt::format("k{}_radix_8", of_8.k)}});
  }
  return all;
}

}  // namespace crinkle::bench
