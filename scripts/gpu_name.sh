#!/usr/bin/env bash
# The first GPU's name as results' folders have it: h200. Exit status 1: there is none. SPDX-License-Identifier: BSD-3-Clause
set -o pipefail
name=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1 | tr 'A-Z ' 'a-z-' | sed 's/^nvidia-//')
[ -n "$name" ] && echo "$name"
