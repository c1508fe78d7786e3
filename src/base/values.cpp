// SPDX-License-Identifier: BSD-3-Clause
#include "base/values.hpp"

namespace crinkle {

void check_values(const ConstBuffer& buffer, const ValueForm& form, const std::string& what, const char* whose) {
  const std::int64_t n = buffer.value_bytes;
  if (n <= 1 || form.record == 0 || buffer.data == nullptr || buffer.bytes == 0) return;
  if (buffer.has_records ? n % form.record == 0 : n == form.number || (!form.is_typed && n == form.record)) return;
  const auto bytes = [](std::int64_t k) { return std::to_string(k) + (k == 1 ? " byte" : " bytes"); };
  const std::string wanted =
      bytes(form.record) + (form.number == 0 || form.number == form.record ? "" : ", numbers in them " + bytes(form.number));
  throw Error(ErrorCode::bad_shape, "the " + what + " is given as " + (buffer.has_records ? "structures of " : "numbers of ") + bytes(n) +
                                        "; " + whose + " has elements of " + wanted + " there: " +
                                        (buffer.has_records ? "make the layout of the type (layout_of), or give its bytes"
                                                            : "give values of that type, or bytes"));
}

}  // namespace crinkle
