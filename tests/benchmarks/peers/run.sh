#!/usr/bin/env bash
# Measures Clade beside its peers and prints one Markdown table. The peers are installed, pinned, into a virtual
# environment of their own (build/peers-venv, 7 GB). Options are alternate.py's; --help lists them.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
venv=$root/build/peers-venv
wanted=$here/requirements.txt

fail() {
  printf 'run.sh: %s\n' "$*" >&2
  exit 1
}

if ! cmp -s "$wanted" "$venv/requirements.txt"; then
  python=${PYTHON:-python3}
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "EnvPool needs Python 3.11 or newer, but $python is $("$python" -V 2>&1): set PYTHON to another"
  "$python" -m venv "$venv" || fail "no virtual environment in $venv: install python3-venv"
  printf 'run.sh: installing the peers into %s (3 GB to fetch)\n' "$venv" >&2
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$wanted" ||
    fail "pip could not install $wanted (its message stands above)"
  cp "$wanted" "$venv/requirements.txt"
fi

out=$root/build/peers/results.json
quiet=false
arguments=("$@")
for ((i = 0; i < ${#arguments[@]}; ++i)); do
  case ${arguments[i]} in
    --out) out=${arguments[i + 1]:-$out} ;;
    --out=*) out=${arguments[i]#--out=} ;;
    -h | --help | --list) quiet=true ;;
  esac
done

status=0
"$venv/bin/python" "$here/alternate.py" "$@" || status=$?
if ! $quiet && [[ $status -le 1 && -f $out ]]; then
  "$venv/bin/python" "$here/compare.py" "$out"
fi
exit "$status"
