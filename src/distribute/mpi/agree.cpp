// Ranks agree on an error, or on a text: the same error on all of them.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <climits>
#include <exception>
#include <new>

#include "distribute/mpi/calls.hpp"

namespace crinkle::mpi {
namespace {

// What a rank has thrown, or nothing.
struct Thrown {
  bool is_one = false;
  ErrorCode code = ErrorCode::unsupported;
  std::string text;
};

Thrown caught(const std::function<void()>& body) {
  try {
    body();
    return {};
  } catch (const Error& e) { return {true, e.code(), e.what()}; } catch (const std::bad_alloc&) {
    return {true, ErrorCode::out_of_memory, "there is not enough memory"};
  } catch (const std::exception& e) { return {true, ErrorCode::unsupported, e.what()}; } catch (...) {
    return {true, ErrorCode::unsupported, "something that is no std::exception was thrown"};
  }
}

std::string text_of(MPI_Comm comm, int from, std::string text) {
  int n = static_cast<int>(std::min<std::size_t>(text.size(), INT_MAX));
  check(MPI_Bcast(&n, 1, MPI_INT, from, comm));
  text.resize(static_cast<std::size_t>(n));
  check(MPI_Bcast(text.data(), n, MPI_CHAR, from, comm));
  return text;
}

}  // namespace

void check(int status, std::source_location where) {
  if (status == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int n = 0;
  MPI_Error_string(status, text.data(), &n);
  throw Error(ErrorCode::device,
              fmt::format("MPI: {} ({}:{})", std::string(text.data(), static_cast<std::size_t>(n)), where.file_name(), where.line()));
}

int rank_of(MPI_Comm comm) {
  int rank = 0;
  check(MPI_Comm_rank(comm, &rank));
  return rank;
}
int size_of(MPI_Comm comm) {
  int size = 0;
  check(MPI_Comm_size(comm, &size));
  return size;
}

void agree(MPI_Comm comm, const std::function<void()>& body) {
  const Thrown thrown = caught(body);
  const int own = thrown.is_one ? rank_of(comm) : INT_MAX;
  int first = INT_MAX;
  check(MPI_Allreduce(&own, &first, 1, MPI_INT, MPI_MIN, comm));
  if (first == INT_MAX) return;
  int code = static_cast<int>(thrown.code);
  check(MPI_Bcast(&code, 1, MPI_INT, first, comm));
  const std::string text = text_of(comm, first, thrown.text);
  throw Error(static_cast<ErrorCode>(code), fmt::format("rank {}: {}", first, text));
}

void agree_on(MPI_Comm comm, const std::string& text, const char* what) {
  const std::string of_first = text_of(comm, 0, text);
  agree(comm, [&] {
    if (text == of_first) return;
    const auto at =
        static_cast<std::size_t>(std::mismatch(text.begin(), text.end(), of_first.begin(), of_first.end()).first - text.begin());
    const auto shown = [&](const std::string& t) { return t.substr(at < 60 ? 0 : at - 60, 160); };
    throw Error(ErrorCode::bad_shape,
                fmt::format("the {} differs between ranks: here '{}', on rank 0 '{}'", what, shown(text), shown(of_first)));
  });
}

}  // namespace crinkle::mpi
