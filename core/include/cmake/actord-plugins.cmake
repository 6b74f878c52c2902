# SPDX-License-Identifier: Apache-2.0
#
# The functions of find_package(actord). actord's own tree includes this file, too, so its plugins
# are built as those of others are.

# actord_add_plugin(name SOURCES file… [LINKS target…])
#
# A plugin: the target `name`, which builds name.so. Its sources see <actord/…> and what LINKS gives
# them. A symbol that nothing defines is an error when it is linked, and not when it is loaded.
function(actord_add_plugin name)
  cmake_parse_arguments(PARSE_ARGV 1 PLUGIN "" "" "SOURCES;LINKS")
  if(PLUGIN_UNPARSED_ARGUMENTS OR NOT PLUGIN_SOURCES)
    message(FATAL_ERROR "actord_add_plugin(${ARGV}): it is called as "
                        "actord_add_plugin(name SOURCES file… [LINKS target…])")
  endif()
  add_library(${name} MODULE ${PLUGIN_SOURCES})
  target_link_libraries(${name} PRIVATE actord::plugin-sdk ${PLUGIN_LINKS})
  # The runtime of a sanitizer is that of the host, at least with clang.
  if(NOT ACTORD_SANITIZE AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
    target_link_options(${name} PRIVATE -Wl,-z,defs)
  endif()
  # The daemon compares the name of the file with that in ACTORD_PLUGIN, also of a debug build.
  set_target_properties(${name} PROPERTIES
    PREFIX "" OUTPUT_NAME ${name} DEBUG_POSTFIX "" actord_LINKS "${PLUGIN_LINKS}")
endfunction()

# actord_install_plugins(name…)
#
# Installs plugins into the folder where the daemon looks for them, ${actord_PLUGIN_DIR}.
function(actord_install_plugins)
  install(TARGETS ${ARGV} LIBRARY DESTINATION ${actord_PLUGIN_DIR})
endfunction()

# actord_add_plugin_test(name [PLUGIN plugin] SOURCES file… [LINKS target…])
#
# A program of doctest cases against <actord/testkit.hpp>, and a test of ctest with its name. main()
# is made here. PLUGIN is one of actord_add_plugin(): its object files and its LINKS become part of
# the program, which therefore needs no daemon. ctest finds the test if the root of the project says
# enable_testing() or include(CTest).
function(actord_add_plugin_test name)
  cmake_parse_arguments(PARSE_ARGV 1 TEST "" "PLUGIN" "SOURCES;LINKS")
  if(TEST_UNPARSED_ARGUMENTS OR NOT TEST_SOURCES)
    message(FATAL_ERROR "actord_add_plugin_test(${ARGV}): it is called as actord_add_plugin_test("
                        "name [PLUGIN plugin] SOURCES file… [LINKS target…])")
  endif()
  find_package(doctest 2.4.9 QUIET)
  if(NOT TARGET doctest::doctest)
    message(FATAL_ERROR "actord_add_plugin_test(${name}) needs doctest 2.4.9 or newer, which is "
                        "the package doctest-dev of Debian")
  endif()
  set(main ${CMAKE_CURRENT_BINARY_DIR}/${name}_main.cpp)
  file(CONFIGURE OUTPUT ${main} CONTENT
       "#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>\n" @ONLY)
  add_executable(${name} ${TEST_SOURCES} ${main})
  target_link_libraries(${name} PRIVATE actord::testkit doctest::doctest ${TEST_LINKS})
  if(TEST_PLUGIN)
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:${TEST_PLUGIN}>)
    target_include_directories(${name} PRIVATE
      $<TARGET_PROPERTY:${TEST_PLUGIN},INCLUDE_DIRECTORIES>)
    target_link_libraries(${name} PRIVATE $<TARGET_PROPERTY:${TEST_PLUGIN},actord_LINKS>)
  endif()
  add_test(NAME ${name} COMMAND ${name})
endfunction()
