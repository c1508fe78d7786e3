// A suite: a list of entries, made for the site that is there, and what a program that runs suites has to know of it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/contest.hpp"
#include "suites/operation.hpp"

namespace crinkle::bench {

/// A suite lists its entries for this request. Both references outlive the entries' contests.
struct Request {
  Site& site;
  const Effort& effort;
  MakeSpecMap make_map;                    // notation is the command's business
  std::string cases = {};                  // a file
  std::optional<std::int64_t> bytes = {};  // of one copy
  std::vector<std::string> filters = {};   // names have one of these in them
  std::optional<int> c = {}, k = {};       // of a transform by launches: chunks of 2^c samples, k stages a launch
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

/// The entries with one of the filters in their name. Throws bad_notation where there are none. `of` says whose they are.
std::vector<Entry> chosen(std::vector<Entry> all, const std::vector<std::string>& filters, const std::string& of);

/// The entries chosen, run, and their mean.
void run_suite(const Suite& suite, const Request& request, std::uint64_t seed, Report& report);

/// 40 % of the memory that is available, and at most 2 GiB: 1 GiB an array.
std::int64_t default_memory_bytes();

}  // namespace crinkle::bench
