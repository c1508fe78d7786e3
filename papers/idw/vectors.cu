// The suite `vectors`: the layouts of paper 4 (Mei and Tian) inside kernels: records read and written through views, beside CUDA's built-in
// vector types and structures that the compiler aligns. Two passes, each by one kernel for all:
//     turn    thread i reads record i and writes it with its fields in the opposite order, to other arrays of the same layout
//     sum     every one of 65536 threads reads as many records in order, as the paper's naive interpolation does:
//             s_i = Σ_j w_j / (1 + |r_i − r_j|²), where w is the last of three or four fields and 1 for two
// Turned records are compared with their definition, sums with the host's. A row is a turn, in turns with copies of as many bytes, padding
// included, and has the seconds of the sum.
// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_runtime_api.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "crinkle/records.hpp"
#include "harness/random.hpp"
#include "papers/suites.hpp"

namespace crinkle::bench {
namespace {

constexpr std::int64_t side_bytes = 256 << 20;  // of useful fields, about
constexpr std::int64_t n_summed = 65536;
constexpr unsigned threads = 256;

// --- the records, and what is done with one -------------------------------------------------------------------------------------------

template <class T>
struct Two {
  T x, y;
  CRINKLE_HD Two turned() const { return {y, x}; }
  CRINKLE_HD T term(const Two& at) const { return 1 / (1 + (x - at.x) * (x - at.x) + (y - at.y) * (y - at.y)); }
};
template <class T>
struct Three {
  T x, y, z;
  CRINKLE_HD Three turned() const { return {z, y, x}; }
  CRINKLE_HD T term(const Three& at) const { return z / (1 + (x - at.x) * (x - at.x) + (y - at.y) * (y - at.y)); }
};
template <class T>
struct Four {
  T x, y, z, p;
  CRINKLE_HD Four turned() const { return {p, z, y, x}; }
  CRINKLE_HD T term(const Four& at) const { return p / (1 + (x - at.x) * (x - at.x) + (y - at.y) * (y - at.y) + (z - at.z) * (z - at.z)); }
};
template <class T>
using Twos = Record<Two<T>, &Two<T>::x, &Two<T>::y>;
template <class T>
using Threes = Record<Three<T>, &Three<T>::x, &Three<T>::y, &Three<T>::z>;
template <class T>
using Fours = Record<Four<T>, &Four<T>::x, &Four<T>::y, &Four<T>::z, &Four<T>::p>;

template <class T>
struct alignas(16) AlignedThree {
  T x, y, z;
};

#if CUDART_VERSION >= 13000  // double4 is about to go; both of its successors are here
using DoubleFour = double4_16a;
using WideDoubleFour = double4_32a;
#else
using DoubleFour = double4;
#endif

/// Records as values of a type V of CUDA or of the compiler, with the functions of a view that the kernels call.
template <class R, class V>
class Values {
 public:
  using Type = typename R::Type;
  Values(const void* base, std::int64_t n) : base_(static_cast<V*>(const_cast<void*>(base))), n_(n) {}
  CRINKLE_HD std::int64_t size() const { return n_; }
  CRINKLE_HD Type load(std::int64_t i) const {
    const V value = base_[i];
    Type record;
    __builtin_memcpy(&record, &value, sizeof record);
    return record;
  }
  CRINKLE_HD void store(std::int64_t i, const Type& record) const {
    V value{};
    __builtin_memcpy(&value, &record, sizeof record);
    base_[i] = value;
  }

 private:
  V* base_;
  std::int64_t n_;
};

template <class From, class To>
__global__ void turn(From from, To to) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i < from.size()) to.store(i, from.load(i).turned());
}

template <class View, class T>
__global__ void sum(View view, T* sums) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i >= view.size()) return;
  const auto at = view.load(i);
  T s = 0;
#pragma unroll 4
  for (std::int64_t j = 0; j < view.size(); ++j) s += view.load(j).term(at);
  sums[i] = s;
}

unsigned blocks_of(std::int64_t n) { return static_cast<unsigned>((n + threads - 1) / threads); }

// --- all layouts of one record --------------------------------------------------------------------------------------------------------

