// SPDX-License-Identifier: BSD-3-Clause
#include "formats/hdf5/types.hpp"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <string_view>

#include "crinkle/error.hpp"
#include "formats/file.hpp"

namespace crinkle::tool::hdf5 {
namespace {

[[noreturn]] void refuse(const std::string& where, const std::string& what) {
  throw Error(ErrorCode::unsupported,
              fmt::format("{}: its elements are {}, which crinkle does not read; it reads bool, integers, float16 to "
                          "float64, complex numbers, times, texts of fixed length and opaque bytes",
                          where, what));
}

/// How the bits of a float lie.
struct Float {
  std::size_t bytes, sign, exponent, exponent_bits, mantissa, mantissa_bits, bias;

  friend bool operator==(const Float&, const Float&) = default;
};
constexpr std::array<Float, 3> floats = {{{2, 15, 10, 5, 0, 10, 15}, {4, 31, 23, 8, 0, 23, 127}, {8, 63, 52, 11, 0, 52, 1023}}};

char order_of(hid_t type, std::size_t bytes) {
  if (bytes == 1) return '|';
  return Library()->H5Tget_order(type) == H5T_ORDER_BE ? '>' : '<';
}

ElementType number(hid_t type, char kind, std::size_t bytes) {
  return element_type(fmt::format("{}{}{}", order_of(type, bytes), kind, bytes));
}

ElementType integer(hid_t type, const std::string& where, bool is_signed) {
  const Library h5;
  const std::size_t bytes = h5->H5Tget_size(type);
  const bool is_whole = h5->H5Tget_precision(type) == 8 * bytes && h5->H5Tget_offset(type) == 0;
  if (!is_whole || (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8))
    refuse(where, fmt::format("integers of {} bits in {} bytes", h5->H5Tget_precision(type), bytes));
  return number(type, is_signed ? 'i' : 'u', bytes);
}

ElementType real(hid_t type, const std::string& where) {
  const Library h5;
  Float has{.bytes = h5->H5Tget_size(type), .bias = h5->H5Tget_ebias(type)};
  h5->H5Tget_fields(type, &has.sign, &has.exponent, &has.exponent_bits, &has.mantissa, &has.mantissa_bits);
  const hid_t order = h5->H5Tget_order(type);
  for (const Float& known : floats)
    if (known == has && h5->H5Tget_norm(type) == H5T_NORM_IMPLIED && (order == H5T_ORDER_LE || order == H5T_ORDER_BE))
      return number(type, 'f', has.bytes);
  refuse(where,
         fmt::format("floats of {} bytes with {} bits of exponent and {} of mantissa", has.bytes, has.exponent_bits, has.mantissa_bits));
}

std::string member_name(hid_t type, unsigned k) {
  const Library h5;
  char* const name = h5->H5Tget_member_name(type, k);
  std::string copy = name == nullptr ? "" : name;
  h5->H5free_memory(name);
  return copy;
}

ElementType enumeration(hid_t type, const std::string& where, std::vector<std::string>& notes) {
  const Library h5;
  const Handle base(h5->H5Tget_super(type));
  const ElementType numbers = integer(base.get(), where, h5->H5Tget_sign(base.get()) == H5T_SGN_2);
  std::int8_t no = -1, yes = -1;
  if (numbers.bytes == 1 && h5->H5Tget_nmembers(type) == 2 && member_name(type, 0) == "FALSE" && member_name(type, 1) == "TRUE" &&
      h5->H5Tget_member_value(type, 0, &no) >= 0 && h5->H5Tget_member_value(type, 1, &yes) >= 0 && no == 0 && yes == 1)
    return element_type("|b1");
  notes.push_back(where + ": its numbers have names (an enumeration), which stay behind");
  return numbers;
}

ElementType compound(hid_t type, const std::string& where) {
  const Library h5;
  const int n = h5->H5Tget_nmembers(type);
  const std::size_t bytes = h5->H5Tget_size(type);
  if (n == 2) {  // r and i, of h5py and others
    const Handle first(h5->H5Tget_member_type(type, 0)), second(h5->H5Tget_member_type(type, 1));
    const std::string a = member_name(type, 0), b = member_name(type, 1);
    const bool is_named = (a.starts_with('r') || a.starts_with('R')) && (b.starts_with('i') || b.starts_with('I'));
    if (is_named && h5->H5Tget_class(first.get()) == H5T_FLOAT && h5->H5Tequal(first.get(), second.get()) > 0 &&
        h5->H5Tget_member_offset(type, 0) == 0 && h5->H5Tget_member_offset(type, 1) == bytes / 2 && (bytes == 8 || bytes == 16)) {
      real(first.get(), where);
      return element_type(fmt::format("{}c{}", order_of(first.get(), bytes / 2), bytes));
    }
  }
  std::string names;
  for (int k = 0; k < std::min(n, 8); ++k) names += (k == 0 ? "" : ", ") + member_name(type, static_cast<unsigned>(k));
  refuse(where, fmt::format("records (a compound of {}{})", printable(names, 200), n > 8 ? ", …" : ""));
}

ElementType opaque(hid_t type) {
  const Library h5;
  const std::unique_ptr<char, herr_t (*)(void*)> tag(h5->H5Tget_tag(type), h5->H5free_memory);
  constexpr std::string_view numpy = "NUMPY:";
  const std::string_view said = tag == nullptr ? "" : tag.get();
  const auto bytes = static_cast<std::int64_t>(h5->H5Tget_size(type));
  if (said.starts_with(numpy)) {
    try {
      if (ElementType told = element_type(said.substr(numpy.size())); told.bytes == bytes && !told.is_structured()) return told;
    } catch (const Error&) {}  // then they are bytes
  }
  return element_type(fmt::format("|V{}", bytes));
}

}  // namespace

ElementType type_of(hid_t type, const std::string& where, std::vector<std::string>& notes) {
  const Library h5;
  switch (h5->H5Tget_class(type)) {
    case H5T_INTEGER: return integer(type, where, h5->H5Tget_sign(type) == H5T_SGN_2);
    case H5T_BITFIELD: return integer(type, where, false);
    case H5T_FLOAT: return real(type, where);
    case H5T_ENUM: return enumeration(type, where, notes);
    case H5T_COMPOUND: return compound(type, where);
    case H5T_OPAQUE: return opaque(type);
    case H5T_STRING:
      if (h5->H5Tis_variable_str(type) > 0) refuse(where, "texts of any length");
      return element_type(fmt::format("|S{}", h5->H5Tget_size(type)));
    case H5T_VLEN: refuse(where, "lists of any length");
    case H5T_ARRAY: refuse(where, "arrays themselves");
    case H5T_REFERENCE: refuse(where, "references");
    default: refuse(where, "of a class that is not known");
  }
}

Handle text_type(std::size_t bytes) {
  const Library h5;
  Handle type(h5->H5Tcopy(*h5->H5T_C_S1_g));
  h5->H5Tset_size(type.get(), bytes == 0 ? H5T_VARIABLE : bytes);
  h5->H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

Handle type_for(const ElementType& given, const std::string& where) {
  const Library h5;
  const char kind = given.is_structured() || given.descr.size() < 2 ? '[' : given.descr[1];
  const auto bytes = static_cast<std::size_t>(given.bytes);
  const H5T_order_t order = given.descr.front() == '>' ? H5T_ORDER_BE : H5T_ORDER_LE;
  const auto whole = [&](bool is_signed) {
    Handle type(h5->H5Tcopy(*h5->H5T_STD_U8LE_g));
    h5->H5Tset_precision(type.get(), 8 * bytes);
    if (is_signed) h5->H5Tset_sign(type.get(), H5T_SGN_2);
    h5->H5Tset_order(type.get(), order);
    return type;
  };
  const auto real_of = [&](std::size_t n) {
    Handle type(h5->H5Tcopy(n == 8 ? *h5->H5T_IEEE_F64LE_g : *h5->H5T_IEEE_F32LE_g));
    if (n == 2) {
      const Float& half = floats[0];
      h5->H5Tset_fields(type.get(), half.sign, half.exponent, half.exponent_bits, half.mantissa, half.mantissa_bits);
      h5->H5Tset_size(type.get(), 2);
      h5->H5Tset_ebias(type.get(), half.bias);
    }
    h5->H5Tset_order(type.get(), order);
    return type;
  };
  if (kind == 'i' || kind == 'u') return whole(kind == 'i');
  if (kind == 'f' && bytes <= 8) return real_of(bytes);
  if (kind == 'b') {
    const Handle base = whole(true);
    Handle type(h5->H5Tenum_create(base.get()));
    constexpr std::int8_t no = 0, yes = 1;
    h5->H5Tenum_insert(type.get(), "FALSE", &no);
    h5->H5Tenum_insert(type.get(), "TRUE", &yes);
    return type;
  }
  if (kind == 'c' && bytes <= 16) {
    const Handle half = real_of(bytes / 2);
    Handle type(h5->H5Tcreate(H5T_COMPOUND, bytes));
    h5->H5Tinsert(type.get(), "r", 0, half.get());
    h5->H5Tinsert(type.get(), "i", bytes / 2, half.get());
    return type;
  }
  if (kind == 'S') {
    Handle type(h5->H5Tcopy(*h5->H5T_C_S1_g));
    h5->H5Tset_size(type.get(), bytes);
    h5->H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
    return type;
  }
  if (kind == 'V' || kind == 'M' || kind == 'm') {
    Handle type(h5->H5Tcreate(H5T_OPAQUE, bytes));
    h5->H5Tset_tag(type.get(), kind == 'V' ? "" : ("NUMPY:" + given.descr).c_str());
    return type;
  }
  throw Error(ErrorCode::unsupported, fmt::format("{}: HDF5 has no type here for elements {}; write .npy{}", where, spelled(given),
                                                  kind == '[' ? ", or their fields one by one (crinkle records)" : ""));
}

}  // namespace crinkle::tool::hdf5
