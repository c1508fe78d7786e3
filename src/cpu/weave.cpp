// A program is made greedily: of a vector's bytes that no piece has yet, the first decides the next window. Windows stay inside stretches
// of the source that hold named bytes at least every 64 bytes, so that what they read besides lies on pages that are there.
// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/weave.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/checked.hpp"
#include "base/sizes.hpp"

namespace crinkle::simd {
namespace {

constexpr std::int64_t widest_gap = 64;  // bytes between named bytes of a stretch
constexpr std::int64_t most_items = 64;
constexpr double full_enough = 0.95;  // of a period's vectors

// More pieces than that and a transpose in registers is quicker: 8 loads and permutations a vector of 64 bytes, 4 of 16. Windows that all
// vectors share are loaded once for a period, as many as fit into registers.
constexpr std::int64_t most_pieces_of(std::int64_t width, bool is_shared) { return width == 16 ? 4 : is_shared ? 16 : 8; }
constexpr std::int32_t most_pieces = 32;  // of vectors of 64 bytes

struct Named {
  std::int32_t base;
  std::int64_t offset;
  friend auto operator<=>(const Named&, const Named&) = default;
};

// Stretches of the source without wide gaps: where a window may lie.
class Stretches {
 public:
  explicit Stretches(std::vector<Named> bytes) {
    std::sort(bytes.begin(), bytes.end());
    for (const Named& b : bytes) {
      if (list_.empty() || list_.back().base != b.base || b.offset > list_.back().last + widest_gap) {
        list_.push_back({b.base, b.offset, b.offset + 1});
      } else {
        list_.back().last = b.offset + 1;
      }
    }
  }
  bool hold(std::int64_t width) const {
    return std::all_of(list_.begin(), list_.end(), [&](const Stretch& s) { return s.last - s.first >= width; });
  }
  /// The window that begins at a byte, or at the last multiple of a vector before it; within the stretch in any case.
  std::int64_t window_at(const Named& byte, std::int64_t width, bool is_aligned) const {
    auto s = std::upper_bound(list_.begin(), list_.end(), byte,
                              [](const Named& b, const Stretch& x) { return Named{b.base, b.offset} < Named{x.base, x.first}; });
    --s;
    const std::int64_t from = is_aligned ? floor_divide(byte.offset, width) * width : byte.offset;
    return std::min(std::max(from, s->first), s->last - width);
  }

