// SPDX-License-Identifier: Apache-2.0

#include "url.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <new>

namespace crawler {
namespace {

constexpr std::size_t url_bytes_max = 8192;  // longer ones come from link loops

using Text = std::unique_ptr<char, decltype(&curl_free)>;  // libcurl allocated it

// Writes each octet between two delimiters in one way (RFC 3986 §6.2.2): unreserved characters as
// they are, all others encoded in upper case. curl_url_get() keeps the encoding that it finds.
std::string normalise_encoding(std::string_view text) {
  constexpr std::string_view delimiters = "!$&'()*+,;=:@/?[]";
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(delimiters), text.size());
    if (end == 0) {  // libcurl takes the length 0 for a text that ends with a zero
      out += text.front();
      text.remove_prefix(1);
      continue;
    }
    int size = 0;
    const Text octets(curl_easy_unescape(nullptr, text.data(), static_cast<int>(end), &size),
                      curl_free);
    const Text encoded(octets ? curl_easy_escape(nullptr, octets.get(), size) : nullptr, curl_free);
    if (!encoded) throw std::bad_alloc{};
    out += encoded.get();
    text.remove_prefix(end);
  }
  return out;
}

// Drops blanks at the ends, and tabs and line breaks anywhere, as browsers do in an attribute.
std::string tidy(std::string_view text) {
  const auto is_blank = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  std::string out{text};
  std::erase_if(out, [](char c) { return c == '\t' || c == '\n' || c == '\r'; });
  return out;
}

// False if the crawler cannot fetch from this site: libcurl also parses URLs of other schemes, the
// port 0, and hosts with characters that no DNS name has. It keeps the case of the host.
bool normalise_site(std::string& site) {
  for (char& c : site) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  constexpr const char* allowed = "abcdefghijklmnopqrstuvwxyz0123456789-._:/[]";
  return (site.starts_with("http://") || site.starts_with("https://")) && !site.ends_with(":0") &&
         site.find_first_not_of(allowed) == std::string::npos;
}

// libcurl cannot tell, because it takes "12:30.html" for a URL whose scheme is "12".
bool has_scheme(std::string_view text) {
  const auto is_in_scheme = [](unsigned char c) {
    return std::isalnum(c) || c == '+' || c == '-' || c == '.';
  };
  const auto end = std::ranges::find_if_not(text, is_in_scheme);
  return end != text.end() && *end == ':' && std::isalpha(static_cast<unsigned char>(text[0]));
}

std::string directory_of(const Url& page) {
  return page.location.substr(0, page.location.rfind('/', page.location.find('?')) + 1);
}

// Resolves the references of most links: paths of unreserved characters, as "../mod/core.html#x".
// libcurl gives the same URL for them and takes fifty times as long. None for all others.
std::optional<Url> resolve_plain(const Url& base, std::string_view reference) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  reference = reference.substr(0, reference.find('#'));
  if (reference.empty() || reference.find_first_not_of(plain) != std::string_view::npos ||
      reference.find("//") != std::string_view::npos) {
    return std::nullopt;
  }
  Url url{base.site, reference.front() == '/' ? "/" : directory_of(base)};
  if (reference.front() == '/') reference.remove_prefix(1);
  // url.location ends with '/' here and after each segment but the last.
  while (!reference.empty()) {
    const std::size_t end = std::min(reference.find('/'), reference.size());
    const std::string_view segment = reference.substr(0, end);
    if (segment == "..") {
      const std::size_t parent = url.location.rfind('/', url.location.size() - 2);
      if (url.location.size() > 1) url.location.resize(parent + 1);
    } else if (segment != ".") {
      url.location += segment;
      if (end < reference.size()) url.location += '/';
    }
    reference.remove_prefix(std::min(end + 1, reference.size()));
  }
  if (url.site.size() + url.location.size() > url_bytes_max) return std::nullopt;
  return url;
}

std::optional<Url> parse(const Url* base, std::string_view raw) {
  std::string text = tidy(raw);
  text.resize(std::min(text.find('#'), text.size()));
  if (!has_scheme(text)) {
    if (base == nullptr) return std::nullopt;
    if (text.empty()) return *base;
    // From ".//x" and "./?x" libcurl would drop a slash.
    if (text[0] != '/' && text[0] != '?') text.insert(0, base->site + directory_of(*base));
  }
  // Encoding comes first, because "%2e%2e" is a dot segment as well.
  text = normalise_encoding(text);

  const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> handle(curl_url(), curl_url_cleanup);
  if (base != nullptr) curl_url_set(handle.get(), CURLUPART_URL, base->text().c_str(), 0);
  if (curl_url_set(handle.get(), CURLUPART_URL, text.c_str(), CURLU_DISALLOW_USER) != CURLUE_OK)
    return std::nullopt;
  char* whole = nullptr;
  curl_url_get(handle.get(), CURLUPART_URL, &whole, CURLU_NO_DEFAULT_PORT);
  const Text owner(whole, curl_free);
  if (!owner) throw std::bad_alloc{};
  Url url{whole, {}};
  const std::size_t site_end = url.site.find('/', url.site.find("://") + 3);
  url.location = url.site.substr(site_end);
  url.site.resize(site_end);
  if (text.find('?') == text.size() - 1) url.location += '?';  // libcurl drops an empty query
  // Brackets are delimiters in the site only.
  for (std::size_t at = 0; (at = url.location.find_first_of("[]", at)) != std::string::npos;)
    url.location.replace(at, 1, url.location[at] == '[' ? "%5B" : "%5D");

  if (url.site.size() + url.location.size() > url_bytes_max) return std::nullopt;
  return normalise_site(url.site) ? std::optional{std::move(url)} : std::nullopt;
}

}  // namespace

std::optional<Url> parse_url(std::string_view text) { return parse(nullptr, text); }

std::optional<Url> resolve_url(const Url& base, std::string_view reference) {
  auto url = resolve_plain(base, reference);
  return url ? std::move(url) : parse(&base, reference);
}

Scope::Scope(const Url& start) : site_(start.site), directory_(directory_of(start)) {}

bool Scope::contains(const Url& url) const {
  return url.site == site_ && url.location.starts_with(directory_);
}

}  // namespace crawler
