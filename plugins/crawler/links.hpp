// SPDX-License-Identifier: Apache-2.0
//
// Reads an HTML page: its links, its title and its text.
//
// Not here: which links are followed (Scope in url.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "url.hpp"

namespace crawler {

/// The contents of a page.
struct Document {
  std::string title;
  std::string text;        // visible text, UTF-8, runs of blanks as one space
  std::vector<Url> links;  // absolute, each once, in order of appearance
};

/// Reads any bytes as HTML. It accepts errors as a browser does, never fails, and needs no stack
/// for nested elements. Links are those of a, area, frame, iframe and a refresh, relative to
/// <base>.
///
/// `charset` is the one that the server named. If it is empty, the page's own is used, or else
/// UTF-8 or Latin-1. Any thread.
[[nodiscard]] Document read_page(std::string_view html, const Url& url,
                                 const std::string& charset = {});

}  // namespace crawler
