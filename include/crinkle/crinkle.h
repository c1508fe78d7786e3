/* crinkle for other languages: arrays are described, a map says what goes where, a plan moves. The library libcrinkle_c.so has these
 * functions and no others. Meanings, limits and costs are those of the C++ interface (rearrangement.hpp, plan.hpp, record_layout.hpp).
 *
 *     crinkle_layout source = {2, (const int64_t[]){480, 640}, NULL, 0, 4};
 *     crinkle_map* map;
 *     crinkle_plan* plan;
 *     if (crinkle_parse("y x -> x y", &source, NULL, &map) != crinkle_done) return puts(crinkle_error_text());
 *     crinkle_flip(map, "x");
 *     crinkle_make_plan(map, crinkle_cpu, 0, &plan);
 *     crinkle_run(plan, &src, &src_bytes, &dst, &dst_bytes);
 *     crinkle_free_plan(plan), crinkle_free_map(map);
 *
 * A function that fails says so by its status, leaves what it was to make or change as it was, and crinkle_error_text() tells this thread
 * why. Maps may be changed by one thread at a time; plans may be run by several at once. Freeing NULL does nothing.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CRINKLE_H
#define CRINKLE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum crinkle_status {
  crinkle_done,
  crinkle_bad_notation,
  crinkle_bad_shape,
  crinkle_not_divisible,
  crinkle_overlap,
  crinkle_too_large,
  crinkle_unsupported,
  crinkle_bad_file,
  crinkle_out_of_memory,
  crinkle_bad_device,
  crinkle_exists, /* a file that is not to be replaced */
  crinkle_failed  /* anything else */
} crinkle_status;

enum { crinkle_cpu = -1 };        /* a device; 0, 1, …: CUDA devices */
#define CRINKLE_OMITTED INT64_MIN /* a bound of a slice that is left out */

/* address(i) = offset + Σ i_a · strides[a] bytes, slowest axis first. strides NULL: dense, in C order. */
typedef struct crinkle_layout {
  int rank;
  const int64_t* extents; /* [rank] */
  const int64_t* strides; /* [rank], bytes, or NULL */
  int64_t offset;         /* bytes */
  int64_t element_bytes;
} crinkle_layout;

typedef struct crinkle_map crinkle_map;
typedef struct crinkle_plan crinkle_plan;

const char* crinkle_version(void);
/* Why the last call of this thread failed; "" where none did. Valid until its next call. */
const char* crinkle_error_text(void);

/* --- maps ------------------------------------------------------------------------------------------------------------------------------
 */

/* dst[right side] = src[left side] (notation.hpp). destination NULL: dense. */
crinkle_status crinkle_parse(const char* spec, const crinkle_layout* source, const crinkle_layout* destination, crinkle_map** map);
/* dst[…, k, …] = src_k[…] for n arrays in n buffers, and back; the axis as in NumPy, −1 the fastest. */
crinkle_status crinkle_interlace(const crinkle_layout* each, int64_t n, int64_t axis, crinkle_map** map);
crinkle_status crinkle_deinterlace(const crinkle_layout* source, int64_t axis, crinkle_map** map);
/* n records from one layout into another, as in "x:f4 y:f4", "(x y)", "x|y". is_apart ≠ 0: every group in a buffer of its own, on both
 * sides; else groups follow each other in one. */
crinkle_status crinkle_records(const char* fields, const char* from, const char* to, int64_t n, int is_apart, crinkle_map** map);

/* Each changes the map by a verb on one axis of its source, by name. */
crinkle_status crinkle_flip(crinkle_map* map, const char* axis);
crinkle_status crinkle_roll(crinkle_map* map, const char* axis, int64_t distance);
crinkle_status crinkle_slice(crinkle_map* map, const char* axis, int64_t start, int64_t stop, int64_t step); /* CRINKLE_OMITTED */
/* mode: "constant", "edge", "reflect", "symmetric", "wrap"; value: the bytes of an element for constant, NULL for zeros. */
crinkle_status crinkle_pad(crinkle_map* map, const char* axis, int64_t before, int64_t after, const char* mode, const void* value);
crinkle_status crinkle_dilate(crinkle_map* map, const char* axis, int64_t step);
crinkle_status crinkle_at(crinkle_map* map, const char* axis, int64_t index);
crinkle_status crinkle_take(crinkle_map* map, const char* axis, int64_t n, const int64_t* indices);
crinkle_status crinkle_bit_reverse(crinkle_map* map, const char* axis);
crinkle_status crinkle_byte_swap(crinkle_map* map);
/* The map backwards. */
crinkle_status crinkle_invert(crinkle_map* map);

