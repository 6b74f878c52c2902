// SPDX-License-Identifier: Apache-2.0
//
// An http(s) URL in the one spelling the crawler compares: lower-case scheme and host, no default
// port, no dot segments, no fragment, percent-encoding as RFC 3986 §6.2 normalises it.
//
// Not here: finding links in a page (links.hpp) and asking a server (download.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace crawler {

/// Always absolute and normalised: made by parse_url and resolve_url only.
struct Url {
  std::string scheme;  // http or https
  std::string host;    // lower case; an IPv6 address keeps its brackets
  std::uint16_t port = 0;
  std::string path;                  // starts with '/'
  std::optional<std::string> query;  // without '?'; "a?" and "a" are different resources

  /// Path and query: what names a page within its site.
  [[nodiscard]] std::string location() const;
  [[nodiscard]] std::string text() const;
  friend bool operator==(const Url&, const Url&) = default;
};

/// Nothing when the text is no absolute http or https URL, carries a user name, or is longer than 8
/// KiB.
[[nodiscard]] std::optional<Url> parse_url(std::string_view text);

/// What `reference` means on the page `base` (RFC 3986 §5.2). Surrounding blanks and line breaks
/// within are dropped, as browsers do. Nothing for other schemes (mailto:, javascript:) and
/// malformed URLs.
[[nodiscard]] std::optional<Url> resolve_url(const Url& base, std::string_view reference);

/// Where a crawl may go: the scheme, host and port of its start URL, and the directory of its path.
class Scope {
 public:
  explicit Scope(const Url& start);
  [[nodiscard]] bool contains(const Url& url) const;
  [[nodiscard]] const std::string& directory() const { return directory_; }

 private:
  Url start_;
  std::string directory_;  // "/docs/" for "/docs/index.html"
};

}  // namespace crawler
