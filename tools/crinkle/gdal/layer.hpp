// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gdal/gdal.hpp"

namespace crinkle::tool::geo {

/// Reads as Gdal::read_layer says.
LayerTable read_layer(const LayerRequest& request);

}  // namespace crinkle::tool::geo
