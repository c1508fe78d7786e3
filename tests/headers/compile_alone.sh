#!/usr/bin/env bash
# Compiles every public header on its own, and all together, with g++ and clang; the ones for the user's kernels also with plain nvcc and no
# flags, documented requests (aggregates.cpp) with -Wextra, and all tiles (what kernels are built around) with nvcc as C++20, together.
# usage: tests/headers/compile_alone.sh [JOBS]
# SPDX-License-Identifier: BSD-3-Clause
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
jobs=${1:-$(nproc)}
work=build-test/headers  # the same place below the sources in every clone, so that a compiler cache finds what was compiled in another
rm -rf $work
mkdir -p $work
ccache=
if command -v ccache >/dev/null; then
  ccache=ccache
  export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
fi
mapfile -t kernel_side < <(python3 scripts/check_floors.py --kernel-side)
kernel_side+=(include/crinkle/simplex_loops.cuh)
warnings=(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wno-missing-field-initializers -Werror)

# crinkle/mpi.hpp needs an MPI, whose own headers are not looked at.
headers() { find include "$@" -name '*.hpp' | sort; }
with_mpi=()
if pkg-config --exists ompi-c 2>/dev/null; then
  read -ra with_mpi < <(pkg-config --cflags-only-I ompi-c | sed 's/-I/-isystem /g')
else
  headers() { find include "$@" -name '*.hpp' ! -path include/crinkle/mpi.hpp | sort; }
  echo "skipped: no MPI here, so crinkle/mpi.hpp was not compiled"
fi

n=0
add() {  # COMMAND… that compiles one file
  n=$((n + 1))
  echo "$ccache $* -c -o $work/$n.o" >>"$work/commands"
}
include_twice() {  # HEADER SUFFIX: the path of a file that does nothing else; twice, as a header has to guard itself
  local source=$work/${1//\//_}.$2
  printf '#include "%s"\n#include "%s"\n' "$1" "$1" >"$source"
  echo "$source"
}
for header in $(headers); do
  source=$(include_twice "${header#include/}" cpp)
  for compiler in g++ clang++-19; do
    if command -v $compiler >/dev/null; then add "$compiler" -std=c++20 -Iinclude "${with_mpi[@]}" "${warnings[@]}" "$source"; fi
  done
done
headers -maxdepth 2 | sed 's|^include/\(.*\)$|#include "\1"|' >"$work/together.cpp"
for compiler in g++ clang++-19; do
  if command -v $compiler >/dev/null; then add "$compiler" -std=c++20 -Iinclude "${with_mpi[@]}" "${warnings[@]}" "$work/together.cpp"; fi
done
for compiler in g++ clang++-19; do  # users compile with -Wextra as it is
  if command -v $compiler >/dev/null; then add "$compiler" -std=c++20 -Iinclude "${warnings[@]/-Wno-missing-field-initializers/}" tests/headers/aggregates.cpp; fi
done
for header in include/crinkle/*.h; do
  [ ! -f "$header" ] || add gcc -std=c99 -Iinclude "${warnings[@]/-Wno-missing-field-initializers/}" -x c "$header"
done
if command -v nvcc >/dev/null; then
  for header in "${kernel_side[@]}"; do
    source=$(include_twice "${header#include/}" cu)
    add nvcc -Iinclude -arch=compute_90 "$source"
  done
  add nvcc -std=c++20 -Iinclude -arch=compute_90 "$(include_twice crinkle/stencil_loops.cuh cu)"
  for header in src/tile/*.hpp; do echo "#include \"${header#src/}\""; done >"$work/tiles.cu"
  add nvcc -std=c++20 -Iinclude -Isrc -arch=compute_90 "$work/tiles.cu"
  for kernel in tests/{kindex,records,simplex,stencil}/*.cu; do add nvcc -Iinclude -arch=compute_90 "$kernel"; done
else
  echo "skipped: no nvcc here, so no header was compiled as CUDA"
fi

run_one() { bash -c "$1" 2>&1 || { echo "FAILED: $1"; exit 1; }; }
export -f run_one
xargs -P "$jobs" -d '\n' -n 1 bash -c 'run_one "$1"' bash <"$work/commands" || exit 1
echo "$n compilations"
