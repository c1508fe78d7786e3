# How sanitized builds compile the kernels of the CPU (CRINKLE_SANITIZE).
if(CRINKLE_SANITIZE)
  # Kernels are thousands of unrolled operations on vectors held in registers: checks for undefined behaviour make clang 19 take minutes for
  # some of them, and any check does for those of VBMI, which are generated. Their tests run between pages that cannot be touched.
  file(GLOB_RECURSE kernels CONFIGURE_DEPENDS src/*_kernels.cpp)
  file(GLOB_RECURSE vbmi CONFIGURE_DEPENDS src/*_vbmi.cpp)
  # Two instruction sets instead of four: src/cpu/targets-inl.hpp. All are tested without sanitizers.
  set_source_files_properties(${kernels} PROPERTIES COMPILE_OPTIONS -fno-sanitize=undefined COMPILE_DEFINITIONS CRINKLE_TWO_INSTRUCTION_SETS)
  set_source_files_properties(${vbmi} PROPERTIES COMPILE_OPTIONS -fno-sanitize=all)
endif()
