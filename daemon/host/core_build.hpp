// SPDX-License-Identifier: Apache-2.0
//
// The build of actord's library whose parts this program has. CMake writes the source.
#pragma once

namespace actord::host {

/// As isolate::library_build() says it in the actord that belongs to this program.
extern const char* const core_build;

}  // namespace actord::host
