#!/usr/bin/env bash
# From a bare machine to an evolved HalfCheetah: sets up, builds, trains with ARS V2-t, plays 100 fresh episodes.
# A second call does only what is left to do.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
bin=build/release/bin
run=runs/halfcheetah.h5

tools/setup.sh

mkdir -p build
[[ -x $bin/clade-ars ]] || echo "quickstart: building with $(nproc) cores, some minutes (build/build.log)" >&2
if ! { cmake --preset release -Wno-dev && cmake --build --preset release --target programs; } >build/build.log 2>&1; then
  tail -n 20 build/build.log >&2
  echo "quickstart: the build failed (all of it: build/build.log)" >&2
  exit 1
fi

mkdir -p runs
if [[ -e $run ]]; then
  echo "quickstart: $run exists: going on where it stands (remove it to start afresh)" >&2
  "$bin/clade-ars" --resume "$run"
else
  # The preset stops at the published threshold; some seed may not get there.
  "$bin/clade-ars" --preset HalfCheetah --generations 300 --out "$run"
fi
"$bin/clade-play" "$run" --episodes 100 --quiet

cat <<TEXT
The run is in $run: $bin/clade-inspect $run
Next: $bin/clade-ars --preset Hopper --out runs/hopper.h5, or --preset Swimmer; $bin/clade-es --help for OpenAI-ES
Your own environment: examples/own_environment; all environments: $bin/clade-es --list-envs
TEXT
