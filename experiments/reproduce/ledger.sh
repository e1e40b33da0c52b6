#!/usr/bin/env bash
# Runs a row of the reproduction ledger and prints it. See usage below.
set -euo pipefail

# row|program|preset|task|algorithm|threshold|episodes at most|published episodes|published as
rows='
ars-swimmer|clade-ars|Swimmer|Swimmer-v4|ARS V2-t|325|3000|427|Mania 2018, mean of 3 seeds
ars-hopper|clade-ars|Hopper|Hopper-v4|ARS V2-t|3120|10000|1973|Mania 2018, mean of 3 seeds
ars-halfcheetah|clade-ars|HalfCheetah|HalfCheetah-v4|ARS V2-t|3430|8000|1707|Mania 2018, mean of 3 seeds
ars-walker2d|clade-ars|Walker2d|Walker2d-v4|ARS V2-t|4390|120000|24000|Mania 2018, mean of 3 seeds
ars-ant|clade-ars|Ant|Ant-v4|ARS V2-t|3580|100000|20800|Mania 2018, mean of 3 seeds
ars-humanoid|clade-ars|Humanoid|Humanoid-v4|ARS V2-t|6000|500000|142600|Mania 2018, mean of 3 seeds
es-halfcheetah|clade-es|HalfCheetah|HalfCheetah-v4|OpenAI-ES|3430|100000|none|own preset
es-inverteddoublependulum|clade-es|InvertedDoublePendulum|InvertedDoublePendulum-v4|OpenAI-ES|9100|100000|none|own preset
'

usage() {
  cat <<TEXT
usage: experiments/reproduce/ledger.sh ROW SEED...
Runs ROW's preset with each seed until an evaluation's mean reaches the threshold, and prints the row of the ledger.
A run file that is there already is resumed, so that a second call only prints.
ROW: $(cut -d '|' -f 1 <<<"$rows" | xargs)
Variables: CLADE_BIN   folder of the programs (default: build/release/bin)
           CLADE_RUNS  folder of the run files (default: runs/ledger)
Exit code: 0 every seed reached the threshold, 1 one did not or a run failed, 2 usage, 130 interrupted (all is saved).
TEXT
}

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
  usage
  exit 0
fi
if (($# < 2)); then
  usage >&2
  exit 2
fi

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
bin=${CLADE_BIN:-$root/build/release/bin}
runs=${CLADE_RUNS:-$root/runs/ledger}
name=$1
shift
row=$(grep "^$name|" <<<"$rows") || {
  printf "ledger: unknown row '%s'\n" "$name" >&2
  usage >&2
  exit 2
}
IFS='|' read -r _ program preset task algorithm threshold most published source <<<"$row"
for seed in "$@"; do
  [[ $seed =~ ^[0-9]+$ ]] || {
    printf "ledger: seed '%s' is not a whole number\n" "$seed" >&2
    exit 2
  }
done

mkdir -p "$runs"
reached=()
sum=0
status=0
for seed in "$@"; do
  run=$runs/$name-$seed.h5
  if [[ -e $run ]]; then
    "$bin/$program" --resume "$run" >&2
  else
    "$bin/$program" --preset "$preset" --seed "$seed" --budget-episodes "$most" --out "$run" >&2
  fi
  if episodes=$("$bin/clade-inspect" "$run" --episodes-to "$threshold"); then
    sum=$((sum + episodes))
    reached+=("$episodes")
  elif [[ $episodes == none ]]; then
    status=1
    reached+=("not in $most")
  else
    exit 1
  fi
done

list=$(printf '%s, ' "${reached[@]}")
mean=$( ((status == 0)) && echo "mean $(((sum + $# / 2) / $#))" || echo "no mean")
printf '| task | algorithm | command | seeds | episodes to the threshold | published | source |\n'
printf '| --- | --- | --- | --- | --- | --- | --- |\n'
# shellcheck disable=SC2016 # the backquotes are Markdown
printf '| %s, %s | %s | `%s --preset %s --budget-episodes %s --seed N` | %s | %s: %s | %s | %s |\n' \
  "$task" "$threshold" "$algorithm" "$program" "$preset" "$most" "$*" "${list%, }" "$mean" "$published" "$source"
exit "$status"
