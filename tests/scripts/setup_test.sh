#!/usr/bin/env bash
# tools/setup.sh against stand-ins for dpkg-query, sudo, id, pip, a source archive and its build: what it says, its exit
# codes, what it leaves behind.
# usage: setup_test.sh <path of setup.sh>
set -euo pipefail

script=$1
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir "$place/fakes"
real_python=$(command -v python3)

fake() { cat >"$place/fakes/$1" && chmod +x "$place/fakes/$1"; }

fake dpkg-query <<'TEXT'
#!/bin/sh
for package in "$@"; do
  case $package in -*) ;; *) case " $ABSENT " in *" $package "*) ;; *) echo "ii $package" ;; esac ;; esac
done
TEXT
fake id <<'TEXT'
#!/bin/sh
echo 1000
TEXT
fake sudo <<'TEXT'
#!/bin/sh
exit 1
TEXT
# `pip download` makes a wheel with the members that setup.sh takes out, or fails with the words in PIP_SAYS.
fake python3 <<TEXT
#!/usr/bin/env bash
case "\$*" in
  *"pip --version"*) [[ -z \${NO_PIP:-} ]] ;;
  *"pip download"*)
    echo "\$*" >>"$place/pip_calls"
    [[ -z \${PIP_SAYS:-} ]] || { echo "\$PIP_SAYS"; exit 1; }
    while [[ \$1 != --dest ]]; do shift; done
    exec "$real_python" - "\$2" <<'PYTHON'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1] + "/any.whl", "w") as wheel:
    for name in ("mujoco/include/mujoco/", "mujoco/include/mujoco/mujoco.h", "mujoco/libmujoco.so.3.17.0",
                 "mujoco-3.17.0.dist-info/licenses/LICENSE", "gymnasium/envs/mujoco/assets/ant.xml",
                 "gymnasium-1.4.0.dist-info/licenses/LICENSE"):
        wheel.writestr(name, "" if name.endswith("/") else name)
PYTHON
    ;;
  *) exec "$real_python" "\$@" ;;
esac
TEXT

# The source archive comes from a folder; its build only says that it was asked for.
mkdir "$place/links"
"$real_python" - "$place/links/ale_py-0.12.1.tar.gz" <<'PYTHON'
import io, sys, tarfile
with tarfile.open(sys.argv[1], "w:gz") as archive:
    member = tarfile.TarInfo("ale_py-0.12.1/LICENSE.md")
    member.size = 7
    archive.addfile(member, io.BytesIO(b"licence"))
PYTHON
ale_sha256=$(sha256sum <"$place/links/ale_py-0.12.1.tar.gz" | cut -d ' ' -f 1)
export PIP_FIND_LINKS=$place/links PIP_NO_INDEX=1
fake build_ale.sh <<'TEXT'
#!/bin/sh
[ -z "$BUILD_SAYS" ] || { echo "$BUILD_SAYS"; exit 1; }
mkdir -p "$3/lib" && cp "$1/LICENSE.md" "$3/lib/libale.a" && echo built >>"$(dirname "$0")/../builds"
TEXT

# run <expected exit code> <expected words> <argument>...: setup.sh in the folder `home`, output in `output`.
home=$place/home
run() {
  local expected=$1 words=$2 status=0
  shift 2
  output=$(PATH="$place/fakes:$PATH" "$home/tools/setup.sh" "$@" 2>&1 </dev/null) || status=$?
  if [[ $status != "$expected" || $output != *"$words"* ]]; then
    printf 'FAILED: setup.sh %s\nexpected %s: %s\ngot %s: %s\n' "$*" "$expected" "$words" "$status" "$output"
    exit 1
  fi
}
fresh() {
  rm -rf "$home" "$place/pip_calls"
  mkdir -p "$home/tools"
  sed "s/^ale_sha256=.*/ale_sha256=$ale_sha256/" "$script" >"$home/tools/setup.sh"
  chmod +x "$home/tools/setup.sh"
  cp "$(dirname "$script")/fetch_source.py" "$place/fakes/build_ale.sh" "$home/tools/"
}
expect() { # <command>...: must succeed
  "$@" || {
    printf 'FAILED: %s\n' "$*"
    exit 1
  }
}
export ABSENT=""

fresh
run 2 "unknown option '--chek'" --chek
run 1 "tools/setup.sh fetches without root: mujoco-3.17.0 gymnasium-1.4.0 ale_py-0.12.1" --check
expect test ! -e "$home/build"

run 0 "nothing is missing"
expect test "$(<"$home/build/deps/mujoco/lib/libmujoco.so.3.17.0")" = mujoco/libmujoco.so.3.17.0
expect test -f "$home/build/deps/mujoco/include/mujoco/mujoco.h"
expect test -f "$home/build/deps/models/gymnasium/ant.xml"
expect grep -q -e "--require-hashes --no-deps --only-binary :all: --python-version 3.11" "$place/pip_calls"
run 0 "nothing is missing"
expect test "$(wc -l <"$place/pip_calls")" = 2
run 0 "nothing is missing" --check

# What is built depends on how it is built.
expect test "$(<"$home/build/deps/ale/lib/libale.a")" = licence
expect test "$(wc -l <"$home/builds")" = 1
echo "# a comment" >>"$home/tools/build_ale.sh"
run 0 "nothing is missing" --check
echo "flags=-O9" >>"$home/tools/build_ale.sh"
run 1 "tools/setup.sh fetches without root: ale_py-0.12.1" --check
BUILD_SAYS="CMake Error: no flags" run 1 "could not be built: CMake Error: no flags"
expect test -f "$home/build/deps/ale/lib/libale.a"
run 0 "nothing is missing"
expect test "$(wc -l <"$home/builds")" = 2

ABSENT="libhdf5-dev catch2" run 1 "an administrator must install: apt-get install --no-install-recommends libhdf5-dev catch2" \
  --check
fresh
ABSENT="libhdf5-dev" run 1 "an administrator must install: apt-get install --no-install-recommends libhdf5-dev"
expect test -f "$home/build/deps/models/gymnasium/ant.xml"

fresh
PIP_SAYS="ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE." run 1 "another checksum than"
PIP_SAYS="ERROR: Could not find a version that satisfies the requirement (from versions: none)" run 1 "no network"
NO_PIP=1 run 1 "install python3-pip"
expect test -z "$(find "$home/build/deps" -mindepth 1 -not -name models)"

fresh
sed -i "s/^ale_sha256=.*/ale_sha256=0123/" "$home/tools/setup.sh"
run 1 "has another file, with the SHA-256 $ale_sha256: not used"
PIP_FIND_LINKS="" run 1 "ale_py-0.12.1.tar.gz could not be fetched"
expect test ! -e "$home/build/deps/ale"
expect test -z "$(find "$home/build/deps" -name 'fetch.*')"
echo "setup.sh: all as expected"
