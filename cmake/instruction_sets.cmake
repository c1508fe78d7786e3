# For which instruction sets the kernels of the CPU are compiled, and how sanitized builds compile them (CRINKLE_SANITIZE). Each set takes a quarter of
# the kernels' time to compile.
set(CRINKLE_INSTRUCTION_SETS "all" CACHE STRING "all, or native: for other machines than this one in plain C++ only")
set_property(CACHE CRINKLE_INSTRUCTION_SETS PROPERTY STRINGS all native)
if(NOT CRINKLE_INSTRUCTION_SETS MATCHES "^(all|native)$")
  message(FATAL_ERROR "CRINKLE_INSTRUCTION_SETS is ${CRINKLE_INSTRUCTION_SETS}; it is all or native")
endif()
set(only_set)
if(CRINKLE_INSTRUCTION_SETS STREQUAL "native" AND EXISTS /proc/cpuinfo)
  file(STRINGS /proc/cpuinfo found REGEX "^flags.* avx2 .* avx512" LIMIT_COUNT 1)
  if(found MATCHES " avx512f " AND found MATCHES " avx512dq " AND found MATCHES " avx512cd " AND found MATCHES " avx512bw " AND found MATCHES " avx512vl ")
    set(only_set HWY_AVX3)
  else()
    file(STRINGS /proc/cpuinfo found REGEX "^flags.* fma .* avx2 " LIMIT_COUNT 1)
    if(found)
      set(only_set HWY_AVX2)
    endif()
  endif()
endif()

file(GLOB_RECURSE kernels CONFIGURE_DEPENDS src/*_kernels.cpp)
file(GLOB_RECURSE vbmi CONFIGURE_DEPENDS src/*_vbmi.cpp)
if(CRINKLE_SANITIZE)
  # Kernels are thousands of unrolled operations on vectors held in registers: checks for undefined behaviour make clang 19 take minutes for
  # some of them, and any check does for those of VBMI, which are generated. Their tests run between pages that cannot be touched.
  set(only_set HWY_AVX2)  # all are tested without sanitizers
  set_source_files_properties(${kernels} PROPERTIES COMPILE_OPTIONS -fno-sanitize=undefined)
  set_source_files_properties(${vbmi} PROPERTIES COMPILE_OPTIONS -fno-sanitize=all)
endif()
if(only_set)
  set_source_files_properties(${kernels} PROPERTIES COMPILE_DEFINITIONS CRINKLE_ONE_INSTRUCTION_SET=${only_set})
endif()
