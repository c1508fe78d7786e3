// The layouts of paper 4 (Mei and Tian) inside kernels: records read and written through views, beside CUDA's built-in vector types and
// structures that the compiler aligns. Two passes, each by one kernel for all:
//     turn    thread i reads record i and writes it with its fields in the opposite order, to other arrays of the same layout
//     sum     every one of 65536 threads reads as many records in order, as the paper's naive interpolation does:
//             s_i = Σ_j w_j / (1 + |r_i − r_j|²), where w is the last of three or four fields and 1 for two
// Turned records are compared with their definition, sums with the host's. A table on standard error, JSON on standard output; a row is a
// turn, in turns with copies of as many bytes, padding included, and has the seconds of the sum.
// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_runtime_api.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "crinkle/records.hpp"
#include "gpu/programs.hpp"
#include "suites/arrays_gpu.hpp"
#include "suites/random.hpp"

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

void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

unsigned blocks_of(std::int64_t n) { return static_cast<unsigned>((n + threads - 1) / threads); }

// --- all layouts of one record --------------------------------------------------------------------------------------------------------

/// Fields x, y …, or the same the other way round, in a layout that is given for them as they are.
std::string turned_text(std::string layout, std::string_view names) {
  for (char& c : layout)
    if (const std::size_t at = names.find(c); at != std::string_view::npos) c = names[names.size() - 1 - at];
  return layout;
}

template <class R, class T>
class Suite {
  using Type = typename R::Type;

 public:
  Suite(const char* name, Report& report)
      : name_(name),
        report_(report),
        names_(std::string_view("xyzp").substr(0, R::n_fields)),
        n_(side_bytes / static_cast<std::int64_t>(sizeof(Type))),
        arrays_(2 * side_bytes, cuda()),
        sums_(cuda(), n_summed * static_cast<std::int64_t>(sizeof(T))) {
    std::string fields = spaced(names_);
    for (std::size_t at = fields.size(); at > 0; at -= std::min<std::size_t>(at, 2)) fields.insert(at, sizeof(T) == 4 ? ":f4" : ":f8");
    fields_ = parse_fields(fields);
    std::uint64_t state = 1;
    summed_.resize(n_summed);
    for (Type& record : summed_) {
      T values[R::n_fields];
      for (T& v : values) v = static_cast<T>(next_random(state) >> 40) / (1 << 24);
      std::memcpy(&record, values, sizeof record);
    }
  }

  /// `layout`: where `Values` or the view has the fields.
  template <class V>
  void values(const char* what, const char* layout) {
    run(what, layout, Values<R, V>(arrays_.source(), n_), Values<R, V>(arrays_.destination(), n_),
        Values<R, V>(arrays_.source(), n_summed));
  }
  template <class L>
  void view(const char* what, const char* layout) {
    run(what, layout, RecordView<const R, L>(arrays_.source(), n_), RecordView<R, L>(arrays_.destination(), n_),
        RecordView<const R, L>(arrays_.source(), n_summed));
  }

 private:
  template <class From, class To>
  void run(const std::string& what, const std::string& layout, const From& from, const To& to, const From& few) {
    const RecordLayout there = RecordLayout::parse(layout, fields_), back = RecordLayout::parse(turned_text(layout, names_), fields_);
    const std::int64_t bytes = there.bytes(n_);
    Contender move{name_ + " " + what, [=, this] { turn<<<blocks_of(n_), threads, 0, stream()>>>(from, to); }};
    const RecordOptions options{.padding = Padding::zero};
    arrays_.check(move.name, {bytes, bytes}, convert_records(there, back, n_, options).boxes(), 1, move.run);
    Row row = arrays_.timed({move}, 2 * bytes, bytes, {})[0];
    row.element_bytes = there.record_bytes();
    row.facts = {{"layout", layout}, {"sum_seconds", seconds_of_sum(move.name, there, few)}};
    report_.add(std::move(row));
  }

