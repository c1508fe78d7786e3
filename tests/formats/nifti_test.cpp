// NIfTI volumes: round trips, byte orders, extensions, and headers that lie.
// SPDX-License-Identifier: BSD-3-Clause
#include "formats/nifti.hpp"

#include <cmath>
#include <functional>

#include "volume.hpp"

namespace crinkle::tool::nifti_test {
namespace {

TEST(Nifti, a_volume_is_mapped_at_its_offset_with_its_axes_reversed) {
  const Folder folder;
  put(folder / "in.nii", oblique_file());
  const auto source = Source::open(folder / "in.nii");
  EXPECT_EQ(source->facts().format, "nifti");
  EXPECT_EQ(source->facts().layout.extents, (Extents{2, 5, 3, 4}));
  EXPECT_EQ(source->facts().type.descr, "<i2");
  EXPECT_EQ(source->facts().layout.offset, 352);
  EXPECT_EQ(elements(*source), pattern(240));
}

TEST(Nifti, an_unchanged_volume_keeps_every_byte_of_its_header) {
  const Folder folder;
  put(folder / "in.nii", oblique_file());
  const auto source = Source::open(folder / "in.nii");
  for (const char* name : {"out.nii", "out.nii.gz"}) {
    const OutputFacts facts{source->facts().layout.extents, source->facts().type, &source->facts(), nullptr};
    const auto sink = Sink::create(folder / name, facts, Overwrite::refuse);
    fill(*sink, pattern(240));
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(sink->bytes().data()), sink->bytes().size()), oblique_file());
    sink->commit();
    const auto back = Source::open(folder / name);
    EXPECT_EQ(elements(*back), pattern(240));
    EXPECT_TRUE(back->facts().notes.empty());
  }
  EXPECT_EQ(contents(folder / "out.nii"), oblique_file());
}

TEST(Nifti, every_type_goes_out_and_comes_back_in_both_orders_and_versions) {
  const Folder folder;
  for (const NiftiType& type : nifti_types) {
    for (const char order : {'<', '>'}) {
      for (const Extents& extents : {Extents{2, 3}, Extents{1, 40000}}) {
        const bool is_list = type.descr[0] == '[';
        const ElementType element = element_type(is_list ? std::string(type.descr) : order + std::string(type.descr));
        for (const char* name : {"out.nii", "out.nii.gz"}) {
          const std::string data = make(folder / name, extents, element.descr, Overwrite::force);
          const auto back = Source::open(folder / name);
          EXPECT_EQ(back->facts().type.descr, element.descr);
          EXPECT_EQ(back->facts().layout.extents, extents);
          EXPECT_EQ(back->facts().layout.offset, extents[1] == 40000 ? 544 : 352);
          EXPECT_TRUE(elements(*back) == data);
        }
      }
    }
  }
}

/// Turns a native little file of `oblique()` into a big-endian one.
std::string big_endian_file() {
  nifti_1_header header = oblique();
  swap_nifti_header(&header, 1);
  std::string data = pattern(240);
  for (std::size_t i = 0; i < data.size(); i += 2) std::swap(data[i], data[i + 1]);
  return text_of(header) + data;
}

TEST(Nifti, a_big_endian_file_stays_big_endian) {
  const Folder folder;
  put(folder / "in.nii", big_endian_file());
  const auto source = Source::open(folder / "in.nii");
  EXPECT_EQ(source->facts().type.descr, ">i2");
  const OutputFacts facts{source->facts().layout.extents, source->facts().type, &source->facts(), nullptr};
  const auto sink = Sink::create(folder / "out.nii", facts, Overwrite::refuse);
  fill(*sink, elements(*source));
  sink->commit();
  EXPECT_EQ(contents(folder / "out.nii"), big_endian_file());
}

TEST(Nifti, extensions_are_carried_over_in_either_order) {
  const auto extended = [](bool is_swapped) {
    nifti_1_header header = plain({2}, NIFTI_TYPE_INT16, 16);
    header.vox_offset = 384;
    std::uint32_t numbers[2] = {32, 6};
    if (is_swapped) {
      swap_nifti_header(&header, 1);
      for (std::uint32_t& n : numbers) n = __builtin_bswap32(n);
    }
    std::string file = text_of(header);
    file[348] = 1;
    return file + std::string(reinterpret_cast<const char*>(numbers), 8) + "a comment of 24 bytes..." + "abcd";
  };
  const Folder folder;
  put(folder / "in.nii", extended(false));
  const auto source = Source::open(folder / "in.nii");
  for (const char order : {'<', '>'}) {
    const OutputFacts facts{{2}, with_byte_order(source->facts().type, order), &source->facts(), nullptr};
    const auto sink = Sink::create(folder / "out.nii", facts, Overwrite::force);
    fill(*sink, "abcd");
    sink->commit();
    EXPECT_EQ(contents(folder / "out.nii"), extended(order == '>'));
  }
  std::string damaged = extended(false);
  damaged[352] = 33;
  put(folder / "in.nii", damaged);
  EXPECT_TRUE(says(Source::open(folder / "in.nii")->facts().notes.at(0), "extensions are dropped"));
}

