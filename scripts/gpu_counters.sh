#!/usr/bin/env bash
# What is predicted of the memory system beside what the profiler counts, on a machine with a GPU and NVIDIA's ncu.
# usage: gpu_counters.sh PROGRAMS RESULTS [moves] [papers]     both, where neither is named
#   PROGRAMS: a folder that gpu_bundle.sh filled, of which moves take bench_gpu, and papers, the variants of paper 1, crinkle-papers
#   RESULTS: where <device>/counters.json and <device>/fft_paper_counters.json go
# Prints tables. Exit status 77: there is no GPU, no ncu, or it may not count here. SPDX-License-Identifier: BSD-3-Clause
set -uo pipefail
usage() { sed -n '2,6p' "$0"; exit 2; }
[ $# -ge 2 ] || usage
here=$(cd "$(dirname "$0")" && pwd) programs=$(cd "$1" && pwd) results=$2
shift 2
[ $# -gt 0 ] || set -- moves papers
for part in "$@"; do [[ $part =~ ^(moves|papers)$ ]] || usage; done
export LD_LIBRARY_PATH=$programs PATH=$PATH:/usr/local/cuda/bin
command -v ncu >/dev/null || { echo "skipped: there is no ncu"; exit 77; }
device=$("$here/gpu_name.sh") || { echo "skipped: there is no GPU"; exit 77; }
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
  smsp__{,sass_}inst_executed_op_{ldgsts,shared_ld,shared_st}
)
ncu --query-metrics >"$work/known.txt" 2>"$work/query.log" || { cat "$work/known.txt" "$work/query.log"; echo "skipped: ncu knows no metrics here"; exit 77; }
metrics=launch__grid_size
declare -A has=()
for name in "${wanted[@]}"; do
  name=${name/sass_l1tex__/sass_l1tex_}
  what=${name#*l1tex_} && what=${what#_} && what=${what/sass_inst/inst}
  if [ -z "${has[$what]:-}" ] && grep -q "^ *$name\b" "$work/known.txt"; then
    has[$what]=1
    metrics+=,$name.sum
  fi
done
[ ${#has[@]} -gt 0 ] || { head -n 5 "$work/known.txt"; echo "skipped: ncu knows none of the metrics"; exit 77; }
echo "metrics: $metrics"

count() {  # NAME JOIN, ncu's words: NAME.json, out of the program's NAME_predicted.json and ncu's NAME_counted.csv
  local name=$1 join=$2
  ncu --cache-control none --clock-control none --csv --page raw --print-units base --log-file "$work/${name}_counted.csv" --metrics "$metrics" "${@:3}" || {
    grep -h ERROR "$work/${name}_counted.csv"
    grep -q ERR_NVGPUCTRPERM "$work/${name}_counted.csv" && { echo "skipped: ncu may not count here"; exit 77; }
    return 1
  }
  "$here/$join" "$work/${name}_predicted.json" "$work/${name}_counted.csv" "$results/$device/$name.json" || {
    cp "$work/$name"_{predicted.json,counted.csv} "$results/$device"
    echo "not joined: scripts/$join takes $results/$device/${name}_predicted.json and ${name}_counted.csv"
    return 1
  }
}
moves() {
  "$programs/bench_gpu" predicted >"$work/counters_predicted.json" || return 1
  count counters join_counters.py --profile-from-start off "$programs/bench_gpu" moved
}
# The check before anything is timed runs every variant once: ten launches of the first, one of each of the ten others.
papers() {
  count fft_paper_counters join_paper_counters.py --kernel-name-base demangled --kernel-name regex:fft_paper --launch-count 20 \
    "$programs/crinkle-papers" fft_paper --device cuda --hot --case table1 --json "$work/fft_paper_counters_predicted.json"
}
status=0
for part in "$@"; do
  case $part in moves) moves ;; papers) papers ;; esac || status=1
done
exit $status
