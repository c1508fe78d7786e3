#!/usr/bin/env bash
# Opens a page of scripts/report in a browser: every plot it promises has a size, all its marks, and nothing outside; the console is silent.
# usage: scripts/check_report.sh PAGE.html SCREENSHOT.png, of the whole page      (exit status 77 where there is no chromium)
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail

[ $# -eq 2 ] || { sed -n '2,3p' "$0"; exit 2; }
page=$(realpath -e "$1") picture=$(realpath "$2")
browser=$(command -v "${CHROMIUM:-chromium}") || { echo "skipped: no chromium"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "check_report.sh: $1"; exit 1; }

url=$(python3 -c 'import pathlib, sys; print(pathlib.Path(sys.argv[1]).as_uri())' "$page")
browse() {  # ARGUMENTS...; a profile of its own, and no network: what the page wants from elsewhere fails aloud on the console
  HOME=$folder timeout 180 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars --no-first-run \
    --disable-background-networking --disable-component-update --host-resolver-rules='MAP * ~NOTFOUND' --user-data-dir="$folder/profile" \
    --virtual-time-budget=20000 --enable-logging=stderr "$@"
}

browse --window-size=1240,1800 --dump-dom "$url#check" >"$folder/dom" 2>"$folder/log" || fail "the browser ended with status $?: $(tail -n 3 "$folder/log")"
if grep -h 'CONSOLE' "$folder/log" | cut -c1-300 | grep .; then fail "the console is not silent"; fi
told() { grep -o "<body [^>]*>" "$folder/dom" | grep -o " data-$1=\"[^\"]*\"" | cut -d'"' -f2 || true; }
promised=$(told plots) drawn=$(told drawn) faults=$(told faults) height=$(told height)
[ -n "$promised" ] && [ -n "$drawn" ] || fail "the page is not complete: plots promised '$promised', drawn '$drawn'"
[ "$faults" = 0 ] || fail "$faults faults: $(told fault)"
[ "$drawn" = "$promised" ] && [ "$promised" -gt 0 ] || fail "$drawn plots drawn, $promised promised"

rm -f "$picture"
browse --window-size="1240,$height" --screenshot="$picture" "$url" >/dev/null 2>"$folder/log" || fail "no screenshot: the browser ended with status $?"
[ -s "$picture" ] || fail "no screenshot: $(tail -n 3 "$folder/log")"
echo "$drawn plots drawn, nothing outside; $picture"