TEST(Nifti, stored_values_that_want_scaling_are_noted) {
  const Folder folder;
  nifti_1_header header = plain({2}, NIFTI_TYPE_UINT8, 8);
  header.scl_slope = 2;
  put(folder / "in.nii", text_of(header) + "ab");
  EXPECT_TRUE(says(Source::open(folder / "in.nii")->facts().notes.at(0), "scl_slope 2"));
}

std::string refusal(const std::function<void(nifti_1_header&)>& change, ErrorCode code = ErrorCode::bad_file) {
  const Folder folder;
  nifti_1_header header = oblique();
  change(header);
  put(folder / "in.nii", text_of(header) + pattern(240));
  return error_of(code, [&] { Source::open(folder / "in.nii"); });
}

TEST(Nifti, lying_headers_are_refused) {
  refusal([](auto& h) { h.dim[0] = 0; });
  refusal([](auto& h) { h.dim[0] = 8; });
  refusal([](auto& h) { h.dim[0] = -1; });
  refusal([](auto& h) { h.dim[2] = 0; });
  refusal([](auto& h) { h.dim[2] = -3; });
  EXPECT_TRUE(says(refusal([](auto& h) { h.dim[2] = 30000; }), "but the file has 592"));
  refusal([](auto& h) {
    h.dim[0] = 7;
    for (int d = 1; d <= 7; ++d) h.dim[d] = 32767;
  });
  refusal([](auto& h) { h.datatype = 12345; });
  refusal([](auto& h) { h.vox_offset = 100; });
  refusal([](auto& h) { h.vox_offset = -352; });
  refusal([](auto& h) { h.vox_offset = 352.5F; });
  refusal([](auto& h) { h.vox_offset = NAN; });
  refusal([](auto& h) { h.vox_offset = 1e30F; });
  refusal([](auto& h) { std::memcpy(h.magic, "abc", 4); });
  refusal([](auto& h) { std::memcpy(h.magic, "ni1", 4); }, ErrorCode::unsupported);
  refusal([](auto& h) { h.datatype = DT_BINARY; }, ErrorCode::unsupported);
}

TEST(Nifti, every_cut_of_a_file_is_refused) {
  const Folder folder;
  const std::string whole = oblique_file();
  make(folder / "whole.nii.gz", {3, 4}, "<i2");
  const std::string packed = contents(folder / "whole.nii.gz");
  for (std::size_t n = 4; n < whole.size(); n += n < 360 ? 1 : 7) {
    put(folder / "in.nii", whole.substr(0, n));
    error_of(ErrorCode::bad_file, [&] { Source::open(folder / "in.nii"); });
  }
  for (std::size_t n = 2; n < packed.size(); ++n) {
    put(folder / "in.nii.gz", packed.substr(0, n));
    EXPECT_THROW(Source::open(folder / "in.nii.gz"), Error) << n;
  }
}

TEST(Nifti, a_packed_header_cannot_ask_for_more_than_packing_can_hold) {
  const Folder folder;
  const nifti_1_header header = plain({30000, 30000, 30000}, NIFTI_TYPE_UINT8, 8);
  OutputFacts facts;
  facts.extents = {1};
  facts.type = element_type("uint8");
  const auto sink = Sink::create(folder / "bomb.nii.gz", facts, Overwrite::refuse);
  std::memcpy(sink->bytes().data(), &header, sizeof header);
  sink->commit();
  EXPECT_TRUE(says(error_of(ErrorCode::bad_file, [&] { Source::open(folder / "bomb.nii.gz"); }), "cannot be in"));
}

TEST(Nifti, damaged_packing_is_refused) {
  const Folder folder;
  make(folder / "in.nii.gz", {100}, "<i2");
  std::string packed = contents(folder / "in.nii.gz");
  packed[packed.size() - 6] = static_cast<char>(packed[packed.size() - 6] ^ 1);  // the checksum
  put(folder / "in.nii.gz", packed);
  EXPECT_TRUE(says(error_of(ErrorCode::bad_file, [&] { Source::open(folder / "in.nii.gz"); }), "gzip"));
}

TEST(Nifti, what_nifti_lacks_is_unsupported_with_a_way_out) {
  const Folder folder;
  for (const char* type : {"bool", "<f2", "|S4", "<U2", "<M8[ns]", "[('x', '<f4')]"}) {
    for (const char* name : {"out.nii", "out.nii.gz"}) {
      EXPECT_TRUE(says(error_of(ErrorCode::unsupported, [&] { make(folder / name, {4}, type); }), ".npy instead")) << type;
    }
  }
  EXPECT_TRUE(says(error_of(ErrorCode::unsupported, [&] { make(folder / "out.nii", {1, 1, 1, 1, 1, 1, 1, 1}, "|u1"); }), "7 axes"));
  error_of(ErrorCode::unsupported, [&] { make(folder / "out.nii", {3, 0}, "|u1"); });
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace
}  // namespace crinkle::tool::nifti_test
