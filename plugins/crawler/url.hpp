// SPDX-License-Identifier: Apache-2.0
//
// An http or https URL in normal form, so that the crawler can compare it: lower-case scheme and
// host, no default port, no dot segments, no fragment, percent-encoding as in RFC 3986 §6.2.
// libcurl parses and resolves, so a URL means here what it means to the download.
//
// Not here: finding links in a page (links.hpp) and asking a server (download.hpp).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace crawler {

/// An absolute URL in normal form. Only parse_url() and resolve_url() make one.
struct Url {
  std::string site;      // "http://a" or "https://[::1]:8080"
  std::string location;  // path and query, which name a page within its site; starts with '/'

  [[nodiscard]] std::string text() const { return site + location; }
  friend bool operator==(const Url&, const Url&) = default;
};

/// None if the text is no absolute http or https URL, has a user name, or is longer than 8 KiB in
/// normal form.
[[nodiscard]] std::optional<Url> parse_url(std::string_view text);

/// The URL that `reference` means on the page `base` (RFC 3986 §5.2). As in browsers, blanks at the
/// ends and line breaks are dropped. None for other schemes (mailto:, javascript:) and malformed
/// URLs.
[[nodiscard]] std::optional<Url> resolve_url(const Url& base, std::string_view reference);

/// The URLs that belong to a crawl: those of the start URL's site, below the directory of its path.
class Scope {
 public:
  explicit Scope(const Url& start);
  [[nodiscard]] bool contains(const Url& url) const;
  [[nodiscard]] const std::string& directory() const { return directory_; }

 private:
  std::string site_;
  std::string directory_;  // "/docs/" for "/docs/index.html"
};

}  // namespace crawler
