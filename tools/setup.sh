#!/usr/bin/env bash
# Installs what Clade needs: packages of the distribution, and from pinned archives in build/deps MuJoCo, its models, and
# the Arcade Learning Environment with its games, which is built here.
# Quick when all is there. See usage below.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: tools/setup.sh [--check] [--ci]
  --check  install nothing, only list what is missing
  --ci     also the tools of .ci/run: Clang, libomp, clang-format, gcovr, shellcheck, ccache
Debian 12, Ubuntu 22.04 and 24.04; packages need root or sudo, archives do not.
Exit code: 0 all there, 1 something is missing, 2 usage.
TEXT
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
deps=$root/build/deps
log=$root/build/setup.log

mujoco_version=3.17.0
case $(uname -m) in
  x86_64) mujoco_sha256=d66928d86a2d1b601bbaa4dc11db50214d17d5301bb8afd84721313b67ff0874 ;;
  aarch64) mujoco_sha256=91a70ed9979c383ff1f5c03f25cc2e1280a8254c1a8e558d5dd7f4184f01efc9 ;;
  *) mujoco_sha256= ;;
esac
gymnasium_version=1.4.0
gymnasium_sha256=1cb947c59e7c72d8eabb2c2274c00cd20948e69f8452a9ef4092223be24fdf0e

ale_version=0.12.1
ale_sha256=c503d574c5983e1063b451201ccb779d935919c0f6bf116fb0f4f8aa4c86d249

say() { printf 'setup: %s\n' "$*" >&2; }
fail() {
  say "$*"
  exit 1
}

check=false
ci=false
for argument in "$@"; do
  case $argument in
    --check) check=true ;;
    --ci) ci=true ;;
    -h | --help)
      usage
      exit 0
      ;;
    *)
      say "unknown option '$argument'"
      usage >&2
      exit 2
      ;;
  esac
done

# --- packages ---------------------------------------------------------------------------------------------------------

distribution=$(
  # shellcheck source=/dev/null
  . /etc/os-release 2>/dev/null && printf '%s %s' "${ID:-unknown}" "${VERSION_ID:-}"
) || distribution=unknown

packages=(g++ cmake ninja-build libhdf5-dev hdf5-tools libboost-program-options-dev librandom123-dev libxxhash-dev zlib1g-dev
  libpng-dev catch2 python3 python3-pip)
if $ci; then
  packages+=(clang libomp-dev clang-format gcovr shellcheck ccache git)
  # Ubuntu 22.04 has the sanitizers' run-time libraries among Clang's own files.
  [[ $distribution == "ubuntu 22.04" ]] || packages+=(libclang-rt-dev)
fi

missing_packages() {
  local installed
  installed=$(dpkg-query -W -f='${db:Status-Abbrev}${Package}\n' "${packages[@]}" 2>/dev/null |
    sed -n 's/^ii *//p') || true
  local package
  for package in "${packages[@]}"; do
    grep -qxF -e "$package" <<<"$installed" || printf '%s\n' "$package"
  done
}

if command -v dpkg-query >/dev/null; then
  mapfile -t missing < <(missing_packages)
else
  missing=("${packages[@]}")
fi

may_install() { # sets `sudo`, the words before a command that needs root
  sudo=()
  [[ $(id -u) -eq 0 ]] && return 0
  command -v sudo >/dev/null || return 1
  sudo=(sudo)
  sudo -n true 2>/dev/null || { [[ -t 0 ]] && sudo -v; }
}

install_packages() {
  export DEBIAN_FRONTEND=noninteractive
  say "installing ${#missing[@]} packages: ${missing[*]}"
  # Files that vanished from the mirror since the list was made are the usual failure: refresh the list, try again.
  if ! "${sudo[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}" >"$log" 2>&1; then
    "${sudo[@]}" apt-get update -q >"$log" 2>&1 ||
      fail "apt-get update failed (no network?): $(tail -n 1 "$log") (all of it: $log)"
    "${sudo[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}" >>"$log" 2>&1 ||
      fail "apt-get install failed: $(grep -m 1 '^E:' "$log" || tail -n 1 "$log") (all of it: $log)"
  fi
  mapfile -t missing < <(missing_packages)
}

