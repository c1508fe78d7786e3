# bash completion for crinkle: commands, options, the words that options take, the axes of the specification on the line, and files.
# It needs nothing but bash 4.
# SPDX-License-Identifier: BSD-3-Clause

_crinkle_axes() {  # the names on the left of the specification's arrow
  local word
  for word in "${COMP_WORDS[@]}"; do
    if [[ $word == *'->'* ]]; then
      word=${word%%->*}
      grep -oE '[A-Za-z_][A-Za-z0-9_]*' <<<"$word"
      return
    fi
  done
}

_crinkle_files() {  # of the endings given; directories to walk into
  local ending file
  while IFS= read -r file; do
    if [ -d "$file" ]; then
      COMPREPLY+=("$file/")
      continue
    fi
    for ending in "$@"; do
      [[ $file == *"$ending" ]] && { COMPREPLY+=("$file"); break; }
    done
  done < <(compgen -f -- "$current")
  compopt -o filenames -o nospace 2>/dev/null
}

_crinkle() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]:-}
  local verbs='--flip --roll --slice --pad --dilate --at --take --bit-reverse'
  local wish="$verbs --size --tail --byte-order --morton --checkerboard --shuffle --unshuffle --bit-planes --from-bit-planes --count --help"
  local running='--device --device-memory --threads --verify --force --dry-run --explain --help'
  local types='int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64 complex64 complex128'
  COMPREPLY=()

  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W 'move records advise interlace deinterlace pairs triangle explain draw info bench --help --version' -- "$current")
    return
  fi
  # bash takes --tail=pad for three words
  if [ "$current" = = ]; then current=; elif [ "$previous" = = ]; then previous=${COMP_WORDS[COMP_CWORD - 2]}; fi

  local words=
  case $previous in
    --tail) words='error ragged pad drop' ;;
    --byte-order) words='little big' ;;
    --device) words='auto cpu cuda' ;;
    --machine) words='this h200' ;;
    --plan) words='estimate measure' ;;
    --order) words='sequential random strided:' ;;
    --metric) words='euclidean sqeuclidean manhattan cityblock chebyshev cosine' ;;
    --dtype | --unshuffle | --from-bit-planes) words=$types ;;
    --flip | --bit-reverse) words=$(_crinkle_axes) ;;
    --roll | --slice | --pad | --dilate | --at | --take)
      words=$(_crinkle_axes | sed 's/$/=/')
      compopt -o nospace 2>/dev/null ;;
    --draw)
      _crinkle_files .svg
      return ;;
    --output | -o)
      if [ "$command" = pairs ]; then
        words='condensed packed-lower packed-upper rfp square'
      else
        if [ "$command" = draw ]; then _crinkle_files .svg; else _crinkle_files ''; fi
        return
      fi ;;
    --radii)
      _crinkle_files .npy
      return ;;
    --cases)
      _crinkle_files .txt
      return ;;
    --plan-cache | --against)
      _crinkle_files .json
      return ;;
    --json)
      if [ "$command" = bench ] || [ "$command" = advise ]; then
        _crinkle_files .json
        return
      fi ;;
    --shape | --n | --fields | --read | --write | --from | --to | --records | --axis | --size | --offset | --threads | --count | --max-cells | --title | --tile | --case | --memory | --device-memory | --bytes | --behind | --samples | --seed) return ;;
  esac
  if [ -n "$words" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    return
  fi

  if [[ $current == -* ]]; then
    case $command in
      move) words="$wish --shape --dtype --offset --device --device-memory --threads --plan --plan-cache --verify --force --dry-run --explain --report" ;;
      records) words="--fields --from --to --put --byte-order --offset --draw --count $running" ;;
      advise) words="--fields --read --write --order --from --to --records --samples --seed --device --threads --json --force --help" ;;
      pairs) words='--metric --output --radii --device --threads --verify --json --force --help' ;;
      triangle) words='--from --to --n --dtype --device --threads --verify --force --help' ;;
      interlace | deinterlace) words="--output --axis --shape --dtype --offset $running" ;;
      explain) words="$wish --shape --dtype --machine --json" ;;
      draw) words="$wish --shape --dtype --output --max-cells --title --tile --machine --force" ;;
      info) words='--json --help' ;;
      bench) words='--cases --case --memory --behind --bytes --samples --hot --seed --device --threads --plan --plan-cache --json --against --force --help' ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    return
  fi
  case $command in
    move | records | interlace | deinterlace | triangle) _crinkle_files '' ;;
    pairs) if [ "$COMP_CWORD" -eq 2 ]; then mapfile -t COMPREPLY < <(compgen -W 'distance collide triplet' -- "$current"); else _crinkle_files .npy; fi ;;
    info) _crinkle_files .npy .png .nii .nii.gz ;;
    bench) [ "$COMP_CWORD" -ne 2 ] || mapfile -t COMPREPLY < <(compgen -W 'copy permute hypercubic rearrange records fused small scaling simplex pairs triangle planning advice batches vectors versions' -- "$current") ;;
  esac
}

complete -F _crinkle crinkle
