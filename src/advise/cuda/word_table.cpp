// SPDX-License-Identifier: BSD-3-Clause
#include "advise/cuda/word_table.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "base/checked.hpp"
#include "crinkle/error.hpp"

namespace crinkle::advising {
namespace {

/// One byte of a record as one side of a pass sees it.
struct Byte {
  enum class Kind : std::uint8_t { padding, wanted, other };
  Kind kind = Kind::padding;
  std::uint32_t add = 0;
  std::size_t field = 0;      // of the pattern's side
  std::int64_t in_field = 0;  // bytes
};
using Bytes = std::vector<Byte>;

class Builder {
 public:
  explicit Builder(const Pass& pass) : pass_(pass) {}

  void add_side(const std::vector<std::string>& names, bool is_stored) {
    names_ = &names;
    is_stored_ = is_stored;
    for (std::size_t g = 0; g < pass_.layout.n_groups(); ++g) {
      if (pass_.layout.groups()[g].block == 1) add_records(g);
      else add_runs(g);
    }
    if (!is_stored) table_.n_loads = static_cast<std::int32_t>(table_.words.size());
  }
  WordTable table() { return std::move(table_); }

 private:
  void mark(Bytes& bytes, const RecordLayout::Place& place, std::int64_t first) const {
    const auto name = std::find(names_->begin(), names_->end(), place.field.name);
    const auto j = static_cast<std::size_t>(name - names_->begin());
    for (std::int64_t b = 0; b < place.field.bytes(); ++b) {
      Byte& byte = bytes[static_cast<std::size_t>(first + b)];
      byte.kind = name == names_->end() ? Byte::Kind::other : Byte::Kind::wanted;
      if (byte.kind == Byte::Kind::wanted) byte.add = is_stored_ ? add_of(j) : 0, byte.field = j, byte.in_field = b;
    }
  }

  // Adds a group in blocks of one: words of the record.
  void add_records(std::size_t g) {
    const std::int64_t record_bytes = pass_.layout.record_bytes(g);
    Word word;
    word.begin = pass_.arrays.begin[g];
    word.record_bytes = word.step = record_bytes;
    const std::int64_t power = std::min<std::int64_t>(detail::widest_word, detail::power_in(record_bytes));
    // A record may be mostly padding: only what lies around its fields is looked at.
    std::map<std::int64_t, Bytes> by_word;  // from this byte on
    for (const RecordLayout::Place& place : pass_.layout.places()) {
      if (place.group != g) continue;
      const std::int64_t first = place.offset / power * power, last = detail::up_to_multiple(place.offset + place.field.bytes(), power);
      Bytes bytes(static_cast<std::size_t>(last - first));
      mark(bytes, place, place.offset - first);
      for (std::int64_t at = first; at < last; at += power) {
        Bytes& all = by_word.try_emplace(at, static_cast<std::size_t>(power)).first->second;
        for (std::int64_t b = 0; b < power; ++b) {
          const Byte& byte = bytes[static_cast<std::size_t>(at - first + b)];
          if (byte.kind != Byte::Kind::padding) all[static_cast<std::size_t>(b)] = byte;
        }
      }
    }
    for (const auto& [at, bytes] : by_word) {
      word.begin = add(pass_.arrays.begin[g], at);
      add_words(word, bytes);
    }
  }

  // Adds a group in longer blocks: words of each field by itself, of a power of two that divides every address there is.
  void add_runs(std::size_t g) {
    const std::int64_t block = pass_.layout.groups()[g].block, record_bytes = pass_.layout.record_bytes(g), n = pass_.n();
    for (const RecordLayout::Place& place : pass_.layout.places()) {
      if (place.group != g || std::find(names_->begin(), names_->end(), place.field.name) == names_->end()) continue;
      const std::int64_t bytes = place.field.bytes(), n_whole = n / block, rest = n % block;
      std::uint64_t low = static_cast<std::uint64_t>(detail::widest_word);
      const auto take = [&](std::int64_t address) { low |= static_cast<std::uint64_t>(address); };
      if (n_whole >= 1) take(multiply(block, place.offset));
      if (n_whole >= 2) take(multiply(block, record_bytes));
      if (rest > 0) take(add(multiply(n_whole, multiply(block, record_bytes)), multiply(rest, place.offset)));
      if (n > 1) take(bytes);
      const std::int64_t power = detail::power_in(static_cast<std::int64_t>(low));
      Word word;
      word.record_bytes = record_bytes;
      word.offset = place.offset;
      word.step = bytes;
      word.block = Divisor<std::uint64_t>(static_cast<std::uint64_t>(block));
      Bytes all(static_cast<std::size_t>(bytes));
      mark(all, place, 0);
      for (std::int64_t at = 0; at < bytes;) {
        std::int64_t length = power;
        while (length > bytes - at) length /= 2;
        word.begin = add(pass_.arrays.begin[g], at);
        add_words(word, {all.begin() + at, all.begin() + at + length});
        at += length;
      }
    }
  }

  // The words that are needed of an aligned one, which begins at word.begin.
  void add_words(Word word, const Bytes& bytes) {
    const auto is = [](Byte::Kind kind) { return [kind](const Byte& b) { return b.kind == kind; }; };
    if (std::none_of(bytes.begin(), bytes.end(), is(Byte::Kind::wanted))) return;
    const auto half = static_cast<std::ptrdiff_t>(bytes.size() / 2);
    const auto middle = bytes.begin() + half;
    const bool is_in_one_half = half > 0 && (std::none_of(bytes.begin(), middle, is(Byte::Kind::wanted)) ||
                                             std::none_of(middle, bytes.end(), is(Byte::Kind::wanted)));
    const bool is_split = is_stored_ ? std::any_of(bytes.begin(), bytes.end(), is(Byte::Kind::other)) : is_in_one_half;
    if (is_split) {
      add_words(word, {bytes.begin(), middle});
      word.begin += half;
      return add_words(word, {middle, bytes.end()});
    }
    word.bytes = static_cast<std::int32_t>(bytes.size());
    word.first_piece = static_cast<std::uint16_t>(table_.pieces.size());
    for (std::size_t b = 0; b < bytes.size(); ++b) {
      const Byte& byte = bytes[b];
      if (byte.kind != Byte::Kind::wanted) continue;
      const auto in_cell = static_cast<std::int64_t>(b % 4);
      const bool is_continued = b % 4 != 0 && bytes[b - 1].kind == Byte::Kind::wanted && bytes[b - 1].field == byte.field;
      if (!is_continued) {
        const std::int64_t by = is_stored_ ? in_cell - byte.in_field : byte.in_field - in_cell;  // bytes
        table_.pieces.push_back({0, byte.add, static_cast<std::uint8_t>(b / 4), static_cast<std::uint8_t>(8 * modulo(by, 4))});
      }
      table_.pieces.back().mask |= 0xFFu << (8 * in_cell);
    }
    if (table_.pieces.size() > 0xFFFF)
      throw Error(ErrorCode::unsupported,
                  "fields of " + std::to_string(table_.pieces.size()) +
                      " words and more are not measured on a GPU; leave the longest out of the pattern, or use the CPU");
    word.last_piece = static_cast<std::uint16_t>(table_.pieces.size());
    table_.words.push_back(word);
  }

  const Pass& pass_;
  const std::vector<std::string>* names_ = nullptr;
  bool is_stored_ = false;
  WordTable table_;
};

}  // namespace

WordTable words_of(const Pass& pass) {
  Builder builder(pass);
  builder.add_side(pass.pattern.reads, false);
  builder.add_side(pass.pattern.writes, true);
  return builder.table();
}

}  // namespace crinkle::advising