# --- archives ---------------------------------------------------------------------------------------------------------

there() { # <folder> <stamp>: whether the folder holds what was made of the archive with that stamp
  [[ -f $1/.sha256 && $(<"$1/.sha256") == "$2" ]]
}

# An archive's stamp is its checksum; what is built from one also depends on how.
ale_stamp="$ale_sha256 $(grep -v '^ *#' "$root/tools/build_ale.sh" | sha256sum | cut -d ' ' -f 1)"

missing_archives() {
  [[ -z $mujoco_sha256 ]] || there "$deps/mujoco" "$mujoco_sha256" || printf 'mujoco-%s\n' "$mujoco_version"
  there "$deps/models/gymnasium" "$gymnasium_sha256" || printf 'gymnasium-%s\n' "$gymnasium_version"
  there "$deps/ale" "$ale_stamp" || printf 'ale_py-%s\n' "$ale_version"
}

require_pip() {
  python3 -m pip --version >/dev/null 2>&1 ||
    fail "no pip for $(command -v python3 || echo python3): install python3-pip"
}

# fetch <name> <version> <sha256> <folder> <platform tag>...: prints the wheel's path. pip checks the sum before anything
# of the file is used; the wheel is asked for by platform and Python version, whatever Python this machine has.
fetch() {
  local name=$1 version=$2 sha256=$3 into=$4
  shift 4
  require_pip
  say "fetching $name $version"
  printf '%s==%s --hash=sha256:%s\n' "$name" "$version" "$sha256" >"$into/requirements.txt"
  if ! python3 -m pip download --quiet --disable-pip-version-check --no-cache-dir --require-hashes --no-deps \
    --only-binary :all: --python-version 3.11 "$@" --dest "$into" -r "$into/requirements.txt" >"$log" 2>&1; then
    if grep -q 'DO NOT MATCH THE HASHES' "$log"; then
      fail "$name $version has another checksum than $sha256: not used (the index serves another file; see $log)"
    elif grep -q 'from versions: none' "$log"; then
      fail "$name $version could not be fetched: no network, a certificate that pip does not trust (PIP_CERT)," \
        "or an index without it (PIP_INDEX_URL, pip.conf)"
    elif grep -q 'No matching distribution' "$log"; then
      fail "the package index has no $name $version for this platform (see $log)"
    fi
    fail "$name $version could not be fetched (no network?): $(grep -m 1 -i error "$log" || tail -n 1 "$log")"
  fi
  find "$into" -name '*.whl'
}

# unpack <wheel> <sha256> <folder>: the pairs "<path in the wheel>=<path in the folder>" on standard input; a path that
# ends in / stands for the files of that folder. The folder appears complete or not at all.
unpack() {
  python3 - "$@" 3<&0 <<'PYTHON'
import os, shutil, sys, zipfile

wheel, sha256, target = sys.argv[1:]
rules = [line.split("=", 1) for line in os.fdopen(3).read().split()]
partial = target + ".partial"
shutil.rmtree(partial, ignore_errors=True)
with zipfile.ZipFile(wheel) as archive:
    for source, destination in rules:
        names = [n for n in archive.namelist() if not n.endswith("/")
                 and (n == source or (source.endswith("/") and n.startswith(source)))]
        if not names:
            sys.exit(f"setup: {os.path.basename(wheel)} has no {source}")
        for name in names:
            path = os.path.join(partial, destination + name[len(source):])
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with archive.open(name) as data, open(path, "wb") as file:
                shutil.copyfileobj(data, file)
with open(os.path.join(partial, ".sha256"), "w") as stamp:
    stamp.write(sha256 + "\n")
shutil.rmtree(target, ignore_errors=True)
os.rename(partial, target)
PYTHON
}

