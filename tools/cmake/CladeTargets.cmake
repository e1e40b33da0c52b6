# How Clade's targets are made: flags as interface targets, one function each for libraries, programs and tests.

# Flags that a library and its users must share to get the same bits, and instrumentation.
add_library(clade_flags INTERFACE)
add_library(clade::flags ALIAS clade_flags)
set_target_properties(clade_flags PROPERTIES EXPORT_NAME flags)
target_compile_features(clade_flags INTERFACE cxx_std_20)
target_compile_options(clade_flags INTERFACE -ffp-contract=off)

if(CLADE_SANITIZE STREQUAL "address")
  set(clade_instrumentation -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
elseif(CLADE_SANITIZE STREQUAL "thread")
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "CLADE_SANITIZE=thread needs Clang and libomp (GCC's libgomp raises false races), "
                        "but the compiler is ${CMAKE_CXX_COMPILER_ID}: use the preset tsan")
  endif()
  set(clade_instrumentation -fsanitize=thread -fno-omit-frame-pointer)
elseif(CLADE_SANITIZE)
  message(FATAL_ERROR "CLADE_SANITIZE=${CLADE_SANITIZE}: expected address, thread or nothing")
endif()
if(CLADE_COVERAGE)
  list(APPEND clade_instrumentation --coverage)
endif()
if(clade_instrumentation)
  target_compile_options(clade_flags INTERFACE ${clade_instrumentation})
  target_link_options(clade_flags INTERFACE ${clade_instrumentation})
endif()

target_compile_definitions(clade_flags INTERFACE $<BUILD_INTERFACE:$<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>>)

add_library(clade_warnings INTERFACE)
target_compile_options(
  clade_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow
                           $<$<BOOL:${CLADE_WARNINGS_AS_ERRORS}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees overlapping copies in the standard library's own string concatenation (GCC bug 105651).
  target_compile_options(clade_warnings INTERFACE -Wno-restrict)
endif()

if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(CLADE_CCACHE ccache)
  mark_as_advanced(CLADE_CCACHE)
  if(CLADE_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CLADE_CCACHE}")
  endif()
endif()

# clade_library(<layer> SOURCES <file>... [LINK <target>...] [PRIVATE_LINK <target>...]): clade_<layer>, clade::<layer>.
function(clade_library layer)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK;PRIVATE_LINK")
  add_library(clade_${layer} STATIC ${arg_SOURCES})
  add_library(clade::${layer} ALIAS clade_${layer})
  target_include_directories(clade_${layer} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                                   $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/clade>)
  target_link_libraries(clade_${layer} PUBLIC clade_flags ${arg_LINK}
                                       PRIVATE ${arg_PRIVATE_LINK} $<BUILD_INTERFACE:clade_warnings>)
  set_target_properties(clade_${layer} PROPERTIES EXPORT_NAME ${layer} POSITION_INDEPENDENT_CODE ON
                                                  CXX_EXTENSIONS OFF)
  install(TARGETS clade_${layer} EXPORT clade ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

add_custom_target(programs)

# clade_program(<name> SOURCES <file>... LINK <target>...): a program in bin/; `programs` builds all of them.
function(clade_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINK} clade_flags clade_warnings)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin" CXX_EXTENSIONS OFF)
  add_dependencies(programs ${name})
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()
