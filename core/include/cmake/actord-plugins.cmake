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
  # libc++ as a part of the plugin has its exceptions to itself; the daemon has those of libstdc++.
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    include(CheckCXXSourceCompiles)
    check_cxx_source_compiles("#include <version>
      #ifndef _LIBCPP_VERSION
      #error it is not libc++
      #endif
      int main() {}" ACTORD_HAS_LIBCXX)
    if(ACTORD_HAS_LIBCXX)
      target_link_options(${name} PRIVATE -static-libstdc++)
    endif()
  endif()
  # The daemon compares the name of the file with that in ACTORD_PLUGIN, also of a debug build.
  set_target_properties(${name} PROPERTIES
    PREFIX "" OUTPUT_NAME ${name} DEBUG_POSTFIX "" actord_LINKS "${PLUGIN_LINKS}")
endfunction()

# actord_add_rust_plugin(name SOURCES file…)
#
# A plugin in Rust: the target `name`, which builds name.so. The first file is the root of its
# crate, and the others are its modules. It uses the crate `actord`, whose source is in
# ${actord_RUST_DIR}, and no other one, so Debian's rustc is all that it takes.
function(actord_add_rust_plugin name)
  cmake_parse_arguments(PARSE_ARGV 1 PLUGIN "" "" "SOURCES")
  if(PLUGIN_UNPARSED_ARGUMENTS OR NOT PLUGIN_SOURCES)
    message(FATAL_ERROR "actord_add_rust_plugin(${ARGV}): it is called as "
                        "actord_add_rust_plugin(name SOURCES file…)")
  endif()
  find_program(ACTORD_RUSTC rustc)
  if(NOT ACTORD_RUSTC)
    message(FATAL_ERROR "actord_add_rust_plugin(${name}) needs rustc, which is the package rustc "
                        "of Debian")
  endif()
  list(TRANSFORM PLUGIN_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ REGEX "^[^/]")
  list(GET PLUGIN_SOURCES 0 root)
  set(folder ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
  if(NOT folder)
    set(folder ${CMAKE_CURRENT_BINARY_DIR})
  endif()
  set(file ${folder}/${name}.so)
  set(crate ${CMAKE_CURRENT_BINARY_DIR}/${name}_sdk/libactord.rlib)
  set(rustc ${ACTORD_RUSTC} --edition 2021 -C opt-level=2 -C panic=unwind)
  set(sdk actord abi behaviour context failure message plugin value)
  list(TRANSFORM sdk REPLACE "(.+)" "${actord_RUST_DIR}/\\1.rs")
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${name}_sdk)
  add_custom_command(OUTPUT ${crate} DEPENDS ${sdk} VERBATIM
    COMMAND ${rustc} --crate-type rlib --crate-name actord ${actord_RUST_DIR}/actord.rs
            -o ${crate})
  add_custom_command(OUTPUT ${file} DEPENDS ${crate} ${PLUGIN_SOURCES} VERBATIM
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${rustc} --crate-type cdylib --crate-name ${name} ${root} --extern actord=${crate}
            -C strip=debuginfo -C link-arg=-Wl,--build-id -o ${file})
  add_custom_target(${name} ALL DEPENDS ${file})
  set_target_properties(${name} PROPERTIES actord_FILE ${file})
endfunction()

# actord_install_plugins(name…)
#
# Installs plugins into the folder where the daemon looks for them, ${actord_PLUGIN_DIR}.
function(actord_install_plugins)
  foreach(name IN LISTS ARGV)
    get_target_property(file ${name} actord_FILE)
    if(file)
      install(PROGRAMS ${file} DESTINATION ${actord_PLUGIN_DIR})
    else()
      install(TARGETS ${name} LIBRARY DESTINATION ${actord_PLUGIN_DIR})
    endif()
  endforeach()
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
