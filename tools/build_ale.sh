#!/usr/bin/env bash
# Builds the Arcade Learning Environment as a static library. See usage below.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: tools/build_ale.sh SOURCE WORK TARGET
  SOURCE  its unpacked source archive
  WORK    an empty folder for what is made on the way
  TARGET  a folder that must not exist: include/ale, lib/libale.a, roms/*.bin, licenses
TEXT
}

if (($# != 3)); then
  usage >&2
  exit 2
fi
source=$1
work=$2
target=$3

# ALE's own Release configuration leaves object files that only this compiler's linker plugin reads; in the one below the
# flags are ours alone. g++ always, so that the same emulator runs below every build of Clade. Measured over four games,
# link-time optimisation, recorded profiles, -march=native and -O2 each change a frame's time by less than 3% and Clang
# makes it longer; all of them compute the same bits.
flags="-O3 -DNDEBUG"
cmake -S "$source" -B "$work/build" -G Ninja -DCMAKE_CXX_COMPILER=g++ -DCMAKE_BUILD_TYPE=RelWithDebInfo \
  -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="$flags" -DCMAKE_TOOLCHAIN_FILE= -DBUILD_SHARED_LIBS=OFF -DBUILD_CPP_LIB=ON \
  -DBUILD_PYTHON_LIB=OFF -DSDL_SUPPORT=OFF
cmake --build "$work/build" --target ale-lib

mkdir -p "$target/lib" "$target/roms" "$target/licenses" "$target/include/ale"
cp "$work/build/src/ale/libale.a" "$target/lib/"
cp "$source/src/ale/ale_interface.hpp" "$work/build/src/ale/version.hpp" "$target/include/ale/"
for part in common emucore environment games; do
  (cd "$source/src/ale" && find "$part" -name '*.h' -o -name '*.hpp' -o -name '*.hxx') |
    while read -r header; do
      mkdir -p "$target/include/ale/$(dirname "$header")"
      cp "$source/src/ale/$header" "$target/include/ale/$header"
    done
done
cp "$source"/src/ale/python/roms/*.bin "$target/roms/"
cp "$source/LICENSE.md" "$source/ACKNOWLEDGMENTS.md" "$target/licenses/"
