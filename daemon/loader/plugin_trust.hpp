// SPDX-License-Identifier: Apache-2.0
//
// Whether a plugin's file may be loaded, judged by who can change what is loaded: the owner and the
// mode of every component of its path. No code of the file has run then.
//
// A path that passes stays as it was judged until one of the accepted owners changes it: only they
// can rename or replace what lies in a folder that passes. So the file may be opened by its path
// afterwards.
//
// Not here: which of both rules holds (config/trust_rule.hpp), and what the file contains
// (plugin_note.hpp).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "loader/refusal.hpp"
#include "os/path_walk.hpp"

namespace actord::loader {

struct Trust {
  enum class Rule : std::uint8_t {
    // Every component belongs to root, and no other user may write to it.
    strict,
    // The same with more owners. Besides, others may write to a folder with the sticky bit, such as
    // /tmp, if the path goes on with a folder in it: only its owner can rename that.
    developer
  };
  Rule rule = Rule::strict;
  std::vector<uid_t> owners = {0};
};

std::string_view name_of(Trust::Rule rule) noexcept;

/// Accepts files of root, of the owner of this process's executable, of this user, and, if that is
/// root by sudo(8), of the user who has called sudo.
Trust developer_trust();

/// nullopt: the file may be loaded. Else the refusal names each component that fails, with its
/// owner and mode, and the commands that mend it.
std::optional<Refusal> why_not_trusted(const os::WalkedPath& walked, const Trust& trust);

}  // namespace actord::loader
