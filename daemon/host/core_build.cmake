# SPDX-License-Identifier: Apache-2.0
#
# Writes OUTPUT, a source with the build id of LIBRARY, as host/core_build.hpp declares it.
execute_process(COMMAND ${READELF} -n ${LIBRARY} OUTPUT_VARIABLE notes COMMAND_ERROR_IS_FATAL ANY)
if(NOT notes MATCHES "Build ID: ([0-9a-f]+)")
  message(FATAL_ERROR "${LIBRARY} has no build id: link it with --build-id")
endif()
file(WRITE ${OUTPUT} "#include \"host/core_build.hpp\"

namespace actord::host {

const char* const core_build = \"${CMAKE_MATCH_1}\";

}  // namespace actord::host
")