/// Fields x, y …, or the same the other way round, in a layout that is given for them as they are.
std::string turned_text(std::string layout, std::string_view names) {
  for (char& c : layout)
    if (const std::size_t at = names.find(c); at != std::string_view::npos) c = names[names.size() - 1 - at];
  return layout;
}

std::string spaced(std::string_view names) {
  std::string text;
  for (const char field : names) text += (text.empty() ? "" : " ") + std::string(1, field);
  return text;
}

template <class R, class T>
class Layouts {
  using Type = typename R::Type;

 public:
  Layouts(std::string name, std::vector<Entry>& entries) : name_(std::move(name)), entries_(entries) {}

  /// `layout`: where `Values` or the view has the fields.
  template <class V>
  void values(const char* what, const char* layout) {
    add<Values<R, V>, Values<R, V>>(what, layout);
  }
  template <class L>
  void view(const char* what, const char* layout) {
    add<RecordView<const R, L>, RecordView<R, L>>(what, layout);
  }

 private:
  static constexpr std::int64_t n = side_bytes / static_cast<std::int64_t>(sizeof(Type));

  static std::string_view names() { return std::string_view("xyzp").substr(0, R::n_fields); }
  static Fields fields() {
    std::string text;
    for (const char field : names()) text += (text.empty() ? "" : " ") + std::string(1, field) + (sizeof(T) == 4 ? ":f4" : ":f8");
    return parse_fields(text);
  }

  template <class From, class To>
  void add(const std::string& what, const std::string& layout) {
    const std::string name = name_ + " " + what;
    const RecordLayout there = RecordLayout::parse(layout, fields());
    const std::int64_t bytes = there.bytes(n);
    entries_.push_back({name, {bytes, bytes}, [=](Site& site, std::uint64_t seed) { return contest<From, To>(name, layout, site, seed); }});
  }

  template <class From, class To>
  static Contest contest(const std::string& name, const std::string& layout, Site& site, std::uint64_t seed) {
    const RecordLayout there = RecordLayout::parse(layout, fields()), back = RecordLayout::parse(turned_text(layout, names()), fields());
    const std::int64_t bytes = there.bytes(n), few_bytes = there.bytes(n_summed);
    CUstream_st* const s = site.stream().get();
    const auto turned = [=, from = From(site.source(), n), to = To(site.destination(), n)] {
      turn<<<blocks_of(n), threads, 0, s>>>(from, to);
    };
    const auto records = std::make_shared<std::vector<Type>>(numbers());
    const std::shared_ptr<std::byte> few = site.memory(few_bytes), sums = site.memory(n_summed * std::int64_t{sizeof(T)});
    put(*records, there, site, few.get(), few_bytes);
    const auto summed = [=, view = From(few.get(), n_summed)] {
      sum<<<blocks_of(n_summed), threads, 0, s>>>(view, reinterpret_cast<T*>(sums.get()));
    };
    Contest c;
    c.name = name;
    c.element_bytes = there.record_bytes();
    c.bytes = 2 * bytes;
    c.facts = {{"layout", layout}};
    c.ways = {{"turn", turned}, {"sum", summed}};
    c.ways[1].fact = "sum_seconds";
    c.ways[1].has_cold = false;
    c.check = [=, &site] {
      site.check(name, {bytes, bytes}, seed, turned,
                 [&] { return site.first_wrong(convert_records(there, back, n, {.padding = Padding::zero}).boxes()); });
      check_sums(name, *records, summed, sums.get(), site);
    };
    c.checked = "definition";
    c.ceilings = ceilings_of(site.copies(bytes));
    return c;
  }

  static std::vector<Type> numbers() {
    std::vector<Type> records(n_summed);
    std::uint64_t state = 1;
    for (Type& record : records) {
      T values[R::n_fields];
      for (T& v : values) v = static_cast<T>(next_random(state) >> 40) / (1 << 24);
      std::memcpy(&record, values, sizeof record);
    }
    return records;
  }

