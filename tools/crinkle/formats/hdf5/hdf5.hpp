// HDF5 files, and NetCDF-4, which is HDF5 with names of axes. Through libhdf5: chunks come and go packed, by H5Dread_chunk and
// H5Dwrite_chunk, and are packed by our threads; elements that lie in one piece are read and written where they lie. What is packed by the
// library's own filters alone goes through H5Dread.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "formats/dataset_format.hpp"

namespace crinkle::tool::hdf5 {

/// .h5, .hdf5, .he5; .nc and .nc4, which are NetCDF.
const DatasetFormat& format();

}  // namespace crinkle::tool::hdf5
