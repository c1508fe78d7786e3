#!/usr/bin/env bash
# What the planner predicts of the memory system beside what the profiler counts, on a machine with a GPU and NVIDIA's ncu.
# usage: gpu_counters.sh PROGRAMS RESULTS     PROGRAMS: a folder that gpu_bundle.sh filled; RESULTS: where <device>/counters.json goes
# Prints a table. Exit status 77: there is no GPU, no ncu, or it may not count here. SPDX-License-Identifier: BSD-3-Clause
set -uo pipefail
[ $# -eq 2 ] || { sed -n '2,4p' "$0"; exit 2; }
programs=$(cd "$1" && pwd) results=$2
export LD_LIBRARY_PATH=$programs
command -v ncu >/dev/null || { echo "skipped: there is no ncu"; exit 77; }
device=$("$programs/gpu_name.sh") || { echo "skipped: there is no GPU"; exit 77; }
mkdir -p "$results/$device"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A metric goes by different names in different versions: of each, the first that this one knows. LDGSTS copies from global to shared memory.
# Wavefronts of shared memory are those that the instructions take (sass); the unit's own counter adds what it waits for other traffic.
wanted=(
  l1tex__t_{requests,sectors}_pipe_lsu_mem_global_op_{ld,st}
  {,sm__sass_,smsp__sass_}l1tex__t_{requests,sectors}_pipe_lsu_mem_global_op_ldgsts_cache_{access,bypass}
  {sm__sass_,smsp__sass_,}l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{ld,st}
  {,sm__sass_,smsp__sass_}l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ldgsts
  l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{ld,st,ldgsts}
  smsp__inst_executed_op_{ldgsts,shared_ld,shared_st}
)
ncu --query-metrics >"$work/known.txt" 2>"$work/query.log" || { cat "$work/known.txt" "$work/query.log"; echo "skipped: ncu knows no metrics here"; exit 77; }
metrics=launch__grid_size
declare -A has=()
for name in "${wanted[@]}"; do
  name=${name/sass_l1tex__/sass_l1tex_}
  what=${name#*l1tex_} && what=${what#_}
  if [ -z "${has[$what]:-}" ] && grep -q "^ *$name\b" "$work/known.txt"; then
    has[$what]=1
    metrics+=,$name.sum
  fi
done
[ ${#has[@]} -gt 0 ] || { head -n 5 "$work/known.txt"; echo "skipped: ncu knows none of the metrics"; exit 77; }
echo "metrics: $metrics"

"$programs/bench_gpu" predicted >"$work/predicted.json" || exit 1
ncu --profile-from-start off --cache-control none --clock-control none --csv --page raw --print-units base --log-file "$work/counted.csv" \
  --metrics "$metrics" "$programs/bench_gpu" moved || {
  grep -h ERROR "$work/counted.csv"
  grep -q ERR_NVGPUCTRPERM "$work/counted.csv" && { echo "skipped: ncu may not count here"; exit 77; }
  exit 1
}
cp "$work/predicted.json" "$results/$device/counters_predicted.json"
cp "$work/counted.csv" "$results/$device/counters_counted.csv"
"$programs/join_counters.py" "$work/predicted.json" "$work/counted.csv" "$results/$device/counters.json" || {
  echo "not joined: scripts/join_counters.py takes $results/$device/counters_predicted.json and counters_counted.csv"; exit 1; }
rm "$results/$device"/counters_{predicted.json,counted.csv}
