// The launches of a sweep. Lists of points that have a kernel of their own take it (cuda_march), one step or several at once, where lines
// are vectors of 16 bytes, stars of many axes on any lines; all others are made in tiles (cuda_tiles). Launches differ in where they read
// and write, in their list of points and in how many steps they make, so there are a few, whatever the number of steps; many steps over a
// small array are one (resident.hpp). Elements of other types than the sums' are brought into a dense array first, and from one at the end:
// a pass more at either end. Of a part all cells of its window are made, and its own are taken out of them at the end.
// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/cuda/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/checked.hpp"
#include "cuda/device_buffers.hpp"
#include "stencil/check.hpp"
#include "stencil/cuda/byte_filter.hpp"
#include "stencil/cuda/filters.hpp"
#include "stencil/cuda/march.hpp"
#include "stencil/cuda/numbers.hpp"
#include "stencil/cuda/resident.hpp"
#include "stencil/cuda/stages.hpp"
#include "stencil/shape.hpp"

namespace crinkle {
namespace {

template <class T>
class Launches : public CudaSweep {
 public:
  Launches(const Sweep& sweep, const Ranges& made, Device device)
      : device_(device), shaped_(shaped(sweep, made)), settled_(sweep.destination_type.number), is_settled_(settled_ == sum_type.number) {
    fill_up(shaped_);
    if (sweep.source_type != sum_type || sweep.destination_type != sum_type) {
      source_ = cuda_numbers(shaped_.shape, shaped_.source);
      source_offset_ = std::exchange(shaped_.source, dense_places(shaped_.shape, sum_type)).offset;
      is_converted_ = true;
    }
    n_cells_ = shaped_.shape.n_cells();
    const SweepShape of_made = shape_of_made();
    is_part_ = of_made.n_cells() < n_cells_;
    if (is_converted_ || is_part_) set_end(of_made);
    const DeviceFacts facts = facts_of(device);
    const std::int64_t bytes = multiply(multiply(n_cells_, shaped_.shape.width), size), n_lists = std::ssize(shaped_.stages);
    workers_ = facts.multiprocessors;
    name_ = facts.name;
    stages_.emplace(shaped_, device);
    plain_ = {{multiply(sweep.steps, n_lists), 0, shaped_.stages.size()}};
    n_buffers_ = is_converted_ || is_part_ ? 2 : static_cast<int>(std::min<std::int64_t>(plain_[0].n_passes - 1, 2));
    buffer_bytes_ = bytes;
    for (std::size_t k = 0; k < shaped_.stages.size(); ++k) add_variant(k, nullptr);
    plan_steps(sweep);
    plan_resident(sweep, {facts.multiprocessors, facts.shared_bytes_block});
  }

  void run(const std::byte* source, std::byte* destination, const std::array<std::byte*, 2>& buffers, CUstream_st* stream) const override {
    if (n_cells_ == 0) return;
    const std::byte* const first = source + shaped_.source.offset;
    std::byte* const last = destination + shaped_.destination.offset;
    if (resident_ && is_multiple_of(first, sizeof(T)) && is_multiple_of(last, sizeof(T)))
      return gpu::entry<&launch_resident<T>>(*resident_, first, last, buffers[0], buffers[1], stream);
    if (!is_converted_ && !is_part_) return make(first, last, buffers, stream);
    // The first pass reads the buffer that the second one writes, and the last one writes the one that it would write among others.
    const std::byte* const read = is_converted_ ? buffers[1] : first;
    const std::int64_t n_passes = passes_of(is_multiple_of(read, 16) ? parts_ : plain_);
    auto* made = reinterpret_cast<T*>(buffers[at((n_passes + 1) % 2)]);
    if (is_converted_) gpu::entry<&launch_load_numbers<T>>(source_, source + source_offset_, reinterpret_cast<T*>(buffers[1]), stream);
    make(read, reinterpret_cast<std::byte*>(made), buffers, stream);
    const bool is_stored = is_converted_ || !is_multiple_of(destination, sizeof(T));
    if (is_part_) {  // into the destination, or where the last pass read
      auto* const taken = reinterpret_cast<T*>(is_stored ? buffers[at(n_passes % 2)] : destination);
      gpu::entry<&launch_load_numbers<T>>(part_, reinterpret_cast<const std::byte*>(made) + part_offset_, taken, stream);
      made = taken;
    }
    if (is_stored) gpu::entry<&launch_store_numbers<T>>(destination_, made, destination + destination_offset_, stream);
  }

