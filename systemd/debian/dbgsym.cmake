# SPDX-License-Identifier: Apache-2.0
#
# Run by cpack when it has packed. Its dbgsym package (CMake 3.25) has no copyright, and its list of
# checksums names the files by where they were built.
foreach(package IN LISTS CPACK_PACKAGE_FILES)
  if(package MATCHES "-dbgsym_.*\\.ddeb$")
    set(tree ${CPACK_TEMPORARY_DIRECTORY}/dbgsym)
    file(REMOVE_RECURSE ${tree})
    execute_process(COMMAND dpkg-deb --raw-extract ${package} ${tree} COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND sed -i "s:  /.*/usr/lib/debug/:  usr/lib/debug/:" ${tree}/DEBIAN/md5sums
                    COMMAND_ERROR_IS_FATAL ANY)
    file(MAKE_DIRECTORY ${tree}/usr/share/doc)
    file(CREATE_LINK actord ${tree}/usr/share/doc/actord-dbgsym SYMBOLIC)
    execute_process(COMMAND dpkg-deb --root-owner-group --build ${tree} ${package}
                    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()
