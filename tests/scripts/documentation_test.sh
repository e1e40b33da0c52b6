#!/usr/bin/env bash
# What the documentation names is there: files it links to, and options of the programs in its commands.
# usage: documentation_test.sh <root of the sources> <folder of the programs>
set -euo pipefail

cd "$1"
programs=$2
failures=0
fail() {
  printf '%s\n' "$*" >&2
  failures=$((failures + 1))
}

documents=(./*.md docs/*.md)
for document in "${documents[@]}"; do
  while read -r target; do
    target=${target%%#*}
    [[ -z $target || -e $(dirname "$document")/$target ]] || fail "$document links to $target, which is not there"
  done < <(grep -oE '\]\([^)]+\)' "$document" | sed -E 's/^\]\((.*)\)$/\1/' | grep -vE '^https?:' || true)
done

# Commands in documents, example configurations and scripts. What follows a # is a comment.
checked=0
while IFS=: read -r file line; do
  program=$(grep -oE 'clade-(ars|es|ga|rs|inspect|play|trace)' <<<"$line" | head -n 1)
  [[ -x $programs/$program ]] || continue
  options=$("$programs/$program" --help | grep -oE '^ +--[a-z-]+' | tr -d ' ')
  arguments=${line#*"$program"}
  for option in $(grep -oE '(^|[ `])--[a-z][a-z-]+' <<<"${arguments%% \#*}" | tr -d ' `'); do
    checked=$((checked + 1))
    grep -qxF -e "$option" <<<"$options" || fail "$file: $program has no option $option: $line"
  done
done < <(grep -rHE '^ *[^#|]*clade-(ars|es|ga|rs|inspect|play|trace)("| |$)' "${documents[@]}" experiments/reproduce tools/*.sh |
  grep -E 'clade-[a-z]+"? .*--')

((checked >= 15)) || fail "only $checked options were found in commands: is this test still looking at them?"
((failures == 0))