  std::int64_t passes() const override {
    return resident_ ? resident_->n_launches() : passes_of(parts_) + (is_converted_ ? 2 : 0) + (is_part_ ? 1 : 0);
  }
  int n_buffers() const override { return n_buffers_; }
  std::int64_t buffer_bytes() const override { return buffer_bytes_; }
  std::string describe() const override {
    std::string extents, text;
    for (const SweepAxis& axis : shaped_.shape.axes)
      if (axis.array_axis >= 0) extents += (extents.empty() ? "" : " x ") + std::to_string(axis.extent);
    text = fmt::format("{} cells", extents);
    if (shaped_.shape.width > 1) text += fmt::format(" of {} elements", shaped_.shape.width);
    text += fmt::format(", sums in {} on {}\n", size == 4 ? "float32" : "float64", name_);
    if (is_converted_) text += fmt::format("a pass from {}, one to {}\n", name_of(source_.type.number), name_of(destination_.type.number));
    if (is_part_) text += fmt::format("a pass that takes {} elements out of them\n", part_.n_elements);
    if (resident_)
      text += fmt::format("{} launch{} of {} block{} for all {} steps\n", resident_->n_launches(), resident_->n_launches() == 1 ? "" : "es",
                          resident_->n_blocks, resident_->n_blocks == 1 ? "" : "s", resident_->steps);
    for (const Part& part : resident_ ? std::vector<Part>() : parts_) {
      for (std::size_t v = 0; v < part.n_variants; ++v) {
        const Launch& l = variants_[part.variant + v][0];
        const std::int64_t n = part.n_passes / static_cast<std::int64_t>(part.n_variants);
        if (l.filter != nullptr) {
          text += fmt::format("{} launch{} of {}\n", n, n == 1 ? "" : "es", l.filter->describe(l.task));
          continue;
        }
        text += fmt::format("{} launch{} of {} blocks", n, n == 1 ? "" : "es", l.stage.n_blocks);
        if (l.march != nullptr && l.march->steps > 1) text += fmt::format(", {} steps each", l.march->steps);
        if (l.march == nullptr)
          text += fmt::format(", tiles of {} x {} x {}{}", 1 << l.stage.deep_bits, 1 << l.stage.row_bits, l.stage.line_tile,
                              l.stage.is_direct ? "" : ", element by element");
        else text += fmt::format(", {} rows by every thread", l.stage.march);
        text += "\n";
      }
    }
    if (n_buffers_ > 0) text += fmt::format("{} array{} of {} bytes between them\n", n_buffers_, n_buffers_ == 1 ? "" : "s", buffer_bytes_);
    return text;
  }

 private:
  static constexpr std::int64_t size = sizeof(T);
  static constexpr NumberType sum_type{size == 4 ? Number::float32 : Number::float64};
  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

  static bool is_multiple_of(const std::byte* address, std::uintptr_t bytes) {
    return reinterpret_cast<std::uintptr_t>(address) % bytes == 0;
  }

  struct Launch {
    CudaStage<T> stage;
    const March* march = nullptr;                  // or the kernel of any list
    std::shared_ptr<const CompiledFilter> filter;  // instead, and what it is told
    FilterTask task;
    bool ends_step = false;
  };
  /// Passes over memory that take turns among some variants.
  struct Part {
    std::int64_t n_passes = 0;
    std::size_t variant = 0, n_variants = 1;
  };
  static std::int64_t passes_of(const std::vector<Part>& parts) {
    std::int64_t n = 0;
    for (const Part& part : parts) n += part.n_passes;
    return n;
  }

  // The cells to make alone.
  SweepShape shape_of_made() const {
    SweepShape shape = shaped_.shape;
    for (std::size_t a = 0; a < shape.axes.size(); ++a) shape.axes[a].extent = shaped_.made.high[a] - shaped_.made.low[a];
    return shape;
  }
  // The passes end in a dense array, from which the cells to make are taken.
  void set_end(const SweepShape& of_made) {
    const SweepPlaces dense = dense_places(shaped_.shape, sum_type), last = std::exchange(shaped_.destination, dense);
    part_ = cuda_numbers(of_made, dense);
    destination_ = cuda_numbers(of_made, last);
    destination_offset_ = last.offset;
    for (std::size_t a = 0; a < of_made.axes.size(); ++a) {
      part_offset_ += shaped_.made.low[a] * dense.strides[a];
      destination_offset_ += shaped_.made.low[a] * last.strides[a];
    }
  }

