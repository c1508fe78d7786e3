#!/usr/bin/env bash
# On a machine with a GPU: every GPU test, the small suite under compute-sanitizer where there is one, and the benchmarks.
# usage: gpu_suite.sh PROGRAMS RESULTS      PROGRAMS: a folder that gpu_bundle.sh filled; RESULTS: where <device>/<suite>.json go
# Exit status 0: all passed. SPDX-License-Identifier: BSD-3-Clause
set -uo pipefail
[ $# -eq 2 ] || { sed -n '2,4p' "$0"; exit 2; }
programs=$(cd "$1" && pwd) results=$2
export LD_LIBRARY_PATH=$programs
failed=()
device=$("$programs/gpu_name.sh") || { echo "no GPU here"; exit 77; }
mkdir -p "$results/$device"
result() { if [ "$1" -eq 0 ]; then echo "ok      $2"; else echo "FAILED  $2"; failed+=("$2"); fi; }
sanitize() {  # TOOL CASES FILTER
  CRINKLE_CASES=$2 compute-sanitizer --tool "$1" --error-exitcode 9 "$programs/test_gpu" --gtest_brief=1 --gtest_filter="$3" |
    grep -E 'SUMMARY|FAILED|=========     at' | head -n 5
  result "${PIPESTATUS[0]}" "compute-sanitizer --tool $1, $3"
}
# In several processes, each with its part of the tests: the definitions are worked out on the CPU, often by one thread.
gpu_tests() {
  local n=$1 logs part pids=() status=0
  logs=$(mktemp -d)
  for ((part = 0; part < n; ++part)); do
    GTEST_TOTAL_SHARDS=$n GTEST_SHARD_INDEX=$part "$programs/test_gpu" --gtest_brief=1 >"$logs/$part" 2>&1 &
    pids+=($!)
  done
  for part in "${!pids[@]}"; do
    if wait "${pids[part]}"; then tail -n 2 "$logs/$part"; else status=1; cat "$logs/$part"; fi
  done
  rm -r "$logs"
  return $status
}

gpu_tests 4
result $? "GPU tests"
if command -v compute-sanitizer >/dev/null; then
  for tool in memcheck racecheck initcheck synccheck; do sanitize $tool 200 'Gpu.random*:Gpu.more*:Gpu.records*'; done
  for tool in memcheck racecheck; do sanitize $tool 1 'Gpu.*triangles*'; done
else
  echo "skipped compute-sanitizer: there is none"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
head -c 268435456 /dev/urandom >"$work/in.raw"
"$programs/crinkle" move 'y x -> x y' --flip y --shape 8192,8192 --dtype float32 --device cuda --device-memory 16MiB --verify "$work/in.raw" "$work/out.raw"
result $? "a file through a GPU that lends it 16 MiB"
"$programs/crinkle" bench copy --device cuda --json "$results/$device/copy.json" --force
result $? "bench copy"
for suite in permutations operations_large records random_large huge; do
  "$programs/crinkle" bench permute --cases "$programs/$suite.txt" --device cuda --memory 20GiB --json "$results/$device/$suite.json" --force |
    grep -E 'geometric|left out|wrong'
  result "${PIPESTATUS[0]}" "bench $suite"
done
measure() {  # PROGRAM and words before the suite, SUITE
  local words=("${@:1:$#-1}") suite=${*: -1} memory=()
  [ "$suite" != simplex ] || memory=(--memory 40GiB)   # a triangle of 2^17 rows
  [ "$suite" != triangle ] || memory=(--memory 20GiB)  # 30 000 rows of 8 bytes
  "$programs"/"${words[@]}" "$suite" --device cuda "${memory[@]}" --json "$results/$device/$suite.json" --force | grep -E 'geometric|left out|wrong|Figure|_8192_|_fold |^[a-z]+_y_[0-9]+ '
  result "${PIPESTATUS[0]}" "${words[*]} $suite"
}
for suite in rearrange fused small scaling triangle fft stencil interpolate batches; do measure crinkle bench $suite; done
for suite in hypercubic simplex fft_paper idw versions textures advice vectors; do measure crinkle-papers $suite; done
if LD_LIBRARY_PATH=$programs/rivals/lib python3 -c 'import cupy' 2>/dev/null; then
  commit=$("$programs/crinkle" --version | sed -E 's/.*\(([^)]*)\).*/\1/')
  LD_LIBRARY_PATH=$programs/rivals/lib python3 "$programs/rivals/drive.py" "$programs/rivals/lib/libcrinkle_c.so" --device cuda --commit "$commit" \
    -o "$results/$device/rivals.json"
  result $? "rivals"
else
  echo "skipped rivals: there is no CuPy"
fi
"$programs/gpu_counters.sh" "$programs" "$results" || { status=$?; [ $status -eq 77 ] || result $status "counters"; }
[ ${#failed[@]} -eq 0 ] || { printf 'failed: %s\n' "${failed[@]}"; exit 1; }
