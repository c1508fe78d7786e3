#!/usr/bin/env bash
# What crinkle is for, on real input: installs what it needs, builds the command, turns a brain volume from axial to sagittal order, and crinkles
# and uncrinkles a picture with one white line. Every file is read back and compared; everything is left under out/.
# usage: ./demo.sh [VOLUME.nii.gz]      (default: the volume of Debian's mricron-data)
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
cd "$(dirname "$0")"
build=${CRINKLE_DEMO_BUILD:-build-demo}  # another one is only finished: that is how it is tested
volume=${1:-/usr/share/mricron/templates/ch2.nii.gz}
began=$SECONDS

[ "$build" != build-demo ] || echo "This takes some six minutes on two cores the first time (packages, then building), seconds after that. Kernels are compiled for this machine alone."
packages=$(scripts/install_packages.sh demo 2>&1) || { echo "$packages" >&2; exit 1; }
echo "1. packages: ${packages##*$'\n'}"
[ -f "$volume" ] || { echo "demo.sh: there is no $volume; name a volume: ./demo.sh VOLUME.nii.gz" >&2; exit 1; }

# Says how far a build is: after every tenth of it, and in place on a terminal.
progress() {
  local line tenth=0
  while IFS= read -r line; do
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
    local percent=$((100 * BASH_REMATCH[1] / BASH_REMATCH[2]))
    if [ -t 1 ]; then
      printf '\r2. building: %d %%, %d s ' "$percent" $((SECONDS - start))
    elif [ $((percent / 10)) -gt $tenth ]; then
      tenth=$((percent / 10))
      echo "2. building: $percent %, $((SECONDS - start)) s"
    fi
  done
  [ ! -t 1 ] || printf '\r%40s\r' ''
}

configure() {
  [ "$build" = build-demo ] || return 0
  cmake -S . -B build-demo -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON -DCRINKLE_CUDA=OFF -DCRINKLE_SUITES=OFF -DCRINKLE_TESTS=OFF -DCRINKLE_INSTRUCTION_SETS=native
}

log=$build/demo.log
mkdir -p "$build" out
start=$SECONDS
# What `cmake --install` needs, and the picture.
if ! { configure && ninja -C "$build" crinkle crinkle_shared crinkle_program crinkle_companions example_picture; } 2>&1 | tee "$log" | progress; then
  tail -n 40 "$log" >&2
  exit 1
fi
echo "2. built crinkle in $((SECONDS - start)) s"

# One move, read back and compared with its definition, and what it took.
move() {  # TITLE SPEC INPUT OUTPUT OPTIONS...
  local title=$1
  shift
  printf '   %-44s ' "$title"
  "$build"/crinkle move "$@" --verify --force --report
}

same_elements() {  # FILE FILE: the same elements, whatever the files' headers say
  "$build"/crinkle move '... -> ...' "$1" "$build"/one.raw --force
  "$build"/crinkle move '... -> ...' "$2" "$build"/two.raw --force
  cmp "$build"/one.raw "$build"/two.raw
}

echo "3. a brain volume, axial as stored, to sagittal with z reversed, and back (bytes read and written, time; from 4 MiB on rate and share of a plain copy)"
move 'z y x -> x z y, z flipped' 'z y x -> x z y' "$volume" out/ch2_sagittal.nii.gz --flip z
move 'a b c -> b c a, b flipped' 'a b c -> b c a' out/ch2_sagittal.nii.gz out/ch2_axial_again.nii.gz --flip b
same_elements "$volume" out/ch2_axial_again.nii.gz
echo "   the volume turned there and back is the one it was"
n_x=$("$build"/crinkle move '... -> ...' out/ch2_sagittal.nii.gz "$build"/none.nii.gz --dry-run | sed 's/^[^[]*\[\([0-9]*\)\].*/\1/')
move "one sagittal slice as a picture" 'a b c -> b c' out/ch2_sagittal.nii.gz out/ch2_sagittal.png --at a=$((n_x / 2))

echo "4. a picture of 128 x 128 pixels with a white line one pixel wide, crinkled and uncrinkled"
"$build"/examples/example_picture "$build"/picture.raw >>"$log"
move 'the picture' '... -> ...' "$build"/picture.raw out/picture.png --shape 128,128,3 --dtype uint8
crinkle_picture() {  # NAME TITLE LEFT RIGHT
  move "$2" "$3 -> $4" out/picture.png "out/picture_$1.png"
  move "  and back" "$4 -> $3" "out/picture_$1.png" "out/picture_${1}_back.png"
  same_elements out/picture.png "out/picture_${1}_back.png"
}
for n in 2 4; do
  crinkle_picture "x$n" "along x by $n" "y (x $n) c" "y ($n x) c"
  crinkle_picture "y$n" "along y by $n" "(y $n) x c" "($n y) x c"
  crinkle_picture "x${n}_y$n" "along x by $n, then y by $n" "(y p:$n) (x q:$n) c" "(p y) (q x) c"
  crinkle_picture "y${n}_x$n" "along y by $n, then x by $n" "(y p:$n) (x q:$n) c" "(q y) (p x) c"
done
echo "   every crinkled picture, uncrinkled, is the picture it was"

echo "All verified in $((SECONDS - began)) s. The files are in out/: $(cd out && echo *.png *.nii.gz)"
