#!/usr/bin/env bash
# Puts what a GPU machine with nothing but a driver needs into a folder: the command, the GPU tests, the libraries they load and the cases.
# usage: scripts/gpu_bundle.sh BUILD_FOLDER FOLDER
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
[ $# -eq 2 ] || { sed -n '2,3p' "$0"; exit 2; }
build=$1 folder=$2
cd "$(dirname "$0")/.."
[ -x "$build/tests/test_gpu" ] || { echo "$build has no tests/test_gpu: build it with CRINKLE_CUDA=ON"; exit 1; }
mkdir -p "$folder"
install -s "$build/crinkle" "$build/tests/test_gpu" "$folder"
# Not the C library, which every machine has its own of.
ldd "$build/crinkle" "$build/tests/test_gpu" | awk '/=> \//{print $3}' | grep -vE '/(libc|libm|ld-linux[^/]*)\.so' | sort -u | xargs -I{} cp -L {} "$folder"
cp scripts/gpu_suite.sh bench/cases/*.txt "$folder"
du -sh "$folder" | awk '{print $1 " in " $2}'
