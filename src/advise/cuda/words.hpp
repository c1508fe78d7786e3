// What one thread of a GPU does with one record of a pass, in plain numbers: words of up to 16 bytes that are loaded whole, the pieces of
// fields in them, and the words that are stored. (advise.hpp says what a pass is.)
//     s = i ⊕ rotate(word cell and mask, by) ⊕ …       over the pieces of all words loaded
//     word cell |= rotate(s + add, by) and mask    over the pieces of a word, which is then stored
// A cell is 4 bytes of a word; a piece is the bytes of one field in a cell, `by` brings them to where the definition has them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "crinkle/detail/hd.hpp"
#include "crinkle/detail/record_form.hpp"
#include "crinkle/detail/record_words.hpp"

namespace crinkle::advising {

struct Piece {
  std::uint32_t mask = 0;
  std::uint32_t add = 0;  // of a word that is stored: (j + 1) · 0x9E3779B9
  std::uint8_t cell = 0;  // of the word
  std::uint8_t by = 0;    // bits to the left
  std::uint16_t unused = 0;
};

/// A word of record i: at begin + b·B·S + r·o + (i − b·B)·e.
struct Word {
  std::int64_t begin = 0;         // bytes from the memory's first to the word's in record 0, less r·o
  std::int64_t record_bytes = 0;  // S
  std::int64_t offset = 0;        // o; 0 where B = 1: begin has it
  std::int64_t step = 0;          // e; S where B = 1
  Divisor<std::uint64_t> block;   // B
  std::int32_t bytes = 1;         // 1, 2, 4, 8 or 16, of which every address is a multiple
  std::uint16_t first_piece = 0, last_piece = 0;

  CRINKLE_HD std::int64_t address(std::int64_t i, std::int64_t n) const {
    if (block.value() == 1) return begin + i * record_bytes;
    return begin + detail::offset_in_group(i, n, block, record_bytes, offset, step);
  }
};

/// Sixteen bytes in registers.
struct Cells {
  std::uint32_t cell[4] = {0, 0, 0, 0};
};

CRINKLE_HD inline Cells load_cells(const unsigned char* memory, std::int32_t bytes) {
  Cells c;
  auto* to = reinterpret_cast<unsigned char*>(c.cell);
  switch (bytes) {
    case 16: detail::load_word<16>(to, memory); break;
    case 8: detail::load_word<8>(to, memory); break;
    case 4: detail::load_word<4>(to, memory); break;
    case 2: detail::load_word<2>(to, memory); break;
    default: detail::load_word<1>(to, memory); break;
  }
  return c;
}

CRINKLE_HD inline void store_cells(unsigned char* memory, const Cells& c, std::int32_t bytes) {
  const auto* from = reinterpret_cast<const unsigned char*>(c.cell);
  switch (bytes) {
    case 16: return detail::store_word<16>(memory, from);
    case 8: return detail::store_word<8>(memory, from);
    case 4: return detail::store_word<4>(memory, from);
    case 2: return detail::store_word<2>(memory, from);
    default: return detail::store_word<1>(memory, from);
  }
}

CRINKLE_HD constexpr std::uint32_t rotate(std::uint32_t x, int by) { return by == 0 ? x : (x << by) | (x >> (32 - by)); }

/// Record i of n. `words` are those loaded, then those stored; a table may lie anywhere, so it is asked through the function calls word(k)
/// and piece(p). So many words are loaded before the first is looked at, as a compiled kernel does.
template <class Table>
CRINKLE_HD inline void visit_record(const Table& table, std::int32_t n_loads, std::int32_t n_words, std::int64_t i, std::int64_t n,
                                    unsigned char* memory) {
  constexpr int at_once = 8;
  auto sum = static_cast<std::uint32_t>(i);
  for (std::int32_t first = 0; first < n_loads; first += at_once) {
    Cells loaded[at_once];
    CRINKLE_UNROLL for (int j = 0; j < at_once; ++j) {
      if (first + j >= n_loads) continue;
      const Word& word = table.word(first + j);
      loaded[j] = load_cells(memory + word.address(i, n), word.bytes);
    }
    CRINKLE_UNROLL for (int j = 0; j < at_once; ++j) {
      if (first + j >= n_loads) continue;
      const Word& word = table.word(first + j);
      for (int p = word.first_piece; p < word.last_piece; ++p) {
        const Piece& piece = table.piece(p);
        const std::uint32_t* c = loaded[j].cell;  // told apart by comparing: registers have no index
        const std::uint32_t low = piece.cell == 0 ? c[0] : c[1], high = piece.cell == 2 ? c[2] : c[3];
        sum ^= rotate((piece.cell < 2 ? low : high) & piece.mask, piece.by);
      }
    }
  }
  for (std::int32_t k = n_loads; k < n_words; ++k) {
    const Word& word = table.word(k);
    Cells stored;
    for (int p = word.first_piece; p < word.last_piece; ++p) {
      const Piece& piece = table.piece(p);
      const std::uint32_t bytes = rotate(sum + piece.add, piece.by) & piece.mask;
      CRINKLE_UNROLL for (int c = 0; c < 4; ++c) stored.cell[c] |= piece.cell == c ? bytes : 0;
    }
    store_cells(memory + word.address(i, n), stored, word.bytes);
  }
}

}  // namespace crinkle::advising