 private:
  struct Stretch {
    std::int32_t base;
    std::int64_t first, last;
  };
  std::vector<Stretch> list_;
};

constexpr std::int32_t constant = -1;
constexpr std::uint8_t nothing = 0x80;  // an index

// The source of every byte of a period.
std::vector<Named> bytes_of(const Weave::Item& item, std::int64_t items) {
  std::vector<Named> bytes;
  for (std::int64_t i = 0; i < items; ++i) {
    for (const Weave::Origin& o : item.units) {
      const std::int64_t step = o.base == constant ? 0 : i * item.src_steps[static_cast<std::size_t>(o.base)];
      for (std::int64_t b = 0; b < item.unit; ++b) bytes.push_back({o.base, o.offset + step + b});
    }
  }
  return bytes;
}

struct Draft {  // of a vector
  std::int32_t initial = -1;
  std::vector<WovenPiece> pieces;
  std::vector<WovenBytes> indexes;
};

Draft draft_of(WeaveProgram& program, const std::vector<Named>& period, std::int64_t at, std::int64_t width, const Stretches& stretches,
               bool is_aligned, const std::vector<std::uint8_t>& constants) {
  const std::int64_t n = std::min(width, std::ssize(period) - at);
  const auto byte = [&](std::int64_t b) -> const Named& { return period[static_cast<std::size_t>(at + b)]; };
  Draft draft;
  WovenBytes initial;
  std::uint64_t missing = 0;
  for (std::int64_t b = 0; b < n; ++b) {
    if (byte(b).base == constant) {
      initial.byte[b] = constants[static_cast<std::size_t>(byte(b).offset)];
    } else {
      missing |= std::uint64_t{1} << b;
    }
  }
  if (std::any_of(std::begin(initial.byte), std::end(initial.byte), [](std::uint8_t b) { return b != 0; })) {
    draft.initial = static_cast<std::int32_t>(std::ssize(program.initials));
    program.initials.push_back(initial);
  }
  while (missing != 0) {
    Named first{INT32_MAX, INT64_MAX};
    for (std::int64_t b = 0; b < n; ++b)
      if ((missing >> b & 1) != 0) first = std::min(first, byte(b));
    WovenPiece piece{stretches.window_at(first, width, is_aligned), 0, first.base};
    WovenBytes index;
    std::fill(std::begin(index.byte), std::end(index.byte), nothing);
    for (std::int64_t b = 0; b < n; ++b) {
      const std::int64_t in_window = byte(b).offset - piece.offset;
      if ((missing >> b & 1) == 0 || byte(b).base != piece.base || in_window < 0 || in_window >= width) continue;
      index.byte[b] = static_cast<std::uint8_t>(in_window);
      piece.mask |= std::uint64_t{1} << b;
    }
    missing &= ~piece.mask;
    draft.pieces.push_back(piece);
    draft.indexes.push_back(index);
  }
  return draft;
}

bool is_same_window(const WovenPiece& a, const WovenPiece& b) { return a.base == b.base && a.offset == b.offset; }

WovenBytes pair_of(const Draft& d, std::size_t p) {
  WovenBytes pair = d.indexes[p];
  for (std::int64_t b = 0; b < cache_line && p + 1 < d.pieces.size(); ++b)
    if ((d.pieces[p + 1].mask >> b & 1) != 0) pair.byte[b] = static_cast<std::uint8_t>(cache_line + d.indexes[p + 1].byte[b]);
  return pair;
}

void append(WeaveProgram& program, const Draft& d, std::int64_t width) {
  program.initial_of.push_back(d.initial);
  program.pieces.insert(program.pieces.end(), d.pieces.begin(), d.pieces.end());
  program.indexes.insert(program.indexes.end(), d.indexes.begin(), d.indexes.end());
  for (std::size_t p = 0; p < d.pieces.size() && width == cache_line; p += 2) {
    program.pairs.push_back(pair_of(d, p));
    program.pair_masks.push_back(d.pieces[p].mask | (p + 1 < d.pieces.size() ? d.pieces[p + 1].mask : 0));
  }
}

WeaveProgram program_of(const Weave::Item& item, std::int64_t items, std::int64_t width, bool is_aligned) {
  const std::vector<Named> period = bytes_of(item, items);
  std::vector<Named> named;
  for (const Named& b : period)
    if (b.base != constant) named.push_back(b);
  const Stretches stretches(named);
  if (named.empty() || !stretches.hold(width)) return {};
  WeaveProgram program;
  std::vector<Draft> drafts;
  for (std::int64_t at = 0; at < std::ssize(period); at += width)
    drafts.push_back(draft_of(program, period, at, width, stretches, is_aligned, item.constants));
  for (const Draft& d : drafts) program.n_pieces = std::max(program.n_pieces, static_cast<std::int32_t>(d.pieces.size()));
  const auto has_first_windows = [&](const Draft& d) {
    return std::equal(d.pieces.begin(), d.pieces.end(), drafts[0].pieces.begin(), drafts[0].pieces.end(), is_same_window);
  };
  program.is_filled = named.size() < period.size();
  program.shares_windows = !program.is_filled && std::all_of(drafts.begin(), drafts.end(), has_first_windows);
  const bool may_have_more = item.most_pieces > 0 && width == cache_line;
  const std::int64_t most = may_have_more ? std::min(item.most_pieces, most_pieces) : most_pieces_of(width, program.shares_windows);
  if (program.n_pieces > most) return {};
  for (Draft& d : drafts) {
    // As many pieces everywhere: what is added reads what is there and takes nothing.
    while (std::ssize(d.pieces) < program.n_pieces) {
      d.pieces.push_back({stretches.window_at(named.front(), width, false), 0, named.front().base});
      d.indexes.emplace_back();
      std::fill(std::begin(d.indexes.back().byte), std::end(d.indexes.back().byte), nothing);
    }
    append(program, d, width);
  }
  program.n_last = static_cast<std::int32_t>(std::ssize(period) - (program.n_vectors() - 1) * width);
  for (const Named& b : named) program.n_bases = std::max(program.n_bases, b.base + 1);
  for (std::int32_t b = 0; b < program.n_bases; ++b) program.steps.push_back(multiply(items, item.src_steps[static_cast<std::size_t>(b)]));
  return program;
}

// The fewest items that make whole lines, else that fill their vectors well, and base by base reach as far as a window.
std::int64_t items_of(const Weave::Item& item, std::int64_t item_bytes, std::int64_t extent) {
  const std::int64_t most = std::min({extent, most_items, Weave::most_period / item_bytes});
  const std::int64_t whole = cache_line / std::gcd(cache_line, item_bytes);
  const auto reaches = [&](std::int64_t m) {
    std::vector<Named> named = bytes_of(item, m);
    std::erase_if(named, [](const Named& b) { return b.base == constant; });
    return Stretches(std::move(named)).hold(cache_line);
  };
  if (!reaches(most)) return most;  // items too far apart ever to make a stretch
  for (std::int64_t m = whole; m <= most; m += whole)
    if (reaches(m)) return m;
  for (std::int64_t m = 1; m <= most; ++m) {
    const std::int64_t bytes = m * item_bytes;
    const bool is_full = static_cast<double>(bytes) >= full_enough * static_cast<double>(ceil_divide(bytes, cache_line) * cache_line);
    if (is_full && reaches(m)) return m;
  }
  return most;
}

}  // namespace

Weave::Weave(const Item& item, std::int64_t extent, int width)
    : item_bytes_(std::ssize(item.units) * item.unit), src_steps_(item.src_steps), width_(width) {
  if (item_bytes_ == 0 || item_bytes_ > most_period) return;
  items_ = items_of(item, item_bytes_, extent);
  program_ = program_of(item, items_, width, false);
  // Windows at whole vectors cross no line where arrays begin on one, but may be more.
  if (program_.n_pieces > 1)
    if (WeaveProgram aligned = program_of(item, items_, width, true); aligned.n_pieces > 0 && aligned.n_pieces <= program_.n_pieces)
      program_ = std::move(aligned);
  if (program_.n_bases > most_bases) program_ = {};
}

// The bases of item `first`.
const std::byte** Weave::at(const std::byte* const* bases, std::int64_t first, const std::byte** there) const {
  for (std::int32_t b = 0; b < program_.n_bases; ++b) there[b] = bases[b] + first * src_steps_[static_cast<std::size_t>(b)];
  return there;
}

void Weave::periods(const RecordKernels& kernels, const std::byte* const* bases, std::int64_t first, std::int64_t n, std::byte* out,
                    bool is_streaming) const {
  const std::byte* there[most_bases];
  (is_streaming ? kernels.weave_stream : kernels.weave)(program_, at(bases, first, there), n, out, items_ * item_bytes_);
}

void Weave::run(const RecordKernels& kernels, const std::byte* const* bases, std::int64_t first, std::int64_t n, std::int64_t extent,
                std::byte* out) const {
  const std::int64_t n_periods = n / items_;
  if (n_periods > 0) periods(kernels, bases, first, n_periods, out, false);
  for (std::int64_t done = n_periods * items_; done < n;) {  // by way of a buffer, from a period inside the run
    const std::int64_t some = std::min(items_, n - done), at = first + done;
    const std::int64_t from = std::clamp<std::int64_t>(at + some - items_, 0, extent - items_);
    const std::int64_t begin = (at - from) * item_bytes_, end = begin + some * item_bytes_, first_vector = begin / kernels.weave_width;
    alignas(64) std::byte buffer[most_period];
    const std::byte* there[most_bases];
    kernels.weave_part(program_, this->at(bases, from, there), first_vector, ceil_divide(end, kernels.weave_width), buffer);
    std::memcpy(out + done * item_bytes_, buffer + begin - first_vector * kernels.weave_width, static_cast<std::size_t>(end - begin));
    done += some;
  }
}

void Weave::lines(const RecordKernels& kernels, const std::byte* const* bases, std::int64_t first, std::int64_t n, std::byte* out,
                  std::byte* waiting, std::int64_t phase) const {
  if (phase == 0) return periods(kernels, bases, first, n / items_, out, true);
  const std::byte* there[most_bases];
  kernels.weave_lines(program_, at(bases, first, there), n / items_, out, waiting, phase);
}

}  // namespace crinkle::simd
