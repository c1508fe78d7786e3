// Calls whose plans are kept, in the process-wide cache, by the very words that they were made with: the next call alike reads no words
// and plans nothing. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "crinkle/detail/request_key.hpp"
#include "operations.hpp"

namespace crinkle::python {

/// A function of one array as it is called. Its key is none where the arrays are not plain ones of NumPy, PyTorch or CuPy, where the words
/// are not a tuple of None, flags, numbers and text of Python, lists and tuples of these, and while requests are only planned.
class Call {
 public:
  /// `kind`: of the function (kind_of_key). `out` may be None: then the result is dense, of the array's type.
  Call(std::int64_t kind, nb::handle x, nb::handle out, nb::handle words);

  /// What it gives, and what keep() was told beside it; None where nothing is kept.
  nb::object again() const;
  /// Keeps what the call did. Under Python's lock, as again().
  void keep(const Operation& operation, double note) const;

 private:
  nb::handle x_, out_;
  View view_, out_view_;
  std::optional<crinkle::detail::RequestKey> key_;
};

}  // namespace crinkle::python
