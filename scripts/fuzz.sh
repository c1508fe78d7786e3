#!/usr/bin/env bash
# Runs every fuzzer for a while from its kept corpus; what it finds new stays in the build folder. A crash fails, and its input is kept there.
# usage: scripts/fuzz.sh FOLDER_OF_FUZZERS SECONDS JOBS
# SPDX-License-Identifier: BSD-3-Clause
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
folder=$1 seconds=$2 jobs=$3

fuzz_one() {
  local fuzzer=$1 seconds=$2 name new
  name=$(basename "$fuzzer")
  name=${name#fuzz_}
  new=$(dirname "$fuzzer")/found/$name
  mkdir -p "$new/corpus" "$new/crashes"
  local options=(-max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 -seed=1 -artifact_prefix="$new/crashes/")
  [ ! -f "fuzz/$name.dict" ] || options+=(-dict="fuzz/$name.dict")
  local kept=()
  [ ! -d "fuzz/corpus/$name" ] || kept=("fuzz/corpus/$name")
  if "$fuzzer" "${options[@]}" "$new/corpus" "${kept[@]}" >"$new/log" 2>&1; then
    echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$new/log") inputs in $seconds s"
  else
    echo "$name: FAILED; the input that did it is in $new/crashes"
    tail -n 60 "$new/log"
    return 1
  fi
}
export -f fuzz_one

fuzzers=("$folder"/fuzz_*)
[ -x "${fuzzers[0]}" ] || { echo "no fuzzer in $folder"; exit 1; }
printf '%s\n' "${fuzzers[@]}" | xargs -P "$jobs" -I '{}' bash -c 'fuzz_one "$1" "$2"' bash '{}' "$seconds"
