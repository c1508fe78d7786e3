/* The C interface: an image is turned by a quarter, from rows of pixels to columns, and an error tells what was wrong.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

#include "crinkle/crinkle.h"

int main(void) {
  enum { height = 3, width = 4 };
  const uint32_t image[height][width] = {{0, 1, 2, 3}, {10, 11, 12, 13}, {20, 21, 22, 23}};
  uint32_t turned[width][height];
  const int64_t extents[] = {height, width};
  const crinkle_layout source = {2, extents, NULL, 0, sizeof(uint32_t)};
  crinkle_map* map = NULL;
  crinkle_plan* plan = NULL;
  if (crinkle_parse("y x -> x y", &source, NULL, &map) != crinkle_done || crinkle_flip(map, "y") != crinkle_done ||
      crinkle_make_plan(map, crinkle_cpu, 1, &plan) != crinkle_done) {
    printf("%s\n", crinkle_error_text());
    return 1;
  }
  const void* from = image;
  void* to = turned;
  const int64_t from_bytes = sizeof image, to_bytes = sizeof turned;
  if (crinkle_run(plan, &from, &from_bytes, &to, &to_bytes) != crinkle_done) return 1;
  int is_right = 1;
  for (int x = 0; x < width; ++x)
    for (int y = 0; y < height; ++y) is_right &= turned[x][y] == image[height - 1 - y][x];
  /* A wrong request changes nothing and says why. */
  is_right &= crinkle_roll(map, "z", 1) == crinkle_bad_shape;
  printf("%s\n%s\n", is_right ? "turned" : "WRONG", crinkle_error_text());
  crinkle_free_plan(plan);
  crinkle_free_map(map);
  return is_right ? 0 : 1;
}
