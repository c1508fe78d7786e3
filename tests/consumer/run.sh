#!/usr/bin/env bash
# Installs a finished build into a folder of its own, builds the tiny project beside this file against it, and runs that.
# usage: tests/consumer/run.sh BUILD_FOLDER WORK_FOLDER
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1 work=$2
rm -rf "$work"
cmake --install "$build" --prefix "$work/prefix"
cmake -S "$here" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix"
ninja -C "$work/build"
"$work/build/consumer"
"$work/prefix/bin/crinkle" --version
