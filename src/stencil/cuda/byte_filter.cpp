// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/cuda/byte_filter.hpp"

#include <utility>

#include "stencil/cuda/filters.hpp"
#include "stencil/cuda/stages.hpp"

namespace crinkle {
namespace {

class ByteFilter final : public CudaSweep {
 public:
  ByteFilter(const ShapedSweep& shaped, CompiledFilter filter)
      : filter_(std::move(filter)),
        task_(filter_.task(shaped, shaped.source, shaped.destination)),
        source_offset_(shaped.source.offset),
        destination_offset_(shaped.destination.offset),
        n_cells_(shaped.shape.n_cells()) {}

  void run(const std::byte* source, std::byte* destination, const std::array<std::byte*, 2>&, CUstream_st* stream) const override {
    if (n_cells_ > 0) filter_.launch(task_, source + source_offset_, destination + destination_offset_, stream);
  }
  std::int64_t passes() const override { return 1; }
  int n_buffers() const override { return 0; }
  std::int64_t buffer_bytes() const override { return 0; }
  std::string describe() const override { return filter_.describe(task_) + "\n"; }

 private:
  CompiledFilter filter_;
  FilterTask task_;
  std::int64_t source_offset_, destination_offset_, n_cells_;
};

}  // namespace

std::unique_ptr<CudaSweep> make_byte_filter(const Sweep& sweep, const Ranges& made, Device device) {
  if (sweep.source_type.number != Number::uint8 || sweep.steps != 1) return nullptr;
  ShapedSweep shape = shaped(sweep, made);
  for (std::size_t a = 0; a < shape.shape.axes.size(); ++a)
    if (shape.made.high[a] - shape.made.low[a] < shape.shape.axes[a].extent) return nullptr;
  fill_up(shape);
  std::optional<Filter> filter = filter_of(shape, 0);
  if (!filter) return nullptr;
  const std::optional<FilterTypes> types = byte_types(sweep, shape, *filter);
  if (!types) return nullptr;
  std::optional<CompiledFilter> compiled = CompiledFilter::of(std::move(*filter), shape, *types, device);
  return compiled ? std::make_unique<ByteFilter>(shape, std::move(*compiled)) : nullptr;
}

}  // namespace crinkle