  template <class View>
  double seconds_of_sum(const std::string& name, const RecordLayout& layout, const View& view) {
    auto* sums = static_cast<T*>(sums_.data());
    const RecordLayout plain = RecordLayout::parse(std::string("(").append(spaced(names_)).append(")"), fields_);
    check(cudaMemcpy(arrays_.destination(), summed_.data(), sizeof(Type) * summed_.size(), cudaMemcpyHostToDevice));
    Plan(convert_records(plain, layout, n_summed), cuda())
        .run({arrays_.destination(), plain.bytes(n_summed)}, {const_cast<std::byte*>(arrays_.source()), layout.bytes(n_summed)},
             arrays_.stream());
    std::vector<Contender> one{{name, [=, this] { sum<<<blocks_of(n_summed), threads, 0, stream()>>>(view, sums); }}};
    arrays_.take_turns(one, {.has_cold = false});
    std::vector<T> found(n_summed);
    check(cudaMemcpy(found.data(), sums, sizeof(T) * found.size(), cudaMemcpyDeviceToHost));
    for (std::size_t i = 0; i < summed_.size(); i += 997) {
      double expected = 0;
      for (const Type& record : summed_) expected += static_cast<double>(record.term(summed_[i]));
      if (!(std::abs(static_cast<double>(found[i]) - expected) <= 1e-4 * std::abs(expected)))
        throw std::runtime_error(name + ": sum " + std::to_string(i) + " is " + std::to_string(found[i]) + " instead of " +
                                 std::to_string(expected));
    }
    return median(one[0].seconds);
  }

  static std::string spaced(std::string_view names) {
    std::string text;
    for (const char field : names) {
      if (!text.empty()) text += ' ';
      text += field;
    }
    return text;
  }
  CUstream_st* stream() const { return arrays_.stream().get(); }

  std::string name_;
  Report& report_;
  std::string_view names_;
  std::int64_t n_;
  GpuArrays arrays_;
  DeviceMemory sums_;
  Fields fields_;
  std::vector<Type> summed_;
};

template <class T, class V>
void run_twos(const char* name, Report& report) {
  Suite<Twos<T>, T> suite(name, report);
  suite.template values<V>(sizeof(T) == 4 ? "float2" : "double2", "(x y)");
  suite.template values<Two<T>>("struct", "(x y)");
  suite.template view<Aos<>>("AoS", "(x y)");
  suite.template view<Aos<2 * sizeof(T)>>("AoaS", sizeof(T) == 4 ? "(x y)@8" : "(x y)@16");
  suite.template view<Soa>("SoA", "x|y");
}

template <class T, class V>
void run_threes(const char* name, Report& report) {
  using Type = Three<T>;
  Suite<Threes<T>, T> suite(name, report);
  suite.template values<V>(sizeof(T) == 4 ? "float3" : "double3", "(x y z)");
  suite.template values<AlignedThree<T>>("aligned struct", "(x y z)@16");
  suite.template view<Aos<>>("AoS", "(x y z)");
  suite.template view<Aos<16>>("AoaS", "(x y z)@16");
  suite.template view<Soa>("SoA", "x|y|z");
  suite.template view<Groups<Members<&Type::x, &Type::y>, Members<&Type::z>>>("Hybrid", "(x y)|z");
}

template <class T>
void run_fours(const char* name, Report& report) {
  using Type = Four<T>;
  Suite<Fours<T>, T> suite(name, report);
  if constexpr (sizeof(T) == 4) {
    suite.template values<float4>("float4", "(x y z p)");
  } else {
    suite.template values<DoubleFour>("double4", "(x y z p)");
#if CUDART_VERSION >= 13000
    suite.template values<WideDoubleFour>("double4 at 32", "(x y z p)");
#endif
  }
  suite.template values<Four<T>>("struct", "(x y z p)");
  suite.template view<Aos<>>("AoS", "(x y z p)");
  suite.template view<Aos<16>>("AoaS", "(x y z p)@16");
  suite.template view<Soa>("SoA", "x|y|z|p");
  suite.template view<Aosoa<32>>("AoSoA of 32", "(x y z p)*32");
  suite.template view<Groups<typename Members<&Type::x, &Type::y>::template Aligned<2 * sizeof(T)>,
                             typename Members<&Type::z, &Type::p>::template Aligned<2 * sizeof(T)>>>(
      "SoAoS", sizeof(T) == 4 ? "(x y)@8|(z p)@8" : "(x y)@16|(z p)@16");
}

}  // namespace

void run_vectors() {
  Report report(on_gpu({"vectors", 0, 1, CRINKLE_COMMIT}, cuda()), stderr);
  run_twos<float, float2>("2 floats", report);
  run_twos<double, double2>("2 doubles", report);
  run_threes<float, float3>("3 floats", report);
  run_threes<double, double3>("3 doubles", report);
  run_fours<float>("4 floats", report);
  run_fours<double>("4 doubles", report);
  std::fputs(report.json().c_str(), stdout);
}

}  // namespace crinkle::bench
