# SPDX-License-Identifier: Apache-2.0
#
# Run by cpack before it packs.

# What the package is made of.
execute_process(
  COMMAND python3 -B ${CMAKE_CURRENT_LIST_DIR}/sbom.py actord ${CPACK_PACKAGE_VERSION}
          ${CPACK_TEMPORARY_DIRECTORY}/actord libboost1.81-dev nlohmann-json3-dev
  OUTPUT_FILE ${CPACK_TEMPORARY_DIRECTORY}/actord/usr/share/doc/actord/actord.spdx.json
  COMMAND_ERROR_IS_FATAL ANY)

# Debian wants manual pages and changelogs compressed, always to the same bytes.
execute_process(
  COMMAND find ${CPACK_TEMPORARY_DIRECTORY} "(" -path "*/usr/share/man/*.[1-9]"
          -o -path "*/usr/share/doc/*/changelog" ")" -type f -exec gzip -9nf "{}" +
  COMMAND_ERROR_IS_FATAL ANY)

# A static library keeps its symbols and nothing else, and pkg-config prints no option for a folder
# of /usr if it is spelt so.
set(sdk ${CPACK_TEMPORARY_DIRECTORY}/libactord-dev/usr)
execute_process(
  COMMAND find ${sdk} -name "*.a" -exec strip --strip-debug --remove-section=.comment
          --enable-deterministic-archives "{}" +
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(
  COMMAND find ${sdk} -name "*.pc" -exec sed -i "s:^prefix=.*:prefix=/usr:" "{}" +
  COMMAND_ERROR_IS_FATAL ANY)
