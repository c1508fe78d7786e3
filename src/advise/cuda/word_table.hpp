// The words of a pass over one layout. Fields that are neighbours in a record (blocks of one) and lie in one aligned word of up to 16 bytes
// are loaded by one load, as RecordView::load() does; a word is stored whole where all its bytes are of fields written, or padding, as
// RecordView::store() does. In longer blocks every field has words of its own.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "advise/cuda/words.hpp"
#include "advise/pass.hpp"

namespace crinkle::advising {

struct WordTable {
  std::vector<Word> words;    // those loaded, then those stored
  std::vector<Piece> pieces;  // of all words
  std::int32_t n_loads = 0;

  const Word& word(std::int32_t k) const { return words[static_cast<std::size_t>(k)]; }
  const Piece& piece(int p) const { return pieces[static_cast<std::size_t>(p)]; }
};

/// Throws unsupported for more pieces than 2^16. Requires memory that begins at a multiple of 256.
WordTable words_of(const Pass& pass);

}  // namespace crinkle::advising
