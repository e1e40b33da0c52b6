include(Catch)

# ThreadSanitizer of older Clang stops where the kernel randomises addresses more than it expects.
set(clade_test_launcher "")
if(CLADE_SANITIZE STREQUAL "thread")
  execute_process(COMMAND setarch ${CMAKE_HOST_SYSTEM_PROCESSOR} -R true RESULT_VARIABLE refused OUTPUT_QUIET
                  ERROR_QUIET)
  if(refused STREQUAL "0")
    set(clade_test_launcher setarch ${CMAKE_HOST_SYSTEM_PROCESSOR} -R)
  endif()
endif()

# Tests take half the time to build with less optimisation, a fifth with GCC's sanitizers, and run as quickly: the work is
# done in the libraries.
if(CLADE_SANITIZE STREQUAL "address")
  set(clade_test_optimisation -O0)
else()
  set(clade_test_optimisation $<$<NOT:$<CONFIG:Debug>>:-O1>)
endif()

# clade_test(<name> SOURCES <file>... LINK <target>... LABELS <label>... [TIMEOUT <seconds>] [DEPENDS <program>...])
# Each test case is a test of CTest. What could not run prints "test skipped: why" and counts as skipped.
function(clade_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "SOURCES;LINK;LABELS;DEPENDS")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  # CTest would take such a name for two that no test case has, and a run of no test case passes.
  foreach(source IN LISTS arg_SOURCES)
    file(STRINGS "${source}" with_semicolon REGEX "TEST_CASE\\(\"[^\"]*;")
    if(with_semicolon)
      message(FATAL_ERROR "${CMAKE_CURRENT_SOURCE_DIR}/${source}: a test case's name must not hold a semicolon")
    endif()
  endforeach()
  add_executable(${name} ${arg_SOURCES})
  target_compile_options(${name} PRIVATE ${clade_test_optimisation})
  target_link_libraries(${name} PRIVATE ${arg_LINK} clade_test_support clade_flags clade_warnings)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests" CXX_EXTENSIONS OFF)
  if(arg_DEPENDS)
    add_dependencies(${name} ${arg_DEPENDS})
  endif()
  set(environment "")
  if(CLADE_SANITIZE STREQUAL "thread")
    set_target_properties(${name} PROPERTIES CROSSCOMPILING_EMULATOR "${clade_test_launcher}")
    set(environment ENVIRONMENT "TSAN_OPTIONS=ignore_noninstrumented_modules=1")
  endif()
  set(spec "")
  if(CLADE_SANITIZE)
    set(spec TEST_SPEC "~[slow]")
  endif()
  catch_discover_tests(
    ${name} ${spec} TEST_PREFIX "${name}: "
    PROPERTIES TIMEOUT ${arg_TIMEOUT} SKIP_REGULAR_EXPRESSION "test skipped: " ${environment})

  # A property that is a list does not survive the way through catch_discover_tests: labels are given when CTest reads
  # the discovered tests.
  file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/${name}_labels.cmake" "\
foreach(test IN LISTS ${name}_TESTS)
  set_tests_properties(\"\${test}\" PROPERTIES LABELS \"${arg_LABELS}\")
endforeach()
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${CMAKE_CURRENT_BINARY_DIR}/${name}_labels.cmake")
endfunction()