  /// Plain records of the host, in a layout on the device.
  static void put(const std::vector<Type>& records, const RecordLayout& layout, Site& site, std::byte* to, std::int64_t n_bytes) {
    const RecordLayout plain = RecordLayout::parse("(" + spaced(names()) + ")", fields());
    const std::int64_t plain_bytes = plain.bytes(n_summed);
    const std::shared_ptr<std::byte> from = site.memory(plain_bytes);
    copy_bytes({records.data(), plain_bytes}, {from.get(), plain_bytes});
    move_of(Plan(convert_records(plain, layout, n_summed), site.device()), {plain_bytes, n_bytes}, {}, site)(from.get(), to);
    site.wait();
  }

  static void check_sums(const std::string& name, const std::vector<Type>& records, const std::function<void()>& run, const std::byte* sums,
                         Site& site) {
    run();
    site.wait();
    std::vector<T> found(n_summed);
    copy_bytes({sums, n_summed * std::int64_t{sizeof(T)}}, {found.data(), n_summed * std::int64_t{sizeof(T)}});
    for (std::size_t i = 0; i < records.size(); i += 997) {
      double expected = 0;
      for (const Type& record : records) expected += static_cast<double>(record.term(records[i]));
      if (!(std::abs(static_cast<double>(found[i]) - expected) <= 1e-4 * std::abs(expected)))
        throw std::runtime_error(name + ": sum " + std::to_string(i) + " is " + std::to_string(found[i]) + " instead of " +
                                 std::to_string(expected));
    }
  }

  std::string name_;
  std::vector<Entry>& entries_;
};

template <class T, class V>
void add_twos(const char* name, std::vector<Entry>& entries) {
  Layouts<Twos<T>, T> all(name, entries);
  all.template values<V>(sizeof(T) == 4 ? "float2" : "double2", "(x y)");
  all.template values<Two<T>>("struct", "(x y)");
  all.template view<Aos<>>("AoS", "(x y)");
  all.template view<Aos<2 * sizeof(T)>>("AoaS", sizeof(T) == 4 ? "(x y)@8" : "(x y)@16");
  all.template view<Soa>("SoA", "x|y");
}

template <class T, class V>
void add_threes(const char* name, std::vector<Entry>& entries) {
  using Type = Three<T>;
  Layouts<Threes<T>, T> all(name, entries);
  all.template values<V>(sizeof(T) == 4 ? "float3" : "double3", "(x y z)");
  all.template values<AlignedThree<T>>("aligned struct", "(x y z)@16");
  all.template view<Aos<>>("AoS", "(x y z)");
  all.template view<Aos<16>>("AoaS", "(x y z)@16");
  all.template view<Soa>("SoA", "x|y|z");
  all.template view<Groups<Members<&Type::x, &Type::y>, Members<&Type::z>>>("Hybrid", "(x y)|z");
}

template <class T>
void add_fours(const char* name, std::vector<Entry>& entries) {
  using Type = Four<T>;
  Layouts<Fours<T>, T> all(name, entries);
  if constexpr (sizeof(T) == 4) {
    all.template values<float4>("float4", "(x y z p)");
  } else {
    all.template values<DoubleFour>("double4", "(x y z p)");
#if CUDART_VERSION >= 13000
    all.template values<WideDoubleFour>("double4 at 32", "(x y z p)");
#endif
  }
  all.template values<Four<T>>("struct", "(x y z p)");
  all.template view<Aos<>>("AoS", "(x y z p)");
  all.template view<Aos<16>>("AoaS", "(x y z p)@16");
  all.template view<Soa>("SoA", "x|y|z|p");
  all.template view<Aosoa<32>>("AoSoA of 32", "(x y z p)*32");
  all.template view<Groups<typename Members<&Type::x, &Type::y>::template Aligned<2 * sizeof(T)>,
                           typename Members<&Type::z, &Type::p>::template Aligned<2 * sizeof(T)>>>(
      "SoAoS", sizeof(T) == 4 ? "(x y)@8|(z p)@8" : "(x y)@16|(z p)@16");
}

}  // namespace

std::vector<Entry> vectors_entries(const Request&) {
  std::vector<Entry> entries;
  add_twos<float, float2>("2 floats", entries);
  add_twos<double, double2>("2 doubles", entries);
  add_threes<float, float3>("3 floats", entries);
  add_threes<double, double3>("3 doubles", entries);
  add_fours<float>("4 floats", entries);
  add_fours<double>("4 doubles", entries);
  return entries;
}

}  // namespace crinkle::bench