  // All passes over the sums' type, from where the first cell lies to where it shall.
  void make(const std::byte* from, std::byte* last, const std::array<std::byte*, 2>& buffers, CUstream_st* stream) const {
    const std::vector<Part>& parts = is_multiple_of(from, 16) && is_multiple_of(last, 16) ? parts_ : plain_;
    const std::int64_t n_passes = passes_of(parts);
    std::int64_t p = 0;
    for (const Part& part : parts) {
      for (std::int64_t k = 0; k < part.n_passes; ++k, ++p) {
        const bool is_first = p == 0, is_last = p + 1 == n_passes;
        std::byte* const to = is_last ? last : buffers[at(p % 2)];
        const std::size_t list = at(k) % part.n_variants;
        const Launch& l = variants_[part.variant + list][(is_first ? 2u : 0u) + (is_last ? 1u : 0u)];
        launch(l, from, to, stream);
        if (!is_last && !is_settled_ && l.ends_step)
          gpu::entry<&launch_settle_numbers<T>>(reinterpret_cast<T*>(to), n_cells_ * shaped_.shape.width, settled_, stream);
        from = to;
      }
    }
  }

  /// A list, once or in the march of several steps, in the four places of a pass among others. False where that march has no vectors.
  bool add_variant(std::size_t k, const March* march) {
    std::array<Launch, 4> variant;
    bool has_vectors = true;
    for (std::size_t place = 0; place < 4; ++place) {
      Launch& l = variant[place];
      l.stage = stages_->stage(k, place >= 2, place % 2 == 1);
      l.ends_step = shaped_.stages[k].ends_step;
      const March* const own = march != nullptr ? march : march_of(shaped_.stages[k], shaped_.shape);
      const std::int32_t vector = own != nullptr ? vector_of(l.stage, *own) : 0;
      if (vector > 0 && gpu::entry<&allow_march<T>>(*own, device_.index)) {
        l.march = own;
        l.stage.vector = vector;
        set_march(l.stage, *own, workers_);
      } else {
        set_tiles(l.stage, workers_);
        has_vectors = false;
      }
    }
    if (march != nullptr && !has_vectors) return false;
    variants_.push_back(variant);
    return true;
  }
  // The bytes of the widest vectors that lines are made of and begin at, and `addresses`, joined by "or"; 0 where the march has none such.
  static std::int32_t vector_of(const CudaStage<T>& s, const March& march, std::uintptr_t addresses = 0) {
    std::uintptr_t all = addresses | static_cast<std::uintptr_t>(s.axes[s.n_axes - 1].extent * s.width * size);
    bool has_narrow = false;  // of a star along the line alone a thread would make one element
    for (int a = 0; a + 1 < s.n_axes; ++a) {
      has_narrow = has_narrow || (march.is_of_any_line() && s.axes[a].below > 0);
      if (s.axes[a].extent > 1) all |= static_cast<std::uintptr_t>(s.axes[a].in | s.axes[a].out);
    }
    for (std::int32_t bytes = 16; s.is_direct && bytes >= (has_narrow ? size : 16); bytes /= 2)
      if (all % static_cast<std::uintptr_t>(bytes) == 0) return bytes;
    return 0;
  }

  // Lists that have compiled kernels, two in a pass where they can be, take those; the others have theirs. False where there are none.
  bool plan_filters(std::int64_t steps) {
    const SweepPlaces dense = dense_places(shaped_.shape, sum_type);
    if (!is_plain_line<T>(shaped_.shape, shaped_.source) || !is_plain_line<T>(shaped_.shape, shaped_.destination)) return false;
    std::vector<std::array<Launch, 4>> of_step;
    bool has_any = false;
    for (std::size_t k = 0; k < shaped_.stages.size();) {
      std::optional<Filter> filter = filter_of(shaped_, k);
      std::optional<CompiledFilter> compiled;
      if (filter && filter->is_worth_a_kernel())
        compiled = CompiledFilter::of(std::move(*filter), shaped_, {sum_type.number, sum_type.number, {}}, device_);
      if (!compiled) {
        of_step.push_back(variants_[k++]);
        continue;
      }
      has_any = true;
      k += compiled->filter().n_stages;
      const auto shared = std::make_shared<const CompiledFilter>(std::move(*compiled));
      std::array<Launch, 4> variant;
      for (std::size_t place = 0; place < 4; ++place) {
        Launch& l = variant[place];
        l.filter = shared;
        l.task = shared->task(shaped_, place >= 2 ? shaped_.source : dense, place % 2 == 1 ? shaped_.destination : dense);
        l.ends_step = shaped_.stages[k - 1].ends_step;
      }
      of_step.push_back(variant);
    }
    if (!has_any) return false;
    parts_ = {{multiply(steps, std::ssize(of_step)), variants_.size(), of_step.size()}};
    variants_.insert(variants_.end(), of_step.begin(), of_step.end());
    return true;
  }

