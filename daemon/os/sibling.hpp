// SPDX-License-Identifier: Apache-2.0
//
// A fork for a process that makes others on behalf of its parent.
#pragma once

namespace actord::os {

/// As fork(), but the new process is a child of this process's parent, which is told of its end and
/// can wait for it. The calling process has one thread, and pthread_atfork() has no effect. -1 with
/// errno; ENOSYS: the kernel or a sanitizer does not allow it.
int fork_sibling() noexcept;

}  // namespace actord::os
