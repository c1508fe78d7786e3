# Headers that kernels compiled at run time include (src/cuda/compile/): kept in the library as texts. A header that one of them includes is
# listed, too. `include/x` and `src/x` are included as x; src/cuda/compile/standard/x.hpp stands for the standard library's <x>.
set(CRINKLE_KERNEL_HEADERS
  include/crinkle/detail/hd.hpp
  include/crinkle/detail/stencil_boundary.hpp
  include/crinkle/half.hpp
  src/base/decimals.hpp
  src/base/loops.hpp
  src/cuda/compile/standard/cmath.hpp
  src/cuda/compile/standard/cstddef.hpp
  src/cuda/compile/standard/cstdint.hpp
  src/cuda/compile/standard/cstring.hpp
  src/cuda/compile/standard/type_traits.hpp
  src/fft/cuda/butterflies.cuh
  src/fft/cuda/cells.cuh
  src/fft/cuda/cluster.cuh
  src/fft/cuda/ends.cuh
  src/fft/cuda/form.hpp
  src/fft/cuda/known.cuh
  src/fft/cuda/known.hpp
  src/fft/cuda/known_ahead.cuh
  src/fft/cuda/known_ends.cuh
  src/fft/cuda/known_exchange.cuh
  src/fft/cuda/known_plan.cuh
  src/fft/cuda/known_plane.cuh
  src/fft/cuda/primes.cuh
  src/fft/cuda/twiddles.cuh
  src/fft/fft_constants.hpp
  src/move/cuda/channels.cuh
  src/move/cuda/mapped.cuh
  src/move/cuda/taken.cuh
  src/move/cuda/vectors.cuh
  src/resample/cuda/element.cuh
  src/resample/cuda/gathers.cuh
  src/resample/cuda/plans.hpp
  src/resample/cuda/scales.cuh
  src/resample/form.hpp
  src/resample/places.hpp
  src/stencil/cuda/filter.cuh
  src/stencil/cuda/filter.hpp
  src/stencil/cuda/filter_exact.cuh
  src/stencil/cuda/filter_place.cuh
  src/tile/axis_maps.hpp
  src/tile/channel_tile.hpp
  src/tile/outer_axes.hpp
  src/tile/swizzle.hpp
  src/tile/taken_tile.hpp)

set(embedded ${CMAKE_CURRENT_BINARY_DIR}/kernel_headers.cpp)
list(TRANSFORM CRINKLE_KERNEL_HEADERS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE header_files)
add_custom_command(OUTPUT ${embedded}
  COMMAND ${CMAKE_COMMAND} "-DHEADERS=${CRINKLE_KERNEL_HEADERS}" -DFOLDER=${CMAKE_CURRENT_SOURCE_DIR} -DOUTPUT=${embedded}
          -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed_headers.cmake
  DEPENDS ${header_files} ${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed_headers.cmake ${CMAKE_CURRENT_LIST_FILE} VERBATIM)
target_sources(crinkle_cuda PRIVATE ${embedded})