  // As many steps at once as there are kernels for, the rest by kernels of fewer.
  void plan_steps(const Sweep& sweep) {
    parts_ = plain_;
    if (plan_filters(sweep.steps)) return;
    const March* const one = shaped_.stages.size() == 1 ? march_of(shaped_.stages[0], shaped_.shape) : nullptr;
    if (one == nullptr || !is_settled_) return;
    parts_.clear();
    std::int64_t left = sweep.steps;
    const std::int64_t most = sweep.steps_at_once == 0 ? left : sweep.steps_at_once;
    for (int steps = most_steps_at_once; steps > 1; --steps) {
      const March* const march = march_of_steps(*one, steps);
      if (march == nullptr || steps > most || left < steps || !add_variant(0, march)) continue;
      parts_.push_back({left / steps, variants_.size() - 1, 1});
      left %= steps;
    }
    if (left > 0) parts_.push_back({left, 0, 1});
  }

  // A list of points over all steps in one launch, where its blocks keep the array.
  void plan_resident(const Sweep& sweep, const ResidentLimits& limits) {
    if (shaped_.stages.size() != 1 || !is_settled_ || is_converted_ || is_part_ || sweep.steps_at_once != 0) return;
    resident_ = resident_of(stages_->stage(0, true, true), shaped_.stages[0], sweep.steps, limits);
    if (resident_) buffer_bytes_ = std::max(buffer_bytes_, resident_->exchange_bytes());
  }

  void launch(const Launch& l, const std::byte* from, std::byte* to, CUstream_st* stream) const {
    if (l.filter != nullptr) return l.filter->launch(l.task, from, to, stream);
    CudaStage<T> s = l.stage;
    if (l.march != nullptr) {
      const std::int32_t vector = vector_of(s, *l.march, reinterpret_cast<std::uintptr_t>(from) | reinterpret_cast<std::uintptr_t>(to));
      if (vector > 0 && vector != std::exchange(s.vector, vector)) set_march(s, *l.march, workers_);
      if (vector > 0) return gpu::entry<&launch_march<T>>(s, *l.march, from, to, stream);
    }
    if (l.march != nullptr) set_tiles(s, workers_);
    s.is_aligned = s.is_aligned && is_multiple_of(from, sizeof(T)) && is_multiple_of(to, sizeof(T));
    s.is_direct = s.is_direct && s.is_aligned;
    gpu::entry<&launch_stencil<T>>(s, from, to, stream);
  }

  Device device_;
  ShapedSweep shaped_;
  Number settled_;  // what values between steps are rounded to
  bool is_settled_;
  bool is_converted_ = false;
  bool is_part_ = false;
  CudaNumbers source_, destination_;  // where it is
  CudaNumbers part_;                  // of the passes' last array, where it is one
  std::int64_t source_offset_ = 0, destination_offset_ = 0, part_offset_ = 0;
  std::int64_t n_cells_ = 0, workers_ = 1;
  int n_buffers_ = 0;
  std::int64_t buffer_bytes_ = 0;
  std::string name_;                             // of the device
  std::vector<std::array<Launch, 4>> variants_;  // [list, then steps at once][2 reads the source + writes the destination]
  std::vector<Part> plain_, parts_;              // one step at a time; several where buffers begin at multiples of 16 bytes
  std::optional<CudaStages<T>> stages_;
  std::optional<ResidentSweep<T>> resident_;  // instead, where elements begin at multiples of their size
};

}  // namespace

std::unique_ptr<CudaSweep> make_cuda_sweep(const Sweep& sweep, const Ranges& made, Device device) {
  device.index = gpu::cuda_index(device, "a stencil");
  if (std::unique_ptr<CudaSweep> bytes = make_byte_filter(sweep, made, device)) return bytes;
  if (sums_are_float32(sweep.source_type, sweep.destination_type)) return std::make_unique<Launches<float>>(sweep, made, device);
  return std::make_unique<Launches<double>>(sweep, made, device);
}

}  // namespace crinkle
