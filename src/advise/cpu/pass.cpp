// Every loop is compiled for the bytes of a field and for 1 to 4 fields at once; of sequential passes also for steps as long as the
// field, and for blocks of 8, 16 and 32, so that each layout is read by the loop that a program made for it would have.
// SPDX-License-Identifier: BSD-3-Clause
#include "advise/cpu/pass.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "base/checked.hpp"

namespace crinkle::advising {
namespace {

constexpr std::int64_t piece = 256;         // positions: their sums and places lie in the first cache
constexpr std::int64_t most_pieces = 1024;  // of a part, which goes to one thread

template <std::int64_t Value>
using Constant = std::integral_constant<std::int64_t, Value>;
template <std::size_t Value>
using Size = std::integral_constant<std::size_t, Value>;

// The words of 4 bytes of a field, xored. Bytes: 0 stands for any number.
template <int Bytes>
inline std::uint32_t sum_of(const std::byte* field, std::int64_t n_bytes) {
  std::uint32_t sum = 0;
  if constexpr (Bytes > 0 && Bytes <= 4) {
    std::memcpy(&sum, field, Bytes);
  } else if constexpr (Bytes > 4) {
    for (int at = 0; at < Bytes; at += 4) {
      std::uint32_t word;
      std::memcpy(&word, field + at, 4);
      sum ^= word;
    }
  } else {
    for (std::int64_t at = 0; at < n_bytes; at += 4) {
      std::uint32_t word = 0;
      std::memcpy(&word, field + at, static_cast<std::size_t>(std::min<std::int64_t>(4, n_bytes - at)));
      sum ^= word;
    }
  }
  return sum;
}

template <int Bytes>
inline void write_field(std::byte* field, std::uint32_t value, std::int64_t n_bytes) {
  if constexpr (Bytes > 0 && Bytes <= 4) {
    std::memcpy(field, &value, Bytes);
  } else if constexpr (Bytes > 4) {
    for (int at = 0; at < Bytes; at += 4) std::memcpy(field + at, &value, 4);
  } else {
    for (std::int64_t at = 0; at < n_bytes; at += 4)
      std::memcpy(field + at, &value, static_cast<std::size_t>(std::min<std::int64_t>(4, n_bytes - at)));
  }
}

// Runs of records that lie evenly: run r of field f begins at at[f] + r·next bytes and has `count` records, `step` bytes apart.
struct Runs {
  std::byte* at[Bundle::most];
  std::int64_t next = 0, n = 1;
};

template <int Bytes, std::size_t Fields, class Step, class Count>
void read_runs(const Runs& runs, Step step, Count count, std::int64_t n_bytes, std::uint32_t* __restrict sums) {
  for (std::int64_t r = 0; r < runs.n; ++r, sums += count) {
    const std::byte* at[Fields];
    for (std::size_t f = 0; f < Fields; ++f) at[f] = runs.at[f] + r * runs.next;
    for (std::int64_t k = 0; k < count; ++k) {
      std::uint32_t sum = sums[k];
      for (std::size_t f = 0; f < Fields; ++f) sum ^= sum_of<Bytes>(at[f] + k * step, n_bytes);
      sums[k] = sum;
    }
  }
}

template <int Bytes, std::size_t Fields, class Step, class Count>
void write_runs(const Runs& runs, Step step, Count count, std::int64_t n_bytes, const std::uint32_t* adds,
                const std::uint32_t* __restrict sums) {
  for (std::int64_t r = 0; r < runs.n; ++r, sums += count) {
    std::byte* at[Fields];
    std::uint32_t add[Fields];
    for (std::size_t f = 0; f < Fields; ++f) at[f] = runs.at[f] + r * runs.next, add[f] = adds[f];
    for (std::int64_t k = 0; k < count; ++k) {
      const std::uint32_t sum = sums[k];
      for (std::size_t f = 0; f < Fields; ++f) write_field<Bytes>(at[f] + k * step, sum + add[f], n_bytes);
    }
  }
}

// Calls body(a constant for the bytes of a field); 0 for those that have no loop of their own.
template <class Body>
void for_bytes(std::int64_t bytes, const Body& body) {
  switch (bytes) {
    case 1: return body(Constant<1>());
    case 2: return body(Constant<2>());
    case 4: return body(Constant<4>());
    case 8: return body(Constant<8>());
    case 16: return body(Constant<16>());
    default: return body(Constant<0>());
  }
}

// Calls body(how many fields there are, as a constant).
template <class Body>
void for_fields(std::size_t n_fields, const Body& body) {
  static_assert(Bundle::most == 4);
  switch (n_fields) {
    case 1: return body(Size<1>());
    case 2: return body(Size<2>());
    case 3: return body(Size<3>());
    default: return body(Size<4>());
  }
}

// Calls body(step, records a run), both constants where there is a loop for them.
template <class Body>
void for_form(std::int64_t step, std::int64_t count, auto bytes, const Body& body) {
  if (bytes == 0 || step != bytes) return body(step, count);
  switch (count) {
    case 8: return body(bytes, Constant<8>());
    case 16: return body(bytes, Constant<16>());
    case 32: return body(bytes, Constant<32>());
    default: return body(bytes, count);
  }
}

// Runs of `count` records each, from record i on. Side: std::uint32_t to add to, or a const one to write from.
template <class Sum>
void go_through_runs(const Bundle& b, const Runs& runs, std::int64_t step, std::int64_t count, Sum* sums) {
  for_bytes(b.bytes, [&](auto bytes) {
    for_fields(b.n_fields, [&](auto n_fields) {
      for_form(step, count, bytes, [&](auto step_form, auto count_form) {
        std::uint32_t adds[n_fields()];
        for (std::size_t f = 0; f < n_fields(); ++f) adds[f] = b.fields[f].add;
        if constexpr (std::is_const_v<Sum>) write_runs<bytes(), n_fields()>(runs, step_form, count_form, b.bytes, adds, sums);
        else read_runs<bytes(), n_fields()>(runs, step_form, count_form, b.bytes, sums);
      });
    });
  });
}

// Records [first, last) of n, which follow each other.
template <class Sum>
void go_through_range(const Bundle& b, std::byte* memory, std::int64_t first, std::int64_t last, std::int64_t n, Sum* sums) {
  while (first < last) {
    // Whole blocks together, a part of one by itself.
    const std::int64_t block_begin = b.block == 1 ? 0 : first / b.block * b.block,
                       block_end = b.block == 1 ? n : std::min(n, block_begin + b.block);
    const bool is_whole = b.block > 1 && first == block_begin && block_begin + b.block <= last;
    const std::int64_t n_runs = is_whole ? (last - first) / b.block : 1;
    const std::int64_t count = is_whole ? b.block : std::min(last, block_end) - first;
    const std::int64_t step = b.block == 1 ? b.record_bytes : b.bytes, in_block = b.block == 1 ? 1 : block_end - block_begin;
    Runs runs;
    runs.n = n_runs;
    runs.next = b.block * b.record_bytes;
    for (std::size_t f = 0; f < b.n_fields; ++f) {
      const Bundle::Field& field = b.fields[f];
      runs.at[f] = memory + field.begin + block_begin * b.record_bytes + in_block * field.offset + (first - block_begin) * step;
    }
    go_through_runs(b, runs, step, count, sums);
    first += n_runs * count;
    sums += n_runs * count;
  }
}

// A bundle's addresses for `piece` records in any order: field f of record k begins at at[k] + in_block[k]·o_f.
struct Places {
  std::int64_t at[piece], in_block[piece];
};

void find_places(const Bundle& b, const Divisor<std::uint64_t>& block, const std::int64_t* records, std::int64_t count, std::int64_t n,
                 Places& places) {
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t i = records[k];
    const std::int64_t begin = b.block == 1 ? i : static_cast<std::int64_t>(block.quotient(static_cast<std::uint64_t>(i))) * b.block;
    places.at[k] = begin * b.record_bytes + (i - begin) * b.bytes;
    places.in_block[k] = std::min(b.block, n - begin);
  }
}

template <class Sum>
void go_through_places(const Bundle& b, std::byte* memory, const Places& places, std::int64_t count, Sum* sums) {
  for_bytes(b.bytes, [&](auto bytes) {
    for_fields(b.n_fields, [&](auto n_fields) {
      std::byte* begin[n_fields()];
      std::int64_t offset[n_fields()];
      std::uint32_t adds[n_fields()];
      for (std::size_t f = 0; f < n_fields(); ++f) {
        const Bundle::Field& field = b.fields[f];
        begin[f] = memory + field.begin, offset[f] = field.offset, adds[f] = field.add;
      }
      for (std::int64_t k = 0; k < count; ++k) {
        std::uint32_t sum = sums[k];
        for (std::size_t f = 0; f < n_fields(); ++f) {
          std::byte* at = begin[f] + places.at[k] + places.in_block[k] * offset[f];
          if constexpr (std::is_const_v<Sum>) write_field<bytes()>(at, sum + adds[f], b.bytes);
          else sum ^= sum_of<bytes()>(at, b.bytes);
        }
        if constexpr (!std::is_const_v<Sum>) sums[k] = sum;
      }
    });
  });
}

std::vector<Bundle> bundles_of(const Pass& pass, const std::vector<std::string>& names) {
  std::vector<Bundle> bundles;
  for (std::size_t j = 0; j < names.size(); ++j) {
    const RecordLayout::Place& place = *pass.layout.find(names[j]);
    Bundle own;
    own.bytes = place.field.bytes();
    own.block = pass.layout.groups()[place.group].block;
    own.record_bytes = pass.layout.record_bytes(place.group);
    const auto has_room = [&](const Bundle& b) { return b.is_like(own) && b.n_fields < Bundle::most; };
    auto bundle = std::find_if(bundles.begin(), bundles.end(), has_room);
    if (bundle == bundles.end()) bundle = bundles.insert(bundles.end(), own);
    bundle->fields[bundle->n_fields++] = {pass.arrays.begin[place.group], place.offset, add_of(j)};
  }
  return bundles;
}

void run_part(const CpuPass& pass, std::byte* memory, std::int64_t first, std::int64_t last,
              const std::vector<Divisor<std::uint64_t>>& blocks) {
  const std::int64_t n = pass.visit.n;
  std::uint32_t sums[piece];
  std::int64_t records[piece];
  Places places;
  for (std::int64_t t = first; t < last; t += piece) {
    const std::int64_t count = std::min(piece, last - t);
    if (pass.visit.kind == Visit::Kind::sequential) {
      for (std::int64_t k = 0; k < count; ++k) sums[k] = static_cast<std::uint32_t>(t + k);
      for (const Bundle& b : pass.reads) go_through_range(b, memory, t, t + count, n, sums);
      for (const Bundle& b : pass.writes) go_through_range<const std::uint32_t>(b, memory, t, t + count, n, sums);
      continue;
    }
    for (std::int64_t k = 0; k < count; ++k) records[k] = pass.visit.record(t + k);
    for (std::int64_t k = 0; k < count; ++k) sums[k] = static_cast<std::uint32_t>(records[k]);
    for (std::size_t b = 0; b < pass.reads.size(); ++b) {
      find_places(pass.reads[b], blocks[b], records, count, n, places);
      go_through_places(pass.reads[b], memory, places, count, sums);
    }
    for (std::size_t b = 0; b < pass.writes.size(); ++b) {
      find_places(pass.writes[b], blocks[pass.reads.size() + b], records, count, n, places);
      go_through_places<const std::uint32_t>(pass.writes[b], memory, places, count, sums);
    }
  }
}

}  // namespace

CpuPass cpu_pass(const Pass& pass) { return {bundles_of(pass, pass.pattern.reads), bundles_of(pass, pass.pattern.writes), pass.visit}; }

void run_pass(const CpuPass& pass, std::byte* memory, Executor& executor) {
  std::vector<Divisor<std::uint64_t>> blocks;
  for (const auto* side : {&pass.reads, &pass.writes})
    for (const Bundle& b : *side) blocks.emplace_back(static_cast<std::uint64_t>(b.block));
  const std::int64_t pieces = ceil_divide(pass.visit.n, piece), a_worker = ceil_divide(pieces, executor.n_workers());
  const std::int64_t part = piece * std::clamp<std::int64_t>(a_worker, 1, most_pieces);
  executor.parallel_for(ceil_divide(pass.visit.n, part),
                        [&](std::int64_t c) { run_part(pass, memory, c * part, std::min(pass.visit.n, (c + 1) * part), blocks); });
}

}  // namespace crinkle::advising
