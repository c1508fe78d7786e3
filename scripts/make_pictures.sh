#!/usr/bin/env bash
# Makes the pictures of README.md anew.
# usage: scripts/make_pictures.sh BUILD_FOLDER      (a build with the command and the examples)
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -eq 1 ] || { sed -n '2,3p' "$0"; exit 2; }
build=$1
out=docs/pictures
mkdir -p "$out"
draw() { "$build/crinkle" draw "$@" --force; }
draw 'y (x 2) -> 2 y x' --shape 4,4 -o "$out/crinkle_x.svg" --title 'y (x 2) -> 2 y x'
draw '(y 2) x -> 2 y x' --shape 4,4 -o "$out/crinkle_y.svg" --title '(y 2) x -> 2 y x'
draw '(y a:2) (x b:2) -> a b y x' --shape 4,4 -o "$out/crinkle_xy.svg" --title 'x, then y'
draw '(y a:2) (x b:2) -> b a y x' --shape 4,4 -o "$out/crinkle_yx.svg" --title 'y, then x'
draw 'y x -> y x' --shape 4,4 --roll x=1 --pad y=1:1:reflect --pad x=0:1 -o "$out/roll_pad.svg" --title 'roll x by 1, pad'
layout() { "$build/crinkle" records --fields 'x:f4 y:f4 z:f4 p:f8' --count 4 --to "$1" --draw "$out/$2.svg" --force; }
layout '(x y z p)@8' records_aos
layout 'x|y|z|p' records_soa
layout '(x y z p)*4' records_aosoa
layout '(x y z)@16|p' records_hybrid
"$build/examples/example_picture" "$build/picture.raw" >/dev/null
move() { "$build/crinkle" move "$@" --force; }
move '... -> ...' "$build/picture.raw" "$out/picture.png" --shape 128,128,3 --dtype uint8
move 'y (x 4) c -> y (4 x) c' "$out/picture.png" "$out/picture_x4.png"
move '(y 4) x c -> (4 y) x c' "$out/picture.png" "$out/picture_y4.png"
"$build/crinkle" resample "$out/picture.png" "$out/picture_turned.png" --rotate 25 --by cubic --boundary constant:255 --force
"$build/crinkle" resample "$out/picture.png" "$out/picture_polar.png" --polar --radius 64 --size 128,128 --by cubic --force
"$build/examples/example_triangle_maps" "$out/triangle_maps.svg" >/dev/null
"$build/examples/example_cavity" 1000 127 "$build" >/dev/null
move '... -> ...' "$build/cavity.ppm" "$out/cavity.png" --shape 384,384,3 --dtype uint8 --offset 15
# matplotlib brings the data.
python3 examples/elevations.py "$build"
"$build/crinkle" interpolate "$build/elevations.csv" "$build/elevations_map.npy" --value height --cell 1 --extent 0,0,403,344 --power auto --neighbours auto \
  --preview "$out/elevations_map.png" --force
"$build/crinkle" fft "$build/elevations.npy" "$out/elevations_spectrum.png" --axes y,x --spectrum --force
