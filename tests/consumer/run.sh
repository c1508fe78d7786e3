#!/usr/bin/env bash
# Installs a finished build into a folder of its own, builds tiny projects against it, in C++ and in C, by CMake and by pkg-config, and runs
# them; then the same with the C++ library as a shared one. A build with MPI has its library used under mpirun, too.
# usage: tests/consumer/run.sh BUILD_FOLDER WORK_FOLDER
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(realpath "$1")
rm -rf "$2"
mkdir -p "$2"
work=$(realpath "$2")

with_mpi=$(sed -n 's/^CRINKLE_MPI:[A-Z]*=//p' "$build/CMakeCache.txt")
libraries=(crinkle_program crinkle_shared)
if [ "$with_mpi" = ON ]; then libraries+=(crinkle_mpi); fi

use() {  # PREFIX: projects that find it there
  local prefix=$1 its="$1-use"
  cmake -S "$here" -B "$its/cpp" -G Ninja -DCMAKE_PREFIX_PATH="$prefix"
  cmake -S "$here/c" -B "$its/c" -G Ninja -DCMAKE_PREFIX_PATH="$prefix"
  ninja -C "$its/cpp" && ninja -C "$its/c"
  "$its/cpp/consumer"
  "$its/c/consumer_c"
  if [ "$with_mpi" = ON ]; then
    cmake -S "$here/mpi" -B "$its/mpi" -G Ninja -DCMAKE_PREFIX_PATH="$prefix"
    ninja -C "$its/mpi"
    mpirun --oversubscribe --allow-run-as-root -n 4 "$its/mpi/consumer_mpi"
  fi
  if ! command -v pkg-config >/dev/null; then
    echo "no pkg-config here: crinkle.pc and crinkle_c.pc are not tried"
    return
  fi
  local library
  library=$(dirname "$(find "$prefix" -name crinkle.pc)")/..
  read -ra flags < <(PKG_CONFIG_PATH=$library/pkgconfig pkg-config --cflags --libs crinkle)
  g++ -std=c++20 "$here/main.cpp" "${flags[@]}" -Wl,-rpath,"$library" -o "$its/by_pkg_config"
  read -ra flags < <(PKG_CONFIG_PATH=$library/pkgconfig pkg-config --cflags --libs crinkle_c)
  gcc -std=c99 "$here/../../examples/other_languages.c" "${flags[@]}" -Wl,-rpath,"$library" -o "$its/c_by_pkg_config"
  "$its/by_pkg_config"
  "$its/c_by_pkg_config"
}

cmake --install "$build" --prefix "$work/prefix"
use "$work/prefix"
"$work/prefix/bin/crinkle" --version

shared_before=$(sed -n 's/^BUILD_SHARED_LIBS:[A-Z]*=//p' "$build/CMakeCache.txt")
restore() {
  cmake -B "$build" "-DBUILD_SHARED_LIBS=${shared_before:-OFF}" >/dev/null
  [ "${shared_before:-OFF}" != OFF ] || rm -f "$build"/libcrinkle.so* "$build"/libcrinkle_mpi.so*
  ninja -C "$build" crinkle_program
}
trap restore EXIT
cmake -B "$build" -DBUILD_SHARED_LIBS=ON >/dev/null
ninja -C "$build" "${libraries[@]}"
cmake --install "$build" --prefix "$work/shared"
[ -e "$(find "$work/shared" -name libcrinkle.so)" ]
use "$work/shared"
"$work/shared/bin/crinkle" --version
