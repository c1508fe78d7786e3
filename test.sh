#!/usr/bin/env bash
# Installs what the tests need, builds crinkle in every way it is built, and runs every test.
#   ./test.sh                 everything that a change has to pass
#   ./test.sh changed BASE    while you work: builds and runs what depends on a change since the commit BASE (main when left out)
#   ./test.sh quick           formatting, floors, lengths, the g++ build without CUDA and its tests
#   ./test.sh long            what is too slow for every change: all cases, crinkle-papers, all tests under both sanitizers, long fuzzing; hours
#   ./test.sh STAGE...        some stages (see --list), with the packages first
# Every stage prints one line; its output is kept in build-test/logs. A failing stage shows the end of its output, the others still run, and
# the exit status is 1. A stage that cannot run here (no nvcc, no GPU) says "skipped" and why. HACKING.md has the times of all stages.
# Compilers go through ccache (cmake/compiler.cmake), so that a second run, from another clone too, compiles only what differs.
# SPDX-License-Identifier: BSD-3-Clause
set -uo pipefail
cd "$(dirname "$0")" || exit 1
export LC_ALL=C.UTF-8 TZ=UTC
out=$PWD/build-test
logs=$out/logs
jobs=${JOBS:-$(nproc)}
python=/usr/bin/python3
fuzz_seconds=${FUZZ_SECONDS:-10}
cuda=AUTO

all=(packages format lines floors headers build test report install readme python asan tsan fuzz gpu)
declare -A what=(
  [packages]="the Debian packages that all this needs"
  [format]="clang-format agrees with every source"
  [lines]="no file is too long, every file names its licence"
  [floors]="no include points up"
  [headers]="every public header compiles alone; those for kernels with nvcc, too"
  [build]="g++, Release, warnings are errors"
  [test]="its tests and examples, but those that only touch memory, which asan runs"
  [report]="the page of all benchmark results, looked at by a browser; the tables of the documents"
  [install]="the demo; what it built installed, found by find_package, used by a tiny program"
  [readme]="the commands of README.md and docs/guide.md"
  [python]="the wheel of the Python package, in an environment of its own: its tests, and einops' own"
  [asan]="clang, warnings are errors, AddressSanitizer and UndefinedBehaviorSanitizer; the tests that touch memory"
  [tsan]="ThreadSanitizer; the executor and plans run by threads"
  [fuzz]="every fuzzer for $fuzz_seconds s"
  [gpu]="the suites that need a GPU"
  [papers]="crinkle-papers: what the papers' figures show, built and tested (not part of everything, but of long)"
  [long]="every drawn case, every test under both sanitizers, every fuzzer for 60 s (not part of everything)"
  [tidy]="clang-tidy over the library (not part of everything)"
  [changed]="the test programs and scripts that depend on the change"
)

sources() {
  if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files --cached --others --exclude-standard
  else
    find . -path './build*' -prune -o -type f -print
  fi | grep -E '\.(cpp|hpp|cu|cuh|h)$' | while read -r file; do [ ! -f "$file" ] || echo "$file"; done
}

# Few large compilations instead of many small ones: the headers of the test libraries take longer to read than most tests. No machine
# without a GPU runs its kernels, so they are compiled as far as PTX, which a driver would finish, and hardly optimized.
configure() {  # FOLDER OPTIONS...
  local folder=$1
  shift
  cmake -S . -B "$out/$folder" -G Ninja -DPython3_EXECUTABLE=$python -DCMAKE_UNITY_BUILD=ON -DCMAKE_CUDA_ARCHITECTURES=90-virtual \
    "-DCMAKE_CUDA_FLAGS=-Xcicc -O1" "$@"
}

run_ctest() {  # NAME FOLDER OPTIONS...
  local name=$1 folder=$2
  shift 2
  ctest --test-dir "$out/$folder" -j "$jobs" --output-on-failure --no-tests=error --output-junit "$logs/ctest-$name.xml" "$@"
}

stage_packages() { scripts/install_packages.sh test; }

stage_format() { sources | xargs clang-format-19 --dry-run -Werror; }

stage_lines() { $python scripts/count_lines.py --self-test && $python scripts/count_lines.py; }

stage_floors() {
  $python scripts/check_floors.py --self-test && $python scripts/check_floors.py && $python scripts/dependents.py --self-test
}

stage_headers() { tests/headers/compile_alone.sh "$jobs"; }

configure_gcc() {
  configure gcc -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=g++ -DCRINKLE_WERROR=ON -DCRINKLE_BENCH=ON -DCRINKLE_CUDA=$cuda -DCRINKLE_PAPERS=${papers:-OFF} -DCRINKLE_MPI=ON
}

