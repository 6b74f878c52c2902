// SPDX-License-Identifier: Apache-2.0
//
// Parses the target of a request line: the decoded names of the path, and the query as it was sent.
// Not here: whether such a file exists (document_root.hpp).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace static_site {

/// A path below the root. No name is empty, "." or "..", or contains '/' or NUL. So the names
/// joined by '/' cannot leave the root, except by symbolic links.
struct Target {
  std::vector<std::string> names;
  bool ends_in_slash = false;  // the target is a folder; true for the root itself
  std::string query;           // with its '?'; empty if there is none
};

/// Parses "/a/b%20c?q" and "http://host/a". Empty and "." names are dropped. None for targets that
/// must not be served: no leading '/', a ".." in any encoding, an encoded '/' or NUL, a '%' without
/// two hexadecimal digits.
std::optional<Target> parse_target(std::string_view text);

/// The names joined by '/', without a leading one; empty for the root.
std::string relative_path(const Target& target);

/// The redirect for a folder without the last '/': "/a/b%20c/?q". It begins with exactly one '/',
/// so that it cannot be read as another host.
std::string folder_location(const Target& target);

/// The text with all bytes beyond ASCII percent-encoded, for logs and messages. It is the same
/// target.
std::string ascii_only(std::string_view text);

}  // namespace static_site
