# What Clade needs from outside. A missing piece stops here with one line that says what to do.

function(clade_require found what package)
  if(NOT ${found})
    message(FATAL_ERROR "${what} not found: run tools/setup.sh, or install ${package}")
  endif()
endfunction()

find_package(OpenMP QUIET COMPONENTS CXX)
clade_require(OpenMP_CXX_FOUND "OpenMP" "g++ (with Clang: libomp-dev)")

find_path(CLADE_RANDOM123_INCLUDE_DIR Random123/philox.h DOC "Folder that holds Random123/philox.h")
clade_require(CLADE_RANDOM123_INCLUDE_DIR "Random123" "librandom123-dev")

find_path(CLADE_XXHASH_INCLUDE_DIR xxhash.h DOC "Folder that holds xxhash.h")
clade_require(CLADE_XXHASH_INCLUDE_DIR "xxhash.h" "libxxhash-dev")
mark_as_advanced(CLADE_RANDOM123_INCLUDE_DIR CLADE_XXHASH_INCLUDE_DIR)

find_package(HDF5C QUIET)
clade_require(HDF5C_FOUND "HDF5's C library" "libhdf5-dev")

find_package(Boost QUIET COMPONENTS program_options)
clade_require(Boost_FOUND "Boost.Program_options" "libboost-program-options-dev")

if(CLADE_ATARI)
  find_path(CLADE_ALE_INCLUDE_DIR ale/ale_interface.hpp HINTS "${CLADE_DEPS_DIR}/ale/include"
            DOC "Folder that holds ale/ale_interface.hpp")
  find_library(CLADE_ALE_LIBRARY NAMES libale.a HINTS "${CLADE_DEPS_DIR}/ale/lib" DOC "ALE's static library")
  mark_as_advanced(CLADE_ALE_INCLUDE_DIR CLADE_ALE_LIBRARY)
  if(NOT CLADE_ALE_INCLUDE_DIR OR NOT CLADE_ALE_LIBRARY)
    message(FATAL_ERROR "The Arcade Learning Environment not found in ${CLADE_DEPS_DIR}: run tools/setup.sh, or "
                        "configure with -DCLADE_ATARI=OFF")
  endif()
  find_package(ZLIB QUIET)
  clade_require(ZLIB_FOUND "zlib" "zlib1g-dev")
  find_package(PNG QUIET)
  clade_require(PNG_FOUND "libpng" "libpng-dev")
  find_package(Threads REQUIRED)
  add_library(ALE::ale STATIC IMPORTED)
  set_target_properties(ALE::ale PROPERTIES IMPORTED_LOCATION "${CLADE_ALE_LIBRARY}"
                                            INTERFACE_INCLUDE_DIRECTORIES "${CLADE_ALE_INCLUDE_DIR}"
                                            INTERFACE_LINK_LIBRARIES "ZLIB::ZLIB;Threads::Threads")
  message(STATUS "Atari games: on (${CLADE_ALE_LIBRARY})")
else()
  message(STATUS "Atari games: off (CLADE_ATARI)")
endif()

if(CLADE_MUJOCO)
  find_path(CLADE_MUJOCO_INCLUDE_DIR mujoco/mujoco.h HINTS "${CLADE_DEPS_DIR}/mujoco/include"
            DOC "Folder that holds mujoco/mujoco.h")
  mark_as_advanced(CLADE_MUJOCO_INCLUDE_DIR)
  if(NOT CLADE_MUJOCO_INCLUDE_DIR)
    message(FATAL_ERROR "MuJoCo's headers not found in ${CLADE_DEPS_DIR}: run tools/setup.sh, or configure with "
                        "-DCLADE_MUJOCO=OFF")
  endif()
  message(STATUS "MuJoCo environments: on (${CLADE_MUJOCO_INCLUDE_DIR})")
else()
  message(STATUS "MuJoCo environments: off (CLADE_MUJOCO)")
endif()

if(CLADE_TESTS)
  find_package(Catch2 QUIET)
  clade_require(Catch2_FOUND "Catch2" "catch2")
endif()
