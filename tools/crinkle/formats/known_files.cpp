// SPDX-License-Identifier: BSD-3-Clause
#include "formats/known_files.hpp"

#include <string_view>

namespace crinkle::tool {
namespace {

using std::string_view_literals::operator""sv;

struct Known {
  std::string_view begin, what, way_out;  // of which {} is the file's name
};

constexpr std::string_view move_tiff = "crinkle move '... -> ...' {} array.npy makes .npy of it";

constexpr std::string_view move_arrays = "crinkle move '... -> ...' {}:/NAME array.npy makes .npy of one of its arrays";

constexpr Known all[] = {
    {"II*\0"sv, "a TIFF", move_tiff},
    {"MM\0*"sv, "a TIFF", move_tiff},
    {"II+\0"sv, "a TIFF", move_tiff},
    {"MM\0+"sv, "a TIFF", move_tiff},
    {"PAR1"sv, "a Parquet file", "in Python pandas.read_parquet('{}').to_csv('table.csv') makes a table of it"},
    {"ARROW1"sv, "an Arrow file", "in Python pandas.read_feather('{}').to_csv('table.csv') makes a table of it"},
    {"LASF"sv, "a LAS or LAZ file of points", "pdal translate {} points.csv makes a table of it"},
    {"CDF\x01"sv, "a NetCDF file", move_arrays},
    {"CDF\x02"sv, "a NetCDF file", move_arrays},
    {"CDF\x05"sv, "a NetCDF file", move_arrays},
    {"\x89HDF\r\n\x1a\n"sv, "an HDF5 file (or NetCDF-4)", move_arrays},
    {"MATLAB 5.0 MAT"sv, "a MATLAB file",
     "in Python numpy.save('array.npy', scipy.io.loadmat('{}')['NAME']) makes .npy of one of its arrays"},
    {"GRIB"sv, "a GRIB file", "gdal_translate {} map.tif makes a GeoTIFF of it"},
    {"SIMPLE  ="sv, "a FITS file", "in Python numpy.save('array.npy', astropy.io.fits.getdata('{}')) makes .npy of it"},
    {"PK\x03\x04"sv, "a zip file",
     "unpack it first (unzip {}); a table of Excel or LibreOffice is saved as CSV, an .npz is loaded by numpy.load"},
    {"PK\x05\x06"sv, "an empty zip file", "there is nothing in it"},
    {"\xD0\xCF\x11\xE0"sv, "a file of Microsoft Office", "save it as CSV"},
    {"BZh"sv, "packed by bzip2", "unpack it first: bunzip2 -k {}"},
    {"\xFD\x37zXZ"sv, "packed by xz", "unpack it first: xz -dk {}"},
    {"\x28\xB5\x2F\xFD"sv, "packed by zstd", "unpack it first: zstd -dk {}"},
    {"\xFF\xD8\xFF"sv, "a JPEG picture", "save it as PNG"},
    {"GIF8"sv, "a GIF picture", "save it as PNG"},
    {"%PDF"sv, "a PDF file", "there are no arrays in it"},
};

}  // namespace

std::optional<std::string> told_as_known(std::span<const std::byte> file, const std::string& path) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  for (const Known& known : all) {
    if (!text.starts_with(known.begin)) continue;
    std::string way_out(known.way_out);
    if (const std::size_t at = way_out.find("{}"); at != std::string::npos) way_out.replace(at, 2, path);
    return "is " + std::string(known.what) + ", which is not read here; " + way_out;
  }
  return {};
}

}  // namespace crinkle::tool