/* What it makes: the destination's rank, and its extents into as many places as there are, at most `most`. */
int crinkle_extents(const crinkle_map* map, int most, int64_t* extents);
int crinkle_n_sources(const crinkle_map* map);
int crinkle_n_destinations(const crinkle_map* map);
void crinkle_free_map(crinkle_map* map);

/* --- plans -----------------------------------------------------------------------------------------------------------------------------
 */

/* A plan is of a map or of a request; every one is run, described and cut alike. n_threads: of the CPU, 0 for all; no matter on another
 * device. What it is made of may be freed or changed afterwards. */
crinkle_status crinkle_make_plan(const crinkle_map* map, int device, int n_threads, crinkle_plan** plan);

/* A Fourier, cosine or sine transform along n_axes axes (fft.hpp). Words, NULL for the first: kind "complex", "real to complex", "complex
 * to real", "cosine", "sine"; norm "backward", "ortho", "forward"; real "float32", "float64", "float16"; shift "none", "input", "output",
 * "both". sizes: [n_axes], or NULL. */
typedef struct crinkle_fft {
  crinkle_layout in, out;
  int n_axes;
  const int64_t* axes;
  const int64_t* sizes;
  const char* kind;
  int is_inverse;
  const char* norm;
  const char* real;
  const char* shift;
} crinkle_fft;
crinkle_status crinkle_make_fft(const crinkle_fft* request, int device, int n_threads, crinkle_plan** plan);

/* A convolution through transforms along n_axes axes, 0 for all. mode "full", "same", "valid"; real "float32", "float64". Inputs: a, b. */
typedef struct crinkle_convolve {
  crinkle_layout a, b, out;
  int n_axes;
  const int64_t* axes;
  const char* mode;
  const char* real;
  int is_correlation;
} crinkle_convolve;
crinkle_status crinkle_make_convolve(const crinkle_convolve* request, int device, int n_threads, crinkle_plan** plan);

/* A sum of neighbours (sweeper.hpp) along n_axes axes, `steps` times (0: once). stencil: the command's words, as "gaussian:1.5" or
 * "laplacian:4"; types: "float32", "uint8" … of the elements; boundary: one word an axis, as "edge" or "constant:0", or NULL for "reflect"
 * everywhere. */
typedef struct crinkle_stencil {
  const char* stencil;
  crinkle_layout source, destination;
  const char* source_type;
  const char* destination_type;
  int n_axes;
  const int64_t* axes;
  const char* const* boundary;
  int64_t steps;
} crinkle_stencil;
crinkle_status crinkle_make_stencil(const crinkle_stencil* request, int device, int n_threads, crinkle_plan** plan);

/* An array resampled along n_axes axes (resample.hpp), 1 to 3: q = matrix · p + offset, from the result's indices to the source's, matrix
 * [n_axes][n_axes] and offset [n_axes]; both NULL: a zoom from the source's extents to the destination's that keeps the outer edges. by
 * "linear" (or NULL), "nearest", "cubic", "spline", "area", "mode", "lanczos"; boundary as above, NULL for the usual one; nodata where a
 * coordinate is no number; antialias other than 0: linear and cubic kernels that grow where the result is smaller. */
typedef struct crinkle_resample {
  crinkle_layout source, destination;
  const char* source_type;
  const char* destination_type;
  int n_axes;
  const int64_t* axes;
  const double* matrix;
  const double* offset;
  const char* by;
  const char* const* boundary;
  double nodata;
  int antialias;
} crinkle_resample;
crinkle_status crinkle_make_resample(const crinkle_resample* request, int device, int n_threads, crinkle_plan** plan);

