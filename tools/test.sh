#!/usr/bin/env bash
# Builds and runs all tests. See usage below.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: tools/test.sh [--preset NAME] [-- ARGUMENT...]
  --preset NAME  configuration to test (default: release; cmake --list-presets names all)
  ARGUMENT...    handed to ctest: -L unit, -R 'noise', --rerun-failed
Sets up what is missing first (tools/setup.sh).
TEXT
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
preset=release
while (($# > 0)); do
  case $1 in
    --preset)
      (($# > 1)) || {
        echo "test: --preset needs a name" >&2
        exit 2
      }
      preset=$2
      shift
      ;;
    --)
      shift
      break
      ;;
    -h | --help)
      usage
      exit 0
      ;;
    *)
      echo "test: unknown option '$1'" >&2
      usage >&2
      exit 2
      ;;
  esac
  shift
done

cd "$root"
tools/setup.sh
started=$SECONDS
cmake --preset "$preset" -Wno-dev
cmake --build --preset "$preset"
built=$SECONDS

status=0
ctest --preset "$preset" --parallel "$(nproc)" "$@" || status=$?

# CTest names the skipped tests; the reasons stand in its log.
if reasons=$(grep -hoE '^(test )?skipped: .*' "build/$preset/Testing/Temporary/LastTest.log" | sort | uniq -c); then
  printf 'What could not run here (times, why):\n%s\n' "$reasons"
fi
printf 'test: %s, preset %s: built in %d s, tested in %d s\n' \
  "$([[ $status == 0 ]] && echo passed || echo FAILED)" "$preset" $((built - started)) $((SECONDS - built))
exit "$status"
