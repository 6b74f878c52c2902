// SPDX-License-Identifier: Apache-2.0
//
// Reads an HTML page: its links, its title and its text.
//
// Not here: which links are followed (Scope in url.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sniffing.hpp"
#include "url.hpp"

namespace crawler {

/// The contents of a page.
struct Document {
  std::string title;       // valid UTF-8, runs of blanks as one space
  std::string text;        // visible text, likewise
  std::vector<Url> links;  // absolute, each once, in order of appearance
  SniffedEncoding encoding{&utf8(), EncodingSource::assumed};
  std::size_t replaced = 0;  // how often U+FFFD stands for bytes that are no character
};

/// Reads any bytes as HTML. It accepts errors as a browser does, never fails, and needs no stack
/// for nested elements. Links are those of a, area, frame, iframe and a refresh, relative to
/// <base>.
///
/// `charset` is the one that the server named, or empty. sniffing.hpp has the order in which it and
/// the declarations of the page count. Any thread.
[[nodiscard]] Document read_page(std::string_view html, const Url& url,
                                 const std::string& charset = {});

}  // namespace crawler