/* Distances (pairs.hpp) of n points of n_features numbers of `type`, "float32" or "float64": of all pairs in a form, "condensed" (or NULL),
 * "packed-lower", "packed-upper", "rfp" or "square"; or, with m above 0, of every one of n with every one of m, [n][m], inputs rows and
 * columns. metric "euclidean" (or NULL), "sqeuclidean", "manhattan", "chebyshev", "cosine". */
typedef struct crinkle_distances {
  int64_t n, m, n_features;
  const char* type;
  const char* metric;
  const char* form;
} crinkle_distances;
crinkle_status crinkle_make_distances(const crinkle_distances* request, int device, int n_threads, crinkle_plan** plan);

/* A triangle of n rows from one layout into another (triangle_layout.hpp), as "packed lower" and "rfp upper". */
crinkle_status crinkle_make_triangle(const char* from, const char* to, int64_t n, int64_t element_bytes, int device, int n_threads,
                                     crinkle_plan** plan);

/* Of an input or an output of a plan: its rank, and its extents into as many places as there are, at most `most`; −1 where there is none.
 */
int crinkle_n_inputs(const crinkle_plan* plan);
int crinkle_n_outputs(const crinkle_plan* plan);
int crinkle_port(const crinkle_plan* plan, int is_input, int port, int most, int64_t* extents, int64_t* element_bytes);

/* Buffers in the order of the plan's inputs and outputs; memory of its device. Waits for the work. */
crinkle_status crinkle_run(const crinkle_plan* plan, const void* const* src, const int64_t* src_bytes, void* const* dst,
                           const int64_t* dst_bytes);
/* The same given to a cudaStream_t, not waited for. */
crinkle_status crinkle_run_on_stream(const crinkle_plan* plan, const void* const* src, const int64_t* src_bytes, void* const* dst,
                                     const int64_t* dst_bytes, void* stream);

/* Indices first … first + n − 1, modulo the extent where they go round a periodic axis. */
typedef struct crinkle_range {
  int64_t first, n;
} crinkle_range;
/* Along how many axes the plan can be cut, and how long they are. A part is a range of each: [n_cuts]. */
int crinkle_n_cuts(const crinkle_plan* plan);
int64_t crinkle_cut_extent(const crinkle_plan* plan, int cut);
/* What a part reads of an input and writes of an output: a range of every axis of it. */
crinkle_status crinkle_needs(const crinkle_plan* plan, const crinkle_range* part, int input, crinkle_range* ranges);
crinkle_status crinkle_gives(const crinkle_plan* plan, const crinkle_range* part, int output, crinkle_range* ranges);
/* The plan from dense arrays of what a part needs to dense ones of what it gives, with the bits of the whole. */
crinkle_status crinkle_make_part(const crinkle_plan* plan, const crinkle_range* part, crinkle_plan** made);
/* Plans one after another that do the same: of a transform its axes. 1: the plan itself. */
int crinkle_n_stages(const crinkle_plan* plan);
crinkle_status crinkle_make_stage(const crinkle_plan* plan, int stage, crinkle_plan** made);

int64_t crinkle_bytes_moved(const crinkle_plan* plan); /* read and written */
/* What the plan does, for a person: at most size bytes of the text, its end included. Returns how many there are. */
int64_t crinkle_describe(const crinkle_plan* plan, char* text, int64_t size);
void crinkle_free_plan(crinkle_plan* plan);

/* Bit planes of n elements (operations.hpp), and with is_back ≠ 0 the elements of planes: 8·element_bytes planes of ⌈n/8⌉ bytes. */
crinkle_status crinkle_bit_planes(void* dst, const void* src, int64_t n, int64_t element_bytes, int is_back, int n_threads);

/* dst[i] = src[i], i < bytes, on n_threads threads of the CPU (0: all): what a move is measured against. kind: "memcpy", "streamed" or
 * "interleaved" (cpu/copy.hpp). Aliasing: none. */
crinkle_status crinkle_copy(void* dst, const void* src, int64_t bytes, const char* kind, int n_threads);

#ifdef __cplusplus
}
#endif
#endif
