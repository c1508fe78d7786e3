/* What a library that is no Python package offers the driver: one array into another, its axes in another order, some of them reversed.
 * SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* dst[j_0, …] = src[i_0, …] with i_order[k] = j_k, or n − 1 − j_k where flipped[k], n its extent. Both are dense, the last axis the
 * fastest. */
typedef struct rival_move {
  int32_t rank, element_bytes, threads;
  const int64_t* extents; /* of the source */
  const int32_t *order, *flipped;
  const void* src;
  void* dst;
} rival_move;

const char* rival_version(void);
/* Everything that is done once for many runs; NULL where the library does not do such a move. The buffers stay; extents, order and flipped
 * need not. */
void* rival_prepare(const rival_move* move);
void rival_run(void* prepared);

#ifdef __cplusplus
}
#endif
