#!/usr/bin/env bash
# Installs the Debian packages that a job of this project needs, if any is missing; quick when all are there.
# usage: scripts/install_packages.sh build|demo|test      (each of the later ones includes the first)
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail

build=(cmake ninja-build g++ git libhwy-dev libcli11-dev libfmt-dev nlohmann-json3-dev libpng-dev libnifti2-dev zlib1g-dev)
demo=("${build[@]}" mricron-data libgdal-dev libblosc-dev liblz4-dev libzstd-dev libtiff-dev)
test=("${demo[@]}" libhdf5-dev libnetcdf-dev ccache clang-19 clang-format-19 libclang-rt-19-dev llvm-19 libgtest-dev librapidcheck-dev libfftw3-dev gfortran
      libopenmpi-dev libfftw3-mpi-dev libscalapack-openmpi-dev python3-mpi4py
      python3 python3-dev python3-venv python3-numpy python3-pil python3-nibabel python3-scipy
      gdal-bin python3-gdal python3-tifffile man-db bash zsh chromium)

case "${1:-}" in
  build) wanted=("${build[@]}") ;;
  demo) wanted=("${demo[@]}") ;;
  test) wanted=("${test[@]}") ;;
  *) sed -n '2,3p' "$0"; exit 2 ;;
esac

if ! command -v apt-get >/dev/null; then
  echo "no apt-get here: install what these Debian packages hold by your own means, then go on: ${wanted[*]}"
  exit 0
fi

missing=()
for package in "${wanted[@]}"; do
  [ "$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null)" = "install ok installed" ] || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "all ${#wanted[@]} packages are there"
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "run this as root, or install: apt-get install ${missing[*]}"; exit 1; }
  as_root=(sudo)
fi
echo "installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq </dev/null
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" </dev/null
