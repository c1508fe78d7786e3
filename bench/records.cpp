// Records taken apart into arrays and put together again: crinkle, a plain loop and memcpy of as many bytes, each on one thread and on all.
// A line of standard input
//     WAY SIZES RECORDS WANTED          as in "apart 1,1,2,4,8 records.raw arrays.raw"
// names what is done, the bytes of the fields, a file to read and a file that the result must equal; arrays lie one behind the other in a
// file, each in a buffer of its own in memory. It is answered by one line of JSON; bench/records_rivals.py asks, and measures NumPy and
// OpenCV in turns with it. Build: cmake -DCRINKLE_BENCH=ON.
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/mman.h>

#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "api/timing.hpp"
#include "cpu/copy.hpp"
#include "crinkle/crinkle.hpp"
#include "crinkle/record_layout.hpp"
#include "records_loops.hpp"

namespace {

using namespace crinkle;

/// Memory as NumPy's arrays have it: large ones on large pages, where the system has such.
template <class T>
struct LikeNumpy {
  using value_type = T;
  static constexpr std::size_t page = std::size_t{2} << 20, large = std::size_t{4} << 20;

  T* allocate(std::size_t n) {
    if (n * sizeof(T) < large) return static_cast<T*>(::operator new(n * sizeof(T)));
    void* const memory = ::operator new(n * sizeof(T), std::align_val_t{page});
#ifdef MADV_HUGEPAGE
    madvise(memory, n * sizeof(T), MADV_HUGEPAGE);
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t n) noexcept {
    if (n * sizeof(T) < large) ::operator delete(memory);
    else ::operator delete(memory, std::align_val_t{page});
  }
  friend bool operator==(LikeNumpy, LikeNumpy) { return true; }
};

using Bytes = std::vector<std::byte, LikeNumpy<std::byte>>;

std::vector<std::int64_t> sizes_of(const std::string& text) {
  std::vector<std::int64_t> sizes;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) sizes.push_back(std::stoll(word));
  if (sizes.empty() || std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}) < 1) throw Error(ErrorCode::bad_shape, "no fields");
  return sizes;
}

Bytes contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw Error(ErrorCode::bad_file, path + ": cannot be opened");
  Bytes bytes(static_cast<std::size_t>(file.tellg()));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(bytes.data()), std::ssize(bytes));
  return bytes;
}

/// One side: records, or an array for each field.
std::vector<Bytes> side_of(const Bytes& file, bool is_apart, const std::vector<std::int64_t>& sizes, std::int64_t n) {
  if (!is_apart) return {file};
  std::vector<Bytes> arrays;
  auto at = file.begin();
  for (const std::int64_t size : sizes) {
    arrays.emplace_back(at, at + size * n);
    at += size * n;
  }
  return arrays;
}

Rearrangement map_of(const std::vector<std::int64_t>& sizes, std::int64_t n, bool takes_apart) {
  Fields fields;
  std::vector<FieldGroup> arrays;
  FieldGroup record;
  for (const std::int64_t size : sizes) {
    fields.push_back({"f" + std::to_string(fields.size()), "", size, 1});
    arrays.push_back({{fields.back().name}});
    record.fields.push_back(fields.back().name);
  }
  const RecordLayout together(fields, {record}), apart(fields, arrays);
  return takes_apart ? convert_records(together, apart, n, {Storage::together, Storage::apart})
                     : convert_records(apart, together, n, {Storage::apart, Storage::together});
}

nlohmann::ordered_json measured(const std::string& way, const std::string& sizes_text, const Bytes& read, const Bytes& wanted) {
  if (way != "apart" && way != "together") throw Error(ErrorCode::bad_notation, way + ": it is apart or together");
  const bool takes_apart = way == "apart";
  const std::vector<std::int64_t> sizes = sizes_of(sizes_text);
  const std::int64_t record = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}), n = std::ssize(read) / record;
  if (n * record != std::ssize(read) || read.size() != wanted.size()) throw Error(ErrorCode::bad_shape, "the files are no whole records");
  const std::vector<Bytes> from = side_of(read, !takes_apart, sizes, n);
  std::vector<Bytes> to = side_of(wanted, takes_apart, sizes, n);
  const std::vector<Bytes> right = to;

  std::vector<ConstBuffer> src;
  std::vector<Buffer> dst;
  std::vector<const std::byte*> src_bytes;
  std::vector<std::byte*> dst_bytes;
  for (const Bytes& bytes : from) src.push_back({bytes.data(), std::ssize(bytes)}), src_bytes.push_back(bytes.data());
  for (Bytes& bytes : to) dst.push_back({bytes.data(), std::ssize(bytes)}), dst_bytes.push_back(bytes.data());
  Bytes copy(read.size());

  const Plan plan(map_of(sizes, n, takes_apart));
  const auto one = make_executor(1);
  Executor& all = default_executor();
  const bench::RecordLoops loops = bench::loops_of(sizes);
  const auto loop = [&](Executor& executor) {
    const std::int64_t n_parts = executor.n_workers();
    executor.parallel_for(n_parts, [&](std::int64_t part) {
      const std::int64_t first = n / n_parts * part, last = part + 1 == n_parts ? n : n / n_parts * (part + 1);
      if (takes_apart) loops.take_apart(src_bytes[0], dst_bytes.data(), first, last);
      else loops.put_together(dst_bytes[0], src_bytes.data(), first, last);
    });
  };
  std::vector<Contender> contenders = {
      {"crinkle_1", [&] { plan.run(src, dst, *one); }},
      {"crinkle_all", [&] { plan.run(src, dst, all); }},
      {"loop_1", [&] { loop(*one); }},
      {"loop_all", [&] { loop(all); }},
      {"memcpy_1", [&] { copy_plain(CopyKind::memcpy, copy.data(), read.data(), std::ssize(read), *one); }},
      {"memcpy_all", [&] { copy_plain(CopyKind::memcpy, copy.data(), read.data(), std::ssize(read), all); }}};
  for (std::size_t k = 0; k < 4; ++k) {
    for (Bytes& bytes : to) std::memset(bytes.data(), 0xA5, bytes.size());
    contenders[k].run();
    if (to != right) throw Error(ErrorCode::bad_shape, contenders[k].name + " is wrong: " + way + ' ' + sizes_text);
  }
  for (Contender& c : contenders) c.is_warmed = true;  // as runs that follow each other
  take_turns(contenders, 15, 1.5);
  nlohmann::ordered_json answer{{"way", way}, {"sizes", sizes}, {"bytes", std::ssize(read)}};
  for (const Contender& c : contenders)
    answer[c.name] = {{"seconds", median(c.seconds)}, {"iqr", interquartile_range(c.seconds)}, {"least", quantile(c.seconds, 0)}};
  return answer;
}

}  // namespace

int main() {
  try {
    std::string way, sizes, read, wanted;
    while (std::cin >> way >> sizes >> read >> wanted)
      std::cout << measured(way, sizes, contents_of(read), contents_of(wanted)).dump() << std::endl;
    return 0;
  } catch (const std::exception& e) {
    std::cerr << "bench_records: " << e.what() << '\n';
    return 1;
  }
}
