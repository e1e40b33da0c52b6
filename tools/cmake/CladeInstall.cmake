# cmake --install: programs, libraries, headers (as include/clade/core/..., es/..., ...), MuJoCo, its models and the
# Atari games where the programs look for them, and the package that find_package(clade) loads.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/clade")

install(TARGETS clade_flags EXPORT clade)
install(EXPORT clade NAMESPACE clade:: DESTINATION "${package_dir}" FILE clade-targets.cmake)
set(clade_ale_library "${CMAKE_INSTALL_LIBDIR}/clade/libale.a")
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/tools/cmake/clade-config.cmake.in" "${PROJECT_BINARY_DIR}/clade-config.cmake"
  INSTALL_DESTINATION "${package_dir}" PATH_VARS clade_ale_library)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/clade-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/clade-config.cmake" "${PROJECT_BINARY_DIR}/clade-config-version.cmake"
              "${PROJECT_SOURCE_DIR}/tools/cmake/FindHDF5C.cmake" DESTINATION "${package_dir}")

foreach(layer core es ga envs)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/${layer}/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/clade/${layer}"
          FILES_MATCHING PATTERN "*.hpp")
endforeach()

install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" OPTIONAL)
if(CLADE_ATARI)
  # clade_envs is linked with this library: the package needs it beside its own.
  install(FILES "${CLADE_ALE_LIBRARY}" DESTINATION "${CMAKE_INSTALL_LIBDIR}/clade")
  install(DIRECTORY "${CLADE_DEPS_DIR}/ale/roms" DESTINATION "${CMAKE_INSTALL_DATADIR}/clade" OPTIONAL)
  install(DIRECTORY "${CLADE_DEPS_DIR}/ale/licenses/" DESTINATION "${CMAKE_INSTALL_DOCDIR}/ale" OPTIONAL)
endif()
if(CLADE_MUJOCO)
  install(DIRECTORY "${CLADE_DEPS_DIR}/mujoco/lib/" DESTINATION "${CMAKE_INSTALL_LIBDIR}/clade" OPTIONAL
          FILES_MATCHING PATTERN "libmujoco.so*")
  install(DIRECTORY "${CLADE_DEPS_DIR}/models/" DESTINATION "${CMAKE_INSTALL_DATADIR}/clade/models" OPTIONAL)
endif()
