#!/usr/bin/env bash
# Puts what a GPU machine with nothing but a driver needs into a folder: the command, the GPU tests and benchmarks, the libraries they load,
# the cases and the scripts that run them.
# usage: scripts/gpu_bundle.sh BUILD_FOLDER FOLDER
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
[ $# -eq 2 ] || { sed -n '2,4p' "$0"; exit 2; }
build=$1 folder=$2
cd "$(dirname "$0")/.."
programs=("$build"/crinkle "$build"/crinkle-papers "$build"/libcrinkle_c.so "$build"/tests/test_gpu "$build"/bench/bench_gpu)
for program in "${programs[@]}"; do
  [ -x "$program" ] || { echo "there is no $program: build with CRINKLE_CUDA=ON, CRINKLE_BENCH=ON and CRINKLE_PAPERS=ON"; exit 1; }
done
mkdir -p "$folder"
install -s "$build"/{crinkle,crinkle-papers,tests/test_gpu,bench/bench_gpu} "$folder"
# Not the C library, which every machine has its own of.
ldd "${programs[@]}" | awk '/=> \//{print $3}' | grep -vE '/(libc|libm|ld-linux[^/]*)\.so' | sort -u | xargs -I{} cp -L {} "$folder"
cp scripts/gpu_{suite,counters,name}.sh scripts/join_{,paper_}counters.py bench/cases/*.txt "$folder"
# For Python, which brings a C++ library of its own.
mkdir -p "$folder/rivals/lib"
cp bench/rivals/*.py "$folder/rivals"
install -s "$build/libcrinkle_c.so" "$folder/rivals/lib"
ldd "$build/libcrinkle_c.so" | awk '/=> \//{print $3}' | grep -E '/lib(fmt|hwy)\.so' | xargs -I{} cp -L {} "$folder/rivals/lib"
du -sh "$folder" | awk '{print $1 " in " $2}'
