# Warnings, sanitizers and the build types' extra definitions.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo" FORCE)
endif()

# Where there is ccache, what was compiled before is found, from another folder with the same sources too: paths below the sources are
# made relative, and the folder of the build is no part of what is looked up.
option(CRINKLE_CCACHE "Compile through ccache where it is installed" ON)
if(CRINKLE_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(CRINKLE_CCACHE_PROGRAM ccache)
  mark_as_advanced(CRINKLE_CCACHE_PROGRAM)
  if(CRINKLE_CCACHE_PROGRAM)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CRINKLE_CCACHE_PROGRAM})
    set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
  endif()
endif()

add_library(crinkle_warnings INTERFACE)
target_compile_options(crinkle_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;-Wsign-conversion;-Wno-missing-field-initializers>)
target_compile_options(crinkle_warnings INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wno-missing-field-initializers,-Wno-restrict>)
# clang 19 finds libstdc++ 12's own std::stable_sort calling the deprecated std::get_temporary_buffer.
target_compile_options(crinkle_warnings INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-deprecated-declarations>)
# g++ 12 at -O2 and above warns of overlaps and uninitialised members that are not there (GCC bugs 105651, 105562) when it inlines std::string and
# containers that hold their first elements.
target_compile_options(crinkle_warnings INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict;-Wno-maybe-uninitialized;-Wno-stringop-overflow;-Wno-array-bounds>)
# Files compiled together see each other's names at file scope: what shadows them is no mistake.
if(CMAKE_UNITY_BUILD)
  target_compile_options(crinkle_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-shadow>)
endif()
option(CRINKLE_WERROR "Treat warnings as errors" OFF)
if(CRINKLE_WERROR)
  target_compile_options(crinkle_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror> "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Werror all-warnings>")
endif()

# ensure() is on wherever a person looks for mistakes: debug builds, tests' builds and sanitizers.
if(CMAKE_BUILD_TYPE STREQUAL "Debug" OR CRINKLE_SANITIZE OR CRINKLE_FUZZ)
  add_compile_definitions(CRINKLE_ENSURE)
endif()
if(CRINKLE_SANITIZE)
  add_compile_options(-fsanitize=${CRINKLE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${CRINKLE_SANITIZE})
endif()