fetch_archives() {
  mkdir -p "$deps/models"
  partial=$(mktemp -d "$deps/fetch.XXXXXX")
  trap 'rm -rf "$partial"' EXIT
  local machine wheel
  machine=$(uname -m)
  if [[ -z $mujoco_sha256 ]]; then
    say "MuJoCo $mujoco_version has no library for $machine: configure with -DCLADE_MUJOCO=OFF"
  elif ! there "$deps/mujoco" "$mujoco_sha256"; then
    mkdir "$partial/mujoco"
    wheel=$(fetch mujoco "$mujoco_version" "$mujoco_sha256" "$partial/mujoco" \
      --implementation cp --abi cp311 --platform "manylinux_2_28_$machine")
    unpack "$wheel" "$mujoco_sha256" "$deps/mujoco" <<TEXT
mujoco/include/mujoco/=include/mujoco/
mujoco/libmujoco.so.$mujoco_version=lib/libmujoco.so.$mujoco_version
mujoco-$mujoco_version.dist-info/licenses/=licenses/
TEXT
  fi
  if ! there "$deps/models/gymnasium" "$gymnasium_sha256"; then
    mkdir "$partial/gymnasium"
    wheel=$(fetch gymnasium "$gymnasium_version" "$gymnasium_sha256" "$partial/gymnasium" \
      --implementation py --abi none --platform any)
    unpack "$wheel" "$gymnasium_sha256" "$deps/models/gymnasium" <<TEXT
gymnasium/envs/mujoco/assets/=
gymnasium-$gymnasium_version.dist-info/licenses/=licenses/
TEXT
  fi
  there "$deps/ale" "$ale_stamp" || build_ale
}

build_ale() {
  local tool
  for tool in cmake ninja g++; do
    command -v "$tool" >/dev/null || {
      say "ale_py $ale_version cannot be built without $tool"
      return 0
    }
  done
  require_pip
  mkdir "$partial/ale" "$partial/ale-work"
  say "fetching ale_py $ale_version"
  "$root/tools/fetch_source.py" ale_py "$ale_version" "$ale_sha256" "$partial/ale"
  say "building ale_py $ale_version (one to two minutes)"
  "$root/tools/build_ale.sh" "$partial/ale/ale_py-$ale_version" "$partial/ale-work" "$partial/ale-built" >"$log" 2>&1 ||
    fail "ale_py $ale_version could not be built: $(grep -m 1 -iE 'error|not found' "$log" || tail -n 1 "$log")" \
      "(all of it: $log)"
  printf '%s\n' "$ale_stamp" >"$partial/ale-built/.sha256"
  rm -rf "$deps/ale"
  mv "$partial/ale-built" "$deps/ale"
}

# ----------------------------------------------------------------------------------------------------------------------

report_packages() {
  say "an administrator must install: apt-get install --no-install-recommends ${missing[*]}"
}

if $check; then
  mapfile -t archives < <(missing_archives)
  if ((${#missing[@]} == 0 && ${#archives[@]} == 0)); then
    say "nothing is missing"
    exit 0
  fi
  ((${#missing[@]} == 0)) || report_packages
  ((${#archives[@]} == 0)) || say "tools/setup.sh fetches without root: ${archives[*]}"
  exit 1
fi

mkdir -p "$deps" 2>/dev/null || fail "cannot write to $root/build: make the folder writable, or clone into your own"
if ((${#missing[@]} > 0)) && command -v apt-get >/dev/null; then
  case $distribution in
    "debian 12" | "ubuntu 22.04" | "ubuntu 24.04") ;;
    *) say "$distribution is none of Debian 12, Ubuntu 22.04 and 24.04: trying" ;;
  esac
  if may_install; then install_packages; fi
fi
if [[ -n $(missing_archives) ]]; then
  command -v python3 >/dev/null || { report_packages && exit 1; }
  fetch_archives
fi
if ((${#missing[@]} > 0)); then
  report_packages
  exit 1
fi
mapfile -t archives < <(missing_archives)
((${#archives[@]} == 0)) || fail "still missing: ${archives[*]}"
say "nothing is missing"
