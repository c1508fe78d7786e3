// The suite `fft_paper`: the variants of paper 1 (Gutierrez, Romero, Trenas and Plata, "Experiences with mapping non-linear memory access
// patterns into GPUs", tables 1a and 1b and figure 5) beside this library's plan and plain copies of as many bytes, complex float32; on a
// GPU as kernels, on a CPU as loops over their blocks and threads:
//     table1                     2^15 signals of 2^9 samples; 2^10 on a CPU
//     figure5_batch2^B_n2^N      2^B signals of 2^N samples
//     chunks_c2_k8, …            16 signals of 2^20: how long the chunks are; 2 of 2^16 on a CPU
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

/// How signals are cut that no block holds: as is asked for, or c + k = 10. Of radix 8 a block has twice the samples then, and as many
/// threads as the paper's.
struct Cut {
  Chunks of_2, of_8;
};
Cut cut_of(const Request& request) {
  constexpr int least = 3, most = 10;
  const std::int64_t c = request.c.value_or(5), k = request.k ? *request.k : most - c;
  if (c < 0 || k < 1 || c + k < least || c + k > most)
    throw Error(ErrorCode::bad_notation,
                fmt::format("--c {} --k {}: a block would hold chunks of 2^c samples and 2^(c + k) in all; give c from 0 "
                            "and k from 1 on, {} to {} together",
                            c, k, least, most));
  const Chunks of_2{static_cast<int>(c), static_cast<int>(k)};
  return {of_2, request.k ? of_2 : Chunks{of_2.c, of_2.k + 1}};
}

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
  if (site.is_gpu()) copy_bytes({roots.data(), n_table_bytes}, {tables.get(), n_table_bytes});
  else std::memcpy(tables.get(), roots.data(), static_cast<std::size_t>(n_table_bytes));
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
    const auto* const src = reinterpret_cast<const Sample*>(site.source());
    auto* const dst = reinterpret_cast<Sample*>(site.destination());
    const auto* const table = reinterpret_cast<const Sample*>(tables.get());
    const auto run = site.is_gpu() ? transform_on_gpu(paper.variant, passes, of.samples(), src, dst, table, site.stream().get())
                                   : transform_in_loops(paper.variant, passes, of.samples(), src, dst, table, site.executor());
    Way way(paper.name, [tables, run] { run(); });
    way.facts = told(counts, passes.size());
    way.facts["log_signals"] = of.log_batch;
    way.facts["c"] = paper.chunks.c;
    way.facts["k"] = paper.chunks.k;
    way.remark = remark_of(counts, passes.size());
    c.ways.push_back(std::move(way));
  }
  const std::function<void()> by_plan = [=, &site] {
    const ConstBuffer from{site.source(), bytes};
    const Buffer to{site.destination(), bytes}, between{workspace.get(), plan->workspace_bytes()};
    if (site.is_gpu()) plan->run(from, to, between, site.stream());
    else plan->run(from, to, between, site.executor());
  };
  c.ways.emplace_back("crinkle", by_plan);
  c.check = [=, &site, ways = c.ways] { check_ways(name, of, papers, ways, by_plan, *numbers, site); };
  c.checked = "the plan's result, all samples";
  c.ceilings = ceilings_of(site.copies(bytes));
  return c;
}

}  // namespace

std::vector<Entry> fft_paper_entries(const Request& request) {
  const Cut cut = cut_of(request);
  const bool is_on_gpu = request.site.is_gpu();
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
    table.push_back(way_of(v, v == radix_2 ? cut.of_2 : Chunks{}));
  add("table1", {fft_paper::table_stages, is_on_gpu ? fft_paper::table_log_batch : 10}, table);
  for (const auto& [log_batch, n] : fft_paper::figure5_sizes(is_on_gpu))
    add(fmt::format("figure5_batch{}_n{}", std::int64_t{1} << log_batch, std::int64_t{1} << n), {n, log_batch},
        {way_of(radix_2, cut.of_2), way_of(radix_4, cut.of_8), way_of(radix_8, cut.of_8)}, true);
  for (int c = 0; c <= 7; ++c) {
    const Chunks of_2{c, 10 - c}, of_8{c, 11 - c};
    add(fmt::format("chunks_c{}", c), {is_on_gpu ? 20 : 16, is_on_gpu ? 4 : 1},
        {{radix_2, of_2, fmt::format("k{}_radix_2", of_2.k)}, {radix_8, of_8, fmt::format("k{}_radix_8", of_8.k)}});
  }
  return all;
}

}  // namespace crinkle::bench
