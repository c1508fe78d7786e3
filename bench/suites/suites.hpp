// The suites of `crinkle bench`: each is a list of entries, made for the site that is there.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/contest.hpp"
#include "suites/operation.hpp"

namespace crinkle::bench {

/// bench/cases/NAME.txt, as they were when the program was built.
extern const char* const rearrange_text;
extern const char* const records_text;
extern const char* const fused_text;

/// What entries are listed for. Both outlive the entries' contests.
struct Request {
  Site& site;
  const Effort& effort;
  MakeSpecMap make_map;                    // notation is the command's business
  std::string cases = {};                  // a file
  std::optional<std::int64_t> bytes = {};  // of one copy
  std::vector<std::string> filters = {};   // names have one of these in them
};

struct Suite {
  enum class Runs : std::uint8_t { on_both, on_a_cpu, on_a_gpu };

  const char* name;
  const char* what;                  // for a person
  std::vector<std::string> options;  // of the command, those that not every suite takes
  std::vector<Entry> (*entries)(const Request&);
  Runs runs = Runs::on_both;
  bool has_summary = false;                     // of all its rows one mean means something
  nlohmann::ordered_json (*facts)() = nullptr;  // beside the rows
};
const std::vector<Suite>& suites();

/// Those with one of the filters in their name. Throws bad_notation where there are none. `of` says whose they are.
std::vector<Entry> chosen(std::vector<Entry> all, const std::vector<std::string>& filters, const std::string& of);

/// The entries chosen, run, and their mean.
void run_suite(const Suite& suite, const Request& request, std::uint64_t seed, Report& report);

/// 40 % of the memory that is available, and at most 2 GiB: 1 GiB an array.
std::int64_t default_memory_bytes();
/// "64MiB", "3KiB", "100B": the largest unit of which it is a whole number.
std::string short_bytes(std::int64_t n);

// One file each.
std::vector<Entry> copy_entries(const Request&);
std::vector<Entry> permute_entries(const Request&);
std::vector<Entry> rearrange_entries(const Request&);
std::vector<Entry> records_entries(const Request&);
std::vector<Entry> fused_entries(const Request&);
std::vector<Entry> small_entries(const Request&);
std::vector<Entry> scaling_entries(const Request&);
std::vector<Entry> hypercubic_entries(const Request&);
std::vector<Entry> simplex_entries(const Request&);
std::vector<Entry> pairs_entries(const Request&);
std::vector<Entry> fft_entries(const Request&);
std::vector<Entry> fft_paper_entries(const Request&);
std::vector<Entry> stencil_entries(const Request&);
std::vector<Entry> interpolate_entries(const Request&);
std::vector<Entry> map_entries(const Request&);  // of interpolate
std::vector<Entry> planning_entries(const Request&);
std::vector<Entry> triangle_entries(const Request&);
/// Of other extents, powers of two; for a GPU from 256 on.
std::vector<Entry> hypercubic_entries(const std::vector<std::int64_t>& extents);
nlohmann::ordered_json hypercubic_facts();
nlohmann::ordered_json simplex_facts();
// Of a GPU, with kernels of their own.
std::vector<Entry> advice_entries(const Request&);
std::vector<Entry> batches_entries(const Request&);
std::vector<Entry> vectors_entries(const Request&);
std::vector<Entry> versions_entries(const Request&);

}  // namespace crinkle::bench
