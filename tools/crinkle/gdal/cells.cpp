// Cells of a raster as they are stored, by handles that threads take in turn.
// SPDX-License-Identifier: BSD-3-Clause
#include <mutex>
#include <utility>
#include <vector>

#include "gdal/handles.hpp"
#include "gdal/raster.hpp"
#include "gdal/raster_words.hpp"

namespace crinkle::tool::geo {
namespace {

class Cells final : public RasterCells {
 public:
  Cells(std::string path, int page) : path_(std::move(path)), page_(page) { put_back(open_page(path_, page_)); }

  void read(const RasterBox& box, std::byte* into, const std::array<std::int64_t, 3>& strides) const override {
    Dataset dataset = taken();
    const auto whole = [](std::int64_t n) { return static_cast<int>(n); };  // all are within the raster
    GDALRasterBandH band = GDALGetRasterBand(dataset.get(), 1);
    std::vector<int> bands;
    for (std::int64_t b = 0; b < box.n[0]; ++b) bands.push_back(whole(box.first[0] + b) + 1);
    const CPLErr status = GDALDatasetRasterIOEx(dataset.get(), GF_Read, whole(box.first[2]), whole(box.first[1]), whole(box.n[2]),
                                                whole(box.n[1]), into, whole(box.n[2]), whole(box.n[1]), GDALGetRasterDataType(band),
                                                whole(box.n[0]), bands.data(), strides[2], strides[1], strides[0], nullptr);
    if (status != CE_None) refuse(ErrorCode::bad_file, path_, "reading its cells");
    for (const int b : bands)
      GDALFlushRasterCache(GDALGetRasterBand(dataset.get(), b));  // else it would keep a twentieth of the machine's memory
    put_back(std::move(dataset));
  }

 private:
  Dataset taken() const {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        Dataset dataset = std::move(idle_.back());
        idle_.pop_back();
        return dataset;
      }
    }
    return open_page(path_, page_);
  }
  void put_back(Dataset dataset) const {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(dataset));
  }

  std::string path_;
  int page_;
  mutable std::mutex mutex_;
  mutable std::vector<Dataset> idle_;
};

}  // namespace

std::unique_ptr<RasterCells> open_cells(const std::string& path, int page) { return std::make_unique<Cells>(path, page); }

}  // namespace crinkle::tool::geo
