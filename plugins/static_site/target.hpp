// SPDX-License-Identifier: Apache-2.0
//
// What stands after the method in a request line, taken apart: the names of the path, decoded, and
// the query, as sent. Pure text: whether such a file exists is the document root's business.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace static_site {

/// A path below the root. No name is empty, "." or "..", and none holds '/' or NUL: joined by '/'
/// they cannot lead out of the root, symbolic links aside.
struct Target {
  std::vector<std::string> names;
  bool ends_in_slash = false;  // asks for a folder; so does the root itself
  std::string query;           // with its '?'; empty if there is none
};

/// Understands "/a/b%20c?q" and "http://host/a". Empty and "." names are dropped. Nothing for all
/// that must not be served: no leading '/', a ".." in any spelling, an encoded '/' or NUL, a '%'
/// without two hexadecimal digits.
std::optional<Target> parse_target(std::string_view text);

/// The names joined by '/', without a leading one; empty for the root.
std::string relative_path(const Target& target);

/// Where to send a client that asked for a folder without the '/': "/a/b%20c/?q". Always starts
/// with exactly one '/', so that it cannot be read as another host.
std::string folder_location(const Target& target);

/// The text with every byte beyond ASCII percent-encoded: the same target, fit for logs and
/// messages.
std::string ascii_only(std::string_view text);

}  // namespace static_site