stage_build() { configure_gcc && ninja -C "$out/gcc" -j "$jobs" -k 0; }

stage_papers() { papers=ON configure_gcc && ninja -C "$out/gcc" -j "$jobs" -k 0 crinkle_papers papers_tests && run_ctest papers gcc -L papers; }

need_build() {
  case ${build_status:-} in
    0) ;;
    '') if [ -n "${base:-}" ]; then configure_gcc && ninja -C "$out/gcc" -j "$jobs" crinkle_program crinkle_shared crinkle_companions; else stage_build; fi ;;
    *) echo "not run: the stage build failed"; return 1 ;;
  esac
}

# A test runs once: those labelled memory run sanitized, those labelled kernels here, with every instruction set (tests/CMakeLists.txt).
stage_test() { need_build && run_ctest gcc gcc -LE '^memory$' && $python scripts/join_counters.py --self-test >/dev/null; }

# The parts of the build that these folders of tests and these scripts need, and their tests.
stage_changed() {
  local folder targets=() names=()
  for folder in $changed_folders; do
    if [ "$folder" = example ]; then targets+=(examples); else targets+=("tests_of_$folder"); fi
    names+=("^$folder[.]")
  done
  for folder in $changed_scripts; do
    targets+=(crinkle_program)
    names+=("^${folder/./[.]}\$")
  done
  if [ ${#names[@]} -eq 0 ]; then echo "no test depends on this change"; return 77; fi
  configure_gcc && ninja -C "$out/gcc" -j "$jobs" -k 0 "${targets[@]}" && run_ctest changed gcc -R "$(IFS='|'; echo "${names[*]}")"
}

stage_report() {
  $python tests/scripts/report_test.py
  $python tests/scripts/check_report_test.py
  $python tests/scripts/documents_test.py
  $python tests/scripts/links_test.py
  $python scripts/report --force -o "$out/report.html"
  scripts/check_report.sh "$out/report.html" "$out/report.png" || [ $? -eq 77 ]  # 77: no browser, which it says
}

stage_install() {
  need_build
  rm -f "$out"/gcc/crinkle "$out"/gcc/libcrinkle.*  # the demo has to build again all that is installed
  CRINKLE_DEMO_BUILD=$out/gcc ./demo.sh
  tests/consumer/run.sh "$out/gcc" "$out/consumer"
}

stage_readme() {
  need_build
  for document in README.md docs/guide.md; do $python scripts/run_readme.py $document "$out/gcc" "$out/readme"; done
}

stage_python() { need_build && PYTHON=$python python/tests/run.sh "$out/gcc" "$out/python"; }

build_asan() {  # TARGETS; the fuzzers share this build: one instrumented library serves both
  configure asan -DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1" -DCMAKE_CXX_COMPILER=clang++-19 \
    -DCRINKLE_SANITIZE=address,undefined -DCRINKLE_WERROR=ON -DCRINKLE_FUZZ=ON -DCRINKLE_CUDA=OFF -DCRINKLE_SUITES=${suites:-OFF} -DCRINKLE_PAPERS=${suites:-OFF}
  ninja -C "$out/asan" -j "$jobs" -k 0 "$@"
}

run_asan() {  # OPTIONS of ctest
  ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1:handle_sigbus=0 UBSAN_OPTIONS=print_stacktrace=1 run_ctest asan asan "$@"
}

stage_asan() { build_asan memory_tests fuzzers && run_asan -L '^memory'; }

build_tsan() {
  configure tsan -DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1" -DCMAKE_CXX_COMPILER=clang++-19 \
    -DCRINKLE_SANITIZE=thread -DCRINKLE_TOOLS=OFF -DCRINKLE_CUDA=OFF
  ninja -C "$out/tsan" -j "$jobs" "$@"
}

run_tsan() { TSAN_OPTIONS=halt_on_error=1 run_ctest tsan tsan "$@"; }  # OPTIONS of ctest

stage_tsan() { build_tsan test_api && run_tsan -L 'threads$'; }

stage_fuzz() { build_asan fuzzers && scripts/fuzz.sh "$out/asan/fuzz" "$fuzz_seconds" "$jobs"; }

stage_long() {
  export CRINKLE_LONG=1
  papers=ON stage_build
  run_ctest gcc gcc
  suites=ON build_asan all
  run_asan
  build_tsan threaded_tests
  run_tsan -L threads
  scripts/fuzz.sh "$out/asan/fuzz" 60 "$jobs"
}

stage_gpu() {
  if ! command -v nvcc >/dev/null; then echo "no nvcc: this build has no CUDA"; return 77; fi
  if [ ! -e /dev/nvidia0 ]; then echo "no GPU on this machine"; return 77; fi
  need_build
  if ctest --test-dir "$out/gcc" -N -L gpu | grep -q 'Total Tests: 0'; then echo "no suite of this version runs on a GPU"; return 77; fi
  run_ctest gpu gcc -L gpu
}

stage_tidy() { need_build && find src tools -name '*.cpp' -print0 | xargs -0 -P "$jobs" -n 1 clang-tidy-19 --quiet -p "$out/gcc"; }

stages=()
for word in "${@:-all}"; do
  case $word in
    all) stages+=("${all[@]}") ;;
    changed)
      base=${2:-main}
      git rev-parse -q --verify "$base^{commit}" >/dev/null || { echo "test.sh: changed $base: there is no such commit"; exit 2; }
      dependents=$($python scripts/dependents.py "$base") || exit 2
      read_line() { sed -n "s/^$1 *//p" <<<"$dependents"; }
      changed_folders=$(read_line folders) changed_scripts=$(read_line scripts)
      read -ra also <<<"$(read_line stages)"
      stages+=(packages format lines floors changed "${also[@]}")
      break ;;
    quick) cuda=OFF; stages+=(packages format lines floors build test) ;;
    long) stages+=(packages long) ;;
    --list | --help | -h)
      sed -n '2,6p' "$0" | sed 's/^# \{0,1\}//'
      for stage in "${all[@]}" long papers tidy; do printf '  %-9s %s\n' "$stage" "${what[$stage]}"; done
      exit 0 ;;
    *)
      [ -n "${what[$word]:-}" ] || { echo "test.sh: no stage '$word'; ./test.sh --list shows them"; exit 2; }
      [ ${#stages[@]} -gt 0 ] || [ "$word" = packages ] || stages+=(packages)
      stages+=("$word") ;;
  esac
done

mkdir -p "$logs"
rm -f "$logs"/*
failed=() skipped=()
began=$SECONDS
for stage in "${stages[@]}"; do
  start=$SECONDS
  (set -e; "stage_$stage") >"$logs/$stage.log" 2>&1 </dev/null
  status=$?
  case $status in
    0) word=ok ;;
    77) word="skipped: $(tail -n 1 "$logs/$stage.log")"; skipped+=("$stage") ;;
    *) word=FAILED; failed+=("$stage") ;;
  esac
  printf '%5d s  %-9s %s: %s\n' $((SECONDS - start)) "$stage" "${what[$stage]}" "$word"
  # What a stage could do only in part, it says in lines that begin so.
  [ "$status" -eq 77 ] || grep -h '^skipped: ' "$logs/$stage.log" | sort -u | sed "s/^/         $stage: /"
  if [ "$word" = FAILED ]; then
    echo "--- the end of $logs/$stage.log"
    grep -E 'error:|^FAILED|\*\*\*Failed|ERROR: ' "$logs/$stage.log" | head -n 20 | cut -c1-300
    echo "..."
    tail -n 40 "$logs/$stage.log" | cut -c1-300
    echo "---"
  fi
  [ "$stage" != build ] || build_status=$status
  [ "$stage" != packages ] || [ "$word" = ok ] || break
done

# --- what it came to ---------------------------------------------------------------------------------------------------
n_passed=0 n_failed=0 n_skipped=0
for report in "$logs"/ctest-*.xml; do
  [ -f "$report" ] || continue
  name=$(basename "$report" .xml)
  n_of() { sed -n "1,/<testcase/s/^.*[[:space:]]$1=\"\([0-9]*\)\".*/\1/p" "$report" | head -n 1; }
  tests=$(n_of tests) fails=$(n_of failures) skips=$(($(n_of skipped) + $(n_of disabled)))
  n_passed=$((n_passed + tests - fails - skips)) n_failed=$((n_failed + fails)) n_skipped=$((n_skipped + skips))
  echo "${name#ctest-}:"
  grep -hE '^[0-9]+% tests passed|^Total Test time' "$logs/${name#ctest-}.log" "$logs/test.log" 2>/dev/null | head -n 2
done
echo "$((SECONDS - began)) s in all${skipped[*]:+; skipped: ${skipped[*]}}"
[ ${#failed[@]} -eq 0 ] || echo "failed: ${failed[*]}"
if [ $((n_passed + n_failed + n_skipped)) -gt 0 ]; then echo "tests: $n_passed passed, $n_failed failed$([ $n_skipped -eq 0 ] || echo ", $n_skipped skipped")"; fi
[ ${#failed[@]} -eq 0 ]
