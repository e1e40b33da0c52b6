#!/usr/bin/env bash
# Draws docs/images/halfcheetah.svg: ARS V2-t on HalfCheetah-v4, seeds 1 to 5, 6400 training episodes each, an evaluation
# of 100 episodes after every 320. About four minutes a seed and core. Runs that are there already are resumed.
# Variables: CLADE_BIN, the programs' folder (default: build/release/bin); CLADE_RUNS (default: runs/halfcheetah_curve).
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
bin=${CLADE_BIN:-$root/build/release/bin}
runs=${CLADE_RUNS:-$root/runs/halfcheetah_curve}

mkdir -p "$runs"
further=()
for seed in 1 2 3 4 5; do
  run=$runs/halfcheetah-$seed.h5
  if [[ -e $run ]]; then
    "$bin/clade-ars" --resume "$run"
  else
    "$bin/clade-ars" --preset HalfCheetah --seed "$seed" --target-return none --generations 100 --evaluate-every 5 --out "$run"
  fi
  ((seed == 1)) || further+=(--with "$run")
done
"$bin/clade-inspect" "$runs/halfcheetah-1.h5" "${further[@]}" --target 3430 --plot "$root/docs/images/halfcheetah.svg"
