#!/usr/bin/env bash
# Runs a short-horizon row of the Atari ledger and prints it. See usage below.
set -euo pipefail

# row|program|preset|game|algorithm|frames|published score|published as
rows='
ga-frostbite|clade-ga|atari-workstation|Frostbite|deep GA|20000000|4536|Such 2017, 1,000 members, 1 billion frames
ga-skiing|clade-ga|atari-workstation|Skiing|deep GA|8000000|-6502|Such 2017, 1,000 members, 1 billion frames
ga-kangaroo|clade-ga|atari-workstation|Kangaroo|deep GA|8000000|3790|Such 2017, 1,000 members, 1 billion frames
rs-frostbite|clade-rs|atari-workstation|Frostbite|random search|8000000|none|control experiment
es-frostbite|clade-es|atari-es|Frostbite|OpenAI-ES|8000000|none|own preset
'

usage() {
  cat <<TEXT
usage: experiments/reproduce/atari.sh ROW [SEED [FRAMES]]
Runs ROW's preset until its frames are spent and prints the row of the ledger: what so few frames reach, beside what
was published for far more; no claim to have reproduced that. A run file that is there already is resumed, so that a
second call only prints.
ROW: $(cut -d '|' -f 1 <<<"$rows" | xargs)
SEED: default 0. FRAMES: instead of the row's own
Variables: CLADE_BIN   folder of the programs (default: build/release/bin)
           CLADE_RUNS  folder of the run files (default: runs/atari)
Exit code: 0 all frames are spent, 1 the run failed, 2 usage, 130 interrupted (all is saved).
TEXT
}

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
  usage
  exit 0
fi
if (($# < 1 || $# > 3)); then
  usage >&2
  exit 2
fi

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
bin=${CLADE_BIN:-$root/build/release/bin}
runs=${CLADE_RUNS:-$root/runs/atari}
name=$1
row=$(grep "^$name|" <<<"$rows") || {
  printf "atari: unknown row '%s'\n" "$name" >&2
  usage >&2
  exit 2
}
IFS='|' read -r _ program preset game algorithm frames published source <<<"$row"
seed=${2:-0}
frames=${3:-$frames}
for number in "$seed" "$frames"; do
  [[ $number =~ ^[0-9]+$ ]] || {
    printf "atari: '%s' is not a whole number\n" "$number" >&2
    exit 2
  }
done

mkdir -p "$runs"
run=$runs/$name-$seed.h5
if [[ -e $run ]]; then
  "$bin/$program" --resume "$run" --budget-frames "$frames" >&2
else
  "$bin/$program" --preset "$preset" --env "$game" --seed "$seed" --budget-frames "$frames" --out "$run" >&2
fi

# A line of the summary without its label; "-" where there is none.
summary=$("$bin/clade-inspect" "$run")
field() {
  local text
  text=$(sed -n "s/^$1  *//p" <<<"$summary" | head -n 1)
  printf '%s' "${text:--}"
}
mean() { sed -E 's/ in ([0-9,]+) episodes.*/ (\1 episodes)/; s/^mean //' <<<"$1"; }
score=$(sed -n '/^final test/,$ s/^its score  *//p' <<<"$summary" | head -n 1)

printf '| task | algorithm, short-horizon | command | frames | validated | final test | its score | frames/s | share of R* | published | source |\n'
printf '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n'
# shellcheck disable=SC2016 # the backquotes are Markdown
printf '| %s | %s | `%s --preset %s --env %s --budget-frames %s --seed %s` | %s | %s | %s | %s | %s | %s | %s | %s |\n' \
  "$game" "$algorithm" "$program" "$preset" "$game" "$frames" "$seed" "$(field frames)" \
  "$(mean "$(field 'last \(validation\|evaluation\)')")" "$(mean "$(field 'final test')")" "${score:--}" \
  "$(sed -nE 's/.*, ([0-9,.]+) frames\/s.*/\1/p' <<<"$(field 'wall time')")" \
  "$(cut -d ' ' -f 1 <<<"$(field 'share of limit')")" "$published" "$source"
