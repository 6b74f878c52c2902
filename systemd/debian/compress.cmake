# SPDX-License-Identifier: Apache-2.0
#
# Run by cpack before it packs: Debian wants manual pages and changelogs compressed, always to the
# same bytes.
execute_process(
  COMMAND find ${CPACK_TEMPORARY_DIRECTORY} "(" -path "*/usr/share/man/*.[1-9]"
          -o -path "*/usr/share/doc/*/changelog" ")" -type f -exec gzip -9nf "{}" +
  COMMAND_ERROR_IS_FATAL ANY)
